"""DataCopy to the fixed pipe's buffer: bursts of blockLen * 128 bytes of L1, unchanged.

srcStride (32 bytes) and dstStride (128 bytes) are from start to start of the bursts.
"""

import numpy as np
import pytest

from batches import check_rules
from cases import check, check_refused, launch, random_cases
from copy_tables import A1, B1, C1, C2, C2PIPE2GM, CO1, GM, L1_BYTES, VECIN, TableSubject
from harness import CHIPS


class FixedPipeSubject(TableSubject):
    table, table_bytes, unit, pairs = C2PIPE2GM, 7168, 128, [("uint64", "uint64")]

    def aligned(self, case):
        return case["src"] % 32 == 0 and case["dst"] % 128 == 0

    def pitches(self, case):
        return case["src_stride"] * 32, case["dst_stride"] * 128


BUFFER = FixedPipeSubject()


def plain(**changes):
    return BUFFER.plain("uint64", "uint64", **changes)


def random_copy(rng):
    return plain(src=32 * int(rng.integers(0, 60)), dst=128 * int(rng.integers(0, 20)),
                 src_pos=rng.choice([A1, B1, C1]), blocks=rng.integers(0, 7),
                 length=rng.integers(0, 9), src_stride=rng.integers(0, 40),
                 dst_stride=rng.integers(0, 10), seed=rng.integers(0, 1 << 20),
                 count=16 * int(rng.choice([0, 0, rng.integers(9)])))


def test_random():
    check(BUFFER, "2201", random_cases(BUFFER, "2201", random_copy, 400))


def test_strides_of_0():
    """Three bursts: srcStride 0 repeats the first; dstStride 0 leaves the last."""
    image = np.concatenate([np.arange(L1_BYTES // 8).astype(np.uint64).view(np.uint8),
                            np.zeros(7168, np.uint8)])
    subject = FixedPipeSubject()
    subject.before = lambda case, chip: image
    again = plain(blocks=3, src_stride=0, dst_stride=2)
    last = plain(blocks=3, src_stride=1, dst_stride=0)
    out = launch(subject, "2201", [again, last]).outputs[0].view(np.uint64).reshape(2, -1, 16)
    burst = list(range(16))
    assert [out[0, row].tolist() for row in (0, 2, 4)] == [burst] * 3
    assert not out[0, [1, 3]].any() and not out[0, 5:].any()
    assert out[1, 0].tolist() == list(range(8, 24)) and not out[1, 1:].any()


# Two bursts of 128 bytes, 128 bytes from start to start.
RULES = [
    ({"blocks": 0, "src_n": 0, "dst_n": 0}, None), ({"length": 0, "src_n": 0, "dst_n": 0}, None),
    ({"src_n": 32}, None), ({"src_n": 31}, "V1001"), ({"dst_n": 32}, None),
    ({"dst_n": 31}, "V1001"), ({"src_stride": 5, "src_n": 35}, "V1001"),
    ({"src_stride": 5, "src_n": 36}, None), ({"dst_stride": 3, "dst_n": 63}, "V1001"),
    ({"dst_stride": 3, "dst_n": 64}, None), ({"src_stride": 0, "src_n": 16}, None),
    ({"dst_stride": 0, "dst_n": 16}, None), ({"length": 2, "dst_n": 47}, "V1001"),
    ({"length": 2, "dst_n": 48}, None),
    ({"blocks": 4095, "length": 0}, None), ({"blocks": 4096, "length": 0}, "V2001"),
    ({"blocks": 4095, "src_stride": 0, "dst_stride": 0}, None), ({"blocks": 4095}, "V1001"),
    ({"length": 65535}, "V1001"), ({"src_stride": 65535}, "V1001"),
    ({"src_stride": 65535, "blocks": 1}, None), ({"dst_stride": 65535}, "V1001"),
    ({"dst_stride": 65535, "blocks": 1}, None), ({"blocks": 1, "length": 56}, None),
    ({"blocks": 1, "length": 57, "dst_n": 1024}, "V1002"),
    ({"src": 32}, None), ({"src": 16}, "V1004"), ({"dst": 128}, None), ({"dst": 64}, "V1004"),
    ({"src_pos": B1}, None), ({"src_pos": C1}, None), ({"src_pos": VECIN}, "V1005"),
    ({"count": 15}, "V7001"), ({"count": 16}, None), ({"count": 20}, "V7001"),
    ({"count": 32, "src_n": 31}, "V1001"), ({"src_pos": CO1}, "V1005"),
    ({"src_pos": GM}, "V1005"), ({"src_pos": C2}, "V1005"),
]


def test_rules():
    check_rules(BUFFER, "2201", [(plain(**changes), code) for changes, code in RULES])


@pytest.mark.parametrize("dst, src", [("float", "float"), ("int64", "int64"), ("half", "half"),
                                      ("uint32", "uint32"), ("uint64", "float")])
def test_types(dst, src):
    check_refused(BUFFER, "2201", BUFFER.plain(dst, src), "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - {"2201"}))
def test_chip_without_it(chip):
    check_refused(BUFFER, chip, plain(l1=0, bytes=0), "V6001")
