"""DataCopy from CO2 to CO1: UB into fractals of L0C, and that out and back is the identity."""

import numpy as np
import pytest

from batches import check_rules
from cases import check, check_refused, launch, random_cases
from fractals import NAN32
from harness import CHIPS
from l0c_oracle import (A1, A2, DEQ, DEQ16, INWARDS, L0C_BYTES, MATRIX, VECIN, VECOUT, VECTOR,
                        WITH, GivenInSubject, GivenOutSubject, InSubject, plain, random_copy)
from test_levels import LEVELS

IN = InSubject()
F = 256  # elements of a fractal
ROW = {"mode": VECTOR}


def some(chip, dst, src):
    return random_cases(IN, chip, lambda rng: random_copy(rng, IN, dst, src), 400, dst, src)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", INWARDS)
def test_random(chip, dst, src):
    check(IN, chip, some(chip, dst, src))


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", INWARDS)
def test_the_random_cases_reach_everything(chip, dst, src):
    cases = some(chip, dst, src)
    assert {case["mode"] for case in cases if case["blocks"] * case["length"] > 1} == \
        {MATRIX, VECTOR}


@pytest.mark.levels
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("chip", WITH)
def test_every_half_becomes_its_float(chip, level, monkeypatch):
    """All 65536, one fractal after the other: exact, and NaN is the one NaN."""
    monkeypatch.setenv("GLIBC_TUNABLES", f"glibc.cpu.hwcaps={LEVELS[level]}")
    bits = np.arange(1 << 16, dtype=np.uint16)
    subject = GivenInSubject(np.zeros(1 << 18, np.uint8), bits.view(np.uint8))
    case = plain(subject, "float", "half", blocks=1, length=256, src=0)
    run = launch(subject, chip, [case])
    assert run.codes == [], run.stderr
    got = run.outputs[0][0][:1 << 18].view(np.uint32)
    sign, exponent, fraction = bits >> 15, bits.astype(np.int64) >> 10 & 31, bits & 1023
    size = np.where(exponent == 0, fraction * 2.0**-24,
                    (1024 + fraction) * 2.0 ** (exponent - 25))
    size[exponent == 31] = np.inf
    wanted = (np.where(sign, -1, 1) * size).astype(np.float32).view(np.uint32)
    wanted[(exponent == 31) & (fraction != 0)] = NAN32.view(np.uint32)
    assert (got == wanted).all()


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", INWARDS)
def test_vectors_fill_first_rows(chip, dst, src):
    """16 elements go to the head of each fractal; its other 15 rows stay."""
    values = np.arange(48).astype({"half": np.float16, "float": np.float32}.get(src, np.int32))
    subject = GivenInSubject(np.full(L0C_BYTES, 0xAA, np.uint8), values.view(np.uint8))
    run = launch(subject, chip, [plain(subject, dst, src, blocks=1, length=3, src=0, **ROW)])
    assert run.codes == [], run.stderr
    l0c = run.outputs[0][0][:L0C_BYTES].view({"half": np.float16, "float": np.float32}
                                             .get(dst, np.int32)).reshape(-1, 16, 16)
    assert (l0c[:3, 0] == values.reshape(3, 16)).all()
    untouched = np.concatenate([l0c[:3, 1:].ravel(), l0c[3:].ravel()])
    assert (untouched.view(np.uint8) == 0xAA).all()


