"""The TIK front end: `from tbe import tik` gives this module.

Classes record the statements of a script (docs/spec/tik_statements.md); the engine runs them.
"""

import sys as _sys

try:
    import numpy as _numpy  # noqa: F401
except ModuleNotFoundError:
    raise ModuleNotFoundError(f"vinci.tik needs numpy, which {_sys.executable} does not have; use "
                              "the Python that vinci was built for, Debian's") from None

from .addresses import TensorAddrList
from .chip import Dprofile, set_product_version, unset_product_version
from .expr import Expr, all_ as all, any_ as any, negate
from .instance import Tik
from .scalar import InputScalar, Scalar, ScalarArray
from .scope import (
    scope_bt,
    scope_ca,
    scope_cb,
    scope_cbuf,
    scope_cbuf_out,
    scope_cc,
    scope_fb0,
    scope_gm,
    scope_reg,
    scope_smask,
    scope_ubuf,
)
from .tensor import Tensor

