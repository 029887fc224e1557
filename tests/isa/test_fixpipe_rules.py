"""Fixpipe: both sides of every limit, and what a chip or the instruction does not have."""

import pytest

from batches import check_rules
from cases import check_refused
from fixpipe_oracle import (A1, A2, B1, CO1, DEQF16, F32_BF16, F32_F16, GM, MODES, NO_QUANT,
                            QF32_B8, REQ8, VDEQF16, VECIN, VQF32_B8, VREQ8, WITH, FixpipeSubject)
from harness import CHIPS
from test_fixpipe import plain

PIPE = FixpipeSubject()
NZ = {"row_major": 0}
TO_L1 = {"row_major": 0, "dst_pos": A1, "dst": 1024}

FLOAT_RULES = [
    # 3 rows of 16 read 3 * 64 bytes; whole groups of 16 columns count.
    ({"src_n": 48}, None), ({"src_n": 47}, "V1001"), ({"n": 1, "src_n": 47}, "V1001"),
    ({"n": 17, "src_n": 256 + 48}, None), ({"n": 17, "src_n": 256 + 47}, "V1001"),
    ({"n": 17, "src_stride": 32, "src_n": 512 + 47}, "V1001"),
    ({"matrices": 2, "src_matrix": 3, "src_n": 768 + 48, "dst_matrix": 200}, None),
    ({"matrices": 2, "src_matrix": 3, "src_n": 768 + 47, "dst_matrix": 200}, "V1001"),
    ({"matrices": 2, "src_matrix": 3, "src_n": 48, **NZ}, None),
    ({"dst_n": 2 * 64 + 16}, None), ({"dst_n": 2 * 64 + 15}, "V1001"),
    ({"n": 5, "dst_n": 2 * 64 + 5}, None), ({"n": 5, "dst_n": 2 * 64 + 4}, "V1001"),
    ({"matrices": 3, "dst_matrix": 500, "dst_n": 1000 + 144}, None),
    ({"matrices": 3, "dst_matrix": 500, "dst_n": 1000 + 143}, "V1001"),
    ({"n": 32, "dst_n": 64 * 8 + 48, **NZ}, None), ({"n": 32, "dst_n": 64 * 8 + 47, **NZ}, "V1001"),
    ({"n": 32, "split": 1, "dst_n": 3 * 64 * 8 + 24, **NZ}, None),
    ({"n": 32, "split": 1, "dst_n": 3 * 64 * 8 + 23, **NZ}, "V1001"),
    ({"m": 0, "src_n": 0, "dst_n": 0}, None), ({"n": 0, "src_n": 0, "dst_n": 0}, None),
    ({"matrices": 0, "src_n": 0, "dst_n": 0}, None), ({"matrices": 0, **NZ}, None),
    ({"m": 0, "n": 4096, "src_stride": 1, "dst_stride": 0}, None),
    # Beyond what L0C holds, but in range; then out of range.
    ({"n": 4095}, "V1001"), ({"n": 4096}, "V2001"), ({"n": 4096, **NZ}, "V2001"),
    ({"m": 8192, "src_stride": 8192}, "V1001"), ({"m": 8193, "src_stride": 8208}, "V2001"),
    ({"m": 8193, "src_stride": 8208, **NZ}, "V1001"),
    ({"matrices": 2, "src_matrix": 512, "src_n": 1 << 20, "dst_matrix": 65535}, "V1002"),
    ({"matrices": 2, "src_matrix": 513}, "V2001"), ({"src_matrix": 512}, None),
    ({"src_matrix": 513, **NZ}, None),
    ({"n": 17, **NZ}, "V2002"), ({"n": 8, **NZ}, "V2002"), ({"n": 8, "split": 1, **NZ}, None),
    ({"n": 4, "split": 1, **NZ}, "V2002"), ({"n": 24, "split": 1, **NZ}, None),
    ({"src_stride": 17}, "V2002"), ({"src_stride": 65520}, None), ({"m": 16}, None),
    ({"m": 17}, "V2001"), ({"m": 17, "src_stride": 32}, None), ({"src_stride": 0}, "V2001"),
    ({"dst_stride": 0}, "V2001"), ({"dst_stride": 0, **NZ}, "V2001"),
    ({"m": 1, "dst_stride": 2**32 - 1}, None), ({"dst_stride": 2**32 - 1}, "V1001"),
    ({"dst_stride": 2**32 - 1, **NZ}, None), ({"n": 32, "dst_stride": 2**32 - 1, **NZ}, "V1001"),
    ({"src": 64, "src_n": 4000}, None), ({"src": 32, "src_n": 4000}, "V1004"),
    ({"dst": 4}, None), ({"dst": 2}, "V1004"), ({"dst": 32, **NZ}, None),
    ({"dst": 4, **NZ}, "V1004"), ({"dst": 2, "m": 0}, "V1004"),
    ({"src_pos": A1}, "V1005"), ({"src_pos": VECIN}, "V1005"), ({"src_pos": GM}, "V1005"),
    ({"dst_pos": VECIN}, "V1005"), ({"dst_pos": A2, **NZ}, "V1005"),
    ({"dst_pos": CO1}, "V1005"),
    ({"split": 1}, "V2004"), ({**NZ, "dst_pos": A1}, "V2004"), ({"dst_pos": A1}, "V2004"),
]

