"""LoadDataWithSparse and MmadWithSparse: products with 4:2 compressed weights."""

import pathlib

import numpy as np
import pytest

from batches import check_rules
from cases import check, check_refused, launch, random_cases, rng_for, verdict
from fractals import FRACTAL, from_zn, to_nz, to_zz
from harness import CHIPS, Out, check_clean, run_kernel
from sparse_oracle import (A1, A2, B1, B2, C1, CO1, GM, INT32_INT8, INT8_UINT8, L0B_BYTES, LOAD,
                           LOADS, VECIN, SparseSubject, pack_indices, up)

CUBE = SparseSubject()
GEMM = pathlib.Path(__file__).with_name("sparse_gemm.cpp")


def plain(subject=CUBE, **changes):
    """16 x 64 x 16: one call brings B's fractal. A name without a number is the first call's."""
    case = {"c_bytes": subject.c, "b_bytes": subject.b, "a_bytes": subject.a, "loads": LOADS}
    for i in range(LOADS):
        case |= {f"{name}{i}": 0 for name in LOAD} | {
            f"load{i}": int(i == 0), f"load_types{i}": INT8_UINT8, f"dst_pos{i}": B2,
            f"dst_n{i}": subject.b, f"src_pos{i}": B1, f"src_n{i}": subject.weights,
            f"idx_pos{i}": B1, f"idx{i}": subject.weights, f"idx_n{i}": subject.idx,
            f"repeats{i}": 1}
    case |= {"multiply": 1, "types": INT32_INT8, "c_pos": CO1, "c": 0, "c_n": subject.c // 4,
             "a_pos": A2, "a": 0, "a_n": subject.a, "b_pos": B2, "b": 0, "b_n": subject.b,
             "constructor": 2, "m": 16, "n": 16, "k": 64, "is_bias": 0, "from_table": 0,
             "init_zero": 1, "k_align": 0, "unit_flag": 0, "seed": 1}
    return case | {name if name in case else f"{name}0": value for name, value in changes.items()}


def random_product(rng):
    """B's fractals come in up to three calls, each from somewhere else."""
    m, n = int(rng.integers(1, 50)), int(rng.integers(1, 50))
    k = int(rng.integers(1, 260)) if rng.integers(0, 2) else int(rng.integers(1, 80))
    case = plain(m=m, n=n, k=k, constructor=rng.integers(0, 3), is_bias=rng.integers(0, 2),
                 init_zero=rng.integers(0, 2), unit_flag=rng.choice([0, 2, 3]),
                 c=1024 * int(rng.integers(0, 4)), a=FRACTAL * int(rng.integers(0, 4)),
                 b=FRACTAL * int(rng.integers(0, 4)), seed=rng.integers(0, 1 << 20))
    fractals = up(2 * up(k, 4), 32) * up(n, 16)
    ends = [0, *sorted(rng.integers(0, fractals + 1, LOADS - 1).tolist()), fractals]
    for i in range(LOADS):
        at, weights = 128 * int(rng.integers(0, 4)), 32 * int(rng.integers(0, 30))
        case |= {f"load{i}": 1, f"dst{i}": case["b"] + FRACTAL * ends[i],
                 f"repeats{i}": ends[i + 1] - ends[i], f"start{i}": rng.integers(0, 8),
                 f"src{i}": weights, f"src_n{i}": CUBE.weights - weights,
                 f"idx{i}": CUBE.weights + at, f"idx_n{i}": CUBE.idx - at,
                 f"src_pos{i}": rng.choice([A1, B1, C1]), f"idx_pos{i}": rng.choice([A1, B1, C1]),
                 f"src_stride{i}": rng.integers(0, 1 << 16), f"sid{i}": rng.integers(0, 256),
                 f"dst_gap{i}": rng.integers(0, 1 << 16), f"addr_mode{i}": rng.integers(0, 2)}
        case[f"dst_n{i}"] = CUBE.b - case[f"dst{i}"]
    return case


def some(part):
    return random_cases(CUBE, "2201", random_product, 100, part)


@pytest.mark.parametrize("part", range(4))
def test_random(part):
    """Any indices of 0..2, tails of m, n and k, both initial C, rows and columns to the next 16."""
    check(CUBE, "2201", some(part))


