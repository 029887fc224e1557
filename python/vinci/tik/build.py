"""BuildCCE: seals what a script has recorded, and describes the kernel in files."""

import contextlib
import dataclasses
import hashlib
import json
import os
import sys

from . import chip
from .addresses import TensorAddrList
from .error import fail, warn
from .expr import constant_of
from .scalar import InputScalar
from .scope import (scope_ca, scope_cb, scope_cbuf, scope_cc, scope_gm, scope_ubuf, size_of)
from .tensor import Tensor

_watchers = []  # called with each Tik when its kernel is built

MOST_PARAMETERS = 192
CUBE_SCOPES = {scope_cbuf, scope_ca, scope_cb, scope_cc}
MAGIC = "RT_DEV_BINARY_MAGIC_ELF"


@contextlib.contextmanager
def watched(watcher):
    """Meanwhile the watcher is called with each Tik whose kernel is built."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


@dataclasses.dataclass
class Built:
    """A kernel whose statements are complete."""

    kernel_name: str
    inputs: list   # Tensors, TensorAddrLists and InputScalars that are fed in; flowtable last
    outputs: list  # Tensors
    written: list  # of inputs: what the kernel writes, so that the arrays that are fed change too
    soc: str
    text: str      # the statement file


class Build:
    """The mixin. `self.program` is the Program; `self.built` what BuildCCE made last, or None."""

    built = None

    def BuildCCE(self, kernel_name, inputs, outputs, output_files_path=None, enable_l2=False,
                 config=None, flowtable=None, evaluates=None, extend_params=None):
        """Writes <kernel>.json and <kernel>.statements.json into kernel_meta, which lies in
        output_files_path, config["kernel_meta_parent_dir"] or the working directory."""
        program = self.program
        _check_options(kernel_name, output_files_path, enable_l2, config)
        if program.in_scope:
            fail("BuildCCE should not be called inside a scope or loop")
        _check_scopes(program)
        _check_flags(program)
        inputs, outputs = _as_list(inputs, "inputs"), _as_list(outputs, "outputs")
        flowtable = _as_list(flowtable, "flowtable")
        _check_parameters(program, inputs, outputs, flowtable)
        _set_roles(program, inputs + flowtable, outputs)
        program.sealed = True
        now = chip.current()
        soc = now.engine or now.name
        text = json.dumps(program.to_json(kernel_name, soc)) + "\n"
        fed, targets = inputs + flowtable, set(_targets(program.body))
        written = [one for one in fed if not isinstance(one, InputScalar)
                   and one.buffer.number in targets]
        self.built = Built(kernel_name, fed, outputs, written, soc, text)
        parent = output_files_path or (config or {}).get("kernel_meta_parent_dir") or "."
        _write(self.built, program, flowtable, os.path.join(parent, "kernel_meta"))
        for watcher in _watchers:
            watcher(self)


def _as_list(value, name):
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, (Tensor, TensorAddrList, InputScalar)):
        return [value]
    fail(f"{name} should be Tensor, list or tuple, input type: {type(value)}", TypeError)


def _check_options(kernel_name, output_files_path, enable_l2, config):
    if not isinstance(kernel_name, str):
        fail(f"kernel_name should be str, input type: {type(kernel_name)}", TypeError)
    if not kernel_name.isascii() or not kernel_name.isidentifier():
        fail("kernel_name should hold letters, digits and underscores, and start with no digit, "
             f"input value is {kernel_name!r}")
    if output_files_path is not None and not isinstance(output_files_path, str):
        fail(f"output_files_path should be str, input type: {type(output_files_path)}", TypeError)
    if not isinstance(enable_l2, bool):
        fail(f"enable_l2 should be bool, input type: {type(enable_l2)}", TypeError)
    if config is not None and not isinstance(config, dict):
        fail(f"config should be dict, input type: {type(config)}", TypeError)
    for key in config or ():
        if not isinstance(key, str):
            fail(f"key of config should be str, input type: {type(key)}", TypeError)
    parent = (config or {}).get("kernel_meta_parent_dir", "")
    if not isinstance(parent, str):
        fail(f"kernel_meta_parent_dir should be str, input type: {type(parent)}", TypeError)


def _check_scopes(program):
    for scope, place in program.unentered.items():
        fail(f"{scope.api} has no effect without `with`: with tik_instance.{scope.api}(...)",
             place=place)


def _check_flags(program):
    """A flag that nothing sets is waited for without end. An event id of a Scalar may be any."""
    for flag, place in program.flags_awaited.items():
        if not program.flags_set.keys() & {flag, (*flag[:2], None)} and flag[2] is not None:
            pipe, trigger, event = flag
            fail(f'wait_flag("{pipe}", "{trigger}", {event}) waits without end: no set_flag has '
                 "these pipes and this event_id", place=place)


def _check_parameters(program, inputs, outputs, flowtable):
    for one in inputs:
        _check_parameter(program, one, "inputs", (Tensor, InputScalar, TensorAddrList))
    for one in outputs:
        _check_parameter(program, one, "outputs", (Tensor,))
    for one in flowtable:
        _check_parameter(program, one, "flowtable", (Tensor, InputScalar))
    for name, listed in (("inputs", inputs), ("flowtable", flowtable)):
        kinds = [isinstance(one, InputScalar) for one in listed]
        if kinds != sorted(kinds):
            fail(f"InputScalars should follow all Tensors in {name}")
    _check_names(program, inputs + flowtable, outputs)
    scratch = sum(one.scope == scope_gm and one.role in ("workspace", "init")
                  for one in program.buffers)
    count = len(inputs) + len(outputs) + len(flowtable) + scratch
    if count > MOST_PARAMETERS:
        fail(f"inputs, outputs, flowtable and workspaces should be at most {MOST_PARAMETERS}, "
             f"input is {count}")


def _check_parameter(program, one, name, kinds):
    if not isinstance(one, kinds):
        legal = " or ".join(kind.__name__ for kind in kinds)
        fail(f"{name} should hold {legal}, input type: {type(one)}", TypeError)
    if isinstance(one, InputScalar):
        return
    if one.scope != scope_gm:
        fail(f"scope of {one.name} in {name} should be scope_gm, input scope is {one.scope}")
    if not any(buffer is one.buffer for buffer in program.buffers):
        fail(f"{one.name} in {name} belongs to another Tik")
    if one.buffer.role in ("workspace", "init"):
        fail(f"{one.name} is a workspace, a global Tensor or has init_value, so it should not be "
             f"in {name}")


def _check_names(program, fed, outputs):
    for listed in (fed, outputs):
        names = [one.name for one in listed]
        double = sorted({name for name in names if names.count(name) > 1})
        if double:
            fail(f"names of inputs, outputs and flowtable should differ, but {', '.join(double)} "
                 "is there twice")
    of_fed = {one.name: one for one in fed}
    for one in outputs:
        other = of_fed.get(one.name)
        if other is None:
            continue
        if isinstance(other, InputScalar) or other.buffer is not one.buffer:
            fail(f"names of inputs, outputs and flowtable should differ, but {one.name} is there "
                 "twice")
        warn(f"{one.name} is both input and output: the results overwrite what is fed in")
    listed = [one.buffer for one in fed + outputs if not isinstance(one, InputScalar)]
    names = {buffer.name for buffer in listed} | {
        one.name for one in fed if isinstance(one, InputScalar)}
    for buffer in program.buffers:
        if buffer.scope == scope_gm and buffer.used and buffer.name in names \
                and not any(buffer is one for one in listed):
            fail(f"names of Tensors in scope_gm should differ, but {buffer.name} is there twice")


def _set_roles(program, fed, outputs):
    """What each GM buffer is; one that is nowhere listed works as a workspace."""
    for buffer in program.buffers:
        if buffer.role in ("input", "output"):
            buffer.role = None
    for one in outputs:
        one.buffer.role = "output"
    for one in fed:
        if not isinstance(one, InputScalar):
            one.buffer.role = "input"
    for buffer in program.buffers:
        if buffer.scope == scope_gm and buffer.role is None:
            warn(f"Tensor {buffer.name} is in scope_gm, but not in inputs or outputs: it is zero "
                 "at the start, and nothing shows its values")


def _targets(body):
    """The numbers of the buffers that statements write."""
    for statement in body:
        for key in ("body", "then", "else"):
            yield from _targets(statement.get(key, ()))
        for key in ("dst", "to"):
            operand = statement.get(key)
            if isinstance(operand, list) and operand and isinstance(operand[0], int):
                yield operand[0]  # a list of operands is in UB


def _blocks(program):
    """blockDim: how many blocks run; all cores, if that is known at run time only."""
    counts = list(_block_counts(program.body)) or [1]
    return max(counts) if all(isinstance(one, int) for one in counts) else chip.current().cores


def _block_counts(body):
    for statement in body:
        if statement.get("blocks"):
            yield statement["to"]
        for inner in ("body", "then", "else"):
            yield from _block_counts(statement.get(inner, ()))


def _core(program):
    """coreType, magic and what else depends on the units in use."""
    now = chip.current()
    used = {buffer.scope for buffer in program.buffers}
    if now.is_vector_core:
        return {"coreType": "VectorCore", "magic": f"{MAGIC}_AIVEC"}
    if not now.facts["split"]:
        return {"coreType": "AiCore", "magic": MAGIC}
    if not used & CUBE_SCOPES:
        return {"coreType": "VectorCore", "magic": f"{MAGIC}_AIVEC"}
    if scope_ubuf not in used:
        return {"coreType": "CubeCore", "magic": f"{MAGIC}_AICUBE"}
    return {"coreType": "MIX", "magic": f"{MAGIC}_MIX_AIC", "intercoreSync": 1, "taskRation": "1:2"}


def _bytes(buffer):
    elements = constant_of(buffer.elements)
    return -1 if elements is None else elements * size_of(buffer.dtype)


def _workspace(buffers):
    return {"num": len(buffers), "size": [_bytes(one) for one in buffers],
            "type": [0] * len(buffers)}


def _description(built, program, flowtable):
    """The kernel's .json, with the toolkit's keys."""
    parameters = [None if isinstance(one, InputScalar) else one.buffer
                  for one in built.inputs + built.outputs]
    scratch = [one for one in program.buffers if one.role == "workspace"]
    plain = [one for one in scratch if not one.is_global]
    description = {
        "binFileName": built.kernel_name, "binFileSuffix": ".o", "blockDim": _blocks(program),
        "kernelName": f"{built.kernel_name}__kernel0", "kernelList": [], "memoryStamping": [],
        "opParaSize": sum(_fed_bytes(one) for one in flowtable),
        "parameters": [{"dtype": one.dtype, "init_value": 0} if one and one.atomic else None
                       for one in parameters + plain],
        "sha256": hashlib.sha256(built.text.encode()).hexdigest(),
        "compileInfo": _compile_info(), **_core(program)}
    if plain:
        description["workspace"] = _workspace(plain)
    for one in scratch:
        if one.is_global:
            description[f"globalworkspace_{one.name}"] = _workspace([one])
    return description


def _fed_bytes(one):
    return size_of(one.dtype) if isinstance(one, InputScalar) else max(_bytes(one.buffer), 0)


def _compile_info():
    """What the operator told its context, if it has one."""
    context = sys.modules.get("tbe.common.context")
    return context.get_context().get_compile_info() if context is not None else {}


def _write(built, program, flowtable, folder):
    path = os.path.join(folder, built.kernel_name)
    description = json.dumps(_description(built, program, flowtable), indent=4, sort_keys=True)
    try:
        os.makedirs(folder, exist_ok=True)
        for suffix, text in ((".json", description + "\n"), (".statements.json", built.text)):
            with open(path + suffix, "w", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        fail(f"BuildCCE cannot write {error.filename}: {error.strerror}")
