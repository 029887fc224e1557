"""Another name of tbe.common.platform."""

import sys

import tbe.common.platform

sys.modules[__name__] = tbe.common.platform
