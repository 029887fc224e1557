"""DataCopy from CO1 to CO2: random calls in every mode, and numbers worked out by hand."""

import numpy as np
import pytest

from cases import check, launch, random_cases
from l0c_oracle import (DEQ, DEQ16, DEQ8, L0C_BYTES, MATRIX, NONE, NUMBERS, OF_VECTORS, OUTWARDS,
                        SCALES_BYTES, UB_BYTES, VDEQ, VDEQ16, VDEQ8, VECTOR, WITH,
                        GivenOutSubject, OutSubject, plain, random_copy)
from requantize import CORNERS_OF_INT, scale_word
from test_levels import LEVELS

OUT = OutSubject()
KINDS = [(dst, src, mode) for (dst, src), modes in OUTWARDS.items() for mode in modes]
NAN, INF = float("nan"), float("inf")


def random_of(chip, dst, src, mode, count):
    return random_cases(OUT, chip, lambda rng: random_copy(rng, OUT, dst, src, mode), count,
                        dst, src, mode)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src, mode", KINDS)
def test_random(chip, dst, src, mode):
    check(OUT, chip, random_of(chip, dst, src, mode, 200),
          allowed=["V2008"] if (src, mode) == ("half", DEQ) else ())


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src, mode", [kind for kind in KINDS if kind[2] in OF_VECTORS])
def test_results_over_the_scales(chip, dst, src, mode):
    """All scales are read before anything is written."""
    check(OUT, chip, [plain(OUT, dst, src, dequant=mode, mode=shape, blocks=4, length=length,
                            scales=0, dst=at, dst_gap=0, seed=length)
                      for shape in (MATRIX, VECTOR) for length in (1, 2) for at in (0, 32, 64)])


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src, mode", KINDS)
def test_the_random_cases_reach_everything(chip, dst, src, mode):
    cases = random_of(chip, dst, src, mode, 200)
    moving = [case for case in cases if case["blocks"] * case["length"] > 1]
    for field, values in (("mode", {MATRIX, VECTOR}), ("store", {0, 1, 2}), ("relu", {0, 1})):
        assert {case[field] for case in moving} == values


@pytest.mark.levels
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_of_the_host(level, monkeypatch):
    monkeypatch.setenv("GLIBC_TUNABLES", f"glibc.cpu.hwcaps={LEVELS[level]}")
    cases = [case for kind in KINDS for case in random_of("2002", *kind, 12)]
    check(OUT, "2002", cases, allowed=["V2008"])


def given(elements, scales=()):
    """L0C starts with the elements, UB with the scales; the rest is 0xAA."""
    l0c, ub = np.full(L0C_BYTES, 0xAA, np.uint8), np.full(UB_BYTES, 0xAA, np.uint8)
    l0c[:elements.nbytes] = elements.view(np.uint8).ravel()
    scales = np.asarray(scales)
    ub[:scales.nbytes] = scales.view(np.uint8).ravel()
    return GivenOutSubject(l0c, ub)


def moved(chip, dst, values, scales=(), allowed=(), **changes):
    """UB from SCALES_BYTES on; `values` are L0C from its start on."""
    src = {np.float16: "half", np.float32: "float", np.int32: "int32"}[values.dtype.type]
    subject = given(values, scales)
    run = launch(subject, chip, [plain(subject, dst, src, blocks=1, length=1) | changes])
    assert [code for code in run.codes if code not in allowed] == [], run.stderr
    return run.outputs[0][0][L0C_BYTES + SCALES_BYTES:]


def row_of(chip, dst, values, mode, words, **changes):
    """What the first row of L0C becomes; `words` is one, or with the vector modes one a column."""
    row = np.zeros(16, {"half": np.float16, "float": np.float32}.get(changes.pop("src", ""),
                                                                      np.int32))
    row[:len(values)] = values
    scales = ()
    if mode in OF_VECTORS:
        scales, words = np.array(words, np.float16 if mode == VDEQ else np.uint64), 0
    out = moved(chip, dst, row, scales, **{"mode": VECTOR, "dequant": mode, "word": words} |
                changes)
    dtype = np.dtype({"int8": np.int8}.get(dst, NUMBERS[dst]))
    return out[:len(values) * dtype.itemsize].view(dtype).tolist()


def half_bits(scale):
    return int(np.float16(scale).view(np.uint16))