@pytest.mark.parametrize("part", range(4))
def test_the_random_cases_reach_tails(part):
    cases = some(part)
    for name, step in (("m", 16), ("n", 16), ("k", 4), ("k", 32)):
        assert {case[name] % step == 0 for case in cases} == {False, True}


class GivenSubject(SparseSubject):
    """A, the compressed values and the indices are given; L0C and L0B are full of ones."""

    def __init__(self, a, values, indices, **sizes):
        super().__init__(**sizes)
        left, right = to_zz(a.astype(np.int8), 32), to_nz(values.astype(np.int8), 32)
        packed = to_nz(pack_indices(indices), 8)
        self.image = np.full(self.c + self.b + self.a + self.weights + self.idx, 1, np.uint8)
        for at, part in ((self.c + self.b, left), (self.c + self.b + self.a, right),
                         (self.c + self.b + self.a + self.weights, packed)):
            self.image[at:at + part.size] = part.view(np.uint8)

    def before(self, case, chip):
        return self.image


def multiplied(a, values, indices, **changes):
    """C[m, n] as the kernel makes it."""
    m, k, n = *a.shape, values.shape[1]
    subject = GivenSubject(a, values, indices)
    case = plain(subject, m=m, n=n, k=k, repeats=up(2 * up(k, 4), 32) * up(n, 16), **changes)
    run = verdict(subject, "2201", case)
    assert run.codes == [], run.stderr
    c = run.outputs[0][0][:1024 * up(m, 16) * up(n, 16)].view(np.int32)
    return from_zn(c, m, n)[:m, :n]


def encoded_group(group):
    """Two values and their indices, after the documents' table; what is more than two is lost."""
    places = np.flatnonzero(group)[:2].tolist()
    if len(places) == 2:
        return [group[places[0]], group[places[1]]], [places[0], places[1] - 1]
    if places == [3]:
        return [0, group[3]], [0, 2]
    if len(places) == 1:
        return [group[places[0]], 0], [places[0], 0]
    return [0, 0], [0, 0]


def encoded(b):
    """[K, N] as values and indices [K / 2, N]; K counts in fours."""
    depth, n = up(len(b), 4), b.shape[1]
    dense = np.zeros((4 * depth, n), np.int64)
    dense[:len(b)] = b
    values, indices = np.zeros((2, 2 * depth, n), np.int64)
    for group in range(depth):
        for column in range(n):
            rows = slice(2 * group, 2 * group + 2)
            values[rows, column], indices[rows, column] = \
                encoded_group(dense[4 * group:4 * group + 4, column])
    return values, indices


# The documents' table: which of four elements are not 0, and the two indices.
TABLE = [((0, 0, 5, 6), (2, 2)), ((0, 5, 0, 6), (1, 2)), ((5, 0, 0, 6), (0, 2)),
         ((0, 5, 6, 0), (1, 1)), ((5, 0, 6, 0), (0, 1)), ((5, 6, 0, 0), (0, 0)),
         ((0, 0, 0, 5), (0, 2)), ((0, 0, 5, 0), (2, 0)), ((0, 5, 0, 0), (1, 0)),
         ((5, 0, 0, 0), (0, 0)), ((0, 0, 0, 0), (0, 0))]


def test_the_documents_table():
    """The encoder agrees with it, and each row decodes to the dense product."""
    for group, indices in TABLE:
        assert tuple(encoded_group(np.array(group))[1]) == indices
    b = np.array([group for group, _ in TABLE]).T
    a = np.array([[1, 10, 100, -50], [7, 0, -3, 2]])
    assert (multiplied(a, *encoded(b)) == a @ b).all()


def test_more_than_two_in_a_group():
    """The encoder of the documents keeps the first two."""
    b = np.array([[1, 2, 3, 4], [1, 2, 3, 0], [0, 2, 3, 4], [1, 0, 3, 4]]).T
    kept = np.array([[1, 2, 0, 0], [1, 2, 0, 0], [0, 2, 3, 0], [1, 0, 3, 0]]).T
    a = np.array([[1, 10, 100, -50]])
    assert (multiplied(a, *encoded(b)) == a @ kept).all()


