"""The library's functions that work element by element, against the formulas of the documents.

Formulas of vector instructions are computed step by step in the type, bit for bit; the others in
double, and may be off by one unit in the last place of their type.
"""

import math
import pathlib

import numpy as np
import pytest

import harness
from harness import Out, Value

FILE = pathlib.Path(__file__).resolve().parent / "kernels" / "elementwise.cpp"
SIZE = 192
KINDS = {np.float16: "half", np.float32: "float"}
NAMES = """Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Digamma Erf Erfc Floor Frac Lgamma Log
Log10 Log2 Round Sigmoid Sign Sin Sinh Tan Tanh Trunc Fmod GeGLU Power ReGlu PowerOf3 TwoToPower
SwiGLU ClampMax ClampMin Silu Swish Gelu GeluPrecise GeluFast FasterGelu FasterGeluV2 Exp
Axpy""".split()
TWO = {"Fmod", "GeGLU", "Power", "ReGlu", "SwiGLU"}
IN_PLACE = {"Axpy"}
ALL_FORMS = NAMES[:NAMES.index("ClampMax")]


def rounded(x, dtype, saturates):
    """Of a type; halves that saturate have no infinities and no NaN."""
    x = np.asarray(x, np.float64).astype(dtype)
    if saturates and dtype == np.float16:
        x = np.nan_to_num(x, nan=0, posinf=65504, neginf=-65504)
    return x


class Steps:
    """Numbers of a type; each operation rounds to it, as a vector instruction does."""

    saturates = False

    def __init__(self, x, dtype):
        self.x, self.dtype = rounded(x, dtype, self.saturates), dtype

    def step(self, exact):
        return Steps(exact, self.dtype)

    def wide(self, other):
        return (other.x if isinstance(other, Steps) else self.dtype(other)).astype(np.float64)

    def __add__(self, other):
        return self.step(self.wide(self) + self.wide(other))

    def __sub__(self, other):
        return self.step(self.wide(self) - self.wide(other))

    def __mul__(self, other):
        return self.step(self.wide(self) * self.wide(other))

    def __truediv__(self, other):
        return self.step(self.wide(self) / self.wide(other))

    def exp(self):
        return self.step(np.exp(self.wide(self)))

    def ln(self):
        return self.step(np.log(self.wide(self)))

    def abs(self):
        return self.step(np.abs(self.wide(self)))

    def min(self, other):
        return self.step(np.minimum(self.wide(self), other))

    def max(self, other):
        return self.step(np.maximum(self.wide(self), other))


def gelu(x, fast=False):
    y = (x + x * x * x * 0.044715) * 1.5957691216
    low = (y.abs() * -1).exp() + 1
    q = x * (low.step(1) / low) if fast else x / low
    return q * y.min(0).exp()


def faster_gelu_v2(x):
    near = x + 1e-12
    clipped = (x * 0.7071).abs().min(float(x.dtype(1.769))) - 1.769
    return x * (near / near.abs() * (clipped * clipped * -0.1444 + 0.5) + 0.5)


def power(a, b):
    size = (b * a.abs().ln()).exp()
    with np.errstate(invalid="ignore"):
        odd = np.fmod(b.x, 2) != 0
        whole = b.x == np.rint(b.x)
    result = np.where((a.x < 0) & whole & odd, -size.x, size.x)
    result = np.where((a.x < 0) & ~whole & (a.x != -np.inf), np.nan, result)
    result = np.where((b.x == 0) | (a.x == 1) | ((a.x == -1) & np.isinf(b.x)), 1, result)
    return Steps(result, a.dtype)


def tanh(x):
    e = (x.min(float(np.float32(8.8))).max(float(np.float32(-8.8))) * 2).exp()
    return (e - 1) / (e + 1)


