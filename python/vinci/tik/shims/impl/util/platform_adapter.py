"""One place from which operators import the toolkit."""

from enum import Enum

from tbe import dsl as tbe
from tbe import tik, tvm
from tbe.common import buildcfg as tbe_build
from tbe.common import context as tbe_context
from tbe.common import register as tbe_register
from tbe.common.buildcfg import build_config, get_current_build_config
from tbe.common.register import (register_op_compute, register_operator,
                                 register_operator_compute, register_param_generalization)
from tbe.common.utils import para_check, shape_util
from tbe.common.utils.errormgr import (error_manager_cube, error_manager_util,
                                       error_manager_vector)
from te import platform as tbe_platform  # has tbe.common.platform's names, and older ones
from vinci.tik.absent import make_getattr

platform_info = tbe_platform
error_manager = error_manager_util


class OpImplMode:
    """How exact an operator is asked to be."""

    HIGH_PERFORMANCE = "high_performance"
    HIGH_PRECISION = "high_precision"
    SUPER_PERFORMANCE = "super_performance"
    ENABLE_FLOAT_32_EXECUTION = "enable_float_32_execution"
    ENABLE_HI_FLOAT_32_EXECUTION = "enable_hi_float_32_execution"


class OpPatternMode(str, Enum):
    """The pattern of an operator, for fusion."""

    NONE = ""
    ELEWISE = "elewise"
    ELEWISE_WITH_BROADCAST = "broadcast"
    REDUCE = "reduce"
    NORM = "norm"


__all__ = [name for name in globals() if not name.startswith("_") and name != "Enum"]

__getattr__ = make_getattr(__name__)