def sparse_matrix(rng, k, n):
    """Random int8 [k, n] with 0, 1 or 2 that are not 0 in each four rows of a column."""
    b = np.zeros((up(k, 4) * 4, n), np.int64)
    for group in range(0, len(b), 4):
        for column in range(n):
            places = group + rng.permutation(4)[:rng.integers(0, 3)]
            b[places, column] = rng.integers(-128, 128, len(places))
    return b[:k]


@pytest.mark.parametrize("m, k, n", [(16, 64, 16), (1, 4, 1), (1, 64, 16), (5, 1, 3), (17, 2, 18),
                                     (16, 3, 16), (33, 66, 31), (20, 100, 40), (40, 160, 33),
                                     (7, 255, 48), (15, 127, 17)])
def test_equals_the_dense_product(m, k, n):
    rng = rng_for(m, k, n)
    a, b = rng.integers(-128, 128, (m, k)), sparse_matrix(rng, k, n)
    assert (multiplied(a, *encoded(b)) == a @ b).all()
    assert (multiplied(a, *encoded(b), init_zero=0) == a @ b + 0x01010101).all()


# (values, indices, product with 10, 20, 30, 40); with (0, 1) both hit the same element.
@pytest.mark.parametrize("values, indices, product", [
    ((1, 2), (0, 0), 50), ((1, 2), (1, 2), 100), ((1, 2), (2, 2), 110), ((0, 5), (0, 2), 200),
    ((1, 2), (1, 0), 60), ((1, 2), (2, 1), 90), ((-128, 127), (2, 1), -30), ((3, 4), (2, 0), 170)])
def test_worked_examples(values, indices, product):
    a = np.array([[10, 20, 30, 40]])
    got = multiplied(a, np.array([values]).T, np.array([indices]).T)
    assert got.tolist() == [[product]]


def test_four_indices_in_a_byte():
    """The first lies in the low bits: the documents' order backwards."""
    assert pack_indices(np.array([[0, 2, 1, 2]]).T).tolist() == [[152]]
    assert pack_indices(np.array([[1, 2, 0, 1, 0, 2, 1, 0]]).T).tolist() == [[0b01001001],
                                                                            [0b00011000]]
    a = np.array([[10, 20, 30, 40, 1, 2, 3, 4]])
    got = multiplied(a, np.array([[1, 2, 3, 4]]).T, np.array([[0, 2, 1, 2]]).T)
    assert got.tolist() == [[10 + 80 + 6 + 16]]


def test_sums_wrap():
    """Most of what int8 can do, added to an initial C of 0x7F7F7F7F."""
    a, values = np.full((16, 256), -128), np.full((128, 16), -128)
    subject = GivenSubject(a, values, np.zeros((128, 16), np.int64))
    subject.image[:subject.c] = 0x7F
    case = plain(subject, k=256, repeats=4, init_zero=0)
    got = verdict(subject, "2201", case).outputs[0][0][:1024].view(np.uint32)
    assert (got == 0x7F7F7F7F + 128 * 128 * 128).all()
    check(subject, "2201", [case])


def test_as_large_as_it_gets():
    """4095 deep: L0A and L0B are full, and 128 repeats bring B."""
    subject = SparseSubject(c=2, b=128, a=128, weights=128)
    check(subject, "2201", [plain(subject, m=16, n=32, k=4095, repeats=128),
                            plain(subject, m=16, n=32, k=4096 - 31, repeats=128)])


