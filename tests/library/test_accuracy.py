"""How far the library's functions are from the exact value: the table of docs/guide/accuracy.md.

The exact value is the mathematical function's, in double, and not what the chip's steps make of it.
"""

import functools
import math
import pathlib
import re

import numpy as np
import pytest

import harness
from harness import Out, Value
from test_elementwise_library import FILE, IN_PLACE, KINDS, NAMES, digamma

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide" / "accuracy.md"
SIZE = 8192  # of a launch
FLOATS = 1 << 16


def gelu(x):
    return x / (1 + np.exp(-1.5957691216 * (x + 0.044715 * x ** 3)))


def swish(x, beta=1.0):
    return x / (1 + np.exp(-beta * x))


def faster_gelu_v2(x):
    near = np.minimum(0.7071 * np.abs(x), 1.769) - 1.769
    return x * (np.sign(x) * (-0.1444 * near ** 2 + 0.5) + 0.5)


def of_one(function):
    """A function of math for arrays; NaN where it has no value."""
    def value(x):
        try:
            return function(x)
        except (ValueError, OverflowError):
            return math.nan
    return lambda a, b: np.array([value(float(x)) for x in a])


EXACT = {
    "Acos": lambda a, b: np.arccos(a), "Acosh": lambda a, b: np.arccosh(a),
    "Asin": lambda a, b: np.arcsin(a), "Asinh": lambda a, b: np.arcsinh(a),
    "Atan": lambda a, b: np.arctan(a), "Atanh": lambda a, b: np.arctanh(a),
    "Axpy": lambda a, b: a * 1.5 + b,
    "Cos": lambda a, b: np.cos(a), "Cosh": lambda a, b: np.cosh(a),
    "Digamma": of_one(digamma), "Erf": of_one(math.erf), "Erfc": of_one(math.erfc),
    "Exp": lambda a, b: np.exp(a),
    "FasterGelu": lambda a, b: swish(a, 1.702), "FasterGeluV2": lambda a, b: faster_gelu_v2(a),
    "Fmod": lambda a, b: np.fmod(a, b), "GeGLU": lambda a, b: a * gelu(b),
    "Gelu": lambda a, b: gelu(a), "GeluFast": lambda a, b: gelu(a),
    "GeluPrecise": lambda a, b: gelu(a),
    "Lgamma": of_one(math.lgamma),
    "Log": lambda a, b: np.log(a), "Log2": lambda a, b: np.log2(a),
    "Log10": lambda a, b: np.log10(a),
    "Power": lambda a, b: np.power(a, b),
    "Sigmoid": lambda a, b: 1 / (1 + np.exp(-a)), "Silu": lambda a, b: swish(a),
    "Sin": lambda a, b: np.sin(a), "Sinh": lambda a, b: np.sinh(a),
    "SwiGLU": lambda a, b: a * swish(b, 0.5), "Swish": lambda a, b: swish(a, 1.5),
    "Tan": lambda a, b: np.tan(a), "Tanh": lambda a, b: np.tanh(a),
}
# Outside of them the documents promise nothing, or a result is 0 or no number.
RANGES = {"Cos": 65504, "Sin": 65504, "Tan": 65504, "Erf": 4, "Erfc": 9, "Cosh": 80, "Sinh": 80,
          "Digamma": 10000, "Lgamma": 10000, "Gelu": 5, "GeluFast": 5, "GeluPrecise": 5, "Fmod": 100}
DEFAULT_RANGE = 20
HOLES = {"FasterGeluV2": 0}  # in half 1e-12 is 0, and 0 / 0 no number


def numbers(name, dtype):
    """All halves within the function's range, or as many floats of all sizes; and second ones."""
    rng = np.random.default_rng(NAMES.index(name))
    most = RANGES.get(name, DEFAULT_RANGE)
    if dtype == np.float16:
        a = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
        a = a[np.isfinite(a) & (np.abs(a) <= np.float16(min(most, 65504)))]
    else:
        size = np.exp2(rng.uniform(-12, math.log2(most), FLOATS // 2))
        a = np.concatenate([size * rng.choice([-1, 1], size.size),
                            rng.uniform(-min(most, 8), min(most, 8), FLOATS // 2)])
    a = np.resize(a.astype(dtype), -(-a.size // SIZE) * SIZE)
    b = rng.choice([-3, -2, -0.5, 0.25, 1, 2, 2.5, 3], a.size).astype(dtype)
    return a, b


def computed(name, dtype, a, b):
    """What vinci makes of them, launch by launch."""
    results = []
    for at in range(0, a.size, SIZE):
        x, y = a[at:at + SIZE], b[at:at + SIZE]
        run = harness.run_kernel(
            FILE, x, y, y if name in IN_PLACE else np.zeros(SIZE, dtype), Out(KINDS[dtype], SIZE),
            Value("uint32", SIZE), Value("uint32", NAMES.index(name)), Value("uint32", 0),
            Value("uint32", SIZE), Value("uint32", 65536), soc="Ascend910B1",
            kernel="halves" if dtype == np.float16 else "floats", check="basic")
        harness.check_clean(run)
        results.append(run.outputs[0])
    return np.concatenate(results)


def worst(name, dtype):
    """The largest distance from the exact value in units of its last place, and where."""
    a, b = numbers(name, dtype)
    with np.errstate(all="ignore"):
        exact = EXACT[name](a.astype(np.float64), b.astype(np.float64))
        kept = np.isfinite(exact) & (np.abs(exact) <= np.finfo(dtype).max) & (a != HOLES.get(name))
        unit = np.spacing(np.abs(exact[kept]).astype(dtype)).astype(np.float64)
        got = computed(name, dtype, a, b)[kept].astype(np.float64)
        off = np.abs(got - exact[kept]) / unit
    assert not np.isnan(off).any(), f"{name}: no number at {a[kept][np.isnan(off)][0]}"
    at = int(off.argmax())
    return float(off[at]), float(a[kept][at])


@functools.cache
def table():
    """name -> (units of a half, of a float), as the page has them."""
    rows = re.findall(r"^\| (\w+) \| [^|]+ \| ([\d.e+]+)[^|]* \| ([\d.e+]+)[^|]* \|$",
                      PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: (float(half), float(single)) for name, half, single in rows}


def check(name, dtype):
    said = table()[name][dtype == np.float32]
    units, where = worst(name, dtype)
    assert abs(units - said) <= max(0.011, 0.01 * said), f"{name}: {units:.4g} at {where:.6g}"


def test_each_function_has_its_row():
    assert set(table()) == set(EXACT)
    # Those that are computed in double and rounded once; of the others the chip's steps decide.
    once = {name for name in EXACT if name in re.findall(
        r"^\| (\w+) \| rounded once", PAGE.read_text(encoding="utf-8"), re.MULTILINE)}
    assert len(once) > 15 and all(max(table()[name]) <= 1 for name in once)


@pytest.mark.parametrize("name", ["Erf", "Sigmoid", "Tanh"])
def test_some_rows(name):
    check(name, np.float16)


@pytest.mark.whole
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("name", EXACT)
def test_each_row(name, dtype):
    check(name, dtype)
