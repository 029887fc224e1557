"""A kernel's arguments: numpy arrays for GM, Python's and numpy's values for what goes by value."""

import ctypes
import numbers
import operator

import numpy as np

from . import _engine
from .errors import LacksError, UsageError

ELEMENTS = ("bool, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, float32, "
            "structured, bfloat16 of ml_dtypes")
BYTES = np.dtype(np.uint8)


def wrong(parameter, got, legal):
    """An argument that its parameter cannot take."""
    return UsageError(f"argument {parameter['name']} ({parameter['type']}): {got}; legal: {legal}")


def kind_of(argument):
    """What an argument is, for messages."""
    if isinstance(argument, np.ndarray):
        return f"an array of {argument.dtype} {argument.shape}"
    return f"{argument!r:.40} ({type(argument).__name__})"


def is_element(dtype):
    """Whether GM can hold elements of a dtype. Types that are not numpy's own are of kind V."""
    if dtype.hasobject or not dtype.isnative:
        return False
    if dtype.kind == "V":
        return dtype.type is np.void or dtype.name == "bfloat16"
    return dtype.kind in "biu" or dtype.kind == "f" and dtype.itemsize <= 4


def array_of(parameter, argument):
    """The bytes of an array, where they are; those of a null pointer for None."""
    if argument is None:
        return bytes(parameter["bytes"])
    if not isinstance(argument, np.ndarray):
        raise wrong(parameter, kind_of(argument), "a numpy array, which becomes a GM buffer, or None")
    if not is_element(argument.dtype):
        raise wrong(parameter, f"dtype {argument.dtype}", ELEMENTS)
    if not argument.flags.c_contiguous:
        raise wrong(parameter, f"{kind_of(argument)} is not contiguous",
                    "what numpy.ascontiguousarray makes of it")
    return argument.reshape(-1).view(BYTES)


def integer_of(parameter, argument):
    """An integer's bytes."""
    bits = 8 * parameter["bytes"]
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if parameter["signed"] else (0, (1 << bits) - 1)
    if parameter["type"] == "bool":
        high = 1
    try:
        number = operator.index(int(argument) if isinstance(argument, np.bool_) else argument)
    except TypeError:
        raise wrong(parameter, kind_of(argument), f"an integer, {low}..{high}") from None
    if isinstance(argument, np.ndarray) or not low <= number <= high:
        raise wrong(parameter, kind_of(argument), f"an integer, {low}..{high}")
    return number.to_bytes(parameter["bytes"], "little", signed=low < 0)


def float_of(parameter, argument):
    """The bytes of a float, a half or a bfloat16, which a word of 16 bits is already."""
    if parameter["bfloat16"] and isinstance(argument, np.uint16):
        return argument.tobytes()
    real = isinstance(argument, (numbers.Real, np.bool_)) or \
        isinstance(argument, np.generic) and argument.dtype.name == "bfloat16"
    if not real:
        raise wrong(parameter, kind_of(argument), "a number")
    try:
        return _engine.float_bytes(float(argument), parameter["bytes"], parameter["bfloat16"])
    except OverflowError:
        raise wrong(parameter, kind_of(argument), "a number that a float can hold") from None


def struct_of(parameter, argument):
    """The bytes of a struct."""
    if parameter["obstacle"]:
        raise LacksError(f"argument {parameter['name']}: a struct {parameter['type']} cannot be "
                         f"passed by value: {parameter['obstacle']}; pass it in GM")
    is_record = isinstance(argument, (np.void, np.ndarray)) and argument.dtype.names and \
        argument.dtype.isnative and argument.ndim == 0
    legal = f"{parameter['bytes']} bytes: bytes, a structured scalar of numpy, a ctypes.Structure"
    if is_record:
        value = argument.tobytes()
    elif isinstance(argument, (bytes, bytearray, memoryview, ctypes.Structure, ctypes.Union)):
        value = bytes(argument)
    else:
        raise wrong(parameter, kind_of(argument), legal)
    if len(value) != parameter["bytes"]:
        raise wrong(parameter, f"{len(value)} bytes", legal)
    return value


def double_of(parameter, argument):
    """There is none."""
    raise wrong(parameter, kind_of(argument), "no argument: the AI Core has no double")


KINDS = {"pointer": array_of, "integer": integer_of, "float": float_of, "struct": struct_of,
         "double": double_of}


def passed(parameters, arguments):
    """What the engine takes: bytes, or a buffer of bytes, for each parameter."""
    return [KINDS[parameter["kind"]](parameter, argument)
            for parameter, argument in zip(parameters, arguments)]
