"""Cast: dst[i] = src[i] in another type, rounded by a mode."""

import numpy as np
import pytest

import conversions
import lanes
import mixed_lanes
from cases import (SATURATES, TYPES, UB_BYTES, WIDTH, Subject, check, check_random, check_refused,
                   check_rule, number_of, some, types_of)
from batches import check_told
from cast_table import MODE_NAMES, MODES, TABLE
from harness import CHIPS
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

WITH_CAST = [chip for chip in CHIPS if TABLE[chip]]
ALL = [(chip, dst, src, mode) for chip in WITH_CAST
       for (dst, src), modes in TABLE[chip].items() for mode in modes]
PAIRS = sorted({(dst, src) for _, dst, src, _ in ALL})
OPERANDS = ["dst", "src"]
# Where int32 to half multiplies with SetDeqScale's half.
SCALED = {"1000", "1001", "2002", "2201"}

# How an image is filled.
RANDOM, SPECIAL, NEAR = range(3)


def float_specials(dtype):
    """Zeros, subnormals, ties, the ends of all types' ranges and what is next to them, inf, NaN."""
    digits, least, most = conversions.FORMAT[dtype]
    values = [0.0, 2.0**least, 3 * 2.0**least, 2.0**(least + digits), 2.0**-25, 2.0**-26,
              3 * 2.0**-26, 0.5, 1, 1.5, 2.5, 3.5, 0.49999997, 0.5000001, 1 + 2.0**-11,
              1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 65519, 65520, 65504, 65503, 65535,
              65536, 2.0**22 + 0.5, 2.0**23 - 0.5, 2.0**23 + 1, 2.0**24 + 2,
              (2 - 2.0**-8) * 2.0**127, (2 - 2.0**-9) * 2.0**127, 2.0**most]
    for bits in (3, 7, 8, 15, 31, 63):
        values += [2.0**bits + step for step in (-1.5, -1, -0.5, -0.25, 0, 0.25, 0.5, 1, 2)]
        values += [2.0**bits * (1 + step) for step in (-2.0**-8, 2.0**-7, -2.0**-24, 2.0**-23)]
    with np.errstate(all="ignore"):
        x = np.array(values + [-value for value in values] + [-0.0], np.float32)
        own = {"float": x.view(np.uint32), "half": x.astype(np.float16).view(np.uint16),
               "bfloat16": (x.view(np.uint32) >> 16).astype(np.uint16)}[dtype]
    nan = conversions.NAN[dtype]
    inf = nan & nan << 1
    sign = 1 << (8 * WIDTH[dtype] - 1)
    ends = [inf, inf - 1, inf | 1, nan, nan | 1, sign - 1]
    return np.concatenate([own, np.array(ends + [end | sign for end in ends], own.dtype)])


def integer_specials(dtype):
    """0, the ends of all types' ranges and what is next to them, and what half and float cut."""
    low, high = conversions.RANGE[dtype]
    values = {sign * (1 << bits) + step for bits in range(64) for sign in (-1, 1)
              for step in (-2, -1, 0, 1, 2)}
    values |= {sign * ((1 << bits) + (odd << (bits - digits))) for bits in range(26, 64)
               for digits in (11, 24) for odd in (1, 3) for sign in (-1, 1)}
    values |= {sign * (4096 + step) for step in range(9) for sign in (-1, 1)}
    width = 8 if dtype == "int4" else 8 * WIDTH[dtype]
    legal = sorted(value % (1 << width) for value in values if low <= value <= high)
    return np.array(legal, np.uint64).astype(f"u{width // 8}")


SPECIALS = {dtype: float_specials(dtype) if dtype in conversions.FORMAT else integer_specials(dtype)
            for dtype in {src for _, src in PAIRS}}


def near_values(rng, src, dst, count):
    """Floats with few digits around the range of dst: ties and overflows are common."""
    top = {"int4": 4, "int8": 8, "uint8": 9, "int16": 16, "int32": 32, "int64": 64}.get(dst, 17)
    x = np.ldexp(rng.integers(-(1 << 13), 1 << 13, count), rng.integers(-14, top - 12, count))
    with np.errstate(all="ignore"):
        x = x.astype(np.float32)
        return {"float": x, "half": x.astype(np.float16),
                "bfloat16": (x.view(np.uint32) >> 16).astype(np.uint16)}[src]


