"""Another name of tbe.common.utils.shape_util."""

import sys

from tbe.common.utils import shape_util

sys.modules[__name__] = shape_util
