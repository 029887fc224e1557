"""The memories and element types of TIK."""

from typing import NamedTuple

import numpy

scope_gm = "global"
scope_ubuf = "local.UB"
scope_cbuf = "local.L1"
scope_ca = "local.L0A"
scope_cb = "local.L0B"
scope_cc = "local.L0C"
scope_cbuf_out = scope_cc  # two names of one memory
scope_reg = "local.REG"
scope_fb0 = "local.FB0"
scope_bt = "local.BT"
scope_smask = "local.SMASK"

SHORT_NAMES = {
    scope_gm: "GM",
    scope_ubuf: "UB",
    scope_cbuf: "L1",
    scope_ca: "L0A",
    scope_cb: "L0B",
    scope_cc: "L0C",
    scope_reg: "REG",
    scope_fb0: "FB0",
    scope_bt: "BT",
    scope_smask: "SMASK",
}

# Bytes that the address of a buffer is a multiple of.
ALIGNMENT = {
    scope_ubuf: 32,
    scope_cbuf: 512,
    scope_ca: 512,
    scope_cb: 512,
    scope_cc: 1024,
    scope_fb0: 128,
    scope_bt: 64,
    scope_smask: 32,
}

BLOCK_BYTES = 32


class DType(NamedTuple):
    bytes: int
    kind: str  # "int", "uint", "float" or "bool"
    numpy: numpy.dtype

    @property
    def bits(self):
        return self.bytes * 8


DTYPES = {
    "bool": DType(1, "bool", numpy.dtype("bool")),
    "int8": DType(1, "int", numpy.dtype("int8")),
    "uint8": DType(1, "uint", numpy.dtype("uint8")),
    "int16": DType(2, "int", numpy.dtype("int16")),
    "uint16": DType(2, "uint", numpy.dtype("uint16")),
    "int32": DType(4, "int", numpy.dtype("int32")),
    "uint32": DType(4, "uint", numpy.dtype("uint32")),
    "int64": DType(8, "int", numpy.dtype("int64")),
    "uint64": DType(8, "uint", numpy.dtype("uint64")),
    "float16": DType(2, "float", numpy.dtype("float16")),
    "bfloat16": DType(2, "float", numpy.dtype("uint16")),  # numpy has no such type: words
    "float32": DType(4, "float", numpy.dtype("float32")),
}

SCALAR_DTYPES = tuple(name for name in DTYPES if name != "bool")


def size_of(dtype):
    """Bytes of one element."""
    return DTYPES[dtype].bytes


def is_integer_dtype(dtype):
    return DTYPES[dtype].kind in ("int", "uint")


def is_float_dtype(dtype):
    return DTYPES[dtype].kind == "float"


def integer_range(dtype):
    """The least and the largest number of an integer type."""
    kind = DTYPES[dtype]
    if kind.kind == "int":
        return -(1 << kind.bits - 1), (1 << kind.bits - 1) - 1
    return 0, (1 << kind.bits) - 1


def fits(value, dtype):
    """Whether the integer is one of the type's numbers."""
    least, most = integer_range(dtype)
    return least <= value <= most
