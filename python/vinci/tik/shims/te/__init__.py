"""The older name of the toolkit's package. Sources: CANN 8.x TIK reference."""

import te.platform
import te.tik
import te.utils  # noqa: F401
