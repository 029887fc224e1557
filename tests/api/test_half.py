"""half in scalar code: every value, every rounding, against numpy's correctly rounded float16."""

import numpy as np
import pytest

from api_kit import ALL_WORDS, Out, Value, output, rng, same

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ALL = ALL_WORDS.view(np.float16)


def run(kernel, *arrays, dtype, width=1):
    """kernel(arrays..., out, count) on arrays of one length."""
    count = arrays[0].size
    return output("floats.cpp", kernel, *arrays, Out(dtype, count * width), Value("uint32", count))


def run_doubles(kernel, doubles, dtype):
    """As run(); .npy files of vinci hold no doubles, so they come as their bits."""
    return run(kernel, np.asarray(doubles, np.float64).view(np.uint64), dtype=dtype)


def pairs(count=50000):
    """Operands of all sizes: random words, close neighbours, and the odd ones."""
    random = rng()
    words = random.integers(0, 65536, (2, count), dtype=np.uint16)
    near = random.integers(-3, 4, count // 4).astype(np.uint16)
    words[1, :count // 4] = words[0, :count // 4] + near
    odd = np.array([0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00,
                    0x3C00, 0x3C01, 0x3BFF], np.uint16)
    a, b = np.meshgrid(odd, odd)
    return (np.concatenate([words[0], a.ravel()]).view(np.float16),
            np.concatenate([words[1], b.ravel()]).view(np.float16))


def test_every_half_to_float():
    same(run("half_to_float", ALL, dtype="float"), ALL.astype(np.float32))


def test_every_half_to_float_and_back():
    same(run("float_to_half", ALL.astype(np.float32), dtype="half"), ALL)


def test_halfway_between_any_two_neighbours_goes_to_the_even_one():
    finite = ALL[np.isfinite(ALL)].astype(np.float64)
    upper = ALL_WORDS[np.isfinite(ALL)] + np.uint16(1)
    upper = upper.view(np.float16).astype(np.float64)
    upper[upper == np.inf] = 65536.0
    upper[~np.isfinite(upper)] = -65536.0
    ties = ((finite + upper) / 2).astype(np.float32)
    up, down = (np.nextafter(ties, np.float32(end)) for end in (np.inf, -np.inf))
    for values in (ties, up, down):
        same(run("float_to_half", values, dtype="half"), values.astype(np.float16))


def test_floats_of_any_bits_to_half():
    floats = rng().integers(0, 2**32, 200000, dtype=np.uint32).view(np.float32)
    floats = np.concatenate([floats, (rng().standard_normal(50000) * 10).astype(np.float32)])
    same(run("float_to_half", floats, dtype="half"), floats.astype(np.float16))


def test_a_double_is_rounded_once():
    ties = (ALL[:0x7BFF].astype(np.float64) + ALL[1:0x7C00].astype(np.float64)) / 2
    doubles = np.concatenate([ties * (1 + s * 2.0**-k) for s in (-1, 0, 1) for k in (30, 40, 52)])
    doubles = np.concatenate([doubles, -doubles, rng().standard_normal(20000),
                              [np.nan, np.inf, -np.inf, 5e-324, 1e300, 65519.999999999, 65520]])
    same(run_doubles("double_to_half", doubles, "half"), doubles.astype(np.float16))


def test_an_integer_is_rounded_once():
    integers = np.concatenate([np.arange(-70000, 70000), [2**31 - 1, -2**31]]).astype(np.int32)
    same(run("int32_to_half", integers, dtype="half"), integers.astype(np.float64).astype(np.float16))
    wide = np.array([2049, 2**24 + 1, 2**40, -2**62, 65519, 65520, 2**53 + 1], np.int64)
    same(run("int64_to_half", wide, dtype="half"), wide.astype(np.float64).astype(np.float16))


def test_a_half_to_an_integer_is_cut_off():
    halves = ALL[np.isfinite(ALL)]
    assert (run("half_to_int32", halves, dtype="int32") == halves.astype(np.int32)).all()
    small = halves[(halves > -1) & (halves < 256)]
    assert (run("half_to_uint8", small, dtype="uint8") == small.astype(np.float32).astype(np.uint8)).all()


def test_sums_differences_products_and_quotients():
    a, b = pairs()
    wanted = np.stack([a + b, a - b, a * b, a / b], 1).ravel()
    same(run("half_operations", a, b, dtype="half", width=4), wanted)


@pytest.mark.parametrize("word", [0x3C01, 0x0001, 0x03FF, 0x7BFF, 0xB555])
def test_every_half_with_one_operand(word):
    a, b = ALL, np.full(65536, word, np.uint16).view(np.float16)
    wanted = np.stack([a + b, a - b, a * b, a / b], 1).ravel()
    same(run("half_operations", a, b, dtype="half", width=4), wanted)


def test_assignments_steps_and_signs():
    a, b = pairs(2000)
    one = np.float16(1)
    wanted = np.stack([a + b, a - b, a * b, a / b, a + one, a - one, -a, a], 1).ravel()
    same(run("half_assignments", a, b, dtype="half", width=8), wanted)


def test_comparisons_are_those_of_numbers():
    a, b = pairs(5000)
    wanted = sum(bit.astype(np.uint8) << k for k, bit in
                 enumerate([a < b, a <= b, a == b, a != b, a >= b, a > b]))
    assert (run("half_comparisons", a, b, dtype="uint8") == wanted).all()


def test_a_half_times_a_float_is_a_float():
    a = rng().standard_normal(5000).astype(np.float16)
    b = rng().standard_normal(5000).astype(np.float32)
    same(run("mixed", a, b, dtype="float"), a.astype(np.float32) * b)


def test_a_float_added_to_a_half_is_rounded_at_the_end():
    a = rng().standard_normal(5000).astype(np.float16)
    b = rng().standard_normal(5000).astype(np.float32)
    same(run("half_plus_float", a, b, dtype="half"), (a.astype(np.float32) + b).astype(np.float16))


def test_constants_are_halves_too():
    got = output("floats.cpp", "constants", Out("half", 5), Value("uint32", 0))
    same(got, np.array([1 / 3, 0.1, 7, 1, 65504], np.float16))
