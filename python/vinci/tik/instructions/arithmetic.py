"""Element-wise arithmetic in its two spellings: vec_add has block strides of 1, vadd has its own."""

from ..expr import cast
from ..operands import check_bool, check_kind, check_tensor, check_unused
from ..scope import size_of
from .elementwise import (BINARY_BLOCK_MOST, UNARY_BLOCK_MOST, Strided, check_stride_units,
                          emit_elementwise, named)


def unary(name, record, formula):
    """vec_<name> and v<name>: dst = formula(src)."""

    def emit(tik, api, mask, dst, src, repeats):
        emit_elementwise(tik, api, record, mask, [Strided("dst", *dst), Strided("src", *src)],
                         repeats)

    def vec(self, mask, dst, src, repeat_times, dst_rep_stride, src_rep_stride):
        emit(self, "vec_" + name, mask, (dst, 1, dst_rep_stride), (src, 1, src_rep_stride),
             repeat_times)

    def v(self, mask, dst, src, repeat_times, dst_blk_stride, src_blk_stride, dst_rep_stride,
          src_rep_stride, stride_unit=0):
        check_stride_units(stride_unit)
        emit(self, "v" + name, mask, (dst, dst_blk_stride, dst_rep_stride),
             (src, src_blk_stride, src_rep_stride), repeat_times)

    doc = f"dst = {formula}, for each enabled element."
    return named(vec, "vec_" + name, doc), named(v, "v" + name, doc)


def binary(name, record, formula, mixed=False):
    """vec_<name> and v<name>: dst = formula(src0, src1). `mixed`: dst may have another type."""

    def emit(tik, api, mask, repeats, *operands):
        emit_elementwise(tik, api, record, mask,
                         [Strided(*operand) for operand in zip(("dst", "src0", "src1"), *operands)],
                         repeats, mixed=mixed, block_most=BINARY_BLOCK_MOST)

    return _two_sources(name, emit, formula)


def _two_sources(name, emit, formula):
    """The two spellings of emit(tik, api, mask, repeat_times, tensors, block strides, repeat
    strides)."""

    def vec(self, mask, dst, src0, src1, repeat_times, dst_rep_stride, src0_rep_stride,
            src1_rep_stride):
        emit(self, "vec_" + name, mask, repeat_times, (dst, src0, src1), (1, 1, 1),
             (dst_rep_stride, src0_rep_stride, src1_rep_stride))

    def v(self, mask, dst, src0, src1, repeat_times, dst_blk_stride, src0_blk_stride,
          src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride, stride_unit=0):
        check_stride_units(stride_unit)
        emit(self, "v" + name, mask, repeat_times, (dst, src0, src1),
             (dst_blk_stride, src0_blk_stride, src1_blk_stride),
             (dst_rep_stride, src0_rep_stride, src1_rep_stride))

    doc = f"dst = {formula}, for each enabled element."
    return named(vec, "vec_" + name, doc), named(v, "v" + name, doc)


def with_scalar(name, record, formula):
    """vec_<name> and v<name>: dst = formula(src, scalar); the scalar has the type of src."""

    def emit(tik, api, mask, dst, src, scalar, repeats, mask_mode):
        emit_elementwise(tik, api, record, mask, [Strided("dst", *dst), Strided("src", *src)],
                         repeats, scalar=scalar, mask_mode=mask_mode, block_most=UNARY_BLOCK_MOST)

    def vec(self, mask, dst, src, scalar, repeat_times, dst_rep_stride, src_rep_stride,
            mask_mode="normal"):
        emit(self, "vec_" + name, mask, (dst, 1, dst_rep_stride), (src, 1, src_rep_stride), scalar,
             repeat_times, mask_mode)

    def v(self, mask, dst, src, scalar, repeat_times, dst_blk_stride, src_blk_stride,
          dst_rep_stride, src_rep_stride, stride_unit=0, mask_mode="normal"):
        check_stride_units(stride_unit)
        emit(self, "v" + name, mask, (dst, dst_blk_stride, dst_rep_stride),
             (src, src_blk_stride, src_rep_stride), scalar, repeat_times, mask_mode)

    doc = f"dst = {formula}, for each enabled element."
    return named(vec, "vec_" + name, doc), named(v, "v" + name, doc)


def _axpy(tik, api, mask, dst, src, scalar, repeats):
    """float32 may take products of float16."""
    emit_elementwise(tik, api, "axpy", mask, [Strided("dst", *dst), Strided("src", *src)], repeats,
                     mixed=True, scalar=scalar)


def fused(*what, **more):
    """As binary, but TIK has no vec_<name>."""
    return binary(*what, **more)[1]


def multiply_add(name, record, formula):
    """dst is read as well as written; float32 may take float16."""
    return fused(name, record, formula, mixed=True)


def _shift(tik, api, record, mask, dst, src, scalar, repeats, mask_mode, **more):
    """The amount is an integer of any type, from 0 to the bits of an element."""
    if not tik.program.live:
        return
    check_tensor(src[0], "src")
    dtype = src[0].dtype
    check_kind("src", src[0], ("int", "uint"))
    bits = size_of(dtype) * 8
    check_unused(tik, api, "scalar", scalar, 0, bits)  # the field holds it as a number of src
    emit_elementwise(tik, api, record, mask, [Strided("dst", *dst), Strided("src", *src)], repeats,
                     scalar=cast(scalar, dtype), mask_mode=mask_mode, more=more)


