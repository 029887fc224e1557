"""The toolkit's packages (te, tbe, topi, impl, mindspore) for scripts that import them."""

import os
import sys

from . import absent

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST = os.path.join(HERE, "shims")      # te, tbe, topi, impl: before an installed toolkit
LAST = os.path.join(HERE, "shims_last")  # mindspore: only where there is none


def install():
    """From here on `from te import tik`, `from tbe import tik` and so on find vinci."""
    absent.install()
    if FIRST not in sys.path:
        sys.path.insert(0, FIRST)
    if LAST not in sys.path:
        sys.path.append(LAST)
