"""The toolkit's package. Sources: CANN 8.x TIK reference."""

import tbe.common.platform
import tbe.common.utils
import tbe.tik  # noqa: F401
from vinci.tik.absent import make_getattr

__getattr__ = make_getattr(__name__)