# Out in one type and back in another; half <- float saturates, so only what it keeps comes back.
BACK = [(dtype, dtype) for dtype in ("half", "float", "int32", "uint32")] + [("half", "float")]


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("mode", [MATRIX, VECTOR])
@pytest.mark.parametrize("there, here", BACK)
def test_out_and_back_is_the_identity(chip, there, here, mode):
    """A copy to UB, L0C wiped, and the copy back with the strides exchanged."""
    rng = np.random.default_rng([mode, *there.encode(), *here.encode()])
    l0c, ub = rng.integers(0, 256, 16384, np.uint8), np.zeros(16384, np.uint8)
    if there != here:
        halves = rng.integers(0, 1 << 16, 4096, np.uint16)
        halves[(halves & 0x7C00) == 0x7C00] ^= 0x4000
        l0c = halves.view(np.float16).astype(np.float32).view(np.uint8)
    out = GivenOutSubject(l0c, ub)
    strides = {"blocks": 2, "length": 3, "mode": mode}
    first = launch(out, chip, [plain(out, there, here, src_gap=2, dst_gap=5, dst=96, **strides)])
    assert first.codes == [], first.stderr
    moved = first.outputs[0][0][16384:]
    assert moved.any()
    back = GivenInSubject(np.zeros(16384, np.uint8), moved)
    second = launch(back, chip, [plain(back, here, there, src_gap=5, dst_gap=2, src=96, **strides)])
    assert second.codes == [], second.stderr
    size = F * (2 if here == "half" else 4)
    fractals = l0c.reshape(-1, size).copy()
    gone = np.ones(fractals.shape, bool)
    for fractal in (0, 1, 2, 5, 6, 7):
        gone[fractal, :size if mode == MATRIX else size // 16] = False
    fractals[gone] = 0
    assert (second.outputs[0][0][:16384].reshape(-1, size) == fractals).all()


# Two bursts of two units with a gap of one. From half to half.
RULES = [
    ({"blocks": 0}, None), ({"length": 0}, None), ({"length": 0, "dst_n": 0, "src_n": 0}, None),
    ({"blocks": 4095, "length": 0}, None), ({"blocks": 4096, "length": 0}, "V2001"),
    ({"blocks": 1, "src_gap": 65535, "dst_gap": 65535}, None), ({"src_gap": 65535}, "V1001"),
    ({"dst_gap": 65535}, "V1001"), ({"length": 65535}, "V1001"),
    ({"dst_n": 5 * F}, None), ({"dst_n": 5 * F - 1}, "V1001"),
    ({"dst_n": 4 * F + 16, **ROW}, None), ({"dst_n": 4 * F + 15, **ROW}, "V1001"),
    ({"src_n": 4 * F + 16}, None), ({"src_n": 4 * F + 15}, "V1001"),
    ({"src_n": 4 * 16 + 16, **ROW}, None), ({"src_n": 4 * 16 + 15, **ROW}, "V1001"),
    ({"src": 1024 + 32}, None), ({"src": 1024 + 16}, "V1004"),
    ({"dst": 512}, None), ({"dst": 256}, "V1004"), ({"dst": 32, **ROW}, "V1004"),
    ({"src_pos": VECIN}, None), ({"src_pos": VECOUT}, None), ({"src_pos": A1}, "V1005"),
    ({"src_pos": A2}, "V1005"), ({"dst_pos": A2}, "V2001"), ({"dst_pos": A1}, "V2001"),
    ({"dst_pos": VECIN}, "V2001"),
    ({"mode": 0}, "V2001"), ({"mode": 3}, "V2001"), ({"mode": 4}, "V2001"),
    ({"store": 1}, None), ({"store": 2}, None), ({"store": 3}, "V2001"),
    ({"dequant": DEQ}, "V2004"), ({"dequant": DEQ16}, "V2004"), ({"dequant": 7}, "V2004"),
    ({"relu": 1}, "V2004"), ({"relu": 1, "dequant": DEQ}, "V2004"),
]
OTHER_RULES = [
    ("float", "half", {"dst_n": 5 * F}, None), ("float", "half", {"dst_n": 5 * F - 1}, "V1001"),
    ("float", "half", {"src_n": 4 * F + 16}, None),
    ("float", "half", {"src_n": 4 * F + 15}, "V1001"),
    ("float", "half", {"dst": 1024}, None), ("float", "half", {"dst": 512}, "V1004"),
    ("float", "float", {"src_n": 4 * F + 8}, None),
    ("float", "float", {"src_n": 4 * F + 7}, "V1001"),
    ("int32", "int32", {"relu": 1}, "V2004"), ("float", "half", {"dequant": DEQ}, "V2004"),
]


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    check_rules(IN, chip, [(plain(IN, "half", "half", **changes), code)
                           for changes, code in RULES])
    check_rules(IN, chip, [(plain(IN, dst, src, **changes), code)
                           for dst, src, changes, code in OTHER_RULES])


@pytest.mark.parametrize("chip", WITH)
def test_types(chip):
    for dst, src in (("half", "float"), ("half", "int32"), ("int32", "float"), ("int16", "int16"),
                     ("int8", "int32"), ("bfloat16", "bfloat16")):
        check_refused(IN, chip, plain(IN, dst, src), "V6002")


class Unfilled(InSubject):
    """Nothing is filled or compared."""

    def compared(self, case, got, want):
        return got != got


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_it(chip):
    for dst, src in INWARDS:
        check_refused(Unfilled(), chip, plain(IN, dst, src, l0c=0), "V6001")


@pytest.mark.parametrize("chip", WITH)
def test_the_end_of_the_memories(chip):
    """L0C has 256 KB, UB too; a tensor may say more."""
    end = 256 << 10
    case = plain(IN, "float", "float", l0c=0, blocks=1, length=1, src_n=end, dst_n=end)
    for changes in ({"dst": end}, {"dst": end - 1024, "length": 2}, {"src": end - 992},
                    {"dst": end, **ROW}, {"src": end - 32, **ROW}):
        check_refused(Unfilled(), chip, case | changes, "V1002")
    large = InSubject(end, end)
    last = plain(large, "float", "float", blocks=1, length=1, dst=end - 1024, src=end - 1024)
    check_rules(large, chip, [(last, None), (last | {"src": end - 64, **ROW}, None)])
