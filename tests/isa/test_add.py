"""Add: dst[i] = src0[i] + src1[i]."""

import numpy as np
import pytest

import lanes
from cases import (SATURATES, TYPES, UB_BYTES, WIDTH, Subject, check, check_refused, random_bytes,
                   random_cases, verdict)
from harness import CHIPS, NUMPY
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

CLASSIC = ["half", "float", "int32"]
SUPPORTED = {"1000": CLASSIC, "1001": CLASSIC, "2002": CLASSIC + ["int16"],
             "2002v": CLASSIC + ["int16"], "2201": CLASSIC + ["int16"],
             "3002": CLASSIC + ["int16"]}
PAIRS = [(chip, dtype) for chip in CHIPS for dtype in SUPPORTED[chip]]
NOT_PAIRS = [(chip, dtype) for chip in CHIPS for dtype in TYPES[:-1] if dtype not in SUPPORTED[chip]]
OPERANDS = ["dst", "src0", "src1"]

SPECIAL = {
    "half": [0, 0x8000, 1, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00,
             0x7E00, 0x7C01, 0xFFFF, 0x6800, 0x4C00, 0x0200],
    "float": [0, 1 << 31, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF,
              0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFFFFFFF, 0x33800000],
    "int16": [0, 1, 0xFFFF, 0x7FFF, 0x8000, 0x8001, 0x4000],
    "int32": [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x80000001, 0x40000000],
}


def sum_of(dtype, a, b, saturates):
    """a + b rounded once to nearest even; integers wrap; NaN is the positive quiet one."""
    if dtype.startswith("int"):
        return a + b
    with np.errstate(all="ignore"):
        if dtype == "float":
            total = a + b
            return np.where(np.isnan(total), np.uint32(0x7FC00000).view(np.float32), total)
        total = (a.astype(np.float64) + b.astype(np.float64)).astype(np.float16)
    if saturates:
        return np.clip(np.where(np.isnan(total), np.float16(0), total), -65504, 65504)
    return np.where(np.isnan(total), np.uint16(0x7E00).view(np.float16), total)


class AddSubject(Subject):
    source = "add_cases.cpp"
    fields = ("type", "form", "mask0", "mask1", "repeats", "count", "set_mask",
              "dst_pos", "dst", "dst_n", "src0_pos", "src0", "src0_n", "src1_pos", "src1", "src1_n",
              "dst_blk", "dst_rep", "src0_blk", "src0_rep", "src1_blk", "src1_rep", "special", "seed")
    simplest = {"special": 0, "form": COUNT, "repeats": 1, "count": 1, "mask0": 1, "mask1": 0,
                "dst_blk": 1, "src0_blk": 1, "src1_blk": 1, "dst_rep": 8, "src0_rep": 8,
                "src1_rep": 8, "src0": 0, "src1": 0, "dst": 0, "dst_pos": VECCALC,
                "src0_pos": VECCALC, "src1_pos": VECCALC, "seed": 0}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        dtype = TYPES[case["type"]]
        if not case["special"]:
            return random_bytes(case["seed"], self.image)
        pool = np.array(SPECIAL[dtype], np.uint32).astype(f"u{WIDTH[dtype]}")
        rng = np.random.default_rng(case["seed"])
        return rng.choice(pool, self.image // WIDTH[dtype]).view(np.uint8)

    def expected(self, case, chip, before):
        dtype = TYPES[case["type"]]
        memory = before.copy().view(NUMPY[dtype])
        dst, src0, src1 = (lanes.addresses(case, name, WIDTH[dtype]) for name in OPERANDS)
        for to, a, b in zip(dst, src0, src1):
            memory[to // WIDTH[dtype]] = sum_of(
                dtype, memory[a // WIDTH[dtype]], memory[b // WIDTH[dtype]], chip in SATURATES)
        return memory.view(np.uint8)

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        width = WIDTH[dtype]
        if dtype not in SUPPORTED[chip] or not case["set_mask"]:
            return False
        if not lanes.mask_is_legal(case, width, chip == "2201"):
            return False
        if not lanes.fits(case, OPERANDS, width, chip, self.image):
            return False
        accumulates = dtype != "int16" and case["form"] != COUNT and \
            0 in (case["dst_rep"], case["src1_rep"])
        return lanes.may_overlap(case, "dst", "src0", width) and \
            (accumulates or lanes.may_overlap(case, "dst", "src1", width))


ADD = AddSubject()


def plain(dtype, **changes):
    """A count-form call on three separate tensors of 1 KB, changed as said."""
    elements = 1024 // WIDTH[dtype]
    case = {"type": TYPES.index(dtype), "form": COUNT, "mask0": 64, "mask1": 0, "repeats": 1,
            "count": 64, "set_mask": 1, "dst": 0, "src0": 2048, "src1": 4096, "special": 0,
            "seed": 1}
    for name in OPERANDS:
        case |= {name + "_pos": VECCALC, name + "_n": elements, name + "_blk": 1, name + "_rep": 8}
    return case | changes


def random_add(rng, chip):
    dtype = rng.choice(SUPPORTED[chip])
    width = WIDTH[dtype]
    case = plain(dtype) | lanes.random_lanes(rng, width, 1500 // width)
    places = [int(32 * block) for block in rng.integers(0, 200, 3)]
    if rng.random() < 0.7:
        places = [0 + places[0] % 800, 2720 + places[1] % 800, 5440 + places[2] % 800]
    if rng.random() < 0.2:
        places[0] = places[rng.integers(1, 3)]
    alike = rng.random() < 0.3
    for name, place in zip(OPERANDS, places):
        case |= {name: place, name + "_n": (ADD.image - place) // width,
                 name + "_pos": rng.choice(lanes.POSITIONS),
                 name + "_blk": 1 if alike else rng.choice([0, 1, 1, 2, 3]),
                 name + "_rep": 8 if alike else rng.choice([0, 1, 4, 8, 8, 9, 12])}
    case["dst_blk"] = max(case["dst_blk"], 1)
    return case | {"special": rng.random() < 0.3, "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", CHIPS)
def test_random(chip):
    check(ADD, chip, random_cases(ADD, chip, lambda rng: random_add(rng, chip), 1000))
