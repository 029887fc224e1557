"""An old name of tbe.common.utils.para_check."""

import sys

from tbe.common.utils import para_check

sys.modules[__name__] = para_check
