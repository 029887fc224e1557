"""Comparing and selecting: vcmp_* into CMPMASK, vcmpv_* and vcmpvs_* into UB, vsel.
Rules: docs/spec/compare.md, docs/spec/select.md."""

from .. import chip
from ..error import fail
from ..operands import (check_block_stride, check_mask, check_repeat_times, check_same_dtype,
                        check_scalar, check_supported, check_tensor, check_unused, unsupported)
from ..scope import size_of
from ..tensor import Tensor
from .elementwise import Strided, named, names_of, strided_fields

VECTOR_LANES = 128  # of a repeat at most: 8-bit elements come half as many as would fit
COMPARISONS = {"lt": 0, "gt": 1, "eq": 2, "le": 3, "ge": 4, "ne": 5}  # of the engine's record
FORMULAS = {"lt": "<", "gt": ">", "eq": "==", "le": "<=", "ge": ">=", "ne": "!="}
ONE_REPEAT, TENSOR_SCALAR, TENSOR_TENSOR = range(3)  # modes of vsel
CMPMASK_BYTES = 16  # that it has, and at a multiple of which it may be copied
SEL_DTYPES = ("uint8", "uint16", "uint32", "uint64")


class CmpMask:
    """The register CMPMASK, as vcmp_* and mov_tensor_to_cmpmask return it. There is one."""

    def __repr__(self):
        return "CMPMASK"


CMPMASK = CmpMask()


