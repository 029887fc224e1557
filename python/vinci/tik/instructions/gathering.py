"""vgather: elements by their offsets. Rules: docs/spec/gather.md."""

from .. import chip
from ..error import fail
from ..expr import constant_of
from ..operands import (check_extent, check_in_range, check_mask, check_overflow,
                        check_repeat_stride, check_repeat_times, check_same_dtype,
                        check_supported, check_tensor)
from .elementwise import check_stride_units

ANY_OFFSETS = (3002,)  # the generations that take offsets of any type

LANES_MOST = 128  # of a repeat: 8-bit elements come half as many as would fit


def _check_offsets(src_offset, lanes, repeat_times):
    """Offsets lie without gaps, one for each lane, enabled or not."""
    operand = check_tensor(src_offset, "src_offset")
    if src_offset.dtype != "int32" and chip.current().arch not in ANY_OFFSETS:
        fail(f"src_offset's dtype should be int32, input is {src_offset.dtype}", TypeError)
    repeats = constant_of(repeat_times)
    if lanes.counter and lanes.known:
        check_extent("src_offset", src_offset, lanes.count)
    elif lanes.known and repeats is not None:
        check_extent("src_offset", src_offset,
                     (repeats - 1) * min(lanes.lanes, LANES_MOST) + lanes.bits.bit_length())
    return operand


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
        fields["offset"] = _check_offsets(src_offset, lanes, repeat_times)
        fields["base"] = check_in_range("base_addr", base_addr, 0,
                                        chip.current().bytes[dst.scope] - 1)
        fields["dst_repeat"] = check_repeat_stride("dst_rep_stride", dst_rep_stride)
        check_overflow("dst", dst, lanes, repeat_times, 1, dst_rep_stride)
        self.program.emit({"do": "call", "instruction": "gather", "as": "vgather", **fields})
