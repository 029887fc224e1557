"""The older name of the toolkit's package. Sources: CANN 8.x TIK reference."""

import te.platform
import te.tik
import te.utils  # noqa: F401
from vinci.tik.absent import make_getattr

__getattr__ = make_getattr(__name__)
