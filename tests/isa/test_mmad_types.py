"""Mmad on all types, and where the initial C comes from."""

import fractions

import numpy as np
import pytest

from cases import TYPES, check_random, rng_for, verdict
from fractals import FRACTAL, fma32, from_zn, packed, to_nz, to_zz
from products import (A2, B2, C2, CO1, NONE, SUPPORTED, TABLE_BYTES, WITH_HF32, WITH_TABLE, Product,
                      bits_of, types_of)

MMAD = Product()
EVERYWHERE = [(chip, types) for chip in SUPPORTED for types in SUPPORTED[chip]]
S8, F32 = ("int32", "int8", "int8"), ("float", "float", "float")


def plain(chip, types, subject=MMAD, **changes):
    """16x16 and two blocks of k into the first fractal, changed as said."""
    c, a, b = types
    case = {"visible": 1, "form": NONE, "constructor": 2, "types": types_of(*types),
            "bias_type": TYPES.index(c), "a_bytes": subject.a, "b_bytes": subject.b,
            "table_bytes": TABLE_BYTES if chip in WITH_TABLE else 0, "c_pos": CO1, "c": 0,
            "c_n": subject.c * 8 // bits_of(c), "a_pos": A2, "a": 0,
            "a_n": subject.a * 8 // bits_of(a), "b_pos": B2, "b": 0,
            "b_n": subject.b * 8 // bits_of(b), "bias_pos": C2, "bias": 0,
            "bias_n": TABLE_BYTES // 4, "m": 16, "n": 16, "k": 512 // bits_of(a), "is_bias": 0,
            "from_table": 0, "init_zero": 1, "k_align": 0, "unit_flag": 0, "disable_gemv": 0,
            "hf32": 0, "kind": 2, "seed": 1}
    return case | changes


