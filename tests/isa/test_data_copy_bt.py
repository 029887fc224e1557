"""DataCopy to the bias table: bursts of blockLen * 64 bytes of L1; half becomes float on the way.

srcStride (32 bytes) and dstStride (64 bytes) are gaps, from the end of a burst to the next.
"""

import numpy as np
import pytest

from batches import check_rules
from cases import check, check_refused, launch, random_cases, types_of
from copy_tables import A1, B1, C1, C2, CO1, GM, L1_BYTES, VECIN, TableSubject
from fractals import NAN32
from harness import CHIPS

PAIRS = [("float", "float"), ("int32", "int32"), ("float", "half")]


class BiasSubject(TableSubject):
    table, table_bytes, unit, pairs = C2, 1024, 64, PAIRS

    def aligned(self, case):
        return case["src"] % 32 == 0 and case["dst"] % 64 == 0

    def pitches(self, case):
        burst = case["length"] * 64
        return burst + case["src_stride"] * 32, self.grown(case, burst) + case["dst_stride"] * 64

    def converted(self, case, burst):
        if types_of(case)[1] != "half":
            return burst
        floats = burst.view(np.float16).astype(np.float32)
        return np.where(np.isnan(floats), NAN32, floats).view(np.uint8)


BIAS = BiasSubject()


def random_copy(rng):
    return BIAS.plain(*PAIRS[rng.integers(3)], src=32 * int(rng.integers(0, 30)),
                      dst=64 * int(rng.integers(0, 8)), src_pos=rng.choice([A1, B1, C1]),
                      blocks=rng.integers(0, 6), length=rng.integers(0, 6),
                      src_stride=rng.integers(0, 12), dst_stride=rng.integers(0, 4),
                      seed=rng.integers(0, 1 << 20))


def test_random():
    cases = random_cases(BIAS, "2201", random_copy, 400)
    assert {types_of(case) for case in cases} == {*PAIRS}
    check(BIAS, "2201", cases)


def test_counts_of_elements():
    check(BIAS, "2201", [BIAS.plain(dtype, dtype, count=count) for dtype in ("float", "int32")
                         for count in (16, 48, 256)])


def test_every_half():
    """All 65536 halves, the bias table's 256 floats at a time."""
    bits = np.arange(1 << 16).astype(np.uint16).reshape(256, 256)
    subject = BiasSubject()
    subject.before = lambda case, chip: np.concatenate(
        [bits[case["seed"]].view(np.uint8), np.zeros(L1_BYTES - 512 + 1024, np.uint8)])
    check(subject, "2201", [BIAS.plain("float", "half", blocks=1, length=8, seed=row)
                            for row in range(256)])


def test_a_unit_of_halves_fills_two():
    """Two bursts of 64 bytes: 32 halves each become 128 bytes; gaps of 32 and 64 bytes."""
    values = np.arange(L1_BYTES // 2).astype(np.float16)
    subject = BiasSubject()
    image = np.concatenate([values.view(np.uint8), np.full(1024, 0xAA, np.uint8)])
    subject.before = lambda case, chip: image
    case = BIAS.plain("float", "half", src_stride=1, dst_stride=1)
    out = launch(subject, "2201", [case]).outputs[0][0]
    got = out.view(np.float32)
    assert got[:32].tolist() == list(range(32)) and got[48:80].tolist() == list(range(48, 80))
    assert (out[128:192] == 0xAA).all() and (out[320:] == 0xAA).all()


# Two bursts of 64 bytes, 128 bytes between them in L1 and 64 in the table.
RULES = [
    ({"blocks": 0, "src_n": 0, "dst_n": 0}, None), ({"length": 0, "src_n": 0, "dst_n": 0}, None),
    ({"src_n": 64}, None), ({"src_n": 63}, "V1001"), ({"dst_n": 48}, None),
    ({"dst_n": 47}, "V1001"), ({"src_stride": 5, "src_n": 71}, "V1001"),
    ({"dst_stride": 2, "dst_n": 63}, "V1001"), ({"dst_stride": 2, "dst_n": 64}, None),
    ({"length": 2, "src_n": 95}, "V1001"), ({"length": 2, "src_n": 96}, None),
    ({"blocks": 4095, "length": 0}, None), ({"blocks": 4096, "length": 0}, "V2001"),
    ({"blocks": 4095}, "V1001"), ({"length": 65535}, "V1001"),
    ({"src_stride": 65535}, "V1001"), ({"src_stride": 65535, "blocks": 1}, None),
    ({"dst_stride": 65535}, "V1001"), ({"dst_stride": 65535, "blocks": 1}, None),
    ({"blocks": 1, "length": 16, "dst_n": 256}, None),
    ({"blocks": 1, "length": 17, "dst_n": 512}, "V1002"),
    ({"dst": 960, "blocks": 1}, None), ({"dst": 1024, "blocks": 1, "dst_n": 16}, "V1002"),
    ({"src": 32}, None), ({"src": 16}, "V1004"), ({"dst": 64}, None), ({"dst": 32}, "V1004"),
    ({"src_pos": B1}, None), ({"src_pos": C1}, None), ({"src_pos": VECIN}, "V1005"),
    ({"src_pos": CO1}, "V1005"), ({"src_pos": GM}, "V1005"), ({"src_pos": C2}, "V1005"),
    ({"count": 15}, "V7001"), ({"count": 16}, None), ({"count": 24}, "V7001"),
    ({"count": 32, "dst_n": 31}, "V1001"), ({"count": 32, "dst_n": 32}, None),
]
HALF_RULES = [
    ({"src_n": 128}, None), ({"src_n": 127}, "V1001"), ({"dst_n": 32 + 16 + 32}, None),
    ({"dst_n": 79}, "V1001"), ({"blocks": 1, "length": 8}, None),
    ({"blocks": 1, "length": 9, "dst_n": 512}, "V1002"),
]


def test_rules():
    check_rules(BIAS, "2201", [(BIAS.plain("float", "float", **changes), code)
                               for changes, code in RULES])
    check_rules(BIAS, "2201", [(BIAS.plain("float", "half", **changes), code)
                               for changes, code in HALF_RULES])


@pytest.mark.parametrize("dst, src", [("half", "half"), ("float", "bfloat16"), ("float", "int32"),
                                      ("int32", "half"), ("uint64", "uint64"),
                                      ("uint32", "uint32")])
def test_types(dst, src):
    check_refused(BIAS, "2201", BIAS.plain(dst, src), "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - {"2201"}))
def test_chip_without_it(chip):
    check_refused(BIAS, chip, BIAS.plain("float", "float", l1=0, bytes=0), "V6001")
