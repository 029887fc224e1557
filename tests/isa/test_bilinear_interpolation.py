"""BilinearInterpolation: datablocks of src0 times elements of src1, summed up in halves."""

import numpy as np
import pytest

from batches import check_rules
from cases import Subject, check, check_random, check_refused
from harness import CHIPS
from lanes import VECCALC

WITH = ["2002", "2201"]
IMAGE = 65536
DST, SRC0, OFFSETS, SRC1, TMP = 0, 8192, 16384, 20480, 24576


class BilinearCase(Subject):
    source, kernel = "bilinear_cases.cpp", "bilinear_cases"
    fields = ("bits", "mask0", "mask1", "h", "v", "mode", "stride", "offset",
              *(name + part for name in ("dst", "src0", "off", "src1", "tmp")
                for part in ("_pos", "", "_n")), "seed")
    simplest = {"h": 1, "v": 1, "mode": 0, "stride": 1, "offset": 128, "seed": 0}
    bad = None  # an offset set by hand

    def before(self, case, chip):
        rng = np.random.default_rng(case["seed"])
        image = rng.integers(-64, 65, IMAGE // 2).astype(np.float16) / np.float16(8)
        image = image.view(np.uint8)
        blocks = rng.integers(0, case["src0_n"] * 2 // 32, 8 * case["h"] * case["v"]) * 32
        if self.bad is not None:
            blocks[-1] = self.bad
        image[case["off"] // 4 * 4:].view(np.uint32)[:len(blocks)] = blocks
        return image

    def expected(self, case, chip, before):
        memory, halves = before.copy(), before.view(np.float16)
        offsets = before[case["off"]:].view(np.uint32)
        weights = before[case["src1"]:].view(np.float16)
        bits = case["mask0"] | case["mask1"] << 64 if case["bits"] else (1 << case["mask0"]) - 1
        for v in range(case["v"]):
            sums = None
            for h in range(case["h"]):
                repeat = v * case["h"] + h
                blocks = [halves[(case["src0"] + int(at)) // 2:][:16]
                          for at in offsets[8 * repeat:8 * repeat + 8]]
                which = [8 * repeat + i if case["mode"] else repeat for i in range(8)]
                made = np.concatenate([block * weights[i] for block, i in zip(blocks, which)])
                sums = made if sums is None else sums + made
            for lane in range(128):
                if bits >> lane & 1:
                    at = case["dst"] // 2 + v * case["offset"] + lane // 16 * 16 * case["stride"]
                    memory.view(np.float16)[at + lane % 16] = sums[lane]
        memory[case["tmp"]:case["tmp"] + self.room(case, chip)] = 0xFF
        return memory

    @staticmethod
    def room(case, chip):
        return 32 * (case["src0_n"] + case["src1_n"]) if chip == "2201" else 4 * case["off_n"]

    def legal(self, case, chip):
        return chip in WITH


BILINEAR = BilinearCase()


def plain(**changes):
    case = {"bits": 0, "mask0": 128, "mask1": 0, "h": 2, "v": 2, "mode": 0, "stride": 1,
            "offset": 128, "seed": 1, "dst": DST, "dst_n": 4096, "src0": SRC0, "src0_n": 512,
            "off": OFFSETS, "off_n": 32, "src1": SRC1, "src1_n": 32, "tmp": TMP, "tmp_n": 32768}
    return case | {name + "_pos": VECCALC for name in ("dst", "src0", "off", "src1", "tmp")} | \
        changes


def random_case(rng):
    h, v, mode = (int(x) for x in (rng.integers(1, 5), rng.integers(1, 5), rng.integers(2)))
    stride = int(rng.integers(0, 3))
    extent = 7 * 16 * stride + 16
    return plain(bits=rng.integers(2), mask0=rng.integers(1, 129), mask1=rng.integers(0, 1 << 60),
                 h=h, v=v, mode=mode, stride=stride, seed=rng.integers(0, 1 << 20),
                 offset=max(128, extent) + 16 * int(rng.integers(0, 4)), off_n=8 * h * v,
                 src1_n=max(16, 8 * h * v if mode else h * v))


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check_random(BILINEAR, chip, random_case, 200)


@pytest.mark.parametrize("chip", WITH)
def test_the_documents_example(chip):
    """src0 1..512 by datablocks in order, weights 2, 3, 4, 5: 389, 394, 399, 404, ..., 4096."""
    class Example(BilinearCase):
        def before(self, case, chip):
            image = np.zeros(IMAGE, np.uint8)
            image[SRC0:SRC0 + 1024] = np.arange(1, 513).astype(np.float16).view(np.uint8)
            image[OFFSETS:OFFSETS + 128] = np.arange(0, 1024, 32, dtype=np.uint32).view(np.uint8)
            image[SRC1:SRC1 + 64] = np.arange(2, 34).astype(np.float16).view(np.uint8)
            return image

    case, subject = plain(), Example()
    want = subject.expected(case, chip, subject.before(case, chip)).view(np.float16)
    assert want[:4].tolist() == [389, 394, 399, 404] and want[255] == 4096
    check(subject, chip, [case])


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chips_without_it(chip):
    check_refused(BILINEAR, chip, plain(), "V6001")


class Rules(BilinearCase):
    """Legal are the cases whose code is None."""

    def __init__(self, legal):
        self.ok = legal

    def legal(self, case, chip):
        return case in self.ok


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    room = BILINEAR.room(plain(), chip)
    rules = [(plain(**changes), code) for changes, code in [
        ({"h": 0}, "V2001"), ({"v": 0}, "V2001"), ({"h": 255, "v": 1, "off_n": 2040, "off": 49152,
                                                   "src1_n": 256, "tmp_n": 24576}, None),
        ({"offset": 112}, "V2001"), ({"offset": 136}, "V2002"), ({"mask0": 0}, "V2003"),
        ({"mask0": 129}, "V2003"), ({"dst_n": 256}, None), ({"dst_n": 255}, "V1001"),
        ({"off_n": 31, "tmp_n": 32768}, "V1001"), ({"src1_n": 16, "mode": 1}, "V1001"),
        ({"tmp_n": room}, None), ({"tmp_n": room - 1}, "V1001"),
        ({"stride": 2, "offset": 240}, None), ({"stride": 2, "offset": 224}, "V1008"),
        ({"dst": OFFSETS + 96}, "V1008"), ({"dst": OFFSETS + 128}, None),
        ({"dst": SRC1 - 480}, "V1008"), ({"dst": TMP - 480}, "V1008"), ({"off": SRC1}, "V1008"),
        ({"dst": SRC0 + 512}, "V1008"), ({"dst": 16}, "V1004"), ({"src0": SRC0 + 2}, "V1004"),
        ({"tmp": TMP + 4}, "V1004"), ({"src1_pos": 0}, "V1005"), ({"tmp_pos": 0}, "V1005")]]
    if chip == "2201":
        rules = [rule for rule in rules if rule[0]["h"] != 255]
    check_rules(Rules([case for case, code in rules if code is None]), chip, rules)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("offset", [8, 1 << 20])
def test_offsets(chip, offset):
    subject = Rules([])
    subject.bad = offset
    check_refused(subject, chip, plain(), "V2005")
