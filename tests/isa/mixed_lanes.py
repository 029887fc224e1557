"""The vector operand model for two operands of different widths, in bits.

A repeat has as many lanes as the wider element has in 8 datablocks; each operand steps from block
to block after its own 32 bytes. A layout is (bits of an element, elements in a block, bytes from a
block's start to its first element).
"""

import numpy as np

import lanes
from cases import UB_BYTES, WIDTH
from harness import NUMPY

POSITIONS = lanes.POSITIONS


def bits_of(dtype):
    return 4 if dtype == "int4" else 8 * WIDTH[dtype]


def layout_of(dtype):
    return bits_of(dtype), 256 // bits_of(dtype), 0


def widest_bytes(layouts):
    return max(bits for bits, _, _ in layouts.values()) // 8


def strides_of(case, name, layouts):
    """(block, repeat) stride of an operand; the count form is contiguous."""
    if case["form"] == lanes.COUNT:
        return 1, lanes.lanes_per_repeat(widest_bytes(layouts)) // layouts[name][1]
    block = case[name + "_blk"]
    return max(block, 1) if name == "dst" else block, case[name + "_rep"]


def repeats_of(case, name, layouts):
    """(first byte, enabled lanes) of each repeat."""
    repeat = strides_of(case, name, layouts)[1]
    return [(case[name] + 32 * r * repeat, lane)
            for r, lane in enumerate(lanes.repeats_of(case, widest_bytes(layouts)))]


def addresses(case, name, layouts):
    """Bit addresses of the enabled lanes, an array for each repeat."""
    bits, per_block, offset = layouts[name]
    block = strides_of(case, name, layouts)[0]
    return [8 * (start + 32 * (lane // per_block * block) + offset) + lane % per_block * bits
            for start, lane in repeats_of(case, name, layouts)]


def spans(case, name, layouts):
    """[begin, end) in bytes of the enabled lanes of each repeat."""
    bits = layouts[name][0]
    return [(int(at.min()) // 8, (int(at.max()) + bits) // 8)
            for at in addresses(case, name, layouts)]


def bytes_needed(case, name, layouts):
    """Bytes from the operand's start to the end of its last enabled lane."""
    return max((end for _, end in spans(case, name, layouts)), default=case[name]) - case[name]


def fits(case, layouts, bytes_of_tensor, chip, image):
    """Each operand lies in its tensor, in the image and in UB, at a datablock."""
    return all(case[name + "_pos"] in POSITIONS and case[name] % 32 == 0 and
               case[name + "_n"] >= 0 and
               bytes_needed(case, name, layouts) <= bytes_of_tensor[name] and
               case[name] + bytes_of_tensor[name] <= min(image, UB_BYTES[chip])
               for name in layouts)


def mask_is_legal(case, layouts, zero_is_nop):
    """With int4, two to a byte, lanes come in pairs."""
    if not lanes.mask_is_legal(case, widest_bytes(layouts), zero_is_nop):
        return False
    most = lanes.lanes_per_repeat(widest_bytes(layouts))
    if most == 32 and case["form"] == lanes.BITS and case["mask0"] >> 32:
        return False
    if all(bits != 4 for bits, _, _ in layouts.values()):
        return True
    if case["form"] == lanes.COUNT:
        return case["count"] % 2 == 0
    if case["form"] == lanes.CONTINUOUS:
        return case["mask0"] % 2 == 0
    bits = case["mask0"] | case["mask1"] << 64
    return ((bits ^ bits >> 1) & int("5" * 32, 16)) == 0


def may_overlap(case, layouts):
    """In each repeat dst and src are apart, or start together with dst no wider and the same block
    stride; and no repeat's dst is a later one's src. Operands count from their start to their last
    enabled lane: whether others that only interleave may meet is for a test of its own."""
    writes, reads = stretches(case, "dst", layouts), stretches(case, "src", layouts)
    together = layouts["dst"][1] >= layouts["src"][1] and \
        strides_of(case, "dst", layouts)[0] == strides_of(case, "src", layouts)[0]
    for r, (begin, end) in enumerate(writes):
        if not (together and begin == reads[r][0]) and begin < reads[r][1] and reads[r][0] < end:
            return False
        if any(begin < last and first < end for first, last in reads[r + 1:]):
            return False
    return True


def stretches(case, name, layouts):
    """[begin, end) of the datablocks from lane 0 to the last enabled lane of each repeat."""
    block, per_block = strides_of(case, name, layouts)[0], layouts[name][1]
    return [(start, start + 32 * (int(lane.max()) // per_block * block + 1))
            for start, lane in repeats_of(case, name, layouts)]


def load(memory, dtype, at):
    """Elements at bit addresses; int4 as -8..7."""
    if dtype == "int4":
        nibbles = memory[at // 8] >> (at % 8).astype(np.uint8) & 15
        return (nibbles ^ 8).astype(np.int8) - np.int8(8)
    return memory.view(NUMPY[dtype])[at // 8 // WIDTH[dtype]]


def store(memory, dtype, at, values):
    """Puts elements there; of a byte with one int4 element the other one stays."""
    if dtype != "int4":
        width = WIDTH[dtype]
        memory.view(f"u{width}")[at // 8 // width] = values.view(f"u{width}")
        return
    for shift in (0, 4):
        part = at % 8 == shift
        where = at[part] // 8
        memory[where] = memory[where] & (0xF0 >> shift) | \
            (values[part].view(np.uint8) & 15) << shift
