"""Sizes of elements."""

from tbe.common.platform import get_bit_len  # noqa: F401
from vinci.tik.absent import make_getattr

__getattr__ = make_getattr(__name__)
