"""load2dv1, load2dv2 and mmad. What a load left in L0A or L0B is seen through a product with the
identity."""

import numpy as np
import pytest
from cube_kernel import (ALL, COUPLED, GM, L0A, L0B, L0C, L1, LITE, SEED, SPLIT, UB, Kernel,
                         from_zn, integers, refused)
from cube_loads import (FRACTAL, IDENTITY, ROOM, V2, attempt_load, load_2d, prepared, seen)
from fractals import to_nz, to_zn, to_zz
from harness import times_more
from vinci import tik

@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("soc", ALL)
@pytest.mark.parametrize("scope", [L0A, L0B])
@pytest.mark.parametrize("source", [L1, GM])
def test_load_2d(soc, scope, source):
    rng = np.random.default_rng(SEED)
    for case in range(times_more(4)):
        repeats = int(rng.integers(1, 9))
        stride, index = int(rng.integers(0, 3)), int(rng.integers(0, 5))
        gap = 0 if soc in COUPLED[:2] else int(rng.integers(0, (ROOM - 1) // repeats))
        transpose = source == L1 and bool(rng.integers(2))
        fractals = integers(rng, "float16", (ROOM, 16, 16), 99)
        kernel, target = prepared(soc, scope)
        place = kernel.load(fractals, L1) if source == L1 else kernel.gm(fractals)
        load_2d(kernel, target, place, index, repeats, gap, stride, transpose)
        want = np.full((ROOM, 16, 16), -7.0)
        for i in range(repeats):
            fractal = fractals[index + i * stride]
            want[i * (gap + 1)] = fractal.T if transpose else fractal
        case = f"VINCI_SEED={SEED} {case}: {index} {repeats} {gap} {stride} {transpose}"
        assert (seen(kernel, target) == want).all(), case


@pytest.mark.parametrize("soc", V2)
def test_load_2d_downwards(soc):
    fractals = integers(np.random.default_rng(SEED), "float16", (ROOM, 16, 16), 99)
    kernel, target = prepared(soc, L0A)
    middle = kernel.local("float16", (4, 256), L1)
    kernel.tik.load2dv2(middle, kernel.gm(fractals), 7, 4, 0, 2, 0, False, 1)
    load_2d(kernel, target, middle, 0, 4, 0, 1)
    want = np.full((ROOM, 16, 16), -7.0)
    want[:4] = fractals[[7, 5, 3, 1]]
    assert (seen(kernel, target) == want).all()


@pytest.mark.parametrize("soc", ALL)
@pytest.mark.parametrize("m,k,n,bias", [(16, 16, 16, 0), (33, 40, 17, 0), (16, 48, 64, 1),
                                        (2, 1, 1, 0), (0, 16, 16, 0), (16, 0, 16, 0)])
def test_mmad(soc, m, k, n, bias):
    """Two products, the second over the first or added to it; sizes of 0 do nothing."""
    rng = np.random.default_rng(SEED)
    a, b = integers(rng, "float16", (48, 48)), integers(rng, "float16", (48, 64))
    kernel = Kernel(soc)
    kernel.old = soc in COUPLED[:2]
    l1 = [kernel.load(x.reshape(-1, 256), L1)
          for x in (to_zz(a), to_nz(b), to_zz(a[:m, :k]) if m * k else to_zz(a),
                    to_nz(b[:k, :n]) if k * n else to_nz(b))]
    result = kernel.local("float32", (12, 16, 16), L0C)
    operands = [kernel.local("float16", (12 * FRACTAL,), scope) for scope in (L0A, L0B)]
    for pair, sizes, add in ((l1[:2], (48, 48, 64), 0), (l1[2:], (m, k, n), bias)):
        for operand, source in zip(operands, pair):
            load_2d(kernel, operand, source, 0, source.shape[0], 0, 1)
        kernel.tik.mmad(result, *operands, *sizes, add)
    kernel.read(result)
    blocks = kernel.run()[0]
    first = a.astype(np.int64) @ b.astype(np.int64)
    if not m * k * n:
        assert (from_zn(blocks, 48, 64) == first).all()
        return
    high, wide = -(-m // 16), -(-n // 16)

    def overlaid(whole):
        """The fractals that the second product takes for its C."""
        return from_zn(whole[:high * wide].reshape(wide, high * 16, 16), m, n)

    want = a[:m, :k].astype(np.int64) @ b[:k, :n].astype(np.int64)
    if bias:
        want = want + overlaid(to_zn(first).reshape(12, 16, 16))
    assert (overlaid(blocks) == want).all()


MMAD_TYPES = {
    "Ascend310": {("float16",) * 3, ("float32", "float16", "float16"), ("int32", "int8", "int8"),
                  ("int32", "uint8", "int8"), ("uint32", "uint8", "uint8")}}
MMAD_TYPES["Ascend910A"] = MMAD_TYPES["Ascend310"]
MMAD_TYPES["Ascend310P3"] = MMAD_TYPES["Ascend310"] | {("int32", "uint8", "uint8")}
MMAD_TYPES[SPLIT] = MMAD_TYPES["Ascend310"] | {("float32",) * 3}
MMAD_TYPES[LITE] = {("float16",) * 3, ("float32", "float16", "float16"), ("float32",) * 3,
                    ("int32", "int8", "int8"), ("float32", "bfloat16", "bfloat16")}
NAMES = ["int8", "uint8", "float16", "bfloat16", "float32", "int32", "uint32"]


@pytest.mark.parametrize("soc", ALL)
def test_mmad_types(soc):
    """Every triple: run and right, or refused."""
    for dst in ("float16", "float32", "int32", "uint32"):
        for a in NAMES:
            for b in NAMES:
                if (dst, a, b) not in MMAD_TYPES[soc]:
                    refused("current chip: ", attempt_mmad(soc, (dst, a, b)))
                elif "bfloat16" not in (a, b):
                    check_types(soc, dst, a, b)


def check_types(soc, dst, a, b):
    rng = np.random.default_rng(SEED)
    k0 = 32 // np.dtype(a).itemsize
    left, right = integers(rng, a, (16, k0)), integers(rng, b, (k0, 16))
    kernel = Kernel(soc)
    kernel.old = soc in COUPLED[:2]
    operands = []
    for matrix, scope, dtype in ((left, L0A, a), (np.ascontiguousarray(right.T), L0B, b)):
        source = kernel.load(matrix, L1)
        operands.append(kernel.local(dtype, (512 // matrix.itemsize,), scope))
        load_2d(kernel, operands[-1], source, 0, 1, 0, 1)
    result = kernel.local(dst, (1, 16, 16), L0C)
    kernel.tik.mmad(result, *operands, 16, k0, 16, 0)
    if dst == "float16" and soc not in COUPLED:
        kernel.out("float16", (16,))
        kernel.run()  # no way out of L0C for halves
        return
    if dst == "float16":
        staged = kernel.local(dst, (1, 16, 16), UB)
        kernel.tik.tensor_mov(staged, result, "m", 1, 1, 0, 0)
        result = staged
    if dst == "uint32" and soc not in COUPLED:
        kernel.out("float16", (16,))
        kernel.run()
        return
    kernel.read(result)
    want = left.astype(np.int64) @ right.astype(np.int64)
    assert (kernel.run()[0][0].astype(np.int64) == want).all(), (dst, a, b)


def attempt_mmad(soc="Ascend910A", types=("float32", "float16", "float16"),
                 scopes=(L0C, L0A, L0B), sizes=(16, 16, 16), is_bias=0, starts=(0, 0, 0), **more):
    def call():
        kernel = Kernel(soc)
        operands = [kernel.local(dtype, (1024,), scope)[start:]
                    for dtype, scope, start in zip(types, scopes, starts)]
        kernel.tik.mmad(*operands, *sizes, is_bias, **more)
    return call


MMAD = [
    ("dst_fm's scope must be L0C", {"scopes": (UB, L0A, L0B)}),
    ("src_fm's scope must be L0A", {"scopes": (L0C, L1, L0B)}),
    ("src_filter's scope must be L0B", {"scopes": (L0C, L0A, L0A)}),
    ("Address align error, dst_fm[128]", {"starts": (128, 0, 0)}),
    ("Address align error, src_fm[16]", {"starts": (0, 16, 0)}),
    ("Address align error, src_filter[16]", {"starts": (0, 0, 16)}),
    ("matrix_m should be in the range of [0, 4095], input value is -1", {"sizes": (-1, 16, 16)}),
    ("matrix_m should be in the range of [0, 4095], input value is 4096",
     {"sizes": (4096, 16, 16)}),
    ("matrix_k should be in the range of [0, 4095], input value is 4096",
     {"sizes": (16, 4096, 16)}),
    ("matrix_n should be in the range of [0, 4095], input value is 4096",
     {"sizes": (16, 16, 4096)}),
    ("matrix_n should be int", {"sizes": (16, 16, 1.5)}),
    ("is_bias should be in the range of [0, 1], input value is 2", {"is_bias": 2}),
    ("dst_fm tensor overflow", {"sizes": (80, 16, 16)}),
    ("src_fm tensor overflow", {"sizes": (16, 80, 16)}),
    ("src_filter tensor overflow", {"sizes": (16, 16, 64), "starts": (0, 0, 512)}),
    ("current chip: Ascend910 AiCore doesn't support en_small_k", {"en_small_k": True}),
    ("current chip: Ascend910 AiCore doesn't support en_winograd_a", {"en_winograd_a": True}),
    ("current chip: Ascend910 AiCore doesn't support bias_tensor", {"bias_tensor": 1}),
]


@pytest.mark.parametrize("text,case", MMAD)
def test_mmad_refusals(text, case):
    refused(text, attempt_mmad(**case))


@pytest.mark.parametrize("m,fault", [(32, None), (4096, "V2001: mmad: matrix_m is 4096"),
                                     (64, "V1001: mmad: ")])
def test_numbers_that_are_known_at_run_time(m, fault):
    """A Scalar for the rows; beyond its range or the Tensors it is a fault of the run."""
    rng = np.random.default_rng(SEED)
    a, b = integers(rng, "float16", (32, 16)), integers(rng, "float16", (16, 16))
    kernel = Kernel("Ascend910A")
    kernel.old = True
    operands = []
    for matrix, scope in ((to_zz(a), L0A), (to_nz(b), L0B)):
        source = kernel.load(matrix, L1)
        operands.append(kernel.local("float16", matrix.shape, scope))
        repeats = kernel.tik.Scalar("int32", "repeats", init_value=matrix.size // FRACTAL)
        load_2d(kernel, operands[-1], source, 0, repeats, 0, 1)
    result = kernel.local("float32", (1, 32, 16), L0C)
    rows = kernel.tik.Scalar("int32", "rows", init_value=m)
    kernel.tik.mmad(result, *operands, rows, 16, 16, 0)
    kernel.read(result)
    if fault:
        refused(fault, kernel.run)
    else:
        assert (kernel.run()[0][0] == a.astype(np.int64) @ b.astype(np.int64)).all()


def test_the_ends_of_mmads_ranges_are_legal():
    attempt_mmad(sizes=(0, 0, 0))()
    attempt_mmad(sizes=(64, 16, 16))()
    attempt_mmad(sizes=(16, 64, 16), is_bias=True)()
    attempt_mmad(sizes=(2, 16, 64))()


@pytest.mark.parametrize("soc", [SPLIT, LITE])
def test_l1_goes_to_gm_where_it_can(soc):
    kernel, given = Kernel(soc), np.arange(256, dtype=np.float16)
    kernel.tik.data_move(kernel.out("float16", (2, 64)), kernel.load(given, L1), 0, 2, 4, 8, 0)
    left, = kernel.run()
    assert (left.ravel() == np.r_[given[:64], given[192:]]).all()


@pytest.mark.parametrize("soc", COUPLED)
def test_l1_does_not_go_to_gm_elsewhere(soc):
    kernel = Kernel(soc)
    tensor = kernel.local("float16", (256,), L1)
    refused("data_move doesn't support L1 to GM", lambda: kernel.tik.data_move(
        kernel.out("float16", (256,)), tensor, 0, 1, 16, 0, 0))


def test_mmad_with_a_row_of_the_bias_table():
    rng = np.random.default_rng(SEED)
    bias = integers(rng, "float32", (32,), 99)
    kernel = Kernel(SPLIT)
    kernel.old = False
    left, right = (kernel.load(IDENTITY, L1) for _ in range(2))
    table_source = kernel.load(bias, L1)
    a, b = kernel.local("float16", (256,), L0A), kernel.local("float16", (256,), L0B)
    load_2d(kernel, a, left, 0, 1, 0, 0)
    load_2d(kernel, b, right, 0, 1, 0, 0)
    result = kernel.local("float32", (1, 16, 16), L0C)
    kernel.tik.matmul(result, left, right, 16, 16, 16, bias=table_source)
    kernel.tik.mmad(result, a, b, 16, 16, 16, 0, bias_tensor=result)
    kernel.read(result)
    assert (kernel.run()[0][0] == 2 * np.eye(16) + bias[:16]).all()


LOAD_2D = [
    ("load2d doesn't support UB to L0A", (0, 1, 1, 0), {"src": (UB, "float16")}),
    ("load2d doesn't support L1 to UB", (0, 1, 1, 0), {"dst": (UB, "float16")}),
    ("load2d doesn't support L1 to L1", (0, 1, 1, 0), {"dst": (L1, "float16")}),
    ("Address align error, dst[16]", (0, 1, 1, 0), {"start": 16}),
    ("dst and src should have the same dtype", (0, 1, 1, 0), {"src": (L1, "int8")}),
    ("if_transpose should be bool", (0, 1, 1, 0, 1), {}),
    ("if_transpose is for 16-bit types", (0, 1, 1, 0, True),
     {"src": (L1, "int8"), "dst": (L0A, "int8")}),
    ("addr_mode should be 0 or 1", (0, 1, 1, 0, False, 2), {}),
    ("sid should be in the range of [0, 15]", (0, 1, 1, 16), {}),
    ("index should be in the range of [0, 65535], input value is -1", (-1, 1, 1, 0), {}),
    ("index should be in the range of [0, 65535], input value is 65536", (65536, 1, 1, 0), {}),
    ("repeat_times should be in the range of [1, 255], input value is 0", (0, 0, 1, 0), {}),
    ("repeat_times should be in the range of [1, 255], input value is 256", (0, 256, 1, 0), {}),
    ("src_stride should be in the range of [0, 65535]", (0, 1, 65536, 0), {}),
    ("src tensor overflow", (8, 1, 1, 0), {}),
    ("src tensor overflow", (0, 3, 4, 0), {}),
    ("dst tensor overflow", (0, 9, 0, 0), {}),
    ("current chip: Ascend910 AiCore doesn't support dst uint64", (0, 1, 1, 0),
     {"src": (L1, "uint64"), "dst": (L0A, "uint64")}),
    ("current chip: Ascend910B AiCore doesn't support load2dv1", (0, 1, 1, 0), {"soc": SPLIT}),
]


@pytest.mark.parametrize("text,numbers,more", LOAD_2D)
def test_load_2d_refusals(text, numbers, more):
    refused(text, attempt_load("load2dv1", *numbers, **more))


def test_load_2d_v2_refusals():
    for text, numbers in (("dst_gap should be in the range of [0, 65535]", (0, 1, 65536, 1, 0)),
                          ("dst tensor overflow", (0, 2, 7, 0, 0))):
        refused(text, attempt_load("load2dv2", *numbers, soc="Ascend310P3"))
    attempt_load("load2dv2", 0, 2, 6, 7, 15, soc="Ascend310P3")()
    for soc in COUPLED[:2]:
        refused(f"current chip: {soc.rstrip('A')} AiCore doesn't support load2dv2",
                attempt_load("load2dv2", 0, 1, 0, 1, 0, soc=soc))


def test_the_ends_of_load_2ds_ranges_are_legal():
    attempt_load("load2dv1", 7, 8, 0, 15)()
    attempt_load("load2dv1", 0, 8, 1, 0)()
    attempt_load("load2dv1", 0, 1, 65535, 0)()


@pytest.mark.parametrize("method,count", [("mmad", 5), ("load2dv1", 4), ("load2dv2", 5),
                                          ("col2img", 14)])
def test_nothing_is_checked_where_nothing_runs(method, count):
    instance = tik.Tik()
    with instance.if_scope(False):
        getattr(instance, method)(None, None, *[None] * count)