MOST, LEAST = 2**31 - 1, -2**31
RELU = 1 << 47
# (destination, mode, word, elements, results, results with ReLU)
WORKED = [
    # Ties go to even; then the limits of 8 bits.
    ("int8", DEQ8, scale_word(0.5), [1, 3, 5, -1, -3, -5], [0, 2, 2, 0, -2, -2],
     [0, 2, 2, 0, 0, 0]),
    ("int8", DEQ8, scale_word(1), [127, 128, -128, -129, MOST, LEAST],
     [127, 127, -128, -128, 127, -128], [127, 127, 0, 0, 127, 0]),
    ("uint8", DEQ8, scale_word(1, signed=False), [255, 256, 0, -1, MOST, LEAST],
     [255, 255, 0, 0, 255, 0], [255, 255, 0, 0, 255, 0]),
    # int8 is signed whatever bit 46 says; uint8 is what it says.
    ("int8", DEQ8, scale_word(1, signed=False), [200, -5], [127, -5], [127, 0]),
    ("uint8", DEQ8, scale_word(1, signed=True), [200, -5], [127, 251], [127, 0]),
    # The product is limited to 9 bits before the offset, and ReLU comes before it too.
    ("int8", DEQ8, scale_word(1, offset=-128), [0, -5, 255, 300, -300],
     [-128, -128, 127, 127, -128], [-128, -128, 127, 127, -128]),
    ("int8", DEQ8, scale_word(1, offset=-256), [300, 383, 0], [-1, -1, -128], [-1, -1, -128]),
    ("uint8", DEQ8, scale_word(1, offset=255, signed=False), [-256, -300, -255, -100, 1],
     [0, 0, 0, 155, 255], [255, 255, 255, 255, 255]),
    ("uint8", DEQ8, scale_word(1, offset=-100, signed=False), [100, 99, 200, 300],
     [0, 0, 100, 155], [0, 0, 100, 155]),
    # The shift, on and off; after it 16 bits.
    ("int8", DEQ8, scale_word(1, shift=1), [5, -5, 64], [2, -3, 32], [2, 0, 32]),
    ("int8", DEQ8, scale_word(1) | 15 << 32, [5, -5], [5, -5], [5, 0]),
    ("int8", DEQ8, scale_word(1, shift=16), [1 << 20, -1, MOST, LEAST], [16, -1, 127, -128],
     [16, 0, 127, 0]),
    ("int8", DEQ8, scale_word(1 / 1024, shift=1), [1 << 20, -1 << 20], [32, -32], [32, 0]),
    # Scales: negative, NaN, infinite, 0; with NaN the result is the offset.
    ("int8", DEQ8, scale_word(-1), [5, -5], [-5, 5], [0, 5]),
    ("int8", DEQ8, scale_word(NAN, offset=7), [5, -5, 0], [7, 7, 7], [7, 7, 7]),
    ("int8", DEQ8, scale_word(INF), [5, -5, 0], [127, -128, 0], [127, 0, 0]),
    # The whole float counts, also its 13 low digits: 1 + 2**-23 lifts 2.5.
    ("int8", DEQ8, scale_word(0.5) | 1, [5, -5], [3, -3], [3, 0]),
    # The integer is made a float before the product: exact products are below 17.5 and 66.5.
    ("int8", DEQ8, scale_word(1e-6), [17499999, 66500003, -17499999], [18, 67, -18], [18, 67, 0]),
    # The product is rounded to float before it is rounded again: exact ones are above the ties.
    ("int8", DEQ8, scale_word(0.1), [5, 25, -5], [0, 2, 0], [0, 2, 0]),
    ("half", DEQ16, scale_word(0.1), [20490, -20490], [2048, -2048], [2048, 0]),
    ("half", DEQ16, scale_word(2), [40000, -40000, 3, MOST, LEAST],
     [65504, -65504, 6, 65504, -65504], [65504, 0, 6, 65504, 0]),
    ("half", DEQ16, scale_word(1, offset=7), [10, -10], [10, -10], [10, 0]),
    ("half", DEQ16, scale_word(1, shift=2), [10, -10, 1 << 30], [2, -3, 32768], [2, 0, 32768]),
    ("half", DEQ16, scale_word(1), [2049, 2051, 65519, 65520], [2048, 2052, 65504, 65504],
     [2048, 2052, 65504, 65504]),
    ("half", DEQ16, scale_word(NAN), [1, -1, 0], [0, 0, 0], [0, 0, 0]),
    ("half", DEQ16, scale_word(INF), [1, -1, 0], [65504, -65504, 0], [65504, 0, 0]),
    ("half", DEQ, half_bits(0.5) | 0xFFFFFFFFFFFF0000, [3, -3, 200000], [1.5, -1.5, 65504],
     [1.5, 0, 65504]),
    ("half", DEQ, half_bits(NAN), [1, 0], [0, 0], [0, 0]),
    ("half", DEQ, half_bits(-INF), [1, -1], [-65504, 65504], [0, 65504]),
    # int16: shifted always, whether or not the shift is enabled, and never scaled.
    ("int16", DEQ16, scale_word(NAN, offset=9, signed=False), [5, -5, 70000, MOST, LEAST],
     [2, -3, 32767, 32767, -32768], [2, 0, 32767, 32767, 0]),
    ("int16", DEQ16, 15 << 32, [MOST, LEAST, 65536, -1], [32767, -32768, 1, -1], [32767, 0, 1, 0]),
    ("int16", DEQ16, 31 << 32, [MOST, LEAST, 65535, 65536], [32767, -32768, 0, 1],
     [32767, 0, 0, 1]),
]


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, mode, word, values, wanted, with_relu", WORKED)
def test_worked(chip, dst, mode, word, values, wanted, with_relu):
    assert row_of(chip, dst, values, mode, word) == wanted
    assert row_of(chip, dst, values, mode, word, relu=1) == with_relu
    if mode != DEQ:
        assert row_of(chip, dst, values, mode, word | RELU) == with_relu
        vector = {DEQ8: VDEQ8, DEQ16: VDEQ16}[mode]
        if dst == "int8":
            word |= 1 << 46  # VDEQ8 leaves it to the word
        assert row_of(chip, dst, values, vector, [word] * 16) == wanted
        assert row_of(chip, dst, values, vector, [word] * 16, relu=1) == with_relu


