"""h_reduce_sum and its like: whole Tensors along one axis, or all; docs/spec/tik_whole.md."""

from .. import chip
from ..error import fail
from ..expr import json_of
from ..memory import align_up
from ..operands import check_kind, check_same_dtype, check_supported, check_tensor
from ..scope import BLOCK_BYTES, scope_ubuf, size_of
from ..shape import product, times
from .elementwise import named
from .whole import apply, is_live, scratch
from .whole_select import largest_places
from .whole_walk import (check_same_or_apart, check_views, equal, is_contiguous, lanes_of)


class Axis:
    """src as outer x length x inner elements, and dst as outer x inner.

    `stride`: elements of src from one along the axis to the next; `inner`: how many follow each
    other."""

    def __init__(self, api, dst, src, axis):
        dims, strides = src.shape, src.strides
        if axis is None:
            if not is_contiguous(src):
                fail(f"{api}: src should be contiguous to be reduced over all axes")
            dims, strides, axis = [product(dims)], [1], 0
        self.length, self.stride = dims[axis], strides[axis]
        self._outer = list(zip(dims[:axis], strides[:axis]))
        self.inner = product(dims[axis + 1:])
        self._check_inner(api, list(zip(dims, strides))[axis + 1:])
        wanted = product(dims[:axis] + dims[axis + 1:])
        sizes = product(dst.shape), wanted
        if not is_contiguous(dst) or all(isinstance(s, int) for s in sizes) and sizes[0] != wanted:
            fail(f"{api}: dst should be contiguous and have {wanted} elements, input is "
                 f"{dst.shape}")
        self._check_blocks(api, src)
        self._check_results(api, dst)

    @property
    def is_last(self):
        return equal(self.inner, 1)

    def _check_inner(self, api, dims):
        expected = 1
        for dim, stride in reversed(dims):
            if not equal(dim, 1) and not equal(stride, expected):
                fail(f"{api}: the dimensions of src behind the axis should be contiguous")
            expected = times(dim, expected)

    def _check_blocks(self, api, src):
        """What is read together starts at a block."""
        if self.is_last and not equal(self.stride, 1) and not equal(self.length, 1):
            fail(f"{api}: elements of src along its last axis should be contiguous")
        apart = [stride for dim, stride in self._outer if not equal(dim, 1)]
        if not self.is_last and not equal(self.length, 1):
            apart.append(self.stride)
        for stride in apart:
            if isinstance(stride, int) and stride * size_of(src.dtype) % BLOCK_BYTES:
                fail(f"{api}: rows of src should start at multiples of {BLOCK_BYTES} bytes, but "
                     f"they are {stride} elements of {src.dtype} apart")

    def _check_results(self, api, dst):
        """The results of a row are written together, from a block on."""
        several = any(not equal(dim, 1) for dim, _ in self._outer)
        if several and not self.is_last and isinstance(self.inner, int) and (
                self.inner * size_of(dst.dtype) % BLOCK_BYTES):
            fail(f"{api}: rows of dst should start at multiples of {BLOCK_BYTES} bytes, but they "
                 f"are {self.inner} elements of {dst.dtype} apart")

    def each(self, tik, dst, src, body, outer=None):
        """body(dst, src) at the first elements of each outer index."""
        outer = self._outer if outer is None else outer
        if not outer:
            body(dst, src)
            return
        (length, stride), *rest = outer
        behind = times(product([dim for dim, _ in rest]), self.inner)
        if equal(length, 1):
            self.each(tik, dst, src, body, rest)
            return
        with tik.for_range(0, length, name="h_row") as i:
            self.each(tik, dst.shifted(times(i, behind)), src.shifted(times(i, stride)), body, rest)

    def row(self, src, index):
        """Element `index` along the axis, with those that follow each other."""
        return src.run(times(index, self.stride), self.inner)


def axis_of(api, axis, rank):
    """The number of one axis, None for all of them."""
    if isinstance(axis, (list, tuple)):
        if rank > 1 and sorted(axis) == list(range(rank)):
            return None
        if len(axis) != 1:
            fail(f"{api}: axis should be one axis, or None for all, input is {axis}")
        axis, = axis
    if axis is None:
        return None
    if isinstance(axis, bool) or not isinstance(axis, int):
        fail(f"axis should be int, list, tuple or None, input type: {type(axis)}", TypeError)
    if not -rank <= axis < rank:
        fail(f"axis should be in the range of [{-rank}, {rank - 1}], input value is {axis}")
    return None if rank == 1 else axis % rank


