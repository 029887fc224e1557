"""matmul: every chip, type and tiling against numpy; the order of the sums; what is refused."""

import numpy as np
import pytest
from cube_kernel import (ALL, COUPLED, L0A, L0C, L1, LITE, SEED, SPLIT, UB, Kernel, c0_of,
                         from_zn, integers, l1_matrix, refused, up)
from fractals import multiply
from harness import times_more
from vinci import tik

TYPES = {"int8": "int32", "float16": "float32"}
WITH_FLOAT = (SPLIT, LITE)
SHAPES = [(16, 16, 16), (1, 1, 1), (30, 64, 160), (1, 100, 15), (17, 33, 31), (48, 129, 16),
          (15, 2048, 32), (100, 700, 33)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def product(soc, a, b, start=None, bias=None, taken=0, pieces=1):
    """a * b by matmul, with `taken` bytes of L0A in use, in `pieces` calls along k."""
    kernel = Kernel(soc)
    (m, k), n = a.shape, b.shape[1]
    dtype = np.float32 if a.dtype.kind == "f" else np.int32
    left, right = kernel.load(l1_matrix(a), L1), kernel.load(l1_matrix(b.T.copy()), L1)
    shape = (up(n, 16) // 16, up(m, 16), 16)
    result = kernel.local(dtype, shape, L0C) if start is None else kernel.load(start, L0C)
    if bias is not None:
        bias = kernel.load(bias, L1)
    if taken:
        kernel.local("int8", (taken,), L0A)
    step = k // pieces
    for piece in range(pieces):
        first = piece * step // c0_of(a.dtype)
        kernel.tik.matmul(result, left[first, 0, 0], right[first, 0, 0], m, step, n,
                          start is None and piece == 0, bias)
    kernel.read(result)
    return from_zn(kernel.run()[0], m, n)


def exact(a, b):
    return a.astype(np.int64) @ b.astype(np.int64)


CASES = [(soc, dtype, shape) for soc in ALL for shape in SHAPES
         for dtype in (*TYPES, *(["float32"] if soc in WITH_FLOAT else []))]


@pytest.mark.parametrize("soc", ALL)
def test_types_and_shapes(soc):
    rng = np.random.default_rng(SEED)
    for _, dtype, (m, k, n) in (case for case in CASES if case[0] == soc):
        a, b = integers(rng, dtype, (m, k)), integers(rng, dtype, (k, n))
        assert (product(soc, a, b) == exact(a, b)).all(), (dtype, m, k, n)


@pytest.mark.parametrize("soc", ALL)
def test_random_shapes(soc):
    rng = np.random.default_rng([SEED, 1])
    for case in range(times_more(20)):
        m, n = (int(rng.integers(1, 130)) for _ in "mn")
        k, dtype = int(rng.integers(1, 900)), str(rng.choice(list(TYPES)))
        taken = int(rng.integers(0, 120)) * 512
        a, b = integers(rng, dtype, (m, k)), integers(rng, dtype, (k, n))
        wrong = (product(soc, a, b, taken=taken) != exact(a, b)).sum()
        assert not wrong, f"VINCI_SEED={SEED} case {case}: {dtype} {m} {k} {n}, {taken} taken"


@pytest.mark.parametrize("m,k,n,dtype", [(4096, 16, 16, "float16"), (16, 16, 4096, "float16"),
                                         (2049, 40, 15, "float16"), (16, 16384, 16, "float16"),
                                         (15, 70, 2064, "int8"), (16, 32768, 16, "int8")])
def test_tiles_of_rows_and_columns(m, k, n, dtype):
    """More than L0A or L0B holds at once, up to the ends of the ranges."""
    rng = np.random.default_rng(SEED)
    a, b = integers(rng, dtype, (m, k), 3), integers(rng, dtype, (k, n), 3)
    assert (product("Ascend910A", a, b) == exact(a, b)).all()


@pytest.mark.parametrize("soc", ["Ascend910A", SPLIT])
@pytest.mark.parametrize("taken", [0, 63 * 1024])
def test_sums_run_along_k_whatever_the_tiles(soc, taken):
    rng = np.random.default_rng(SEED)
    a, b = (rng.normal(size=shape).astype(np.float16) for shape in ((35, 333), (333, 47)))
    want = multiply(a.astype(np.float32), b.astype(np.float32), np.zeros((35, 47)))
    got = product(soc, a, b, taken=taken)
    assert (got.view(np.uint32) == want.view(np.uint32)).all()


@pytest.mark.parametrize("soc", ALL)
def test_one_call_after_the_other_adds(soc):
    rng = np.random.default_rng(SEED)
    a, b = integers(rng, "float16", (20, 96)), integers(rng, "float16", (96, 40))
    assert (product(soc, a, b, pieces=3) == exact(a, b)).all()


@pytest.mark.parametrize("soc", COUPLED)
def test_init_l1out_false_starts_from_dst(soc):
    rng = np.random.default_rng(SEED)
    a, b = integers(rng, "int8", (30, 64)), integers(rng, "int8", (64, 33))
    start = integers(rng, "int32", (3, 32, 16), 1000)
    assert (product(soc, a, b, start) == exact(a, b) + from_zn(start, 30, 33)).all()


@pytest.mark.parametrize("dtype,n", [("float16", 40), ("int8", 256), ("float32", 1)])
def test_bias(dtype, n):
    rng = np.random.default_rng(SEED)
    a, b = integers(rng, dtype, (20, 200)), integers(rng, dtype, (200, n))
    bias = integers(rng, "int32" if dtype == "int8" else "float32", (up(n, 16),), 99)
    assert (product(SPLIT, a, b, bias=bias) == exact(a, b) + bias[:n].astype(np.int64)).all()


def test_only_its_own_rows_and_columns_of_dst_are_written():
    """In an L0C of 4 fractals, matmul of one fractal leaves three."""
    kernel = Kernel("Ascend310P3")
    start = np.arange(1024, dtype=np.float32).reshape(4, 16, 16)
    one = np.eye(16, dtype=np.float16)
    left, right = (kernel.load(l1_matrix(matrix), L1) for matrix in (one, one))
    result = kernel.load(start, L0C)
    kernel.tik.matmul(result[1, 0, 0], left, right, 16, 16, 16)
    kernel.read(result)
    start[1] = np.eye(16)
    assert (kernel.run()[0] == start).all()


def attempt(soc="Ascend910A", types=("float32", "float16", "float16"), scopes=(L0C, L1, L1),
            sizes=(16, 16, 16), elements=(256, 256, 256), starts=(0, 0, 0), **more):
    def call():
        kernel = Kernel(soc)
        operands = [kernel.local(dtype, (size,), scope)[start:]
                    for dtype, size, scope, start in zip(types, elements, scopes, starts)]
        kernel.tik.matmul(*operands, *sizes, **more)
    return call


REFUSALS = [
    ("dst's scope must be L0C", {"scopes": (UB, L1, L1)}),
    ("a's scope must be L1", {"scopes": (L0C, UB, L1)}),
    ("b's scope must be L1", {"scopes": (L0C, L1, UB)}),
    ("Address align error, dst[16]", {"starts": (16, 0, 0), "elements": (512, 256, 256)}),
    ("Address align error, a[16]", {"starts": (0, 16, 0), "elements": (256, 512, 256)}),
    ("Address align error, b[128]", {"starts": (0, 0, 128), "elements": (256, 256, 512)}),
    ("m should be in the range of [1, 4096], input value is 0", {"sizes": (0, 16, 16)}),
    ("m should be in the range of [1, 4096], input value is 4097", {"sizes": (4097, 16, 16)}),
    ("k should be in the range of [1, 16384], input value is 0", {"sizes": (16, 0, 16)}),
    ("k should be in the range of [1, 16384], input value is 16385", {"sizes": (16, 16385, 16)}),
    ("k should be in the range of [1, 32768], input value is 32769",
     {"types": ("int32", "int8", "int8"), "sizes": (16, 32769, 16)}),
    ("n should be in the range of [1, 4096], input value is 4097", {"sizes": (16, 16, 4097)}),
    ("m should be int", {"sizes": (16.0, 16, 16)}),
    ("init_l1out should be bool", {"init_l1out": 1}),
    ("dst tensor overflow", {"sizes": (17, 16, 16)}),
    ("a tensor overflow", {"sizes": (16, 17, 16)}),
    ("b tensor overflow", {"sizes": (16, 16, 17), "elements": (512, 256, 256)}),
]


@pytest.mark.parametrize("text,case", REFUSALS)
def test_refusals(text, case):
    refused(text, attempt(**case))


NAMES = ["int8", "uint8", "float16", "float32", "int32"]


@pytest.mark.parametrize("soc", ALL)
def test_types_that_are_not_in_the_table_are_refused(soc):
    for a in NAMES:
        for b in NAMES:
            for dst in ("float16", "float32", "int32"):
                legal = a == b and TYPES.get(a) == dst or \
                    (a == b == dst == "float32" and soc in WITH_FLOAT)
                call = attempt(soc, (dst, a, b), elements=(256, 512, 512))
                if legal:
                    call()
                else:
                    refused("current chip: ", call)


@pytest.mark.parametrize("soc", [soc for soc in ALL if soc != SPLIT])
def test_bias_needs_a_bias_table(soc):
    refused("current chip: ", attempt(soc, bias=1))


def test_not_without_synchronisation():
    def call():
        kernel = Kernel("Ascend910A")
        with kernel.tik.new_stmt_scope(disable_sync=True):
            kernel.tik.matmul(None, None, None, 16, 16, 16)
    refused("matmul can't be used in new_stmt_scope with disable_sync=True", call)


def test_nothing_is_checked_where_nothing_runs():
    instance = tik.Tik()
    with instance.if_scope(False):
        instance.matmul(None, None, None, 0, 0, 0)
