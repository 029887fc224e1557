"""Operators of a package (op_host and op_kernel) as functions of arrays: docs/guide/operators.md."""

import json
import math
import os
import sys

import numpy as np

from . import _engine, errors, launching

# The numbers of ge::DataType.
NUMBERS = {"float32": 0, "float16": 1, "int8": 2, "int32": 3, "uint8": 4, "int16": 6, "uint16": 7,
           "uint32": 8, "int64": 9, "uint64": 10, "float64": 11, "bool": 12, "complex64": 16,
           "complex128": 17, "bfloat16": 27}
NAMES = {number: name for name, number in NUMBERS.items()}
INT4 = 29  # no dtype of numpy


def bfloat16():
    """The type of ml_dtypes, if that is loaded already or can be; else words of 16 bits."""
    try:
        import ml_dtypes  # pylint: disable=import-outside-toplevel
        return np.dtype(ml_dtypes.bfloat16)
    except ImportError:
        return np.dtype(np.uint16)


def array_of(name, value):
    """Whatever becomes an array, contiguous."""
    array = np.asarray(value)
    if array.dtype.name not in NUMBERS or not array.dtype.isnative:
        raise errors.UsageError(f"input {name}: dtype {array.dtype}; legal: {', '.join(NUMBERS)}")
    return array if array.flags.c_contiguous else np.ascontiguousarray(array)


class Int4:
    """Elements of int4, two to a byte."""

    def __init__(self, values):
        values = np.asarray(values)
        self.shape, flat = values.shape, values.reshape(-1)
        if values.dtype.name != "int4":  # of ml_dtypes
            if values.dtype.kind not in "iu":
                raise errors.UsageError(f"int4 of dtype {values.dtype}; legal: integers")
            wrong = flat[(flat < -8) | (flat > 7)]
            if wrong.size:
                raise errors.UsageError(f"int4: {wrong[0]}; legal: -8..7")
        nibbles = np.zeros(flat.size + flat.size % 2, np.uint8)
        nibbles[:flat.size] = flat.astype(np.int8).view(np.uint8) & 15
        self.data = nibbles[::2] | nibbles[1::2] << 4

    @staticmethod
    def values(data, shape):
        """The elements of bytes of two, as int8."""
        low = np.frombuffer(data, np.int8)
        both = np.stack([low << 4 >> 4, low >> 4], -1)
        return both.reshape(-1)[:int(np.prod(shape))].reshape(shape)


def int4(values):
    """Elements of int4, -8..7, as an input of an operator: from an array of any integers, one each.

    Raises UsageError if one is out of range.
    """
    return Int4(values)


class Stored:
    """What lies in a format of its own, and what it was before."""

    def __init__(self, value, layout):
        self.value, self.layout = value, layout


def stored(value, format, shape=(), origin_format=""):  # pylint: disable=redefined-builtin
    """An array, or the description of an output, that lies in memory in a format of its own.

    The value has the shape that it has in memory, in `format`, say "FRACTAL_NZ"; `shape` is the one
    that it had before, in `origin_format`: without that, ND before FRACTAL_NZ, NCHW before NC1HWC0.
    """
    return Stored(value, (format, origin_format or "", tuple(int(each) for each in shape)))


def tensor_of(parameter, value):
    """One tensor as the engine takes it: the number of its type, its shape, its bytes; its layout, if said."""
    if isinstance(value, Stored):
        return *tensor_of(parameter, value.value), value.layout
    if not isinstance(value, Int4):
        known = parameter["dtypes"]
        dtype = np.asarray(value).dtype.name
        if dtype == "int4" or dtype == "int8" and INT4 in known and NUMBERS["int8"] not in known:
            value = Int4(value)
    if isinstance(value, Int4):
        return INT4, value.shape, value.data
    array = array_of(parameter["name"], value)
    return NUMBERS[array.dtype.name], array.shape, array.reshape(-1).view(np.uint8)


def given(parameter, value):
    """An input as the engine takes it: None, or a list of type, shape, bytes, perhaps layout."""
    if value is None:
        return None
    many = parameter["dynamic"]
    if many and not isinstance(value, (list, tuple)):
        raise errors.UsageError(f"input {parameter['name']} is dynamic; legal: a list of arrays")
    return [tensor_of(parameter, each) for each in (value if many else [value])]


