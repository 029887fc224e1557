"""What the tests of Copy, VectorPadding, Brcb and Gatherb share: the fields of a case, and where datablocks lie."""

import numpy as np

import lanes
from cases import TYPES, UB_BYTES, WIDTH, Subject, random_bytes
from lanes import VECCALC


class CopySubject(Subject):
    """A call of one of them."""

    source = "copy_cases.cpp"
    fields = ("type", "form", "mask0", "mask1", "set_mask", "counter", "repeats", "dst_pos", "dst",
              "dst_n", "src_pos", "src", "src_n", "off_pos", "off", "off_n", "dst_blk", "dst_rep",
              "src_blk", "src_rep", "probe", "pad", "right", "seed")
    simplest = {"set_mask": 1, "counter": 0, "repeats": 1, "mask0": 1, "mask1": 0, "dst_blk": 1,
                "dst_rep": 8, "src_blk": 1, "src_rep": 8, "dst": 0, "src": 0, "off": 0,
                "probe": -1, "pad": 0, "right": 0, "seed": 0}
    supported = {}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        return random_bytes(case["seed"], self.image)

    @staticmethod
    def width(case):
        return WIDTH[TYPES[case["type"]]]

    def on_chip(self, case, chip):
        return TYPES[case["type"]] in self.supported.get(chip, []) and \
            (case["probe"] < 0 or case["probe"] % 32 == 0)

    def placed(self, case, name, width, needed, chip):
        """The operand lies in its tensor and in memory, at a datablock."""
        return case[name + "_pos"] in lanes.POSITIONS and case[name] % 32 == 0 and \
            needed <= case[name + "_n"] * width and \
            case[name] + case[name + "_n"] * width <= min(self.image, UB_BYTES[chip])

    @staticmethod
    def probed(case, memory, bits):
        """Fills the lanes of the probe that the MASK register enables after the call."""
        if case["probe"] >= 0:
            enabled = [lane for lane in range(128) if bits >> lane & 1]
            memory[case["probe"]:case["probe"] + 256].view(np.uint16)[enabled] = 0xABCD


def dst_blocks(case):
    """The address of each datablock that is written, eight to a repeat."""
    blk = max(case["dst_blk"], 1)
    return [case["dst"] + 32 * (r * case["dst_rep"] + j * blk)
            for r in range(case["repeats"]) for j in range(8)]


def plain(dtype, **changes):
    """A call on separate tensors, changed as said."""
    width = WIDTH[dtype]
    case = {"type": TYPES.index(dtype), "form": lanes.CONTINUOUS, "mask0": 16, "mask1": 0,
            "set_mask": 1, "counter": 0, "repeats": 2, "probe": -1, "pad": 0, "right": 0, "seed": 1,
            "off_pos": VECCALC,
            "off": 6144, "off_n": 256}
    for index, name in enumerate(("dst", "src")):
        case |= {name: 3072 * index, name + "_pos": VECCALC, name + "_n": 3072 // width,
                 name + "_blk": 1, name + "_rep": 8}
    return case | changes