class CastSubject(Subject):
    source = "cast_cases.cpp"
    fields = ("types", "mode", "form", "mask0", "mask1", "repeats", "count", "scale", "dst_pos",
              "dst", "dst_n", "src_pos", "src", "src_n", "dst_blk", "dst_rep", "src_blk", "src_rep",
              "fill", "seed")
    simplest = {"fill": SPECIAL, "form": COUNT, "repeats": 1, "count": 2, "mask0": 2, "mask1": 0,
                "dst_blk": 1, "src_blk": 1, "dst_rep": 8, "src_rep": 8, "src": 0, "dst": 0,
                "dst_pos": VECCALC, "src_pos": VECCALC, "scale": -1, "seed": 0}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        dst, src = types_of(case)
        rng = np.random.default_rng(case["seed"])
        floats = src in conversions.FORMAT
        if case["fill"] == SPECIAL or (case["fill"] == NEAR and src == "int64"):
            filled = rng.choice(SPECIALS[src], self.image // SPECIALS[src].itemsize)
            if src == "int4":
                return rng.integers(0, 256, self.image, np.uint8)
            return filled.view(np.uint8)
        if case["fill"] == NEAR and floats:
            return near_values(rng, src, dst, self.image // WIDTH[src]).view(np.uint8)
        return rng.integers(0, 256, self.image, np.uint8)

    def expected(self, case, chip, before):
        dst, src = types_of(case)
        layouts = layouts_of(case)
        memory = before.copy()
        for to, of in zip(*(mixed_lanes.addresses(case, name, layouts) for name in OPERANDS)):
            x = mixed_lanes.load(memory, src, of)
            mixed_lanes.store(memory, dst, to, element(case, chip, dst, src, x))
        return memory

    def legal(self, case, chip):
        dst, src = types_of(case)
        layouts = layouts_of(case)
        if not any(MODES[letter] == case["mode"] for letter in TABLE[chip].get((dst, src), "")):
            return False
        if case["scale"] >= 0 and chip not in SCALED:
            return False
        tensors = {name: case[name + "_n"] * mixed_lanes.bits_of(dtype) // 8
                   for name, dtype in zip(OPERANDS, (dst, src))}
        return mixed_lanes.mask_is_legal(case, layouts, chip == "2201") and \
            mixed_lanes.fits(case, layouts, tensors, chip, self.image) and \
            mixed_lanes.may_overlap(case, layouts)


def layouts_of(case):
    return {name: mixed_lanes.layout_of(dtype) for name, dtype in zip(OPERANDS, types_of(case))}


def element(case, chip, dst, src, x):
    """What lanes of src become."""
    saturates = chip in SATURATES
    if (dst, src) == ("half", "int32") and chip in SCALED:
        scale = np.uint16(case["scale"] if case["scale"] >= 0 else 0x3C00).view(np.float16)
        return conversions.scaled_halves(x, scale, saturates)
    return conversions.converted(dst, src, x, case["mode"], saturates)


CAST = CastSubject()


def elements_in(byte_count, dtype):
    return byte_count * 8 // mixed_lanes.bits_of(dtype)


def plain(dst, src, mode, /, **changes):
    """A count-form call from 4096 to 0, 4 KB each, changed as said."""
    case = {"types": number_of(dst, src), "mode": mode, "form": COUNT, "mask0": 32, "mask1": 0,
            "repeats": 1, "count": 64, "scale": -1, "dst": 0, "src": 4096, "fill": SPECIAL,
            "seed": 1}
    for name, dtype in zip(OPERANDS, (dst, src)):
        case |= {name + "_pos": VECCALC, name + "_n": elements_in(4096, dtype), name + "_blk": 1,
                 name + "_rep": 8}
    return case | changes


def random_cast(rng, chip):
    """A call that may be legal: pair, mode, form, mask, strides, places, values."""
    pairs = list(TABLE[chip])
    dst, src = pairs[rng.integers(0, len(pairs))]
    mode = MODES[rng.choice(list(TABLE[chip][dst, src]))]
    widest = max(WIDTH.get(dst, 1), WIDTH.get(src, 1))
    case = plain(dst, src, mode) | lanes.random_lanes(rng, widest, 2400 // widest)
    if "int4" in (dst, src):
        case["count"] -= case["count"] % 2
        case["mask0"], case["mask1"] = pairs_of(case)
    places = [int(32 * block) for block in rng.integers(0, 250, 2)]
    if rng.random() < 0.7:
        places = [places[0] % 1600, 4096 + places[1] % 1600]
    if rng.random() < 0.2:
        places[1] = places[0]
    alike = rng.random() < 0.3
    for name, dtype, place in zip(OPERANDS, (dst, src), places):
        dense = 8 * WIDTH.get(dtype, 0.5) // widest
        case |= {name: place, name + "_n": elements_in(CAST.image - place, dtype),
                 name + "_pos": rng.choice(lanes.POSITIONS),
                 name + "_blk": 1 if alike else rng.choice([0, 1, 1, 2, 3]),
                 name + "_rep": dense if alike else rng.choice([0, 1, 4, 8, dense, 9, 12])}
    if (dst, src) == ("half", "int32") and chip in SCALED and rng.random() < 0.7:
        case["scale"] = rng.choice([rng.integers(0, 1 << 16), 0x3C00, 0x4200, 0x2E66])
    return case | {"fill": rng.integers(0, 3), "seed": rng.integers(0, 1 << 20)}


def pairs_of(case):
    """The mask with both int4 elements of a byte enabled or none."""
    if case["form"] != BITS:
        return case["mask0"] + case["mask0"] % 2, 0
    bits = case["mask0"] | case["mask1"] << 64
    bits = (bits | bits >> 1) & int("5" * 32, 16)
    bits |= bits << 1
    return bits & FULL, bits >> 64


@pytest.mark.parametrize("chip", WITH_CAST)
def test_random(chip):
    check_random(CAST, chip, lambda rng: random_cast(rng, chip), 600)


@pytest.mark.parametrize("chip", WITH_CAST)
def test_every_pair_and_mode(chip):
    """Each in the three forms, on all special values of its source, on near ones and on random
    bits."""
    cases = []
    for _, dst, src, letter in (entry for entry in ALL if entry[0] == chip):
        case = plain(dst, src, MODES[letter])
        most = 256 // max(WIDTH.get(dst, 1), WIDTH.get(src, 1))
        bits = int("CF" * 16, 16) & (1 << min(most, 128)) - 1
        cases += [case | {"count": 510, "fill": fill} for fill in (RANDOM, NEAR)]
        cases += [case | {"form": CONTINUOUS, "mask0": min(most, 128) - 2, "repeats": 3}]
        cases += [case | {"form": BITS, "mask0": bits & FULL, "mask1": bits >> 64, "repeats": 3,
                          "src_blk": 2}]
    check(CAST, chip, cases)


class WholeTypeSubject(CastSubject):
    """src holds the given lanes, one part of them for each case: `part` is in place of seed."""

    def __init__(self, image, lanes_of):
        super().__init__(image)
        self.lanes_of = lanes_of

    def before(self, case, chip):
        src = types_of(case)[1]
        image = np.full(self.image, 0xA5, np.uint8)
        part = self.lanes_of(src)[case["seed"] * case["count"]:][:case["count"]].view(np.uint8)
        image[case["src"]:case["src"] + len(part)] = part
        return image


@pytest.mark.parametrize("chip", WITH_CAST)
def test_every_special_value(chip):
    """All special values of each source, in every pair and mode."""
    subject = WholeTypeSubject(16384, SPECIALS.get)
    cases = []
    for _, dst, src, letter in (entry for entry in ALL if entry[0] == chip and entry[2] != "int4"):
        count = len(SPECIALS[src]) - len(SPECIALS[src]) % 2
        cases.append(plain(dst, src, MODES[letter], dst=0, src=8192, count=count, seed=0,
                           dst_n=elements_in(8192, dst), src_n=elements_in(8192, src)))
    check(subject, chip, cases)


@pytest.mark.parametrize("chip", WITH_CAST)
def test_every_pattern_of_16_bits(chip):
    """All 65536 halfs, bfloat16s and int16s, in every pair and mode."""
    subject = WholeTypeSubject(3 << 15, lambda src: np.arange(1 << 16).astype(np.uint16))
    cases = []
    for _, dst, src, letter in (entry for entry in ALL if entry[0] == chip):
        if WIDTH.get(src) == 2:
            cases += [plain(dst, src, MODES[letter], dst=0, src=1 << 16, count=1 << 14, seed=part,
                            dst_n=elements_in(1 << 16, dst), src_n=1 << 14) for part in range(4)]
    check(subject, chip, cases)


@pytest.mark.parametrize("chip", sorted(SCALED))
def test_scales_of_int32_to_half(chip):
    """Scales of all kinds; without SetDeqScale it is 1.0; the mode does not matter."""
    scales = [-1, 0, 0x8000, 1, 0x0400, 0x2E66, 0x3800, 0x3C00, 0x4200, 0xC200, 0x7BFF, 0x7C00,
              0xFC00, 0x7E00, 0xFE01]
    check(CAST, chip, [plain("half", "int32", MODES[letter], scale=scale, count=1024, fill=fill,
                             dst_n=1024, src_n=1024)
                       for letter in TABLE[chip]["half", "int32"] for scale in scales
                       for fill in (RANDOM, SPECIAL)])


def test_the_worked_scales():
    """1025 * 3.0, 89 * half(0.1), 7 * 0.5, and the largest int32 where half saturates or not."""
    words = {"2002": 0x7BFF, "2201": 0x7C00}
    for x, scale, want in [(1025, 0x4200, 0x6A02), (89, 0x2E66, 0x4873), (7, 0x3800, 0x4300),
                           ((1 << 31) - 1, 0x3C00, words)]:
        for chip in words:
            got = conversions.scaled_halves(np.array([x], np.int32), np.uint16(scale).view("f2"),
                                            chip in SATURATES)[0]
            assert got == (want[chip] if want is words else want)
            image = np.zeros(8192, np.uint8)
            image[4096:4100] = np.array([x], np.int32).view(np.uint8)
            subject = CastSubject()
            subject.before = lambda case, chip, image=image: image
            check(subject, chip, [plain("half", "int32", 0, scale=scale, count=1)])


@pytest.mark.parametrize("chip", WITH_CAST)
def test_pair_that_the_chip_lacks(chip):
    """Pairs of types that the table does not have; the message lists those that it has, or of more
    than twelve those with one of the types."""
    pairs = [(dst, src) for dst in TYPES for src in TYPES if (dst, src) not in TABLE[chip]]
    for dst, src in some(pairs, "pairs", chip):
        run = check_refused(CastSubject(64), chip, plain(dst, src, 0, src=32, count=0, fill=RANDOM),
                            "V6002")
        near = {(to, of) for to, of in TABLE[chip] if to == dst or of == src}
        if len(TABLE[chip]) <= 12 or not near:
            near = TABLE[chip]
        names, _, rest = run.faults[0]["legal"].partition("; ")
        assert sorted(names.split(", ")) == sorted(f"{to}<-{of}" for to, of in near)
        others = len(TABLE[chip]) - len(near)
        assert rest == (f"and {others} others: vinci explain Cast" if others else "")


@pytest.mark.parametrize("chip", WITH_CAST)
def test_mode_that_the_pair_lacks(chip):
    """Modes that the table does not have, CAST_HYBRID among them; the message lists the others."""
    legal = {pair: sorted(MODES[letter] for letter in letters)
             for pair, letters in TABLE[chip].items()}
    lacking = [(pair, mode) for pair, modes in legal.items() for mode in set(range(8)) - set(modes)]
    for (dst, src), mode in some(lacking, "modes", chip):
        run = check_refused(CastSubject(64), chip, plain(dst, src, mode, src=32, count=0, fill=RANDOM),
                            "V6005")
        assert run.faults[0]["legal"] == ", ".join(MODE_NAMES[mode] for mode in legal[dst, src])


@pytest.mark.parametrize("dst, src", PAIRS)
def test_the_vector_core_has_no_cast(dst, src):
    check_refused(CAST, "2002v", plain(dst, src, 0, fill=RANDOM), "V6001")


def test_set_deq_scale_is_not_on_3002():
    check_refused(CAST, "3002", plain("half", "int32", 0, scale=0x3C00), "V6001")
    check_refused(CAST, "2002v", plain("half", "int32", 0, scale=0x3C00), "V6001")


MASKED = {"form": CONTINUOUS, "mask0": 32, "repeats": 3}
BIT = {"form": BITS, "mask0": 3, "mask1": 0, "repeats": 2}
NARROW, WIDE, LONG = ("half", "float"), ("int32", "half"), ("int64", "int32")
PACK, UNPACK = ("int4", "half"), ("half", "int4")
# NARROW with gaps: in 3 repeats of 20 lanes src reaches 10 + 2 * 2 blocks and half a block far, dst
# 18 + 3 blocks and 4 halves.
GAPS = MASKED | {"mask0": 20, "src_blk": 2, "src_rep": 5, "dst_blk": 3, "dst_rep": 9}
RULES = [
    ("count 0", NARROW, {"count": 0}, None),
    ("count negative", NARROW, {"count": -1}, "V2001"),
    ("count of the tensors, narrower", NARROW, {"count": 1024, "dst_n": 1024, "src_n": 1024}, None),
    ("count past src", NARROW, {"count": 1024, "dst_n": 1024, "src_n": 1023}, "V1001"),
    ("count past dst", NARROW, {"count": 1024, "dst_n": 1023, "src_n": 1024}, "V1001"),
    ("count of the tensors, wider", WIDE, {"count": 1023, "dst_n": 1023, "src_n": 1023}, None),
    ("count past src, wider", WIDE, {"count": 1023, "dst_n": 1023, "src_n": 1022}, "V1001"),
    ("count past dst, wider", WIDE, {"count": 1023, "dst_n": 1022, "src_n": 1023}, "V1001"),
    ("count of int4", PACK, {"count": 62, "dst_n": 62, "src_n": 62}, None),
    ("count past int4", PACK, {"count": 62, "dst_n": 60, "src_n": 62}, "V1001"),
    ("count past src of int4", UNPACK, {"count": 62, "dst_n": 62, "src_n": 60}, "V1001"),
    ("count odd, to int4", PACK, {"count": 63}, "V2002"),
    ("count odd, from int4", UNPACK, {"count": 63}, "V2002"),
    ("mask 64 of float", NARROW, MASKED | {"mask0": 64}, None),
    ("mask 65 of float", NARROW, MASKED | {"mask0": 65}, "V2003"),
    ("mask 64 to int32", WIDE, MASKED | {"mask0": 64}, None),
    ("mask 65 to int32", WIDE, MASKED | {"mask0": 65}, "V2003"),
    ("mask 32 to int64", LONG, MASKED | {"mask0": 32}, None),
    ("mask 33 to int64", LONG, MASKED | {"mask0": 33}, "V2003"),
    ("mask 128 to int8", ("int8", "half"), MASKED | {"mask0": 128}, None),
    ("mask 129 to int8", ("int8", "half"), MASKED | {"mask0": 129}, "V2003"),
    ("mask 128 to int4", PACK, MASKED | {"mask0": 128}, None),
    ("mask 130 to int4", PACK, MASKED | {"mask0": 130}, "V2003"),
    ("mask odd, to int4", PACK, MASKED | {"mask0": 31}, "V2003"),
    ("mask odd, from int4", UNPACK, MASKED | {"mask0": 31}, "V2003"),
    ("mask 1 to int8", ("int8", "half"), MASKED | {"mask0": 1}, None),
    ("bits of all lanes of float", NARROW, BIT | {"mask0": FULL}, None),
    ("bits beyond those of float", NARROW, BIT | {"mask1": 1}, "V2003"),
    ("bits of all lanes of int64", LONG, BIT | {"mask0": (1 << 32) - 1}, None),
    ("bits beyond those of int64", LONG, BIT | {"mask0": 1 << 32}, "V2003"),
    ("bits high of half", PACK, BIT | {"mask0": 0, "mask1": 3 << 62}, None),
    ("bits of half a pair, low", PACK, BIT | {"mask0": 1}, "V2003"),
    ("bits of half a pair, high", UNPACK, BIT | {"mask1": 1 << 63}, "V2003"),
    ("bits across two pairs", PACK, BIT | {"mask0": 6}, "V2003"),
    ("repeats 0", NARROW, MASKED | {"repeats": 0}, None),
    ("dst just enough", NARROW, GAPS | {"dst_n": 21 * 16 + 4}, None),
    ("dst one short", NARROW, GAPS | {"dst_n": 21 * 16 + 3}, "V1001"),
    ("src just enough", NARROW, GAPS | {"src_n": 14 * 8 + 4}, None),
    ("src one short", NARROW, GAPS | {"src_n": 14 * 8 + 3}, "V1001"),
    ("dst block stride 0 is 1", NARROW, MASKED | {"dst_blk": 0}, None),
    ("src block stride 0", NARROW, MASKED | {"src_blk": 0}, None),
    ("both repeat strides 0", NARROW, MASKED | {"dst_rep": 0, "src_rep": 0}, None),
    ("in place, narrower", NARROW, MASKED | {"src": 0, "mask0": 64, "dst_rep": 8}, None),
    ("in place, narrower, packed", NARROW, {"src": 0, "count": 500}, None),
    ("in place, to int8", ("int8", "half"), {"src": 0, "count": 501}, None),
    ("in place, to int4", PACK, {"src": 0, "count": 502}, None),
    ("in place, same width", ("int16", "half"), {"src": 0, "count": 501}, None),
    ("in place, wider", WIDE, {"src": 0, "count": 65}, "V1008"),
    ("in place, wider, count", ("float", "half"), {"src": 0, "count": 300}, "V1008"),
    ("in place, from int8", ("half", "int8"), {"src": 0, "count": 129}, "V1008"),
    ("in place, from int4", UNPACK, {"src": 0, "count": 130}, "V1008"),
    ("in place, to int64", LONG, {"src": 0, "count": 33}, "V1008"),
    ("wider, past its start", WIDE, {"src": 0, "dst": 32, "count": 64}, "V1008"),
    ("wider, behind, over what comes", WIDE, {"src": 96, "dst": 0, "count": 65}, "V1008"),
    ("wider, behind, a block short", ("float", "half"), {"src": 480, "dst": 0, "count": 320}, "V1008"),
    ("in place, wider, other block stride", WIDE,
     MASKED | {"src": 0, "src_blk": 2, "repeats": 1, "mask0": 64}, "V1008"),
    ("in place, other block stride", ("int16", "half"),
     MASKED | {"src": 0, "src_blk": 2, "repeats": 1}, "V1008"),
    ("overlap of a block", NARROW, MASKED | {"src": 32, "repeats": 1}, "V1008"),
    ("apart by a block", NARROW, MASKED | {"src": 64, "repeats": 1}, None),
    ("dst is the next source", NARROW, MASKED | {"mask0": 64, "src": 512, "dst": 768, "repeats": 2,
                                                 "dst_n": 512, "src_n": 512}, "V1008"),
]
for operand in OPERANDS:
    RULES += [(f"{operand} misaligned", NARROW, {operand: 2048 + 16, operand + "_n": 64}, "V1004"),
              (f"{operand} in VECIN", NARROW, {operand + "_pos": lanes.VECIN}, None),
              (f"{operand} in VECOUT", NARROW, {operand + "_pos": lanes.VECOUT}, None),
              (f"{operand} in GM", NARROW, {operand + "_pos": 0}, "V1005"),
              (f"{operand} in L1", NARROW, {operand + "_pos": 1}, "V1005")]


@pytest.mark.parametrize("name, pair, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, pair, changes, code):
    for chip in WITH_CAST:
        if pair in TABLE[chip]:
            case = plain(*pair, MODES[TABLE[chip][pair][0]], **changes)
            check_rule(CAST, chip, case, code)


class WidenedInPlace(CastSubject):
    """Repeats that read all before they write, with dst over src."""

    def legal(self, case, chip):
        return super().legal(case | {"src": 4096}, chip)


@pytest.mark.parametrize("chip", WITH_CAST)
def test_one_wider_repeat_in_place(chip):
    """It is computed, and told (V1016)."""
    cases = [plain(*pair, MODES[TABLE[chip][pair][0]], src=0, **{"count": count} | form)
             for pair, count in ((WIDE, 64), (("float", "half"), 50), (("half", "int8"), 128),
                                 (("half", "uint8"), 62), (UNPACK, 128), (LONG, 32))
             if pair in TABLE[chip]
             for form in ({}, BIT | {"mask0": 0xC300003, "repeats": 1},
                          BIT | {"mask0": 0xFFFFFFC, "repeats": 1, "dst_blk": 2, "src_blk": 2})]
    check_told(WidenedInPlace(), chip, cases, "V1016")


@pytest.mark.parametrize("chip", WITH_CAST)
def test_wider_repeats_over_a_source_behind(chip):
    """Kernels load half into the last bytes of a buffer, and cast it to float from its start on."""
    cases = []
    for pair, widening, counts in ((WIDE, 2, (64, 65, 208, 512)), (("float", "half"), 2, (320, 1008)),
                                   (("half", "int8"), 2, (128, 1024)), (UNPACK, 4, (128, 512)),
                                   (LONG, 2, (32, 256))):
        if pair in TABLE[chip]:
            src_bits = mixed_lanes.bits_of(pair[1])
            for count in counts:
                src_bytes = -(-count * src_bits // 256) * 32
                start = src_bytes * (widening - 1)
                cases.append(plain(*pair, MODES[TABLE[chip][pair][0]], src=start, count=count))
    check_told(WidenedInPlace(), chip, cases, "V1016")


@pytest.mark.parametrize("chip", WITH_CAST)
def test_mask_of_no_lane(chip):
    """A mask without a lane does nothing on A2/A3 and is a fault elsewhere."""
    code = None if chip == "2201" else "V2003"
    check_rule(CAST, chip, plain("half", "float", 0, **MASKED) | {"mask0": 0}, code)
    check_rule(CAST, chip, plain("half", "float", 0, **BIT) | {"mask0": 0}, code)


@pytest.mark.parametrize("chip", WITH_CAST)
def test_whole_ub(chip):
    """The last bytes of UB are usable, the ones behind are not; counts past 255 repeats work."""
    large = CastSubject(UB_BYTES[chip])
    count = UB_BYTES[chip] // 6 // 16 * 16
    case = plain("half", "float", 0, count=count, dst=0, dst_n=count, src_n=count,
                 src=UB_BYTES[chip] - 4 * count, fill=NEAR)
    check(large, chip, [case])
    check_refused(large, chip, case | {"count": count + 1, "dst_n": count + 1, "src_n": count + 1},
                  "V1002")


@pytest.mark.parametrize("chip", WITH_CAST)
def test_repeats_255(chip):
    """255 repeats, and strides as large as their fields."""
    large = CastSubject(160 << 10)
    case = plain("half", "float", 0, form=CONTINUOUS, mask0=64, repeats=255, dst=0, dst_rep=4,
                 dst_n=255 * 64, src=32 << 10, src_rep=16, src_n=254 * 128 + 64)
    case = case | {"fill": NEAR}
    wide = plain("float", "half", 0, form=CONTINUOUS, mask0=64, repeats=2, dst=0, dst_blk=400,
                 dst_rep=255, src_blk=7, src_rep=0, src=156 << 10, dst_n=255 * 8 + 7 * 400 * 8 + 8,
                 src_n=3 * 7 * 16 + 16)
    check(large, chip, [case, wide])
    check_refused(large, chip, case | {"src_n": 254 * 128 + 63}, "V1001")
    check_refused(large, chip, wide | {"dst_n": wide["dst_n"] - 1}, "V1001")
