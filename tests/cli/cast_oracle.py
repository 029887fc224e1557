"""What `vinci cast` must say, in fractions: values by their formulas, neighbours by search."""

import bisect
import decimal
import fractions
import functools
import itertools
import struct

Fraction = fractions.Fraction

# Bits of exponent and fraction.
FLOATS = {"half": (5, 10), "bfloat16": (8, 7), "float": (8, 23)}
INTEGERS = {"int4": (-8, 7), "int8": (-128, 127), "uint8": (0, 255), "int16": (-2**15, 2**15 - 1),
            "uint16": (0, 2**16 - 1), "int32": (-2**31, 2**31 - 1), "uint32": (0, 2**32 - 1),
            "int64": (-2**63, 2**63 - 1)}
TYPES = [*FLOATS, *INTEGERS]
MODES = ["CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC",
         "CAST_ODD"]
PAIRS = [(a, b) for a, b in itertools.product(TYPES, TYPES) if a != b] + [("float", "float")]


def width(kind):
    """Bits of an element."""
    if kind in FLOATS:
        return 1 + sum(FLOATS[kind])
    least, most = INTEGERS[kind]
    return (most - least).bit_length()


def magnitude(kind, bits):
    """IEEE 754's formula, also for the pattern of infinity, where the next number would be."""
    exponent_bits, fraction_bits = FLOATS[kind]
    exponent, fraction = bits >> fraction_bits, bits % 2**fraction_bits
    bias = 2**(exponent_bits - 1) - 1
    if exponent == 0:
        return Fraction(fraction, 2**fraction_bits) * Fraction(2)**(1 - bias)
    return (1 + Fraction(fraction, 2**fraction_bits)) * Fraction(2)**(exponent - bias)


def infinity(kind):
    return (2**FLOATS[kind][0] - 1) << FLOATS[kind][1]


def nan(kind):
    return infinity(kind) + 2**(FLOATS[kind][1] - 1)


def sign_bit(kind):
    return 2**(width(kind) - 1)


def value(kind, bits):
    """A Fraction, or "inf", "-inf", "nan"."""
    if kind in INTEGERS:
        negative = INTEGERS[kind][0] < 0 and bits >= sign_bit(kind)
        return Fraction(bits - 2**width(kind) if negative else bits)
    rest = bits % sign_bit(kind)
    sign = "-" if bits != rest else ""
    if rest > infinity(kind):
        return "nan"
    if rest == infinity(kind):
        return sign + "inf"
    return -magnitude(kind, rest) if sign else magnitude(kind, rest)


def text(kind, bits):
    """The exact value as a decimal."""
    exact = value(kind, bits)
    if isinstance(exact, str):
        return exact
    if exact == 0:
        return "-0" if kind in FLOATS and bits else "0"
    with decimal.localcontext(decimal.Context(prec=400, traps=[decimal.Inexact])):
        shown = format(decimal.Decimal(exact.numerator) / decimal.Decimal(exact.denominator), "f")
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def hexadecimal(kind, bits):
    return f"0x{bits:0{(width(kind) + 3) // 4}X}"


@functools.cache
def magnitudes(kind):
    """All of a 16-bit type, infinity's pattern included."""
    return [magnitude(kind, bits) for bits in range(infinity(kind) + 1)]


def bits_below(kind, real):
    """The largest pattern whose value is at most `real`, or infinity's."""
    if kind != "float":
        return bisect.bisect_right(magnitudes(kind), real) - 1
    low, high = 0, infinity(kind)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if magnitude(kind, middle) <= real else (low, middle - 1)
    return low


def choose(mode, negative, below, above, odd, rest):
    """True for the neighbour away from 0; below and above are magnitudes, rest is above `below`."""
    step = above - below
    if mode == "CAST_FLOOR":
        return negative
    if mode == "CAST_CEIL":
        return not negative
    if mode == "CAST_TRUNC":
        return False
    if mode == "CAST_ODD":
        return not odd
    if mode == "CAST_ROUND":
        return 2 * rest >= step
    return 2 * rest > step or (2 * rest == step and odd)


