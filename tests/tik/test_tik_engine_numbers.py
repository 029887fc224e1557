"""Numbers in the engine: operations, conversions, Scalars and elements as bits."""

import math
import random

import numpy as np
import pytest
from engine_kit import SIZES, at, gm, out_of, program, scalar, store, values_of

NAN = {"float16": 0x7E00, "float32": 0x7FC00000}  # the one NaN of docs/spec/number.md
INTEGERS = [name for name in SIZES if "int" in name]


def wrapped(value, dtype):
    """An integer in a type's width, by definition."""
    bits = 8 * SIZES[dtype]
    value %= 1 << bits
    return value - (1 << bits) if dtype.startswith("int") and value >> (bits - 1) else value


def truncated(a, b):
    """a / b towards zero, and what is left."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


INTEGER_OPERATIONS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: truncated(a, b)[0], "%": lambda a, b: truncated(a, b)[1],
    "min": min, "max": max, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
COMPARISONS = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
               "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def ends(dtype):
    bits = 8 * SIZES[dtype]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if dtype.startswith("int") else \
        (0, (1 << bits) - 1)
    return [low, low + 1, 0, 1, 3, 7, high - 1, high]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_operations(dtype):
    """Against Python's exact integers, at the ends of the type and at random."""
    generator = random.Random(dtype)
    numbers = ends(dtype)
    pairs = [(a, b) for a in numbers for b in numbers]
    pairs += [(generator.randint(numbers[0], numbers[-1]), generator.choice(numbers))
              for _ in range(50)]
    expressions, expected = [], []
    for a, b in pairs:
        for name, operation in INTEGER_OPERATIONS.items():
            if name in "/%" and b == 0:
                continue
            expressions.append([name, dtype, [dtype, a], [dtype, b]])
            expected.append(wrapped(operation(a, b), dtype))
        for name, comparison in COMPARISONS.items():
            expressions.append([name, dtype, [dtype, a], [dtype, b]])
            expected.append(int(comparison(a, b)))
    got = [int(x) for x in values_of(expressions, dtype)]
    assert got == expected


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts_and_bits(dtype):
    bits = 8 * SIZES[dtype]
    expressions, expected = [], []
    for value in ends(dtype):
        low = value % (1 << bits)
        ones = bin(low).count("1")
        for shift in (0, 1, bits - 1, bits, 70):
            if shift > ends(dtype)[-1]:
                continue
            expressions += [["<<", dtype, [dtype, value], [dtype, shift]],
                            [">>", dtype, [dtype, value], [dtype, shift]]]
            expected += [wrapped(value << shift, dtype), value >> shift]
        for name, result in (("countbit1", ones), ("countbit0", bits - ones),
                             ("countleading0", bits - low.bit_length()), ("~", ~value),
                             ("neg", -value), ("abs", abs(value))):
            expressions.append([name, dtype, [dtype, value]])
            expected.append(wrapped(result, dtype))
    assert [int(x) for x in values_of(expressions, dtype)] == expected


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_float_operations(dtype):
    """Each operation is rounded once to its type."""
    kind = np.dtype(dtype).type
    numbers = [0.0, -0.0, 1.0, -1.5, 0.1, 1000.25, 65504.0, -3e-7, 2.0]
    expressions, expected = [], []
    with np.errstate(all="ignore"):
        for a in numbers:
            for b in numbers:
                x, y = np.float64(kind(a)), np.float64(kind(b))
                for name, value in (("+", x + y), ("-", x - y), ("*", x * y), ("/", x / y)):
                    expressions.append([name, dtype, [dtype, float(x)], [dtype, float(y)]])
                    expected.append(kind(value))
            if a >= 0:
                expressions.append(["sqrt", dtype, [dtype, float(kind(a))]])
                expected.append(kind(np.sqrt(np.float64(kind(a)))))
    got = values_of(expressions, dtype)
    expected = np.array(expected, dtype)
    bits = expected.view(f"u{got.itemsize}").copy()
    bits[np.isnan(expected)] = NAN[dtype]
    assert np.isnan(expected).any()
    same = got.view(bits.dtype) == bits
    assert same.all(), [(e, g, x) for e, g, x, s in zip(expressions, got, expected, same) if not s]


