"""What tik objects hold while a program runs: for debug_print and the prompt."""

import ast
import math

import numpy

from . import fold
from .expr import Operand
from .scalar import ScalarArray
from .scope import DTYPES, is_float_dtype
from .shape import row_major
from .tensor import Tensor


class Unknown(Exception):
    """There is no such value: a Scalar that nobody has set, a division by zero, a view outside."""


class Whole:
    """A buffer as the Tensor that defined it."""

    def __init__(self, buffer):
        self.buffer, self.name, self.dtype = buffer, buffer.name, buffer.dtype
        self.shape, self.strides, self.offset = buffer.dims, row_major(buffer.dims), 0


class Named:
    """The Scalars and loop variables of one name."""

    def __init__(self):
        self.numbers = []


def names_in(program):
    """What a program's own names stand for; of several Tensors of one name, the last."""
    named = {buffer.name: Whole(buffer) for buffer in program.buffers if not buffer.is_list}
    for number, scalar in enumerate(program.scalars):
        if not isinstance(named.get(scalar["name"]), Named):
            named[scalar["name"]] = Named()
        named[scalar["name"]].numbers.append(number)
    return named


class State:
    """A running program: `running` has peek(buffer) and peek_scalar(scalar)."""

    def __init__(self, running):
        self._running = running

    def value(self, thing):
        """The value of a Tensor (an array), Scalar or Expr (a number); anything else as it is."""
        if isinstance(thing, (Tensor, Whole)):
            return self.array(thing)
        if isinstance(thing, Operand):
            return self.number(_quiet_json(thing))
        if isinstance(thing, Named):
            return self.last_of(thing)
        if isinstance(thing, ScalarArray):
            return [self.value(one) for one in thing]
        return thing

    def last_of(self, named):
        """The value of the last Scalar of a name that has one."""
        for number in reversed(named.numbers):
            value = self._running.peek_scalar(number)
            if value is not None:
                return value
        raise Unknown("a Scalar that nobody has set")

    def array(self, tensor):
        """A copy of a view's elements; bfloat16 as float32."""
        dims, strides = ([self.value(one) for one in many]
                         for many in (tensor.shape, tensor.strides))
        offset = self.value(tensor.offset)
        flat = numpy.frombuffer(self._running.peek(tensor.buffer.number), numpy.uint8)
        width = DTYPES[tensor.dtype].bytes
        flat = flat[:len(flat) // width * width].view(DTYPES[tensor.dtype].numpy)
        last = offset + sum((dim - 1) * stride for dim, stride in zip(dims, strides))
        if min(dims) < 1 or offset < 0 or last >= len(flat):
            raise Unknown(f"elements {offset}..{last} of {tensor.name}, which has {len(flat)}")
        view = numpy.lib.stride_tricks.as_strided(
            flat[offset:], dims, [stride * width for stride in strides])
        if tensor.dtype == "bfloat16":
            return (view.astype(numpy.uint32) << 16).view(numpy.float32)
        return view.copy()

    def number(self, form):
        """The number of an expression of the statement file."""
        if isinstance(form, int):
            return form
        op, *rest = form
        if op == "scalar":
            number = self._running.peek_scalar(rest[0])
            if number is None:
                raise Unknown("a Scalar that nobody has set")
            return number
        if op in DTYPES:
            return fold.convert(float(rest[0]) if is_float_dtype(op) else rest[0], op)
        if op in ("and", "or"):
            left, right = (bool(self.number(one)) for one in rest)
            return left and right if op == "and" else left or right
        if op == "not":
            return not self.number(rest[0])
        dtype, *numbers = rest
        return self._operation(op, dtype, *(self.number(one) for one in numbers))

    @staticmethod
    def _operation(op, dtype, *numbers):
        if op == "cast":
            result = fold.convert(numbers[0], dtype)
        elif op == "neg":
            result = fold.convert(-numbers[0], dtype)
        elif op == "~":
            result = fold.wrap(~numbers[0], dtype)
        else:
            result = fold.fold(op, dtype, *numbers)
        if result is None:
            raise Unknown(f"{op} of {', '.join(map(str, numbers))}")
        return result


def _quiet_json(thing):
    """The form of a Scalar or Expr, without the check that its scope is open."""
    expr = getattr(thing, "_expr", None)
    return (thing if expr is None else expr).to_json()


class _Values(ast.NodeTransformer):
    """Puts each name, attribute and element of an expression through __value__."""

    def visit(self, node):
        self.generic_visit(node)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) \
                and isinstance(node.ctx, ast.Load):
            call = ast.Call(ast.Name("__value__", ast.Load()), [node], [])
            return ast.copy_location(call, node)
        return node


class _NoRegisters:
    """SPR[...]: special registers."""

    def __getitem__(self, name):
        raise Unknown(f"SPR[{name!r}]: vinci shows no special registers")


class Watch:
    """A Python expression over tik objects; its names are those of a place in the script."""

    def __init__(self, text, names):
        tree = ast.parse(text.strip(), "<expression>", "eval")  # SyntaxError
        self.is_tuple = isinstance(tree.body, ast.Tuple)
        self._code = compile(ast.fix_missing_locations(_Values().visit(tree)), text, "eval")
        self._names = names

    def text(self, state):
        """Its value as text; what went wrong, if something did."""
        names = {"SPR": _NoRegisters(), **self._names, "__value__": state.value}
        try:
            with numpy.printoptions(threshold=math.inf):
                result = eval(self._code, names)
                return " ".join(map(str, result)) if self.is_tuple else str(result)
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def names_of(frame):
    """What a name stands for in a frame, as it is now."""
    return {} if frame is None else {**frame.f_globals, **frame.f_locals}
