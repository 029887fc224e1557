"""exp, ln, sqrt, 1/sqrt and 1/x rounded once, to nearest even.

numpy computes in binary64, off by some 2^-52 of the result. Where all within 2^-44 of that rounds
to the same number of the type, the result is decided. Else it lies close to the middle of two
numbers, and is compared with this middle: exactly, or for exp and ln with 60 decimal digits.
"""

import dataclasses
import decimal
import fractions
import typing

import numpy as np

MARGIN = 2.0**-44
DIGITS = decimal.Context(prec=60)
# The next power of two stands for infinity: half way to it, numbers round to infinity.
BEHIND_THE_LARGEST = {2: 2**16, 4: 2**128}


def decimal_of(x):
    return DIGITS.divide(decimal.Decimal(x.numerator), decimal.Decimal(x.denominator))


def over(a, b):
    """a / b - 1 of two decimals."""
    return DIGITS.subtract(DIGITS.divide(a, b), 1)


@dataclasses.dataclass
class Elementary:
    """A function: of binary64, and how far its magnitude at x is above m, as a part of that. x and
    m are fractions; only the sign and the order of size must be right."""

    in_double: typing.Callable
    excess: typing.Callable

    def __call__(self, x):
        wide = self.in_double(x.astype(np.float64))
        lower = (wide * (1 - MARGIN)).astype(x.dtype)  # of the magnitude
        upper = (wide * (1 + MARGIN)).astype(x.dtype)
        for at in np.flatnonzero(~np.isnan(wide) & (lower != upper)):
            if self.is_above_middle(x[at], lower[at], upper[at]):
                lower[at] = upper[at]
        return lower

    def is_above_middle(self, x, lower, upper):
        """Whether the result at x is nearer to upper, the number next to lower."""
        assert np.nextafter(lower, upper) == upper
        middle = (fraction_of(abs(lower)) + fraction_of(abs(upper))) / 2
        excess = self.excess(fraction_of(x), middle)
        assert abs(excess) > 1e-50, "in the middle, as far as 60 digits tell"
        return excess > 0


def fraction_of(x):
    return fractions.Fraction(BEHIND_THE_LARGEST[x.itemsize] if np.isinf(x) else float(x))


EXP = Elementary(np.exp, lambda x, m: over(DIGITS.exp(decimal_of(x)), decimal_of(m)))
LN = Elementary(np.log, lambda x, m: over(abs(DIGITS.ln(decimal_of(x))), decimal_of(m)))
SQRT = Elementary(np.sqrt, lambda x, m: x / m**2 - 1)
RSQRT = Elementary(lambda x: 1 / np.sqrt(x), lambda x, m: 1 - m**2 * x)
RECIPROCAL = Elementary(lambda x: 1 / x, lambda x, m: 1 - m * abs(x))

# Floats whose result lies closest to the middle of two floats; for exp, ln and rsqrt, of all floats
# (tests/unit/elementary_test.cpp).
HARDEST = {
    "Exp": [0xC16912CD, 0xBBF0EDF1, 0xBAE0E25C, 0xB3000000, 0x377EFF81, 0x40315B33, 0x4001B249],
    "Ln": [0x65D890D3, 0x4C5D65A5, 0x4D604EBE, 0x66A8C860, 0x1F116AB8, 0x41178FEB, 0x3C413D3A,
           0x6F31A8EC, 0x38DCBE38, 0x5EE8984E, 0x4665A9A6, 0x3BF86EF0, 0x79E7EC37, 0x2C4C24B7],
    # Powers of 4, one or three digits below and above.
    "Sqrt": [0x7F7FFFFF, 0x3F7FFFFF, 0x3F7FFFFD, 0x3F800001, 0x3F800003],
    "Rsqrt": [0x403A18E3, 0x4009F038],
    # Powers of 2, one digit below; one with a subnormal result.
    "Reciprocal": [0x3F7FFFFF, 0x3FFFFFFF, 0x7F7FFFFF],
}
# Limits: exp leaves 1; its largest, least normal and least results; ln around 1; 1/x becomes
# infinite, subnormal.
LIMITS = [0x32800000, 0x33000000, 0x33800000, 0x42B17218, 0x42AEAC50, 0x42CFF1B5, 0x3F800000,
          0x00200000, 0x7E800000, 0x7F000000, 0x00800000, 0x7F800000]


def float_sample(rng, name, count):
    """`count` patterns of floats: the hardest, those around limits of both signs, then any bits, so
    that each exponent is as likely, and as many for which exp is finite, or ln small."""
    near = [limit + step for limit in LIMITS for step in range(-8, 9)]
    first = np.array(HARDEST[name] + near + [bits | 0x80000000 for bits in near], np.uint32)
    bits = rng.integers(0, 1 << 32, count, np.uint32)
    bits[::4] = rng.uniform(-104, 89, len(bits[::4])).astype(np.float32).view(np.uint32)
    bits[1::4] = rng.uniform(0, 4, len(bits[1::4])).astype(np.float32).view(np.uint32)
    bits[:len(first)] = first
    return bits
