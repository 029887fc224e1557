"""The TIK front end, under the toolkit's name."""

import sys

from vinci import tik

sys.modules[__name__] = tik
