"""Calls of operators from Python, made by the command as well: the same bytes."""

import collections
import itertools
import json
import pathlib

import numpy as np

import harness

import vinci
from vinci import operators

EACH = 5  # calls of an operator that are repeated
NAMES = {"float16": "half", "float32": "float"}


def words_of_attribute(name, value):
    """--attr as people write it."""
    if isinstance(value, list) and any(isinstance(each, float) for each in value):
        value = ",".join(map(str, value))  # JSON has no nan
    elif isinstance(value, float):
        value = str(value)
    return ["--attr", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]


class ByCommand:
    """Stands before vinci.op and the operators' calls."""

    def __init__(self, folder):
        self.folder, self.numbers, self.calls = pathlib.Path(folder), itertools.count(), \
            collections.Counter()
        self.op, self.call = vinci.op, operators.Operator.__call__

    def file(self, array=None):
        """A new file, with an array."""
        path = self.folder / f"{next(self.numbers)}.npy"
        if array is not None:
            np.save(path, array)
        return path

    def make(self, *paths, soc=None, **more):
        """vinci.op; what is said besides the chip is not for the command."""
        package = self.op(*paths, **({"soc": soc} if soc else {}), **more)
        package.by_command = None if more else [*map(str, paths), "--soc", package.soc]
        return package

    def words_of_inputs(self, operator, positional, named):
        """--in of each array."""
        inputs = operator._definition["inputs"]  # pylint: disable=protected-access
        values = dict(zip([each["name"] for each in inputs], positional)) | named
        for each in inputs:
            value = values.get(each["name"])
            arrays = [] if value is None else value if each["dynamic"] else [value]
            for array in map(np.asarray, arrays):
                words = array.view(np.uint16) if array.dtype.name == "bfloat16" else array
                yield from ["--in", f"{each['name']}={self.file(words)}"]

    def run(self, operator, positional, named, result):
        """The command, and whether its outputs are the same."""
        definition = operator._definition  # pylint: disable=protected-access
        out = named.pop("out", None)
        words = [*operator._package.by_command,  # pylint: disable=protected-access
                 "--op", operator.name, "--quiet",
                 *self.words_of_inputs(operator, positional, named)]
        for each in definition["attributes"]:
            if each["name"] in named:
                words += words_of_attribute(each["name"], named[each["name"]])
        files = []
        results = [result] if len(definition["outputs"]) == 1 else result
        for each, arrays in zip(definition["outputs"], results):
            for array in arrays if each["dynamic"] else [arrays]:
                said = "" if out is None else (f":{NAMES.get(array.dtype.name, array.dtype.name)}:"
                                               + "x".join(map(str, array.shape)))
                files.append((self.file(), array))
                words += ["--out", f"{each['name']}={files[-1][0]}{said}"]
        run = harness.vinci("op", *words)
        assert run.code == 0, run.stderr
        for path, array in files:
            got = np.load(path)
            assert got.shape == array.shape and got.tobytes() == array.tobytes(), (words, path)

    def __call__(self, operator, *positional, **named):
        result = self.call(operator, *positional, **named)
        known = operator._package.by_command is not None  # pylint: disable=protected-access
        plain = not set(named) & {"schedule", "auto_sync"}
        if known and plain and self.calls[operator.name] < EACH:
            self.calls[operator.name] += 1
            tiling = operator.tiling
            self.run(operator, positional, dict(named), result)
            operator.tiling = tiling
        return result
