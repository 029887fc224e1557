"""Expressions: types, folding, the forms in the statement file, what is refused."""

import json
import math
import random

import numpy
import pytest
import vinci.tik as tik
from language import UB, body, on, refused
from vinci.tik.expr import as_expr, constant_of, is_integer, json_of

# The type in which Scalars of two types meet.
MEET = {
    ("int8", "int8"): "int8", ("int8", "uint8"): "uint8", ("int8", "int16"): "int16",
    ("uint8", "int16"): "int16", ("int16", "uint16"): "uint16", ("int16", "int32"): "int32",
    ("uint16", "int32"): "int32", ("int32", "uint32"): "uint32", ("int32", "int64"): "int64",
    ("uint32", "int64"): "int64", ("int64", "uint64"): "uint64", ("uint8", "uint64"): "uint64",
    ("float16", "float16"): "float16", ("float16", "float32"): "float32",
    ("int32", "float32"): "float32", ("int8", "float16"): "float32",
    ("uint64", "float16"): "float32", ("int64", "float32"): "float32",
}

# A plain number beside a Scalar.
LITERALS = [
    ("int32", 5, "int32"), ("int64", 5, "int64"), ("uint8", 5, "uint8"), ("uint8", 255, "uint8"),
    ("uint8", 256, "int32"), ("uint8", -1, "int32"), ("uint32", -1, "uint32"),
    ("int32", 2**31, "int64"), ("int32", 2**63, "uint64"), ("float16", 5, "float16"),
    ("float32", 5, "float32"), ("int32", 0.5, "float32"), ("int32", 2.0, "int32"),
    ("uint8", 300.0, "float32"), ("float16", 0.5, "float16"), ("float32", 0.5, "float32"),
    ("int32", True, "int32"), ("int32", numpy.int64(7), "int32"),
    ("float16", numpy.float32(0.5), "float16"),
]


@pytest.fixture
def scalar():
    instance = tik.Tik()
    return lambda dtype, name="s": instance.Scalar(dtype, name)


@pytest.mark.parametrize("pair", MEET)
def test_types_meet(scalar, pair):
    a, b = scalar(pair[0]), scalar(pair[1])
    for left, right in ((a, b), (b, a)):
        expr = left + right
        assert expr.dtype == MEET[pair]
        assert expr.to_json() == ["+", MEET[pair], left.as_expr().to_json(),
                                  right.as_expr().to_json()]


@pytest.mark.parametrize("dtype, literal, wanted", LITERALS)
def test_a_plain_number_beside_a_scalar(scalar, dtype, literal, wanted):
    s = scalar(dtype)
    assert (s * literal).dtype == wanted
    assert (literal * s).dtype == wanted
    compared = (s < literal) if wanted != "float16" else None
    if compared is not None:
        assert compared.dtype == "bool" and compared.to_json()[1] == wanted