def random_product(rng, chip, types):
    k0 = 256 // bits_of(types[1])
    width = bits_of(types[0]) // 8
    constructor = int(rng.integers(0, 3))
    table = chip in WITH_TABLE
    in_c = rng.random() < 0.4
    case = plain(chip, types) | {
        "m": rng.choice([1, 1, 2, 16, 17, rng.integers(0, 50)]),
        "n": rng.choice([1, 16, rng.integers(0, 50)]),
        "k": rng.choice([1, 2, k0, 2 * k0 + 2, rng.integers(0, 5 * k0)]),
        "c": 256 * width * rng.integers(0, 8), "a": FRACTAL * rng.integers(0, 4),
        "b": FRACTAL * rng.integers(0, 4), "constructor": constructor,
        "form": rng.integers(0, 2) if table and constructor else NONE,
        "is_bias": rng.random() < 0.3 and constructor != 1, "unit_flag": rng.choice([0, 2, 3]),
        "init_zero": rng.random() < 0.3 or constructor == 0,
        "from_table": table and rng.random() < 0.4 and constructor != 0,
        "k_align": types == F32 and constructor == 2 and rng.random() < 0.5,
        "disable_gemv": constructor == 2 and rng.random() < 0.3,
        "hf32": rng.choice([0, 0x1, 0x31, 0x75, rng.integers(0, 1 << 16)]) * (chip in WITH_HF32),
        "kind": rng.integers(0, 4), "seed": rng.integers(0, 1 << 20)}
    case |= {"bias_pos": CO1 if in_c else C2,
             "bias": rng.choice([case["c"], 1024 * rng.integers(0, 16)]) if in_c
             else 64 * rng.integers(0, 8), "bias_n": 6144 if in_c else TABLE_BYTES // 4}
    if case["form"] == NONE:
        case |= {"bias_pos": C2, "bias": 0}
    return case


@pytest.mark.parametrize("chip, types", EVERYWHERE)
def test_random(chip, types):
    check_random(MMAD, chip, lambda rng: random_product(rng, chip, types), 500, *types,
                 allowed=("V2008",))


# c + a * b lies so close to the middle of two floats that a double shows the middle itself.
CLOSE = [(1 + 2 ** -15, (1 - 2 ** -15) * 2 ** -24, 1 + 2 ** -23, 1 + 2 ** -23),
         (1 + 2 ** -12, (1 - 2 ** -12 + 2 ** -24) * 2 ** -24, 1, 1 + 2 ** -23),
         (1 + 2 ** -15, (2 ** -15 - 1) * 2 ** -25, 1, 1),
         (1 + 2 ** -12, (2 ** -12 - 1 - 2 ** -24) * 2 ** -25, 1, 1 - 2 ** -24)]
CLOSE += [(-a, b, -c, -result) for a, b, c, result in CLOSE]


@pytest.mark.parametrize("dtype", ["bfloat16", "float"])
def test_the_oracle_rounds_like_exact_rationals(dtype):
    """fma32 on products of 16 and of 48 digits, with sums that nearly cancel."""
    rng = rng_for("fma32", dtype)
    a, b, c = (rng.integers(0, 1 << 32, 3000, np.uint32) for _ in range(3))
    a, b = ((x & 0x807FFFFF | (rng.integers(70, 190, x.size, np.uint32) << 23)) for x in (a, b))
    if dtype == "bfloat16":
        a, b = a & np.uint32(0xFFFF0000), b & np.uint32(0xFFFF0000)
    a, b, c = (x.view(np.float32) for x in (a, b, c))
    with np.errstate(all="ignore"):
        near = -(a.astype(np.float64) * b) * (1 + rng.integers(-3, 4, a.size) * 2.0 ** -24)
        c = np.where(np.arange(a.size) % 2 == 0, near.astype(np.float32), c)
    if dtype == "float":
        a, b, c = (np.concatenate([x, np.float32(y)]) for x, y in
                   zip((a, b, c), list(zip(*CLOSE))[:3]))
    usable = np.isfinite(c) & (abs(c) < 1e38)
    a, b, c = a[usable], b[usable], c[usable]
    assert len(c) > 1500
    for x, y, z, result in zip(a, b, c, fma32(a, b, c)):
        exact = fractions.Fraction(float(x)) * fractions.Fraction(float(y)) + \
            fractions.Fraction(float(z))
        near = [result, np.nextafter(result, np.float32(-np.inf)),
                np.nextafter(result, np.float32(np.inf))]
        if not np.isfinite(near).all():
            continue
        far = [abs(fractions.Fraction(float(value)) - exact) for value in near]
        assert far[0] <= min(far)
        assert far[0] not in far[1:] or result.view(np.uint32) % 2 == 0


@pytest.mark.parametrize("chip", WITH_TABLE)
def test_each_product_is_added_with_one_rounding(chip):
    for a, b, c, result in CLOSE:
        subject = Product(1, 1, 1)
        image = np.concatenate([np.repeat(np.float32([c, a, b]), [256, 128, 128]).view(np.uint8),
                                np.zeros(TABLE_BYTES, np.uint8)])
        subject.before = lambda case, chip, image=image: image
        case = plain(chip, ("float",) * 3, subject, k=1, init_zero=0)
        assert (verdict(subject, chip, case).outputs[0][0].view(np.float32) == result).all()


def image_of(subject, case, a, b):
    """L0A and L0B as given; the rest of them, L0C and the bias table are 0xFF."""
    image = np.full(subject.c + subject.a + subject.b + case["table_bytes"], 255, np.uint8)
    image[subject.c:subject.c + len(a)] = a
    image[subject.c + subject.a:subject.c + subject.a + len(b)] = b
    return image


def stored(matrix, dtype):
    """A matrix as bytes of its type, two int4 to a byte."""
    if dtype == "int4":
        return packed((matrix.ravel() & 15).astype(np.uint8), 4)
    if dtype == "bfloat16":
        bits = matrix.ravel().astype(np.float32).view(np.uint32) >> 16
        return bits.astype(np.uint16).view(np.uint8)
    kind = {"half": np.float16, "float": np.float32}.get(dtype, dtype)
    return matrix.ravel().astype(kind).view(np.uint8)


@pytest.mark.parametrize("chip, types", EVERYWHERE)
@pytest.mark.parametrize("m", [1, 2, 20])
def test_small_integers_against_numpy(chip, types, m):
    """A matrix product of small numbers that every order of summation makes the same; elements with
    k or more behind them are 0xFF: NaN, or -1."""
    rng = rng_for(chip, types, m)
    c, a_type, b_type = types
    k0 = 256 // bits_of(a_type)
    n, k = 37, 2 * k0 - 6
    low = 0 if a_type == "uint8" else -3
    a, b = rng.integers(low, 4, (m, k)), rng.integers(0 if b_type == "uint8" else -3, 4, (k, n))
    subject = Product()
    case = plain(chip, types, subject, m=m, n=n, k=k)
    filler = -1 if c in ("int32", "uint32") else np.nan
    whole_a = np.full((-(-m // 16) * 16, 2 * k0), filler)
    whole_b = np.full((2 * k0, 48), filler)
    whole_a[:m, :k], whole_b[:k, :n] = a, b
    with np.errstate(invalid="ignore"):
        flat_a = whole_a[0] if m == 1 else to_zz(whole_a, k0)
        flat_b = to_nz(whole_b, k0)
        if c in ("int32", "uint32"):
            flat_a, flat_b = flat_a.astype(np.int64), flat_b.astype(np.int64)
        image = image_of(subject, case, stored(flat_a, a_type), stored(flat_b, b_type))
    subject.before = lambda case, chip: image
    got = verdict(subject, chip, case).outputs[0][0]
    width = bits_of(c) // 8
    size = -(-m // 16) * 3 * 256 * width
    kind = {"half": np.float16, "float": np.float32}.get(c, c)
    result = from_zn(got[:size].view(kind), m, n)[:m, :n]
    assert (result.astype(np.int64) == a @ b).all()


@pytest.mark.parametrize("chip, types", EVERYWHERE)
@pytest.mark.parametrize("init_zero", [0, 1])
def test_rows_below_a_vector_hold_the_initial_c(chip, types, init_zero):
    subject, c = Product(), types[0]
    case = plain(chip, types, m=1, n=20, init_zero=init_zero, kind=1)
    run = verdict(subject, chip, case)
    size = 2 * 16 * bits_of(c) // 8 * 16
    got, before = (x[:size].reshape(2, 16, -1)[:, 1:] for x in (run.outputs[0][0], run.images[0]))
    assert not got.any() if init_zero else (got == before).all()
