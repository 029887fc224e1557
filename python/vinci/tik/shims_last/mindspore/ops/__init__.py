"""Registration of operators."""

from vinci.tik.absent import make_getattr

from .op_info_register import (AiCPURegOp, CustomRegOp, DataType, TBERegOp,  # noqa: F401
                               custom_info_register, op_info_register)

__getattr__ = make_getattr(__name__)
