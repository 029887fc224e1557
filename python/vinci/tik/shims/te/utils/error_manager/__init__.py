"""tbe.common.utils.errormgr under its older name."""

from tbe.common.utils.errormgr import (error_manager_cube, error_manager_util,  # noqa: F401
                                       error_manager_vector)
