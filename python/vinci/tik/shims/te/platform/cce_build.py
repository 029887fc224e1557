"""Another name of tbe.common.buildcfg."""

from tbe.common.buildcfg import build_config
from vinci.tik.absent import make_getattr

__all__ = ["build_config"]

__getattr__ = make_getattr(__name__)
