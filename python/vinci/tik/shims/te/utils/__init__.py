"""tbe.common.utils under its older name."""

from tbe.common.utils import para_check, shape_util  # noqa: F401

from . import error_manager, op_utils  # noqa: F401
