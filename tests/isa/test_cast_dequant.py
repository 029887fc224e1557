"""CastDequant: int16 times a scale plus an offset, to 8 bits; int32 times a scale, to half."""

import numpy as np
import pytest

import conversions
import lanes
import mixed_lanes
from cases import (SATURATES, UB_BYTES, WIDTH, Subject, check, check_random, check_refused,
                   check_rule, number_of, types_of, verdict)
from harness import CHIPS
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

BYTES = [("int8", "int16"), ("uint8", "int16")]
HALF = ("half", "int32")
SUPPORTED = {"2002": BYTES, "2201": BYTES + [HALF]}
OPERANDS = ["dst", "src"]
# How SetDeqScale is called; a raw table is then overwritten word for word.
NONE, OF_HALF, WORD, TABLE, RAW = range(5)
RANDOM, SMALL = range(2)
IMAGE = 8192
WORDS = 64  # where the image holds scale words; the kernel reads them before anything else


def word_of(scale_bits, offset, sign):
    return scale_bits | (offset & 511) << 37 | sign << 46


def float_bits(value):
    return int(np.float32(value).view(np.uint32))


# Scales of ordinary size, ties, cut digits, and numbers that are none.
SCALES = [float_bits(value) for value in (0.5, 0.25, 1, -1, 2, 0.1, -0.37, 127, 1e-3, 0.5 + 2**-12,
                                          0.5 + 2**-11, 0, -0.0, 3e38, 2.0**-149, np.inf, -np.inf)]
SCALES += [0x7FC00000, 0xFFFFFFFF, 0x3F001FFF, 0x3F002000]


def random_words(rng, sign):
    """16 words; bits that must not count are random."""
    scales = np.where(rng.random(16) < 0.3, rng.choice(SCALES, 16),
                      np.float32(rng.normal(size=16) * 2.0**rng.integers(-8, 3, 16))
                      .view(np.uint32).astype(np.int64))
    noise = int(rng.integers(0, 2))
    extra = noise * (int(rng.integers(0, 32)) << 32 | int(rng.integers(0, 1 << 17)) << 47)
    return np.array([word_of(int(scale), int(offset), sign) | extra for scale, offset in
                     zip(scales, rng.integers(-256, 256, 16))], np.uint64)


