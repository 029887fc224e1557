"""Inside UB: vcopy copies lanes, vbcb spreads each element over a datablock.
Rules: docs/spec/copy.md, docs/spec/brcb.md."""

from ..operands import (check_block_stride, check_in_range, check_mask,
                        check_repeat_stride, check_repeat_times, check_same_dtype,
                        check_supported, check_tensor)
from .elementwise import UNARY_BLOCK_MOST

STRIDE_MOST = 65535
COPY_REPEAT_MOST = 4095


def _lanes_of_each(mask, dtype, mask_mode):
    """In counter mode the number is that of each repeat."""
    lanes = check_mask(mask, dtype, mask_mode=mask_mode)
    if lanes.counter:
        lanes.json = {"count": check_in_range("mask", mask, 1, lanes.lanes)}
    return lanes


class Copying:
    """Mixin of Tik."""

    def vcopy(self, mask, dst, src, repeat_times, dst_blk_stride, src_blk_stride, dst_rep_stride,
              src_rep_stride, mask_mode="normal"):
        """dst = src, for each enabled element."""
        if not self.program.live:
            return
        fields = {"dst": check_tensor(dst, "dst"), "src0": check_tensor(src, "src"),
                  "repeats": check_repeat_times(repeat_times)}
        for field, name, block, repeat in (("dst", "dst", dst_blk_stride, dst_rep_stride),
                                           ("src0", "src", src_blk_stride, src_rep_stride)):
            fields[field + "_block"] = check_block_stride(name + "_blk_stride", block,
                                                          UNARY_BLOCK_MOST)
            fields[field + "_repeat"] = check_repeat_stride(name + "_rep_stride", repeat,
                                                            COPY_REPEAT_MOST)
        check_same_dtype(dst=dst, src=src)
        check_supported("copy", "vcopy", [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
        fields["mask"] = _lanes_of_each(mask, dst.dtype, mask_mode).json
        self.program.emit({"do": "call", "instruction": "copy", "as": "vcopy", **fields},
                          inside={"dst": "dst", "src0": "src"}, overlap=True)

    def vbcb(self, dst, src, repeat_times, dst_blk_stride, dst_rep_stride):
        """Each datablock of dst = one element of src, eight to a repeat."""
        if not self.program.live:
            return
        fields = {"dst": check_tensor(dst, "dst"), "src": check_tensor(src, "src"),
                  "repeats": check_repeat_times(repeat_times),
                  "dst_block": check_block_stride("dst_blk_stride", dst_blk_stride, STRIDE_MOST),
                  "dst_repeat": check_repeat_stride("dst_rep_stride", dst_rep_stride, STRIDE_MOST)}
        check_same_dtype(dst=dst, src=src)
        check_supported("brcb", "vbcb", [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
        self.program.emit({"do": "call", "instruction": "brcb", "as": "vbcb", **fields},
                          inside={"dst": "dst", "src": "src"})
