"""Mmad: C[m, n] = start + the sum over ascending k of A[m, k] * B[k, n], one fma32 for each k."""

import fractions

import numpy as np
import pytest

from cases import (SATURATES, SEED, TYPES, Subject, check, check_refused, check_rule, finite_halves,
                   random_cases, rng_for, verdict)
from fractals import (FRACTAL, IDENTITY, fma32, from_nz, from_zn, from_zz, multiply, to_half, to_nz,
                      to_zn, to_zz)
from harness import CHIPS

A1, A2, B1, B2, CO1, VECIN = 1, 2, 3, 4, 7, 9
SEES_L0C = ("1001", "2002")
FLOAT, HALF = 80404, 40404
SPECIAL = np.array([0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0x7C00,
                    0xFC00, 0x7E00, 0x7C01, 0xFFFF], np.uint16).view(np.float16)


def types_of(c, a, b):
    return TYPES.index(c) * 10000 + TYPES.index(a) * 100 + TYPES.index(b)


def contents(kind, seed, count):
    """Halves of one kind: any bits, small integers, of very different sizes, special values."""
    rng = np.random.default_rng([SEED, seed])
    if kind == 0:
        return finite_halves(seed, 2 * count).view(np.float16)
    if kind == 1:
        return rng.integers(-8, 9, count).astype(np.float16)
    if kind == 2:
        return (rng.normal(size=count) * 2.0 ** rng.integers(-12, 12, count)).astype(np.float16)
    values = rng.normal(size=count).astype(np.float16)
    return np.where(rng.random(count) < 0.05, rng.choice(SPECIAL, count), values)