@pytest.mark.parametrize("chip", WITH)
def test_bit_47_is_no_relu_with_deq(chip):
    assert row_of(chip, "half", [4, -4], DEQ, half_bits(1) | RELU) == [4, -4]


@pytest.mark.parametrize("chip", WITH)
def test_bit_46_decides_in_a_vector(chip):
    """VDEQ8 does not set it for int8, as DEQ8 does."""
    words = [scale_word(1), scale_word(1, signed=False)] * 8
    assert row_of(chip, "int8", [200, 200, -5, -5], VDEQ8, words) == [127, -56, -5, 0]
    assert row_of(chip, "uint8", [200, 200, -5, -5], VDEQ8, words) == [127, 200, 251, 0]


@pytest.mark.parametrize("chip", WITH)
def test_halves_times_a_half(chip):
    """Rounded once, to half; overflow saturates, NaN becomes 0."""
    values = [1, 3, -5, 60000, -60000, 2.0**-24, INF, -INF, NAN, 1 + 2.0**-10]
    assert row_of(chip, "half", values, DEQ, half_bits(1.5), src="half") == \
        [1.5, 4.5, -7.5, 65504, -65504, 2.0**-23, 65504, -65504, 0, 1.5 + 2.0**-9]
    assert row_of(chip, "half", [0, 2, INF], DEQ, half_bits(INF), src="half") == [0, 65504, 65504]
    assert row_of(chip, "half", [1, INF], DEQ, half_bits(NAN), src="half") == [0, 0]


@pytest.mark.parametrize("chip", WITH)
def test_relu_of_scaled_halves_is_told_and_left_out(chip):
    case = plain(OUT, "half", "half", dequant=DEQ, word=half_bits(2), relu=1)
    run = launch(OUT, chip, [case])
    assert run.codes == ["V2008"] and run.code == 0
    check(OUT, chip, [case], allowed=["V2008"])
    values = np.array([[1, -1] * 8], np.float16)
    out = moved(chip, "half", values, allowed=["V2008"], mode=VECTOR, dequant=DEQ,
                word=half_bits(2), relu=1)
    assert out[:32].view(np.float16).tolist() == [2, -2] * 8
    for pair, mode in ((("half", "int32"), DEQ), (("half", "half"), NONE)):
        check(OUT, chip, [plain(OUT, *pair, dequant=mode, word=half_bits(2), relu=1)])


