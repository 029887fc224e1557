"""DataCopy from CO1 to CO2: both sides of every limit, and what a chip does not have."""

import pytest

from batches import check_rules
from cases import check_refused
from harness import CHIPS
from l0c_oracle import (A1, A2, CO1, DEQ, DEQ16, DEQ8, MATRIX, NONE, OUTWARDS, VDEQ,
                        VDEQ16, VDEQ8, VECIN, VECOUT, VECTOR, WITH, OutSubject, plain)

OUT = OutSubject()
F = 256  # elements of a fractal
ROW = {"mode": VECTOR}

# Two bursts of two units with a gap of one: five fractals of L0C. From float to half.
RULES = [
    ({"blocks": 0}, None), ({"length": 0}, None), ({"blocks": 0, "dst_n": 0, "src_n": 0}, None),
    ({"length": 0, "dst_n": 0, "src_n": 0}, None),
    ({"blocks": 4095, "length": 0}, None), ({"blocks": 4096, "length": 0}, "V2001"),
    ({"blocks": 4095, "length": 0, **ROW}, None), ({"blocks": 4096, "length": 0, **ROW}, "V2001"),
    ({"blocks": 4095, "length": 1}, "V1001"), ({"length": 65535}, "V1001"),
    ({"blocks": 1, "src_gap": 65535, "dst_gap": 65535}, None), ({"src_gap": 65535}, "V1001"),
    ({"dst_gap": 65535}, "V1001"),
    ({"src_n": 5 * F}, None), ({"src_n": 5 * F - 1}, "V1001"),
    ({"src_n": 4 * F + 16, **ROW}, None), ({"src_n": 4 * F + 15, **ROW}, "V1001"),
    ({"blocks": 1, "src_n": 2 * F}, None), ({"blocks": 1, "src_n": 2 * F - 1}, "V1001"),
    ({"src_gap": 0, "src_n": 4 * F}, None), ({"src_gap": 0, "src_n": 4 * F - 1}, "V1001"),
    ({"dst_n": 4 * F + 16}, None), ({"dst_n": 4 * F + 15}, "V1001"),
    ({"dst_n": 4 * 16 + 16, **ROW}, None), ({"dst_n": 4 * 16 + 15, **ROW}, "V1001"),
    ({"dst_gap": 0, "dst_n": 4 * F}, None), ({"dst_gap": 0, "dst_n": 4 * F - 1}, "V1001"),
    ({"dst": 1024 + 32}, None), ({"dst": 1024 + 16}, "V1004"),
    ({"src": 1024}, None), ({"src": 512}, "V1004"), ({"src": 1024, **ROW}, None),
    ({"src": 64, **ROW}, "V1004"),
    ({"dst_pos": VECIN}, None), ({"dst_pos": VECOUT}, None),
    ({"dst_pos": A1}, "V1005"), ({"dst_pos": CO1}, "V1005"), ({"dst_pos": A2}, "V1005"),
    # Between other memories there is only the plain copy.
    ({"src_pos": VECIN}, "V2001"), ({"src_pos": A2}, "V2001"), ({"src_pos": A1}, "V2001"),
    ({"mode": 0}, "V2001"), (ROW, None), ({"mode": 3}, "V2001"), ({"mode": 4}, "V2001"),
    ({"store": 1}, None), ({"store": 2}, None), ({"store": 3}, "V2001"), ({"relu": 1}, None),
]

