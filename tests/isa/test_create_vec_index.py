"""CreateVecIndex: lane i of repeat r becomes firstValue + r * lanes + i, rounded once."""

import numpy as np
import pytest

import lanes
from batches import check_rules
from cases import (SATURATES, TYPES, UB_BYTES, WIDTH, Subject, as_int64, check, check_random,
                   check_refused, random_bytes)
from elementwise import finish, is_float, of_bits, special_bits
from harness import CHIPS, NUMPY
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

WITH = ["2002", "2201", "3002"]
SUPPORTED = ["int16", "half", "int32", "float"]


class Index(Subject):
    source = "create_vec_index_cases.cpp"
    fields = ("type", "form", "mask0", "mask1", "repeats", "count", "first", "saturate", "dst_pos",
              "dst", "dst_n", "dst_blk", "dst_rep", "seed")
    simplest = {"form": COUNT, "repeats": 1, "count": 1, "mask0": 1, "mask1": 0, "first": 0,
                "saturate": 0, "dst_blk": 1, "dst_rep": 8, "dst": 0, "dst_pos": VECCALC, "seed": 0}

    def __init__(self, image=16384):
        self.image = image

    def before(self, case, chip):
        return random_bytes(case["seed"], self.image)

    def numbers(self, case, chip, indices):
        dtype = TYPES[case["type"]]
        first = of_bits([case["first"] % (1 << 8 * WIDTH[dtype])], dtype)
        with np.errstate(all="ignore"):
            if is_float(dtype):  # in binary64 these sums are exact, or rounded far below a half
                exact = first.astype(np.float64) + indices
                return finish(exact.astype(NUMPY[dtype]), dtype,
                              chip in SATURATES or case["saturate"])
            return first + indices.astype(NUMPY[dtype])

    def expected(self, case, chip, before):
        width = WIDTH[TYPES[case["type"]]]
        memory = before.copy().view(NUMPY[TYPES[case["type"]]])
        dense = case | {"dst_blk": max(case["dst_blk"], 1)}
        most = lanes.lanes_per_repeat(width)
        for r, (to, lane) in enumerate(zip(lanes.addresses(dense, "dst", width),
                                           lanes.repeats_of(case, width))):
            memory[to // width] = self.numbers(case, chip, r * most + lane)
        return memory.view(np.uint8)

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        if chip not in WITH or dtype not in SUPPORTED or case["count"] < 0:
            return False
        dense = case | {"dst_blk": max(case["dst_blk"], 1)}
        return lanes.mask_is_legal(case, WIDTH[dtype], chip == "2201") and \
            lanes.fits(dense, ["dst"], WIDTH[dtype], chip, self.image)


INDEX = Index()


def plain(dtype, subject=INDEX, **changes):
    """64 numbers from 5 on."""
    first = np.array([5], NUMPY[dtype])
    case = {"type": TYPES.index(dtype), "form": COUNT, "mask0": 16, "mask1": 0, "repeats": 3,
            "count": 64, "first": int(first.view(f"u{WIDTH[dtype]}")[0]), "saturate": 0,
            "dst_pos": VECCALC, "dst": 1024, "dst_n": (subject.image - 1024) // WIDTH[dtype],
            "dst_blk": 1, "dst_rep": 8, "seed": 1}
    return case | changes


def random_call(rng, chip):
    dtype = rng.choice(SUPPORTED)
    width, place = WIDTH[dtype], 32 * int(rng.integers(0, 200))
    return plain(dtype) | lanes.random_lanes(rng, width, 9000 // width) | {
        "first": as_int64(rng.choice(special_bits(dtype)) if rng.random() < 0.5 else
                          rng.integers(0, 1 << 8 * width)), "dst": place,
        "dst_n": (INDEX.image - place) // width, "dst_pos": rng.choice(lanes.POSITIONS),
        "dst_blk": rng.choice([0, 1, 1, 2, 3]), "dst_rep": rng.choice([0, 1, 4, 8, 8, 9, 20]),
        "saturate": rng.random() < 0.3, "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check_random(INDEX, chip, lambda rng: random_call(rng, chip), 400)


@pytest.mark.parametrize("chip", WITH)
def test_special_first_values(chip):
    check(INDEX, chip, [plain(dtype, first=first, count=300, saturate=saturate)
                        for dtype in SUPPORTED for first in special_bits(dtype)
                        for saturate in (0, 1)])


def test_printed():
    """The documents' sample: 128 int16 from 0 on; and a half that cannot hold 2049."""
    for chip in WITH:
        case = plain("int16", form=CONTINUOUS, mask0=128, repeats=1, first=0)
        want = INDEX.expected(case, chip, INDEX.before(case, chip))[1024:1280].view(np.int16)
        assert want.tolist() == list(range(128))
        halves = plain("half", first=int(np.float16(2047).view(np.uint16)), count=4)
        want = INDEX.expected(halves, chip, INDEX.before(halves, chip))[1024:1032].view(np.float16)
        assert want.tolist() == [2047, 2048, 2048, 2050]
        # The least subnormal decides where 2049 goes, which lies between two halves.
        check(INDEX, chip, [case, halves, plain("half", first=1, count=2060)])


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    rules = []
    for dtype in SUPPORTED:
        most = lanes.lanes_per_repeat(WIDTH[dtype])
        masked = plain(dtype, form=CONTINUOUS)
        rules += [
            (plain(dtype, count=0), None), (plain(dtype, dst_n=64), None),
            (plain(dtype, dst_n=63), "V1001"), (plain(dtype, dst=1040), "V1004"),
            (plain(dtype, dst_pos=0), "V1005"), (masked | {"mask0": most}, None),
            (masked | {"mask0": most + 1}, "V2003"), (masked | {"repeats": 0}, None),
            (masked | {"mask0": 0}, None if chip == "2201" else "V2003"),
            (masked | {"dst_blk": 0, "mask0": most}, None), (masked | {"dst_rep": 0}, None),
            (masked | {"form": BITS, "mask0": 5, "mask1": FULL if most > 64 else 0}, None),
            (masked | {"form": BITS, "mask0": 5, "mask1": 1}, None if most > 64 else "V2003")]
    check_rules(INDEX, chip, rules)


@pytest.mark.parametrize("chip", WITH)
def test_whole_ub(chip):
    large = Index(UB_BYTES[chip])
    for dtype in SUPPORTED:
        count = UB_BYTES[chip] // WIDTH[dtype]
        case = plain(dtype, large, dst=0, dst_n=count, count=count)
        check(large, chip, [case, case | {"count": count - 1}])
    check_refused(large, chip, plain("half", large, dst=32, dst_n=1 << 20,
                                     count=UB_BYTES[chip] // 2), "V1002")


@pytest.mark.parametrize("chip", CHIPS)
def test_types(chip):
    for dtype in [dtype for dtype in WIDTH if chip not in WITH or dtype not in SUPPORTED]:
        check_refused(INDEX, chip, plain(dtype), "V6002" if chip in WITH else "V6001")
