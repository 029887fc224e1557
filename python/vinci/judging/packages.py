"""Operators of packages as what a task judges: their tiling chooses blocks and keys."""

import json

import numpy as np

from .. import launching, operators
from . import elsewhere
from .tasks import DTYPES, wrong

NUMBERS = {name: operators.NUMBERS.get({"half": "float16", "bfloat16": "bfloat16",
                                        "float": "float32", "double": "float64"}.get(name, name))
           for name in DTYPES}
NO_SHAPES = "has no InferShape"


class Operator:
    """One operator of a package on one chip, shut in. Its attempts are those of a kernel."""

    def __init__(self, task, soc):
        with launching.engine_errors():
            self.package = elsewhere.Package([str(task.source)], soc, list(task.options), True,
                                             task.check, task.compile_timeout)
        known = json.loads(self.package.known)
        self.name = task.operator or (next(iter(known)) if len(known) == 1 else "")
        if self.name not in known:
            raise wrong(f"operator {task.operator!r} on {soc}", ", ".join(known) or "none at all")
        self.definition = known[self.name]
        self.timeout, self.outputs = task.timeout, {}
        self.check_names(task)

    def check_names(self, task):
        """That the task's parameters are those of the operator."""
        have = {kind: {one["name"]: one for one in self.definition[kind]}
                for kind in ("inputs", "outputs", "attributes")}
        for parameter in task.parameters:
            for kind, wanted in (("inputs", parameter.goes_in), ("outputs", parameter.comes_out),
                                 ("attributes", parameter.direction == "value")):
                if wanted and parameter.name not in have[kind]:
                    raise wrong(f"{parameter.name}, which is none of the {kind} of {self.name}",
                                ", ".join(have[kind]) or "none")
        missing = set(have["outputs"]) - {one.name for one in task.parameters if one.comes_out}
        if missing:
            raise wrong(f"parameters without {', '.join(sorted(missing))}",
                        f"all outputs of {self.name}")
        dynamic = [one["name"] for one in self.definition["inputs"] + self.definition["outputs"]
                   if one["dynamic"]]
        if dynamic:
            raise wrong(f"{self.name} with dynamic {', '.join(dynamic)}", "operators without")

    @property
    def not_device_code(self):
        return self.package.not_device_code

    def attempt(self, case, arrays):
        """Calls it on the arrays of a case, which hold afterwards what came out."""
        inputs, attributes = [], []
        for one in self.definition["inputs"]:
            array, number = arrays.get(one["name"]), self.number_of(case, one["name"])
            inputs.append(None if array is None else [(number, array.shape, array.tobytes())])
        for one in self.definition["attributes"]:
            value = case.values.get(one["name"])
            attributes.append(value if one["type"] != "bool" or value is None else bool(value))
        wanted = [[(self.number_of(case, one["name"]), list(case.shapes[one["name"]]))]
                  for one in self.definition["outputs"]]
        words = json.dumps(attributes), self.timeout, 1, True, case.schedule, ""
        with launching.engine_errors():
            try:
                answer = self.package.call(self.name, inputs, [], *words)
            except elsewhere.LaunchError as error:
                if NO_SHAPES not in str(error):
                    raise
                answer = self.package.call(self.name, inputs, wanted, *words)
        run, outputs, overwritten = answer
        for name, number, shape, data in outputs:
            arrays[name] = np.frombuffer(data, self.dtype_of(number)).reshape(shape).copy()
        for name in overwritten:
            arrays[name] = None
        return launching.Run(run, list(arrays))

    @staticmethod
    def number_of(case, name):
        return next((NUMBERS[one.dtype] for one in case.task.parameters if one.name == name), None)

    @staticmethod
    def dtype_of(number):
        name = operators.NAMES.get(number, "uint8")
        return np.dtype("uint16" if name == "bfloat16" else name)
