"""SetHF32Mode and SetHF32TransMode: float operands of Mmad keep 11 fraction bits."""

import fractions
import math

import numpy as np
import pytest

from cases import check, check_refused, launch, random_cases, rng_for, verdict
from fractals import NAN32
from products import SUPPORTED, WITH_HF32, Product, hf32_of, rounded_to_hf32
from test_mmad_types import F32, MMAD, plain, random_product

# Calls, as digits of a case's `hf32`, the first in the lowest.
ON, OFF, AWAY, EVEN, ENABLE, DISABLE, NEAREST_ZERO, NEAREST_EVEN = range(1, 9)
LARGEST = 0x7F7FFFFF

# The bits of an operand, and those that it is rounded to: ties to even, ties away from 0.
ROUNDED = [
    (0x3F800000, 0x3F800000, 0x3F800000),
    (0x3F8007FF, 0x3F800000, 0x3F800000),
    (0x3F800800, 0x3F800000, 0x3F801000),  # a tie
    (0x3F800801, 0x3F801000, 0x3F801000),
    (0x3F8017FF, 0x3F801000, 0x3F801000),
    (0x3F801800, 0x3F802000, 0x3F802000),  # a tie above an odd neighbour
    (0x3F801801, 0x3F802000, 0x3F802000),
    (0x3FFFF7FF, 0x3FFFF000, 0x3FFFF000),
    (0x3FFFF800, 0x40000000, 0x40000000),  # into the next exponent
    (0x7F7FF000, 0x7F7FF000, 0x7F7FF000),  # the largest HF32
    (0x7F7FF7FF, 0x7F7FF000, 0x7F7FF000),
    (0x7F7FF800, 0x7F800000, 0x7F800000),  # infinity
    (LARGEST, 0x7F800000, 0x7F800000),
    (0x7F800000, 0x7F800000, 0x7F800000),
    (0x7F800001, 0x7FC00000, 0x7FC00000),  # NaN, whatever its payload
    (0x7FFFFFFF, 0x7FC00000, 0x7FC00000),
    (0x00000000, 0x00000000, 0x00000000),
    (0x00000001, 0x00000000, 0x00000000),  # subnormals
    (0x000007FF, 0x00000000, 0x00000000),
    (0x00000800, 0x00000000, 0x00001000),
    (0x00000801, 0x00001000, 0x00001000),
    (0x007FF7FF, 0x007FF000, 0x007FF000),
    (0x007FF800, 0x00800000, 0x00800000),
    (0x007FFFFF, 0x00800000, 0x00800000),
]


def calls(*digits):
    return sum(digit << 4 * place for place, digit in enumerate(digits))


def bits_of_exact(value, away):
    """The nearest multiple of the float's quantum in HF32, in rational arithmetic."""
    exponent = max(math.frexp(value)[1] - 1, -126)
    quantum = fractions.Fraction(2) ** (exponent - 11)
    steps = abs(fractions.Fraction(value)) / quantum
    whole = math.floor(steps + fractions.Fraction(1, 2)) if away else round(steps)
    with np.errstate(over="ignore"):
        return np.copysign(np.float32(float(whole * quantum)), np.float32(value)).view(np.uint32)


@pytest.mark.parametrize("away", [False, True])
def test_the_oracle_rounds_like_exact_rationals(away):
    bits = rng_for("hf32").integers(0, LARGEST, 2000, np.uint32)
    bits[::2] = bits[::2] // 4096 * 4096 + 2048  # ties
    bits[::5] %= 1 << 23
    bits[::3] |= np.uint32(1 << 31)
    got = rounded_to_hf32(bits.view(np.float32), away).view(np.uint32)
    assert got.tolist() == [int(bits_of_exact(float(x), away)) for x in bits.view(np.float32)]


