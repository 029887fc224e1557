"""h_cmpv and h_sel: comparisons of whole Tensors, and choices by them; docs/spec/tik_whole.md.

A mask Tensor holds the bits of 64 elements in each of its blocks of 32 bytes, whatever their type:
so masks made of one type serve another, and each comparison is one of CMPMASK's.
"""

from contextlib import ExitStack

from ..error import fail
from ..operands import check_same_dtype, check_supported, check_tensor
from ..scope import BLOCK_BYTES, size_of
from ..shape import product, times
from ..tensor import Tensor
from .elementwise import BINARY_BLOCK_MOST, Strided, emit_elementwise, strided_fields
from .whole import apply, as_block, is_live, scratch, strided
from .whole_walk import (check_same_or_apart, check_views, divided_by, equal, is_contiguous,
                         own_last_block)

LANES = 64  # compared at once
COMPARISONS = {"LT": 0, "GT": 1, "EQ": 2, "LE": 3, "GE": 4, "NE": 5}
MASK_DTYPES = ("bool", "uint8")


def in_blocks(tik, elements, emit):
    """emit(number of the block, its first element, lanes enabled)"""
    whole, tail = divided_by(elements, LANES)
    if not equal(whole, 0):
        with tik.for_range(0, whole, name="h_block") as i:
            emit(i, times(i, LANES), LANES)
    with tik.if_scope(tail > 0):
        emit(whole, times(whole, LANES), tail)


def _compare(tik, api, comparison, src0, src1, mask):
    """64 elements into CMPMASK."""
    tik.program.emit({"do": "call", "instruction": "compare_register", "as": api,
                      **strided_fields([src0, src1], BINARY_BLOCK_MOST), "repeats": 1,
                      "mask": _first(mask), "comparison": COMPARISONS[comparison]})


def _first(mask):
    return {"first": mask if isinstance(mask, int) else mask.as_expr().to_json()}


def _select(tik, api, dst, src0, src1, mask, **sel):
    """64 elements by the bits in `sel`, or in CMPMASK."""
    tik.program.emit({"do": "call", "instruction": "select", "as": api,
                      **strided_fields([dst, src0, src1], BINARY_BLOCK_MOST), "repeats": 1,
                      "mask": _first(mask), "mode": 0, **sel})


def _check_mask_tensor(api, mask, elements):
    check_tensor(mask, "mask_tensor")
    if mask.dtype not in MASK_DTYPES or not is_contiguous(mask):
        fail(f"{api}: mask_tensor should be contiguous and its dtype {' or '.join(MASK_DTYPES)}, "
             f"input is {mask.dtype}")
    size = product(mask.shape)
    if isinstance(size, int) and isinstance(elements, int) and size < elements:
        fail(f"{api}: mask_tensor should have as many elements as dst and src, {elements}, input "
             f"is {size}")
    own_last_block(mask)


def _sources(tik, api, views, numbers, dtype, opened):
    """{name: at(first element)} of contiguous Tensors and of numbers."""
    found = {}
    for name, view in views.items():
        found[name] = lambda first, name=name, view=view: strided(name, view, first, LANES)
    for name, value in numbers.items():
        block = opened.enter_context(as_block(tik, api, name, value, dtype))
        found[name] = lambda first, name=name, block=block: Strided(name, block, 0, 0)
    return found


def _parted(sources, elements):
    """Those that are Tensors of so many elements, and those that are numbers."""
    views = {name: one for name, one in sources.items()
             if isinstance(one, Tensor) and (elements is None or not one.is_element)}
    return views, {name: one for name, one in sources.items() if name not in views}


def _check_contiguous(api, views):
    check_views(api, views)
    (first, one), *others = views.items()
    size = product(one.shape)
    for name, view in views.items():
        if not is_contiguous(view):
            fail(f"{api}: {name} should be contiguous")
    for name, view in others:
        other = product(view.shape)
        if isinstance(size, int) and isinstance(other, int) and size != other:
            fail(f"{api}: {first} and {name} should have as many elements, input is {size} and "
                 f"{other}")
    return size


