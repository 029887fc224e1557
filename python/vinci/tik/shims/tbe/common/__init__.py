"""What operators share."""

from vinci.tik.absent import make_getattr

__getattr__ = make_getattr(__name__)