@pytest.mark.parametrize("chip", WITH)
def test_plain_copies(chip):
    bits = np.array([0x7FC00001, 0xFFC00000, 0x7F800000, 0xFF800000, 0x80000000, 1, 0x80000001,
                     0x3F800000] * 2, np.uint32)
    out = moved(chip, "float", bits.view(np.float32), mode=VECTOR)
    assert (out[:64].view(np.uint32) == bits).all()  # bits, NaN's too
    out = moved(chip, "float", bits.view(np.float32), mode=VECTOR, relu=1)[:32]
    assert out.view(np.uint32).tolist() == [0x7FC00000, 0x7FC00000, 0x7F800000, 0, 0, 1, 0,
                                            0x3F800000]
    bits = np.array([0x7E01, 0xFE00, 0x7C00, 0xFC00, 0x8000, 1, 0x8001, 0x3C00] * 2, np.uint16)
    out = moved(chip, "half", bits.view(np.float16), mode=VECTOR)
    assert (out[:32].view(np.uint16) == bits).all()
    out = moved(chip, "half", bits.view(np.float16), mode=VECTOR, relu=1)[:16]
    assert out.view(np.uint16).tolist() == [0x7E00, 0x7E00, 0x7C00, 0, 0, 1, 0, 0x3C00]
    values = [1 + 2.0**-11, 1 + 3 * 2.0**-11, 65519, 65520, -INF, NAN, -0.0, 2.0**-25]
    wanted = [1, 1 + 2.0**-9, 65504, 65504, -65504, 0, -0.0, 0]
    assert row_of(chip, "half", values, NONE, 0, src="float") == wanted
    assert row_of(chip, "half", values, NONE, 0, src="float", relu=1) == \
        [0 if value < 0 else value for value in wanted]


def corners(seed):
    """The corners of int32 over a fractal, in an order of their own."""
    rng = np.random.default_rng(seed)
    return rng.permutation(np.resize(CORNERS_OF_INT, 256)).view(np.int32)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, mode", [("int8", DEQ8), ("uint8", DEQ8), ("half", DEQ16),
                                       ("int16", DEQ16)])
def test_every_shift_on_and_off(chip, dst, mode):
    subject = given(corners(1))
    check(subject, chip, [plain(subject, dst, "int32", dequant=mode, blocks=1, length=1,
                                word=scale_word(0.75) | (shift - 1) << 32 | on << 36)
                          for shift in range(1, 17) for on in (0, 1)])


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst", ["int8", "uint8"])
def test_every_offset(chip, dst):
    subject = given(corners(2))
    check(subject, chip, [plain(subject, dst, "int32", dequant=DEQ8, blocks=1, length=1,
                                word=scale_word(1, offset=offset, signed=signed))
                          for offset in range(-256, 256) for signed in (False, True)])


@pytest.mark.parametrize("chip", WITH)
def test_a_vector_for_each_burst(chip):
    """Burst b reads 16 scales at deqTensorAddr + b * 128, and all its units use them."""
    values = np.full(2 * 2 * 256, 10, np.int32)
    words = np.array([scale_word(i - 8) for i in range(32)], np.uint64)
    for unit, rows in ((MATRIX, 16), (VECTOR, 1)):
        out = moved(chip, "half", values, words, blocks=2, length=2, src_gap=0, dst_gap=0,
                    dequant=VDEQ16, mode=unit)[:4 * rows * 32].view(np.float16)
        wanted = (np.arange(32) - 8).reshape(2, 1, 16) * 10
        assert (out.reshape(2, 2 * rows, 16) == wanted).all()
    halves = (np.arange(32) / 4).astype(np.float16)  # at deqTensorAddr + b * 32
    out = moved(chip, "half", values, halves, blocks=2, length=2, src_gap=0, dst_gap=0,
                dequant=VDEQ)[:4 * 512].view(np.float16)
    assert (out.reshape(2, 32, 16) == 10 * halves.reshape(2, 1, 16)).all()


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("store", [0, 1, 2])
def test_halves_of_datablocks(chip, store):
    """8-bit rows in the first half, in the second, or packed; the rest stays as it was."""
    values = np.arange(256, dtype=np.int32) % 100
    out = moved(chip, "int8", values, dequant=DEQ8, word=scale_word(1), store=store)
    if store == 2:
        assert (out[:256] == values).all() and (out[256:] == 0xAA).all()
        return
    blocks = out.reshape(-1, 2, 16)
    assert (blocks[:16, store].ravel() == values).all()
    assert (blocks[:16, 1 - store] == 0xAA).all() and (blocks[16:] == 0xAA).all()


@pytest.mark.parametrize("chip", WITH)
def test_the_whole_memories(chip):
    """256 fractals, all of L0C, to 128 KB of UB behind the scales, and packed bytes."""
    large = OutSubject(256 << 10, 256 << 10)
    check(large, chip, [
        plain(large, "half", "float", blocks=1, length=256, dst=128 << 10),
        plain(large, "uint8", "int32", dequant=VDEQ8, store=2, blocks=256, length=1, src_gap=0,
              dst_gap=4, dst=(256 << 10) - 256 * (256 + 128) + 128)])
