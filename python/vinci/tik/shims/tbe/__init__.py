"""The toolkit's package. Sources: CANN 8.x TIK reference."""

import tbe.common.platform
import tbe.common.utils
import tbe.tik  # noqa: F401
