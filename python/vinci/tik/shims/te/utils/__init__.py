"""tbe.common.utils under its older name."""

from tbe.common.utils import para_check, shape_util  # noqa: F401

from vinci.tik.absent import make_getattr

from . import error_manager, op_utils  # noqa: F401

__getattr__ = make_getattr(__name__)