LOAD_RULES = [
    ({"repeats": 0, "dst_n": 0, "src_n": 0, "idx_n": 0}, None), ({"repeats": 0, "start": 9}, None),
    ({"repeats": 3, "dst_n": 1536, "src_n": 1536, "idx_n": 384}, None),
    ({"repeats": 3, "dst_n": 1535}, "V1001"), ({"repeats": 3, "src_n": 1535}, "V1001"),
    ({"repeats": 3, "idx_n": 383}, "V1001"),
    ({"start": 2, "src_n": 1536, "idx_n": 384, "dst_n": 512}, None),
    ({"start": 2, "src_n": 1535}, "V1001"), ({"start": 2, "idx_n": 383}, "V1001"),
    ({"start": 65535}, "V1001"), ({"repeats": 255, "src_n": 1 << 20, "idx_n": 1 << 20}, "V1001"),
    ({"repeats": 255, "src_n": 1 << 20, "idx_n": 1 << 20, "dst_n": 1 << 20}, "V1002"),
    ({"repeats": 2, "src_stride": 65535, "dst_gap": 65535, "sid": 9, "addr_mode": 1}, None),
    ({"dst": 512, "dst_n": 7680}, None), ({"dst": 256, "dst_n": 7680}, "V1004"),
    ({"dst": 32, "repeats": 0}, "V1004"),
    ({"src": 32, "src_n": 512}, None), ({"src": 16, "src_n": 512}, "V1004"),
    ({"idx": CUBE.weights + 32, "idx_n": 128}, None),
    ({"idx": CUBE.weights + 16, "idx_n": 128}, "V1004"),
    ({"dst": L0B_BYTES - 512, "repeats": 2}, "V1002"),
    ({"src": (512 << 10) - 512, "repeats": 2}, "V1002"),
    ({"idx": (512 << 10) - 128, "repeats": 2}, "V1002"),
    ({"transpose": 1}, "V2004"), ({"transpose": 1, "repeats": 0}, "V2004"),
    *[({name: A1}, None) for name in ("src_pos", "idx_pos")],
    *[({name: position}, "V1005") for name in ("src_pos", "idx_pos")
      for position in (GM, A2, B2, CO1, VECIN)],
    *[({"dst_pos": position}, "V1005") for position in (GM, A2, B1, CO1, VECIN)],
]


def test_rules_of_the_load():
    check_rules(CUBE, "2201", [(plain(multiply=0, **changes), code)
                               for changes, code in LOAD_RULES])


ONE = {"m": 1, "n": 1, "k": 1}
# B has one fractal for 64 of k and 16 columns, A two.
MULTIPLY_RULES = [
    *[({name: 0, "a_n": 0, "b_n": 0, "c_n": 0}, None) for name in ("m", "n", "k")],
    *[({name: 4096}, "V2001") for name in ("m", "n", "k")],
    *[({name: 4095}, "V1001") for name in ("m", "n")], ({"k": 4095, "n": 48}, "V1001"),
    ({"m": 4095, "a_n": 1 << 20, "c_n": 1 << 20}, "V1002"),
    ({"a_n": 1024, "b_n": 512, "c_n": 256}, None), ({"a_n": 1023}, "V1001"),
    ({"b_n": 511}, "V1001"), ({"c_n": 255}, "V1001"),
    (ONE | {"a_n": 512, "b_n": 512, "c_n": 256}, None), (ONE | {"a_n": 511}, "V1001"),
    (ONE | {"b_n": 511}, "V1001"), (ONE | {"c_n": 255}, "V1001"),
    ({"m": 17, "a_n": 2048, "c_n": 512}, None), ({"m": 17, "a_n": 2047}, "V1001"),
    ({"m": 17, "c_n": 511}, "V1001"), ({"k": 33, "a_n": 1023}, "V1001"),
    ({"k": 65, "repeats": 2, "a_n": 1536, "b_n": 1024}, None),
    ({"k": 65, "repeats": 2, "b_n": 1023}, "V1001"),
    ({"k": 65, "repeats": 2, "a_n": 1535}, "V1001"),
    ({"n": 17, "repeats": 2, "b_n": 1024, "c_n": 512}, None),
    ({"n": 17, "repeats": 2, "b_n": 1023}, "V1001"),
    ({"n": 17, "repeats": 2, "c_n": 511}, "V1001"),
    ({"c": 1024, "c_n": 1024}, None), ({"c": 512, "c_n": 1024}, "V1004"),
    ({"c": 64, "m": 0}, "V1004"), ({"a": 512, "a_n": 1024}, None),
    ({"a": 256, "a_n": 1024}, "V1004"), ({"b": 512, "dst": 512}, None), ({"b": 256}, "V1004"),
    ({"c": 131072, "c_n": 256}, "V1002"), ({"a": L0B_BYTES - 512}, "V1002"),
    ({"b": L0B_BYTES, "b_n": 512}, "V1002"),
    ({"k_align": 1}, "V2004"), ({"from_table": 1, "init_zero": 0}, "V2004"),
    ({"from_table": 1}, "V2004"), ({"from_table": 1, "constructor": 1}, "V2004"),
    ({"constructor": 0, "from_table": 1, "k_align": 1}, None),
    *[({"c_pos": position}, "V1005") for position in (A2, B2, B1, VECIN, GM)],
    *[({"a_pos": position}, "V1005") for position in (A1, B2, CO1, VECIN, GM)],
    *[({"b_pos": position}, "V1005") for position in (A2, B1, CO1, VECIN, GM)],
    # What nobody loaded has no index: nothing at all, half of it, or another place.
    ({"load": 0}, "V2001"), ({"repeats": 0}, "V2001"), ({"k": 65}, "V2001"), ({"n": 17}, "V2001"),
    ({"b": 512}, "V2001"), ({"dst": 512}, "V2001"), ({"load": 0, "n": 0}, None),
]