class Arithmetic:
    """Mixin of Tik."""

    vec_abs, vabs = unary("abs", "abs", "|src|")
    vec_exp, vexp = unary("exp", "exp", "e ** src")
    vec_ln, vln = unary("ln", "ln", "ln(src)")
    vec_relu, vrelu = unary("relu", "relu", "max(src, 0)")
    vec_rec, vrec = unary("rec", "reciprocal", "1 / src")
    vec_sqrt, vsqrt = unary("sqrt", "sqrt", "sqrt(src)")
    vec_rsqrt, vrsqrt = unary("rsqrt", "rsqrt", "1 / sqrt(src)")
    vec_not, vnot = unary("not", "bitwise_not", "~src")

    vec_add, vadd = binary("add", "add", "src0 + src1")
    vec_sub, vsub = binary("sub", "sub", "src0 - src1")
    vec_mul, vmul = binary("mul", "mul", "src0 * src1")
    vec_div, vdiv = binary("div", "div", "src0 / src1")
    vec_max, vmax = binary("max", "max", "max(src0, src1)")
    vec_min, vmin = binary("min", "min", "min(src0, src1)")
    vec_and, vand = binary("and", "bitwise_and", "src0 & src1")
    vec_or, vor = binary("or", "bitwise_or", "src0 | src1")

    vmla = multiply_add("mla", "mul_add_dst", "dst + src0 * src1")
    vmadd = multiply_add("madd", "fused_mul_add", "src0 * dst + src1")
    vmaddrelu = multiply_add("maddrelu", "fused_mul_add_relu", "max(src0 * dst + src1, 0)")

    vaddrelu = fused("addrelu", "add_relu", "max(src0 + src1, 0)")
    vsubrelu = fused("subrelu", "sub_relu", "max(src0 - src1, 0)")
    vmulconv = fused("mulconv", "mul_cast", "src0 * src1 as int8 or uint8", mixed=True)

    vec_adds, vadds = with_scalar("adds", "adds", "src + scalar")
    vec_muls, vmuls = with_scalar("muls", "muls", "src * scalar")
    vec_maxs, vmaxs = with_scalar("maxs", "maxs", "max(src, scalar)")
    vec_mins, vmins = with_scalar("mins", "mins", "min(src, scalar)")
    vec_lrelu, vlrelu = with_scalar("lrelu", "leaky_relu", "src or, below 0, src * scalar")

    def vec_axpy(self, mask, dst, src, scalar, repeat_times, dst_rep_stride, src_rep_stride):
        """dst = dst + src * scalar, for each enabled element."""
        _axpy(self, "vec_axpy", mask, (dst, 1, dst_rep_stride), (src, 1, src_rep_stride), scalar,
              repeat_times)

    def vaxpy(self, mask, dst, src, scalar, repeat_times, dst_blk_stride, src_blk_stride,
              dst_rep_stride, src_rep_stride, stride_unit=0):
        """dst = dst + src * scalar, for each enabled element."""
        check_stride_units(stride_unit)
        _axpy(self, "vaxpy", mask, (dst, dst_blk_stride, dst_rep_stride),
              (src, src_blk_stride, src_rep_stride), scalar, repeat_times)

    def vshl(self, mask, dst, src, scalar, repeat_times, dst_blk_stride, src_blk_stride,
             dst_rep_stride, src_rep_stride, stride_unit=0, mask_mode="normal"):
        """dst = src << scalar, for each enabled element; signed numbers keep their sign."""
        check_stride_units(stride_unit)
        _shift(self, "vshl", "shift_left", mask, (dst, dst_blk_stride, dst_rep_stride),
               (src, src_blk_stride, src_rep_stride), scalar, repeat_times, mask_mode)

    def vshr(self, mask, dst, src, scalar, repeat_times, dst_blk_stride, src_blk_stride,
             dst_rep_stride, src_rep_stride, stride_unit=0, round_en=False, mask_mode="normal"):
        """dst = src >> scalar, for each enabled element; round_en adds the last bit shifted out."""
        check_stride_units(stride_unit)
        check_bool("round_en", round_en)
        _shift(self, "vshr", "shift_right", mask, (dst, dst_blk_stride, dst_rep_stride),
               (src, src_blk_stride, src_rep_stride), scalar, repeat_times, mask_mode,
               round=int(round_en))

    def vec_dup(self, mask, dst, scalar, repeat_times, dst_rep_stride):
        """dst = scalar, for each enabled element."""
        _fill(self, "vec_dup", mask, (dst, 1, dst_rep_stride), scalar, repeat_times)

    def vector_dup(self, mask, dst, scalar, repeat_times, dst_blk_stride, dst_rep_stride,
                   stride_unit=0):
        """dst = scalar, for each enabled element."""
        check_stride_units(stride_unit)
        _fill(self, "vector_dup", mask, (dst, dst_blk_stride, dst_rep_stride), scalar, repeat_times)


def _fill(tik, api, mask, dst, scalar, repeats):
    emit_elementwise(tik, api, "duplicate", mask, [Strided("dst", *dst)], repeats, scalar=scalar)
