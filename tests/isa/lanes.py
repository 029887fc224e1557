"""The vector operand model in numpy: forms, masks, strides, extents, overlap.

addr(r, i) = base + 32 * (r * repeat stride + i / E * block stride) + i % E * width, E = 32 / width.
"""

import collections

import numpy as np

from cases import UB_BYTES

COUNT, BITS, CONTINUOUS = 0, 1, 2
FULL = (1 << 64) - 1
VECIN, VECOUT, VECCALC = 9, 10, 11
POSITIONS = (VECIN, VECOUT, VECCALC)


# The MASK register: 128 bits, and whether the low 32 of them are a number of elements.
Mask = collections.namedtuple("Mask", ["bits", "counter"])
MASK_AT_START = Mask((1 << 128) - 1, False)
# The chips where the count form leaves all bits set.
COUNT_FILLS_MASK = {"2002", "2002v", "2201", "3002"}


def lanes_per_repeat(width):
    return min(128, 256 // width)


def repeats_of(case, width):
    """The enabled lanes of each repeat, as arrays."""
    most = lanes_per_repeat(width)
    if case["form"] == COUNT:
        return [np.arange(min(most, case["count"] - first))
                for first in range(0, case["count"], most)]
    if case["form"] == BITS:
        bits = case["mask0"] | case["mask1"] << 64
        lanes = np.array([i for i in range(most) if bits >> i & 1], int)
    else:
        lanes = np.arange(min(case["mask0"], most))
    return [lanes] * case["repeats"] if len(lanes) else []


def mask_during(mask, form, mask0, mask1, set_mask=True):
    """The register while a call works that may write it."""
    if form == COUNT or not set_mask:
        return mask
    if form == BITS or mask.counter:
        return mask._replace(bits=mask0 | mask1 << 64)
    return mask._replace(bits=(1 << mask0) - 1)


def mask_after_count(mask, count, width, chip):
    """The register after a call in the count form: all ones and Normal mode, or the lanes of the
    last repeat."""
    most = lanes_per_repeat(width)
    if chip in COUNT_FILLS_MASK:
        return MASK_AT_START
    return mask._replace(bits=(1 << (count % most or most)) - 1) if count else mask


def as_called(case, width):
    """The case as it reads if the call sets its mask: with isSetMask = false it takes the register,
    which enables all lanes when a kernel starts."""
    if case["set_mask"] or case["form"] == COUNT:
        return case
    high = FULL if lanes_per_repeat(width) > 64 else 0
    return case | {"form": BITS, "mask0": FULL, "mask1": high}


def repeats_by(mask, width, repeats):
    """The lanes of each repeat that the register enables; width: that of the widest element."""
    most = lanes_per_repeat(width)
    if mask.counter:
        count = mask.bits & 0xFFFFFFFF
        return [np.arange(min(most, count - first)) for first in range(0, count, most)]
    lanes = np.array([i for i in range(most) if mask.bits >> i & 1], int)
    return [lanes] * repeats if len(lanes) else []


def strides_of(case, name, width):
    """(block, repeat) stride of an operand; the count form is contiguous."""
    if case["form"] == COUNT:
        return 1, lanes_per_repeat(width) * width // 32
    return case[name + "_blk"], case[name + "_rep"]


def addresses(case, name, width, repeats=None):
    """Byte addresses of an operand's enabled lanes, an array for each repeat. `repeats` are lanes
    of an operand wider than this one."""
    block, repeat = strides_of(case, name, width)
    per_block = 32 // width
    found, last, first = [], None, None
    for r, lanes in enumerate(repeats_of(case, width) if repeats is None else repeats):
        if lanes is not last:  # most calls have the same lanes in each repeat
            last = lanes
            first = case[name] + lanes // per_block * (32 * block) + lanes % per_block * width
        found.append(first + 32 * r * repeat)
    return found


def bytes_needed(case, name, width, repeats=None):
    """Bytes from the operand's start to the end of its last enabled lane."""
    ends = [lane.max() + width for lane in addresses(case, name, width, repeats) if len(lane)]
    return max(ends, default=case[name]) - case[name]


def fits(case, names, width, chip, image, repeats=None):
    """Each operand lies in its tensor, in the image and in UB, at a datablock."""
    return all(case[name + "_pos"] in POSITIONS and case[name] % 32 == 0 and
               case[name + "_n"] >= 0 and
               bytes_needed(case, name, width, repeats) <= case[name + "_n"] * width and
               case[name] + case[name + "_n"] * width <= min(image, UB_BYTES[chip])
               for name in names)


def mask_is_legal(case, width, zero_is_nop):
    most = lanes_per_repeat(width)
    if case["form"] == COUNT:
        return case["count"] >= 0
    if not 0 <= case["repeats"] <= 255:
        return False
    if case["form"] == CONTINUOUS:
        return (0 if zero_is_nop else 1) <= case["mask0"] <= most
    if not 0 <= case["mask0"] <= FULL or not 0 <= case["mask1"] <= FULL:
        return False
    if most <= 64 and case["mask1"]:
        return False
    return zero_is_nop or case["mask0"] | case["mask1"] != 0


def may_overlap(case, dst, src, width):
    """Inside a repeat two operands coincide or are apart, and no repeat's destination is a later
    repeat's source. Operands count from their start to their last enabled lane: whether others
    that only interleave may meet is for a test of its own."""
    writes, reads = spans(case, dst, width), spans(case, src, width)
    same_blocks = strides_of(case, dst, width)[0] == strides_of(case, src, width)[0]
    for r, (begin, end) in enumerate(writes):
        coincide = same_blocks and begin == reads[r][0]
        if not coincide and begin < reads[r][1] and reads[r][0] < end:
            return False
        if any(begin < last and first < end for first, last in reads[r + 1:]):
            return False
    return True


def spans(case, name, width):
    """[begin, end) of an operand in each repeat."""
    repeat = strides_of(case, name, width)[1]
    return [(case[name] + 32 * r * repeat, int(lane.max()) + width)
            for r, lane in enumerate(addresses(case, name, width))]


def random_lanes(rng, width, most_count, most_repeats=6):
    """Random form, mask, repeats and count; every third mask is full, continuous or one lane."""
    most = lanes_per_repeat(width)
    form = rng.integers(0, 3)
    words = [int(word) for word in rng.integers(0, 1 << 64, 4, np.uint64)]
    kind = rng.integers(0, 6)
    bits = [words[0] | words[1] << 64, (words[0] & words[2]) | (words[1] & words[3]) << 64,
            (1 << 128) - 1, 1 << int(rng.integers(0, most)),
            (1 << int(rng.integers(1, most + 1))) - 1,
            words[0] << 64][kind] % (1 << most)
    mask0, mask1 = bits & FULL, bits >> 64
    if form == CONTINUOUS:
        mask0, mask1 = rng.choice([1, most, rng.integers(1, most + 1)]), 0
    return {"form": form, "mask0": mask0, "mask1": mask1,
            "repeats": rng.integers(0, most_repeats + 1), "count": rng.integers(0, most_count + 1)}
