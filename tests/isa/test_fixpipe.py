"""Fixpipe: hundreds of random calls, and the documents' worked numbers."""

import numpy as np
import pytest

from atomics import ADD, MAX, MIN, TYPES_OF
from cases import check, check_refused, launch, number_of, random_cases, types_of
from fixpipe_oracle import (A1, B1, CO1, DEQF16, F32_BF16, F32_F16, GM, GM_BYTES, L0C_BYTES,
                            L1_BYTES, MODES, NO_QUANT, QF32_B8, REQ8, SCALES_BYTES, VDEQF16, VECTOR,
                            VQF32_B8, VREQ8, WITH, FixpipeSubject, width_of)
from requantize import random_words, scale_word

PIPE = FixpipeSubject()


def plain(to="float", of="float", /, **changes):
    """A matrix of 3 x 16 with room around it."""
    case = {"l0c": L0C_BYTES, "l1": L1_BYTES, "form": 3, "types": number_of(to, of),
            "dst_pos": GM, "dst": 0, "src_pos": CO1, "src": 0, "src_n": L0C_BYTES // 4,
            "scales_pos": A1, "scales": 0, "scales_n": SCALES_BYTES // 8, "row_major": 1, "n": 16,
            "m": 3, "src_stride": 16, "dst_stride": 64, "quant": MODES.get((to, of), [0])[0],
            "word": scale_word(0.5), "matrices": 1, "src_matrix": 0, "dst_matrix": 0, "relu": 0,
            "unit_flag": 0, "split": 0, "atomic": 0, "seed": 1} | changes
    room = GM_BYTES if case["dst_pos"] == GM else L1_BYTES
    defaults = {"vector": int(case["quant"] in VECTOR),
                "dst_n": (room - case["dst"]) // max(width_of(case), 1)}
    return defaults | case


def random_call(rng, dst, src):
    row_major = int(rng.integers(0, 2))
    split = int(not row_major and (dst, src) == ("float", "float") and rng.integers(0, 2))
    to_l1 = not row_major and dst != src and rng.integers(0, 2)
    m = int(rng.integers(0, 40))
    n = int(rng.integers(0, 70)) if row_major else int(rng.integers(0, 6)) * (8 if split else 16)
    case = plain(dst, src, row_major=row_major, split=split, m=m, n=n,
                 seed=rng.integers(0, 1 << 20), quant=int(rng.choice(MODES[dst, src])),
                 relu=rng.integers(0, 2), form=rng.integers(2 if split else 1, 4),
                 word=int(random_words(rng, 1)[0]))
    if case["quant"] == NO_QUANT and not split and rng.integers(0, 4) == 0:
        case["form"] = 0
    block = 1 if row_major else m * (8 if split else 32 if width_of(case) == 1 else 16) * \
        width_of(case) // 32 or 1
    case |= {"src_stride": -(-m // 16) * 16 + 16 * int(rng.integers(0, 2)),
             "dst_stride": (n or 1 if row_major else block) + int(rng.integers(0, 12)),
             "src": 64 * int(rng.integers(0, 20)), "scales": 32 * int(rng.integers(0, 16)),
             "scales_pos": rng.choice([A1, B1])}
    if case["form"] and (not row_major or rng.integers(0, 2)):
        case |= {"matrices": rng.integers(0, 4), "src_matrix": rng.integers(0, 6),
                 "dst_matrix": (case["m"] * case["dst_stride"] + int(rng.integers(0, 20)))}
    if rng.integers(0, 6) == 0:  # rows or blocks on each other
        case["dst_stride"] = rng.integers(1, case["dst_stride"] + 1)
    case["dst"] = int(rng.integers(0, 30)) * (width_of(case) if row_major else 32)
    if to_l1:
        case |= {"dst_pos": rng.choice([A1, B1]), "dst": SCALES_BYTES + case["dst"]}
    case["dst_n"] = ((L1_BYTES if to_l1 else GM_BYTES) - case["dst"]) // width_of(case)
    case["src_n"] = (L0C_BYTES - case["src"]) // 4
    case["scales_n"] = (SCALES_BYTES - case["scales"]) // 8
    return case


def some(chip, dst, src):
    return random_cases(PIPE, chip, lambda rng: random_call(rng, dst, src), 150, dst, src)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", MODES)
def test_random(chip, dst, src):
    check(PIPE, chip, some(chip, dst, src), allowed=("V2009",))


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", MODES)
def test_the_random_cases_reach_everything(chip, dst, src):
    cases = some(chip, dst, src)
    assert {case["quant"] for case in cases} == {*MODES[dst, src]}
    assert {case["row_major"] for case in cases} == {0, 1}


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", MODES)
def test_combined_with_gm(chip, dst, src):
    """SetAtomicAdd, SetAtomicMax, SetAtomicMin; into L1 nothing is combined."""
    ops = [op for op in (ADD, MAX, MIN) if dst in TYPES_OF[op][chip]]
    if not ops:
        check_refused(PIPE, chip, plain(dst, src, atomic=ADD), "V6002")
        return
    cases = random_cases(PIPE, chip, lambda rng: random_call(rng, dst, src) |
                         {"atomic": rng.choice(ops), "dst_pos": GM}, 60, dst, src, "combined")
    check(PIPE, chip, cases, allowed=("V2009",))


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", [pair for pair in MODES if {*MODES[pair]} & {*VECTOR}])
def test_results_over_the_scales(chip, dst, src):
    """All scales are read before anything is written."""
    quant = next(mode for mode in MODES[dst, src] if mode in VECTOR)
    case = plain(dst, src, row_major=0, dst_pos=A1, quant=quant, dst_stride=16)
    check(PIPE, chip, [case | {"n": n, "m": m, "dst": at, "seed": m}
                       for n, m in ((64, 1), (96, 3), (96, 16)) for at in (0, 64, 256)])


class GivenSubject(FixpipeSubject):
    """L0C, the scales and what is in GM are given."""

    def __init__(self, elements, words=(), fill=0):
        self.image = np.full(L0C_BYTES + L1_BYTES + GM_BYTES, fill, np.uint8)
        elements = np.asarray(elements)
        self.image[:elements.nbytes] = elements.view(np.uint8)
        words = np.asarray(words, np.uint64)
        self.image[L0C_BYTES:L0C_BYTES + words.nbytes] = words.view(np.uint8)

    def before(self, case, chip):
        return self.image


def row_of(chip, dst, values, quant, words, relu=0):
    """What the first row of L0C becomes; `words` is one word, or one for each column."""
    dtype = np.float32 if quant in (F32_F16, F32_BF16, QF32_B8, VQF32_B8, NO_QUANT) else np.int32
    subject = GivenSubject(np.array(values, dtype), words if quant in VECTOR else ())
    case = plain(dst, "float" if dtype is np.float32 else "int32", m=1, n=len(values), quant=quant,
                 word=0 if quant in VECTOR else words, relu=relu)
    run = launch(subject, chip, [case])
    assert run.codes == [], run.stderr
    numbers = {"int8": np.int8, "uint8": np.uint8, "half": np.float16, "float": np.float32,
               "bfloat16": np.uint16}[dst]
    out = run.outputs[0][0][L0C_BYTES + L1_BYTES:]
    return out[:len(values) * np.dtype(numbers).itemsize].view(numbers).tolist()


# (destination, mode, word, elements, results, results with ReLU)
NUMBERS = [
    ("int8", REQ8, scale_word(0.1), [37, -25], [4, -2], [4, 0]),
    ("int8", REQ8, scale_word(0.5), [5, 7, 1000, -1000], [2, 4, 127, -128], [2, 4, 127, 0]),
    ("uint8", REQ8, scale_word(1, offset=-100, signed=False), [100, 99, 200, 300], [0, 0, 100, 155],
     [0, 0, 100, 155]),
    ("int8", REQ8, scale_word(1, offset=-128), [0, -5, 255, 256], [-128, -128, 127, 127],
     [-128, -128, 127, 127]),
    # The shift is what the bits say plus one, then 16 bits; without its switch there is none.
    ("int8", REQ8, scale_word(1, shift=1), [5, -5, 64], [2, -3, 32], [2, 0, 32]),
    ("int8", REQ8, scale_word(1, shift=16), [1 << 20, -1, 2**31 - 1], [16, -1, 127], [16, 0, 127]),
    ("int8", REQ8, scale_word(1) | 15 << 32, [5, -5], [5, -5], [5, 0]),
    ("int8", REQ8, scale_word(1 / 1024, shift=1), [1 << 20, -1 << 20], [32, -32], [32, 0]),
    # The 13 low digits of the scale and its unused bits change nothing.
    ("int8", REQ8, scale_word(2) | 0x1FFF | 0x1FFFF << 47, [3, -3], [6, -6], [6, 0]),
    ("half", DEQF16, scale_word(2), [40000, -40000, 3], [65504, -65504, 6], [65504, 0, 6]),
    ("half", DEQF16, scale_word(1, offset=7), [10, -10], [10, -10], [10, 0]),
    ("half", DEQF16, scale_word(1, shift=2), [10, -10, 1 << 30], [2, -3, 32768], [2, 0, 32768]),
    ("int8", QF32_B8, scale_word(0.5), [5, 7, 1000, np.nan], [2, 4, 127, 0], [2, 4, 127, 0]),
    ("int8", QF32_B8, scale_word(1, shift=4), [16.5, -17.5], [16, -18], [16, 0]),
    ("uint8", QF32_B8, scale_word(1, offset=255, signed=False), [-256, -255.5, np.inf, -np.inf],
     [0, 0, 255, 0], [255, 255, 255, 255]),
    ("half", F32_F16, scale_word(3), [1 + 2.0**-11, 1 + 3 * 2.0**-11, -2, 65520, 65519],
     [1, 1 + 2.0**-9, -2, np.inf, 65504], [1, 1 + 2.0**-9, 0, np.inf, 65504]),
    ("bfloat16", F32_BF16, scale_word(3), [1, 1 + 2.0**-8, 1 + 3 * 2.0**-8, -2],
     [0x3F80, 0x3F80, 0x3F82, 0xC000], [0x3F80, 0x3F80, 0x3F82, 0]),
    ("float", NO_QUANT, scale_word(3), [1.5, -2, np.inf, -np.inf], [1.5, -2, np.inf, -np.inf],
     [1.5, 0, np.inf, 0]),
]


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, quant, word, values, wanted, with_relu", NUMBERS)
def test_numbers(chip, dst, quant, word, values, wanted, with_relu):
    assert row_of(chip, dst, values, quant, word) == wanted
    assert row_of(chip, dst, values, quant, word, relu=1) == with_relu


@pytest.mark.parametrize("chip", WITH)
def test_the_effective_scale(chip):
    """0.1 is used without its 13 low digits: 40895 becomes 4088.5 and not 4089.5."""
    short = np.uint32(0x3DCCC000).view(np.float32)
    assert float(short) == pytest.approx(0.0999755859, abs=1e-10)
    assert np.float16(np.float32(40895) * short) == 4088
    assert row_of(chip, "half", [40895], DEQF16, scale_word(0.1)) == [4088]


@pytest.mark.parametrize("chip", WITH)
def test_a_scale_for_each_column(chip):
    words = [scale_word(scale) for scale in (1, 0.5, 2, -1)]
    assert row_of(chip, "int8", [10, 10, 10, 10], VREQ8, words) == [10, 5, 20, -10]
    assert row_of(chip, "half", [10, 10, 10, 10], VDEQF16, words) == [10, 5, 20, -10]
    assert row_of(chip, "int8", [9.5, 9, 9.5, -9.5], VQF32_B8, words, relu=1) == [10, 4, 19, 0]


# What the documents' formulas make of one element: (case, source element, destination element).
PLACES = [
    (plain(m=4, n=22, src_stride=32, dst_stride=40), 565, 141),
    (plain("int8", "int32", row_major=0, n=48, m=16, dst_stride=16), 1 * 16 + 15 + 256, 63),
    (plain("int8", "int32", row_major=0, n=48, m=16, dst_stride=16), 1 * 16 + 512, 528),
    (plain("int8", "int32", row_major=0, n=48, m=16, dst_stride=16), 2 * 16 + 15 + 512, 559),
    (plain(row_major=0, split=1, n=16, m=6, dst_stride=32), 5 * 16 + 13, 301),
    (plain("half", row_major=0, n=32, m=3, dst_stride=5), 256 + 2 * 16 + 1, 5 * 16 + 33),
    (plain(m=2, n=3, matrices=3, src_matrix=2, dst_matrix=100, dst_stride=7), 1024 + 18, 209),
]


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("case, source, target", PLACES)
def test_places(chip, case, source, target):
    """One element is 100, the others 0: where does it go?"""
    dst, src = types_of(case)
    elements = np.zeros(L0C_BYTES // 4, np.float32 if src == "float" else np.int32)
    elements[source] = 100
    case = case | {"word": scale_word(1)}
    run = launch(GivenSubject(elements), chip, [case])
    assert run.codes == [], run.stderr
    numbers = {"int8": np.int8, "half": np.float16, "float": np.float32}[dst]
    out = run.outputs[0][0][L0C_BYTES + L1_BYTES:].view(numbers)
    assert np.flatnonzero(out).tolist() == [target] and out[target] == 100