def test_conversions_by_value():
    cases = [(["cast", "int32", ["float32", x]], int(math.trunc(x)))
             for x in (0.0, 0.5, -0.5, 1.99, -1.99, 1e6 + 0.5)]
    cases += [(["cast", "int8", 300], 44), (["cast", "uint8", -1], 255), (["cast", "int64", 5], 5),
              (["round", "int32", "r", ["float32", 2.5]], 2),
              (["round", "int32", "a", ["float32", 2.5]], 3),
              (["round", "int32", "f", ["float32", -2.5]], -3),
              (["round", "int32", "c", ["float32", -2.5]], -2),
              (["round", "int32", "z", ["float32", -2.9]], -2),
              (["round", "int32", "r", ["float32", 3e10]], 2**31 - 1),
              (["and", 2, 1], 1), (["and", 2, 0], 0), (["or", 0, 0], 0), (["or", 0, ["float32", 0.5]], 1),
              (["not", 0], 1), (["not", ["float32", 2.0]], 0), (["bool", 1], 1)]
    got = values_of([expression for expression, _ in cases])
    assert [int(x) for x in got] == [value for _, value in cases]


def test_numbers_are_rounded_once():
    """0.1 as float16 is the nearest float16, though not of the nearest float32 by chance only."""
    ties = [1 + 2**-11 + 2**-30, 1 + 2**-11 - 2**-30, 0.1, 2**-25 + 2**-60, 65520 - 2**-20]
    got = values_of([["float16", x] for x in ties], "float16")
    assert (got == np.array(ties, np.float16)).all()
    assert np.isinf(values_of([["float32", "inf"]], "float32"))[0]
    for dtype, bits in NAN.items():
        assert values_of([[dtype, "nan"]], dtype).view(f"u{SIZES[dtype]}")[0] == bits


def test_scalars_are_read_when_the_statement_runs():
    body = [at(1, do="set", scalar=0, value=5), store(0, 0, ["+", "int64", ["scalar", 0], 1]),
            at(2, do="set", scalar=0, value=7), store(0, 1, ["+", "int64", ["scalar", 0], 1])]
    result = program(body, [gm("out")], [scalar("s", "int32")]).run({})
    assert list(out_of(result)[:2]) == [6, 8]


def test_elements_move_as_bits():
    """A Scalar wider than an element takes those behind it too; a narrower one the low bits."""
    words = np.arange(1, 9, dtype=np.uint16) * 0x1111
    body = [at(1, do="load", scalar=0, **{"from": [0, 1, "uint16"]}),
            at(2, do="load", scalar=1, **{"from": [0, 1, "uint16"]}),
            at(3, do="load", scalar=2, **{"from": [0, 2, "uint16"]}),
            store(1, 0, ["scalar", 0], "uint64"), store(1, 1, ["scalar", 1], "uint64"),
            store(1, 2, ["cast", "uint64", ["scalar", 2]], "uint64"),
            at(4, do="copy", to=[1, 3, "uint64"], **{"from": [0, 0, "uint16"]})]
    scalars = [scalar("wide", "uint32"), scalar("narrow", "uint8"), scalar("half", "float16")]
    result = program(body, [gm("in", "uint16", 8, "input"), gm("out", "uint64", 4)],
                     scalars).run({"in": words})
    got = out_of(result, dtype=np.uint64)
    assert [hex(x) for x in got[:2]] == ["0x33332222", "0x22"]
    assert got[2] == int(words[2:3].view(np.float16)[0])
    assert hex(got[3]) == "0x4444333322221111"