def test_rules_of_the_product():
    rules = [(plain(**changes), code) for changes, code in MULTIPLY_RULES]
    # The load of a refused product still writes L0B: it is compared with what was there.
    subject = SparseSubject()
    subject.untouched = lambda case, chip, before: np.concatenate(
        [before[:subject.c], subject.loaded(case, before)[0]])
    check_rules(subject, "2201", rules)


def with_index_3(row, column, rows=32, columns=16):
    indices = np.ones((rows, columns), np.int64)
    indices[row, column] = 3
    rng = rng_for(row, column)
    return GivenSubject(rng.integers(-128, 128, (16, 64)), rng.integers(-128, 128, (rows, columns)),
                        indices)


@pytest.mark.parametrize("row, column, shape, code", [
    (0, 0, {}, "V2001"), (31, 15, {}, "V2001"), (13, 7, {}, "V2001"),
    (13, 7, {"n": 8}, "V2001"), (13, 7, {"n": 7}, None),
    (13, 7, {"k": 25}, "V2001"), (13, 7, {"k": 24}, None), (12, 7, {"k": 25}, "V2001"),
    (13, 7, {"m": 0}, None)])
def test_index_3(row, column, shape, code):
    """A fault for the columns up to n and the groups of four up to k, and nowhere else."""
    subject = with_index_3(row, column)
    case = plain(subject, **shape)
    if code is None:
        return check(subject, "2201", [case])
    run = verdict(subject, "2201", case)
    assert run.codes == [code] and f"value ({row}, {column}) is 3" in run.stderr
    assert (run.outputs[0][0][:subject.c] == 1).all()


def test_indices_are_of_one_block():
    """What block 0 loaded, block 1 lacks."""
    run = launch(CUBE, "2201", [plain(), plain(load=0)])
    assert [(fault["code"], fault["block"]) for fault in run.faults] == [("V2001", 1)]


def test_types():
    """Weights of int8, indices of uint8, sums of int32."""
    for types in (0, 101, 401):
        check_refused(CUBE, "2201", plain(load_types=types, multiply=0), "V6002")
    for types in (601, 611, 800, 804):
        check_refused(CUBE, "2201", plain(types=types, load=0), "V6002")


class Unfilled(SparseSubject):
    """The chip may lack the memories, so nothing is filled and nothing is compared."""

    def compared(self, case, got, want):
        return got != got


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - {"2201"}))
@pytest.mark.parametrize("only", [{"load": 0}, {"multiply": 0}])
def test_chip_without_it(chip, only):
    check_refused(Unfilled(), chip, plain(c_bytes=0, b_bytes=0, a_bytes=0, **only), "V6001")


def test_a_kernel_with_queues():
    """16 x 64 x 16 from GM to GM, as a kernel writes it; no tool has anything to say."""
    rng = rng_for("queues")
    a, b = rng.integers(-128, 128, (16, 64)), sparse_matrix(rng, 64, 16)
    values, indices = encoded(b)
    run = run_kernel(GEMM, to_zz(a.astype(np.int8), 32), to_nz(values.astype(np.int8), 32),
                     to_nz(pack_indices(indices), 8).astype(np.uint8), Out("int32", 16, 16),
                     soc=CHIPS["2201"])
    check_clean(run)
    assert (run.outputs[0] == a @ b).all()
