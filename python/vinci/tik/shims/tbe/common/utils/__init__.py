"""Checks of operators' parameters."""

from . import errormgr, para_check, shape_util  # noqa: F401
from .shape_util import (broadcast_shapes, produce_shapes, scalar2tensor_one,  # noqa: F401
                         shape_refine)
