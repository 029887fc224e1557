"""Whether a call stays inside its Tensors, and whether these overlap as they must not. The engine says
so while the script runs, as far as the numbers are known then; it looks again when the call runs."""

import itertools
import json
import re

from . import chip, engine
from .error import fail, strict
from .scope import scope_gm, size_of
from .words import in_tik

COMMUTING = ("add", "mul", "max", "min")  # instructions whose sources may change places
ENDLESS = 1 << 40  # bytes of a Tensor whose start or size is not known
VALUES = ("scalar", "dequant_value")  # fields that say nothing of what is touched


def check_reach(buffers, statement, names, overlap=False, apart=None):
    """`buffers`: the program's; `statement`: a call; `names`: the fields to look at, each with the
    name that the page has for it; `overlap`: whether results may not lie everywhere; `apart`: no
    two of these tensors, and of those in this list of (name, operand, bytes), share a byte."""
    question = _Question(buffers)
    fields = {key: question.known(key, value) for key, value in statement.items()}
    if None in fields.values() or chip.current().engine is None:
        return
    reaches, overlaps = engine.load().judge(question.text(fields))
    needed, touched = {}, {}
    for field, index, bytes_, is_outside in reaches:
        for found in (needed, touched) if is_outside else (touched,):
            found[field, index] = max(bytes_, found.get((field, index), 0))
    if overlap and overlaps:
        _report_overlap(statement, names, overlaps[0], bool(needed))
    for field, name in names.items():
        for (found, index), bytes_ in sorted(needed.items()):
            if found == field:
                operand = statement[field] if index < 0 else statement[field][index]
                _report(buffers[operand[0]], operand, bytes_,
                        name if index < 0 else f"{name}[{index}]")
    if apart is not None:
        known = [(name, statement[field], touched[field, -1]) for field, name in names.items()
                 if (field, -1) in touched]
        _check_apart(statement["as"], known + apart)


def _check_apart(api, tensors):
    """`tensors`: (name, operand, bytes)."""
    spans = [(name, buffer, offset * size_of(dtype), offset * size_of(dtype) + bytes_)
             for name, (buffer, offset, dtype), bytes_ in tensors if isinstance(offset, int)]
    for one, other in itertools.combinations(spans, 2):
        if one[1] == other[1] and one[2] < other[3] and other[2] < one[3]:
            fail(f"{api} {one[0]} and {other[0]} address overlapping error. They should not "
                 "overlap at all")


def _report(buffer, operand, needed, name):
    _, offset, dtype = operand
    size = size_of(dtype)
    total = buffer.elements * size_of(buffer.dtype) if buffer.bytes is None else buffer.bytes
    fail(f"{name} tensor overflow, {offset - -needed // size} elements are needed, but Tensor "
         f"{buffer.name} has {total // size} of {dtype}")


def _report_overlap(statement, names, text, reaches_out):
    """In TIK's words. `text`: the engine's. Of two Tensors one reaches into the other because it reaches
    out of itself, which is told then."""
    later = re.fullmatch(r"(\w+) of repeat \d+ overwrites (\w+) of repeat \d+", text)
    both = (later or re.match(r"(\w+) and (\w+) overlap", text)).groups()
    dst, src = map(in_tik, both)
    buffers = {statement[field][0] for field, name in names.items() if name in (dst, src)}
    if reaches_out and len(buffers) > 1:
        return
    api = statement["as"]
    if later:
        fail(f"When repeat_times>1, {api} {dst} and {src} address overlapping error. It is not support "
             f"iteration N's destination is the source of next iteration{_hint(statement, src)}")
    fail(f"{api} {dst} and {src} address overlapping error. They should be the same address with the "
         "same strides, or not overlap at all")


def _hint(statement, src):
    """Repeats that are to come together in dst may do so over src1, not over src0."""
    if (src == "src0" and statement["instruction"] in COMMUTING and statement["dst"] == statement["src0"]
            and statement.get("dst_repeat") == statement.get("src0_repeat") == 0):
        return "; to let all repeats come together in dst, give it as src1 with src1_rep_stride 0"
    return ""


def _is_known(value):
    if isinstance(value, dict):
        return all(map(_is_known, value.values()))
    if isinstance(value, list):
        return value[:1] != ["scalar"] and all(map(_is_known, value))
    return True


class _Question:
    """A statement file with one call and without scalars."""

    def __init__(self, buffers):
        self._buffers = buffers
        self._used = []

    def known(self, field, value):
        """The value of a field, or one that asks no less of any Tensor; None if there is none."""
        if type(value) in (int, str):
            return value
        if isinstance(value, list) and value and isinstance(value[0], int):
            return self._operand(*value)
        if isinstance(value, list) and value and isinstance(value[0], list):
            return [self._operand(*one) for one in value]
        if _is_known(value):
            return value
        return 0 if field in VALUES else None

    def _operand(self, number, offset, dtype, *_):
        buffer = self._buffers[number]
        known = isinstance(offset, int)
        if buffer.scope == scope_gm:
            elements = buffer.elements
            size = elements if known and isinstance(elements, int) and not buffer.is_list else \
                ENDLESS
            place = {"role": "workspace", "elements": size}
        elif known and isinstance(buffer.address, int) and isinstance(buffer.bytes, int):
            place = {"address": buffer.address, "bytes": buffer.bytes}
        else:  # apart from the others
            place = {"address": ENDLESS * (len(self._used) + 1), "bytes": ENDLESS}
        self._used.append({"name": "", "scope": buffer.scope, "dtype": buffer.dtype, **place})
        return [len(self._used) - 1, offset if known else 0, dtype]

    def text(self, statement):
        """The file."""
        return json.dumps({
            "vinci_statements": 1, "strict": strict(), "kernel": "", "files": [],
            "soc": chip.current().engine, "buffers": self._used, "scalars": [],
            "body": [statement]})
