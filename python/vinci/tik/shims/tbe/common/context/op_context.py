"""tbe.common.context, under the name that operators use."""

from vinci.tik.absent import make_getattr

from . import OpContext, get_context  # noqa: F401

__getattr__ = make_getattr(__name__)
