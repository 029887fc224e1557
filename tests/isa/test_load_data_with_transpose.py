"""LoadDataWithTranspose: square startIndex + i * srcStride, transposed, into its F fractals.

A square of S x S elements is F fractals of 16 x C0: one above the other for 4, 8 and 16 bits, side
by side for 32. Destination fractal j of square i starts at 512 * (i * (dstGap + 1) + j *
(dstFracGap + 1)).
"""

import itertools

import numpy as np
import pytest

from batches import check_rules, check_told
from cases import (TYPES, WIDTH, Subject, check, check_random, check_refused, launch,
                   random_bytes, verdict)
from fractals import FRACTAL, packed, unpacked
from harness import CHIPS

GM, A1, A2, B1, B2, CO1, VECIN = 0, 1, 2, 3, 4, 7, 9
WITH = ("2201", "3002")
SUPPORTED = ["int4", "uint8", "int8", "uint16", "int16", "half", "bfloat16", "uint32", "int32",
             "float"]
FRACTALS = {4: 4, 8: 2, 16: 1, 32: 2}
SIDE = {4: 64, 8: 32, 16: 16, 32: 16}


def bits_of(case):
    name = TYPES[case["type"]]
    return 4 if name == "int4" else 8 * WIDTH[name]


def square_of(flat, bits):
    """The square that F fractals in a row hold."""
    if bits == 32:
        return np.concatenate(flat.reshape(2, 16, 8), axis=1)
    return flat.reshape(SIDE[bits], SIDE[bits])


def fractals_of(square, bits):
    """[F, elements of a fractal]"""
    parts = np.split(square, 2, axis=1) if bits == 32 else np.split(square, FRACTALS[bits])
    return np.stack([part.ravel() for part in parts])


