"""Copy: the enabled elements of src to dst. In Counter mode N counts the elements of each repeat."""

import numpy as np
import pytest

import lanes
from batches import check_rules
from cases import (TYPES, UB_BYTES, WIDTH, check, check_random, check_refused, check_rule)
from copies import CopySubject, plain
from harness import CHIPS
from lanes import BITS, CONTINUOUS, FULL, Mask

ALL = ["int16", "uint16", "half", "bfloat16", "int32", "uint32", "float"]


class CopyCase(CopySubject):
    kernel = "copy_cases"
    supported = {"2201": ALL, "3002": ALL}

    @staticmethod
    def mask_during(case):
        before = Mask(7, False) if case["probe"] >= 0 else lanes.MASK_AT_START
        before = before._replace(counter=bool(case["counter"]))
        return lanes.mask_during(before, case["form"], case["mask0"], case["mask1"],
                                 case["set_mask"])

    def repeats_of(self, case, chip):
        """The lanes of each repeat; None if N is more than UB holds."""
        mask = self.mask_during(case)
        if not mask.counter:
            return lanes.repeats_by(mask, self.width(case), case["repeats"])
        number = mask.bits if case["set_mask"] else mask.bits & 0xFFFFFFFF
        if number > UB_BYTES[chip] // self.width(case):
            return None
        return [np.arange(number)] * case["repeats"] if number else []

    @staticmethod
    def dense(case):
        return case | {"dst_blk": max(case["dst_blk"], 1)}

    def addresses(self, case, name, chip):
        return lanes.addresses(self.dense(case) | {"form": CONTINUOUS}, name, self.width(case),
                               self.repeats_of(case, chip))

    def expected(self, case, chip, before):
        memory = before.copy()
        elements = memory.view(f"u{self.width(case)}")
        for to, at in zip(self.addresses(case, "dst", chip), self.addresses(case, "src", chip)):
            elements[to // self.width(case)] = elements[at // self.width(case)]
        self.probed(case, memory, self.mask_during(case).bits)
        return memory

    def legal(self, case, chip):
        width = self.width(case)
        if not self.on_chip(case, chip) or case["counter"] and case["probe"] >= 0:
            return False
        if max(case["dst_rep"], case["src_rep"]) > 4095:
            return False
        if not case["counter"] and case["set_mask"] and \
                not lanes.mask_is_legal(case, width, chip == "2201"):
            return False
        if self.repeats_of(case, chip) is None:
            return False
        spans = {}
        for name in ("dst", "src"):
            spans[name] = [(case[name] + 32 * r * case[name + "_rep"], int(at.max()) + width)
                           for r, at in enumerate(self.addresses(case, name, chip))]
            needed = max((end for _, end in spans[name]), default=case[name]) - case[name]
            if not self.placed(case, name, width, needed, chip):
                return False
        same = self.dense(case)["dst_blk"] == case["src_blk"]
        for r, (begin, end) in enumerate(spans["dst"]):
            for near in range(r, len(spans["src"])):
                if near == r and same and begin == spans["src"][r][0]:
                    continue
                if begin < spans["src"][near][1] and spans["src"][near][0] < end:
                    return False
        return True


COPY = CopyCase()


def random_copy(rng, chip):
    dtype = rng.choice(ALL)
    width = WIDTH[dtype]
    most = lanes.lanes_per_repeat(width)
    case = plain(dtype) | lanes.random_lanes(rng, width, 0)
    case.pop("count")
    places = [32 * int(block) for block in rng.integers(0, 240, 2)]
    if rng.random() < 0.7:
        places = [places[0] % 3000 // 32 * 32, 3840 + places[1] % 3000]
    if rng.random() < 0.2:
        places[0] = places[1]
    for name, place in zip(("dst", "src"), places):
        case |= {name: place, name + "_n": (7936 - place) // width,
                 name + "_pos": rng.choice(lanes.POSITIONS),
                 name + "_blk": rng.choice([0, 1, 1, 1, 2, 3]),
                 name + "_rep": rng.choice([0, 1, 4, 8, 8, 8, 9, 12])}
    case |= {"form": rng.choice([BITS, CONTINUOUS]), "set_mask": rng.random() < 0.8,
             "seed": rng.integers(0, 1 << 20)}
    if case["form"] == CONTINUOUS:
        case |= {"mask0": rng.integers(1, most + 1), "mask1": 0}
    if rng.random() < 0.3:
        number = rng.choice([0, 1, most - 1, most, most + 1, rng.integers(0, most + 1),
                             rng.integers(0, 5 * most)])
        return case | {"counter": 1, "mask0": number, "mask1": 0, "set_mask": 1}
    return case | {"probe": 7936 if rng.random() < 0.4 else -1}


@pytest.mark.parametrize("chip", COPY.supported)
def test_random(chip):
    check_random(COPY, chip, lambda rng: random_copy(rng, chip), 800)


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    for dtype in TYPES[:-1] if chip in COPY.supported else ["half"]:
        if dtype not in COPY.supported.get(chip, []):
            check_refused(COPY, chip, plain(dtype), "V6002" if chip in COPY.supported else "V6001")


def rules_of(dtype, chip):
    width = WIDTH[dtype]
    most = lanes.lanes_per_repeat(width)
    counter = {"counter": 1}
    return [
        ({}, None), ({"mask0": 1}, None), ({"mask0": most}, None), ({"mask0": most + 1}, "V2003"),
        ({"mask0": 0}, None if chip == "2201" else "V2003"), ({"repeats": 0}, None),
        ({"form": BITS, "mask0": FULL, "mask1": FULL if most > 64 else 0}, None),
        ({"form": BITS, "mask0": 0}, None if chip == "2201" else "V2003"),
        ({"set_mask": 0}, None), (counter | {"mask0": 0}, None), (counter | {"mask0": most}, None),
        (counter | {"mask0": 2 * most, "dst_rep": 16, "src_rep": 16, "dst_n": 4 * most}, None),
        (counter | {"mask0": 2 * most, "dst_rep": 16, "dst_n": 4 * most - 1}, "V1001"),
        (counter | {"mask0": 2 * most, "src_rep": 16, "src_n": 4 * most - 1}, "V1001"),
        (counter | {"mask0": most + 1, "src_blk": 65535, "repeats": 1}, "V1001"),
        (counter | {"mask0": UB_BYTES[chip] // width, "src": 0, "repeats": 1}, "V1001"),
        (counter | {"mask0": UB_BYTES[chip] // width + 1}, "V2003"),
        (counter | {"set_mask": 0}, "V2003"),  # all 32 low bits of the register are set
        ({"mask0": most, "dst_n": 2 * most}, None), ({"mask0": most, "dst_n": 2 * most - 1},
                                                     "V1001"),
        ({"mask0": most, "src_n": 2 * most}, None), ({"mask0": most, "src_n": 2 * most - 1},
                                                     "V1001"),
        ({"dst_blk": 0, "mask0": most}, None), ({"src_blk": 0, "mask0": most}, None),
        ({"dst_rep": 4095, "repeats": 1}, None), ({"dst_rep": 4096, "repeats": 1}, "V2001"),
        ({"src_rep": 4095, "repeats": 1}, None), ({"src_rep": 4096, "repeats": 1}, "V2001"),
        ({"dst": 3072}, None), ({"dst": 3072 + 32, "mask0": 64 // width}, "V1008"),
        ({"dst": 3072 + 256, "mask0": most}, "V1008"), ({"dst": 3072 - 256, "dst_n": most * 2,
                                                         "mask0": most}, None),
        ({"dst": 16}, "V1004"), ({"src": 3072 + width}, "V1004"), ({"dst_pos": 0}, "V1005"),
        ({"src_pos": 0}, "V1005"),
    ]


@pytest.mark.parametrize("chip", COPY.supported)
def test_rules(chip):
    for dtype in ("half", "float"):
        check_rules(COPY, chip, [(plain(dtype, **changes), code)
                                 for changes, code in rules_of(dtype, chip)])


@pytest.mark.parametrize("chip", COPY.supported)
def test_more_than_a_repeat_in_counter_mode(chip):
    """The documents' sample: 144 elements of 32 bits, a datablock from every eighth of the source;
    and several such repeats."""
    case = plain("int32", counter=1, mask0=144, repeats=1, src_blk=8, dst=0, dst_n=144, src=2048,
                 src_n=18 * 64)
    check(COPY, chip, [
        case, case | {"mask0": 143}, case | {"src_blk": 0}, case | {"dst_blk": 0},
        case | {"repeats": 3, "src_blk": 1, "src_rep": 20, "dst_rep": 40, "dst_n": 98 * 8},
        case | {"repeats": 2, "src_blk": 1, "dst_rep": 0},
        case | {"src": 0, "src_blk": 1, "src_n": 144}])


@pytest.mark.parametrize("chip", COPY.supported)
def test_255_repeats_and_the_end_of_ub(chip):
    large, end = CopyCase(UB_BYTES[chip]), UB_BYTES[chip]
    case = plain("int16", mask0=128, repeats=255, dst=0, dst_n=255 * 128, src=end - 256, src_n=128,
                 src_rep=0)
    check(large, chip, [case, case | {"dst_rep": 16, "dst_n": 255 * 256, "form": BITS,
                                      "mask0": 1, "mask1": 1 << 63}])
    check_rule(large, chip, case | {"repeats": 1, "src_blk": 2, "src_n": 512}, "V1002")
    wide = case | {"repeats": 2, "dst_rep": 4095, "dst_n": 4095 * 16 + 128, "src": end - 256,
                   "src_n": 128}
    check(large, chip, [wide])