def _compare(tik, api, record, comparison, dst, sources, repeat_times, scalar=None):
    """Of whole repeats; the bits go to dst one after the other. `sources`: Strided."""
    if not tik.program.live:
        return
    fields = {"dst": check_tensor(dst, "dst"), **strided_fields(sources, 255),
              "repeats": check_repeat_times(repeat_times), "comparison": COMPARISONS[comparison]}
    tensors = [source.tensor for source in sources]
    check_same_dtype(**{source.name: source.tensor for source in sources})
    dtype = tensors[0].dtype
    what = f"dst {dst.dtype} src {dtype}"
    check_supported(record, api, [dst.dtype, dtype], what)
    if dtype == "int32" and comparison != "eq":
        unsupported(api, what)
    if scalar is not None:
        fields["scalar"] = check_scalar("scalar", scalar, dtype)
    fields["mask"] = {"first": min(256 // size_of(dtype), VECTOR_LANES)}
    tik.program.emit({"do": "call", "instruction": record, "as": api, **fields},
                     inside={"dst": "dst", **names_of(sources)})


def two_tensors(comparison):
    """vec_cmpv_<comparison> and vcmpv_<comparison>."""
    short, long = "vec_cmpv_" + comparison, "vcmpv_" + comparison

    def vec(self, dst, src0, src1, repeat_times, src0_rep_stride, src1_rep_stride):
        _compare(self, short, "compare", comparison, dst,
                 [Strided("src0", src0, 1, src0_rep_stride),
                  Strided("src1", src1, 1, src1_rep_stride)], repeat_times)

    def v(self, dst, src0, src1, repeat_times, src0_blk_stride, src1_blk_stride, src0_rep_stride,
          src1_rep_stride):
        _compare(self, long, "compare", comparison, dst,
                 [Strided("src0", src0, src0_blk_stride, src0_rep_stride),
                  Strided("src1", src1, src1_blk_stride, src1_rep_stride)], repeat_times)

    doc = f"Bit i of dst = src0[i] {FORMULAS[comparison]} src1[i]."
    return named(vec, short, doc), named(v, long, doc)


def tensor_and_scalar(comparison):
    """vcmpvs_<comparison>."""
    api = "vcmpvs_" + comparison

    def method(self, dst, src, scalar, repeat_times, src_blk_stride, src_rep_stride):
        _compare(self, api, "compare_scalar", comparison, dst,
                 [Strided("src", src, src_blk_stride, src_rep_stride)], repeat_times, scalar)

    return named(method, api, f"Bit i of dst = src[i] {FORMULAS[comparison]} scalar.")


def into_register(comparison):
    """vcmp_<comparison>."""
    api = "vcmp_" + comparison

    def method(self, mask, src0, src1, src0_stride, src1_stride):
        if not self.program.live:
            return CMPMASK
        fields = {"repeats": 1, "comparison": COMPARISONS[comparison]}
        for name, tensor, stride in (("src0", src0, src0_stride), ("src1", src1, src1_stride)):
            fields[name] = check_tensor(tensor, name)
            fields[name + "_block"] = check_block_stride(name + "_stride", stride)
        check_same_dtype(src0=src0, src1=src1)
        check_supported("compare_register", api, [src0.dtype], f"src {src0.dtype}")
        lanes = check_mask(mask, src0.dtype)
        fields["mask"] = lanes.json
        self.program.emit({"do": "call", "instruction": "compare_register", "as": api, **fields},
                          inside={"src0": "src0", "src1": "src1"})
        return CMPMASK

    doc = f"Bit i of CMPMASK, which it returns, = src0[i] {FORMULAS[comparison]} src1[i]."
    return named(method, api, doc)


def _check_mode(mode):
    if isinstance(mode, bool) or not isinstance(mode, int):
        fail(f"mode should be int, input type: {type(mode)}", TypeError)
    if mode not in (ONE_REPEAT, TENSOR_SCALAR, TENSOR_TENSOR):
        fail(f"mode should be in the range of [0, 2], input value is {mode}")
    if mode != ONE_REPEAT and not chip.has("select_from_ub"):
        fail(f"v100 doesn't support mode {mode}")


def _check_sel(mode, sel):
    """The field of sel; the register with mode 0 needs none."""
    if mode == ONE_REPEAT and isinstance(sel, CmpMask):
        return {}
    operand = check_tensor(sel, "sel")
    if sel.dtype not in SEL_DTYPES:
        fail(f"sel's dtype should be one of {', '.join(SEL_DTYPES)}, input is {sel.dtype}",
             TypeError)
    return {"sel": operand}


def _select(tik, api, mask, mode, dst, sel, src0, src1, repeat_times):
    """`dst`, `src0`, `src1`: (Tensor, block stride, repeat stride); the last may be a number."""
    if not tik.program.live:
        return
    _check_mode(mode)
    repeats = check_repeat_times(repeat_times)
    operands = [Strided("dst", *dst), Strided("src0", *src0)]
    fields = {"mode": mode, "repeats": repeats, **strided_fields(operands, 255)}
    if mode != TENSOR_SCALAR:
        operands.append(Strided("src1", *src1))
        fields.update(strided_fields(operands[2:], 255))
    else:
        check_unused(tik, api, "src1_blk_stride", src1[1], 0, 255)
        check_unused(tik, api, "src1_rep_stride", src1[2], 0, 255)
        if isinstance(src1[0], Tensor):
            fail("src1 should be int, float, Scalar or Expr in mode 1, input is a tensor",
                 TypeError)
    check_same_dtype(**{operand.name: operand.tensor for operand in operands})
    dtype = dst[0].dtype
    check_supported("select", api, [dtype], f"dst {dtype} src {src0[0].dtype}")
    if mode == TENSOR_SCALAR:
        fields["scalar"] = check_scalar("src1", src1[0], dtype)
    lanes = check_mask(mask, dtype)
    fields["mask"] = lanes.json
    fields.update(_check_sel(mode, sel))
    tik.program.emit({"do": "call", "instruction": "select", "as": api, **fields},
                     inside={**names_of(operands), "sel": "sel"}, overlap=True)


def _move_mask(tik, api, record, name, tensor):
    if tik.program.live:
        operand = check_tensor(tensor, name, align=CMPMASK_BYTES)
        tik.program.emit({"do": "call", "instruction": record, "as": api, "tensor": operand},
                         inside={"tensor": name})


class Comparison:
    """Mixin of Tik."""

    vec_cmpv_lt, vcmpv_lt = two_tensors("lt")
    vec_cmpv_gt, vcmpv_gt = two_tensors("gt")
    vec_cmpv_eq, vcmpv_eq = two_tensors("eq")
    vec_cmpv_le, vcmpv_le = two_tensors("le")
    vec_cmpv_ge, vcmpv_ge = two_tensors("ge")
    vec_cmpv_ne, vcmpv_ne = two_tensors("ne")

    vcmpvs_lt = tensor_and_scalar("lt")
    vcmpvs_gt = tensor_and_scalar("gt")
    vcmpvs_eq = tensor_and_scalar("eq")
    vcmpvs_le = tensor_and_scalar("le")
    vcmpvs_ge = tensor_and_scalar("ge")
    vcmpvs_ne = tensor_and_scalar("ne")

    vcmp_lt = into_register("lt")
    vcmp_gt = into_register("gt")
    vcmp_eq = into_register("eq")
    vcmp_le = into_register("le")
    vcmp_ge = into_register("ge")
    vcmp_ne = into_register("ne")

    def mov_tensor_to_cmpmask(self, src):
        """CMPMASK, which it returns, = the first 16 bytes of src."""
        _move_mask(self, "mov_tensor_to_cmpmask", "set_cmp_mask", "src", src)
        return CMPMASK

    def mov_cmpmask_to_tensor(self, dst, src_cmpmask):
        """The first 16 bytes of dst = CMPMASK."""
        if not self.program.live:
            return
        if not isinstance(src_cmpmask, CmpMask):
            fail("Please assure src_cmpmask is cmpmask.", TypeError)
        check_tensor(dst, "dst", align=CMPMASK_BYTES)
        if dst.dtype not in SEL_DTYPES:
            fail(f"dst's dtype should be one of {', '.join(SEL_DTYPES)}, input is {dst.dtype}",
                 TypeError)
        _move_mask(self, "mov_cmpmask_to_tensor", "get_cmp_mask", "dst", dst)

    def vec_sel(self, mask, mode, dst, sel, src0, src1, repeat_times, dst_rep_stride=0,
                src0_rep_stride=0, src1_rep_stride=0):
        """dst[i] = bit i of sel ? src0[i] : src1[i]"""
        _select(self, "vec_sel", mask, mode, (dst, 1, dst_rep_stride), sel,
                (src0, 1, src0_rep_stride), (src1, 1, src1_rep_stride), repeat_times)

    def vsel(self, mask, mode, dst, sel, src0, src1, repeat_times, dst_blk_stride, src0_blk_stride,
             src1_blk_stride, dst_rep_stride=0, src0_rep_stride=0, src1_rep_stride=0, name="vsel",
             mask_o=None):
        """vec_sel with block strides."""
        _select(self, "vsel", mask, mode, (dst, dst_blk_stride, dst_rep_stride), sel,
                (src0, src0_blk_stride, src0_rep_stride), (src1, src1_blk_stride, src1_rep_stride),
                repeat_times)
