"""The operator language: not part of vinci. Importing it works, for scripts that do not use it."""

from vinci.tik.absent import make_getattr

__getattr__ = make_getattr(__name__)