class TransposeSubject(Subject):
    source = "load_data_with_transpose_cases.cpp"
    fields = ("visible", "form", "type", "twice", "dst_pos", "dst", "dst_n", "src_pos", "src",
              "src_n", "start", "repeats", "src_stride", "dst_gap", "frac_gap", "addr_mode", "seed")
    simplest = {"repeats": 1, "start": 0, "src_stride": 0, "dst_gap": 0, "frac_gap": 0, "form": 2,
                "addr_mode": 0, "dst": 0, "src": 0, "seed": 0}

    def __init__(self, dst_fractals=24, src_fractals=32):
        self.dst_bytes, self.src_bytes = dst_fractals * FRACTAL, src_fractals * FRACTAL

    def before(self, case, chip):
        return random_bytes(case["seed"], self.dst_bytes + self.src_bytes)

    def result_bytes(self, case, image):
        return self.dst_bytes

    def untouched(self, case, chip, before):
        return before[:self.dst_bytes]

    def compared(self, case, got, want):
        return np.full(len(want), bool(case["visible"]))

    def targets(self, case):
        """For each square its fractals' first bytes, from the start of dst."""
        i, j = np.arange(case["repeats"]), np.arange(FRACTALS[bits_of(case)])
        return FRACTAL * (i[:, None] * (case["dst_gap"] + 1) + j * (case["frac_gap"] + 1))

    def expected(self, case, chip, before):
        bits = bits_of(case)
        size = FRACTAL * 8 // bits
        memory = unpacked(before[:self.dst_bytes], bits)
        source = unpacked(before[self.dst_bytes + case["src"]:], bits)
        for i, starts in enumerate(self.targets(case)):
            first = (case["start"] + i * case["src_stride"]) * SIDE[bits] ** 2
            square = square_of(source[first:first + SIDE[bits] ** 2], bits)
            for start, fractal in zip(starts, fractals_of(square.T, bits)):
                at = (case["dst"] + int(start)) * 8 // bits
                memory[at:at + size] = fractal
        return packed(memory, bits)

    def legal(self, case, chip):
        if chip not in WITH or TYPES[case["type"]] not in SUPPORTED or case["dst"] % FRACTAL or \
                case["src"] % 32 or case["src_pos"] not in (A1, B1) or \
                case["dst_pos"] not in ((B2,) if bits_of(case) == 4 else (A2, B2)) or case["twice"]:
            return False
        if case["form"] in (0, 3) and case["addr_mode"]:
            return False
        if case["repeats"] == 0:
            return True
        last = (case["start"] + (case["repeats"] - 1) * case["src_stride"] + 1) * \
            FRACTALS[bits_of(case)] * FRACTAL
        written = int(self.targets(case).max()) + FRACTAL
        return last <= min(case["src_n"] * bits_of(case) // 8, self.src_bytes - case["src"]) and \
            written <= min(case["dst_n"] * bits_of(case) // 8, self.dst_bytes - case["dst"])


LOAD = TransposeSubject()


def plain(dtype="half", subject=LOAD, **changes):
    """Two squares, the second behind the first."""
    case = {"visible": 1, "form": 2, "type": TYPES.index(dtype), "twice": 0, "dst_pos": B2,
            "dst": 0, "src_pos": B1, "src": 0, "start": 0, "repeats": 2, "src_stride": 1,
            "dst_gap": 0,
            "frac_gap": 0, "addr_mode": 0, "seed": 1}
    bits = bits_of(case)
    case |= {"dst_gap": FRACTALS[bits] - 1, "dst_n": subject.dst_bytes * 8 // bits,
             "src_n": subject.src_bytes * 8 // bits}
    return case | changes


def random_load(rng, dtype):
    src, form = 32 * int(rng.integers(0, 20)), rng.integers(0, 4)
    case = plain(dtype)
    return case | {"form": form, "addr_mode": rng.integers(0, 2) if form in (1, 2) else 0,
                   "src": src,
                   "src_n": (LOAD.src_bytes - src) * 8 // bits_of(case),
                   "dst_pos": rng.choice([A2, B2]), "src_pos": rng.choice([A1, B1]),
                   "dst": FRACTAL * rng.integers(0, 4), "start": rng.integers(0, 8),
                   "repeats": rng.integers(0, 8), "src_stride": rng.integers(0, 6),
                   "dst_gap": rng.integers(0, 7), "frac_gap": rng.integers(0, 7),
                   "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dtype", SUPPORTED)
def test_random(chip, dtype):
    check_random(LOAD, chip, lambda rng: random_load(rng, dtype), 2000, dtype,
                 allowed=("V2008", "V2009"))


@pytest.mark.parametrize("chip", WITH)
def test_the_structure_takes_as_many_fields_as_are_given(chip):
    """As the documents print it: {0, 4, 1}, and every other number of them."""
    check(LOAD, chip, [plain(form=3, repeats=repeats, src_stride=stride, dst_gap=gap,
                             frac_gap=frac_gap)
                       for repeats, stride, gap, frac_gap in
                       ((1, 0, 0, 0), (4, 1, 0, 0), (4, 1, 2, 0), (4, 1, 2, 5))])


@pytest.mark.parametrize("chip", WITH)
def test_no_repeats_are_told(chip):
    told = [plain(dtype, repeats=0, form=form) for dtype in SUPPORTED for form in range(4)]
    check_told(LOAD, chip, told + [plain(repeats=0, dst_n=0, src_n=0)], "V2008")


@pytest.mark.parametrize("chip", WITH)
def test_extent_faults_name_the_parameters(chip):
    """A fractal's gap has a say where a square has several."""
    for dtype, reach in (("half", "repeatTimes 2, dstGap 3"),
                         ("int8", "repeatTimes 2, dstGap 3, dstFracGap 1")):
        run = verdict(LOAD, chip, plain(dtype, dst_gap=3, frac_gap=1, dst_n=256))
        assert run.codes == ["V1001"] and run.faults[0]["message"].endswith(f" ({reach})")
    run = verdict(LOAD, chip, plain(start=3, src_n=256))
    assert run.faults[0]["message"].endswith(" (startIndex 3, repeatTimes 2, srcStride 1)")


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dtype", SUPPORTED)
def test_squares_on_each_other_are_a_warning(chip, dtype):
    """V2009 if two of the destination fractals are the same one, and only then."""
    subject = TransposeSubject(48, 24)
    cases = {True: [], False: []}
    for dst_gap, frac_gap, repeats in itertools.product(range(5), range(5), (1, 2, 3, 6)):
        case = plain(dtype, subject, dst_gap=dst_gap, frac_gap=frac_gap, repeats=repeats,
                     src_stride=0)
        targets = subject.targets(case).ravel().tolist()
        cases[len({*targets}) < len(targets)].append(case)
    check(subject, chip, cases[False])
    if FRACTALS[bits_of(cases[False][0])] > 1:
        check(subject, chip, cases[True], allowed=("V2009",))
        run = launch(subject, chip, cases[True])
        assert [(fault["code"], fault["count"]) for fault in run.faults] == \
            [("V2009", len(cases[True]))]


def counted(chip, dtype, case_changes, subject):
    """What comes out of elements 0, 1, 2, ... in L1; -1 where nothing was written."""
    case = plain(dtype, subject=subject, **case_changes)
    bits = bits_of(case)
    source = np.arange(subject.src_bytes * 8 // bits).astype(f"u{max(bits // 8, 1)}")
    written = []
    for fill in (0, 255):
        image = np.concatenate([np.full(subject.dst_bytes, fill, np.uint8),
                                packed(source & 15 if bits == 4 else source, bits)])
        subject.before = lambda case, chip, image=image: image
        written.append(unpacked(verdict(subject, chip, case).outputs[0][0], bits).astype(np.int64))
    return np.where(written[0] == written[1], written[0], -1)


@pytest.mark.parametrize("chip", WITH)
def test_the_documents_examples(chip):
    """One square of bytes with a gap; two squares of 32 bits; one of 4 bits."""
    got = counted(chip, "uint8", {"repeats": 1, "frac_gap": 1}, TransposeSubject(4, 2))
    assert got[:4].tolist() == [0, 32, 64, 96] and got[32:36].tolist() == [1, 33, 65, 97]
    assert (got[512:1024] == -1).all() and got[1024:1028].tolist() == [16, 48, 80, 112]
    got = counted(chip, "float", {"dst_gap": 2}, TransposeSubject(6, 4)).reshape(6, 16, 8)
    assert (got[[2, 5]] == -1).all() and got[[0, 1, 3, 4], 0, 0].tolist() == [0, 64, 256, 320]
    for fractal, row, first in ((0, 0, 0), (0, 8, 128), (1, 0, 64), (1, 8, 192)):
        assert got[fractal, row].tolist() == list(range(first, first + 64, 8))
    high = np.arange(64)[:, None] + np.zeros(64, int)  # the row of the 64x64 square
    subject = TransposeSubject(4, 4)
    rows = []
    for part in (high & 15, high >> 4):
        image = np.concatenate([np.zeros(subject.dst_bytes, np.uint8),
                                packed(part.ravel().astype(np.uint8), 4)])
        subject.before = lambda case, chip, image=image: image
        case = plain("int4", subject=subject, repeats=1)
        rows.append(unpacked(verdict(subject, chip, case).outputs[0][0], 4).astype(int))
    assert (rows[0] + 16 * rows[1] == np.tile(np.arange(64), 64)).all()


class TwiceSubject(TransposeSubject):
    """The result goes back to L1 and through the same call."""

    def expected(self, case, chip, before):
        return before[self.dst_bytes:]

    def legal(self, case, chip):
        return super().legal(case | {"twice": 0}, chip)


@pytest.mark.parametrize("chip", WITH)
def test_twice_is_the_identity(chip):
    """Whole memories, where the destination's gaps leave no fractal out."""
    subject = TwiceSubject(16, 16)
    cases = [plain(dtype, subject=subject, twice=1, repeats=16 // FRACTALS[bits_of(plain(dtype))],
                   dst_pos=place, seed=seed)
             for dtype in SUPPORTED for place in (A2, B2) for seed in range(3)
             if dtype != "int4" or place == B2]
    check(subject, chip, cases)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dtype", SUPPORTED)
def test_transposed_matrices_are_operands(chip, dtype):
    """K x N in L1 as zN becomes nZ; one call for each block of rows."""
    bits = bits_of(plain(dtype))
    side, count = SIDE[bits], FRACTALS[bits]
    subject = TransposeSubject(4 * count, 4 * count)
    # Two blocks of rows by two of columns: square (k1, n1) is number n1 * 2 + k1 in L1.
    for k1 in (0, 1):
        case = plain(dtype, subject=subject, start=k1, src_stride=2, dst_gap=count - 1, frac_gap=0)
        image = subject.before(case, chip)
        squares = unpacked(image[subject.dst_bytes:], bits).reshape(4, -1)
        got = unpacked(verdict(subject, chip, case).outputs[0][0], bits)[:2 * side * side]
        want = [fractals_of(square_of(squares[n1 * 2 + k1], bits).T, bits).ravel() for n1 in (0, 1)]
        assert (got == np.concatenate(want)).all()


RULES = [
    ("int8", {"repeats": 1}, None),
    ("int8", {"src_n": 4 * 512}, None), ("int8", {"src_n": 4 * 512 - 1}, "V1001"),
    ("int8", {"start": 3, "src_n": 10 * 512}, None),
    ("int8", {"start": 3, "src_n": 10 * 512 - 1}, "V1001"),
    ("int8", {"src_stride": 5, "src_n": 12 * 512 - 1}, "V1001"),
    ("int8", {"dst_n": 4 * 512}, None), ("int8", {"dst_n": 4 * 512 - 1}, "V1001"),
    ("int8", {"frac_gap": 4, "dst_n": 8 * 512}, None),
    ("int8", {"frac_gap": 4, "dst_n": 8 * 512 - 1}, "V1001"),
    ("int8", {"dst_gap": 4, "dst_n": 7 * 512}, None),
    ("int8", {"dst_gap": 4, "dst_n": 7 * 512 - 1}, "V1001"),
    ("half", {"frac_gap": 65535, "dst_n": 512}, None), ("half", {"dst_n": 511}, "V1001"),
    ("float", {"dst_n": 512}, None), ("float", {"dst_n": 511}, "V1001"),
    ("float", {"src_n": 512}, None), ("float", {"src_n": 511}, "V1001"),
    ("int4", {"dst_n": 8 * 1024}, None), ("int4", {"dst_n": 8 * 1024 - 2}, "V1001"),
    ("int4", {"src_n": 8 * 1024}, None), ("int4", {"src_n": 8 * 1024 - 2}, "V1001"),
    ("half", {"start": 65535, "src_stride": 0, "visible": 0}, "V1001"),
    ("half", {"src_stride": 65535}, "V1001"), ("half", {"dst_gap": 65535}, "V1001"),
    ("float", {"frac_gap": 65535}, "V1001"), ("half", {"src_stride": 65535, "repeats": 1}, None),
    ("half", {"dst_gap": 65535, "repeats": 1}, None),
    ("half", {"dst": 256, "dst_n": 2048}, "V1004"), ("half", {"dst": 512, "dst_n": 2048}, None),
    ("half", {"src": 16, "src_n": 2048}, "V1004"), ("half", {"src": 32, "src_n": 2048}, None),
    ("half", {"dst": 32, "repeats": 0}, "V1004"),
    ("half", {"src_pos": A1, "dst_pos": A2}, None), ("half", {"src_pos": B1, "dst_pos": A2}, None),
    ("half", {"src_pos": VECIN}, "V1005"), ("half", {"src_pos": GM}, "V1005"),
    ("half", {"src_pos": B2}, "V1005"), ("half", {"dst_pos": VECIN, "visible": 0}, "V1005"),
    ("half", {"dst_pos": B1, "visible": 0}, "V1005"),
    ("half", {"dst_pos": CO1, "visible": 0}, "V1005"),
    ("int4", {"dst_pos": A2}, "V2004"), ("int4", {"dst_pos": A2, "repeats": 0}, "V2004"),
]


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    check_rules(LOAD, chip, [(plain(dtype, **changes), code) for dtype, changes, code in RULES])


@pytest.mark.parametrize("chip", WITH)
def test_255_repeats(chip):
    """They need more than the 128 fractals that L0A and L0B have."""
    subject = TransposeSubject(128, 128)
    full = [plain(dtype, subject=subject, repeats=128 // FRACTALS[bits_of(plain(dtype))])
            for dtype in SUPPORTED]
    check(subject, chip, full)
    tight = [case | {"repeats": 255, "src_stride": 0, "dst_gap": 0, "frac_gap": 254}
             for case in full]
    check_rules(subject, chip, [(case, "V1001") for case in tight] +
                [(case | {"dst_n": 1 << 20}, "V1002") for case in tight])


@pytest.mark.parametrize("chip", WITH)
def test_the_end_of_the_memories(chip):
    case = plain("half", repeats=1, dst_n=256, src_n=256, visible=0)
    l1 = (512 if chip == "2201" else 1024) << 10
    assert verdict(LOAD, chip, case | {"src": l1 - 512, "dst": 65536 - 512}).codes == []
    check_refused(LOAD, chip, case | {"src": l1 - 480}, "V1002")
    check_refused(LOAD, chip, case | {"dst": 65536}, "V1002")


@pytest.mark.parametrize("chip", WITH)
def test_types(chip):
    for dtype in TYPES:
        if dtype not in SUPPORTED:
            check_refused(LOAD, chip, plain(visible=0, type=TYPES.index(dtype)), "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_it(chip):
    check_refused(LOAD, chip, plain(visible=0), "V6001")
