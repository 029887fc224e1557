"""Mmad on all types, and where the initial C comes from."""

import fractions

import numpy as np
import pytest

from batches import check_rules
from cases import TYPES, check, random_cases, rng_for, verdict
from fractals import FRACTAL, from_zn, fma32, packed, to_nz, to_zz
from products import (A1, A2, B1, B2, C2, CO1, NONE, SUPPORTED, TABLE_BYTES, VECIN, WITH_BIAS,
                      WITH_TABLE, Product, bits_of, names_of, types_of)

MMAD = Product()
EVERYWHERE = [(chip, types) for chip in SUPPORTED for types in SUPPORTED[chip]]
S8, F32 = ("int32", "int8", "int8"), ("float", "float", "float")


def plain(chip, types, subject=MMAD, **changes):
    """16x16 and two blocks of k into the first fractal, changed as said."""
    c, a, b = types
    case = {"visible": 1, "form": NONE, "constructor": 2, "types": types_of(*types),
            "bias_type": TYPES.index(c), "a_bytes": subject.a, "b_bytes": subject.b,
            "table_bytes": TABLE_BYTES if chip in WITH_TABLE else 0, "c_pos": CO1, "c": 0,
            "c_n": subject.c * 8 // bits_of(c), "a_pos": A2, "a": 0, "a_n": subject.a * 8 // bits_of(a),
            "b_pos": B2, "b": 0, "b_n": subject.b * 8 // bits_of(b), "bias_pos": C2, "bias": 0,
            "bias_n": TABLE_BYTES // 4, "m": 16, "n": 16, "k": 512 // bits_of(a), "is_bias": 0,
            "from_table": 0, "init_zero": 1, "k_align": 0, "unit_flag": 0, "kind": 2, "seed": 1}
    return case | changes


def random_product(rng, chip, types):
    k0 = 256 // bits_of(types[1])
    width = bits_of(types[0]) // 8
    constructor = int(rng.integers(0, 3))
    table = chip in WITH_TABLE
    in_c = rng.random() < 0.4
    case = plain(chip, types) | {
        "m": rng.choice([1, 1, 2, 16, 17, rng.integers(0, 50)]), "n": rng.choice([1, 16, rng.integers(0, 50)]),
        "k": rng.choice([1, 2, k0, 2 * k0 + 2, rng.integers(0, 5 * k0)]),
        "c": 256 * width * rng.integers(0, 8), "a": FRACTAL * rng.integers(0, 4),
        "b": FRACTAL * rng.integers(0, 4), "constructor": constructor,
        "form": rng.integers(0, 2) if table and constructor else NONE,
        "is_bias": rng.random() < 0.3 and constructor != 1, "unit_flag": rng.choice([0, 2, 3]),
        "init_zero": rng.random() < 0.3 or constructor == 0,
        "from_table": table and rng.random() < 0.4 and constructor != 0,
        "k_align": types == F32 and constructor == 2 and rng.random() < 0.5,
        "kind": rng.integers(0, 4), "seed": rng.integers(0, 1 << 20)}
    case |= {"bias_pos": CO1 if in_c else C2,
             "bias": rng.choice([case["c"], 1024 * rng.integers(0, 16)]) if in_c
             else 64 * rng.integers(0, 8), "bias_n": 6144 if in_c else TABLE_BYTES // 4}
    if case["form"] == NONE:
        case |= {"bias_pos": C2, "bias": 0}
    return case


@pytest.mark.parametrize("chip, types", EVERYWHERE)
def test_random(chip, types):
    cases = random_cases(MMAD, chip, lambda rng: random_product(rng, chip, types), 120, *types)
    check(MMAD, chip, cases, allowed=("V2008",))


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
    usable = np.isfinite(c) & (abs(c) < 1e38)
    a, b, c = a[usable], b[usable], c[usable]
    assert len(c) > 1500
    for x, y, z, result in zip(a, b, c, fma32(a, b, c)):
        exact = fractions.Fraction(float(x)) * fractions.Fraction(float(y)) + \
            fractions.Fraction(float(z))
        near = [result, np.nextafter(result, np.float32(-np.inf)), np.nextafter(result, np.float32(np.inf))]
        if not np.isfinite(near).all():
            continue
        far = [abs(fractions.Fraction(float(value)) - exact) for value in near]
        assert far[0] <= min(far)
        assert far[0] not in far[1:] or result.view(np.uint32) % 2 == 0


def image_of(subject, case, a, b, start, table):
    """L0C, L0A, L0B and the bias table from whole matrices; the rest is 0xFF."""
    parts = []
    for size, values in ((subject.c, start), (subject.a, a), (subject.b, b), (case["table_bytes"], table)):
        part = np.full(size, 255, np.uint8)
        part[:len(values)] = values
        parts.append(part)
    return np.concatenate(parts)


def stored(matrix, dtype):
    """A matrix as bytes of its type, two int4 to a byte."""
    if dtype == "int4":
        return packed((matrix.ravel() & 15).astype(np.uint8), 4)
    if dtype == "bfloat16":
        return (matrix.ravel().astype(np.float32).view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
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
        image = image_of(subject, case, stored(flat_a, a_type), stored(flat_b, b_type), b"", b"")
    subject.before = lambda case, chip: image
    got = verdict(subject, chip, case).outputs[0][0]
    width = bits_of(c) // 8
    size = -(-m // 16) * 3 * 256 * width
    kind = {"half": np.float16, "float": np.float32}.get(c, c)
    result = from_zn(got[:size].view(kind), m, n)[:m, :n]
    assert (result.astype(np.int64) == a @ b).all()
