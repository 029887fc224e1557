"""vec_rec_high_preci and its like: results rounded once, by way of a work tensor that is checked
and not used; docs/spec/tik_high_precision.md."""

from .. import chip
from ..error import fail
from ..expr import Expr, constant_of
from ..operands import (check_extent, check_mask, check_repeat_stride, check_repeat_times,
                        check_supported, check_tensor)
from ..scope import BLOCK_BYTES, size_of
from .elementwise import Strided, check_same_dtype_of, emit_elementwise, named

FLOATS = ("float16", "float32")


class _Work:
    """What a method asks of its work tensor: `factors` by the type of src, times the elements of
    src, counted in whole blocks."""

    def __init__(self, factors, dtype=None, whole_repeats=False):
        self.factors = factors
        self.dtype = dtype  # None: that of src
        self.whole_repeats = whole_repeats  # 128 elements a repeat, whatever mask and stride say

    def elements(self, src, mask, repeat_times, repeat_stride):
        """How many elements it needs: a number or an Expr; None if the mask's length is not known."""
        per_block = BLOCK_BYTES // size_of(src.dtype)
        stride, last = repeat_stride, _length_of(mask)
        if self.whole_repeats:
            last = mask.lanes
            number = constant_of(stride)
            stride = max(number, 8) if number is not None and number > 0 else stride
        if last is None:
            return None
        extent = (repeat_times - 1) * stride * per_block + last
        return self.factor(src.dtype) * ((extent + per_block - 1) // per_block * per_block)

    def factor(self, dtype):
        factors = self.factors[dtype]
        if isinstance(factors, int):
            return factors
        return factors[chip.current().facts["scalar_floats"]]


def _length_of(mask):
    """The number of the last enabled lane, plus 1."""
    if mask.length is not None:
        return mask.length
    first = mask.json.get("first")
    return None if first is None else Expr("int64", json=["cast", "int64", first])


def _high_precision(name, record, dtypes, work, formula):
    """vec_<name>_high_preci: dst = formula(src)."""
    api = f"vec_{name}_high_preci"

    def method(self, mask, dst, src, work_tensor, repeat_times, dst_rep_stride, src_rep_stride):
        if not self.program.live:
            return
        operands = [Strided("dst", dst, 1, dst_rep_stride), Strided("src", src, 1, src_rep_stride)]
        for operand in operands:
            check_tensor(operand.tensor, operand.name)
            check_repeat_stride(operand.name + "_rep_stride", operand.repeat_stride)
        check_repeat_times(repeat_times)
        check_same_dtype_of(operands)
        if src.dtype not in dtypes:
            fail(f"src's dtype should be {' or '.join(dtypes)}, input is {src.dtype}", TypeError)
        check_supported(record, api, [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
        lanes = check_mask(mask, src.dtype)
        apart = _check_work(self, api, work, work_tensor, operands[1], lanes, repeat_times)
        emit_elementwise(self, api, record, mask, operands, repeat_times, apart=apart)

    return named(method, api, f"dst = {formula}, for each enabled element, rounded once.")


def _check_work(tik, api, work, tensor, src, mask, repeat_times):
    """What the others lie apart from: the work tensor, if it is known how much of it."""
    place = check_tensor(tensor, "work_tensor")
    dtype = work.dtype or src.tensor.dtype
    if tensor.dtype != dtype:
        fail(f"work_tensor's dtype should be {dtype}, input is {tensor.dtype}", TypeError)
    elements = work.elements(src.tensor, mask, repeat_times, src.repeat_stride)
    if elements is None:
        return []
    needed = constant_of(elements)
    if needed is not None:
        check_extent("work_tensor", tensor, needed)
        return [("work_tensor", place, needed * size_of(dtype))]
    if None not in (tensor.constant_offset, tensor.original_elements):
        tik.program.emit({"do": "check", "as": api, "value": elements.to_json(), "least": 0,
                          "most": tensor.original_elements - tensor.constant_offset,
                          "what": "number of elements that work_tensor needs"})
    return []


class HighPrecision:
    """Mixin of Tik."""

    vec_rec_high_preci = _high_precision(
        "rec", "reciprocal", FLOATS, _Work({"float16": 4, "float32": 2}, "float32"), "1 / src")
    vec_rsqrt_high_preci = _high_precision(
        "rsqrt", "rsqrt", FLOATS, _Work({"float16": (6, 5), "float32": (4, 3)}, "float32"),
        "1 / sqrt(src)")
    vec_ln_high_preci = _high_precision("ln", "ln", ("float16",), _Work({"float16": 10}), "ln(src)")
    vec_expm1_high_preci = _high_precision(
        "expm1", "expm1", ("float16",), _Work({"float16": 11}, whole_repeats=True), "e ^ src - 1")
