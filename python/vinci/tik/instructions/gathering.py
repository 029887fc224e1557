"""Elements and datablocks picked by offsets or by bits: vgather, vscatter, vgatherb, vbi, vreduce.
Rules: docs/spec/gather.md, scatter.md, gatherb.md, vbi.md, gather_mask.md."""

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
REPEATS_MOST = 255
STEP_MOST = 65534  # elements


def _check_offsets(name, offsets):
    operand = check_tensor(offsets, name)
    if offsets.dtype != "int32" and not chip.current().facts["any_offsets"]:
        fail(f"{name}'s dtype should be int32, input is {offsets.dtype}", TypeError)
    return operand


def _by_offsets(instruction, api, mask, tensors, offsets, repeat_times, base_addr, stride_unit,
                mask_mode):
    """The fields that vgather and vscatter have in common. `tensors`: dst and src; `offsets`: name
    and Tensor, which are relative to src or dst."""
    dst, src = tensors
    fields = {"dst": check_tensor(dst, "dst"), "src": check_tensor(src, "src")}
    check_same_dtype(dst=dst, src=src)
    check_supported(instruction, api, [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
    lanes = check_mask(mask, dst.dtype, mask_mode=mask_mode)
    fields.update(mask=lanes.json, repeats=check_repeat_times(repeat_times))
    check_stride_units(stride_unit)
    fields["offset"] = _check_offsets(*offsets)
    fields["base"] = check_in_range("base_addr", base_addr, 0,
                                    chip.current().bytes[dst.scope] - 1)
    return {"do": "call", "instruction": instruction, "as": api, **fields}


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
        call = _by_offsets("gather", "vgather", mask, (dst, src), ("src_offset", src_offset),
                           repeat_times, base_addr, stride_unit, mask_mode)
        call["dst_repeat"] = check_repeat_stride("dst_rep_stride", dst_rep_stride)
        self.program.emit(call, inside={"offset": "src_offset", "dst": "dst"})

    def vscatter(self, mask, dst, src, dst_offset, repeat_times, src_rep_stride, base_addr=0,
                 stride_unit=0, mask_mode="normal"):
        """The element of dst at byte base_addr + dst_offset[i] = src[i], for each enabled lane."""
        if not self.program.live:
            return
        call = _by_offsets("scatter", "vscatter", mask, (dst, src), ("dst_offset", dst_offset),
                           repeat_times, base_addr, stride_unit, mask_mode)
        call["src_repeat"] = check_repeat_stride("src_rep_stride", src_rep_stride)
        self.program.emit(call, inside={"offset": "dst_offset", "src": "src"})

    def vbi(self, mask, dst, src0, src1, src0_offset, dst_blk_stride, vertical_repeat_times,
            horizontal_repeat_times, repeat_mode, vertical_repeat_offset):
        """Eight datablocks of dst = the sum of horizontal_repeat_times times eight of src0, each
        multiplied by a number of src1; vertical_repeat_times such sums."""
        if not self.program.live:
            return
        fields = {"dst": check_tensor(dst, "dst"), "src0": check_tensor(src0, "src0"),
                  "src1": check_tensor(src1, "src1")}
        check_same_dtype(dst=dst, src0=src0)
        check_same_dtype(dst=dst, src1=src1)
        check_supported("vbi", "vbi", [dst.dtype],
                        f"dst {dst.dtype} src0 {src0.dtype} src1 {src1.dtype}")
        fields["mask"] = check_mask(mask, dst.dtype).json
        fields["offset"] = check_tensor(src0_offset, "src0_offset")
        if src0_offset.dtype not in ("int32", "uint32"):
            fail(f"src0_offset's dtype should be int32 or uint32, input is {src0_offset.dtype}",
                 TypeError)
        fields["dst_block"] = check_block_stride("dst_blk_stride", dst_blk_stride, STRIDE_MOST)
        fields["repeats"] = check_in_range("vertical_repeat_times", vertical_repeat_times, 1,
                                           REPEATS_MOST)
        fields["terms"] = check_in_range("horizontal_repeat_times", horizontal_repeat_times, 1,
                                         REPEATS_MOST)
        fields["factor_each_block"] = check_in_range("repeat_mode", repeat_mode, 0, 1)
        fields["dst_step"] = check_in_range("vertical_repeat_offset", vertical_repeat_offset, 128,
                                            STEP_MOST)
        self.program.emit({"do": "call", "instruction": "vbi", "as": "vbi",
                           **fields},
                          inside={"offset": "src0_offset", "src1": "src1", "dst": "dst"})

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
