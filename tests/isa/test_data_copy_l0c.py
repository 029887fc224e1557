"""DataCopy from CO1 to CO2: fractal b * (blockLen + srcGap) + f of L0C goes to byte
b * (blockLen * 256 * w + 32 * dstGap) + f * 256 * w of UB, w the destination's width."""

import numpy as np
import pytest

from cases import (SEED, TYPES, WIDTH, Subject, check, check_refused, check_rule, finite_halves,
                   random_bytes, random_cases)
from fractals import NAN32, multiply, to_half, to_nz, to_zz
from harness import CHIPS

A1, A2, CO1, CO2, VECIN, VECOUT, VECCALC = 1, 2, 7, 8, 9, 10, 11
WITH = ("1001", "2002")
PAIRS = [("half", "half"), ("float", "float"), ("half", "float"), ("int32", "int32"),
         ("uint32", "uint32")]
LATER = [("half", "int32"), ("int16", "int32"), ("int8", "int32"), ("uint8", "int32")]
NEVER = [("float", "half"), ("int16", "int16"), ("bfloat16", "bfloat16")]
MATRIX = 1
# Factors of outer products: NaN, infinities, -0, subnormal, ties of half, overflow of half.
SPECIAL = np.array([0, 0x8000, 1, 0x3C00, 0xBC00, 0x3C01, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00,
                    0x1000, 0x1400, 0x9400, 0x0C00, 0x4000, 0x77FF], np.uint16).view(np.float16)


def number_of(dst, src):
    return TYPES.index(dst) * 100 + TYPES.index(src)


