"""Add: dst[i] = src0[i] + src1[i]."""

import numpy as np
import pytest

import lanes
from cases import (SATURATES, TYPES, UB_BYTES, WIDTH, Subject, check, check_refused, check_rule,
                   random_bytes, random_cases, verdict)
from harness import CHIPS, NUMPY
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

CLASSIC = ["half", "float", "int32"]
SUPPORTED = {"1000": CLASSIC, "1001": CLASSIC, "2002": CLASSIC + ["int16"],
             "2002v": CLASSIC + ["int16"], "2201": CLASSIC + ["int16"],
             "3002": CLASSIC + ["int16"]}
PAIRS = [(chip, dtype) for chip in CHIPS for dtype in SUPPORTED[chip]]
NOT_PAIRS = [(chip, dtype) for chip in CHIPS for dtype in TYPES[:-1]
             if dtype not in SUPPORTED[chip]]
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
        most = np.float16(65504)
        return np.clip(np.where(np.isnan(total), np.float16(0), total), -most, most)
    return np.where(np.isnan(total), np.uint16(0x7E00).view(np.float16), total)


class AddSubject(Subject):
    source = "add_cases.cpp"
    fields = ("type", "form", "mask0", "mask1", "repeats", "count", "set_mask",
              "dst_pos", "dst", "dst_n", "src0_pos", "src0", "src0_n", "src1_pos", "src1", "src1_n",
              "dst_blk", "dst_rep", "src0_blk", "src0_rep", "src1_blk", "src1_rep", "special",
              "seed")
    simplest = {"special": 0, "set_mask": 1, "form": COUNT, "repeats": 1, "count": 1, "mask0": 1,
                "mask1": 0, "dst_blk": 1, "src0_blk": 1, "src1_blk": 1, "dst_rep": 8, "src0_rep": 8,
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
        case = lanes.as_called(case, WIDTH[dtype])
        memory = before.copy().view(NUMPY[dtype])
        dst, src0, src1 = (lanes.addresses(case, name, WIDTH[dtype]) for name in OPERANDS)
        for to, a, b in zip(dst, src0, src1):
            memory[to // WIDTH[dtype]] = sum_of(
                dtype, memory[a // WIDTH[dtype]], memory[b // WIDTH[dtype]], chip in SATURATES)
        return memory.view(np.uint8)

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        width = WIDTH[dtype]
        if dtype not in SUPPORTED[chip]:
            return False
        case = lanes.as_called(case, width)
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
    return case | {"set_mask": rng.random() < 0.85, "special": rng.random() < 0.3,
                   "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", CHIPS)
def test_random(chip):
    check(ADD, chip, random_cases(ADD, chip, lambda rng: random_add(rng, chip), 600))


@pytest.mark.parametrize("chip, dtype", PAIRS)
def test_special_values(chip, dtype):
    """Every pair of special values: NaN, infinities, -0, subnormals, the largest, wraps."""
    width = WIDTH[dtype]
    values = np.array(SPECIAL[dtype], np.uint32).astype(f"u{width}")
    pairs = np.repeat(values, len(values)), np.tile(values, len(values))
    subject = AddSubject()
    parts = [np.pad(part.view(np.uint8), (0, 2048 - part.nbytes))
             for part in (pairs[0], *pairs, values)]
    subject.before = lambda case, chip: np.concatenate(parts)
    count = len(pairs[0])
    check(subject, chip, [plain(dtype, count=count, dst_n=512, src0_n=512, src1_n=512)])


@pytest.mark.parametrize("chip, dtype", NOT_PAIRS)
def test_type_not_on_chip(chip, dtype):
    check_refused(ADD, chip, plain(dtype), "V6002")


MASKED = {"form": CONTINUOUS, "mask0": 16, "repeats": 3}
GAPS = MASKED | {"src0_blk": 2, "src0_rep": 5, "src1_blk": 3, "src1_rep": 0, "dst_rep": 9}
# With GAPS dst reaches 18 blocks and a block of 16 halves far; src0 10 and src1 0 blocks.
BITS_HALF = {"form": BITS, "mask0": 1 << 63, "mask1": 1 << 63, "repeats": 2}
RULES = [
    ("count 0", "half", {"count": 0}, None),
    ("count 1", "half", {"count": 1}, None),
    ("count negative", "half", {"count": -1}, "V2001"),
    ("count of the tensors", "half", {"count": 512}, None),
    ("count past dst", "half", {"count": 65, "dst_n": 64}, "V1001"),
    ("count past src0", "half", {"count": 65, "src0_n": 64}, "V1001"),
    ("count past src1", "half", {"count": 65, "src1_n": 64}, "V1001"),
    ("mask 1", "half", MASKED | {"mask0": 1}, None),
    ("mask 128 of half", "half", MASKED | {"mask0": 128, "repeats": 2}, None),
    ("mask 129 of half", "half", MASKED | {"mask0": 129, "repeats": 2}, "V2003"),
    ("mask 64 of float", "float", MASKED | {"mask0": 64}, None),
    ("mask 65 of float", "float", MASKED | {"mask0": 65}, "V2003"),
    ("bits high only", "half", BITS_HALF | {"mask0": 0}, None),
    ("bits of all lanes", "half", BITS_HALF | {"mask0": FULL, "mask1": FULL}, None),
    ("bits of all lanes, float", "float", BITS_HALF | {"mask0": FULL, "mask1": 0}, None),
    ("bits high of float", "float", BITS_HALF | {"mask1": 1}, "V2003"),
    ("repeats 0", "half", MASKED | {"repeats": 0}, None),
    ("dst just enough", "half", GAPS | {"dst_n": 18 * 16 + 16}, None),
    ("dst one short", "half", GAPS | {"dst_n": 18 * 16 + 15}, "V1001"),
    ("src0 just enough", "half", GAPS | {"mask0": 20, "src0_n": 10 * 16 + 32 + 4}, None),
    ("src0 one short", "half", GAPS | {"mask0": 20, "src0_n": 10 * 16 + 32 + 3}, "V1001"),
    ("src1 just enough", "half", GAPS | {"mask0": 20, "src1_n": 48 + 4}, None),
    ("src1 one short", "half", GAPS | {"mask0": 20, "src1_n": 48 + 3}, "V1001"),
    ("in place", "half", GAPS | {"src0": 0, "src0_blk": 1, "src0_rep": 9}, None),
    ("src0 and src1 the same", "half", GAPS | {"src1": 2048}, None),
    ("overlap of a block", "half", MASKED | {"mask0": 32, "src0": 32, "repeats": 1}, "V1008"),
    ("overlap of a block, src1", "half", MASKED | {"mask0": 32, "src1": 32, "repeats": 1}, "V1008"),
    ("apart by a block", "half", MASKED | {"mask0": 16, "src0": 32, "repeats": 1}, None),
    ("dst is the next source", "half", MASKED | {"mask0": 128, "src0": 256, "src0_n": 512,
                                                 "dst": 512, "dst_n": 512}, "V1008"),
    ("dst was the last source", "half", MASKED | {"mask0": 128, "src0": 256, "repeats": 3}, None),
    ("up to where dst stands", "half", MASKED | {"dst": 2048, "dst_rep": 0, "src0": 0,
                                                 "src0_n": 1040, "src1": 8064, "src1_n": 16,
                                                 "src1_rep": 0, "repeats": 8}, None),
    ("where dst stands", "half", MASKED | {"dst": 2048, "dst_rep": 0, "src0": 0, "src0_n": 1040,
                                           "src1": 8064, "src1_n": 16, "src1_rep": 0,
                                           "repeats": 9}, "V1008"),
    ("in place, other block stride", "half", MASKED | {"mask0": 32, "src0": 0, "src0_blk": 2,
                                                       "repeats": 1}, "V1008"),
    ("accumulate into src1", "half", MASKED | {"src1": 0, "dst_rep": 0, "src1_rep": 0}, None),
    ("accumulate into src0", "half", MASKED | {"src0": 0, "dst_rep": 0, "src0_rep": 0}, "V1008"),
    ("accumulate, dst stride 0", "float", MASKED | {"src1": 0, "dst_rep": 0, "src1_rep": 8}, None),
    ("accumulate int32", "int32", MASKED | {"src1": 0, "dst_rep": 0, "src1_rep": 0}, None),
    ("source blocks repeated", "int32", MASKED | {"mask0": 64, "src0_blk": 0, "src1_blk": 0}, None),
    ("tails that end apart", "float", {"count": 75, "src0": 0, "src0_n": 75, "dst": 320,
                                       "dst_n": 75}, None),
    ("tails that meet", "float", {"count": 81, "src0": 0, "src0_n": 81, "dst": 320,
                                  "dst_n": 81}, "V1008"),
    ("interleaved blocks", "half", MASKED | {"mask0": 32, "repeats": 1, "src0": 32, "src0_blk": 2,
                                             "dst_blk": 2}, None),
]
for operand in OPERANDS:
    RULES += [
        (f"{operand} misaligned", "half", {operand: 4096 + 32 * OPERANDS.index(operand) + 16},
         "V1004"),
        (f"{operand} in VECIN", "half", {operand + "_pos": lanes.VECIN}, None),
        (f"{operand} in VECOUT", "half", {operand + "_pos": lanes.VECOUT}, None),
        (f"{operand} in GM", "half", {operand + "_pos": 0}, "V1005"),
    ]


class RuleSubject(AddSubject):
    """Overlap is what the table is about: there the table itself says what is legal."""

    simplest = {}

    def legal(self, case, chip):
        return True


@pytest.mark.parametrize("name, dtype, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, dtype, changes, code):
    for chip in CHIPS:
        case = plain(dtype, **changes)
        if code is None:
            check(RuleSubject(), chip, [case])
        else:
            check_refused(ADD, chip, case, code)


@pytest.mark.parametrize("chip", CHIPS)
def test_mask_of_no_lane(chip):
    """A mask without a lane does nothing on A2/A3 and is a fault elsewhere."""
    code = None if chip == "2201" else "V2003"
    check_rule(ADD, chip, plain("half", **MASKED) | {"mask0": 0}, code)
    check_rule(ADD, chip, plain("half", **BITS_HALF) | {"mask0": 0, "mask1": 0}, code)


@pytest.mark.parametrize("chip", CHIPS)
def test_blocks_on_top_of_each_other(chip):
    """A warning from two blocks on: the last enabled one stays, of each repeat."""
    alone = plain("half", **MASKED) | {"dst_blk": 0, "src0_blk": 2}
    check(ADD, chip, [alone, alone | {"mask0": 1}, alone | {"repeats": 0, "mask0": 32}])
    bits = {"form": BITS, "mask0": 0b1010, "mask1": 1 << 20, "repeats": 2}
    for changes in ({"mask0": 17}, {"mask0": 128}, {"mask0": 40, "dst_rep": 0}, bits):
        case = alone | changes
        check(ADD, chip, [case], allowed=("V2009",))
        assert verdict(ADD, chip, case).codes == ["V2009"]


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - {"2002v"}))
def test_operand_in_l1(chip):
    check_refused(ADD, chip, plain("half", src0_pos=1), "V1005")


def test_position_without_memory():
    check_refused(ADD, "2002v", plain("half", src0_pos=1), "V6003")


@pytest.mark.parametrize("chip", ["2002", "2002v", "2201", "3002"])
def test_int16_may_not_accumulate(chip):
    """The documents allow accumulation into src1 for half, int32 and float only."""
    case = plain("int16", **MASKED) | {"src1": 0, "dst_rep": 0, "src1_rep": 0}
    check_refused(ADD, chip, case, "V1008")


@pytest.mark.parametrize("chip", CHIPS)
def test_whole_ub(chip):
    """The last bytes of UB are usable, the ones behind are not; counts past 255 repeats work."""
    large = AddSubject(UB_BYTES[chip])
    words = UB_BYTES[chip] // 4
    third = words // 3 // 8 * 8
    case = plain("int32", count=third, dst=0, src0=third * 4, src1=third * 8)
    case |= {"dst_n": third, "src0_n": third, "src1_n": words - 2 * third}
    check(large, chip, [case, case | {"count": third - 1}])
    last = {"src1": UB_BYTES[chip] - 256, "count": 64}
    check(large, chip, [case | last | {"src1_n": 64}])
    check_refused(large, chip, case | last | {"count": 65, "src1_n": 65}, "V1002")


@pytest.mark.parametrize("chip", CHIPS)
def test_repeats_255(chip):
    large = AddSubject(255 * 256 + 2048)
    case = plain("half", form=CONTINUOUS, mask0=128, repeats=255, dst=0, src0=0, src1=255 * 256)
    case |= {"dst_n": 255 * 128, "src0_n": 255 * 128, "src1_n": 1024, "src1_rep": 0, "src1_blk": 2}
    wide = case | {"repeats": 1, "src0": 256, "dst_n": 128, "src0_n": 128, "src1": 512,
                   "src1_blk": 255, "src1_n": 7 * 255 * 16 + 16}
    check(large, chip, [case, wide])
    check_refused(large, chip, case | {"dst_n": 255 * 128 - 1}, "V1001")
    check_refused(large, chip, wide | {"src1_n": 7 * 255 * 16 + 15}, "V1001")


def test_dst_block_stride_0_keeps_the_last_block():
    """Without a rule in the documents the stride is obeyed: every block goes to the same place."""
    run = verdict(ADD, "2002", plain("int32", form=CONTINUOUS, mask0=64, repeats=1, dst_blk=0))
    words = run.images[0].view(np.int32)
    got = run.outputs[0][0].view(np.int32)
    assert (got[:8] == words[512 + 56:512 + 64] + words[1024 + 56:1024 + 64]).all()
    assert (got[8:] == words[8:]).all()
