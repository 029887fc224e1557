"""Expressions of a TIK script: typed, folded where constant, and read when a statement runs."""

import math

import numpy

from . import chip, fold
from .error import fail
from .scope import DTYPES, fits, is_float_dtype, is_integer_dtype

INT64_MOST = (1 << 63) - 1

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
INTEGERS_ONLY = ("%", "&", "|", "^", "<<", ">>")


class Operand:
    """What stands in an expression: has as_expr(). Expr, Scalar, InputScalar."""

    __slots__ = ()
    __array_ufunc__ = None  # numpy's numbers leave their operators to ours
    __hash__ = object.__hash__

    def as_expr(self):
        raise NotImplementedError

    def __add__(self, other):
        return binary("+", self, other)

    def __radd__(self, other):
        return binary("+", other, self)

    def __sub__(self, other):
        return binary("-", self, other)

    def __rsub__(self, other):
        return binary("-", other, self)

    def __mul__(self, other):
        return binary("*", self, other)

    def __rmul__(self, other):
        return binary("*", other, self)

    def __truediv__(self, other):
        return binary("/", self, other)

    def __rtruediv__(self, other):
        return binary("/", other, self)

    def __floordiv__(self, other):
        return floor_divide(self, other)

    def __rfloordiv__(self, other):
        return floor_divide(other, self)

    def __mod__(self, other):
        return binary("%", self, other)

    def __rmod__(self, other):
        return binary("%", other, self)

    def __and__(self, other):
        return binary("&", self, other)

    def __rand__(self, other):
        return binary("&", other, self)

    def __or__(self, other):
        return binary("|", self, other)

    def __ror__(self, other):
        return binary("|", other, self)

    def __xor__(self, other):
        return binary("^", self, other)

    def __rxor__(self, other):
        return binary("^", other, self)

    def __lshift__(self, other):
        return binary("<<", self, other)

    def __rlshift__(self, other):
        return binary("<<", other, self)

    def __rshift__(self, other):
        return binary(">>", self, other)

    def __rrshift__(self, other):
        return binary(">>", other, self)

    def __eq__(self, other):
        return binary("==", self, other)

    def __ne__(self, other):
        return binary("!=", self, other)

    def __lt__(self, other):
        return binary("<", self, other)

    def __le__(self, other):
        return binary("<=", self, other)

    def __gt__(self, other):
        return binary(">", self, other)

    def __ge__(self, other):
        return binary(">=", self, other)

    def __neg__(self):
        return negative(self.as_expr())

    def __pos__(self):
        return self.as_expr()

    def __invert__(self):
        return inverted(self.as_expr())

    def __bool__(self):
        value = self.as_expr().value
        if value is None:
            fail(
                "A Scalar or Expr has no truth value when the script runs. Use if_scope for a "
                "condition, tik.all(a, b), tik.any(a, b), tik.negate(a) for and, or, not, and "
                "scalar_max, scalar_min for Python's max, min."
            )
        return bool(value)

    def _known(self):
        value = self.as_expr().value
        if value is None:
            fail("A Scalar or Expr has no value when the script runs, so it is no end of Python's "
                 "range, no index of a list and no number for int, float or math. Use for_range "
                 "for a loop; Tensors and ScalarArrays take it as an index.", TypeError)
        return value

    def __index__(self):
        return self._known()

    def __int__(self):
        return int(self._known())

    def __float__(self):
        return float(self._known())


class Expr(Operand):
    """A typed number: `value` if it is known already, else a form of the statement file."""

    __slots__ = ("dtype", "value", "literal", "_json")

    def __init__(self, dtype, value=None, json=None, literal=False):
        self.dtype = dtype
        self.value = value
        self.literal = literal  # written as a plain number: takes the other side's type
        self._json = json

    def as_expr(self):
        return self

    def to_json(self):
        return self._json if self.value is None else number_json(self.value, self.dtype)

    def set_as(self, *_value, **_more):
        """Not there: that of a Scalar is meant."""
        fail("An Expr cannot be set. `s += 1` makes the name of a Scalar that of an Expr; write "
             "s.set_as(s + 1)", TypeError)

    def __repr__(self):
        return f"Expr({self.dtype}, {self.to_json()})"


def number_json(value, dtype):
    """A constant in the statement file."""
    if dtype == "bool":
        return ["bool", int(value)]
    if not is_float_dtype(dtype):
        return int(value) if value <= INT64_MOST else ["uint64", int(value)]
    value = float(value)
    if math.isfinite(value):
        return [dtype, value]
    return [dtype, "nan" if value != value else "inf" if value > 0 else "-inf"]


