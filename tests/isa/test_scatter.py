"""Scatter: the element at src + 32 * srcRepStride * r + i * w goes to
dst + dstBaseAddr + offset[r * L + i], in bytes; L lanes to a repeat, w bytes to an element."""

import numpy as np
import pytest

import lanes
from batches import check_rules, check_told
from cases import (TYPES, UB_BYTES, WIDTH, Subject, check, check_refused, check_rule, launch,
                   random_bytes, random_cases)
from harness import CHIPS
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

SUPPORTED = {"2002": ["uint16", "half", "uint32", "float"],
             "3002": ["int8", "uint8", "int16", "uint16", "half", "int32", "uint32", "float"]}
PAIRS = [(chip, dtype) for chip in SUPPORTED for dtype in SUPPORTED[chip]]


def most_offset(chip, width):
    """The 310B's index of 8- and 16-bit elements has 16 bits; offsets are bytes."""
    return 65536 * width - 1 if chip == "3002" and width <= 2 else (1 << 32) - 1


class ScatterSubject(Subject):
    """reach: bytes that the offsets cover, each once, in random order; bad_at, bad: one offset set
    by hand."""

    source = "scatter_cases.cpp"
    fields = ("type", "form", "mask0", "mask1", "repeats", "count", "base", "dst_pos", "dst",
              "dst_n", "src_pos", "src", "src_n", "off_pos", "off", "off_n", "src_rep", "reach",
              "bad_at", "bad", "seed")
    simplest = {"form": COUNT, "repeats": 1, "count": 1, "mask0": 1, "mask1": 0, "base": 0,
                "src_rep": 8, "dst_pos": VECCALC, "src_pos": VECCALC, "off_pos": VECCALC,
                "bad_at": -1, "seed": 0}

    def __init__(self, image=16384):
        self.image = image

    def before(self, case, chip):
        width = WIDTH[TYPES[case["type"]]]
        image = random_bytes(case["seed"], self.image)
        rng = np.random.default_rng(case["seed"] + 1)
        room = min(case["off_n"], (self.image - case["off"]) // 4, case["reach"] // width)
        offsets = image[case["off"]:case["off"] + 4 * room].view(np.uint32)
        offsets[:] = rng.permutation(case["reach"] // width)[:room] * width
        if case["bad_at"] >= 0:
            offsets[case["bad_at"]] = case["bad"]
        return image

    def writes(self, case, before):
        """Per repeat: addresses of the elements and of the offsets of the enabled lanes."""
        width = WIDTH[TYPES[case["type"]]]
        most = lanes.lanes_per_repeat(width)
        offsets = before[case["off"] // 4 * 4:].view(np.uint32).astype(np.int64)
        indices = [r * most + enabled for r, enabled in enumerate(lanes.repeats_of(case, width))]
        return [(case["dst"] + case["base"] + offsets[index], case["off"] + 4 * index)
                for index in indices]

    def reads(self, case):
        return lanes.addresses(case | {"src_blk": 1}, "src", WIDTH[TYPES[case["type"]]])

    def expected(self, case, chip, before):
        width = WIDTH[TYPES[case["type"]]]
        memory = before.copy().view(f"u{width}")
        for source, (to, _) in zip(self.reads(case), self.writes(case, before)):
            for one, other in zip(to // width, source // width):
                memory[one] = memory[other]
        return memory.view(np.uint8)

    def legal_call(self, case, chip, width):
        return lanes.mask_is_legal(case, width, False) and \
            case["repeats"] <= 255 and case["src_rep"] <= 255 and \
            lanes.fits(case | {"src_blk": 1}, ["src"], width, chip, self.image) and \
            lanes.fits(case | {"off_blk": 1, "off_rep": lanes.lanes_per_repeat(width) // 8},
                       ["off"], 4, chip, self.image, lanes.repeats_of(case, width)) and \
            case["dst_pos"] in lanes.POSITIONS and case["dst"] % 32 == 0 and \
            case["base"] % width == 0 and 0 <= case["base"] < case["dst_n"] * width

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        width = WIDTH[dtype]
        if dtype not in SUPPORTED.get(chip, []) or not self.legal_call(case, chip, width):
            return False
        written, read = set(), set()
        for source, (to, offset_at) in zip(self.reads(case),
                                           self.writes(case, self.before(case, chip))):
            relative = to - case["dst"] - case["base"]
            if (relative % width).any() or (relative > most_offset(chip, width)).any() or \
                    (to + width > min(self.image, UB_BYTES[chip])).any():
                return False
            written.update(to)
            read.update(source, *(offset_at // width * width + byte for byte in range(0, 4, width)))
        return not written & read


SCATTER = ScatterSubject()


def plain(dtype, **changes):
    """64 elements, offsets at 0, src at 4096, dst at 8192; changed as said."""
    width = WIDTH[dtype]
    case = {"type": TYPES.index(dtype), "form": COUNT, "mask0": 16, "mask1": 0, "repeats": 3,
            "count": 64, "base": 0, "src_rep": 8, "reach": 4096, "bad_at": -1, "bad": 0, "seed": 1,
            "off_pos": VECCALC, "off": 0, "off_n": 512, "src_pos": VECCALC, "src": 4096,
            "src_n": 4096 // width, "dst_pos": VECCALC, "dst": 8192, "dst_n": 4096 // width}
    return case | changes


def random_scatter(rng, chip):
    dtype = rng.choice(SUPPORTED[chip])
    width = WIDTH[dtype]
    case = plain(dtype) | lanes.random_lanes(rng, width, 600, 4)
    src, dst = (int(place) * 32 for place in rng.integers([70, 230], [110, 300]))
    base = int(rng.choice([0, width, 32, rng.integers(0, 500) * width]))
    return case | {"off": 32 * rng.integers(0, 4), "off_n": 520, "src": src,
                   "src_n": (SCATTER.image - src) // width, "dst": dst,
                   "dst_n": rng.integers(base // width + 1, 2800 // width), "base": base,
                   "src_rep": rng.choice([0, 1, 3, 4, 8, 9, 20]), "seed": rng.integers(0, 1 << 20),
                   "reach": rng.choice([520 * width, SCATTER.image - dst - base]),
                   **{name + "_pos": rng.choice(lanes.POSITIONS) for name in ("off", "src", "dst")}}


@pytest.mark.parametrize("chip", SUPPORTED)
def test_random(chip):
    cases = random_cases(SCATTER, chip, lambda rng: random_scatter(rng, chip), 500)
    check(SCATTER, chip, cases)


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(SUPPORTED)))
def test_chip_without_scatter(chip):
    check_refused(SCATTER, chip, plain("half"), "V6001")


@pytest.mark.parametrize("chip, dtype", [(chip, dtype) for chip in SUPPORTED for dtype in TYPES[:-1]
                                         if dtype not in SUPPORTED[chip]])
def test_type_not_on_chip(chip, dtype):
    check_refused(SCATTER, chip, plain(dtype), "V6002")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_the_documents_example(chip):
    """Offsets 254, 252, ..., 0 turn 0..127 round."""
    subject = ScatterSubject()
    image = np.zeros(subject.image, np.uint8)
    image[:512] = np.arange(254, -2, -2, np.int32).view(np.uint8)
    image[4096:4096 + 256] = np.arange(128, dtype=np.float16).view(np.uint8)
    subject.before = lambda case, chip: image
    run = launch(subject, chip, [plain("half", count=128)])
    assert run.faults == []
    turned = run.outputs[0][0][8192:8192 + 256].view(np.float16)
    assert turned.tolist() == list(range(127, -1, -1))


@pytest.mark.parametrize("chip", SUPPORTED)
def test_of_equal_offsets_the_last_one_stays(chip):
    """With a warning that names them."""
    case = plain("half", bad_at=40, bad=0)
    offsets = SCATTER.before(case, chip)[:128].view(np.uint32)
    case["bad"] = int(offsets[7])
    run = check_told(SCATTER, chip, [case], "V2009")
    assert f"dstOffset[7] and dstOffset[40] are both {case['bad']}" in run.faults[0]["message"]
    # Of a lane that is masked it does not matter.
    check(SCATTER, chip, [case | {"form": BITS, "mask0": 0xFFFF, "repeats": 1}])


ONE = {"form": CONTINUOUS}
HOLES = {"form": BITS, "mask0": 0xF0F0, "mask1": 0}
RULES = [
    ("half", {"count": 0}, None),
    ("half", {"count": 0, "off_n": 0}, None),
    ("half", {"count": 100, "off_n": 100}, None),
    ("half", {"count": 101, "off_n": 100}, "V1001"),
    ("half", {"count": 100, "src_n": 100}, None),
    ("half", {"count": 101, "src_n": 100}, "V1001"),
    ("half", {"dst_n": 1}, None),
    ("half", ONE | {"mask0": 1}, None),
    ("half", ONE | {"mask0": 0}, "V2003"),
    ("half", ONE | {"mask0": 128}, None),
    ("half", ONE | {"mask0": 129}, "V2003"),
    ("float", ONE | {"mask0": 64}, None),
    ("float", ONE | {"mask0": 65}, "V2003"),
    ("half", HOLES, None),
    ("half", HOLES | {"mask0": 0}, "V2003"),
    ("half", HOLES | {"mask0": 0, "mask1": 1 << 63}, None),
    ("float", HOLES | {"mask0": FULL}, None),
    ("float", HOLES | {"mask1": 1}, "V2003"),
    ("half", ONE | {"repeats": 0}, None),
    ("half", ONE | {"src_rep": 0}, None),
    ("half", ONE | {"repeats": 256}, "V2001"),
    ("half", ONE | {"repeats": 1, "src_rep": 255}, None),
    ("half", ONE | {"repeats": 1, "src_rep": 256}, "V2001"),
    ("half", ONE | {"mask0": 10, "off_n": 266}, None),
    ("half", ONE | {"mask0": 10, "off_n": 265}, "V1001"),
    ("half", ONE | {"mask0": 10, "src_rep": 5, "src_n": 170}, None),
    ("half", ONE | {"mask0": 10, "src_rep": 5, "src_n": 169}, "V1001"),
    ("half", {"base": 126, "dst_n": 64}, None),
    ("half", {"base": 128, "dst_n": 64}, "V2001"),
    ("half", {"base": 33}, "V2002"),
    ("float", {"base": 34}, "V2002"),
    ("float", {"base": 36}, None),
    ("half", {"bad_at": 63, "bad": 3}, "V2005"),
    ("float", {"bad_at": 0, "bad": 2}, "V2005"),
    ("half", {"bad_at": 64, "bad": 3}, None),
    ("half", HOLES | {"bad_at": 128 + 8, "bad": 3}, None),
    ("half", HOLES | {"bad_at": 128 + 12, "bad": 3}, "V2005"),
    ("half", HOLES | {"bad_at": 3, "bad": FULL >> 32}, None),
    ("half", HOLES | {"bad_at": 4, "bad": (FULL >> 32) - 1}, "V2005"),
    ("half", {"dst_n": 64, "bad_at": 5, "bad": 5000}, None),
    ("half", {"dst": 4096, "reach": 256}, "V1008"),
    ("half", {"dst": 4096, "base": 128, "reach": 3968}, None),
    ("half", {"dst": 4096, "base": 126, "reach": 128}, "V1008"),
    ("half", {"dst": 0, "base": 256, "reach": 3840}, None),
    ("half", {"dst": 0, "base": 254, "reach": 128}, "V1008"),
    ("half", {"src": 4112}, "V1004"),
    ("half", {"dst": 8194}, "V1004"),
    ("half", {"off": 16}, "V1004"),
    ("half", {"src_pos": 0}, "V1005"),
    ("half", {"dst_pos": 1}, "V1005"),
    ("half", {"off_pos": 7}, "V1005"),
]


@pytest.mark.parametrize("chip", SUPPORTED)
def test_rules(chip):
    check_rules(SCATTER, chip, [(plain(dtype, **changes), code) for dtype, changes, code in RULES])


@pytest.mark.parametrize("chip, dtype", PAIRS)
def test_offsets_up_to_the_end_of_ub(chip, dtype):
    large, width = ScatterSubject(UB_BYTES[chip]), WIDTH[dtype]
    case = plain(dtype, bad_at=2)
    last = min(UB_BYTES[chip] - 8192 - width, most_offset(chip, width) // width * width)
    check_rule(large, chip, case | {"bad": last}, None)
    check_rule(large, chip, case | {"bad": last + width}, "V2005")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_255_repeats(chip):
    large = ScatterSubject(UB_BYTES[chip])
    case = plain("float", form=CONTINUOUS, mask0=64, repeats=255, off=0, off_n=255 * 64, src=65536,
                 src_n=255 * 64, dst=2 * 65536, reach=65536, dst_n=16384)
    check(large, chip, [case, case | {"mask0": 1}, case | {"src_rep": 0}])
