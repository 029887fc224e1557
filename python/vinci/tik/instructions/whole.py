"""h_add and its like: whole Tensors of UB, of any size and shape; docs/spec/tik_whole.md."""

from contextlib import contextmanager

from ..error import fail
from ..operands import check_scalar, check_supported, check_tensor
from ..expr import json_of
from ..scope import BLOCK_BYTES, scope_gm, scope_ubuf, size_of
from ..shape import divided, times
from ..tensor import Tensor
from .. import chip
from .conversion import convert, letter_of
from .elementwise import Strided, emit_elementwise, named
from .move import PATHS, check_path
from .whole_walk import Runs, check_same_or_apart, check_views, in_repeats, lanes_of, own_last_block


@contextmanager
def scratch(tik, dtype, elements, name):
    """A Tensor of UB for the time of one method."""
    with tik.new_stmt_scope():
        yield tik.Tensor(dtype, (elements,), scope_ubuf, name)


@contextmanager
def as_block(tik, api, name, value, dtype):
    """A number for all elements: a block of UB full of it."""
    value = _number(value)
    check_scalar(name, value, dtype)
    lanes = BLOCK_BYTES // size_of(dtype)
    with scratch(tik, dtype, lanes, f"{api}_{name}") as block:
        emit_elementwise(tik, api, "duplicate", lanes, [Strided("dst", block, 1, 0)], 1,
                         scalar=value)
        yield block


def _number(value):
    """One element of a Tensor is read here; other numbers stay what they are."""
    return value.as_expr() if isinstance(value, Tensor) else value


def strided(name, tensor, first, lanes, field=None):
    """A view from an element on, `lanes` of it in a repeat."""
    return Strided(name, tensor.shifted(first), 1, lanes * size_of(tensor.dtype) // BLOCK_BYTES,
                   field)


def apply(tik, api, record, views, blocks=None, **options):
    """An element-wise instruction on all elements. `views`: {name: Tensor}, dst first; `blocks`:
    those that are a block for all elements; the rest as emit_elementwise."""
    blocks = blocks or {}
    check_views(api, views)
    check_same_or_apart(api, views)
    runs = Runs(api, views)
    lanes = lanes_of(*(tensor.dtype for tensor in views.values()))
    order = sorted([*views, *blocks])  # dst, src, src0, src1

    def run(*tensors):
        def emit(first, repeats, mask):
            operands = {name: strided(name, tensor, first, lanes)
                        for name, tensor in zip(views, tensors)}
            operands.update({name: Strided(name, block, 0, 0) for name, block in blocks.items()})
            emit_elementwise(tik, api, record, mask, [operands[name] for name in order], repeats,
                             **options)

        in_repeats(tik, runs.length, lanes, emit)

    runs.each(tik, run)


def is_live(tik, api):
    if not tik.program.live:
        return False
    tik.check_high_level(api)
    return True


def _unary(name, record, formula):
    api = "h_" + name

    def method(self, dst, src):
        if is_live(self, api):
            apply(self, api, record, {"dst": dst, "src": src})

    return named(method, api, f"dst = {formula}, for all elements.")


def _binary(name, record, formula):
    api = "h_" + name

    def method(self, dst, src0, src1):
        if not is_live(self, api):
            return
        check_tensor(dst, "dst")
        sources = {"src0": src0, "src1": src1}
        views = {"dst": dst, **{key: one for key, one in sources.items()
                                if isinstance(one, Tensor) and not _is_number(one, dst)}}
        numbers = {key: one for key, one in sources.items() if key not in views}
        if len(numbers) == 2:
            fail(f"{api}: src0 or src1 should be a tensor with as many elements as dst")
        if not numbers:
            apply(self, api, record, views)
            return
        (key, value), = numbers.items()
        with as_block(self, api, key, value, dst.dtype) as block:
            apply(self, api, record, views, {key: block})

    return named(method, api, f"dst = {formula}, for all elements; one source may be a number.")


def _is_number(source, dst):
    """One element of a Tensor, as a number for a dst that has more."""
    return source.is_element and not dst.is_element


