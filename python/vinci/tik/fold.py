"""Arithmetic on numbers that are known when the script runs, as the engine does it at run time."""

import math
import operator

import numpy

from .scope import DTYPES, integer_range, is_float_dtype

FLOAT16_MOST = 65504.0


def wrap(value, dtype):
    """The integer's low bits, read as a number of the type."""
    bits = DTYPES[dtype].bits
    value &= (1 << bits) - 1
    return value - (1 << bits) if value > integer_range(dtype)[1] else value


def _round_bfloat16(value):
    word = int(numpy.float32(value).view(numpy.uint32))
    if value != value:
        return value
    word += 0x7FFF + ((word >> 16) & 1)
    return float(numpy.uint32(word & 0xFFFF0000).view(numpy.float32))


def round_float(value, dtype):
    """The float of the type that is nearest, half to even."""
    with numpy.errstate(all="ignore"):
        if dtype == "float16":
            return float(numpy.float16(value))
        if dtype == "bfloat16":
            return _round_bfloat16(value)
        return float(numpy.float32(value))


def convert(value, dtype):
    """By value, as `cast` of the statement file; None if it has no integer."""
    if dtype == "bool":
        return bool(value)
    if is_float_dtype(dtype):
        return round_float(value, dtype)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        value = math.trunc(value)
    return wrap(int(value), dtype)


def clamp_float16(value):
    """An immediate for float16: what is larger than its largest number becomes that number."""
    if math.isfinite(value):
        return min(max(value, -FLOAT16_MOST), FLOAT16_MOST)
    return value


def truncated_quotient(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_INTEGER = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": truncated_quotient,
    "%": lambda a, b: a - b * truncated_quotient(a, b),
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}

_COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _fold_floats(op, dtype, a, b):
    work = numpy.float16 if dtype == "float16" else numpy.float32
    with numpy.errstate(all="ignore"):
        a, b = work(a), work(b)
        if op == "+":
            return float(a + b)
        if op == "-":
            return float(a - b)
        if op == "*":
            return float(a * b)
        return float(a / b)


def fold(op, dtype, a, b):
    """The number that `[op, dtype, a, b]` stands for; None if that is left to the engine."""
    a, b = convert(a, dtype), convert(b, dtype)
    if a is None or b is None:
        return None
    if op in _COMPARE:
        return _COMPARE[op](a, b)
    if is_float_dtype(dtype):
        return None if op == "/" and b == 0 else _fold_floats(op, dtype, a, b)
    if op in "/%" and b == 0:
        return None  # a fault, if that statement is ever reached
    if op in ("<<", ">>") and not 0 <= b < DTYPES[dtype].bits:
        return None
    return wrap(_INTEGER[op](a, b), dtype)