def to_float(kind, real, negative, mode, saturate):
    """Bits of a finite magnitude, rounded."""
    sign = sign_bit(kind) if negative else 0
    bits = bits_below(kind, real)
    if bits < infinity(kind):
        below, above = magnitude(kind, bits), magnitude(kind, bits + 1)
        if real != below:
            bits += choose(mode, negative, below, above, bits % 2 == 1, real - below)
    if bits < infinity(kind):
        return sign + bits
    stays = (saturate or mode in ("CAST_TRUNC", "CAST_ODD") or
             (mode == "CAST_FLOOR" and not negative) or (mode == "CAST_CEIL" and negative))
    return sign + infinity(kind) - stays


def to_integer(kind, exact, mode, saturate):
    """The rounded integer before and after the range."""
    real, negative = abs(exact), exact < 0
    below = real.numerator // real.denominator
    if real != below:
        below += choose(mode, negative, below, below + 1, below % 2 == 1, real - below)
    whole = -below if negative else below
    least, most = INTEGERS[kind]
    result = max(least, min(most, whole)) if saturate else whole
    return whole, result % 2**width(kind)


def convert(source, to, bits, mode, saturate):
    """The result's bits. `saturate` counts for every type but float."""
    exact = value(source, bits)
    saturate = saturate and to != "float"
    if to in INTEGERS:
        if exact == "nan":
            return 0
        if exact in ("inf", "-inf"):
            wide = to if saturate or to == "int64" else "int32"
            return INTEGERS[wide][exact == "inf"] % 2**width(to)
        return to_integer(to, exact, mode, saturate)[1]
    if exact == "nan":
        return 0 if saturate else nan(to)
    negative = bits >= sign_bit(source) if source in FLOATS else exact < 0
    if isinstance(exact, str):
        return (sign_bit(to) if negative else 0) + infinity(to) - saturate
    if source == to:  # float to float: to an integer, every zero is +0
        whole = Fraction(to_integer("int64", exact, mode, False)[0])
        return to_float(to, abs(whole), negative and whole != 0, "CAST_RINT", False)
    return to_float(to, abs(exact), negative, mode, saturate)


def random_bits(generator, kind):
    """Any pattern, or one near what matters: ties, ends of ranges, small integers."""
    choice = generator.integers(4)
    if kind in INTEGERS:
        least, most = INTEGERS[kind]
        if choice == 0:
            number = generator.integers(-300, 300)
        elif choice == 1:
            number = 2**int(generator.integers(64)) * int(generator.choice([-1, 1])) + int(
                generator.integers(-2, 3))
        elif choice == 2:
            number = 2**int(generator.integers(64)) * int(generator.integers(1, 2**13)) + 2**int(
                generator.integers(40))
        else:
            return int.from_bytes(generator.bytes(8), "little") % 2**width(kind)
        return max(least, min(most, int(number))) % 2**width(kind)
    if choice == 0:
        return int.from_bytes(generator.bytes(4), "little") % 2**width(kind)
    if choice == 1:
        real = float(generator.integers(-600, 600)) / 4
    elif choice == 2:  # few digits: ties are frequent
        real = float(generator.integers(-2**13, 2**13)) * 2.0**int(generator.integers(-40, 70))
    else:
        real = float(generator.choice([127, 128, 255, 256, 32767, 65504, 65519, 65520, 65536, 2**31,
                                       2**32, 2**63]) * generator.choice([-1, 1])
                     * generator.choice([1, 1, 1 - 2**-8, 1 + 2**-8, 1 - 2**-20, 1 + 2**-20]))
    bits = struct.unpack("<I", struct.pack("<f", real))[0]
    if kind == "bfloat16":
        return bits >> 16
    return bits if kind == "float" else to_float(
        kind, min(abs(Fraction(real)), Fraction(2**16)), real < 0, "CAST_TRUNC", True)
