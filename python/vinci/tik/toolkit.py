"""What old scripts expect to be there: the toolkit's packages (te, tbe, topi, impl, mindspore), and
names that numpy had then."""

import os
import sys

import numpy

from . import absent

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST = os.path.join(HERE, "shims")      # te, tbe, topi, impl: before an installed toolkit
LAST = os.path.join(HERE, "shims_last")  # mindspore: only where there is none
# numpy before 1.24 called Python's own types by these names too.
NUMPY_NAMES = {"bool": bool, "int": int, "float": float, "complex": complex, "object": object,
               "str": str}


def install():
    """From here on `from te import tik`, `from tbe import tik` and so on find vinci."""
    absent.install()
    if FIRST not in sys.path:
        sys.path.insert(0, FIRST)
    if LAST not in sys.path:
        sys.path.append(LAST)
    for name, kind in NUMPY_NAMES.items():
        if name not in vars(numpy):
            setattr(numpy, name, kind)