# In the type of the elements, and in float, with one more rounding for halves.
IN_TYPE = {
    "Log": lambda a, b: a.ln(),
    "Log10": lambda a, b: a.ln() * 0.4342944819,
    "Sigmoid": lambda a, b: a.step(1) / ((a * -1).exp() + 1),
    "Silu": lambda a, b: a / ((a * -1).exp() + 1),
    "Swish": lambda a, b: a / ((a * -1.5).exp() + 1),
    "Gelu": lambda a, b: gelu(a),
    "GeluFast": lambda a, b: gelu(a, True),
    "FasterGelu": lambda a, b: a / ((a * -1.702).exp() + 1),
    "FasterGeluV2": lambda a, b: faster_gelu_v2(a),
    "ClampMax": lambda a, b: a.min(0.5),
    "ClampMin": lambda a, b: a.max(0.5),
    "Axpy": lambda a, b: a * 1.5 + b,
}
IN_FLOAT = {
    "Log2": lambda a, b: a.ln() * 1.442695041,
    "Tanh": lambda a, b: tanh(a),
    "GeluPrecise": lambda a, b: gelu(a),
    "GeGLU": lambda a, b: b / (((b * b + 22.36386) * b * -0.0713548163).exp() + 1) * a,
    "ReGlu": lambda a, b: a * b.max(0),
    "SwiGLU": lambda a, b: a * (b / ((b * -0.5).exp() + 1)),
    "Power": power,
    "PowerOf3": lambda a, b: power(a, a.step(np.full(a.x.shape, 3.0))),
    "TwoToPower": lambda a, b: power(b.step(np.full(b.x.shape, 2.0)), b),
    "Fmod": lambda a, b: a - Steps(np.trunc((a / b).x), np.float32) * b,
}


def digamma(x):
    if x <= 0 and x == math.floor(x):
        return math.nan
    if x < 0:
        return digamma(1 - x) - math.pi / math.tan(math.pi * (x - math.floor(x)))
    below = 0.0
    while x < 30:
        below, x = below + 1 / x, x + 1
    r = 1 / (x * x)
    return math.log(x) - 0.5 / x - r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r / 240))) - below


def clipped(f, limit):
    return lambda x: f(min(max(x, -limit), limit))


CLIP_ERF = float(np.float32(3.92))
EXACT = {
    "Acos": math.acos, "Acosh": math.acosh, "Asin": math.asin, "Asinh": math.asinh,
    "Atan": math.atan, "Atanh": math.atanh, "Ceil": np.ceil, "Cos": math.cos, "Cosh": math.cosh,
    "Digamma": digamma, "Erf": clipped(math.erf, CLIP_ERF), "Erfc": clipped(math.erfc, 10.0),
    "Floor": np.floor, "Frac": lambda x: x - np.trunc(x), "Lgamma": math.lgamma, "Round": np.rint,
    "Sign": lambda x: 0.0 if math.isnan(x) else np.sign(x), "Sin": math.sin, "Sinh": math.sinh, "Tan": math.tan, "Trunc": np.trunc,
    "Exp": math.exp,
}


def exact(name, x):
    def one(value):
        try:
            return float(EXACT[name](float(value)))
        except ValueError:
            return math.inf if name == "Lgamma" else math.nan
        except OverflowError:
            return math.inf
    return np.array([one(value) for value in x])


def wanted(name, a, b, dtype):
    with np.errstate(all="ignore"):
        if name in EXACT:
            result = exact(name, a).astype(np.float32)
            return rounded(result, dtype, Steps.saturates)
        table, kind = (IN_TYPE, dtype) if name in IN_TYPE else (IN_FLOAT, np.float32)
        return rounded(table[name](Steps(a, kind), Steps(b, kind)).x, dtype, Steps.saturates)


