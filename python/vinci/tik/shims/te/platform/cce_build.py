"""Another name of tbe.common.buildcfg."""

from tbe.common.buildcfg import build_config

__all__ = ["build_config"]