# Both types, then changes, then the code.
OTHER_RULES = [
    ("half", "float", {"split": 1, **NZ}, "V2004"), ("half", "float", {"dst": 2}, None),
    ("half", "float", {"dst": 1}, "V1004"), ("int8", "float", {"dst": 1}, None),
    ("half", "float", TO_L1, None), ("half", "int32", TO_L1 | {"dst_pos": B1}, None),
    ("half", "float", TO_L1 | {"dst": 1040}, "V1004"),
    ("half", "float", TO_L1 | {"row_major": 1}, "V2004"),
    ("int32", "int32", TO_L1, "V2004"), ("int32", "int32", {"split": 1, **NZ}, "V2004"),
    ("half", "float", TO_L1 | {"dst_n": 48}, None),
    ("half", "float", TO_L1 | {"dst_n": 47}, "V1001"),
    ("int8", "int32", {"n": 32, "dst_n": 96, **NZ}, None),
    ("int8", "int32", {"n": 32, "dst_n": 95, **NZ}, "V1001"),
    ("int8", "int32", {"n": 48, "dst_stride": 4, "dst_n": 128 + 48, **NZ}, None),
    ("int8", "int32", {"n": 48, "dst_stride": 4, "dst_n": 128 + 47, **NZ}, "V1001"),
    ("int8", "int32", {"n": 8, **NZ}, "V2002"),
    # The scales: one for each column, in L1, and there if and only if the mode wants them.
    ("int8", "int32", {"quant": VREQ8, "scales_n": 16}, None),
    ("int8", "int32", {"quant": VREQ8, "scales_n": 15}, "V1001"),
    ("int8", "int32", {"quant": VREQ8, "scales": 32}, None),
    ("int8", "int32", {"quant": VREQ8, "scales": 16}, "V1004"),
    ("int8", "int32", {"quant": VREQ8, "scales_pos": B1}, None),
    ("int8", "int32", {"quant": VREQ8, "scales_pos": VECIN}, "V1005"),
    ("int8", "int32", {"quant": VREQ8, "vector": 0}, "V2004"),
    ("int8", "int32", {"quant": REQ8, "vector": 1}, "V2004"),
    ("half", "int32", {"quant": VDEQF16, "vector": 0}, "V2004"),
    ("uint8", "float", {"quant": VQF32_B8, "vector": 0}, "V2004"),
    ("float", "float", {"vector": 1}, "V2004"),
]


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    check_rules(PIPE, chip, [(plain(**changes), code) for changes, code in FLOAT_RULES])
    check_rules(PIPE, chip, [(plain(dst, src, **changes), code)
                             for dst, src, changes, code in OTHER_RULES])


@pytest.mark.parametrize("chip", WITH)
def test_modes_of_each_pair(chip):
    """All pairs of types by all modes, and a number that is no mode."""
    every = [NO_QUANT, F32_F16, VREQ8, REQ8, VDEQF16, DEQF16, F32_BF16, VQF32_B8, QF32_B8, 7]
    rules = [(plain(dst, src, quant=quant), None if quant in MODES[dst, src] else "V2004")
             for dst, src in MODES for quant in every]
    check_rules(PIPE, chip, rules)


@pytest.mark.parametrize("chip", WITH)
def test_the_end_of_the_memories(chip):
    """L0C has 128 KB; GM ends with the buffer, L1 earlier than a tensor may say."""
    l0c = 128 << 10
    check_refused(PIPE, chip, plain(src=l0c - 128), "V1002")
    check_refused(PIPE, chip, plain(dst_n=1 << 30, dst_stride=1 << 20), "V1003")
    l1 = (512 if chip == "2201" else 1024) << 10
    check_refused(PIPE, chip, plain("half", **TO_L1 | {"dst": l1 - 64, "dst_n": 48}), "V1002")
    case = plain("int8", "int32", quant=VREQ8, scales=l1 - 64)
    check_refused(PIPE, chip, case, "V1002")


@pytest.mark.parametrize("chip", WITH)
def test_types(chip):
    for dst, src in (("int32", "float"), ("float", "int32"), ("bfloat16", "int32"),
                     ("half", "half"), ("int16", "int32"), ("uint32", "uint32")):
        check_refused(PIPE, chip, plain(dst, src, quant=NO_QUANT), "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_it(chip):
    check_refused(Unfilled(), chip, plain(l0c=0, l1=0), "V6001")


class Unfilled(FixpipeSubject):
    """The chip may lack the memories, so nothing is filled and nothing is compared."""

    def compared(self, case, got, want):
        return got != got
