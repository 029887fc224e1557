"""Reductions: of each repeat to one value, to one for each datablock or each pair, and of all
repeats to one. Rules: docs/spec/reduction.md."""

from .. import chip
from ..error import fail, unimplemented
from ..expr import Operand, constant_of
from ..operands import (check_bool, check_in_range, check_mask, check_repeat_stride,
                        check_repeat_times, check_same_dtype, check_supported, check_tensor)
from ..scope import BLOCK_BYTES, size_of
from .elementwise import check_stride_units, named

STRIDE_MOST = 65535
REPEATS_MOST = 4095       # of vec_reduce_*
INDEXED_HALVES_MOST = 511  # repeats: a float16 holds no larger index
VALUE_INDEX, INDEX_VALUE = 0, 1  # orders of the engine's record


# The engine's record, and how many elements of dst a repeat leaves, as far as dst's start depends on
# them: whole datablocks at most.
RECORDS = {
    "vcadd": ("whole_reduce_sum", 1),
    "vcmax": ("whole_reduce_max", 2), "vcmin": ("whole_reduce_min", 2),
    "vcgadd": ("block_reduce_sum", 8), "vcgmax": ("block_reduce_max", 8),
    "vcgmin": ("block_reduce_min", 8),
    "vcpadd": ("pair_reduce_sum", 32), "vec_cpadd": ("pair_reduce_sum", 32),
}


def _reduce(tik, api, mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride, src_rep_stride,
            stride_unit=0, more=None):
    if not tik.program.live:
        return
    check_stride_units(stride_unit)
    check_tensor(src, "src", align=1)
    record, results = RECORDS[api]
    fields = {
        "dst": check_tensor(dst, "dst", align=min(results * size_of(src.dtype), BLOCK_BYTES)),
        "src": check_tensor(src, "src"),
        "repeats": check_repeat_times(repeat_times),
        "dst_repeat": check_repeat_stride("dst_rep_stride", dst_rep_stride, STRIDE_MOST),
        "src_block": check_repeat_stride("src_blk_stride", src_blk_stride, STRIDE_MOST),
        "src_repeat": check_repeat_stride("src_rep_stride", src_rep_stride, STRIDE_MOST)}
    check_same_dtype(dst=dst, src=src)
    check_supported(record, api, [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
    fields["mask"] = check_mask(mask, src.dtype).json
    tik.program.emit({"do": "call", "instruction": record, "as": api, **fields,
                      **(more or {})}, inside={"dst": "dst", "src": "src"}, overlap=True)


def _order(api, index_low, cnt_index, name):
    check_bool("index_low", index_low)
    if cnt_index is not None:
        unimplemented(f"{name} of {api}", "no published source says what the Scalars get")
    if index_low and not chip.current().facts["index_low"]:
        fail(f"{chip.current().name} doesn't support index_low of {api}")
    return {"order": INDEX_VALUE if index_low else VALUE_INDEX}


# All repeats to one value.


def _check_repeats_of_all(repeat_times, most):
    json = check_in_range("repeat_times", repeat_times, 1, most)
    if constant_of(repeat_times) is None and isinstance(repeat_times, Operand):
        if hasattr(repeat_times, "number") and repeat_times.dtype != "int32":
            fail(f"repeat_times should be Scalar(int32), input is {repeat_times.dtype}", TypeError)
    return json


def _reduce_all(tik, api, record, mask, dst, src, work, repeat_times, src_rep_stride,
                cal_index=False):
    if not tik.program.live:
        return
    pairs = record != "reduce_sum"
    check_bool("cal_index", cal_index)
    check_tensor(src, "src", align=1)
    size = size_of(src.dtype)
    fields = {
        "dst": check_tensor(dst, "dst", align=2 * size if pairs else size),
        "src": check_tensor(src, "src"),
        "work": check_tensor(work, "work_tensor"),
        "repeats": _check_repeats_of_all(
            repeat_times, INDEXED_HALVES_MOST if cal_index and size == 2 else REPEATS_MOST),
        "src_repeat": check_repeat_stride("src_rep_stride", src_rep_stride, STRIDE_MOST)}
    check_same_dtype(dst=dst, src=src, work_tensor=work)
    check_supported(record, api, [src.dtype], f"dst {dst.dtype} src {src.dtype}")
    fields["mask"] = check_mask(mask, src.dtype).json
    tik.program.emit({"do": "call", "instruction": record, "as": api, **fields,
                      "with_index": int(cal_index)},
                     inside={"src": "src", "dst": "dst", "work": "work_tensor"}, apart=[])


def of_repeats(api, doc):
    """A method without more parameters than all have."""

    def method(self, mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride, src_rep_stride,
               stride_unit=0):
        _reduce(self, api, mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride,
                src_rep_stride, stride_unit)

    return named(method, api, doc)


class Reduction:
    """Mixin of Tik."""

    vcadd = of_repeats("vcadd", "dst[r] = the sum of repeat r; dst_rep_stride counts elements.")

    def vcmax(self, mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride, src_rep_stride,
              stride_unit=0, index_low=False, max_cnt_index=None):
        """dst[2r], dst[2r + 1] = the largest of repeat r, its lane; dst_rep_stride counts pairs."""
        if self.program.live:
            _reduce(self, "vcmax", mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride,
                    src_rep_stride, stride_unit,
                    _order("vcmax", index_low, max_cnt_index, "max_cnt_index"))

    def vcmin(self, mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride, src_rep_stride,
              stride_unit=0, index_low=False, min_cnt_index=None):
        """dst[2r], dst[2r + 1] = the smallest of repeat r, its lane."""
        if self.program.live:
            _reduce(self, "vcmin", mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride,
                    src_rep_stride, stride_unit,
                    _order("vcmin", index_low, min_cnt_index, "min_cnt_index"))

    vcgadd = of_repeats("vcgadd", "The sum of each datablock; dst_rep_stride counts 8 elements.")
    vcgmax = of_repeats("vcgmax", "The largest of each; dst_rep_stride counts 8 elements.")
    vcgmin = of_repeats("vcgmin", "The smallest of each; dst_rep_stride counts 8 elements.")
    vcpadd = of_repeats("vcpadd", "Sums of neighbours; dst_rep_stride counts 128 bytes.")

    def vec_cpadd(self, mask, dst, src, repeat_times, dst_rep_stride, src_rep_stride):
        """Sums of neighbours; dst_rep_stride counts 128 bytes."""
        _reduce(self, "vec_cpadd", mask, dst, src, repeat_times, dst_rep_stride, 1, src_rep_stride)

    def vec_reduce_add(self, mask, dst, src, work_tensor, repeat_times, src_rep_stride):
        """dst[0] = the sum of all enabled elements."""
        _reduce_all(self, "vec_reduce_add", "reduce_sum", mask, dst, src, work_tensor,
                    repeat_times, src_rep_stride)

    def vec_reduce_max(self, mask, dst, src, work_tensor, repeat_times, src_rep_stride,
                       cal_index=False):
        """dst[0] = the largest of all enabled elements, dst[1] = its index if asked for."""
        _reduce_all(self, "vec_reduce_max", "reduce_max", mask, dst, src, work_tensor,
                    repeat_times, src_rep_stride, cal_index)

    def vec_reduce_min(self, mask, dst, src, work_tensor, repeat_times, src_rep_stride,
                       cal_index=False):
        """dst[0] = the smallest of all enabled elements, dst[1] = its index if asked for."""
        _reduce_all(self, "vec_reduce_min", "reduce_min", mask, dst, src, work_tensor,
                    repeat_times, src_rep_stride, cal_index)