def types_of(case):
    return TYPES[case["types"] // 100], TYPES[case["types"] % 100]


class L0CSubject(Subject):
    source = "data_copy_l0c_cases.cpp"
    fields = ("fractals", "ub", "c_is_half", "types", "dst_pos", "dst", "dst_n", "src_pos", "src",
              "src_n", "blocks", "length", "src_gap", "dst_gap", "mode", "dequant", "store", "relu",
              "special", "seed")
    simplest = {"special": 0, "relu": 0, "blocks": 1, "length": 1, "src_gap": 0, "dst_gap": 0,
                "src": 0, "dst": 0, "seed": 0}

    def __init__(self, fractals=16, ub=20480):
        self.fractals, self.ub = fractals, ub

    def factors(self, case):
        rng = np.random.default_rng([SEED, case["seed"]])
        sizes = (self.fractals * 16, 2), (2, 16)
        if case["special"]:
            return [rng.choice(SPECIAL, size) for size in sizes]
        a = finite_halves(case["seed"], sizes[0][0] * 4).view(np.float16).reshape(sizes[0])
        return a, (rng.normal(size=sizes[1]) * 2.0 ** rng.integers(-9, 9, 16)).astype(np.float16)

    def before(self, case, chip):
        a, b = self.factors(case)
        return np.concatenate([to_zz(a).view(np.uint8), to_nz(b).view(np.uint8),
                               random_bytes(case["seed"], self.ub)])

    def result_bytes(self, case, image):
        return self.ub

    def untouched(self, case, chip, before):
        return before[-self.ub:]

    def l0c(self, case, chip):
        """The bytes of L0C; integers are the floats' bits."""
        a, b = self.factors(case)
        c = multiply(a, b, np.zeros((len(a), 16), np.float32))
        return (to_half(c, True) if case["c_is_half"] else c).view(np.uint8).ravel()

    def converted(self, case, fractal):
        """256 elements in the destination's type."""
        dst, src = types_of(case)
        values = fractal.view({"half": np.float16, "float": np.float32, "int32": np.int32,
                               "uint32": np.uint32}[src])
        if case["relu"] and src != "uint32":
            with np.errstate(invalid="ignore"):
                values = np.where((values > 0) | (values != values), values, values.dtype.type(0))
        if (dst, src) == ("half", "float"):
            values = to_half(values, True)
        return values.view(np.uint8)

    def moves(self, case):
        """(source fractal, destination byte) of each fractal."""
        width = WIDTH[types_of(case)[0]]
        return [(b * (case["length"] + case["src_gap"]) + f,
                 b * (case["length"] * 256 * width + case["dst_gap"] * 32) + f * 256 * width)
                for b in range(case["blocks"]) for f in range(case["length"])]

    def expected(self, case, chip, before):
        memory = before[-self.ub:].copy()
        size = 256 * WIDTH[types_of(case)[1]]
        source = self.l0c(case, chip)[case["src"]:]
        for fractal, to in self.moves(case):
            data = self.converted(case, source[fractal * size:(fractal + 1) * size])
            memory[case["dst"] + to:case["dst"] + to + len(data)] = data
        return memory

    def legal(self, case, chip):
        dst, src = types_of(case)
        if chip not in WITH or (dst, src) not in PAIRS or case["mode"] != MATRIX or \
                case["dequant"] or case["store"] or case["fractals"] != self.fractals or \
                case["src_pos"] != CO1 or case["dst_pos"] not in (CO2, VECIN, VECOUT, VECCALC):
            return False
        wide, size = 256 * WIDTH[dst], 256 * WIDTH[src]
        if case["src"] % size or case["dst"] % 32 or not 0 <= case["blocks"] <= 4095:
            return False
        moves = self.moves(case)
        read = max((fractal + 1 for fractal, _ in moves), default=0) * size
        written = max((to + wide for _, to in moves), default=0)
        return read <= min(case["src_n"] * WIDTH[src],
                           self.fractals * (512 if case["c_is_half"] else 1024) - case["src"]) and \
            written <= min(case["dst_n"] * WIDTH[dst], self.ub - case["dst"])


COPY = L0CSubject()


def plain(pair=("half", "float"), **changes):
    """Two bursts of two fractals."""
    dst, src = pair
    case = {"fractals": COPY.fractals, "ub": COPY.ub, "c_is_half": src == "half",
            "types": number_of(*pair), "dst_pos": CO2, "dst": 64, "dst_n": 20000 // WIDTH[dst],
            "src_pos": CO1, "src": 0, "src_n": COPY.fractals * 256, "blocks": 2, "length": 2,
            "src_gap": 1, "dst_gap": 3, "mode": MATRIX, "dequant": 0, "store": 0, "relu": 0,
            "special": 0, "seed": 1}
    return case | changes


def random_copy(rng):
    pair = PAIRS[rng.integers(0, len(PAIRS))]
    src, dst = int(rng.integers(0, 6)), int(rng.integers(0, 60)) * 32
    return plain(pair) | {
        "src": src * 256 * WIDTH[pair[1]], "src_n": (COPY.fractals - src) * 256, "dst": dst,
        "dst_n": (COPY.ub - dst) // WIDTH[pair[0]],
        "dst_pos": rng.choice([CO2, VECIN, VECOUT, VECCALC]), "blocks": rng.choice([0, 1, 2, 3, 5]),
        "length": rng.choice([0, 1, 2, 3, 4]), "src_gap": rng.choice([0, 1, 2]),
        "dst_gap": rng.choice([0, 0, 1, 2, 40]), "relu": rng.random() < 0.4,
        "special": rng.random() < 0.5, "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check(COPY, chip, random_cases(COPY, chip, random_copy, 500))


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("relu", [0, 1])
def test_special_values(chip, relu):
    """Every product of special factors: rounding, saturation, NaN, -0, with and without relu."""
    cases = [plain(pair, special=1, relu=relu, seed=seed, blocks=1, length=8)
             for pair in PAIRS for seed in range(6)]
    check(COPY, chip, cases)


def test_the_special_values_occur():
    """The oracle's L0C holds what test_special_values is about."""
    floats = np.concatenate([COPY.l0c(plain(special=1, seed=seed), "2002").view(np.float32)
                             for seed in range(6)])
    assert np.isinf(floats).any() and (floats.view(np.uint32) == NAN32.view(np.uint32)).any()
    assert (abs(floats) > 65520).any() and ((floats != 0) & (abs(floats) < 2.0 ** -24)).any()
    assert (floats == 1 + 2.0 ** -11).any() or (floats == 1 - 2.0 ** -12).any()


RULES = [
    ("no burst", ("half", "float"), {"blocks": 0}, None),
    ("empty bursts", ("half", "float"), {"length": 0}, None),
    ("4095 bursts", ("half", "float"), {"blocks": 4095, "length": 0}, None),
    ("4096 bursts", ("half", "float"), {"blocks": 4096, "length": 0}, "V2001"),
    ("src just enough", ("half", "float"), {"src_n": 5 * 256}, None),
    ("src one short", ("half", "float"), {"src_n": 5 * 256 - 1}, "V1001"),
    ("half src just enough", ("half", "half"), {"src_n": 5 * 256}, None),
    ("half src one short", ("half", "half"), {"src_n": 5 * 256 - 1}, "V1001"),
    ("dst just enough", ("half", "float"), {"dst_n": 4 * 256 + 48}, None),
    ("dst one short", ("half", "float"), {"dst_n": 4 * 256 + 47}, "V1001"),
    ("wide dst just enough", ("float", "float"), {"dst_n": 4 * 256 + 24}, None),
    ("wide dst one short", ("float", "float"), {"dst_n": 4 * 256 + 23}, "V1001"),
    ("dst misaligned", ("half", "float"), {"dst": 16}, "V1004"),
    ("src misaligned", ("half", "float"), {"src": 512, "src_n": 2000}, "V1004"),
    ("src aligned", ("half", "float"), {"src": 1024, "src_n": 2000}, None),
    ("half src misaligned", ("half", "half"), {"src": 256, "src_n": 2000}, "V1004"),
    ("half src aligned", ("half", "half"), {"src": 512, "src_n": 2000}, None),
    ("src in UB", ("half", "float"), {"src_pos": VECIN}, "V1005"),
    ("src in A2", ("half", "float"), {"src_pos": A2}, "V1005"),
    ("dst in L1", ("half", "float"), {"dst_pos": A1}, "V1005"),
    ("dst in CO1", ("half", "float"), {"dst_pos": CO1}, "V1005"),
    ("mode normal", ("half", "float"), {"mode": 0}, "V2001"),
    ("mode vector", ("half", "float"), {"mode": 2}, "V7001"),
    ("mode small channel", ("half", "float"), {"mode": 3}, "V2001"),
    ("mode depthwise", ("half", "float"), {"mode": 4}, "V2001"),
    ("dequantised", ("half", "half"), {"dequant": 1}, "V7001"),
    ("store mode", ("half", "float"), {"store": 1}, "V7001"),
]


@pytest.mark.parametrize("name, pair, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, pair, changes, code):
    for chip in WITH:
        check_rule(COPY, chip, plain(pair, **changes), code)


@pytest.mark.parametrize("chip", WITH)
def test_types(chip):
    for pair in LATER:
        check_refused(COPY, chip, plain(pair), "V7001")
    for pair in NEVER:
        check_refused(COPY, chip, plain(pair), "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_the_route(chip):
    for pair in PAIRS:
        check_refused(COPY, chip, plain(pair, fractals=0), "V6001")


@pytest.mark.parametrize("chip", WITH)
def test_the_end_of_the_memories(chip):
    """L0C has 256 KB, UB too."""
    case = plain(fractals=0, blocks=1, length=1, src_n=1 << 18, dst_n=1 << 18)
    silent = L0CSubject()
    silent.compared = lambda case, got, want: np.zeros(len(want), bool)
    check_refused(silent, chip, case | {"src": 256 << 10}, "V1002")
    check_refused(silent, chip, case | {"dst": (256 << 10) - 480}, "V1002")
    silent.legal = lambda case, chip: True
    check(silent, chip, [case | {"src": 255 << 10, "dst": (256 << 10) - 512}])


