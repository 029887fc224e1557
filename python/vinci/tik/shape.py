"""Shapes of Tensors: dimensions and offsets that are numbers or Exprs."""

from .error import fail
from .expr import Expr, constant_of, is_integer, json_of

MOST_DIMENSIONS = 8


def number_or_expr(value, name):
    """An int, or the Scalar or Expr itself if its value is not known yet."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not is_integer(value):
        fail(f"{name} should be int, Scalar(int/uint) or Expr(int/uint), input type: "
             f"{type(value)}", TypeError)
    number = constant_of(value)
    return value if number is None else int(number)


def check_shape(shape):
    """The dimensions as a list, each at least 1 as far as that is known."""
    if not isinstance(shape, (list, tuple)):
        fail(f"shape should be list or tuple, input type: {type(shape)}", TypeError)
    if not 1 <= len(shape) <= MOST_DIMENSIONS:
        fail(f"shape should have 1 to {MOST_DIMENSIONS} dimensions, input is {len(shape)}")
    dims = [number_or_expr(dim, "shape's element") for dim in shape]
    for dim in dims:
        if isinstance(dim, int) and dim <= 0:
            fail(f"shape's elements should be larger than 0, input value is {dim}")
    return dims


def _operation(op, a, b):
    return Expr("int64", json=[op, "int64", json_of(a), json_of(b)])


def plus(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if isinstance(a, int) and a == 0:
        return b
    if isinstance(b, int) and b == 0:
        return a
    return _operation("+", a, b)


def minus(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    return a if isinstance(b, int) and b == 0 else _operation("-", a, b)


def times(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    for one, other in ((a, b), (b, a)):
        if isinstance(one, int) and one in (0, 1):
            return other if one else 0
    return _operation("*", a, b)


def divided(a, b):
    """a / b for a positive int b: exact for ints, which the caller has checked."""
    if isinstance(a, int):
        return a // b
    return a if b == 1 else _operation("/", a, b)


def product(dims):
    result = 1
    for dim in dims:
        result = times(result, dim)
    return result


def row_major(dims):
    """The distance of neighbours along each dimension."""
    strides = [1]
    for dim in reversed(dims[1:]):
        strides.append(times(strides[-1], dim))
    return strides[::-1]


def same(a, b):
    """Whether two numbers are known to differ: False; equal or not known: True."""
    return not (isinstance(a, int) and isinstance(b, int)) or a == b


def _bound(value, default, name):
    return default if value is None else number_or_expr(value, name)


def resolve(key, dim, name):
    """A subscript as (start, length, step) within a dimension."""
    if not isinstance(key, slice):
        start = number_or_expr(key, f"index of Tensor {name}")
        if isinstance(start, int) and start == -1:
            start = minus(dim, 1)
        _check_inside(start, plus(start, 1) if isinstance(start, int) else None, dim, name)
        return start, 1, 1
    step = 1 if key.step is None else key.step
    if isinstance(step, bool) or not isinstance(step, int) or step < 1:
        fail(f"step of a slice of Tensor {name} should be a positive int, input value is {step}")
    start = _bound(key.start, 0, f"slice of Tensor {name}")
    stop = _bound(key.stop, dim, f"slice of Tensor {name}")
    _check_inside(start, stop, dim, name)
    length = minus(stop, start)
    if step > 1:
        length = divided(plus(length, step - 1), step)
    return start, length, step


def _check_inside(start, stop, dim, name):
    known = isinstance(start, int), isinstance(stop, int)
    if known[0] and start < 0 or known[1] and stop < 0:
        fail(f"Tensor {name}: a slice should not start or end below 0, input is "
             f"{start if known[0] else '?'}:{stop if known[1] else '?'}", IndexError)
    if all(known) and start >= stop:
        fail(f"Tensor {name}: the slice {start}:{stop} is empty", IndexError)
    if not isinstance(dim, int):
        return
    if known[0] and start >= dim or known[1] and stop > dim:
        fail(f"Tensor {name}: the slice {start if known[0] else '?'}:{stop if known[1] else '?'} "
             f"is out of the range [0, {dim}]", IndexError)
