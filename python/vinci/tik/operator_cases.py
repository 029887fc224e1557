"""Test cases of operators, as the toolkit's op_test_frame collects them.

A case has the parameters of an operator's function: descriptions of its Tensors, and attributes.
The function is called, the kernel that it builds runs on numbers of the ranges that the case names,
and what it gives is compared with the case's golden function.
"""

import importlib
import inspect
import math
import re
from typing import NamedTuple

import numpy

from . import build, chip

RANGE = (0.1, 1.0)  # of numbers, where a case names none
SEED = 20
collected = []  # every OpUT, in the order in which they were made


class PrecisionStandard(NamedTuple):
    """At most `ratio` of all elements are further away than rtol times the expected size, and none
    is further away than max_atol."""

    rtol: float
    ratio: float
    max_atol: float | None = None


STANDARDS = {"float16": PrecisionStandard(1e-3, 1e-3), "float32": PrecisionStandard(1e-4, 1e-4),
             "int8": PrecisionStandard(0, 1e-3, 1), "uint8": PrecisionStandard(0, 1e-3, 1)}
EXACT = PrecisionStandard(0, 0)


class Differs(Exception):
    """The kernel ran, and its results are not the golden function's."""


class NotRun(NotImplementedError):
    """The case cannot be run here; the text says why."""


def difference(got, wanted, standard=None):
    """What is wrong with a result, in words; None if it is near enough."""
    wanted = numpy.asarray(wanted)
    if wanted.size != got.size:
        return f"{got.size} elements, and the golden function gives {wanted.size}"
    standard = standard or STANDARDS.get(str(got.dtype), EXACT)
    one, other = got.ravel().astype(numpy.float64), wanted.ravel().astype(numpy.float64)
    same = (one == other) | numpy.isnan(one) & numpy.isnan(other)
    with numpy.errstate(invalid="ignore"):
        error = numpy.where(same, 0.0, numpy.abs(one - other))
        near = numpy.isfinite(other) & (error <= standard.rtol * numpy.abs(other))
    far, largest = ~(same | near), numpy.nan_to_num(error, nan=numpy.inf).max(initial=0.0)
    if far.sum() <= standard.ratio * got.size and (
            standard.max_atol is None or largest <= standard.max_atol):
        return None
    return f"{far.sum()} of {got.size} elements differ, by {largest:g} at most"


def compare(outputs, wanted, standard=None):
    """Differs if an output is not what is wanted."""
    wanted = list(wanted) if isinstance(wanted, (list, tuple)) else [wanted]
    if len(wanted) != len(outputs):
        raise Differs(f"{len(outputs)} outputs, and the golden function gives {len(wanted)}")
    for number, (got, want) in enumerate(zip(outputs, wanted)):
        text = difference(got, want, standard)
        if text is not None:
            raise Differs(f"output {number}: {text}")


def _is_tensor(param, kind):
    return isinstance(param, dict) and param.get("param_type", "input") == kind


def _numbers(param, random):
    """The array of an input: its value, or random numbers of its range."""
    value = param.get("value")
    dtype = {"float": "float32", "double": "float64"}.get(param["dtype"], param["dtype"])
    if value is not None:
        return numpy.ascontiguousarray(value, dtype).reshape(param["shape"])
    low, high = param.get("value_range") or RANGE
    if numpy.dtype(dtype).kind == "f":
        return random.uniform(low, high, param["shape"]).astype(dtype)
    return random.integers(int(numpy.ceil(low)), int(high) + 1, param["shape"]).astype(dtype)


def _is_for(names, soc):
    """Whether a case that names these chips is for this one, which may have another name there:
    Ascend910 is Ascend910A."""
    def full(name):
        try:
            return chip.make(name).name
        except RuntimeError:
            return name

    return "all" in names or full(soc) in map(full, names)


