"""vec_rec_high_preci and its like: results rounded once, by way of a work tensor that is checked
and not used; docs/spec/tik_high_precision.md."""

from .. import chip
from ..error import fail
from ..expr import Expr, constant_of
from ..operands import (Walk, check_extent, check_mask, check_repeat_stride, check_repeat_times,
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
    if mask.bits is not None:
        return mask.bits.bit_length()
    first = mask.json.get("first")
    return None if first is None else Expr("int64", json=["cast", "int64", first])


def _check_apart(operands):
    """dst, src and work tensor share no bytes. `operands`: name, Tensor, bytes from its start."""
    for i, (name, tensor, size) in enumerate(operands):
        for other_name, other, other_size in operands[:i]:
            starts = [one.constant_offset for one in (tensor, other)]
            if tensor.buffer is not other.buffer or None in (*starts, size, other_size):
                continue
            begin, other_begin = (start * size_of(one.dtype)
                                  for start, one in zip(starts, (tensor, other)))
            if begin < other_begin + other_size and other_begin < begin + size:
                fail(f"{other_name} and {name} address overlapping error. They should not overlap "
                     "at all")


def _bytes_of(operand, mask, repeat_times):
    repeats, stride = constant_of(repeat_times), constant_of(operand.repeat_stride)
    if mask.bits is None or repeats is None or stride is None:
        return None
    walk = Walk(operand.name, operand.tensor, 1, stride)
    if walk.start is None:
        return None
    return max(end for _, end in walk.intervals(mask, repeats - 1)) - walk.start


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
        _check_work(self, work, work_tensor, operands, lanes, repeat_times)
        emit_elementwise(self, api, record, mask, operands, repeat_times)

    return named(method, api, f"dst = {formula}, for each enabled element, rounded once.")


def _check_work(tik, work, tensor, operands, mask, repeat_times):
    check_tensor(tensor, "work_tensor")
    src = operands[1]
    dtype = work.dtype or src.tensor.dtype
    if tensor.dtype != dtype:
        fail(f"work_tensor's dtype should be {dtype}, input is {tensor.dtype}", TypeError)
    elements = work.elements(src.tensor, mask, repeat_times, src.repeat_stride)
    needed = None if elements is None else constant_of(elements)
    if needed is not None:
        check_extent("work_tensor", tensor, needed)
    elif elements is not None and None not in (tensor.constant_offset, tensor.original_elements):
        tik.program.emit({"do": "check", "value": elements.to_json(), "least": 0,
                          "most": tensor.original_elements - tensor.constant_offset,
                          "what": "elements of work_tensor"})
    _check_apart([(one.name, one.tensor, _bytes_of(one, mask, repeat_times)) for one in operands]
                 + [("work_tensor", tensor,
                     None if needed is None else needed * size_of(tensor.dtype))])


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
