"""Registration of operators."""

from .op_info_register import DataType, TBERegOp, op_info_register  # noqa: F401
