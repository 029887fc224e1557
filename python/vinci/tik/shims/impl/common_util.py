"""Small helpers of operators."""

from tbe.common.platform import get_bit_len
from vinci.tik.absent import make_getattr


def get_data_size(datatype):
    """Bytes of an element of this type."""
    return (get_bit_len(datatype) + 7) // 8


def get_block_element(datatype):
    """How many elements of this type a block of 32 bytes has."""
    return 32 // get_data_size(datatype)


__getattr__ = make_getattr(__name__)