class MmadSubject(Subject):
    source = "mmad_cases.cpp"
    fields = ("visible", "types", "c_fractals", "a_bytes", "b_bytes", "twice", "constructor",
              "c_pos", "c", "c_n", "a_pos", "a", "a_n", "b_pos", "b", "b_n", "m", "n", "k",
              "is_bias", "from_table", "init_zero", "kind", "seed")
    simplest = {"kind": 1, "twice": 0, "is_bias": 0, "init_zero": 1, "constructor": 2, "m": 2, "n": 1,
                "k": 1, "a": 0, "b": 0, "c": 0, "seed": 0}

    def __init__(self, c=16, a=16, b=16):
        self.c, self.a, self.b = c, a, b  # fractals

    def before(self, case, chip):
        a = contents(case["kind"], case["seed"], self.a * 256)
        b = contents(case["kind"], case["seed"] + 1, self.b * 256)
        return np.concatenate([IDENTITY, finite_halves(case["seed"] + 2, self.c * FRACTAL),
                               a.view(np.uint8), b.view(np.uint8)])

    def result_bytes(self, case, image):
        return self.c * 1024

    def parts(self, case, before):
        """L0C before (as floats), A[m, k] and B[k, n] with whole fractals of m and n."""
        ends = np.cumsum([FRACTAL, self.c * FRACTAL, self.a * FRACTAL])
        c, a, b = (part.view(np.float16) for part in np.split(before, ends)[1:])
        m, n, k = case["m"], case["n"], case["k"]
        deep, wide, high = -(-k // 16), -(-n // 16), -(-m // 16)
        a, b = a[case["a"] // 2:], b[case["b"] // 2:]
        if m == 1:
            left = a[:k].reshape(1, k)
        else:
            left = from_zz(a[:high * deep * 256], m, k)[:, :k]
        return c.astype(np.float32), left, from_nz(b[:deep * wide * 256], k, n)[:k]

    def product(self, case, chip, before):
        """What L0C holds afterwards, as floats in its own order."""
        c, a, b = self.parts(case, before)
        m, n = case["m"], case["n"]
        saturates = chip in SATURATES
        width = 2 if case["types"] == HALF else 4
        first, size = case["c"] // width, -(-m // 16) * -(-n // 16) * 256
        matrix = from_zn(c[first:first + size], m, n)[:len(a)]
        starts = [matrix if case["is_bias"] or not case["init_zero"] else np.zeros_like(matrix)]
        for _ in range(1 + case["twice"]):
            result = multiply(a, b, starts[-1])
            if case["types"] == HALF:
                result = to_half(result, saturates).astype(np.float32)
            starts.append(result)
        whole = from_zn(c[first:first + size], m, n).copy()
        whole[:len(a)] = starts[-1]
        c = c.copy()
        c[first:first + size] = to_zn(whole)
        return c

    def expected(self, case, chip, before):
        if case["m"] and case["n"] and case["k"]:
            return self.shown(case, self.product(case, chip, before))
        return self.untouched(case, chip, before)

    def untouched(self, case, chip, before):
        return self.shown(case, before[FRACTAL:(1 + self.c) * FRACTAL].view(np.float16))

    def shown(self, case, c):
        values = c.astype(np.float16 if case["types"] == HALF else np.float32).view(np.uint8)
        return np.concatenate([values, np.full(self.c * 1024 - len(values), 0xFF, np.uint8)])

    def compared(self, case, got, want):
        """All; but of a vector's product only the first row of each fractal is determined."""
        care = np.full(len(want), bool(case["visible"]))
        if case["m"] == 1 and case["n"] and case["k"]:
            width = 2 if case["types"] == HALF else 4
            block = care[case["c"]:case["c"] + -(-case["n"] // 16) * 256 * width]
            block.reshape(-1, 256 * width)[:, 16 * width:] = False
        return care

    def legal(self, case, chip):
        if case["types"] not in (FLOAT, HALF) or chip not in SEES_L0C:
            return False
        m, n, k = case["m"], case["n"], case["k"]
        if min(m, n, k) < 0 or max(m, n, k) > 4095 or case["from_table"]:
            return False
        if (case["c_pos"], case["a_pos"], case["b_pos"]) != (CO1, A2, B2):
            return False
        width = 2 if case["types"] == HALF else 4
        if case["c"] % (256 * width) or case["a"] % FRACTAL or case["b"] % FRACTAL:
            return False
        if not m or not n or not k:
            return True
        deep, wide, high = -(-k // 16), -(-n // 16), -(-m // 16)
        a = FRACTAL * (-(-k // 256) if m == 1 else high * deep)
        return case["a"] + a <= self.a * FRACTAL and a <= case["a_n"] * 2 and \
            case["b"] + wide * deep * FRACTAL <= self.b * FRACTAL and \
            wide * deep * 256 <= case["b_n"] and high * wide * 256 <= case["c_n"] and \
            case["c"] + high * wide * 256 * width <= self.c * 256 * width


MMAD = MmadSubject()


def plain(chip, types=FLOAT, subject=MMAD, **changes):
    """16x16x16 into the first fractal, changed as said."""
    case = {"visible": chip in SEES_L0C, "types": types, "c_fractals": subject.c,
            "a_bytes": subject.a * FRACTAL, "b_bytes": subject.b * FRACTAL, "twice": 0,
            "constructor": 2, "c_pos": CO1, "c": 0, "c_n": subject.c * 256, "a_pos": A2, "a": 0,
            "a_n": subject.a * 256, "b_pos": B2, "b": 0, "b_n": subject.b * 256, "m": 16, "n": 16,
            "k": 16, "is_bias": 0, "from_table": 0, "init_zero": 1, "kind": 2, "seed": 1}
    return case | changes


def random_mmad(rng, chip):
    constructor = rng.integers(0, 3)
    width = rng.choice([2, 4])
    return plain(chip, HALF if width == 2 else FLOAT) | {
        "m": rng.choice([1, 2, 16, 17, rng.integers(0, 70)]),
        "n": rng.choice([1, 16, rng.integers(0, 70)]), "k": rng.choice([1, 16, rng.integers(0, 70)]),
        "c": 256 * width * rng.integers(0, 5), "a": FRACTAL * rng.integers(0, 5),
        "b": FRACTAL * rng.integers(0, 5), "twice": rng.random() < 0.3, "constructor": constructor,
        "is_bias": rng.random() < 0.3 and constructor != 1,
        "init_zero": rng.random() < 0.6 or constructor == 0, "kind": rng.integers(0, 4),
        "seed": rng.integers(0, 1 << 20)}


def test_fma32_agrees_with_exact_rationals():
    """The oracle's own arithmetic, where rounding once and twice differ too."""
    rng = rng_for("fma32")
    a, b = (finite_halves(seed, 20000).view(np.float16) for seed in (1, 2))
    c = rng.integers(0, 1 << 32, len(a), np.uint32).view(np.float32)
    c[::2] = -(a.astype(np.float64) * b)[::2] * (1 + rng.integers(-3, 4, len(a[::2])) * 2.0 ** -23)
    c[~np.isfinite(c) | (abs(c) > 1e38)] = 1
    got = fma32(a, b, c)
    for x, y, z, result in zip(a[:2500], b, c, got):
        exact = fractions.Fraction(float(x)) * fractions.Fraction(float(y)) + \
            fractions.Fraction(float(z))
        near = [result, np.nextafter(result, np.float32(-np.inf)),
                np.nextafter(result, np.float32(np.inf))]
        far = [abs(fractions.Fraction(float(value)) - exact) for value in near]
        assert far[0] <= min(far)
        if far[0] in far[1:]:
            assert result.view(np.uint32) % 2 == 0


@pytest.mark.parametrize("chip", SEES_L0C)
def test_random(chip):
    check(MMAD, chip, random_cases(MMAD, chip, lambda rng: random_mmad(rng, chip), 400))


@pytest.mark.parametrize("chip", SEES_L0C)
def test_the_documents_example(chip):
    """A 2x5, B 5x3, all other elements 7: they are masked off."""
    a, b = np.full((16, 16), 7, np.float16), np.full((16, 16), 7, np.float16)
    a[:2, :5] = np.arange(1, 11).reshape(2, 5)
    b[:5, :3] = np.arange(15).reshape(5, 3)
    subject = MmadSubject(1, 1, 1)
    image = np.concatenate([IDENTITY, np.zeros(FRACTAL, np.uint8), to_zz(a).view(np.uint8),
                            to_nz(b).view(np.uint8)])
    subject.before = lambda case, chip: image
    case = plain(chip, subject=subject, m=2, n=3, k=5)
    c = verdict(subject, chip, case).outputs[0][0].view(np.float32).reshape(16, 16)
    assert c[:2, :3].tolist() == [[120, 135, 150], [270, 310, 350]]


@pytest.mark.parametrize("chip", SEES_L0C)
def test_what_lies_behind_k_is_ignored(chip):
    """NaN in the elements from k on changes nothing; neither does it for a vector."""
    for m, k in [(16, 5), (16, 17), (33, 31), (1, 5), (1, 250), (1, 257)]:
        subject = MmadSubject(8, 8, 18)
        a = np.full((16 * -(-m // 16), 16 * -(-k // 16)), np.nan, np.float16)
        b = np.full((16 * -(-k // 16), 16), np.nan, np.float16)
        a[:, :k], b[:k] = np.arange(k) % 5, 1 + np.arange(16)
        left = a[0] if m == 1 else to_zz(a)
        parts = [np.zeros(8 * 256, np.float16), np.resize(np.float16(np.nan), 8 * 256),
                 np.resize(np.float16(np.nan), 18 * 256)]
        parts[1][:left.size], parts[2][:b.size] = left, to_nz(b)
        image = np.concatenate([IDENTITY] + [part.view(np.uint8) for part in parts])
        subject.before = lambda case, chip, image=image: image
        check(subject, chip, [plain(chip, subject=subject, m=m, n=16, k=k)])


@pytest.mark.parametrize("chip", SEES_L0C)
@pytest.mark.parametrize("m, n, k", [(128, 128, 128), (240, 66, 120), (1, 256, 128), (1, 100, 280)])
def test_large_integers(chip, m, n, k):
    """Sums of integers below 2^24 are exact in any order."""
    deep = -(-k // 16)
    subject = MmadSubject(-(-m // 16) * -(-n // 16), deep * -(-m // 16), deep * -(-n // 16))
    case = plain(chip, subject=subject, m=m, n=n, k=k, kind=1)
    check(subject, chip, [case, case | {"init_zero": 0, "kind": 1}])
    start, a, b = subject.parts(case, subject.before(case, chip))
    run = verdict(subject, chip, case)
    got = from_zn(run.outputs[0][0].view(np.float32)[:-(-m // 16) * -(-n // 16) * 256], m, n)
    assert (got[:m, :n] == (a[:m].astype(np.int64) @ b[:, :n].astype(np.int64))).all()


@pytest.mark.parametrize("chip", SEES_L0C)
def test_order_of_the_sum(chip):
    """3.6e9, 1, -3.6e9, 1 in ascending k with a rounding each: 1."""
    a = np.zeros((16, 16), np.float16)
    b = np.zeros((16, 16), np.float16)
    a[:, :4], b[:4] = [60000, 1, -60000, 1], np.array([[60000], [1], [60000], [1]])
    subject = MmadSubject(1, 1, 1)
    image = np.concatenate([IDENTITY, np.zeros(FRACTAL, np.uint8), to_zz(a).view(np.uint8),
                            to_nz(b).view(np.uint8)])
    subject.before = lambda case, chip: image
    case = plain(chip, subject=subject)
    check(subject, chip, [case])
    assert (verdict(subject, chip, case).outputs[0][0].view(np.float32) == 1).all()


RULES = [
    ("m 0", {"m": 0}, None), ("n 0", {"n": 0}, None), ("k 0", {"k": 0}, None),
    ("a just enough", {"m": 17, "k": 17, "a_n": 4 * 256}, None),
    ("a one short", {"m": 17, "k": 17, "a_n": 4 * 256 - 1}, "V1001"),
    ("a of a vector just enough", {"m": 1, "k": 256, "a_n": 256}, None),
    ("a of a vector one short", {"m": 1, "k": 256, "a_n": 255}, "V1001"),
    ("b just enough", {"n": 17, "k": 17, "b_n": 4 * 256}, None),
    ("b one short", {"n": 17, "k": 17, "b_n": 4 * 256 - 1}, "V1001"),
    ("c just enough", {"m": 17, "n": 17, "c_n": 4 * 256}, None),
    ("c one short", {"m": 17, "n": 17, "c_n": 4 * 256 - 1}, "V1001"),
    ("a misaligned", {"a": 256}, "V1004"), ("a aligned", {"a": 512}, None),
    ("b misaligned", {"b": 32}, "V1004"), ("b aligned", {"b": 512}, None),
    ("c misaligned", {"c": 512}, "V1004"), ("c aligned", {"c": 1024}, None),
    ("half c misaligned", {"types": HALF, "c": 256}, "V1004"),
    ("half c aligned", {"types": HALF, "c": 512}, None),
    ("a in B2", {"a_pos": B2}, "V1005"), ("a in L1", {"a_pos": A1}, "V1005"),
    ("b in A2", {"b_pos": A2}, "V1005"), ("b in L1", {"b_pos": B1}, "V1005"),
    ("c in UB", {"c_pos": VECIN}, "V1005"), ("c in A2", {"c_pos": A2}, "V1005"),
    ("m 4096", {"m": 4096}, "V2001"), ("n 4096", {"n": 4096}, "V2001"),
    ("k 4096", {"k": 4096}, "V2001"),
    ("bias table", {"from_table": 1}, "V2001"),
]


@pytest.mark.parametrize("name, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, changes, code):
    for chip in SEES_L0C:
        check_rule(MMAD, chip, plain(chip, **changes), code)


@pytest.mark.parametrize("chip", SEES_L0C)
def test_4095_is_legal(chip):
    """The largest m, n and k, with 128 fractals of L0A and L0B and a quarter of L0C."""
    tall = MmadSubject(128, 128, 1)
    check(tall, chip, [plain(chip, subject=tall, m=2048, n=16, k=16, kind=1)])
    for field, other in (("m", "n"), ("n", "m")):
        case = plain(chip, visible=0, a_n=1 << 16, b_n=1 << 16, c_n=1 << 17, k=8)
        case |= {field: 4095, other: 0}
        assert verdict(MMAD, chip, case).codes == []
    deep = plain(chip, subject=MmadSubject(1, 16, 1), visible=0, m=1, n=0, k=4095)
    assert verdict(MmadSubject(1, 16, 1), chip, deep).codes == []


@pytest.mark.parametrize("chip", SEES_L0C)
def test_the_end_of_the_memories(chip):
    case = plain(chip, visible=0, a_n=1 << 16, b_n=1 << 16, c_n=1 << 17)
    for field, end, size in (("a", 65536, 512), ("b", 65536, 512), ("c", 256 << 10, 1024)):
        assert verdict(MMAD, chip, case | {field: end - size}).codes == []
        check_refused(MMAD, chip, case | {field: end}, "V1002")


LATER = {"1001": [("int32", "int8", "int8"), ("int32", "uint8", "int8"), ("uint32", "uint8", "uint8")],
         "2002": [("int32", "int8", "int8"), ("int32", "uint8", "int8"), ("int32", "uint8", "uint8"),
                  ("int32", "int4", "int4")]}
LATER["2201"] = LATER["3002"] = [("int32", "int8", "int8"), ("float", "float", "float"),
                                 ("float", "bfloat16", "bfloat16"), ("int32", "int4", "int4")]
NEVER = {"1001": [("float", "float", "float"), ("half", "int8", "int8"), ("int32", "int4", "int4")],
         "2002": [("float", "bfloat16", "bfloat16"), ("uint32", "uint8", "uint8"),
                  ("float", "half", "int8")],
         "2201": [("half", "half", "half"), ("int32", "uint8", "int8"), ("float", "half", "int8")],
         "3002": [("half", "half", "half"), ("int32", "uint8", "uint8"), ("int32", "half", "half")]}


@pytest.mark.parametrize("chip", LATER)
def test_types(chip):
    for names in LATER[chip]:
        check_refused(MMAD, chip, plain(chip, types_of(*names), visible=0), "V7001")
    for names in NEVER[chip]:
        check_refused(MMAD, chip, plain(chip, types_of(*names), visible=0), "V6002")


@pytest.mark.parametrize("chip", ["2201", "3002"])
def test_chips_where_l0c_cannot_be_seen_yet(chip):
    assert verdict(MMAD, chip, plain(chip)).codes == []
    check_refused(MMAD, chip, plain(chip, from_table=1, init_zero=0), "V7001")
    check_refused(MMAD, chip, plain(chip, m=4096), "V2001")
    check_refused(MMAD, chip, plain(chip, k=17, a_n=511), "V1001")
    check_refused(MMAD, chip, plain(chip, c=128 << 10), "V1002")


@pytest.mark.parametrize("chip", ["1000", "2002v"])
def test_chip_without_mmad(chip):
    check_refused(MMAD, chip, plain(chip, subject=MMAD), "V6001")
