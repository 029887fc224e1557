"""tbe.common.utils under the oldest of its names."""

from tbe.common.platform import *  # noqa: F401,F403
from tbe.common.register import _pass_through
from tbe.common.utils.para_check import *  # noqa: F401,F403
from tbe.common.utils.shape_util import *  # noqa: F401,F403

fusion_decorator = _pass_through
