"""Another name of tbe.common.utils.errormgr.error_manager_cube."""

import sys

from tbe.common.utils.errormgr import error_manager_cube

sys.modules[__name__] = error_manager_cube