def plain(name, value):
    """An attribute as JSON has it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(name, each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # as the engine has what JSON has no number for: "inf", "-inf", "nan"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise errors.UsageError(f"attribute {name}: {value!r}; legal: bool, int, float, str, lists")


class Operator:
    """One operator: `op.AddCustom(x, y, axis=-1)` gives its output, or a tuple of several.

    Inputs come in the definition's order or by name, None for an optional one that is absent, a list
    of arrays for a dynamic one; attributes by name. `out` says types and shapes of the outputs where
    the package infers none: an array like it, or (dtype, shape), or a list or dict of them.
    schedule, auto_sync and check count for this call, where they are said.
    """

    def __init__(self, package, name, definition):
        self._package, self._definition = package, definition
        self.__name__ = self.name = name
        self.tiling = None  # of the last call: key, blocks, data, workspaces

    def __repr__(self):
        inputs = ", ".join(each["name"] for each in self._definition["inputs"])
        attributes = "".join(f", {each['name']}={each['default']!r}"
                             for each in self._definition["attributes"])
        return f"<vinci operator {self.name}({inputs}{attributes}) on {self._package.soc}>"

    def _bound(self, positional, named):
        inputs = self._definition["inputs"]
        names = [each["name"] for each in inputs]
        if len(positional) > len(names):
            raise errors.UsageError(f"{self.name} has {len(names)} inputs ({', '.join(names)}), "
                                    f"not {len(positional)}; attributes are given by name")
        values = dict(zip(names, positional))
        attributes = {}
        known = {each["name"] for each in self._definition["attributes"]}
        for name, value in named.items():
            if name in known:
                attributes[name] = value
            elif name in names and name not in values:
                values[name] = value
            else:
                raise errors.UsageError(f"{self.name} has no {name}; legal: "
                                        f"{', '.join([*names, *sorted(known)])}")
        for each in inputs:
            if each["required"] and values.get(each["name"]) is None:
                raise errors.UsageError(f"{self.name}: the input {each['name']} is missing")
        return ([given(each, values.get(each["name"])) for each in inputs],
                [plain(each["name"], attributes.get(each["name"]))
                 for each in self._definition["attributes"]])

    def _known(self, out):
        if out is None:
            return []
        names = [each["name"] for each in self._definition["outputs"]]
        if isinstance(out, dict):
            out = [out.get(name) for name in names]
        elif not isinstance(out, list):
            out = [out]
        return [None if each is None else [described(one) for one in
                                           (each if isinstance(each, list) else [each])]
                for each in out]

    def __call__(self, *inputs, out=None, schedule=None, auto_sync=None, check=None, **named):
        arrays, attributes = self._bound(inputs, named)
        order = launching.order_words(schedule or self._package.order[0],
                                      self._package.order[1] if auto_sync is None else auto_sync)
        if sys.stdout is not None:
            sys.stdout.flush()  # what host code and kernel print comes later
        with launching.engine_errors():
            run, outputs, answer, _ = self._package.engine.call(
                self.name, arrays, self._known(out), json.dumps(attributes),
                *self._package.options, *order, launching.check_words(check or ""))
        self.tiling = (json.loads(answer) or {}).get("tiled")
        launching.LAST.run = launching.Run(run, [name for name, *_ in outputs])
        launching.LAST.run.tell()
        return self._result(outputs)

    def _result(self, outputs):
        results = []
        for each in self._definition["outputs"]:
            arrays = [values(dtype, shape, data) for name, dtype, shape, data in outputs
                      if name == each["name"]]
            results.append(arrays if each["dynamic"] else arrays[0] if arrays else None)
        return results[0] if len(results) == 1 else tuple(results)


def described(one):
    """The type and shape that an output shall have; its layout, if said."""
    if isinstance(one, Stored):
        return *described(one.value), one.layout
    dtype, shape = one if isinstance(one, tuple) else (one.dtype, one.shape)
    name = dtype if isinstance(dtype, str) else np.dtype(dtype).name
    numbers = {**NUMBERS, "int4": INT4}
    if name not in numbers:
        raise errors.UsageError(f"out: dtype {name}; legal: {', '.join(numbers)}")
    return numbers[name], list(shape)


def values(dtype, shape, data):
    """An output's bytes as an array; int4 as int8."""
    if dtype == INT4:
        return Int4.values(data, shape)
    kind = bfloat16() if NAMES.get(dtype) == "bfloat16" else np.dtype(NAMES.get(dtype, "uint8"))
    return np.frombuffer(data, np.uint8).view(kind).reshape(shape)


class Package:
    """The operators of a package, as attributes of their names."""

    def __init__(self, engine, options, order):
        self.engine, self.options, self.order = engine, options, order
        self.soc = engine.soc
        self.operators = {name: Operator(self, name, definition)
                          for name, definition in json.loads(engine.operators()).items()}

    def __getattr__(self, name):
        if name in self.__dict__.get("operators", {}):
            return self.operators[name]
        if "engine" not in self.__dict__:
            raise AttributeError(name)
        words = f"the package has no operator {name} for {self.soc}"
        if self.operators:
            words += f"; there are: {', '.join(self.operators)}"
        elsewhere = self.engine.elsewhere()
        if elsewhere:
            words += f"; on other chips: {elsewhere}"
        raise AttributeError(words)

    def __dir__(self):
        return [*super().__dir__(), *self.operators]

    def __repr__(self):
        return f"<vinci package of {', '.join(self.operators)} on {self.soc}>"


def op(*paths, soc=_engine.DEFAULT_SOC, options=(), check="full", timeout=0, threads=0,
       isolated=True, cache=True, schedule=None, auto_sync=None, sandbox=0):
    """Compiles the host code of an operator package and gives its operators.

    paths: the package's folder, or its sources. The rest is as in vinci.kernel; options are for host
    code and kernels. A kernel is compiled when a call first wants it.
    """
    if isinstance(options, (str, bytes)):
        raise errors.UsageError(f"options {options!r}; legal: a list of words")
    words = launching.check_words(check)
    launching.order_words(schedule, auto_sync)
    launching.number_within("timeout", timeout, 0, sys.maxsize, float)
    launching.number_within("threads", threads, 0, launching.MOST_THREADS)
    launching.check_sandbox(sandbox, isolated)
    with launching.engine_errors():
        engine = _engine.Package([os.fspath(path) for path in paths], soc, list(options),
                                 bool(cache), words, sandbox)
    return Package(engine, (timeout, threads, bool(isolated)), (schedule, auto_sync))