def _work_elements(record, length, dtype, with_index):
    """Of the work tensor, of which docs/spec/reduction.md tells; where the length is known at run
    time only, enough for all of UB."""
    if not isinstance(length, int):
        length = chip.current().bytes[scope_ubuf] // size_of(dtype)
    block, lanes = BLOCK_BYTES // size_of(dtype), lanes_of(dtype)
    repeats = -(-length // lanes)
    if record == "reduce_sum":
        return repeats
    total, pairs = align_up(2 * repeats, block), 2 * repeats
    while with_index and pairs > 2:  # the pairs of each level stay
        pairs = 2 * -(-pairs // lanes)
        total += align_up(pairs, block)
    return total


def _along_rows(tik, api, record, dst, src, axis, with_index=False):
    """The last axis: each row by the reduction to one value, by way of a block of UB."""
    check_supported(record, api, [src.dtype], f"src {src.dtype}")
    elements = _work_elements(record, axis.length, src.dtype, with_index)
    with scratch(tik, src.dtype, elements, api + "_work") as work, \
            scratch(tik, src.dtype, BLOCK_BYTES // size_of(src.dtype), api + "_result") as result:

        def row(to, source):
            tik.program.emit({
                "do": "call", "instruction": record, "as": api, "dst": result.operand(),
                "src": source.operand(), "work": work.operand(),
                "mask": {"elements": json_of(axis.length)}, "with_index": int(with_index)})
            if with_index:
                _store_index(tik, to, result)
            else:
                tik.program.emit({"do": "copy", "to": to.operand(), "from": result.operand()})

        axis.each(tik, dst, src, row)


def _store_index(tik, dst, result):
    """The index behind the value, as wide as an element, into an int32."""
    dtype = "uint16" if size_of(result.dtype) == 2 else "uint32"
    number = tik.program.temporary(dtype, result.reinterpret_cast_to(dtype).shifted(1).operand())
    tik.program.emit({"do": "store", "to": dst.operand(),
                      "value": ["cast", "int32", number.to_json()]})


def _along_columns(tik, api, record, dst, src, axis):
    """Any other axis: element by element, one row after the other."""

    def columns(to, source):
        to = to.run(0, axis.inner)
        first = axis.row(source, 0)
        if isinstance(axis.length, int) and axis.length > 1:
            start = 2
            apply(tik, api, record, {"dst": to, "src0": first, "src1": axis.row(source, 1)})
        else:  # It may be alone, and meets its like: the largest of both, which is itself.
            start = 1
            apply(tik, api, "max", {"dst": to, "src0": first, "src1": first})
        if not equal(axis.length, start):
            with tik.for_range(start, axis.length, name="h_row") as i:
                apply(tik, api, record, {"dst": to, "src0": to, "src1": axis.row(source, i)})

    axis.each(tik, dst, src, columns)


def _checked(api, dst, src, axis):
    check_tensor(dst, "dst", align=1)
    check_views(api, {"src": src})
    check_same_or_apart(api, {"dst": dst, "src": src}, apart_only=True)
    return Axis(api, dst, src, axis_of(api, axis, len(src.shape)))


def _values(name, reduction, elementwise, formula):
    api = "h_reduce_" + name

    def method(self, dst, src, axis=None):
        if not is_live(self, api):
            return
        walk = _checked(api, dst, src, axis)
        check_same_dtype(dst=dst, src=src)
        if walk.is_last:
            _along_rows(self, api, reduction, dst, src, walk)
        else:
            _along_columns(self, api, elementwise, dst, src, walk)

    return named(method, api, f"dst = {formula} of src along an axis; None: of all elements.")


def _places(name, reduction, comparison):
    api = "h_reduce_arg" + name

    def method(self, dst, src, axis=None):
        if not is_live(self, api):
            return
        walk = _checked(api, dst, src, axis)
        if dst.dtype != "int32":
            fail(f"dst's dtype should be int32, input is {dst.dtype}", TypeError)
        check_kind("src", src, ("float",))
        if walk.is_last:
            _along_rows(self, api, reduction, dst, src, walk, with_index=True)
        else:
            walk.each(self, dst, src, lambda to, source: largest_places(
                self, api, comparison, to, source, walk))

    return named(method, api, f"dst = where along an axis the first {name}imum of src is; None: "
                              "among all elements.")


class WholeReduce:
    """Mixin of Tik."""

    h_reduce_sum = _values("sum", "reduce_sum", "add", "the sum")
    h_reduce_max = _values("max", "reduce_max", "max", "the largest")
    h_reduce_min = _values("min", "reduce_min", "min", "the smallest")
    h_reduce_argmax = _places("max", "reduce_max", "GT")
    h_reduce_argmin = _places("min", "reduce_min", "LT")
