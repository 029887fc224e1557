"""Helpers that scripts take from the toolkit's TIK (te.tik.common.util)."""

import math

from tbe.common.platform import get_bit_len  # noqa: F401

from .scope import DTYPES

DTYPE_SIZE = {name: dtype.bytes for name, dtype in DTYPES.items()}


def ceil_div(value, divisor):
    """value / divisor, rounded up: numbers, Scalars or Exprs."""
    return (value + divisor - 1) // divisor


def reduce_mul(numbers):
    """The product of a shape's dimensions."""
    return math.prod(numbers)