class DequantSubject(Subject):
    source = "cast_dequant_cases.cpp"
    kernel = "cast_dequant_cases"
    fields = ("types", "vector", "high", "set_mask", "form", "mask0", "mask1", "repeats", "count",
              "kind", "scale", "offset", "sign", "words", "table_pos", "table", "table_n",
              "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n", "dst_blk", "dst_rep", "src_blk",
              "src_rep", "fill", "seed")
    simplest = {"fill": SMALL, "form": COUNT, "repeats": 1, "count": 1, "mask0": 1, "mask1": 0,
                "dst_blk": 1, "src_blk": 1, "dst_rep": 8, "src_rep": 8, "src": 4096, "dst": 0,
                "dst_pos": VECCALC, "src_pos": VECCALC, "scale": 0x3F800000, "offset": 0, "seed": 0}

    def before(self, case, chip):
        rng = np.random.default_rng(case["seed"])
        src = types_of(case)[1]
        image = rng.integers(0, 256, IMAGE, np.uint8)
        if case["fill"] == SMALL and src != "half":
            image[:] = rng.integers(-300, 300, IMAGE // WIDTH[src]).astype(src).view(np.uint8)
        image[WORDS:WORDS + 128] = random_words(rng, case["sign"]).view(np.uint8)
        return image

    def expected(self, case, chip, before):
        memory = self.untouched(case, chip, before)
        layouts = layouts_of(case)
        dst, src = types_of(case)
        words = self.words(case, before)
        for (_, lane), to, of in zip(mixed_lanes.repeats_of(case, "src", layouts),
                                     *(mixed_lanes.addresses(case, name, layouts)
                                       for name in OPERANDS)):
            x = mixed_lanes.load(memory, src, of)
            if dst == "half":
                y = conversions.scaled_halves(x, np.uint16(half_of(case)).view(np.float16),
                                              chip in SATURATES)
            else:
                y = conversions.dequantized(x, words[lane % 16], dst == "int8")
            mixed_lanes.store(memory, dst, to, y)
        return memory

    def untouched(self, case, chip, before):
        """SetDeqScale with a tensor writes its words there, whatever becomes of CastDequant."""
        memory = before.copy()
        if case["kind"] in (TABLE, RAW):
            memory[case["table"]:case["table"] + 128] = self.words(case, before).view(np.uint8)
        return memory

    def words(self, case, before):
        """The word of each of 16 lanes."""
        if case["kind"] not in (TABLE, RAW):
            word = word_of(case["scale"], case["offset"], case["sign"])
            return np.full(16, word % (1 << 64), np.uint64)
        words = before[case["words"]:case["words"] + 128].view(np.uint64)
        kept = (1 << 32) - 1 | 511 << 37 | 1 << 46
        return words.copy() if case["kind"] == RAW else words & np.uint64(kept)

    def legal(self, case, chip):
        dst = types_of(case)[0]
        if types_of(case) not in SUPPORTED.get(chip, []) or not case["set_mask"]:
            return False
        if dst == "half":
            if case["kind"] > OF_HALF:
                return False
        elif case["kind"] < WORD or case["vector"] != (case["kind"] != WORD):
            return False
        if not -256 <= case["offset"] <= 255 or case["words"] != WORDS:
            return False
        layouts = layouts_of(case)
        tensors = {name: case[name + "_n"] * WIDTH[dtype]
                   for name, dtype in zip(OPERANDS, types_of(case))}
        return mixed_lanes.mask_is_legal(case, layouts, chip == "2201") and \
            mixed_lanes.fits(case, layouts, tensors, chip, IMAGE) and \
            mixed_lanes.may_overlap(case, layouts) and self.table_is_legal(case, layouts)

    def table_is_legal(self, case, layouts):
        if case["kind"] < TABLE:
            return True
        begin, end = case["table"], case["table"] + 128
        return begin % 32 == 0 and 16 <= case["table_n"] and end <= IMAGE and \
            case["table_pos"] in lanes.POSITIONS and \
            all(end <= a or b <= begin for name in OPERANDS
                for a, b in mixed_lanes.spans(case, name, layouts))


def layouts_of(case):
    """Results of 8 bits fill one half of each datablock of dst."""
    dst, src = types_of(case)
    layouts = {"dst": mixed_lanes.layout_of(dst), "src": mixed_lanes.layout_of(src)}
    if dst != "half":
        layouts["dst"] = (8, 16, 16 * case["high"])
    return layouts


def half_of(case):
    return case["scale"] if case["kind"] == OF_HALF else 0x3C00


DEQUANT = DequantSubject()


def plain(dst, src, kind, /, **changes):
    """A count-form call from 4096 to 0; the table is at 3840."""
    case = {"types": number_of(dst, src), "vector": int(kind >= TABLE), "high": 1, "set_mask": 1,
            "form": COUNT, "mask0": 32, "mask1": 0, "repeats": 1, "count": 64, "kind": kind,
            "scale": 0x4200 if kind == OF_HALF else 0x3F000000, "offset": 3,
            "sign": int(dst == "int8"), "words": WORDS, "table_pos": VECCALC, "table": 3840,
            "table_n": 16, "dst": 0, "src": 4096, "fill": SMALL, "seed": 1}
    for name, dtype, room in zip(OPERANDS, (dst, src), (3840, 4096)):
        case |= {name + "_pos": VECCALC, name + "_n": room // WIDTH[dtype], name + "_blk": 1,
                 name + "_rep": 8}
    return case | changes


def random_dequant(rng, chip):
    """A call that may be legal: types, scale of any kind, half, form, mask, strides, places."""
    dst, src = SUPPORTED[chip][rng.integers(0, len(SUPPORTED[chip]))]
    kind = rng.choice([NONE, OF_HALF] if dst == "half" else [WORD, TABLE, RAW])
    widest = WIDTH[src]
    case = plain(dst, src, kind) | lanes.random_lanes(rng, widest, 3000 // widest)
    places = [int(32 * block) for block in rng.integers(0, 200, 3)]
    if rng.random() < 0.7:
        places = [places[0] % 1600, 4096 + places[1] % 1600, 3840]
    if rng.random() < 0.2:
        places[1] = places[0]
    for name, dtype, place in zip(OPERANDS, (dst, src), places):
        case |= {name: place, name + "_n": (IMAGE - place) // WIDTH[dtype],
                 name + "_pos": rng.choice(lanes.POSITIONS),
                 name + "_blk": rng.choice([0, 1, 1, 1, 2, 3]),
                 name + "_rep": rng.choice([0, 1, 4, 8, 8, 9, 12])}
    scale = rng.choice(SCALES) if rng.random() < 0.5 else float_bits(rng.normal() * 0.3)
    if kind == OF_HALF:
        scale = rng.integers(0, 1 << 16)
    offset = rng.choice([-256, 255, 0, rng.integers(-256, 256)])
    return case | {"table": places[2], "scale": scale, "offset": offset,
                   "vector": case["vector"] if dst != "half" else rng.integers(0, 2),
                   "high": rng.integers(0, 2), "fill": rng.integers(0, 2),
                   "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", SUPPORTED)
def test_random(chip):
    check_random(DEQUANT, chip, lambda rng: random_dequant(rng, chip), 600)


@pytest.mark.parametrize("dst, src", BYTES)
@pytest.mark.parametrize("chip", SUPPORTED)
def test_each_form(chip, dst, src):
    """Scalar and vector scale, lower and upper half, in each form; the other halves stay."""
    forms = [{"count": 1000}, {"form": CONTINUOUS, "mask0": 128, "repeats": 3},
             {"form": CONTINUOUS, "mask0": 37, "repeats": 2, "dst_rep": 4},
             {"form": BITS, "mask0": 0xF0F00FF1, "mask1": 1 << 63 | 1, "repeats": 2, "src_blk": 2}]
    check(DEQUANT, chip, [plain(dst, src, kind, high=high, **form) for kind in (WORD, TABLE, RAW)
                          for high in (0, 1) for form in forms])


class EveryInt16(DequantSubject):
    """All int16 in four parts: `seed` is the part."""

    def before(self, case, chip):
        image = np.full(3 << 15, 0xA5, np.uint8)
        part = np.arange(1 << 14) + (case["seed"] << 14)
        image[1 << 16:] = part.astype(np.uint16).view(np.uint8)
        return image


@pytest.mark.parametrize("chip", SUPPORTED)
def test_every_int16(chip):
    """With each special scale, and offsets at both ends."""
    cases = [plain(dst, "int16", WORD, dst=0, src=1 << 16, dst_n=1 << 15, src_n=1 << 14,
                   count=1 << 14, scale=scale, offset=offset, seed=part)
             for dst in ("int8", "uint8") for scale, offset in zip(SCALES, 7 * [-256, 0, 255])
             for part in range(4)]
    subject = EveryInt16()
    subject.legal = lambda case, chip: True
    for start in range(0, len(cases), 72):
        check(subject, chip, cases[start:start + 72])


def test_saturation_before_the_offset():
    """The worked cases: 9 bits first, then the offset, then 8 bits; ties to even."""
    rows = [(-2000, 0.25, 200, "int8", -56), (1000, 0.25, -200, "int8", 50),
            (3, 0.5, 0, "int8", 2), (5, 0.5, 0, "int8", 2), (-3, 0.5, 0, "uint8", 0),
            (-3, 0.5, 5, "uint8", 3), (32767, 1.0, 255, "uint8", 255),
            (32767, 1.0, -256, "int8", -1), (-32768, 1.0, 255, "int8", -1),
            (7, 0.5 + 2**-12, 0, "int8", 4), (1, np.nan, -1, "int8", -1),
            (1, np.inf, 0, "uint8", 255), (-1, np.inf, 0, "int8", -128), (0, np.inf, 9, "int8", 9)]
    for x, scale, offset, dst, want in rows:
        case = plain(dst, "int16", WORD, scale=float_bits(scale), offset=offset, count=1)
        subject = DequantSubject()
        image = np.zeros(IMAGE, np.uint8)
        image[4096:4098] = np.array([x], np.int16).view(np.uint8)
        subject.before = lambda case, chip, image=image: image
        wanted = image.copy()
        wanted[16] = want & 255
        subject.expected = lambda case, chip, before, wanted=wanted: wanted
        for chip in SUPPORTED:
            check(subject, chip, [case])


class PackSubject(DequantSubject):
    """Two runs: even blocks of src to the lower halves, odd ones to the upper."""

    kernel = "pack"

    def expected(self, case, chip, before):
        memory = before.copy()
        count = 256 * case["repeats"]
        x = before[case["src"]:case["src"] + 2 * count].view(np.int16)
        memory[case["dst"]:case["dst"] + count] = conversions.dequantized(
            x, np.tile(self.words(case, before), count // 16), True).view(np.uint8)
        return memory

    def legal(self, case, chip):
        return True


@pytest.mark.parametrize("chip", SUPPORTED)
def test_two_runs_pack(chip):
    check(PackSubject(), chip, [plain("int8", "int16", WORD, repeats=repeats, fill=fill)
                                for repeats in (1, 3, 8) for fill in (RANDOM, SMALL)])


@pytest.mark.parametrize("chip", CHIPS)
def test_chips_and_types(chip):
    """int16 to 8 bits on 2002 and 2201, int32 to half on 2201; nothing else."""
    for dst in ("int8", "uint8", "int16", "half"):
        for src in ("int16", "half", "int32"):
            if (dst, src) in SUPPORTED.get(chip, []):
                continue
            code = "V6002" if chip in SUPPORTED else "V6001"
            run = check_refused(DEQUANT, chip, plain(dst, src, NONE), code)
            if chip in SUPPORTED:
                assert run.faults[0]["legal"] == \
                    ", ".join(f"{to}<-{of}" for to, of in SUPPORTED[chip])


INT8 = ("int8", "int16")
MASKED = {"form": CONTINUOUS, "mask0": 32, "repeats": 3}
BIT = {"form": BITS, "mask0": 1, "mask1": 0, "repeats": 2}
# 40 lanes of 3 repeats: dst reaches 18 + 4 blocks, and into the third; src 10 + 6 blocks and 8.
GAPS = MASKED | {"mask0": 40, "dst_blk": 2, "dst_rep": 9, "src_blk": 3, "src_rep": 5}
RULES = [
    ("offset -256", INT8, WORD, {"offset": -256}, None),
    ("offset -257", INT8, WORD, {"offset": -257}, "V2001"),
    ("offset 255", INT8, WORD, {"offset": 255}, None),
    ("offset 256", INT8, WORD, {"offset": 256}, "V2001"),
    ("offset 257", INT8, WORD, {"offset": 257}, "V2001"),
    ("scalar scale, vector call", INT8, WORD, {"vector": 1}, "V2004"),
    ("no scale, vector call", INT8, NONE, {"vector": 1}, "V2004"),
    ("no scale, scalar call", INT8, NONE, {}, "V2004"),
    ("scale of int32, scalar call", INT8, OF_HALF, {}, "V2004"),
    ("scale of int32, vector call", INT8, OF_HALF, {"vector": 1}, "V2004"),
    ("vector scale, scalar call", INT8, TABLE, {"vector": 0}, "V2004"),
    ("scalar scale of int16 for int32", HALF, WORD, {}, "V2004"),
    ("vector scale of int16 for int32", HALF, TABLE, {}, "V2004"),
    ("no scale for int32", HALF, NONE, {}, None),
    ("isVecDeq for int32", HALF, OF_HALF, {"vector": 1}, None),
    ("table just enough", INT8, TABLE, {"table_n": 16}, None),
    ("table in VECIN", INT8, TABLE, {"table_pos": lanes.VECIN}, None),
    ("count 0", INT8, WORD, {"count": 0}, None),
    ("count negative", INT8, WORD, {"count": -1}, "V2001"),
    ("count odd", INT8, WORD, {"count": 77}, None),
    ("count past src", INT8, WORD, {"count": 65, "src_n": 64}, "V1001"),
    ("count past the upper half", INT8, WORD, {"count": 17, "dst_n": 32}, "V1001"),
    ("count of the upper half", INT8, WORD, {"count": 16, "dst_n": 32}, None),
    ("upper half one short", INT8, WORD, {"count": 16, "dst_n": 31}, "V1001"),
    ("lower half just enough", INT8, WORD, {"count": 18, "high": 0, "dst_n": 34}, None),
    ("lower half one short", INT8, WORD, {"count": 18, "high": 0, "dst_n": 33}, "V1001"),
    ("mask 128", INT8, WORD, MASKED | {"mask0": 128}, None),
    ("mask 129", INT8, WORD, MASKED | {"mask0": 129}, "V2003"),
    ("mask -1", INT8, WORD, MASKED | {"mask0": FULL}, "V2003"),
    ("mask 64 of int32", HALF, NONE, MASKED | {"mask0": 64}, None),
    ("mask 65 of int32", HALF, NONE, MASKED | {"mask0": 65}, "V2003"),
    ("bits of all lanes", INT8, WORD, BIT | {"mask0": FULL, "mask1": FULL}, None),
    ("bits beyond those of int32", HALF, NONE, BIT | {"mask1": 1}, "V2003"),
    ("repeats 0", INT8, WORD, MASKED | {"repeats": 0}, None),
    ("dst just enough", INT8, WORD, GAPS | {"dst_n": 22 * 32 + 24}, None),
    ("dst one short", INT8, WORD, GAPS | {"dst_n": 22 * 32 + 23}, "V1001"),
    ("src just enough", INT8, WORD, GAPS | {"src_n": 16 * 16 + 8}, None),
    ("src one short", INT8, WORD, GAPS | {"src_n": 16 * 16 + 7}, "V1001"),
    ("dst block stride 0 is 1", INT8, WORD, MASKED | {"dst_blk": 0}, None),
    ("repeats that overlap", INT8, TABLE, MASKED | {"dst_rep": 1}, None),
    ("in place", INT8, WORD, {"src": 0, "count": 500}, None),
    ("in place, lower half", INT8, WORD, MASKED | {"src": 0, "high": 0}, None),
    ("in place, int32", HALF, NONE, {"src": 0, "count": 500}, None),
    ("in place, other block stride", INT8, WORD, MASKED | {"src": 0, "src_blk": 2, "repeats": 1},
     "V1008"),
    ("overlap of a block", INT8, WORD, MASKED | {"src": 32, "repeats": 1}, "V1008"),
    ("apart by a block", INT8, WORD, MASKED | {"src": 64, "repeats": 1}, None),
    ("dst misaligned", INT8, WORD, {"dst": 16, "dst_n": 512}, "V1004"),
    ("src misaligned", INT8, WORD, {"src": 4112, "src_n": 512}, "V1004"),
    ("dst in GM", INT8, WORD, {"dst_pos": 0}, "V1005"),
    ("src in GM", INT8, WORD, {"src_pos": 0}, "V1005"),
]


@pytest.mark.parametrize("name, pair, kind, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, pair, kind, changes, code):
    for chip in SUPPORTED:
        if pair not in SUPPORTED[chip]:
            continue
        case = plain(*pair, kind, **changes)
        if code == "V2001" and "offset" in name:
            refused_scale(chip, case, [code])
        else:
            check_rule(DEQUANT, chip, case, code)


def refused_scale(chip, case, codes):
    """SetDeqScale is refused, and then CastDequant finds no scale."""
    run = verdict(DEQUANT, chip, case)
    assert run.codes == codes + ["V2004"] and run.code == 1
    assert (run.outputs[0][0] == run.images[0]).all()


@pytest.mark.parametrize("changes, code", [
    ({"table_n": 15}, "V1001"), ({"table": 3856}, "V1004"), ({"table_pos": 0}, "V1005"),
    ({"table_pos": 1}, "V1005")])
def test_table_that_is_not_legal(changes, code):
    for chip in SUPPORTED:
        refused_scale(chip, plain("int8", "int16", TABLE, **changes), [code])


@pytest.mark.parametrize("chip", SUPPORTED)
def test_table_at_the_end_of_ub(chip):
    """Its last bytes are usable; a table across the end is refused when it is written."""
    end = UB_BYTES[chip]
    run = verdict(DEQUANT, chip, plain("int8", "int16", TABLE, table=end - 128, count=0))
    assert run.codes == [] and run.code == 0
    refused_scale(chip, plain("int8", "int16", TABLE, table=end - 96), ["V1002"])


@pytest.mark.parametrize("kernel", ["buffer_first", "buffer_later"])
def test_table_behind_what_was_handed_out(kernel):
    """The table is written by SetDeqScale and read by CastDequant."""
    subject = DequantSubject()
    subject.kernel = kernel
    for chip in SUPPORTED:
        inside = plain("int8", "int16", TABLE, table=8192 - 128, src_n=512)
        check(subject, chip, [inside])
        run = verdict(subject, chip, inside | {"table": 8192 - 96})
        assert run.codes == (["V1009", "V2004"] if kernel == "buffer_first" else ["V1009"])
        assert "vdeqTensor" in run.faults[0]["message"]


@pytest.mark.parametrize("chip", SUPPORTED)
def test_sign_that_is_not_that_of_dst(chip):
    """The type of dst decides; the bit earns a warning."""
    for dst in ("int8", "uint8"):
        for kind in (WORD, TABLE, RAW):
            case = plain(dst, "int16", kind, sign=int(dst != "int8"), count=500)
            check(DEQUANT, chip, [case], allowed=["V2008"])
            run = verdict(DEQUANT, chip, case)
            assert run.codes == ["V2008"] and run.code == 0
            assert ("signed" in run.faults[0]["message"]) and dst in run.faults[0]["message"]


@pytest.mark.parametrize("chip", SUPPORTED)
def test_mask_of_no_lane(chip):
    """A mask without a lane does nothing on A2/A3 and is a fault elsewhere."""
    code = None if chip == "2201" else "V2003"
    check_rule(DEQUANT, chip, plain("int8", "int16", WORD, **MASKED) | {"mask0": 0}, code)
    check_rule(DEQUANT, chip, plain("int8", "int16", WORD, **BIT) | {"mask0": 0}, code)


def test_without_set_mask_the_register_decides():
    """It starts with all lanes enabled; the mask of the call does not count."""
    subject = DequantSubject()
    subject.legal = lambda case, chip: True
    for chip in SUPPORTED:
        for form in (BITS, CONTINUOUS):
            case = plain("int8", "int16", TABLE, form=form, set_mask=0, mask0=3, repeats=2)
            subject.expected = lambda case, chip, before: DEQUANT.expected(
                case | {"mask0": FULL, "mask1": FULL, "form": BITS}, chip, before)
            check(subject, chip, [case])


class CastAfterScale(DequantSubject):
    kernel = "cast"


@pytest.mark.parametrize("chip", ["1000", "1001", "2002", "2201"])
def test_cast_after_a_scale_of_int16(chip):
    """Cast from int32 to half wants the scale of the form with a half."""
    subject = CastAfterScale()
    subject.legal = lambda case, chip: True
    check(subject, chip, [plain(*HALF, kind) for kind in (NONE, OF_HALF)])
    for kind in (WORD, TABLE):
        check_refused(CastAfterScale(), chip, plain(*HALF, kind), "V2004")
