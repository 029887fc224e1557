"""Mmad: C[m, n] = start + the sum over ascending k of A[m, k] * B[k, n], one fma32 for each k."""

import fractions

import numpy as np
import pytest

from cases import (SATURATES, SEED, TYPES, WIDTH, Subject, check, check_refused, check_rule,
                   finite_halves, random_cases, rng_for, verdict)
from fractals import (FRACTAL, IDENTITY, fma32, from_nz, from_zn, from_zz, multiply, to_half, to_nz,
                      to_zn, to_zz)

A1, A2, B1, B2, C2, CO1, VECIN = 1, 2, 3, 4, 6, 7, 9
SEES_L0C = ("1001", "2002")
FLOAT, HALF = 80404, 40404
SPECIAL = np.array([0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0x7C00,
                    0xFC00, 0x7E00, 0x7C01, 0xFFFF], np.uint16).view(np.float16)


# What each chip multiplies: (C, A, B).
FLOATS = [("half", "half", "half"), ("float", "half", "half")]
TYPES_OF = {
    "1001": FLOATS + [("int32", "int8", "int8"), ("int32", "uint8", "int8"),
                      ("uint32", "uint8", "uint8")],
    "2002": FLOATS + [("int32", "int8", "int8"), ("int32", "uint8", "int8"),
                      ("int32", "uint8", "uint8"), ("int32", "int4", "int4")],
    "2201": [("float", "half", "half"), ("float", "bfloat16", "bfloat16"),
             ("float", "float", "float"), ("int32", "int8", "int8"), ("int32", "int4", "int4")]}
TYPES_OF["3002"] = TYPES_OF["2201"]
NEVER = {"1001": [("float", "float", "float"), ("half", "int8", "int8"), ("int32", "int4", "int4"),
                  ("int32", "uint8", "uint8")],
         "2002": [("float", "bfloat16", "bfloat16"), ("uint32", "uint8", "uint8"),
                  ("float", "half", "int8")],
         "2201": [("half", "half", "half"), ("int32", "uint8", "int8"), ("float", "half", "int8")],
         "3002": [("half", "half", "half"), ("int32", "uint8", "uint8"), ("int32", "half", "half")]}


def types_of(c, a, b):
    return TYPES.index(c) * 10000 + TYPES.index(a) * 100 + TYPES.index(b)


