"""The TIK front end: `from tbe import tik` gives this module.

Classes record the statements of a script (docs/spec/tik_statements.md); the engine runs them.
"""

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

