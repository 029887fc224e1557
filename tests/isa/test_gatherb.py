"""Gatherb: datablock j of repeat r of dst is the one of src at byte offset[8 r + j]."""

import numpy as np
import pytest

from batches import check_rules
from cases import (TYPES, UB_BYTES, WIDTH, check, check_random, check_refused, check_rule,
                   random_bytes)
from copies import CopySubject, dst_blocks, plain
from harness import CHIPS


class GatherbCase(CopySubject):
    """reach: bytes that the random offsets cover; bad_at, bad: one offset set by hand."""

    kernel = "gatherb_cases"
    supported = {"2201": ["uint16", "uint32"],
                 "3002": ["int8", "uint8", "int16", "uint16", "half", "bfloat16", "int32", "uint32",
                          "float", "int64"]}
    reach, bad_at, bad = 2048, -1, 0

    def before(self, case, chip):
        image = random_bytes(case["seed"], self.image)
        count = min(case["off_n"], (self.image - case["off"]) // 4)
        offsets = np.random.default_rng(case["seed"] + 1).integers(0, self.reach // 32, count) * 32
        start = case["off"] // 4 * 4
        image[start:start + 4 * count] = offsets.astype(np.uint32).view(np.uint8)
        if self.bad_at >= 0:
            image[start:].view(np.uint32)[self.bad_at] = self.bad
        return image

    def reads(self, case, before):
        """(address of the source, address of the offset) of each datablock."""
        offsets = before[case["off"] // 4 * 4:].view(np.uint32)[:8 * case["repeats"]]
        return [(case["src"] + int(offset), case["off"] + 4 * i)
                for i, offset in enumerate(offsets)]

    def expected(self, case, chip, before):
        memory = before.copy()
        for to, (source, _) in zip(dst_blocks(case), self.reads(case, before)):
            memory[to:to + 32] = memory[source:source + 32]
        self.probed(case, memory, (1 << 128) - 1)
        return memory

    def legal(self, case, chip):
        width, blocks = self.width(case), dst_blocks(case)
        if not self.on_chip(case, chip):
            return False
        end = max(blocks, default=case["dst"] - 32) + 32
        if not self.placed(case, "dst", width, end - case["dst"], chip) or \
                not self.placed(case, "off", 4, 32 * case["repeats"], chip) or \
                not self.placed(case, "src", width, 0, chip):
            return False
        writer = {}
        for i, block in reversed(list(enumerate(blocks))):
            writer[block] = i // 8
        for i, (source, offset) in enumerate(self.reads(case, self.before(case, chip))):
            if (source - case["src"]) % 32 or source + 32 > min(self.image, UB_BYTES[chip]):
                return False
            if any(writer.get(at // 32 * 32, 1 << 20) <= i // 8 for at in (source, offset)):
                return False
        return True


GATHERB = GatherbCase()


def random_gatherb(rng, chip):
    dtype = rng.choice(GATHERB.supported[chip])
    width, repeats = WIDTH[dtype], int(rng.integers(0, 8))
    dst, src = (32 * int(block) for block in rng.integers(0, 150, 2))
    if rng.random() < 0.8:
        dst, src = dst % 2048, 4096 + src % 1500 // 32 * 32
    off = 7168 + 32 * int(rng.integers(0, 8))
    return plain(dtype, repeats=repeats, dst=dst, src=src, dst_n=(7936 - dst) // width,
                 src_n=64 // width, off=off, off_n=(7936 - off) // 4,
                 dst_blk=rng.choice([0, 1, 1, 2, 5]), dst_rep=rng.choice([0, 1, 7, 8, 8, 9, 20]),
                 probe=7936 if rng.random() < 0.4 else -1, seed=rng.integers(0, 1 << 20))


@pytest.mark.parametrize("chip", GATHERB.supported)
def test_random(chip):
    check_random(GATHERB, chip, lambda rng: random_gatherb(rng, chip), 500)


def test_the_documents_example():
    subject = GatherbCase()
    image = np.zeros(8192, np.uint8)
    image[3072:3072 + 256] = np.arange(128, dtype=np.uint16).view(np.uint8)
    image[6144:6144 + 32] = np.arange(224, -32, -32, np.int32).view(np.uint8)
    subject.before = lambda case, chip: image
    case = plain("uint16", repeats=1)
    want = subject.expected(case, "2201", image)[:256].view(np.uint16).tolist()
    assert want[:3] == [112, 113, 114] and want[-1] == 15
    check(subject, "2201", [case])


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    here = GATHERB.supported.get(chip, [])
    for dtype in TYPES[:-1] if here else ["uint16"]:
        if dtype not in here:
            check_refused(GATHERB, chip, plain(dtype), "V6002" if here else "V6001")


@pytest.mark.parametrize("chip", GATHERB.supported)
@pytest.mark.parametrize("dtype", ["uint16", "uint32"])
def test_rules(chip, dtype):
    width = WIDTH[dtype]
    check_rules(GATHERB, chip, [(plain(dtype, **changes), code) for changes, code in [
        ({"repeats": 0, "dst_n": 0, "off_n": 0}, None),
        ({"dst_n": 512 // width}, None), ({"dst_n": 512 // width - 1}, "V1001"),
        ({"off_n": 16}, None), ({"off_n": 15}, "V1001"), ({"src_n": 0}, None),
        ({"dst": 5120}, None), ({"dst": 6144 - 512, "dst_n": 512 // width}, None), ({"dst": 6144}, "V1008"),
        ({"dst": 6144 - 256}, "V1008"), ({"dst": 6144 + 64, "dst_n": 512 // width}, None),
        ({"dst": 3072}, "V1008"),
        ({"dst": 16}, "V1004"), ({"src": 3072 + width}, "V1004"), ({"off": 6144 + 4}, "V1004"),
        ({"dst_pos": 0}, "V1005"), ({"src_pos": 0}, "V1005"), ({"off_pos": 0}, "V1005"),
    ]])


@pytest.mark.parametrize("chip", GATHERB.supported)
@pytest.mark.parametrize("bad, code", [(16, "V2005"), (1, "V2005"), (8192, None),
                                       ((1 << 32) - 32, "V2005")])
def test_offsets(chip, bad, code):
    """Multiples of 32, up to the end of UB; those that are not used do not matter."""
    subject = GatherbCase(16384)
    subject.bad_at, subject.bad = 15, bad
    check_rule(subject, chip, plain("uint16"), code)
    check_rule(subject, chip, plain("uint16", repeats=1), None)


@pytest.mark.parametrize("chip", GATHERB.supported)
def test_the_end_of_ub_and_255_repeats(chip):
    end = UB_BYTES[chip]
    large = GatherbCase(end)
    large.bad_at, large.bad = 3, end - 3072 - 32
    check_rule(large, chip, plain("uint32"), None)
    large.bad += 32
    check_rule(large, chip, plain("uint32"), "V2005")
    large.bad_at = -1
    many = plain("uint32", repeats=255, dst=0, dst_n=255 * 64, src=65536, off=end - 8192,
                 off_n=2048)
    check(large, chip, [many, many | {"dst_rep": 0}, many | {"dst_rep": 1, "dst_blk": 3}])