class Whole:
    """Mixin of Tik."""

    h_abs = _unary("abs", "abs", "|src|")
    h_exp = _unary("exp", "exp", "e ^ src")
    h_ln = _unary("ln", "ln", "ln(src)")
    h_relu = _unary("relu", "relu", "max(src, 0)")
    h_rec = _unary("rec", "reciprocal", "1 / src")
    h_sqrt = _unary("sqrt", "sqrt", "sqrt(src)")
    h_rsqrt = _unary("rsqrt", "rsqrt", "1 / sqrt(src)")
    h_not = _unary("not", "bitwise_not", "~src")
    h_sin = _unary("sin", "sin", "sin(src)")
    h_cos = _unary("cos", "cos", "cos(src)")

    h_add = _binary("add", "add", "src0 + src1")
    h_sub = _binary("sub", "sub", "src0 - src1")
    h_mul = _binary("mul", "mul", "src0 * src1")
    h_div = _binary("div", "div", "src0 / src1")
    h_max = _binary("max", "max", "max(src0, src1)")
    h_min = _binary("min", "min", "min(src0, src1)")
    h_and = _binary("and", "bitwise_and", "src0 & src1")
    h_or = _binary("or", "bitwise_or", "src0 | src1")

    def h_duplicate(self, dst, src):
        """dst = the number src, for all elements."""
        if is_live(self, "h_duplicate"):
            check_tensor(dst, "dst")
            apply(self, "h_duplicate", "duplicate", {"dst": dst}, scalar=_number(src))

    def h_cast(self, dst, src, round_mode):
        """dst = src in the type of dst, rounded as vec_conv does; int32 to float16 by value."""
        if not is_live(self, "h_cast"):
            return
        views = {"dst": dst, "src": src}
        check_views("h_cast", views)
        check_same_or_apart("h_cast", views)
        letter = letter_of(round_mode)
        check_supported("vec_conv", "h_cast", [dst.dtype, src.dtype],
                        f"src {src.dtype} dst {dst.dtype} round_mode '{round_mode}'",
                        letter)
        runs = Runs("h_cast", views)
        lanes = lanes_of(dst.dtype, src.dtype)
        scale = 1.0 if (src.dtype, dst.dtype) == ("int32", "float16") else None

        def run(to, source):
            in_repeats(self, runs.length, lanes, lambda first, repeats, mask: convert(
                self, "h_cast", mask, round_mode,
                [strided("dst", to, first, lanes), strided("src", source, first, lanes)], repeats,
                scale, False))

        runs.each(self, run)

    def h_data_move(self, dst, src):
        """dst = src, between memories, of one type and shape."""
        if not is_live(self, "h_data_move"):
            return
        check_path("h_data_move", src, dst, PATHS)
        if dst.dtype != src.dtype:
            fail(f"dst and src should have the same dtype, input is {dst.dtype} and {src.dtype}",
                 TypeError)
        for name, tensor in (("dst", dst), ("src", src)):
            check_views("h_data_move", {name: tensor}, (tensor.scope,),
                        1 if tensor.scope == scope_gm else BLOCK_BYTES)
        _move_runs(self, dst, src)


def _move_runs(tik, dst, src):
    """To the byte between GM and UB where the chip can; else in blocks of 32 bytes."""
    runs = Runs("h_data_move", {"dst": dst, "src": src})
    size = times(runs.length, size_of(dst.dtype))
    if {dst.scope, src.scope} == {scope_gm, scope_ubuf} and chip.supports("data_copy_pad",
                                                                          [dst.dtype]):
        own_last_block(dst if dst.scope == scope_ubuf else src)
        runs.each(tik, lambda to, source: tik.data_move_pad(to, source, 1, size, 0, 0))
        return
    if not isinstance(size, int):
        tik.program.emit({"do": "check", "value": ["%", "int64", json_of(size), BLOCK_BYTES],
                          "least": 0, "most": 0, "what": "bytes beyond blocks of 32"})
    elif size % BLOCK_BYTES:
        fail(f"h_data_move: elements that follow each other should fill blocks of {BLOCK_BYTES} "
             f"bytes on {chip.current().name}, but there are {size} bytes")
    blocks = divided(size, BLOCK_BYTES)
    runs.each(tik, lambda to, source: tik.data_move(to, source, 0, 1, blocks, 0, 0))