class WholeSelect:
    """Mixin of Tik."""

    def h_cmpv(self, mask_tensor, src0, src1, cmp_mode):
        """mask_tensor = how src0 compares with src1: LT, GT, EQ, LE, GE or NE; src1 may be a
        number. Only h_sel reads it."""
        api = "h_cmpv"
        if not is_live(self, api):
            return
        if not isinstance(cmp_mode, str) or cmp_mode not in COMPARISONS:
            fail(f"cmp_mode should be one of {', '.join(COMPARISONS)}, input value is {cmp_mode}")
        check_tensor(src0, "src0")
        views, numbers = _parted({"src0": src0, "src1": src1}, None if src0.is_element else 0)
        if "src0" not in views:
            fail("h_cmpv: src0 should be a tensor")
        size = _check_contiguous(api, views)
        check_same_dtype(**views)
        check_supported("compare_register", api, [src0.dtype], f"src0 {src0.dtype}")
        _check_mask_tensor(api, mask_tensor, size)
        check_same_or_apart(api, {"mask_tensor": mask_tensor, **views}, apart_only=True)
        with ExitStack() as opened:
            at = _sources(self, api, views, numbers, src0.dtype, opened)

            def block(number, first, lanes):
                _compare(self, api, cmp_mode, at["src0"](first), at["src1"](first), lanes)
                bits = mask_tensor.shifted(times(number, BLOCK_BYTES))
                self.program.emit({"do": "call", "instruction": "get_cmp_mask", "as": api,
                                   "tensor": bits.operand()})

            in_blocks(self, size, block)

    def h_sel(self, dst, src0, src1, mask_tensor):
        """dst = src0 where mask_tensor holds, else src1; sources may be numbers."""
        api = "h_sel"
        if not is_live(self, api):
            return
        check_tensor(dst, "dst")
        views, numbers = _parted({"src0": src0, "src1": src1}, None if dst.is_element else 0)
        views = {"dst": dst, **views}
        size = _check_contiguous(api, views)
        check_same_dtype(**views)
        check_supported("select", api, [dst.dtype], f"dst {dst.dtype}")
        check_same_or_apart(api, views)
        _check_mask_tensor(api, mask_tensor, size)
        check_same_or_apart(api, {"dst": dst, "mask_tensor": mask_tensor}, apart_only=True)
        with ExitStack() as opened:
            at = _sources(self, api, views, numbers, dst.dtype, opened)

            def block(number, first, lanes):
                bits = mask_tensor.shifted(times(number, BLOCK_BYTES))
                _select(self, api, at["dst"](first), at["src0"](first), at["src1"](first), lanes,
                        sel=bits.operand())

            in_blocks(self, size, block)


def largest_places(tik, api, comparison, dst, src, axis):
    """dst = where along the axis each of the inner columns is largest, or smallest: a later element
    replaces an earlier one if it compares so with it."""
    check_supported("compare_register", api, [src.dtype], f"src {src.dtype}")
    check_supported("select", api, ["float32"], f"dst {dst.dtype}")
    places = dst.reinterpret_cast_to("float32")  # int32 in all but name: bits are copied
    with scratch(tik, src.dtype, LANES, api + "_best") as best, \
            scratch(tik, "int32", BLOCK_BYTES // size_of("int32"), api + "_place") as place:
        here = Strided("src0", place.reinterpret_cast_to("float32"), 0, 0)

        def columns(_, first, lanes):
            apply(tik, api, "duplicate", {"dst": dst.run(first, lanes)}, scalar=0)
            row = axis.row(src, 0).shifted(first)
            # A choice between two that are alike is a copy.
            _select(tik, api, strided("dst", best, 0, LANES), strided("src0", row, 0, LANES),
                    strided("src1", row, 0, LANES), lanes)
            with tik.for_range(1, axis.length, name="h_row") as i:
                values = [strided(name, tensor, 0, LANES) for name, tensor in (
                    ("src0", axis.row(src, i).shifted(first)), ("src1", best), ("dst", best))]
                _compare(tik, api, comparison, *values[:2], lanes)
                emit_elementwise(tik, api, "duplicate", 8, [Strided("dst", place, 1, 0)], 1,
                                 scalar=i)
                _select(tik, api, strided("dst", places, first, LANES), here,
                        strided("src1", places, first, LANES), lanes)
                _select(tik, api, values[2], values[0], values[1], lanes)

        in_blocks(tik, axis.inner, columns)