class OpUT:
    """The cases of one operator."""

    def __init__(self, op_type, op_module_name=None, op_func_name=None):
        name = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", op_type).lower()
        self.op_type = op_type
        self.module = op_module_name or f"impl.{name}"
        self.function = op_func_name or self.module.rpartition(".")[2]
        self.cases = []  # (chips, the case or a function, whether its results count)
        self.outcomes = None  # (name, None or what went wrong, whether it was compared); not run
        collected.append(self)

    def add_case(self, support_soc=None, case=None):
        """A case that is built."""
        self.cases.append((support_soc, case, False))

    def add_precision_case(self, support_soc=None, case=None):
        """A case that is built, run and compared."""
        self.cases.append((support_soc, case, True))

    def add_cust_test_func(self, support_soc=None, test_func=None, case_name=None):
        """A function of the chip's name, which is called; what it raises went wrong."""
        name = case_name or getattr(test_func, "__name__", "test_func")
        self.cases.append((support_soc, {"case_name": name, "function": test_func}, False))

    def __getattr__(self, name):
        if not name.startswith("add_"):
            raise AttributeError(f"OpUT has no attribute {name!r}")
        raise NotRun(f"{name} of op_test_frame is not here: the cases of add_case, "
                     "add_precision_case and add_cust_test_func are run")

    def run(self, soc=None, case_name=None, *_arguments, **_named):
        """Runs the cases for a chip, or for those that they name; prints a line for each."""
        for chips in [soc] if isinstance(soc, str) or soc is None else soc:
            for name, wrong, is_compared in self.run_cases(chips, case_name):
                print(f"{self.op_type} {name}: {wrong or ('equal' if is_compared else 'built')}")

    def run_cases(self, soc=None, case_name=None):
        """The outcomes. What an operator raises is not caught, unless the case expects it."""
        self.outcomes = self.outcomes or []
        first = len(self.outcomes)
        for number, (chips, case, is_compared) in enumerate(self.cases):
            name = case.get("case_name", f"case {number}")
            named = [chips] if isinstance(chips, str) else list(chips or ["all"])
            if case_name in (None, name) and (soc is None or _is_for(named, soc)):
                wanted = soc or (None if "all" in named else named[0])
                if wanted is not None:
                    chip.use(chip.make(wanted))
                self.outcomes.append((name, self._result(name, case, is_compared), is_compared))
        return self.outcomes[first:]

    def _result(self, name, case, is_compared):
        expected = case.get("expect", "success")
        try:
            if "function" in case:
                case["function"](chip.current().name)
            else:
                self._run_case(name, case, is_compared)
        except Differs as error:
            return str(error)
        except (Exception, SystemExit) as error:
            if expected == "success":
                raise
            fits = not isinstance(expected, type) or isinstance(error, expected)
            return None if fits else f"{type(error).__name__} where {expected.__name__} is expected"
        return None if expected == "success" else f"{expected} is expected, and nothing went wrong"

    def _run_case(self, name, case, is_compared):
        function = getattr(importlib.import_module(self.module), self.function)
        params = [dict(one) if isinstance(one, dict) else one for one in case["params"]]
        random = numpy.random.default_rng(SEED)
        fed = [one for one in params if _is_tensor(one, "input")] if is_compared else []
        for one in fed:
            one["value"] = _numbers(one, random)
        more = {"kernel_name": re.sub(r"\W", "_", name),
                **(case.get("addition_params") or {})}
        known = inspect.signature(function).parameters
        made = []
        with build.watched(made.append):
            function(*params, **{key: value for key, value in more.items() if key in known})
        if is_compared:
            outputs = _run_kernel(made, [one["value"] for one in fed])
            compare(outputs, case["calc_expect_func"](*params), case.get("precision_standard"))


def _as_declared(tensor, array):
    """The frame feeds bytes: a kernel that calls them one long row has as many."""
    dims = tensor.shape
    is_known = all(isinstance(dim, int) for dim in dims)
    return array.reshape(dims) if is_known and math.prod(dims) == array.size else array


def _run_kernel(made, arrays):
    """The outputs of the kernel that an operator built last."""
    if not made:
        raise NotRun("the operator built no kernel with TIK")
    built = made[-1].built
    if len(built.inputs) != len(arrays):
        names = ", ".join(one.name for one in built.inputs)
        raise NotRun(f"the kernel has the inputs {names}, and the case has numbers for "
                     f"{len(arrays)}: tiling data is not made here")
    feeds = {one.name: _as_declared(one, array) for one, array in zip(built.inputs, arrays)}
    return made[-1].tikdb.start_debug(feeds, interactive=False)