@pytest.mark.parametrize("chip", WITH_HF32)
@pytest.mark.parametrize("away", [False, True])
@pytest.mark.parametrize("side", ["A", "B"])
def test_how_an_operand_is_rounded(chip, away, side):
    """16 elements times 1, in the first k of a fractal."""
    subject = Product(1, 1, 1)
    table = np.array([(row[0] | sign, row[1 + away] | sign) for row in ROUNDED
                      for sign in (0, 1 << 31)], np.uint32)
    images = []
    for values in table[:, 0].reshape(-1, 16):
        fractal, ones = np.zeros((16, 8), np.uint32), np.full(128, 0x3F800000, np.uint32)
        fractal[:, 0] = values
        parts = [fractal.ravel(), ones] if side == "A" else [ones, fractal.ravel()]
        images.append(np.concatenate([np.zeros(256, np.uint32), *parts,
                                      np.zeros(256, np.uint32)]).view(np.uint8))
    subject.before = lambda case, chip: images[case["seed"]]
    cases = [plain(chip, F32, subject, k=1, seed=seed, hf32=calls(ON, AWAY if away else EVEN))
             for seed in range(len(images))]
    got = launch(subject, chip, cases).outputs[0].view(np.uint32).reshape(len(cases), 16, 16)
    if side == "A":
        got = got.transpose(0, 2, 1)
    want = table[:, 1].view(np.float32) + np.float32(0)  # -0 + 0 is 0
    want = np.where(np.isnan(want), NAN32, want).view(np.uint32).reshape(-1, 1, 16)
    assert (got == want).all()


@pytest.mark.parametrize("chip", WITH_HF32)
def test_the_state_after_each_order_of_calls(chip):
    """Off and to even at the start of a block; each call keeps what the other wrote."""
    orders = [(), (ON,), (ON, OFF), (AWAY,), (ON, AWAY), (AWAY, ON), (ON, AWAY, EVEN),
              (ON, AWAY, OFF), (ON, AWAY, OFF, ON), (ENABLE,), (ENABLE, DISABLE),
              (ENABLE, NEAREST_ZERO), (ENABLE, NEAREST_ZERO, NEAREST_EVEN), ()]
    states = [(False, False), (True, False), (False, False), (False, True), (True, True),
              (True, True), (True, False), (False, True), (True, True), (True, False),
              (False, False), (True, True), (True, False), (False, False)]
    assert [hf32_of(calls(*order)) for order in orders] == states
    subject = Product()
    image = subject.before(plain(chip, F32), chip).copy()
    operands = image[subject.c:subject.c + subject.a + subject.b].view(np.uint32)
    operands[:] = operands // 4096 * 4096 + rng_for("order").choice([0, 1, 2048, 2049],
                                                                    operands.size)
    subject.before = lambda case, chip: image
    cases = [plain(chip, F32, subject, hf32=calls(*order)) for order in orders]
    expected = {subject.expected(case, chip, image).tobytes() for case in cases}
    assert len(expected) == 3  # as they are, ties to even, ties away
    check(subject, chip, cases)


@pytest.mark.parametrize("chip", WITH_HF32)
@pytest.mark.parametrize("mode", [(ON,), (ON, AWAY)])
def test_random_floats(chip, mode):
    cases = random_cases(MMAD, chip, lambda rng: random_product(rng, chip, F32) |
                         {"hf32": calls(*mode)}, 60, *mode)
    check(MMAD, chip, cases, allowed=("V2008",))


@pytest.mark.parametrize("chip", WITH_HF32)
def test_other_types_do_not_care(chip):
    others = [types for types in SUPPORTED[chip] if types != F32]
    assert len(others) == 4
    check(MMAD, chip, [plain(chip, types, m=20, n=20, kind=kind, hf32=calls(ON, AWAY))
                       for types in others for kind in (0, 2)])


@pytest.mark.parametrize("chip", ["1000", "1001", "2002", "2002v"])
@pytest.mark.parametrize("call, name", [(ON, "SetHF32Mode"), (OFF, "SetHF32Mode"),
                                        (AWAY, "SetHF32TransMode"), (EVEN, "SetHF32TransMode")])
def test_chips_without_hf32(chip, call, name):
    case = plain(chip, ("float", "half", "half"), visible=0, hf32=call)
    run = check_refused(MMAD, chip, case, "V6001")
    assert name in run.faults[0]["message"]


@pytest.mark.parametrize("chip", sorted(SUPPORTED))
def test_disable_gemv_warns_where_it_would_matter(chip):
    types = SUPPORTED[chip][0]
    for m, disable_gemv, wanted in ((1, 1, ["V2008"]), (1, 0, []), (2, 1, [])):
        case = plain(chip, types, m=m, disable_gemv=disable_gemv)
        run = verdict(MMAD, chip, case)
        assert run.codes == wanted and run.code == 0
        check(MMAD, chip, [case], allowed=("V2008",))
