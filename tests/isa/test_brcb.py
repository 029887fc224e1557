"""Brcb: datablock j of repeat r of dst is element 8 r + j of src0, over and over."""

import numpy as np
import pytest

import lanes
from batches import check_rules
from cases import TYPES, UB_BYTES, WIDTH, check, check_random, check_refused, check_rule
from copies import CopySubject, dst_blocks, plain
from harness import CHIPS

CLASSIC = ["int16", "uint16", "half", "int32", "uint32", "float"]


class BrcbCase(CopySubject):
    kernel = "brcb_cases"
    supported = {"2002": CLASSIC, "2201": CLASSIC + ["bfloat16"]}

    def expected(self, case, chip, before):
        memory, width = before.copy(), self.width(case)
        elements = memory.view(f"u{width}")
        for i, to in enumerate(dst_blocks(case)):
            elements[to // width:to // width + 32 // width] = \
                before.view(f"u{width}")[case["src"] // width + i]
        self.probed(case, memory, 7)
        return memory

    def legal(self, case, chip):
        width, blocks = self.width(case), dst_blocks(case)
        end = max(blocks, default=case["dst"] - 32) + 32
        read = 8 * case["repeats"] * width
        return self.on_chip(case, chip) and 0 <= case["dst_blk"] <= 65535 and \
            self.placed(case, "dst", width, end - case["dst"], chip) and \
            self.placed(case, "src", width, read, chip) and \
            not (case["dst"] < case["src"] + read and case["src"] < end)


BRCB = BrcbCase()


def random_brcb(rng, chip):
    dtype = rng.choice(BRCB.supported[chip])
    width, repeats = WIDTH[dtype], int(rng.integers(0, 8))
    dst, src = (32 * int(block) for block in rng.integers(0, 240, 2))
    if rng.random() < 0.8:
        dst, src = dst % 2048, 7000 // 32 * 32 + src % 512
    return plain(dtype, repeats=repeats, dst=dst, src=src, dst_n=(7936 - dst) // width,
                 src_n=(7936 - src) // width, dst_pos=rng.choice(lanes.POSITIONS),
                 dst_blk=rng.choice([0, 1, 1, 2, 5]), dst_rep=rng.choice([0, 1, 7, 8, 8, 9, 20]),
                 probe=7936 if rng.random() < 0.4 else -1, seed=rng.integers(0, 1 << 20))


@pytest.mark.parametrize("chip", BRCB.supported)
def test_random(chip):
    check_random(BRCB, chip, lambda rng: random_brcb(rng, chip), 500)


def test_the_documents_example():
    subject = BrcbCase()
    image = np.zeros(8192, np.uint8)
    image[3072:3072 + 32] = np.arange(16, dtype=np.uint16).view(np.uint8)
    subject.before = lambda case, chip: image
    case = plain("uint16")
    assert subject.expected(case, "2201", image)[:512].view(np.uint16).tolist() == \
        [i // 16 for i in range(256)]
    check(subject, "2201", [case])


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    for dtype in TYPES[:-1] if chip in BRCB.supported else ["half"]:
        if dtype not in BRCB.supported.get(chip, []):
            check_refused(BRCB, chip, plain(dtype), "V6002" if chip in BRCB.supported else "V6001")


@pytest.mark.parametrize("chip", BRCB.supported)
@pytest.mark.parametrize("dtype", ["half", "float"])
def test_rules(chip, dtype):
    width = WIDTH[dtype]
    check_rules(BRCB, chip, [(plain(dtype, **changes), code) for changes, code in [
        ({"repeats": 0, "dst_n": 0, "src_n": 0}, None),
        ({"dst_n": 512 // width}, None), ({"dst_n": 512 // width - 1}, "V1001"),
        ({"src_n": 16}, None), ({"src_n": 15}, "V1001"),
        ({"src": 512}, None), ({"src": 512 - 32}, "V1008"), ({"src": 0}, "V1008"),
        ({"dst": 3072 + 16 * width}, None),
        ({"dst": 3072 + 16 * width - 32}, "V1008"),
        ({"dst_rep": 16, "src": 256}, "V1008"), ({"dst_rep": 0, "src": 256}, None),
        ({"dst": 16}, "V1004"), ({"src": 3072 + width}, "V1004"),
        ({"dst_pos": 0}, "V1005"), ({"src_pos": 0}, "V1005"),
    ]])


@pytest.mark.parametrize("chip", BRCB.supported)
def test_large_strides_and_the_end_of_ub(chip):
    end = UB_BYTES[chip]
    large = BrcbCase(end)
    last = plain("uint32", repeats=1, dst_blk=(end - 64) // 224, dst_n=(end - 32) // 4,
                 src=end - 32, src_n=8)
    check(large, chip, [last])
    check_rule(large, chip, last | {"dst": 64, "src": 0, "dst_blk": 65535, "dst_n": 4096},
               "V1001")
    many = plain("half", repeats=255, dst=0, dst_n=255 * 128, dst_rep=2, src=end - 4096,
                 src_n=2048)
    check(large, chip, [many])
