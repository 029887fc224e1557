"""Gather: the element at src + srcBaseAddr + offset[r * L + i] goes to
dst + 32 * dstRepStride * r + i * w, in bytes; L lanes to a repeat, w bytes to an element."""

import numpy as np
import pytest

import lanes
from cases import (TYPES, UB_BYTES, WIDTH, Subject, check, check_refused, check_rule, launch,
                   random_bytes, random_cases)
from harness import CHIPS
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

WORDS = ["int16", "uint16", "half", "int32", "uint32", "float"]
SUPPORTED = {"2002": WORDS, "2201": WORDS + ["bfloat16"], "3002": WORDS + ["int8", "uint8"]}
PAIRS = [(chip, dtype) for chip in SUPPORTED for dtype in SUPPORTED[chip]]


def most_offset(chip, width):
    """The 310B's index of 8- and 16-bit elements has 16 bits; offsets are bytes."""
    return 65536 * width - 1 if chip == "3002" and width <= 2 else (1 << 32) - 1


class GatherSubject(Subject):
    """reach: bytes that the random offsets cover; bad_at, bad: one offset set by hand."""

    source = "gather_cases.cpp"
    fields = ("type", "form", "mask0", "mask1", "repeats", "count", "base", "dst_pos", "dst",
              "dst_n", "src_pos", "src", "src_n", "off_pos", "off", "off_n", "dst_rep", "reach",
              "bad_at", "bad", "seed")
    simplest = {"form": COUNT, "repeats": 1, "count": 1, "mask0": 1, "mask1": 0, "base": 0,
                "dst_rep": 8, "src": 0, "dst": 0, "off": 0, "reach": 4, "dst_pos": VECCALC,
                "src_pos": VECCALC, "off_pos": VECCALC, "bad_at": -1, "seed": 0}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        width = WIDTH[TYPES[case["type"]]]
        image = random_bytes(case["seed"], self.image)
        rng = np.random.default_rng(case["seed"] + 1)
        room = min(case["off_n"] * 4, self.image - case["off"])
        offsets = image[case["off"]:case["off"] + room].view(np.uint32)
        offsets[:] = rng.integers(0, case["reach"] // width, len(offsets)) * width
        if case["bad_at"] >= 0:
            offsets[case["bad_at"]] = case["bad"]
        return image

    def reads(self, case, before):
        """Per repeat: addresses of the elements and of the offsets of the enabled lanes."""
        width = WIDTH[TYPES[case["type"]]]
        most = lanes.lanes_per_repeat(width)
        offsets = before[case["off"] // 4 * 4:].view(np.uint32).astype(np.int64)
        indices = [r * most + enabled for r, enabled in enumerate(lanes.repeats_of(case, width))]
        return [(case["src"] + case["base"] + offsets[index], case["off"] + 4 * index)
                for index in indices]

    def writes(self, case):
        return lanes.addresses(case | {"dst_blk": 1}, "dst", WIDTH[TYPES[case["type"]]])

    def expected(self, case, chip, before):
        width = WIDTH[TYPES[case["type"]]]
        memory = before.copy().view(f"u{width}")
        for to, (source, _) in zip(self.writes(case), self.reads(case, before)):
            memory[to // width] = memory[source // width]
        return memory.view(np.uint8)

    def legal_call(self, case, chip, width):
        return lanes.mask_is_legal(case, width, False) and \
            lanes.fits(case | {"dst_blk": 1}, ["dst"], width, chip, self.image) and \
            lanes.fits(case | {"off_blk": 1, "off_rep": lanes.lanes_per_repeat(width) // 8},
                       ["off"], 4, chip, self.image, lanes.repeats_of(case, width)) and \
            case["src_pos"] in lanes.POSITIONS and case["src"] % 32 == 0 and \
            (case["form"] != COUNT or case["count"] <= case["off_n"]) and \
            case["base"] % width == 0 and 0 <= case["base"] < case["src_n"] * width and \
            0 <= case["dst_rep"] <= (255 if chip == "2002" else 65535)

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        width = WIDTH[dtype]
        if dtype not in SUPPORTED.get(chip, []) or case["reach"] < width or \
                not self.legal_call(case, chip, width):
            return False
        written, read = set(), set()
        reads = self.reads(case, self.before(case, chip))
        for to, (source, offset_at) in zip(self.writes(case), reads):
            relative = source - case["src"] - case["base"]
            if (relative % width).any() or (relative > most_offset(chip, width)).any() or \
                    (source + width > min(self.image, UB_BYTES[chip])).any():
                return False
            written.update(to // 4)
            read.update(offset_at // 4)
            if case["dst"] != case["src"] + case["base"] or len(self.writes(case)) > 1:
                read.update(source // 4)
        return not written & read


GATHER = GatherSubject()


def plain(dtype, **changes):
    """64 elements, offsets at 0, src at 2048, dst at 4096; changed as said."""
    width = WIDTH[dtype]
    case = {"type": TYPES.index(dtype), "form": COUNT, "mask0": 16, "mask1": 0, "repeats": 3,
            "count": 64, "base": 0, "dst_rep": 8, "reach": 2048, "bad_at": -1, "bad": 0, "seed": 1,
            "off_pos": VECCALC, "off": 0, "off_n": 512, "src_pos": VECCALC, "src": 2048,
            "src_n": 2048 // width, "dst_pos": VECCALC, "dst": 4096, "dst_n": 4096 // width}
    return case | changes


def random_gather(rng, chip):
    dtype = rng.choice(SUPPORTED[chip])
    width = WIDTH[dtype]
    case = plain(dtype) | lanes.random_lanes(rng, width, 600, 4)
    src, dst = (int(place) * 32 for place in rng.integers([70, 160], [130, 220]))
    base = int(rng.choice([0, width, 32, rng.integers(0, 500) * width]))
    src_n = int(rng.integers(1, 2800 // width))
    return case | {"off": 32 * rng.integers(0, 4), "off_n": 520, "src": src, "src_n": src_n,
                   "dst": dst, "dst_n": (GATHER.image - dst) // width, "base": base,
                   "dst_rep": rng.choice([0, 1, 3, 4, 8, 9, 20]), "seed": rng.integers(0, 1 << 20),
                   "reach": min(dst, rng.choice([dst, src + 64 + base])) - src - base,
                   **{name + "_pos": rng.choice(lanes.POSITIONS) for name in ("off", "src", "dst")}}


@pytest.mark.parametrize("chip", SUPPORTED)
def test_random(chip):
    cases = random_cases(GATHER, chip, lambda rng: random_gather(rng, chip), 800)
    check(GATHER, chip, cases)


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(SUPPORTED)))
def test_chip_without_gather(chip):
    for dtype in WORDS:
        check_refused(GATHER, chip, plain(dtype), "V6001")


@pytest.mark.parametrize("chip, dtype", [(chip, dtype) for chip in SUPPORTED for dtype in TYPES[:-1]
                                         if dtype not in SUPPORTED[chip]])
def test_type_not_on_chip(chip, dtype):
    check_refused(GATHER, chip, plain(dtype), "V6002")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_the_documents_example(chip):
    """Offsets 254, 252, ..., 0 turn 0..127 round."""
    subject = GatherSubject()
    image = np.concatenate([np.arange(254, -2, -2, np.int32).view(np.uint8),
                            np.zeros(1536, np.uint8),
                            np.arange(128, dtype=np.float16).view(np.uint8),
                            np.zeros(8192 - 2304, np.uint8)])
    subject.before = lambda case, chip: image
    run = launch(subject, chip, [plain("half", count=128)])
    assert run.faults == []
    turned = run.outputs[0][0][4096:4096 + 256].view(np.float16)
    assert turned.tolist() == list(range(127, -1, -1))


ONE = {"form": CONTINUOUS}
HOLES = {"form": BITS, "mask0": 0xF0F0, "mask1": 0}
RULES = [
    ("count 0", "half", {"count": 0}, None),
    ("count of src", "half", {"count": 100, "src_n": 100}, None),
    ("count past src", "half", {"count": 101, "src_n": 100}, None),
    ("many from one", "half", {"count": 512, "src_n": 1, "reach": 2}, None),
    ("none from no offsets", "half", {"count": 0, "off_n": 0}, None),
    ("count of offsets", "half", {"count": 100, "off_n": 100}, None),
    ("count past offsets", "half", {"count": 101, "off_n": 100}, "V2001"),
    ("count of dst", "half", {"count": 100, "dst_n": 100}, None),
    ("count past dst", "half", {"count": 101, "dst_n": 100}, "V1001"),
    ("mask 1", "half", ONE | {"mask0": 1}, None),
    ("mask 0", "half", ONE | {"mask0": 0}, "V2003"),
    ("mask 128", "half", ONE | {"mask0": 128}, None),
    ("mask 129", "half", ONE | {"mask0": 129}, "V2003"),
    ("mask 64 of float", "float", ONE | {"mask0": 64}, None),
    ("mask 65 of float", "float", ONE | {"mask0": 65}, "V2003"),
    ("no bit", "half", HOLES | {"mask0": 0}, "V2003"),
    ("high bits", "half", HOLES | {"mask0": 0, "mask1": 1 << 63}, None),
    ("all bits of float", "float", HOLES | {"mask0": FULL}, None),
    ("high bits of float", "float", HOLES | {"mask1": 1}, "V2003"),
    ("repeats 0", "half", ONE | {"repeats": 0}, None),
    ("repeat stride 0", "half", ONE | {"dst_rep": 0}, None),
    ("repeat stride 255", "half", ONE | {"repeats": 1, "dst_rep": 255}, None),
    ("offsets just enough", "half", ONE | {"mask0": 10, "repeats": 3, "off_n": 266}, None),
    ("offsets one short", "half", ONE | {"mask0": 10, "repeats": 3, "off_n": 265}, "V1001"),
    ("dst just enough", "half", ONE | {"mask0": 10, "dst_rep": 5, "dst_n": 170}, None),
    ("dst one short", "half", ONE | {"mask0": 10, "dst_rep": 5, "dst_n": 169}, "V1001"),
    ("base last of src", "half", {"base": 126, "count": 64, "src_n": 64, "reach": 256}, None),
    ("base past src", "half", {"base": 128, "count": 64, "src_n": 64, "reach": 256}, "V2001"),
    ("base odd", "half", {"base": 33, "reach": 256}, "V2002"),
    ("base half of float", "float", {"base": 34, "reach": 256}, "V2002"),
    ("base of float", "float", {"base": 36, "reach": 256}, None),
    ("offset odd", "half", {"bad_at": 63, "bad": 3}, "V2005"),
    ("offset half of float", "float", {"bad_at": 0, "bad": 2}, "V2005"),
    ("offset odd, not used", "half", {"bad_at": 64, "bad": 3}, None),
    ("offset odd, lane masked", "half", HOLES | {"bad_at": 128 + 8, "bad": 3}, None),
    ("offset odd, lane enabled", "half", HOLES | {"bad_at": 128 + 12, "bad": 3}, "V2005"),
    ("offset huge, lane masked", "half", HOLES | {"bad_at": 3, "bad": FULL >> 32}, None),
    ("offset huge, lane enabled", "half", HOLES | {"bad_at": 4, "bad": (FULL >> 32) - 1}, "V2005"),
    ("offset outside src", "half", {"src_n": 64, "bad_at": 5, "bad": 3000}, None),
    ("in place", "half", ONE | {"dst": 2048, "repeats": 1, "mask0": 128, "reach": 256}, None),
    ("in place, base", "half", ONE | {"dst": 2080, "repeats": 1, "reach": 32, "base": 32}, None),
    ("in place, base, all lanes", "half", ONE | {"dst": 2080, "repeats": 1, "mask0": 128,
                                                 "reach": 256, "base": 32}, None),
    ("in place, base, by count", "half",
     {"dst": 2112, "count": 100, "reach": 200, "base": 64}, None),
    ("in place, base, of float", "float", ONE | {"dst": 2112, "repeats": 1, "mask0": 64,
                                                 "reach": 256, "base": 64}, None),
    ("at src, base beyond what is written", "half", ONE | {"dst": 2048, "repeats": 1, "reach": 32,
                                                           "base": 32}, None),
    ("at src, base inside what is written", "half", ONE | {"dst": 2048, "repeats": 1, "mask0": 32,
                                                           "reach": 64, "base": 32}, "V1008"),
    ("in part over src", "half", ONE | {"dst": 2080, "repeats": 1, "mask0": 64, "reach": 512},
     "V1008"),
    ("over src that is not read", "half", ONE | {"dst": 2080, "repeats": 1, "reach": 32}, None),
    ("repeat reads the one before", "half", ONE | {"dst": 2048, "repeats": 2, "mask0": 128,
                                                   "reach": 256}, "V1008"),
    ("over its own offsets", "half", ONE | {"dst": 32, "repeats": 1, "mask0": 32}, "V1008"),
    ("src misaligned", "half", {"src": 2064}, "V1004"),
    ("dst misaligned", "half", {"dst": 4098, "dst_n": 256}, "V1004"),
    ("offsets misaligned", "half", {"off": 16}, "V1004"),
    ("src in GM", "half", {"src_pos": 0}, "V1005"),
    ("dst in L1", "half", {"dst_pos": 1}, "V1005"),
    ("offsets in L0C", "half", {"off_pos": 7}, "V1005"),
]


@pytest.mark.parametrize("name, dtype, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, dtype, changes, code):
    for chip in SUPPORTED:
        check_rule(GATHER, chip, plain(dtype, **changes), code)


@pytest.mark.parametrize("chip", SUPPORTED)
def test_repeats_that_only_meet_themselves(chip):
    """Repeat by repeat in place, each on its own elements: no repeat depends on another."""
    subject = GatherSubject()
    case = plain("int32", form=CONTINUOUS, mask0=64, repeats=2, dst=2048, off_n=128)
    image = random_bytes(7, 8192)
    offsets = image[:512].view(np.uint32)
    offsets[:64] = np.arange(63, -1, -1) * 4
    offsets[64:] = np.arange(127, 63, -1) * 4
    subject.before = lambda case, chip: image
    subject.legal = lambda case, chip: True
    subject.simplest = {}
    check(subject, chip, [case, case | {"dst": 0, "repeats": 1, "mask0": 64}])


@pytest.mark.parametrize("chip", SUPPORTED)
def test_wide_repeat_stride(chip):
    """dstRepStride has 8 bits on 2002 and 16 elsewhere."""
    large = GatherSubject(180 << 10)
    case = plain("half", form=CONTINUOUS, dst_n=84000, dst_rep=2600)
    check_rule(large, chip, case | {"dst_rep": 255}, None)
    check_rule(large, chip, case | {"dst_rep": 256}, "V2001" if chip == "2002" else None)
    check_rule(large, chip, case, "V2001" if chip == "2002" else None)
    check_rule(large, chip, case | {"dst_rep": 65535, "repeats": 1},
               "V2001" if chip == "2002" else None)


@pytest.mark.parametrize("chip, dtype", PAIRS)
def test_offsets_up_to_the_end_of_ub(chip, dtype):
    large, width = GatherSubject(UB_BYTES[chip]), WIDTH[dtype]
    case = plain(dtype, bad_at=2)
    last = min(UB_BYTES[chip] - 2048 - width, most_offset(chip, width) // width * width)
    check_rule(large, chip, case | {"bad": last}, None)
    check_rule(large, chip, case | {"bad": last + width}, "V2005")
    based = UB_BYTES[chip] - 2048 - 64 - width
    if based <= most_offset(chip, width):
        check_rule(large, chip, case | {"base": 64, "bad": based, "reach": 1024}, None)
        check_rule(large, chip, case | {"base": 64, "bad": based + width, "reach": 1024}, "V2005")


@pytest.mark.parametrize("chip, dtype", PAIRS)
def test_counts_that_wrap_in_the_vendors_headers(chip, dtype):
    """From 256 repeats on a warning, and the whole result."""
    width = WIDTH[dtype]
    wraps = 256 * lanes.lanes_per_repeat(width)
    large = GatherSubject(UB_BYTES[chip])
    case = plain(dtype, off=0, off_n=wraps, src=0, src_n=wraps * 4 // width, count=wraps,
                 dst=large.image - wraps * width, dst_n=wraps,
                 reach=min(wraps * 4, most_offset(chip, width)))
    check_rule(large, chip, case | {"count": wraps - 1}, None)
    check(large, chip, [case], allowed=["V2007"])
    run = launch(large, chip, [case])
    assert run.codes == ["V2007"] and run.code == 0


@pytest.mark.parametrize("chip", SUPPORTED)
def test_repeats_255(chip):
    large = GatherSubject(UB_BYTES[chip])
    case = plain("float", form=CONTINUOUS, mask0=64, repeats=255, off=0, off_n=255 * 64, src=65536,
                 reach=8192, dst=65536 + 8192, dst_n=255 * 64)
    check(large, chip, [case, case | {"mask0": 1}, case | {"dst_rep": 0}])
