"""The operator language's package; of it scripts take cce_intrin.get_bit_len."""

from vinci.tik.absent import make_getattr

__getattr__ = make_getattr(__name__)
