"""Everything of para_check and shape_util in one place, as older scripts import it."""

from tbe.common.utils.para_check import *  # noqa: F401,F403
from tbe.common.utils.shape_util import *  # noqa: F401,F403
from vinci.tik.absent import make_getattr

__getattr__ = make_getattr(__name__)
