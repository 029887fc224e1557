"""Sizes of elements."""

from tbe.common.platform import get_bit_len  # noqa: F401