def inputs(name, dtype, rng):
    if name in ("Asin", "Acos", "Atanh"):
        a = rng.uniform(-0.99, 0.99, SIZE)
    elif name == "Acosh":
        a = rng.uniform(1, 300, SIZE)
    elif name.startswith("Log"):
        a = np.exp(rng.uniform(-8, 8, SIZE))
    elif name in ("Digamma", "Lgamma"):
        a = np.concatenate([rng.uniform(0.1, 20, SIZE // 2), rng.uniform(-8, 0, SIZE // 2)])
    elif name in ("Power", "PowerOf3"):
        a = rng.choice([-2, -1.5, -1, 0.5, 1, 1.75, 3, 2.5], SIZE)
    else:
        a = np.concatenate([rng.normal(0, 3, SIZE - 8), [0, 0.5, -0.5, 1.5, 2.5, -7, 10, 1]])
    if name == "Sign":
        a[:5] = [-np.inf, -0.0, np.nan, -np.nan, np.inf]
    b = rng.choice([-3, -2, -0.5, 0.25, 1, 2, 2.5, 3], SIZE)
    return a.astype(dtype), b.astype(dtype)


def ulps(got, expected):
    kind = np.int16 if got.dtype == np.float16 else np.int32
    sign = np.int64(1) << (8 * got.itemsize - 1)
    def order(x):
        bits = x.view(kind).astype(np.int64)
        return np.where(bits < 0, -sign - bits, bits)
    return np.where(np.isnan(got) & np.isnan(expected), 0, np.abs(order(got) - order(expected)))


def check(name, dtype, soc, form, count, scratch=8192):
    rng = np.random.default_rng([NAMES.index(name), count])
    a, b = inputs(name, dtype, rng)
    before = rng.normal(0, 1, SIZE).astype(dtype)
    source = before if name in IN_PLACE else b
    kernel = "halves" if dtype == np.float16 else "floats"
    run = harness.run_kernel(FILE, a, b, before, Out(KINDS[dtype], SIZE), Value("uint32", SIZE),
                             Value("uint32", NAMES.index(name)), Value("uint32", form),
                             Value("uint32", count), Value("uint32", scratch), soc=soc,
                             kernel=kernel)
    harness.check_clean(run)
    got = run.outputs[0]
    n = SIZE if form >= 2 else count
    Steps.saturates = soc == "Ascend310P3"
    expected = wanted(name, a[:n], source[:n], dtype)
    off = ulps(got[:n], expected)
    worst = off.argmax()
    allowed = 0 if name in IN_TYPE or name in IN_FLOAT or name == "Exp" else 1
    assert off[worst] <= allowed, (name, a[worst], source[worst], got[worst], expected[worst])
    assert (got[n:].view(np.uint8) == before[n:].view(np.uint8)).all()


QUICK = ["Sigmoid", "Tanh", "Power", "SwiGLU", "Lgamma", "Gelu", "Axpy"]


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_some_functions(name, dtype):
    check(name, dtype, "Ascend910B1", 0, 131)


@pytest.mark.whole
@pytest.mark.parametrize("soc", ["Ascend910B1", "Ascend310P3"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("name", NAMES)
def test_each_function(name, dtype, soc):
    for form, count in [(0, 100), (1, 64), (2, 0), (3, 0)]:
        if form < 2 or name in ALL_FORMS:
            check(name, dtype, soc, form, count)


def power_of_integers(a, b):
    result = pow(int(a), abs(int(b)), 1 << 32) if b >= 0 else 0
    if b < 0:
        size = pow(int(a), abs(int(b)), 1 << 32)
        result = {1: 1, (1 << 32) - 1: -1}.get(size, 0)
    return np.uint32(result & 0xFFFFFFFF).view(np.int32)


@pytest.mark.parametrize("soc, raised", [("Ascend910B1", True), ("Ascend310P3", False),
                                         ("Ascend310B1", False)])
def test_integers_are_raised_modulo_their_width_and_xored(soc, raised):
    rng = np.random.default_rng(4)
    a = rng.choice([-3, -1, 0, 1, 2, 7, 46341], 64).astype(np.int32)
    b = rng.choice([-2, -1, 0, 1, 2, 5, 31], 64).astype(np.int32)
    run = harness.run_kernel(FILE, a, b, Out("int32", 64) if raised else a, Out("int32", 64),
                             Value("uint32", int(raised)), soc=soc, kernel="integers")
    harness.check_clean(run)
    if raised:
        assert run.outputs[0].tolist() == [int(power_of_integers(x, y)) for x, y in zip(a, b)]
    assert (run.outputs[-1] == a ^ b).all()


def launch(soc, scratch, name="Sigmoid", form=0, count=64):
    x = np.ones(SIZE, np.float32)
    return harness.run_kernel(FILE, x, x, x, Out("float", SIZE), Value("uint32", SIZE),
                              Value("uint32", NAMES.index(name)), Value("uint32", form),
                              Value("uint32", count), Value("uint32", scratch), soc=soc,
                              kernel="floats")


def test_too_little_scratch_memory_is_refused():
    run = launch("Ascend910B1", 224)
    assert run.codes == ["V1001"]
    assert "Sigmoid: sharedTmpBuffer has 224 bytes" in run.faults[0]["message"]
    assert "256 bytes or more" in run.faults[0]["legal"]


def test_more_elements_than_the_tensor_has():
    assert "V1001" in launch("Ascend910B1", 256, form=1, count=SIZE + 1).codes


@pytest.mark.parametrize("soc, name, codes", [("Ascend910A", "Sigmoid", []),
                                              ("Ascend910A", "Tanh", ["V6001"]),
                                              ("Ascend310B1", "Floor", []),
                                              ("Ascend310B1", "Sigmoid", ["V6001"])])
def test_chips(soc, name, codes):
    assert launch(soc, 4096, name).codes == codes
