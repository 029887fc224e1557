"""What start_debug is given and gives back: arrays and numbers by name."""

import numpy

from .addresses import TensorAddrList
from .error import fail
from .evaluate import State, Unknown
from .scalar import InputScalar
from .scope import DTYPES, integer_range, is_float_dtype

try:
    from ml_dtypes import bfloat16
except ImportError:  # then bfloat16 is its bits in uint16
    bfloat16 = None


# Dynamic operators define Tensors of GM with as many elements as an int32 counts, whose real size
# only their tiling knows.
STAND_IN = 2**31 - 1


def to_feeds(inputs, outputs, feed_dict):
    """The engine's feeds by name, all checked; what is wrong ends in fail(). Outputs are fed whose
    size is a stand-in."""
    if not isinstance(feed_dict, dict):
        fail(f"feed_dict should be dict, input type: {type(feed_dict)}", TypeError)
    names = [one.name for one in inputs]
    sized = [one for one in outputs if one.name not in names and _is_stand_in(one)]
    for one in sized:
        if one.name not in feed_dict:
            fail(f"output {one.name} has {one.shape[0]} elements, which stands for a size that is "
                 f"not known: feed_dict should have an array for {one.name}, as large as it is")
    names += [one.name for one in sized]
    if sorted(names) != sorted(map(str, feed_dict)):
        fail(f"BuildCCE input list is {names}, but feed_dict list is {list(feed_dict)}")
    return {one.name: _feed(one, feed_dict[one.name]) for one in [*inputs, *sized]}


def _is_stand_in(tensor):
    dims = tensor.shape
    return len(dims) == 1 and isinstance(dims[0], int) and dims[0] >= STAND_IN


def _feed(one, value):
    if isinstance(one, InputScalar):
        return _number(one, value)
    if isinstance(one, TensorAddrList):
        return _arrays(one, value)
    return _array(one, value)


def _number(scalar, value):
    name, dtype = scalar.name, scalar.dtype
    if isinstance(value, numpy.generic):
        value = value.item()
    if is_float_dtype(dtype):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            fail(f"feed_dict {name} should be float, input type: {type(value)}", TypeError)
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int):
        fail(f"feed_dict {name} should be int, input type: {type(value)}", TypeError)
    least, most = integer_range(dtype)
    if not least <= value <= most:
        fail(f"feed_dict {name} should be in the range of [{least}, {most}], input value is "
             f"{value}")
    return value


def _array(tensor, value):
    if not isinstance(value, numpy.ndarray):
        fail(f"feed_dict {tensor.name} should be numpy.ndarray, input type: {type(value)}",
             TypeError)
    wanted = DTYPES[tensor.dtype].numpy
    is_bfloat16 = tensor.dtype == "bfloat16" and bfloat16 is not None and value.dtype == bfloat16
    if value.dtype != wanted and not is_bfloat16:
        fail(f"dtype of feed_dict {tensor.name} should be {tensor.dtype}"
             f"{' (uint16 words)' if tensor.dtype == 'bfloat16' else ''}, input dtype is "
             f"{value.dtype}")
    _check_shape(tensor, value.shape)
    return numpy.ascontiguousarray(value).view(wanted)


def _check_shape(tensor, shape):
    """Dimensions that are known when the script runs are exact; others are what is fed."""
    if _is_stand_in(tensor):
        return
    dims = tensor.shape
    known = [dim if isinstance(dim, int) else None for dim in dims]
    fits = len(shape) == len(known) and all(
        want in (None, got) for want, got in zip(known, shape))
    if not fits:
        fail(f"shape of feed_dict {tensor.name} should be "
             f"({', '.join('?' if dim is None else str(dim) for dim in known)}), input shape is "
             f"{tuple(shape)}")


def _arrays(addresses, value):
    if not isinstance(value, (list, tuple)):
        fail(f"feed_dict {addresses.name} should be a list of numpy.ndarray, input type: "
             f"{type(value)}", TypeError)
    if len(value) != addresses.size:
        fail(f"feed_dict {addresses.name} should hold {addresses.size} arrays, input has "
             f"{len(value)}")
    for number, array in enumerate(value):
        if not isinstance(array, numpy.ndarray):
            fail(f"feed_dict {addresses.name}[{number}] should be numpy.ndarray, input type: "
                 f"{type(array)}", TypeError)
    return [numpy.ascontiguousarray(array) for array in value]


class FedNumbers:
    """What shapes of Tensors are made of: the numbers that were fed."""

    def __init__(self, inputs, feeds):
        self._numbers = {one.number: feeds[one.name] for one in inputs
                         if isinstance(one, InputScalar)}

    def peek_scalar(self, number):
        """As a running program has it."""
        return self._numbers.get(number)


def _shape(tensor, numbers):
    """One dimension may be unknown: -1. None if more are."""
    if _is_stand_in(tensor):
        return None
    dims, state = [], State(numbers)
    for dim in tensor.shape:
        try:
            dims.append(state.value(dim))
        except Unknown:
            dims.append(-1)
    return dims if dims.count(-1) <= 1 else None


def update(fed, results):
    """Puts what the kernel left into the array that was fed, or into those of a list."""
    for array, data in zip(fed if isinstance(fed, (list, tuple)) else [fed], results):
        if array.flags.writeable:
            array[...] = numpy.frombuffer(data, array.dtype).reshape(array.shape)


def to_array(tensor, data, numbers):
    """An output of the engine in the shape of its Tensor; flat if the numbers that were fed leave
    more than one dimension open."""
    kind = DTYPES[tensor.dtype]
    flat = numpy.frombuffer(data, kind.numpy).copy()
    if tensor.dtype == "bfloat16" and bfloat16 is not None:
        flat = flat.view(bfloat16)
    shape = _shape(tensor, numbers)
    return flat if shape is None else flat.reshape(shape)
