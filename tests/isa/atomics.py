"""What a copy makes of GM after SetAtomicAdd, SetAtomicMax or SetAtomicMin: op(GM, data)."""

import numpy as np

from cases import SATURATES
from elementwise import SUM, finish, larger, smaller
from harness import CHIPS, NUMPY

OFF, ADD, MAX, MIN = range(4)
NAMES = ["DisableDmaAtomic", "SetAtomicAdd", "SetAtomicMax", "SetAtomicMin"]
ALL_TYPES = ["float", "half", "int16", "int32", "int8", "bfloat16"]
ADDS = {"1000": [], "1001": ["float"], "2002": ["float", "half", "int16"], "2002v": [],
        "2201": ALL_TYPES, "3002": ["float", "half", "int16", "int32"]}
COMPARES = {chip: ALL_TYPES if chip == "2201" else [] for chip in CHIPS}
TYPES_OF = [{chip: [] for chip in CHIPS}, ADDS, COMPARES, COMPARES]
FUNCTIONS = [None, SUM, larger, smaller]


def of_bfloat16(bits):
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def to_bfloat16(values):
    """Rounded to nearest even; infinities become the largest number, NaN 0."""
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)
    rounded = np.where((rounded & np.uint64(0x7FFF)) == 0x7F80, rounded - np.uint64(1), rounded)
    return np.where(np.isnan(values), 0, rounded).astype(np.uint16)


def combined(op, dtype, old, new, chip):
    """Bytes of `dtype` elements in GM, from those before and those copied."""
    if op == OFF:
        return new
    old, new = (np.ascontiguousarray(part).view(NUMPY[dtype]) for part in (old, new))
    with np.errstate(all="ignore"):
        if dtype == "bfloat16":
            result = to_bfloat16(FUNCTIONS[op](of_bfloat16(old), of_bfloat16(new)))
        else:
            result = finish(FUNCTIONS[op](old, new), dtype, chip in SATURATES)
    return np.ascontiguousarray(result.astype(NUMPY[dtype])).view(np.uint8)