# Both types, then changes, then the code.
OTHER_RULES = [
    ("half", "half", {"src_n": 5 * F}, None), ("half", "half", {"src_n": 5 * F - 1}, "V1001"),
    ("half", "half", {"src": 512}, None), ("half", "half", {"src": 256}, "V1004"),
    ("float", "float", {"dst_n": 4 * F + 8}, None),
    ("float", "float", {"dst_n": 4 * F + 7}, "V1001"),
    ("int32", "int32", {"src": 1024}, None), ("int32", "int32", {"src": 512}, "V1004"),
    # 64 rows and a datablock: the last row is the first or the second half of a datablock.
    ("int8", "int32", {"dst_n": 65 * 32 - 16}, None),
    ("int8", "int32", {"dst_n": 65 * 32 - 17}, "V1001"),
    ("int8", "int32", {"dst_n": 65 * 32, "store": 1}, None),
    ("int8", "int32", {"dst_n": 65 * 32 - 1, "store": 1}, "V1001"),
    ("int8", "int32", {"dst_n": 65 * 16 + 16, "store": 2}, None),
    ("int8", "int32", {"dst_n": 65 * 16 + 15, "store": 2}, "V1001"),
    ("uint8", "int32", {"dst_n": 4 * 32 + 32 - 16, **ROW}, None),
    ("uint8", "int32", {"dst_n": 4 * 32 + 32 - 17, **ROW}, "V1001"),
    ("uint8", "int32", {"dst_n": 4 * 32 + 32, "store": 1, **ROW}, None),
    ("uint8", "int32", {"dst_n": 4 * 32 + 31, "store": 1, **ROW}, "V1001"),
    ("uint8", "int32", {"dst_n": 4 * 16 + 32, "store": 2, **ROW}, None),
    ("uint8", "int32", {"dst_n": 4 * 16 + 31, "store": 2, **ROW}, "V1001"),
    ("uint8", "int32", {"dst": 1024 + 16, "store": 2}, "V1004"),
    ("uint8", "int32", {"store": 3}, "V2001"),
]


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    check_rules(OUT, chip, [(plain(OUT, **changes), code) for changes, code in RULES])
    check_rules(OUT, chip, [(plain(OUT, dst, src, **changes), code)
                            for dst, src, changes, code in OTHER_RULES])


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("mode", [MATRIX, VECTOR])
def test_modes_of_each_pair(chip, mode):
    """All pairs of types by all modes, and a number that is no mode."""
    every = (NONE, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16, 7)
    check_rules(OUT, chip, [(plain(OUT, *pair, dequant=dequant, mode=mode),
                             None if dequant in modes else "V2004")
                            for pair, modes in OUTWARDS.items() for dequant in every])


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, mode, size", [("half", VDEQ, 32), ("half", VDEQ16, 128),
                                             ("int16", VDEQ16, 128), ("int8", VDEQ8, 128)])
def test_scales(chip, dst, mode, size):
    """At a datablock of UB, 16 for each burst; as an offset or a pointer."""
    large = OutSubject(ub=256 << 10)
    last = (256 << 10) - 2 * size
    end = 256 << 10
    rules = [({"scales": 32}, None), ({"scales": 16}, "V1004"), ({"scales": 8}, "V1004"),
             ({"scales": last}, None), ({"scales": last + 32}, "V1002"), ({"scales": end}, "V1002"),
             ({"scales": last + size, "blocks": 1}, None),
             ({"scales": last + size + 32, "blocks": 1}, "V1002"),
             ({"scales": end, "blocks": 0}, None), ({"scales": end, "length": 0}, None),
             ({"scales": 1 << 40}, "V1002"), ({"scales": 2**64 - 32}, "V1002")]
    for pointed in (0, VECIN):
        check_rules(large, chip, [
            (plain(large, dst, "int32", dequant=mode, store=2, pointed=pointed, **changes), code)
            for changes, code in rules if not (pointed and changes["scales"] > end)])
    check_refused(large, chip, plain(large, dst, "int32", dequant=mode, pointed=A1), "V1002")
    check_refused(large, chip, plain(large, dst, "int32", dequant=mode, pointed=CO1), "V1002")


@pytest.mark.parametrize("chip", WITH)
def test_scales_count_for_the_vector_modes_only(chip):
    check_rules(OUT, chip, [
        (plain(OUT, dst, "int32", dequant=mode, scales=scales), None)
        for dst, mode in (("half", DEQ), ("half", DEQ16), ("int8", DEQ8), ("int32", NONE))
        for scales in (16, 1 << 40)])


@pytest.mark.parametrize("chip", WITH)
def test_types(chip):
    for dst, src in (("float", "half"), ("int32", "float"), ("int16", "int16"),
                     ("bfloat16", "bfloat16")):
        for mode in (NONE, DEQ16):
            check_refused(OUT, chip, plain(OUT, dst, src, dequant=mode), "V6002")


class Unfilled(OutSubject):
    """Nothing is filled or compared."""

    def compared(self, case, got, want):
        return got != got


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_it(chip):
    for (dst, src), modes in OUTWARDS.items():
        for mode in modes:
            check_refused(Unfilled(), chip, plain(OUT, dst, src, l0c=0, dequant=mode), "V6001")


@pytest.mark.parametrize("chip", WITH)
def test_the_end_of_the_memories(chip):
    """L0C has 256 KB, UB too; a tensor may say more."""
    end = 256 << 10
    case = plain(OUT, l0c=0, blocks=1, length=1, src_n=end, dst_n=end)
    for changes in ({"src": end}, {"src": end - 1024, "length": 2}, {"dst": end - 480},
                    {"src": end, **ROW}, {"dst": end, **ROW}):
        check_refused(Unfilled(), chip, case | changes, "V1002")
    large = OutSubject(end, end)
    last = plain(large, blocks=1, length=1, src=end - 1024, dst=end - 512)
    check_rules(large, chip, [(last, None), (last | {"dst": end - 32, **ROW}, None)])
