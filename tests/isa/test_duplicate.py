"""Duplicate: every enabled element of dst becomes the scalar's bits."""

import numpy as np
import pytest

import lanes
from cases import (TYPES, UB_BYTES, WIDTH, Subject, check, check_refused, check_rule, random_bytes,
                   random_cases)
from harness import CHIPS
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

CLASSIC = ["half", "int16", "uint16", "float", "int32", "uint32"]
SUPPORTED = {chip: CLASSIC + (["bfloat16"] if chip in ("2201", "3002") else []) for chip in CHIPS}
NOT_PAIRS = [(chip, dtype) for chip in CHIPS for dtype in TYPES[:-1]
             if dtype not in SUPPORTED[chip]]


class DuplicateSubject(Subject):
    source = "duplicate_cases.cpp"
    fields = ("type", "form", "mask0", "mask1", "repeats", "count", "set_mask", "scalar", "dst_pos",
              "dst", "dst_n", "dst_blk", "dst_rep", "seed")
    simplest = {"set_mask": 1, "form": COUNT, "repeats": 1, "count": 1, "mask0": 1, "mask1": 0,
                "dst_blk": 1, "dst_rep": 8, "dst": 0, "dst_pos": VECCALC, "scalar": 1, "seed": 0}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        return random_bytes(case["seed"], self.image)

    def expected(self, case, chip, before):
        width = WIDTH[TYPES[case["type"]]]
        case = lanes.as_called(case, width)
        memory = before.copy().view(f"u{width}")
        # A destination block stride of 0 counts as 1.
        dense = case | {"dst_blk": max(case["dst_blk"], 1)}
        for to in lanes.addresses(dense, "dst", width):
            memory[to // width] = case["scalar"]
        return memory.view(np.uint8)

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        if dtype not in SUPPORTED[chip]:
            return False
        case = lanes.as_called(case, WIDTH[dtype])
        if case["scalar"] >> 8 * WIDTH[dtype] or not 0 <= case["dst_blk"] <= 65535:
            return False
        dense = case | {"dst_blk": max(case["dst_blk"], 1)}
        return lanes.mask_is_legal(case, WIDTH[dtype], chip == "2201") and \
            lanes.fits(dense, ["dst"], WIDTH[dtype], chip, self.image)


DUPLICATE = DuplicateSubject()


def plain(dtype, **changes):
    """64 elements at 1024, changed as said."""
    case = {"type": TYPES.index(dtype), "form": COUNT, "mask0": 16, "mask1": 0, "repeats": 3,
            "count": 64, "set_mask": 1, "scalar": 0x1234, "dst_pos": VECCALC, "dst": 1024,
            "dst_n": 7168 // WIDTH[dtype], "dst_blk": 1, "dst_rep": 8, "seed": 1}
    return case | changes


def random_duplicate(rng, chip):
    dtype = rng.choice(SUPPORTED[chip])
    width = WIDTH[dtype]
    place = int(rng.integers(0, 200)) * 32
    return plain(dtype) | lanes.random_lanes(rng, width, 6000 // width) | {
        "set_mask": rng.random() < 0.85, "scalar": rng.integers(0, 1 << 8 * width), "dst": place,
        "dst_n": (DUPLICATE.image - place) // width, "dst_pos": rng.choice(lanes.POSITIONS),
        "dst_blk": rng.choice([0, 1, 1, 2, 3, 17]), "dst_rep": rng.choice([0, 1, 4, 8, 8, 9, 40]),
        "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", CHIPS)
def test_random(chip):
    cases = random_cases(DUPLICATE, chip, lambda rng: random_duplicate(rng, chip), 500)
    check(DUPLICATE, chip, cases)


@pytest.mark.parametrize("chip", CHIPS)
def test_scalars_keep_their_bits(chip):
    """NaN payloads, -0 and subnormals are stored as they are."""
    cases = [plain(dtype, scalar=scalar >> (32 - 8 * WIDTH[dtype]))
             for dtype in SUPPORTED[chip]
             for scalar in (0, 1 << 31, 0x7FC12345, 0x7F812345, 0xFFFFFFFF, 0x7E017E01, 0x10001,
                            0x7C010000, 0xFC000000)]
    check(DUPLICATE, chip, cases)


@pytest.mark.parametrize("chip, dtype", NOT_PAIRS)
def test_type_not_on_chip(chip, dtype):
    check_refused(DUPLICATE, chip, plain(dtype, scalar=1), "V6002")


ONE = {"form": CONTINUOUS}
TWO = {"form": BITS, "mask0": 1 << 63, "mask1": 1 << 63}
RULES = [
    ("count 0", "half", {"count": 0}, None),
    ("count 1", "half", {"count": 1}, None),
    ("count negative", "half", {"count": -1}, "V2001"),
    ("count of the tensor", "half", {"count": 300, "dst_n": 300}, None),
    ("count past the tensor", "half", {"count": 301, "dst_n": 300}, "V1001"),
    ("mask 1", "half", ONE | {"mask0": 1}, None),
    ("mask 128", "half", ONE | {"mask0": 128}, None),
    ("mask 129", "half", ONE | {"mask0": 129}, "V2003"),
    ("mask 64 of float", "float", ONE | {"mask0": 64}, None),
    ("mask 65 of float", "float", ONE | {"mask0": 65}, "V2003"),
    ("bits", "half", TWO, None),
    ("all bits", "half", TWO | {"mask0": FULL, "mask1": FULL}, None),
    ("all bits of float", "float", TWO | {"mask0": FULL, "mask1": 0}, None),
    ("bits high of float", "float", TWO, "V2003"),
    ("holes", "uint32", TWO | {"mask0": 0xA5A50F0F33330001, "mask1": 0, "dst_blk": 2}, None),
    ("repeats 0", "half", ONE | {"repeats": 0}, None),
    ("repeat stride 0", "half", ONE | {"dst_rep": 0}, None),
    ("repeats overlap", "half", ONE | {"mask0": 100, "dst_rep": 3}, None),
    ("block stride 0 counts as 1", "half", ONE | {"mask0": 100, "dst_blk": 0}, None),
    ("just enough", "half", ONE | {"mask0": 20, "dst_blk": 3, "dst_rep": 5,
                                   "dst_n": 10 * 16 + 48 + 4}, None),
    ("one short", "half", ONE | {"mask0": 20, "dst_blk": 3, "dst_rep": 5,
                                 "dst_n": 10 * 16 + 48 + 3}, "V1001"),
    ("block stride 0 just enough", "half", ONE | {"mask0": 20, "dst_blk": 0, "repeats": 1,
                                                  "dst_n": 20}, None),
    ("block stride 0 one short", "half", ONE | {"mask0": 20, "dst_blk": 0, "repeats": 1,
                                                "dst_n": 19}, "V1001"),
    ("misaligned", "half", {"dst": 1040, "dst_n": 256}, "V1004"),
    ("in GM", "half", {"dst_pos": 0}, "V1005"),
    ("VECIN", "half", {"dst_pos": lanes.VECIN}, None),
    ("VECOUT", "half", {"dst_pos": lanes.VECOUT}, None),
]


@pytest.mark.parametrize("name, dtype, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, dtype, changes, code):
    for chip in CHIPS:
        check_rule(DUPLICATE, chip, plain(dtype, **changes), code)


@pytest.mark.parametrize("chip", CHIPS)
def test_mask_of_no_lane(chip):
    code = None if chip == "2201" else "V2003"
    check_rule(DUPLICATE, chip, plain("half", form=CONTINUOUS, mask0=0), code)
    check_rule(DUPLICATE, chip, plain("half", form=BITS, mask0=0), code)


@pytest.mark.parametrize("chip", CHIPS)
def test_whole_ub(chip):
    """255 repeats, and the last bytes of UB."""
    large = DuplicateSubject(UB_BYTES[chip])
    words = UB_BYTES[chip] // 4
    whole = plain("uint32", count=words, dst=0, dst_n=words)
    repeats = plain("half", form=CONTINUOUS, mask0=128, repeats=255, dst=0, dst_n=words * 2)
    wide = repeats | {"repeats": 1, "dst_blk": 800, "mask0": 113}
    check(large, chip, [whole, whole | {"count": words - 3}, repeats, repeats | {"dst_rep": 23},
                        wide])
    check_rule(large, chip, whole | {"count": words + 1, "dst_n": words + 1}, "V1002")
    check_rule(large, chip, wide | {"dst_blk": 65535, "dst_n": 1 << 23}, "V1002")


def test_position_without_memory():
    check_refused(DUPLICATE, "2002v", plain("half", dst_pos=1), "V6003")
    check_refused(DUPLICATE, "2002", plain("half", dst_pos=1), "V1005")