def _literal(value):
    if isinstance(value, (bool, numpy.bool_)):
        return Expr("bool", bool(value), literal=True)
    if isinstance(value, (int, numpy.integer)):
        value = int(value)
        for dtype in ("int32", "int64", "uint64"):
            if fits(value, dtype):
                return Expr(dtype, value, literal=True)
        fail(f"{value} fits no integer type of at most 64 bits", ValueError)
    if isinstance(value, (float, numpy.floating)):
        return Expr("float32", float(value), literal=True)
    return None


def to_expr(value):
    """An Expr, or None if the value cannot stand in an expression."""
    method = getattr(value, "as_expr", None)
    return method() if method is not None else _literal(value)


def as_expr(value, name="value"):
    """An Expr of a number, Scalar, InputScalar, Expr or one element of a Tensor."""
    expr = to_expr(value)
    if expr is None:
        fail(f"{name} should be int, float, Scalar or Expr, input type: {type(value)}", TypeError)
    return expr


def constant_of(value):
    """The Python number if it is known when the script runs, else None."""
    if type(value) is int:  # most are
        return value
    if isinstance(value, Operand):
        return value.as_expr().value
    if isinstance(value, numpy.generic):
        value = value.item()
    return value if isinstance(value, (bool, int, float)) else None


def is_integer(value):
    """Whether it is an integer of any kind: int (bool too), or a Scalar or Expr of such a type."""
    if isinstance(value, Operand):
        return is_integer_dtype(value.dtype)
    return isinstance(value, (int, numpy.integer))


def json_of(value):
    """The form of a number, Scalar or Expr in the statement file."""
    if type(value) is int and -INT64_MOST <= value <= INT64_MOST:
        return value
    return as_expr(value).to_json()


def common_dtype(a, b):
    """The type in which two typed operands meet."""
    a, b = ("int32" if dtype == "bool" else dtype for dtype in (a, b))
    if a == b:
        return a
    if is_float_dtype(a) and is_float_dtype(b):
        sizes = DTYPES[a].bytes, DTYPES[b].bytes
        return "float32" if sizes[0] == sizes[1] else max(a, b, key=lambda d: DTYPES[d].bytes)
    if is_float_dtype(a) or is_float_dtype(b):
        return "float32"
    if DTYPES[a].bytes == DTYPES[b].bytes:
        return a if DTYPES[a].kind == "uint" else b
    return max(a, b, key=lambda d: DTYPES[d].bytes)


def _literal_meets(literal, other):
    """The type for a plain number beside an operand of type `other`."""
    value = literal.value
    if is_float_dtype(other) and literal.dtype != "bool":
        return other
    if other == "bool" or literal.dtype == "bool":
        return common_dtype(literal.dtype, other)
    if isinstance(value, float):
        if not math.isfinite(value) or value != int(value) or not fits(int(value), other):
            return "float32"
        return other
    return other if fits(value, other) else common_dtype(literal.dtype, other)


def meeting_dtype(a, b):
    if a.literal and not b.literal:
        return _literal_meets(a, b.dtype)
    if b.literal and not a.literal:
        return _literal_meets(b, a.dtype)
    return common_dtype(a.dtype, b.dtype)


def _check_types(op, dtype, a, b):
    if "bfloat16" in (a.dtype, b.dtype):
        fail(f"bfloat16 has no scalar arithmetic, so '{op}' cannot take it", TypeError)
    if op in INTEGERS_ONLY and is_float_dtype(dtype):
        fail(f"'{op}' takes integers only, got {a.dtype} and {b.dtype}", TypeError)
    if op not in COMPARISONS or (a.value is not None and b.value is not None):
        return
    has_floats = chip.current().facts["scalar_floats"]
    instead = ("scalar_conv to a float32 Scalar first" if has_floats else
               "vec_cmpv compares elements of Tensors")
    if "float16" in (a.dtype, b.dtype):
        fail(f"float16 Scalars cannot be compared; {instead}", TypeError)
    if dtype == "float32" and not has_floats:
        fail(f"{chip.current().name} cannot compare float32 Scalars; {instead}", TypeError)


