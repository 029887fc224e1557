"""The tests' own machinery: shrinking finds the culprit, layouts agree with the documents."""

import numpy as np
import pytest

import cases
from batches import check_refusals
from cases import Generator, as_int64, check, finite_halves, random_cases, shrink, towards
from fractals import (from_nz, from_zn, from_zz, multiply, seen_through_identity, to_half, to_nz,
                      to_zn, to_zz)
from test_duplicate import DUPLICATE, plain


class Broken(type(DUPLICATE)):
    """An oracle that is wrong when there are at least 3 repeats with more than 5 lanes."""

    def expected(self, case, chip, before):
        right = super().expected(case, chip, before)
        if case["repeats"] >= 3 and case["mask0"] > 5 and case["form"] == 2:
            right[0] ^= 1
        return right


def test_a_difference_fails_shows_the_seed_and_the_smallest_case():
    case = plain("half", form=2, mask0=100, repeats=7, dst_rep=3, dst=2048, dst_n=2000, seed=99)
    with pytest.raises(pytest.fail.Exception) as failure:
        check(Broken(), "2002", [plain("half"), case, plain("float")])
    text = str(failure.value)
    assert f"VINCI_SEED={cases.SEED}" in text and "case 1 of 3" in text
    smallest = text.split("smallest: ")[1].split("\n")[0]
    for part in ("'mask0': 6", "'repeats': 3", "'seed': 0", "'dst': 0", "'dst_rep': 8"):
        assert part in smallest


def test_a_fault_fails_and_names_its_case():
    subject = type(DUPLICATE)()
    subject.legal = lambda case, chip: True
    subject.simplest = {}
    with pytest.raises(pytest.fail.Exception, match="case 1 of 2: V1004"):
        check(subject, "2002", [plain("half"), plain("half", dst=16)])


def misaligned(count):
    return [plain("half", dst=2 + 2 * number) for number in range(count)]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_refusals_of_another_code_fail(count):
    check_refusals(DUPLICATE, "2002", misaligned(count), "V1004")
    with pytest.raises(AssertionError, match="instead of V1001"):
        check_refusals(DUPLICATE, "2002", misaligned(count), "V1001")


@pytest.mark.parametrize("at", [0, 2, 4])
def test_a_legal_case_among_refusals_fails(at):
    cases = misaligned(5)
    cases[at] = plain("half")
    with pytest.raises(AssertionError, match=r"\[\] instead of V1004"):
        check_refusals(DUPLICATE, "2002", cases, "V1004")


def test_a_refusal_that_writes_fails():
    subject = type(DUPLICATE)()
    subject.untouched = lambda case, chip, before: before ^ (case["dst"] == 4)
    with pytest.raises(AssertionError, match="V1004 and written"):
        check_refusals(subject, "2002", misaligned(5), "V1004")


def test_choosing_is_numpys():
    ours, numpys = Generator(np.random.PCG64(3)), np.random.default_rng(3)
    options = [3, 1, 4, 1, 5]
    assert [ours.choice(options) for _ in range(50)] == [numpys.choice(options) for _ in range(50)]
    assert (ours.choice(9, 4) == numpys.choice(9, 4)).all()


def test_shrinking_keeps_to_legal_cases():
    subject = type(DUPLICATE)()
    subject.simplest = {"count": 0}
    subject.legal = lambda case, chip: case["count"] % 4 == 0
    found = shrink(subject, "2002", {"count": 400}, lambda case: case["count"] >= 100)
    assert found["count"] % 4 == 0 and 100 <= found["count"] < 400


def test_towards():
    assert towards(10, 0) == [0, 5, 9] and towards(-3, 1) == [1, -1, -2] and towards(4, 4) == []
    assert towards(1, 0) == [0]


def test_random_cases_are_the_same_again_and_differ_by_name():
    def make(rng):
        return plain("half", count=rng.integers(0, 3000), seed=rng.integers(0, 1 << 20))
    one = random_cases(DUPLICATE, "2002", make, 20, "a")
    assert one == random_cases(DUPLICATE, "2002", make, 20, "a")
    assert one != random_cases(DUPLICATE, "2002", make, 20, "b")
    assert one != random_cases(DUPLICATE, "2201", make, 20, "a")


def test_values_of_the_table():
    assert as_int64((1 << 64) - 1) == -1 and as_int64(1 << 63) == -(1 << 63) and as_int64(-5) == -5


def test_layouts_of_the_documents():
    """Element (3, 20) of a 20x28 matrix, (3, 40) of bytes, (37, 20) of C, (40, 5) of a byte B."""
    def place(matrix_shape, element, layout, *c0):
        matrix = np.zeros(matrix_shape, np.int64)
        matrix[element] = 1
        return int(np.flatnonzero(layout(matrix, *c0))[0])
    assert place((20, 28), (3, 20), to_zz) == 308
    assert place((20, 28), (3, 20), to_zn) == 564
    assert place((20, 28), (3, 20), to_nz) == 323
    assert place((16, 64), (3, 40), to_zz, 32) == 616
    assert place((64, 32), (40, 20), to_nz, 32) == 1672
    assert place((16, 128), (2, 70), to_zz, 64) == 1158
    assert place((24, 16), (11, 5), to_nz, 8) == 171
    assert place((40, 33), (37, 20), to_zn) == 1364


@pytest.mark.parametrize("there, back", [(to_zz, from_zz), (to_zn, from_zn), (to_nz, from_nz)])
@pytest.mark.parametrize("rows, columns", [(16, 16), (20, 28), (1, 33), (48, 5)])
def test_layouts_go_there_and_back(there, back, rows, columns):
    matrix = np.arange(1, rows * columns + 1).reshape(rows, columns)
    whole = back(there(matrix), rows, columns)
    assert (whole[:rows, :columns] == matrix).all() and whole.sum() == matrix.sum()


def test_the_identity_shows_what_l0_holds():
    """The product that the kernels read L0A and L0B with keeps every finite half."""
    part = finite_halves(3, 512)
    halves = part.view(np.float16)
    eye = np.eye(16, dtype=np.float16)
    zero = np.zeros((16, 16), np.float32)
    a = multiply(from_zz(halves, 16, 16), eye, zero)
    assert a.tobytes() == seen_through_identity(part, False).tobytes()
    b = multiply(eye, from_nz(halves, 16, 16), zero)
    assert b.tobytes() == seen_through_identity(part, True).tobytes()


def test_to_half():
    values = np.array([65519.9, 65520, -1e6, np.inf, np.nan, 1 + 2.0 ** -11, -0.0, 2.0 ** -25],
                      np.float32)
    assert to_half(values, False).view(np.uint16).tolist() == \
        [0x7BFF, 0x7C00, 0xFC00, 0x7C00, 0x7E00, 0x3C00, 0x8000, 0]
    assert to_half(values, True).view(np.uint16).tolist() == \
        [0x7BFF, 0x7BFF, 0xFBFF, 0x7BFF, 0, 0x3C00, 0x8000, 0]
