"""Operators of packages as what a task judges: their tiling chooses blocks and keys."""

import json
import re

import numpy as np

from .. import errors, launching, operators
from . import elsewhere
from .tasks import DTYPES, wrong

NUMBERS = {name: operators.NUMBERS.get({"half": "float16", "bfloat16": "bfloat16",
                                        "float": "float32", "double": "float64"}.get(name, name))
           for name in DTYPES}
NO_SHAPES = "has no InferShape"
# What host code wants of memory, by shapes or for a workspace.
TOO_MUCH = re.compile(r"^\w+: \d+ bytes of memory are not to be had")


class Failure(Exception):
    """What host code says that cannot be: a word of the verdict, and why."""


def tensors_of(case, parameter):
    """Those of a parameter of the definition: none, one, or those of a dynamic one."""
    return [one for one in case.task.parameters if one.called == parameter["name"]]


class Operator:
    """One operator of a package on one chip, shut in. Its attempts are those of a kernel."""

    def __init__(self, task, soc):
        with launching.engine_errors():
            self.package = elsewhere.Package([str(task.source)], soc, list(task.options), True,
                                             task.check, task.compile_timeout)
        known = json.loads(self.package.known)
        self.name = task.operator or (next(iter(known)) if len(known) == 1 else "")
        if not known:
            raise errors.CompileError(f"{task.source.name} has no operator for {soc}")
        if self.name not in known:
            raise wrong(f"operator {task.operator!r} on {soc}", ", ".join(known) or "none at all")
        self.definition = known[self.name]
        self.timeout, self.shown = task.timeout, task.value_depend
        self.check_names(task)

    def check_names(self, task):
        """That the task's parameters are those of the operator."""
        have = {kind: {one["name"]: one for one in self.definition[kind]}
                for kind in ("inputs", "outputs", "attributes")}
        for parameter in task.parameters:
            for kind, wanted in (("inputs", parameter.goes_in), ("outputs", parameter.comes_out),
                                 ("attributes", parameter.direction == "value")):
                if not wanted:
                    continue
                known = have[kind].get(parameter.called)
                if known is None:
                    raise wrong(f"{parameter.called}, which is none of the {kind} of {self.name}",
                                ", ".join(have[kind]) or "none")
                is_list = kind != "attributes" and known["dynamic"]
                if is_list != bool(parameter.list_name):
                    raise wrong(f"{parameter.called}, which is {'' if is_list else 'not '}dynamic",
                                '"shapes" where it is, "shape" where it is not')
        unknown = set(self.shown) - set(have["inputs"])
        if unknown:
            raise wrong(f"value_depend {', '.join(sorted(unknown))}",
                        f"inputs of {self.name}: {', '.join(have['inputs'])}")
        missing = set(have["outputs"]) - {one.called for one in task.parameters if one.comes_out}
        if missing:
            raise wrong(f"parameters without {', '.join(sorted(missing))}",
                        f"all outputs of {self.name}")

    @property
    def withheld(self):
        """The inputs whose values host code wants, by the definition, and the task keeps from it."""
        return [one["name"] for one in self.definition["inputs"]
                if one["value_depend"] and one["name"] not in self.shown]

    @property
    def not_device_code(self):
        return self.package.not_device_code

    def attempt(self, case, arrays):
        """Calls it on the arrays of a case, which hold afterwards what came out."""
        inputs, attributes = [], []
        for one in self.definition["inputs"]:
            tensors = [(NUMBERS[tensor.dtype], arrays[tensor.name].shape,
                        arrays[tensor.name].tobytes())
                       for tensor in tensors_of(case, one) if tensor.goes_in]
            inputs.append(tensors or None)
        for one in self.definition["attributes"]:
            value = case.values.get(one["name"])
            attributes.append(value if one["type"] != "bool" or value is None else bool(value))
        places = [tensor for one in self.definition["outputs"] for tensor in tensors_of(case, one)
                  if tensor.comes_out]
        wanted = [[(NUMBERS[tensor.dtype], list(case.shapes[tensor.name])) for tensor in places
                   if tensor.called == one["name"]] for one in self.definition["outputs"]]
        words = json.dumps(attributes), self.timeout, 1, True, case.schedule, "", "", self.shown
        try:
            run, outputs, overwritten = self.called(inputs, wanted, words)
        except errors.UsageError as error:
            if TOO_MUCH.search(str(error)):
                raise Failure("stopped", str(error)) from None
            if " does not take " in str(error) and self.takes(case.task.parameters):
                raise Failure("wrong", str(error)) from None  # what it infers
            raise
        came = {one["name"]: iter([output[1:] for output in outputs if output[0] == one["name"]])
                for one in self.definition["outputs"]}
        for tensor in places:  # what does not come back stays as it was, which is wrong
            number, shape, data = next(came[tensor.called], (None, None, None))
            if data is not None:
                if number == operators.INT4 and shape:  # bytes of two, as the task has them
                    shape = [*shape[:-1], -1]
                arrays[tensor.name] = np.frombuffer(data, self.dtype_of(number)).reshape(
                    shape).copy()
        for tensor in case.task.parameters:
            if tensor.called in overwritten:
                arrays[tensor.name] = None
        return launching.Run(run, list(arrays))

    def called(self, inputs, wanted, words):
        with launching.engine_errors():
            try:
                return self.package.call(self.name, inputs, [], *words)
            except elsewhere.LaunchError as error:
                if NO_SHAPES not in str(error):
                    raise
                return self.package.call(self.name, inputs, wanted, *words)

    def takes(self, parameters):
        """Whether the types of a task are a row of the definition."""
        known = {one["name"]: one["dtypes"] for kind in ("inputs", "outputs")
                 for one in self.definition[kind]}
        rows = [{row for row, number in enumerate(known[one.called])
                 if number == NUMBERS[one.dtype]} for one in parameters if one.called in known]
        return bool(set.intersection(*rows))

    @staticmethod
    def dtype_of(number):
        name = operators.NAMES.get(number, "uint8")
        return np.dtype("uint16" if name == "bfloat16" else name)
