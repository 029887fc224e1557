"""tbe.common.platform under its older name."""

from tbe.common.platform import *  # noqa: F401,F403

from vinci.tik.absent import make_getattr

from . import cce_build, cce_conf, cce_intrin, cce_params, fusion_manager  # noqa: F401

__getattr__ = make_getattr(__name__)
