"""Elements and datablocks picked by offsets or by bits: vgather, vgatherb, vreduce.
Rules: docs/spec/gather.md, docs/spec/gatherb.md, docs/spec/gather_mask.md."""

from .. import chip
from ..api_support import api_check_support
from ..error import fail
from ..expr import is_integer
from ..operands import (COUNT_MOST, check_block_stride, check_in_range, check_mask,
                        check_mask_mode, check_repeat_stride, check_repeat_times,
                        check_same_dtype, check_supported, check_tensor, unsupported)
from ..scalar import Scalar
from ..scope import is_integer_dtype, size_of
from ..tensor import Tensor
from .elementwise import check_stride_units

STRIDE_MOST = 65535


def _check_offsets(src_offset):
    operand = check_tensor(src_offset, "src_offset")
    if src_offset.dtype != "int32" and not chip.current().facts["any_offsets"]:
        fail(f"src_offset's dtype should be int32, input is {src_offset.dtype}", TypeError)
    return operand


def _pattern(src1_pattern, dtype):
    """The fields of a number 1 to 7, or of a Tensor of bits."""
    if not isinstance(src1_pattern, Tensor):
        most = 6 if chip.has("gather_mask_total") else 7
        return {"fixed": check_in_range("src1_pattern", src1_pattern, 1, most)}
    operand = check_tensor(src1_pattern, "src1_pattern")
    wanted = f"uint{8 * size_of(dtype)}"
    if src1_pattern.dtype != wanted:
        fail(f"src1_pattern's dtype should be {wanted} for a tensor of {dtype}, input is "
             f"{src1_pattern.dtype}", TypeError)
    return {"pattern": operand}


def _reduce(tik, api, mask, dst, src0, src1_pattern, repeat_times, strides, rsvd_scalar, mask_mode):
    """`strides`: block and repeat of src0, repeat of the bits."""
    fields = {"dst": check_tensor(dst, "dst"), "src": check_tensor(src0, "src0"),
              "repeats": check_repeat_times(repeat_times),
              "src_block": check_block_stride("src0_blk_stride", strides[0]),
              "src_repeat": check_repeat_stride("src0_rep_stride", strides[1], STRIDE_MOST),
              "pattern_repeat": check_repeat_stride("src1_rep_stride", strides[2])}
    check_same_dtype(dst=dst, src0=src0)
    check_supported("gather_mask", api, [dst.dtype], f"dst {dst.dtype} src0 {src0.dtype}")
    fields.update(_pattern(src1_pattern, src0.dtype))
    check_mask_mode(mask_mode)
    if mask_mode == "counter":  # else the mask is not looked at
        if not is_integer(mask):
            fail(f"not support this type of mask now with mask_mode 'counter', input type: "
                 f"{type(mask)}", TypeError)
        fields.update(counter=1, elements=check_in_range("mask", mask, 1, COUNT_MOST))
    if rsvd_scalar is not None and not (isinstance(rsvd_scalar, Scalar)
                                        and is_integer_dtype(rsvd_scalar.dtype)):
        fail(f"rsvd_scalar should be Scalar(int/uint), input type: {type(rsvd_scalar)}", TypeError)
    tik.program.emit({"do": "call", "instruction": "gather_mask", "as": api, **fields},
                     inside={"src": "src0", "pattern": "src1_pattern"})
    if rsvd_scalar is not None:
        rsvd_scalar.read_register("gathered", api)


class Gathering:
    """Mixin of Tik."""

    def vgather(self, mask, dst, src, src_offset, repeat_times, dst_rep_stride, base_addr=0,
                stride_unit=0, mask_mode="normal"):
        """dst[i] = the element of src at byte base_addr + src_offset[i], for each enabled lane."""
        if not self.program.live:
            return
        fields = {"dst": check_tensor(dst, "dst"), "src": check_tensor(src, "src")}
        check_same_dtype(dst=dst, src=src)
        check_supported("gather", "vgather", [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
        lanes = check_mask(mask, dst.dtype, mask_mode=mask_mode)
        fields.update(mask=lanes.json, repeats=check_repeat_times(repeat_times))
        check_stride_units(stride_unit)
        fields["offset"] = _check_offsets(src_offset)
        fields["base"] = check_in_range("base_addr", base_addr, 0,
                                        chip.current().bytes[dst.scope] - 1)
        fields["dst_repeat"] = check_repeat_stride("dst_rep_stride", dst_rep_stride)
        self.program.emit({"do": "call", "instruction": "gather", "as": "vgather", **fields},
                          inside={"offset": "src_offset", "dst": "dst"})

    def vgatherb(self, dst, src, src_offsets, repeat_times, dst_blk_stride, dst_rep_stride):
        """Each datablock of dst = the one of src at byte src_offsets[i], eight to a repeat."""
        if not self.program.live:
            return
        fields = {"dst": check_tensor(dst, "dst"), "src": check_tensor(src, "src"),
                  "offset": check_tensor(src_offsets, "src_offsets"),
                  "repeats": check_repeat_times(repeat_times),
                  "dst_block": check_block_stride("dst_blk_stride", dst_blk_stride),
                  "dst_repeat": check_repeat_stride("dst_rep_stride", dst_rep_stride)}
        check_same_dtype(dst=dst, src=src)
        check_supported("gatherb", "vgatherb", [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
        if src_offsets.dtype not in ("int32", "uint32"):
            fail(f"src_offsets's dtype should be int32 or uint32, input is {src_offsets.dtype}",
                 TypeError)
        self.program.emit({"do": "call", "instruction": "gatherb", "as": "vgatherb", **fields},
                          inside={"dst": "dst", "offset": "src_offsets"})

    def vreduce(self, mask, dst, src0, src1_pattern, repeat_times, src0_blk_stride,
                src0_rep_stride, src1_rep_stride, stride_unit=0, rsvd_scalar=None,
                mask_mode="normal"):
        """dst = the elements of src0 whose bit is set; rsvd_scalar = how many there are."""
        if self.program.live:
            check_stride_units(stride_unit)
            _reduce(self, "vreduce", mask, dst, src0, src1_pattern, repeat_times,
                    (src0_blk_stride, src0_rep_stride, src1_rep_stride), rsvd_scalar, mask_mode)

    def vreducev2(self, mask, dst, src0, src1_pattern, repeat_times, src0_blk_stride,
                  src0_rep_stride, src1_rep_stride, rsvd_scalar=None, mask_mode="normal"):
        """vreduce of the newer chips."""
        if self.program.live:
            if not api_check_support("vreducev2"):
                unsupported("vreducev2", f"dst {getattr(dst, 'dtype', dst)}")
            _reduce(self, "vreducev2", mask, dst, src0, src1_pattern, repeat_times,
                    (src0_blk_stride, src0_rep_stride, src1_rep_stride), rsvd_scalar, mask_mode)
