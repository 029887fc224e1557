"""The operator language's library: only the checks of topi.cce.util are here."""

from vinci.tik.absent import make_getattr

__getattr__ = make_getattr(__name__)