def names_of(case):
    number = case["types"]
    return TYPES[number // 10000], TYPES[number // 100 % 100], TYPES[number % 100]


def contents(kind, seed, dtype, count):
    """`count` bytes. Halves: finite, small integers, of very different sizes, special values."""
    rng = np.random.default_rng([SEED, seed])
    if dtype != "half":
        return rng.integers(0, 256, count, np.uint8)
    count //= 2
    if kind == 0:
        return finite_halves(seed, 2 * count)
    if kind == 1:
        values = rng.integers(-8, 9, count)
    else:
        values = rng.normal(size=count) * (2.0 ** rng.integers(-12, 12, count) if kind == 2 else 1)
    if kind == 3:
        values = np.where(rng.random(count) < 0.05, rng.choice(SPECIAL, count), values)
    return values.astype(np.float16).view(np.uint8)


def decode(part, dtype):
    """Elements of L0A or L0B: halves, or integers as int64."""
    if dtype == "half":
        return part.view(np.float16)
    if dtype == "int4":
        nibbles = np.stack([part & 15, part >> 4], axis=1).ravel().astype(np.int64)
        return (nibbles ^ 8) - 8
    return part.view(dtype).astype(np.int64)


class MmadSubject(Subject):
    source = "mmad_cases.cpp"
    fields = ("visible", "types", "c_fractals", "a_bytes", "b_bytes", "twice", "constructor",
              "c_pos", "c", "c_n", "a_pos", "a", "a_n", "b_pos", "b", "b_n", "m", "n", "k",
              "is_bias", "from_table", "init_zero", "k_align", "has_bias", "bias_is_half",
              "bias_pos", "bias", "bias_n", "kind", "seed")
    simplest = {"kind": 1, "twice": 0, "is_bias": 0, "init_zero": 1, "constructor": 2, "m": 2,
                "n": 1, "k": 1, "a": 0, "b": 0, "c": 0, "seed": 0}

    def __init__(self, c=16, a=16, b=16):
        self.c, self.a, self.b = c, a, b  # fractals

    def before(self, case, chip):
        _, a, b = names_of(case)
        return np.concatenate([IDENTITY, finite_halves(case["seed"] + 2, self.c * FRACTAL),
                               contents(case["kind"], case["seed"], a, self.a * FRACTAL),
                               contents(case["kind"], case["seed"] + 1, b, self.b * FRACTAL)])

    def result_bytes(self, case, image):
        return self.c * 1024

    def blocks(self, case):
        """Fractals along m, n, k; K0."""
        k0 = {2: 16, 1: 32}.get(WIDTH.get(names_of(case)[1]), 64)
        return -(-case["m"] // 16), -(-case["n"] // 16), -(-case["k"] // k0), k0

    def parts(self, case, before):
        """L0C before, A[m, k] and B[k, n] with whole fractals of m and n."""
        c, a, b = np.split(before, np.cumsum([self.c, self.a, self.b])[:3] * FRACTAL + FRACTAL)[:3]
        c, a, b = c[FRACTAL:], decode(a[case["a"]:], names_of(case)[1]), \
            decode(b[case["b"]:], names_of(case)[2])
        high, wide, deep, k0 = self.blocks(case)
        m, n, k = case["m"], case["n"], case["k"]
        left = a[:k].reshape(1, k) if m == 1 else \
            from_zz(a[:high * deep * 16 * k0], m, k, k0)[:, :k]
        return self.shown(case, c), left, from_nz(b[:deep * wide * 16 * k0], k, n, k0)[:k]

    def shown(self, case, halves):
        """L0C filled with these halves, as elements of C."""
        c = names_of(case)[0]
        values = halves.view(np.float16)
        return values if c == "half" else values.astype(np.float32).view(
            {"float": np.float32}.get(c, np.uint32))

    def sum(self, case, chip, start, a, b):
        if a.dtype == np.int64:
            return (start + a @ b).astype(np.uint32)
        total = multiply(a, b, start)
        return to_half(total, chip in SATURATES) if names_of(case)[0] == "half" else total

    def expected(self, case, chip, before):
        if not (case["m"] and case["n"] and case["k"]):
            return self.untouched(case, chip, before)
        c, a, b = self.parts(case, before)
        high, wide, _, _ = self.blocks(case)
        m, n, first = case["m"], case["n"], case["c"] // c.itemsize
        area = slice(first, first + high * wide * 256)
        matrix = from_zn(c[area], m, n).copy()
        start = matrix[:len(a)]
        if case["init_zero"] and not case["is_bias"]:
            start = np.zeros_like(start)
        for _ in range(1 + case["twice"]):
            start = self.sum(case, chip, start, a, b)
        matrix[:len(a)] = start
        c = c.copy()
        c[area] = to_zn(matrix)
        return self.stored(c)

    def untouched(self, case, chip, before):
        return self.stored(self.shown(case, before[FRACTAL:(1 + self.c) * FRACTAL]))

    def stored(self, c):
        return np.concatenate([c.view(np.uint8), np.full(self.c * 1024 - c.nbytes, 0xFF, np.uint8)])

    def compared(self, case, got, want):
        """All; but of a vector's product only the first row of each fractal is determined."""
        care = np.full(len(want), bool(case["visible"]))
        if case["m"] == 1 and case["n"] and case["k"]:
            width = WIDTH[names_of(case)[0]]
            block = care[case["c"]:case["c"] + -(-case["n"] // 16) * 256 * width]
            block.reshape(-1, 256 * width)[:, 16 * width:] = False
        return care

    def legal(self, case, chip):
        names = names_of(case)
        m, n, k = case["m"], case["n"], case["k"]
        if chip not in SEES_L0C or names not in TYPES_OF[chip] or case["k_align"] or \
                min(m, n, k) < 0 or max(m, n, k) > 4095 or \
                case["from_table"] or case["has_bias"] or \
                (names[1] == "int4" and k % 2) or \
                (case["c_pos"], case["a_pos"], case["b_pos"]) != (CO1, A2, B2):
            return False
        width = WIDTH[names[0]]
        if case["c"] % (256 * width) or case["a"] % FRACTAL or case["b"] % FRACTAL:
            return False
        if not m or not n or not k:
            return True
        high, wide, deep, k0 = self.blocks(case)
        a = -(-k // (16 * k0)) if m == 1 else high * deep
        return case["a"] + a * FRACTAL <= self.a * FRACTAL and a * 16 * k0 <= case["a_n"] and \
            case["b"] + wide * deep * FRACTAL <= self.b * FRACTAL and \
            wide * deep * 16 * k0 <= case["b_n"] and high * wide * 256 <= case["c_n"] and \
            case["c"] + high * wide * 256 * width <= self.c * 256 * width


MMAD = MmadSubject()


def plain(chip, types=FLOAT, subject=MMAD, **changes):
    """16x16x16 into the first fractal, changed as said."""
    k0 = {2: 16, 1: 32, 4: 8}.get(WIDTH.get(names_of({"types": types})[1]), 64)
    case = {"visible": chip in SEES_L0C, "types": types, "c_fractals": subject.c,
            "a_bytes": subject.a * FRACTAL, "b_bytes": subject.b * FRACTAL, "twice": 0,
            "constructor": 2, "c_pos": CO1, "c": 0, "c_n": subject.c * 256, "a_pos": A2, "a": 0,
            "a_n": subject.a * 16 * k0, "b_pos": B2, "b": 0, "b_n": subject.b * 16 * k0, "m": 16,
            "n": 16, "k": 16, "is_bias": 0, "from_table": 0, "init_zero": 1, "k_align": 0,
            "has_bias": 0, "bias_is_half": 0, "bias_pos": C2, "bias": 0, "bias_n": 256,
            "kind": 2, "seed": 1}
    return case | changes


def random_mmad(rng, chip):
    constructor = rng.integers(0, 3)
    names = TYPES_OF[chip][rng.integers(0, len(TYPES_OF[chip]))]
    deep = {"half": 70, "int4": 270}.get(names[1], 140)
    return plain(chip, types_of(*names)) | {
        "m": rng.choice([1, 2, 16, 17, rng.integers(0, 70)]),
        "n": rng.choice([1, 16, rng.integers(0, 70)]),
        "k": rng.choice([2, 16, rng.integers(0, deep)]),
        "c": 256 * WIDTH[names[0]] * rng.integers(0, 5), "a": FRACTAL * rng.integers(0, 5),
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


@pytest.mark.parametrize("chip", TYPES_OF)
def test_types(chip):
    for names in TYPES_OF[chip]:
        assert verdict(MMAD, chip, plain(chip, types_of(*names), visible=0)).codes == []
    for names in NEVER[chip]:
        check_refused(MMAD, chip, plain(chip, types_of(*names), visible=0), "V6002")


@pytest.mark.parametrize("chip", SEES_L0C)
def test_integers_wrap(chip):
    """The largest products, -128 * -128 or 255 * 255, added to the bits of a NaN: past 2^31."""
    subject = MmadSubject(1, 16, 16)
    for names in TYPES_OF[chip]:
        if names[1] not in ("int8", "uint8") or names[0] != "int32":
            continue
        parts = [np.full(16 * FRACTAL, 0x80 if dtype == "int8" else 0xFF, np.uint8)
                 for dtype in names[1:]]
        nan = np.full(256, 0x7E00, np.uint16).view(np.uint8)
        image = np.concatenate([IDENTITY, nan, *parts])
        subject.before = lambda case, chip, image=image: image
        case = plain(chip, types_of(*names), subject, k=512, init_zero=0)
        check(subject, chip, [case])
        product = int(decode(parts[0][:1], names[1])[0] * decode(parts[1][:1], names[2])[0])
        assert not -1 << 31 <= 0x7FC00000 + 512 * product < 1 << 31 or product < 0


@pytest.mark.parametrize("chip", ["2002", "2201", "3002"])
def test_int4_needs_an_even_k(chip):
    for k, code in ((2, None), (3, "V2002"), (64, None), (65, "V2002")):
        case = plain(chip, types_of("int32", "int4", "int4"), k=k)
        if code or chip == "2002":
            check_rule(MMAD, chip, case, code)
        else:
            assert verdict(MMAD, chip, case).codes == []


SEEN_BY_CODE_ONLY = [
    ("plain", {}, []), ("m 4096", {"m": 4096}, ["V2001"]),
    ("a one short", {"k": 17, "a_n": 511}, ["V1001"]),
    ("end of L0C", {"c": 127 << 10}, []), ("past L0C", {"c": 128 << 10}, ["V1002"]),
    ("from the bias table", {"from_table": 1, "init_zero": 0}, []),
    ("bias in C2", {"has_bias": 1, "init_zero": 0, "bias_n": 16}, []),
    ("bias one short", {"has_bias": 1, "init_zero": 0, "bias_n": 15}, ["V1001"]),
    ("bias in CO1", {"has_bias": 1, "init_zero": 0, "bias_pos": CO1}, []),
    ("bias in CO1 one short", {"has_bias": 1, "init_zero": 0, "bias_pos": CO1, "bias_n": 255},
     ["V1001"]),
    ("bias in UB", {"has_bias": 1, "init_zero": 0, "bias_pos": VECIN}, ["V1005"]),
    ("bias of another type", {"has_bias": 1, "init_zero": 0, "bias_is_half": 1}, ["V2004"]),
    ("bias at 64", {"has_bias": 1, "init_zero": 0, "bias": 64, "bias_n": 16}, []),
    ("bias at 32", {"has_bias": 1, "init_zero": 0, "bias": 32, "bias_n": 16}, ["V1004"]),
    ("bias past the table", {"has_bias": 1, "init_zero": 0, "bias": 1024, "bias_n": 16}, ["V1002"]),
    ("k aligned, half", {"k_align": 1}, ["V2004"]),
]


@pytest.mark.parametrize("name, changes, codes", SEEN_BY_CODE_ONLY,
                         ids=[rule[0] for rule in SEEN_BY_CODE_ONLY])
def test_chips_where_l0c_cannot_be_seen_yet(name, changes, codes):
    for chip in ("2201", "3002"):
        assert verdict(MMAD, chip, plain(chip, **changes)).codes == codes


@pytest.mark.parametrize("chip", ["2201", "3002"])
def test_rows_of_float_a_with_k_align(chip):
    """k = 20: a row block has three fractals, with kDirectionAlign four."""
    case = plain(chip, types_of("float", "float", "float"), m=32, k=20)
    for align, fractals_of_a in ((0, 6), (1, 7)):
        aligned = case | {"k_align": align, "a_n": 128 * fractals_of_a}
        assert verdict(MMAD, chip, aligned).codes == []
        check_refused(MMAD, chip, aligned | {"a_n": 128 * fractals_of_a - 1}, "V1001")


@pytest.mark.parametrize("chip", SEES_L0C)
def test_chip_without_bias_tensor(chip):
    check_refused(MMAD, chip, plain(chip, visible=0, has_bias=1, init_zero=0), "V6001")


@pytest.mark.parametrize("chip", ["1000", "2002v"])
def test_chip_without_mmad(chip):
    check_refused(MMAD, chip, plain(chip, subject=MMAD), "V6001")