def _identity(op, dtype, a, b):
    """x + 0, x - 0, x * 1 and x / 1 of integers are x."""
    if not is_integer_dtype(dtype):
        return None
    if b.value is not None and a.dtype == dtype and (op, b.value) in _NOTHING:
        return a
    if a.value is not None and b.dtype == dtype and (op, a.value) in _NOTHING_LEFT:
        return b
    return None


_NOTHING = {("+", 0), ("-", 0), ("*", 1), ("/", 1)}
_NOTHING_LEFT = {("+", 0), ("*", 1)}


def binary(op, left, right):
    """`left op right`; NotImplemented where Python shall say that the types do not fit."""
    a, b = to_expr(left), to_expr(right)
    if a is None or b is None:
        return NotImplemented
    if op in "&|" and a.dtype == b.dtype == "bool":
        return all_(a, b) if op == "&" else any_(a, b)
    dtype = meeting_dtype(a, b)
    _check_types(op, dtype, a, b)
    a, b = (cast(x, dtype) if x.value is not None else x for x in (a, b))
    result = "bool" if op in COMPARISONS else dtype
    if a.value is not None and b.value is not None:
        value = fold.fold(op, dtype, a.value, b.value)
        if value is not None:
            return Expr(result, value)
    same = _identity(op, dtype, a, b)
    if same is not None:
        return same
    return Expr(result, json=[op, dtype, a.to_json(), b.to_json()])


def floor_divide(left, right):
    a, b = to_expr(left), to_expr(right)
    if a is not None and b is not None and is_float_dtype(meeting_dtype(a, b)):
        fail("'//' takes integers only; '/' divides floats", TypeError)
    return binary("/", left, right)


def negative(expr):
    if expr.dtype == "bool":
        expr = cast(expr, "int32")
    if DTYPES[expr.dtype].kind == "uint":
        fail(f"unary minus cannot take {expr.dtype}, which has no negative numbers", TypeError)
    if expr.value is not None:
        value = -expr.value if is_float_dtype(expr.dtype) else fold.wrap(-expr.value, expr.dtype)
        return Expr(expr.dtype, value, literal=expr.literal)
    return Expr(expr.dtype, json=["neg", expr.dtype, expr.to_json()])


def inverted(expr):
    if expr.dtype == "bool":
        return negate(expr)
    if is_float_dtype(expr.dtype):
        fail(f"'~' takes integers only, got {expr.dtype}", TypeError)
    if expr.value is not None:
        return Expr(expr.dtype, fold.wrap(~expr.value, expr.dtype))
    return Expr(expr.dtype, json=["~", expr.dtype, expr.to_json()])


def cast(value, dtype):
    """By value: floats to integers towards zero, integers keep their low bits."""
    expr = as_expr(value)
    if expr.value is not None:
        number = expr.value
        if dtype == "float16" and expr.literal and not isinstance(number, bool):
            number = fold.clamp_float16(float(number))
        number = fold.convert(number, dtype)
        if number is not None:
            return Expr(dtype, number)
    if expr.dtype == dtype:
        return expr
    return Expr(dtype, json=["cast", dtype, expr.to_json()])


def larger(a, b):
    """The larger one of two integers, which may be Exprs."""
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    if isinstance(b, int) and b == 0:
        return a
    return Expr("int64", json=["max", "int64", json_of(a), json_of(b)])


def condition(value, name="condition"):
    """A bool: itself, or whether a number is not zero."""
    expr = as_expr(value, name)
    if expr.dtype == "bool":
        return expr
    if expr.value is not None:
        return Expr("bool", bool(expr.value))
    return Expr("bool", json=["!=", expr.dtype, expr.to_json(), 0])


def _joined(op, absorbing, args):
    if not args:
        fail(f"tik.{'all' if op == 'and' else 'any'} needs at least one condition", TypeError)
    result = None
    for arg in args:
        expr = condition(arg)
        if expr.value is None:
            json = expr.to_json() if result is None else [op, result, expr.to_json()]
            result = json
        elif bool(expr.value) is absorbing:
            return Expr("bool", absorbing)
    return Expr("bool", not absorbing) if result is None else Expr("bool", json=result)


def all_(*args):
    """tik.all: whether all conditions hold."""
    return _joined("and", False, args)


def any_(*args):
    """tik.any: whether one of the conditions holds."""
    return _joined("or", True, args)


def negate(value):
    """tik.negate: whether the condition does not hold."""
    expr = condition(value)
    if expr.value is not None:
        return Expr("bool", not expr.value)
    return Expr("bool", json=["not", expr.to_json()])
