"""GatherMask: the elements of src0 whose bit is set, packed into dst, and how many they are."""

import numpy as np
import pytest

import lanes
from batches import check_rules
from cases import (TYPES, UB_BYTES, WIDTH, Subject, check, check_random, check_refused, check_rule,
                   launch, random_bytes)
from harness import CHIPS
from lanes import VECCALC

WORDS = ["int16", "uint16", "half", "int32", "uint32", "float"]
SUPPORTED = {"2002": WORDS, "2201": WORDS + ["bfloat16"], "3002": WORDS}
TOTAL = {"2002"}  # mask counts all elements; no pattern 7
HAS_COUNTER = {"2002", "2201", "3002"}
# Which of n elements a fixed pattern keeps.
FIXED = {1: lambda i: i % 2 == 0, 2: lambda i: i % 2 == 1, 3: lambda i: i % 4 == 0,
         4: lambda i: i % 4 == 1, 5: lambda i: i % 4 == 2, 6: lambda i: i % 4 == 3,
         7: lambda i: i >= 0}


class GatherMaskSubject(Subject):
    source = "gather_mask_cases.cpp"
    fields = ("type", "pattern_type", "fixed", "reduce", "mask", "counter", "dst_pos", "dst",
              "dst_n", "src_pos", "src", "src_n", "pat_pos", "pat", "pat_n", "src_blk", "repeats",
              "src_rep", "pat_rep", "probe", "seed")
    simplest = {"fixed": 7, "reduce": 0, "mask": 1, "counter": 0, "repeats": 1, "src_blk": 1,
                "src_rep": 8, "pat_rep": 8, "dst": 0, "src": 0, "pat": 0, "probe": -1, "seed": 0}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        return random_bytes(case["seed"], self.image)

    @staticmethod
    def extent(case, chip):
        """The number of elements that each repeat looks at."""
        full = 256 // WIDTH[TYPES[case["type"]]]
        if not case["reduce"]:
            return [full] * case["repeats"]
        if chip not in TOTAL:
            return [case["mask"]] * case["repeats"]
        return [min(full, case["mask"] - first) for first in range(0, case["mask"], full)]

    @staticmethod
    def places(case, repeat, count):
        """Addresses of a repeat's elements."""
        width = WIDTH[TYPES[case["type"]]]
        i = np.arange(count)
        return case["src"] + 32 * (repeat * case["src_rep"] + i * width // 32 * case["src_blk"]) + \
            i * width % 32

    def kept(self, case, chip, before):
        """Addresses of the elements that are kept, an array for each repeat."""
        kept = []
        for repeat, count in enumerate(self.extent(case, chip)):
            i = np.arange(count)
            if case["fixed"] >= 0:
                chosen = FIXED[case["fixed"]](i)
            else:
                start = case["pat"] + 32 * case["pat_rep"] * repeat
                chosen = before[start + i // 8] >> (i % 8).astype(np.uint8) & 1 == 1
            kept.append(self.places(case, repeat, count)[chosen])
        return kept

    def expected(self, case, chip, before):
        memory, width = before.copy(), WIDTH[TYPES[case["type"]]]
        elements, done = memory.view(f"u{width}"), 0
        for at in self.kept(case, chip, before):
            start = case["dst"] // width + done
            elements[start:start + len(at)] = elements[at // width]
            done += len(at)
        if case["probe"] >= 0:
            memory[case["probe"]:case["probe"] + 6].view(np.uint16)[:] = 0xABCD
            memory[-8:].view(np.int64)[0] = done
        return memory

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        if dtype not in SUPPORTED.get(chip, []) or case["probe"] > 0 and case["probe"] % 32:
            return False
        if case["fixed"] < 0 and WIDTH[TYPES[case["pattern_type"]]] != WIDTH[dtype]:
            return False
        if case["fixed"] >= 0 and not 1 <= case["fixed"] <= (6 if chip in TOTAL else 7):
            return False
        if case["counter"] and chip not in HAS_COUNTER or case["reduce"] and case["mask"] < 1:
            return False
        return self.legal_places(case, chip)

    def legal_places(self, case, chip):
        width, limit = WIDTH[TYPES[case["type"]]], min(self.image, UB_BYTES[chip])
        if case["reduce"] and case["mask"] > 1 << 20:
            return False
        counts = self.extent(case, chip)
        reads = [self.places(case, r, n) for r, n in enumerate(counts)]
        src_end = max((int(at.max()) + width for at in reads if len(at)), default=case["src"])
        bits_end = max((case["pat"] + 32 * case["pat_rep"] * r + (n + 7) // 8
                        for r, n in enumerate(counts)), default=case["pat"])
        if not inside(case, "src", width, src_end, limit):
            return False
        if case["fixed"] < 0 and not inside(case, "pat", width, bits_end, limit):
            return False
        kept = self.kept(case, chip, self.before(case, chip))
        end = case["dst"] + width * sum(map(len, kept))
        if not inside(case, "dst", width, end, limit):
            return False
        if case["fixed"] < 0 and case["dst"] < bits_end and case["pat"] < end:
            return False
        return self.in_place(case, kept, src_end, end, width)

    @staticmethod
    def in_place(case, kept, src_end, end, width):
        """dst is apart from src, or starts there and stays behind what is still to be read."""
        if end <= case["dst"] or not (case["dst"] < src_end and case["src"] < end):
            return True
        written = width * np.cumsum([len(at) for at in kept])[:-1]
        starts = 32 * case["src_rep"] * np.arange(1, len(kept))
        return case["dst"] == case["src"] and bool((written <= starts).all())


def inside(case, name, width, end, limit):
    """The operand lies in its tensor and in memory, at a datablock."""
    return case[name + "_pos"] in lanes.POSITIONS and case[name] % 32 == 0 and \
        end <= case[name] + case[name + "_n"] * width <= limit


GATHER_MASK = GatherMaskSubject()


def plain(dtype, **changes):
    """Two repeats of pattern 1 on separate tensors, changed as said."""
    width = WIDTH[dtype]
    case = {"type": TYPES.index(dtype), "fixed": 1, "reduce": 0, "mask": 0, "counter": 0,
            "pattern_type": TYPES.index("uint16" if width == 2 else "uint32"), "src_blk": 1,
            "repeats": 2, "src_rep": 8, "pat_rep": 1, "pat_pos": VECCALC, "pat": 6144,
            "pat_n": 512 // width, "probe": -1, "seed": 1}
    for index, name in enumerate(("dst", "src")):
        case |= {name: 3072 * index, name + "_pos": VECCALC, name + "_n": 3072 // width}
    return case | changes


def random_call(rng, chip):
    dtype = rng.choice(SUPPORTED[chip])
    width = WIDTH[dtype]
    dst, src = (32 * int(block) for block in rng.integers(0, 200, 2))
    if rng.random() < 0.7:
        dst, src = dst % 1024, 2816 + src % 1500 // 32 * 32
    if rng.random() < 0.25:
        dst = src
    fixed = int(rng.integers(1, 7 if chip in TOTAL else 8)) if rng.random() < 0.5 else -1
    full = 256 // width
    case = plain(dtype, fixed=fixed, dst=dst, src=src, dst_n=(6656 - dst) // width,
                 src_n=(6656 - src) // width, pat=6656 + 32 * rng.integers(0, 4),
                 repeats=rng.integers(0, 7), src_blk=rng.choice([0, 1, 1, 1, 2]),
                 src_rep=rng.choice([0, 1, 4, 8, 8, 8, 9]), pat_rep=rng.choice([0, 0, 1, 2, 3]),
                 seed=rng.integers(0, 1 << 20), probe=7808 if rng.random() < 0.7 else -1)
    case |= {"pat_n": (7680 - case["pat"]) // width}
    if rng.random() < 0.5:
        case |= {"reduce": 1, "mask": rng.choice([1, 63, 64, 65, full, full + 1, 70, 300,
                                                  rng.integers(1, 600)])}
    return case | {"counter": rng.random() < 0.2}


@pytest.mark.parametrize("chip", SUPPORTED)
def test_random(chip):
    check_random(GATHER_MASK, chip, lambda rng: random_call(rng, chip), 700)


def printed(chip, numbers, **changes):
    """What dst and rsvdCnt are for src0 = numbers, in uint32."""
    subject = GatherMaskSubject()
    image = np.zeros(8192, np.uint8)
    image[3072:3072 + 4 * len(numbers)] = np.array(numbers, np.uint32).view(np.uint8)
    image[6144:6144 + 64] = 0xFF
    subject.before = lambda case, chip: image
    run = launch(subject, chip, [plain("uint32", probe=7808, **changes)])
    assert run.faults == []
    kept = int(run.outputs[0][0][-8:].view(np.int64)[0])
    return run.outputs[0][0][:4 * kept].view(np.uint32).tolist()


@pytest.mark.parametrize("chip", SUPPORTED)
def test_the_documents_examples(chip):
    numbers = list(range(1, 257))
    assert printed(chip, numbers, fixed=2, repeats=4, pat_rep=0) == list(range(2, 257, 2))
    counted = {"fixed": -1, "reduce": 1, "mask": 70, "repeats": 2, "src_rep": 4, "pat_rep": 0}
    second = list(range(33, 39)) if chip in TOTAL else list(range(33, 103))
    first = list(range(1, 65)) if chip in TOTAL else list(range(1, 71))
    assert printed(chip, numbers, **counted) == first + second


@pytest.mark.parametrize("chip", SUPPORTED)
def test_patterns(chip):
    """Each fixed pattern, on whole repeats and on a rest of every length."""
    cases = []
    for fixed in range(1, 7 if chip in TOTAL else 8):
        for dtype in SUPPORTED[chip]:
            cases += [plain(dtype, fixed=fixed), plain(dtype, fixed=fixed, dst=3072)]
            cases += [plain(dtype, fixed=fixed, reduce=1, mask=mask) for mask in (1, 2, 3, 4, 5, 65)]
    check(GATHER_MASK, chip, cases)


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    here = SUPPORTED.get(chip, [])
    for dtype in TYPES[:-1] if here else ["half"]:
        if dtype not in here:
            check_refused(GATHER_MASK, chip, plain(dtype), "V6002" if here else "V6001")
    if here:
        for dtype, other in (("half", "uint32"), ("float", "uint16")):
            check_refused(GATHER_MASK, chip, plain(dtype, fixed=-1, pattern_type=TYPES.index(other)),
                          "V6002")


def rules_of(dtype, chip):
    width = WIDTH[dtype]
    full = 256 // width
    tensor = {"fixed": -1}
    all_bits = 6 if chip in TOTAL else 7
    counted = {"reduce": 1, "mask": full}
    return [
        ({"fixed": 0}, "V2001"), ({"fixed": all_bits}, None), ({"fixed": all_bits + 1}, "V2001"),
        ({"fixed": 255}, "V2001"), ({"repeats": 0}, None), ({"repeats": 0, "dst_n": 0}, None),
        ({"reduce": 1, "mask": 0}, "V2001"), ({"reduce": 1, "mask": 1}, None),
        ({"reduce": 0, "mask": 0xFFFFFFFF}, None),
        ({"reduce": 1, "mask": 0xFFFFFFFF, "repeats": 1}, "V1001"),
        ({"dst_n": full}, None), ({"dst_n": full - 1}, "V1001"),
        ({"src_n": 2 * full}, None), ({"src_n": 2 * full - 1}, "V1001"),
        (counted | {"repeats": 1, "src_n": full}, None),
        (counted | {"repeats": 1, "src_n": full - 1}, "V1001"),
        (tensor | {"pat_n": (32 + full // 8) // width}, None),
        (tensor | {"pat_n": (32 + full // 8) // width - 1}, "V1001"),
        (tensor | {"pat_rep": 0, "pat_n": full // 8 // width}, None),
        (tensor | {"dst": 6144, "dst_n": 512 // width}, "V1008"),
        ({"dst": 3072}, None), ({"dst": 3072, "src_rep": 4}, None),
        ({"dst": 3072, "src_rep": 3}, "V1008"), ({"dst": 3072, "src_rep": 0}, "V1008"),
        ({"dst": 3072, "src_rep": 0, "repeats": 1}, None),
        ({"dst": 3104}, "V1008"), ({"dst": 3072 - 32}, "V1008"),
        ({"dst": 16}, "V1004"), ({"src": 3072 + width}, "V1004"), (tensor | {"pat": 6160}, "V1004"),
        ({"dst_pos": 0}, "V1005"), ({"src_pos": 0}, "V1005"), (tensor | {"pat_pos": 0}, "V1005"),
        ({"pat_pos": 0, "pat": 6160}, None),
    ]


@pytest.mark.parametrize("chip", SUPPORTED)
def test_rules(chip):
    for dtype in ("half", "float"):
        check_rules(GATHER_MASK, chip, [(plain(dtype, **changes), code)
                                        for changes, code in rules_of(dtype, chip)])


@pytest.mark.parametrize("chip", SUPPORTED)
def test_a_pattern_that_chooses_nothing_writes_nowhere(chip):
    """dst lies where src0 is read, which matters only to what is written."""
    chosen = {}
    for seed in range(64):
        case = plain("float", fixed=-1, pattern_type=TYPES.index("uint32"), reduce=1, mask=1, repeats=3,
                     dst=736, src=480, seed=seed)
        before = GATHER_MASK.before(case, chip)
        chosen.setdefault(sum(map(len, GATHER_MASK.kept(case, chip, before))) > 0, case)
    check_rule(GATHER_MASK, chip, chosen[False], None)
    if chip not in TOTAL:  # there `mask` counts the elements of all repeats
        check_rule(GATHER_MASK, chip, chosen[True], "V1008")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_many_repeats_and_the_end_of_ub(chip):
    end = UB_BYTES[chip]
    large = GatherMaskSubject(end)
    whole = plain("half", fixed=2, repeats=end // 256, dst=0, dst_n=end // 2, src=0, src_n=end // 2)
    check(large, chip, [whole])
    last = plain("half", repeats=1, src=end - 256, src_n=128)
    check_rule(large, chip, last, None)
    check_rule(large, chip, last | {"repeats": 2, "src_n": 256}, "V1002")
    still = plain("float", fixed=1, repeats=600, src=end - 256, src_n=64, src_rep=0, dst_n=19200)
    check(large, chip, [still])
    check_rule(large, chip, still | {"dst_n": 19199}, "V1001")
    strides = plain("half", repeats=2, src_rep=2000, src_n=2701 * 16, src_blk=100, fixed=-1,
                    pat=end - 64 * 32, pat_n=1024, pat_rep=60)
    check(large, chip, [strides])
    check_rule(large, chip, plain("half", repeats=1, src_rep=65535, src_blk=255, src_n=30000), None)