def test_forms(scalar):
    s, t = scalar("int32"), scalar("float32")
    r, q = s.as_expr().to_json(), t.as_expr().to_json()
    forms = [
        (s + 1, ["+", "int32", r, 1]), (1 - s, ["-", "int32", 1, r]), (s * 3, ["*", "int32", r, 3]),
        (s / 2, ["/", "int32", r, 2]), (s // 2, ["/", "int32", r, 2]),
        (7 // s, ["/", "int32", 7, r]), (s % 5, ["%", "int32", r, 5]),
        (9 % s, ["%", "int32", 9, r]), (s & 1, ["&", "int32", r, 1]), (s | 1, ["|", "int32", r, 1]),
        (s ^ 1, ["^", "int32", r, 1]), (s << 2, ["<<", "int32", r, 2]),
        (s >> 2, [">>", "int32", r, 2]), (-s, ["neg", "int32", r]), (~s, ["~", "int32", r]),
        (1.0 / t, ["/", "float32", ["float32", 1.0], q]), (s == 3, ["==", "int32", r, 3]),
        (3 < s, [">", "int32", r, 3]), (s != 3, ["!=", "int32", r, 3]),
        (s >= t, [">=", "float32", r, q]), (s <= 3, ["<=", "int32", r, 3]),
        (s + 0, r), (0 + s, r), (s * 1, r), (s - 0, r), (s // 1, r), (+s, r),
    ]
    for expr, wanted in forms:
        assert expr.to_json() == wanted
        assert json.loads(json.dumps(expr.to_json())) == wanted


def test_a_scalar_is_read_when_the_statement_runs():
    instance = tik.Tik()
    ub = instance.Tensor("int32", (8,), UB, "ub")
    s = instance.Scalar("int32", "s")
    e = s + 1
    s.set_as(5)
    ub[0].set_as(e)
    assert body(instance) == [
        {"do": "set", "scalar": 0, "value": 5},
        {"do": "store", "to": [0, 0, "int32"], "value": ["+", "int32", ["scalar", 0], 1]},
    ]


FOLDED = [
    (lambda: as_expr(7) / 2, "int32", 3), (lambda: as_expr(-7) / 2, "int32", -3),
    (lambda: as_expr(7) // -2, "int32", -3), (lambda: as_expr(-7) // -2, "int32", 3),
    (lambda: as_expr(-7) % 3, "int32", -1), (lambda: as_expr(7) % -3, "int32", 1),
    (lambda: as_expr(-7) >> 1, "int32", -4), (lambda: as_expr(2**31 - 1) + 1, "int32", -(2**31)),
    (lambda: as_expr(2**31) + 1, "int64", 2**31 + 1), (lambda: as_expr(1) << 31, "int32", -(2**31)),
    (lambda: as_expr(7) / 2.0, "float32", 3.5), (lambda: as_expr(2**63) * 2, "uint64", 0),
    (lambda: as_expr(0.1) + 0.2, "float32",
     float(numpy.float32(0.1) + numpy.float32(0.2))),
    (lambda: -as_expr(5), "int32", -5), (lambda: ~as_expr(5), "int32", -6),
    (lambda: as_expr(5) > 3, "bool", True), (lambda: as_expr(5) == 3.5, "bool", False),
    (lambda: tik.all(True, 3, as_expr(2) < 3), "bool", True),
    (lambda: tik.all(True, 0), "bool", False), (lambda: tik.any(0, False), "bool", False),
    (lambda: tik.any(0, 2), "bool", True), (lambda: tik.negate(0), "bool", True),
    (lambda: tik.negate(2.5), "bool", False),
]


@pytest.mark.parametrize("number", range(len(FOLDED)))
def test_constants_fold(number):
    make, dtype, value = FOLDED[number]
    expr = make()
    assert (expr.dtype, expr.value) == (dtype, value)
    assert bool(expr) is bool(value)


def test_random_integers_fold_as_exact_arithmetic():
    seed = 20240611
    rng = random.Random(seed)
    trunc = lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    exact = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
             "/": trunc, "%": lambda a, b: a - b * trunc(a, b), "&": lambda a, b: a & b,
             "|": lambda a, b: a | b, "^": lambda a, b: a ^ b}
    for _ in range(3000):
        a, b = (rng.choice([rng.randint(-9, 9), rng.randint(-2**31, 2**31 - 1)]) for _ in "ab")
        op = rng.choice(list(exact))
        if b == 0 and op in "/%":
            continue
        want = (exact[op](a, b) + 2**31) % 2**32 - 2**31
        got = eval(f"x {op} y", {"x": as_expr(a), "y": as_expr(b)})
        assert got.value == want, f"seed {seed}: {a} {op} {b}"


def test_division_by_zero_is_left_to_the_engine():
    assert (as_expr(1) / 0).to_json() == ["/", "int32", 1, 0]
    assert (as_expr(1) % 0).value is None


def test_conditions(scalar):
    s, f = scalar("int32"), scalar("float32")
    r = s.as_expr().to_json()
    one = [">", "int32", r, 1]
    assert tik.all(s > 1, True, s).to_json() == ["and", one, ["!=", "int32", r, 0]]
    assert tik.all(s > 1, s == 0, s > 1).to_json() == [
        "and", ["and", one, ["==", "int32", r, 0]], one]
    assert tik.any(s > 1, 0, f).to_json() == [
        "or", one, ["!=", "float32", f.as_expr().to_json(), 0]]
    assert tik.all(s > 1, 0).value is False and tik.any(s > 1, 1).value is True
    assert tik.negate(s > 1).to_json() == ["not", one]
    assert ((s > 1) & (s > 1)).to_json() == ["and", one, one]
    assert ((s > 1) | (s > 1)).to_json() == ["or", one, one]
    assert (~(s > 1)).to_json() == ["not", one]
    assert ((s > 1) + 1).to_json() == ["+", "int32", one, 1]
    refused(lambda: tik.all(), "tik.all")
    refused(lambda: tik.any(), "tik.any")
    refused(lambda: tik.negate("x"), "condition should be")


def test_a_number_that_is_not_known_has_no_truth_value(scalar):
    s = scalar("int32")
    for use in (lambda: bool(s > 1), lambda: bool(s), lambda: s > 1 and s < 3,
                lambda: 1 < s < 3, lambda: not s, lambda: min(s, 3), lambda: max(s, s + 1)):
        refused(use, "tik.all(", "tik.any(", "tik.negate(", "scalar_max", "scalar_min")


def test_a_number_that_is_not_known_is_no_number_of_pythons(scalar):
    s = scalar("int32")
    for use in (lambda: list(range(s)), lambda: [1, 2][s], lambda: [1, 2][:s + 1], lambda: int(s),
                lambda: float(s), lambda: "%d" % (s + 1), lambda: math.ceil(s)):
        refused(use, "for_range", "has no value when the script runs")
    known = tik.all(True) + 1
    assert [1, 2, 3][known] == 3 and int(known) == float(known) == 2 and [*range(known)] == [0, 1]


def test_an_expression_is_not_set(scalar):
    s = scalar("int32")
    s += 1
    refused(lambda: s.set_as(3), "s += 1", "s.set_as(s + 1)")


def test_what_arithmetic_refuses(scalar):
    i, u, h, f, b = (scalar(t) for t in ("int32", "uint32", "float16", "float32", "bfloat16"))
    refused(lambda: -u, "unary minus", "uint32")
    assert (-i).dtype == "int32" and (-h).dtype == "float16"
    for use in (lambda: f % 2, lambda: f & 1, lambda: f << 1, lambda: ~f, lambda: f // 2,
                lambda: i // f):
        refused(use, "integers only")
    refused(lambda: b + 1, "bfloat16")
    refused(lambda: b == b, "bfloat16")
    for chip, refuses in (("Ascend310", True), ("Ascend910A", False), ("Ascend910B1", False)):
        on(chip)
        refused(lambda: h < 1, "float16")
        if refuses:
            refused(lambda: f < 1, "float32", "Ascend310")
        else:
            assert (f < 1).dtype == "bool"
        assert (i < 1).dtype == "bool"
    with pytest.raises(TypeError):
        i + "1"
    assert (i == None) is False and (i != "x") is True  # noqa: E711
    refused(lambda: as_expr(2**64), str(2**64))


def test_helpers(scalar):
    s, f = scalar("int32"), scalar("float32")
    for value, number in ((5, 5), (True, True), (0.5, 0.5), (numpy.int32(4), 4), (as_expr(3), 3),
                          (s, None), (s + 1, None), ("x", None), (None, None)):
        assert constant_of(value) == number
    for value, wanted in ((5, True), (True, True), (numpy.uint8(1), True), (0.5, False), (s, True),
                          (s + 1, True), (f, False), (f + 1, False), (s > 1, False), ("5", False)):
        assert is_integer(value) is wanted
    assert json_of(2**63) == ["uint64", 2**63]
    assert json_of(float("inf")) == ["float32", "inf"]
    assert json_of(float("-inf")) == ["float32", "-inf"]
    assert json_of(float("nan")) == ["float32", "nan"]
    assert json_of(True) == ["bool", 1]
    refused(lambda: as_expr("x"), "value should be int, float, Scalar or Expr")
    assert numpy.int64(5) + s is not NotImplemented and (numpy.int64(5) + s).dtype == "int32"
    assert len({s: 1, f: 2}) == 2


def test_float16_immediates_are_clamped(scalar):
    h = scalar("float16")
    assert (h + 1e6).to_json()[3] == ["float16", 65504.0]
    assert (h + -1e6).to_json()[3] == ["float16", -65504.0]
    assert (h + 65504).to_json()[3] == ["float16", 65504.0]
    assert (h + 0.1).to_json()[3] == ["float16", float(numpy.float16(0.1))]
