"""bfloat16_t in scalar code, against an oracle in integer arithmetic; int4b_t."""

from fractions import Fraction

import numpy as np
import pytest

from api_kit import ALL_WORDS, Out, Value, output, rng
from test_half import run, run_doubles

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

NAN = 0x7FC0


def floats_of(words):
    return (words.astype(np.uint32) << 16).view(np.float32)


def words_of_floats(floats):
    """Round to nearest even on the float's bits; infinity by carry; NaN positive and quiet."""
    bits = floats.view(np.uint32).astype(np.uint64)
    kept = bits >> np.uint64(16)
    rest = bits & np.uint64(0xFFFF)
    up = (rest > 0x8000) | ((rest == 0x8000) & (kept & np.uint64(1) == 1))
    return np.where(np.isnan(floats), NAN, kept + up).astype(np.uint16)


def word_of_fraction(value):
    """The bfloat16 nearest to a rational number other than 0."""
    sign, value = (0x8000, -value) if value < 0 else (0, value)
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= value < Fraction(2) ** exponent
    exponent = max(exponent, -126)
    scaled = value / Fraction(2) ** (exponent - 7)
    digits, rest = divmod(scaled.numerator, scaled.denominator)
    twice = 2 * rest
    digits += twice > scaled.denominator or (twice == scaled.denominator and digits & 1)
    # For a normal number the leading digit counts one exponent.
    return sign | min(((exponent + 126) << 7) + digits, 0x7F80)


def test_the_oracle_agrees_with_itself():
    floats = rng().integers(0, 2**32, 3000, dtype=np.uint32).view(np.float32)
    floats = floats[np.isfinite(floats) & (floats != 0)]
    assert words_of_floats(floats).tolist() == [word_of_fraction(Fraction(float(f))) for f in floats]


def test_every_bfloat16_to_float():
    got = run("bfloat16_to_float", ALL_WORDS, dtype="float")
    wanted = floats_of(ALL_WORDS)
    nan = np.isnan(wanted)
    assert (np.isnan(got) == nan).all()
    assert (got.view(np.uint32) == wanted.view(np.uint32))[~nan].all()


def test_floats_at_and_beside_every_tie():
    words = ALL_WORDS.astype(np.uint32) << 16
    for low in (0x0000, 0x7FFF, 0x8000, 0x8001, 0xFFFF):
        floats = (words | low).astype(np.uint32).view(np.float32)
        assert (run("float_to_bfloat16", floats, dtype="bfloat16") == words_of_floats(floats)).all()


def test_floats_of_any_bits():
    floats = rng().integers(0, 2**32, 200000, dtype=np.uint32).view(np.float32)
    assert (run("float_to_bfloat16", floats, dtype="bfloat16") == words_of_floats(floats)).all()


def test_a_double_is_rounded_once():
    ties = floats_of(ALL_WORDS[1:0x7F00:37]).astype(np.float64) * (1 + 2.0**-9)
    ties = np.concatenate([(floats_of(ALL_WORDS[1:0x7F00:37]).astype(np.float64)
                            + floats_of(ALL_WORDS[2:0x7F01:37]).astype(np.float64)) / 2, ties])
    doubles = np.concatenate([ties * (1 + s * 2.0**-k) for s in (-1, 0, 1) for k in (26, 40, 52)])
    wanted = [word_of_fraction(Fraction(d)) for d in doubles]
    assert run_doubles("double_to_bfloat16", doubles, "bfloat16").tolist() == wanted


def test_doubles_out_of_range():
    doubles = [np.inf, -np.inf, 1e300, -1e300, 1e-300, 0.0, -0.0]
    assert run_doubles("double_to_bfloat16", doubles, "bfloat16").tolist() == [
        0x7F80, 0xFF80, 0x7F80, 0xFF80, 0, 0, 0x8000]


def test_an_integer_is_rounded_once():
    integers = np.array([1, 255, 257, 259, 2**16 + 2**8 + 1, 2**25 + 2**17 + 1, -2**40 - 1, 2**62,
                         2**33 + 2**25 + 1], np.int64)
    wanted = [word_of_fraction(Fraction(int(i))) for i in integers]
    assert run("int64_to_bfloat16", integers, dtype="bfloat16").tolist() == wanted


def operands(count=3000):
    random = rng()
    exponents = random.integers(0x20, 0xE0, (2, count)).astype(np.uint16)
    exponents[1] = np.clip(exponents[0] + random.integers(-9, 10, count), 1, 254)
    words = exponents << 7 | random.integers(0, 128, (2, count)).astype(np.uint16)
    return words | random.integers(0, 2, (2, count)).astype(np.uint16) << 15


def rounded(value, signed_zero=0):
    return word_of_fraction(value) if value else signed_zero


def test_sums_differences_products_and_quotients():
    a, b = operands()
    got = run("bfloat16_operations", a, b, dtype="bfloat16", width=4).reshape(-1, 4).tolist()
    for row, x, y in zip(got, floats_of(a), floats_of(b)):
        x, y = Fraction(float(x)), Fraction(float(y))
        assert row == [rounded(x + y), rounded(x - y), rounded(x * y), rounded(x / y)]


def test_infinities_zeros_and_nan():
    odd = np.array([0, 0x8000, 0x7F80, 0xFF80, NAN, 0x3F80, 0x7F7F, 1], np.uint16)
    a, b = (grid.ravel() for grid in np.meshgrid(odd, odd))
    x, y = floats_of(a), floats_of(b)
    wanted = np.stack([words_of_floats(r) for r in (x + y, x - y, x * y, x / y)], 1).ravel()
    got = run("bfloat16_operations", a, b, dtype="bfloat16", width=4)
    nan = (wanted & 0x7FFF) > 0x7F80
    assert (((got & 0x7FFF) > 0x7F80) == nan).all()
    assert (got == wanted)[~nan].all()


def test_assignments_steps_and_signs():
    a, b = operands(500)
    got = run("bfloat16_assignments", a, b, dtype="bfloat16", width=8).reshape(-1, 8).tolist()
    for row, word, x, y in zip(got, a.tolist(), floats_of(a), floats_of(b)):
        x, y = Fraction(float(x)), Fraction(float(y))
        assert row == [rounded(x + y), rounded(x - y), rounded(x * y), rounded(x / y), rounded(x + 1),
                       rounded(x - 1), word ^ 0x8000, word]


def test_every_half_to_bfloat16():
    halves = ALL_WORDS.view(np.float16)
    got = run("half_to_bfloat16", halves, dtype="bfloat16")
    assert (got == words_of_floats(halves.astype(np.float32))).all()


def test_int4_keeps_the_low_four_bits():
    got = output("floats.cpp", "int4_values", Out("int8", 64), Value("uint32", 64))
    assert got.tolist() == [((i - 32) + 8) % 16 - 8 for i in range(64)]
