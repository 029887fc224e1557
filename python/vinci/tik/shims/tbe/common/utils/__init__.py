"""Checks of operators' parameters."""

from vinci.tik.absent import make_getattr

from . import errormgr, para_check, shape_util  # noqa: F401
from .shape_util import (broadcast_shapes, produce_shapes, scalar2tensor_one,  # noqa: F401
                         shape_refine)


__getattr__ = make_getattr(__name__)
