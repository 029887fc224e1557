"""One element type to another, in numpy, from the documents' rules.

Every value of every type is a long double exactly; it is rounded there, to an integer or to the
digits of the result, and brought into range. None of vinci's arithmetic is used.
"""

import numpy as np

from harness import NUMPY

NONE, RINT, FLOOR, CEIL, ROUND, TRUNC, ODD = range(7)
# Digits, exponent of the smallest subnormal number, exponent of the largest number.
FORMAT = {"half": (11, -24, 15), "bfloat16": (8, -133, 127), "float": (24, -149, 127)}
NAN = {"half": 0x7E00, "bfloat16": 0x7FC0, "float": 0x7FC00000}
RANGE = {"int4": (-8, 7), "int8": (-128, 127), "uint8": (0, 255), "int16": (-2**15, 2**15 - 1),
         "int32": (-2**31, 2**31 - 1), "int64": (-2**63, 2**63 - 1)}

assert np.finfo(np.longdouble).nmant >= 63, "the oracle holds an int64 in a long double"


def numbers(dtype, lanes):
    """Lanes as long doubles. bfloat16 is its bits; int4 is -8..7."""
    if dtype == "bfloat16":
        lanes = (lanes.astype(np.uint32) << 16).view(np.float32)
    return lanes.astype(np.longdouble)


def to_integer(x, mode):
    """Long doubles without a fraction. 0 keeps the sign of x."""
    if mode == FLOOR:
        whole = np.floor(x)
    elif mode == CEIL:
        whole = np.ceil(x)
    elif mode == ROUND:
        # What lies below 1/2 stays below 1 when 1/2 is added: it has fewer digits than a float.
        whole = np.trunc(x + np.copysign(np.longdouble(0.5), x))
    elif mode == TRUNC:
        whole = np.trunc(x)
    elif mode == ODD:
        whole = np.trunc(x)
        even = np.fmod(np.where(np.isfinite(whole), whole, 0), 2) == 0
        whole = np.where((whole != x) & even, whole + np.copysign(np.longdouble(1), x), whole)
    else:
        whole = np.rint(x)
    return np.copysign(whole, x)


def largest(dtype):
    digits, _, exponent = FORMAT[dtype]
    return np.ldexp(np.longdouble(2**digits - 1), exponent - digits + 1)


def to_format(x, dtype, mode, saturates):
    """Long doubles that the float type holds; NaN stays NaN unless results saturate."""
    digits, least, _ = FORMAT[dtype]
    finite = np.where(np.isfinite(x), x, 0)
    unit = np.maximum(np.frexp(finite)[1] - digits, least)
    y = np.ldexp(to_integer(np.ldexp(finite, -unit), mode), unit)
    most = largest(dtype)
    if saturates and dtype != "float":
        y = np.where(np.isinf(x), np.copysign(most, x), np.clip(y, -most, most))
        return np.where(np.isnan(x), np.longdouble(0), y)
    inf = np.longdouble(np.inf)
    above = most if mode in (FLOOR, TRUNC, ODD) else inf
    below = most if mode in (CEIL, TRUNC, ODD) else inf
    y = np.where(y > most, above, np.where(y < -most, -below, y))
    return np.where(np.isfinite(x), y, x)


def float_bits(dtype, x):
    """The bits of long doubles that the type holds."""
    nan = np.isnan(x)
    bits = {"half": lambda: x.astype(np.float64).astype(np.float16).view(np.uint16),
            "bfloat16": lambda: (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16),
            "float": lambda: x.astype(np.float32).view(np.uint32)}[dtype]()
    return np.where(nan, bits.dtype.type(NAN[dtype]), bits)


def converted(dst, src, lanes, mode, saturates):
    """The lanes of dst: bits of float types, integers of the others."""
    with np.errstate(all="ignore"):
        x = numbers(src, lanes)
        if dst in FORMAT:
            if dst == src:
                y = to_integer(x, mode)
                y = np.where(y == 0, np.longdouble(0), y)
            else:
                y = to_format(x, dst, mode, saturates)
            return float_bits(dst, y)
        low, high = RANGE[dst]
        whole = to_integer(np.where(np.isnan(x), 0, x), mode)
        inside = np.clip(whole, np.longdouble(low), np.longdouble(high))
        return inside.astype(np.int64).astype(np.int8 if dst == "int4" else NUMPY[dst])


def scaled_halves(x, scale, saturates):
    """int32 to half times a half, in the steps of the documents."""
    with np.errstate(all="ignore"):
        product = x.astype(np.float32) * np.float32(2**-17) * np.float32(scale)
        product = product * np.float32(2**17)
        y = to_format(product.astype(np.longdouble), "half", RINT, saturates)
        return float_bits("half", y)


def dequantized(x, words, signed):
    """int16 to 8 bits with 64-bit scale words, one for each element: float products, clamped to 9
    bits, moved by the offset, clamped to 8."""
    words = words.astype(np.uint64)
    scale = (words & np.uint64(0xFFFFE000)).astype(np.uint32).view(np.float32)
    offset = (words >> np.uint64(37) & np.uint64(511)).astype(np.int32)
    offset = np.where(offset > 255, offset - 512, offset)
    with np.errstate(all="ignore"):
        product = x.astype(np.float32) * scale
        nine = np.clip(np.rint(np.where(np.isnan(product), np.float32(0), product)), -256, 255)
    moved = nine.astype(np.int32) + offset
    return np.clip(moved, *((-128, 127) if signed else (0, 255))).astype(np.int8 if signed else
                                                                        np.uint8)
