"""Matmul with copies by the kernel, a sparse B, and several batches, against their definitions."""

import numpy as np
import pytest

from api_kit import KERNELS
from harness import Out, Value, check_clean, run_kernel
from matmul_cases import FIELDS, WHOLE, random_case, run_cases, up, zn

ROOM, C_BYTES = 65536, 131072


def tiling(m, n, k, base, **more):
    """The 50 numbers."""
    values = dict.fromkeys(FIELDS, 0) | dict(
        usedCoreNum=1, isBias=1, M=m, N=n, Ka=k, Kb=k, singleCoreM=m, singleCoreN=n, singleCoreK=k,
        baseM=base[0], baseN=base[1], baseK=base[2], stepM=1, stepN=1) | more
    return [values[field] for field in FIELDS]


def layout(side, b, s, n, g, d):
    """The axes of a batch."""
    axes = ("B", "S1", "N", "G", "S2") if side == "C" else "BSNGD"
    return {f"{side}LayoutInfo{axis}": size for axis, size in zip(axes, (b, s, n, g, d))}


def compressed(dense):
    """Of B as [n, k], two of each four neighbours: them, and their indices in NZ."""
    n, k = dense.shape
    values, bits = np.zeros((n, k // 2), np.int8), np.zeros((n, k // 2), np.uint8)
    for row in range(n):
        for group in range(k // 4):
            places = np.flatnonzero(dense[row, 4 * group:4 * group + 4])
            assert len(places) == 2
            values[row, 2 * group:2 * group + 2] = dense[row, 4 * group + places]
            bits[row, 2 * group:2 * group + 2] = places[0], places[1] - 1
    packed = sum(bits[:, i::4] << 2 * i for i in range(4)).astype(np.uint8)
    return values, zn(packed, 8)


def call(options=(), **changed):
    """Runs all four blocks. What came out, and what is wanted."""
    rng = np.random.default_rng(21)
    a, b = np.zeros((2, 4, ROOM), np.uint8)
    c = np.full((4, C_BYTES), 255, np.uint8)

    def put(array, block, values, dtype):
        data = np.frombuffer(np.ascontiguousarray(values).astype(dtype).tobytes(), np.uint8)
        array[block, :data.size] = data

    wanted, tilings = [], []
    # A taken from column 3 on; what is wanted has no negative numbers.
    m, n, k, base = 70, 50, 83, (32, 32, 16)
    shape = np.array([m, n, k, *base], np.int32)
    left, right = rng.integers(-4, 5, (m, k)), rng.integers(-4, 5, (k - 3, n))
    put(a, 0, left, np.float16)
    put(b, 0, right, np.float16)
    wanted.append(np.maximum(left[:, 3:] @ right, 0).astype(np.float32))
    tilings.append(tiling(m, n, k - 3, base))
    # Sparse.
    m, n, k = 40, 70, 200
    dense = np.zeros((n, k), np.int64)
    for group in dense.reshape(-1, 4):
        group[rng.choice(4, 2, replace=False)] = rng.choice([-5, -2, 1, 3, 7], 2)
    values, index = compressed(dense)
    left = rng.integers(-9, 10, (m, k))
    put(a, 1, left, np.int8)
    put(b, 1, values, np.int8)
    sparse = left @ dense.T
    wanted.append(np.concatenate([sparse, sparse + sparse[0]]).astype(np.int32))
    tilings.append(tiling(m, n, changed.get("k", k), (32, 48, changed.get("base_k", 64))))
    # B x N x G = 2 x 2 x 1 matrices A, and B without N; 2 x 1 x 3 of which C has sums.
    m, n, k = 20, 24, 40
    for block, (axes, of_b, of_c) in enumerate([((2, 2, 1), (2, 1, 1), (2, 2, 1)),
                                                ((2, 1, 3), (2, 1, 3), (2, 1, 1))], 2):
        left, right = rng.integers(-4, 5, (*axes, m, k)), rng.integers(-4, 5, (*of_b, n, k))
        product = left @ np.swapaxes(right, 3, 4)
        product = product.sum(axis=2, keepdims=True) if of_c != axes else product
        lay = lambda x: x.transpose(0, 3, 1, 2, 4)  # b, s, n, g, d
        put(a, block, lay(left), np.float16)
        put(b, block, lay(right), np.float16)
        wanted.append(lay(product).astype(np.float32))
        where = {}
        for side, (outer, heads, groups), s, d in (("A", axes, m, k), ("B", of_b, n, k),
                                                   ("C", of_c, m, n)):
            where |= layout(side, outer, s, heads, groups, d)
        tilings.append(tiling(m, n, k, (16, 16, 16), **where))
    run = run_kernel(KERNELS / "matmul_special.cpp", a, b, index, shape,
                     np.array(tilings, np.int32), Out("uint8", 4, C_BYTES, part=True),
                     Value("int32", ROOM), Value("int32", C_BYTES), soc="Ascend910B1", blocks=4,
                     options=list(options))
    return run, wanted


def test_all():
    run, wanted = call()
    check_clean(run)
    for got, want in zip(run.outputs[0], wanted):
        data = np.frombuffer(want.tobytes(), np.uint8)
        assert (got[:data.size] == data).all()
        assert (got[data.size:] == 255).all()


@pytest.mark.parametrize("changed, code", [
    ({"k": 204}, "V2002"), ({"base_k": 32}, "V2002")])
def test_refused_sparse(changed, code):
    """Whole bytes of indices; blocks of whole columns."""
    run, _ = call(**changed)
    assert {fault["code"] for fault in run.report["faults"]} == {code}


@pytest.mark.parametrize("changed, code", [
    ({"n": 100}, "V2002"), ({"base_m": 1040}, "V1002"), ({"trans_a": 1}, "V2004"),
    ({"n": 1024, "base_n": 1024, "base_m": 16, "base_k": 32, "bias": True, "quant": 1}, "V1006")])
def test_refused_on_whole_cores(changed, code):
    """Rows of C that are no whole datablocks; blocks that L0A cannot hold; A of int8, transposed; a
    bias and scales for which SetLocalWorkspace's 8192 bytes are too few."""
    rng = np.random.default_rng(10)
    case = random_case(rng, WHOLE, 6) | dict(m=1100, n=128, k=128, trans_a=0, mode=0, bias=False,
                                             base_m=64, base_n=64, base_k=64, more=0, dims=(1, 1))
    with pytest.raises(AssertionError, match=code):
        run_cases([case | changed], WHOLE, rng)
    assert up(case["n"], 32) == case["n"] and not run_cases([case], WHOLE, rng)


def forms(rows_of_scalar=1):
    """Four AIVs: what came out, and what is wanted."""
    rng = np.random.default_rng(31)
    shapes = [(1, 50, 70), (20, 24, 40), (16, 24, 33), (12, 16, 20)]
    a, b = np.zeros((2, 4, ROOM // 2), np.float16)
    wanted, tilings = [], []
    for block, (m, n, k) in enumerate(shapes):
        count = (1, 1, 3, 4)[block]
        left, right = rng.integers(-4, 5, (count, m, k)), rng.integers(-4, 5, (count, k, n))
        product = left @ right
        where = {}
        if block == 0:
            product = 3 * right.sum(axis=1)
        if block == 1:
            product = np.concatenate([product] * 4)
        if block == 2:
            for side, s, d in (("A", m, k), ("B", k, n), ("C", m, n)):
                where |= layout(side, 3, s, 1, 1, d)
        if block == 3:  # b, s, n, g, d of 2 x 2 matrices
            lay = lambda x: x.reshape(2, 2, *x.shape[1:]).transpose(0, 2, 1, 3)
            left, right, product = lay(left), lay(right), lay(product)
            for side, s, d in (("A", m, k), ("B", k, n), ("C", m, n)):
                where |= layout(side, 2, s, 2, 1, d)
        a[block, :left.size], b[block, :right.size] = left.reshape(-1), right.reshape(-1)
        wanted.append(product.reshape(-1))
        tilings.append(tiling(m, n, k, (32, 32, 32), **where))
    run = run_kernel(KERNELS / "matmul_forms.cpp", a, b, np.array(tilings, np.int32),
                     Out("float", 4, ROOM // 4, part=True), Out("float", ROOM, part=True),
                     Value("int32", ROOM), Value("int32", rows_of_scalar), soc="Ascend910B1",
                     blocks=2, extra=["--cores", "mix12"])
    return run, wanted


def test_forms():
    run, wanted = forms()
    check_clean(run)
    for got, want in zip(run.outputs[0], wanted):
        assert got[:want.size].tolist() == want.tolist()
        assert np.isnan(got[want.size:]).all()


@pytest.mark.parametrize("schedule", ["eager", "lazy"])
@pytest.mark.parametrize("how", range(3))
def test_operands_are_free_behind_iterate(how, schedule):
    rng = np.random.default_rng(34)
    m, n, k = 32, 16, 48
    a, b = rng.integers(-8, 9, (m, k)), rng.integers(-8, 9, (k, n))
    run = run_kernel(KERNELS / "matmul_operands.cpp", a.astype(np.float16), b.astype(np.float16),
                     np.array(tiling(m, n, k, (32, 16, 32)), np.int32), Out("float", m, n),
                     Value("int32", how), soc="Ascend910B1",
                     extra=["--cores", "mix12", "--schedule", schedule])
    check_clean(run)
    assert run.outputs[0].tolist() == (a @ b).tolist()


def test_a_number_is_one_row():
    run, _ = forms(rows_of_scalar=2)
    assert {*run.codes} == {"V2004"} and "SetTensorA" in run.faults[0]["message"]


def test_a_as_one_number_where_aics_are_alone():
    k, n = 77, 45
    b = np.random.default_rng(33).integers(-8, 9, (k, n))
    run = run_kernel(KERNELS / "matmul_row_aic.cpp", b.astype(np.float16),
                     np.array(tiling(1, n, k, (16, 48, 32)), np.int32), Out("float", n),
                     soc="Ascend910B1", extra=["--cores", "aic"])
    check_clean(run)
    assert run.outputs[0].tolist() == (3 * b.sum(axis=0)).tolist()


def column(cores, blocks, transposed, columns=1, schedule="eager"):
    kernel = "matmul_column.cpp" if cores == "mix12" else "matmul_column_aic.cpp"
    rng = np.random.default_rng(32)
    m, k = 45, 77
    a = rng.integers(-8, 9, (2, m, k))
    stored = [np.ascontiguousarray(x.T if transposed else x) for x in a]
    run = run_kernel(KERNELS / kernel, stored[0].astype(np.float16),
                     stored[1].astype(np.float32), np.array(tiling(m, 1, k, (32, 16, 32)), np.int32),
                     Out("float", 2, m, part=columns != 1), Value("int32", m),
                     Value("int32", columns), Value("int32", k), Value("int32", int(transposed)),
                     soc="Ascend910B1", blocks=blocks,
                     extra=["--cores", cores, "--schedule", schedule])
    return run, -3 * a.sum(axis=2)


@pytest.mark.parametrize("schedule", ["eager", "lazy"])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("cores, blocks", [("mix12", 1), ("aic", 2)])
def test_b_as_one_number(cores, blocks, transposed, schedule):
    """Sums of the rows of A, times it; exact, for all are integers."""
    run, wanted = column(cores, blocks, transposed, schedule=schedule)
    check_clean(run)
    assert run.outputs[0].tolist() == wanted.tolist()


def test_b_as_one_number_is_one_column():
    run, _ = column("mix12", 1, False, columns=2)
    assert "V2004" in run.codes and "SetTensorB" in run.faults[0]["message"]


@pytest.mark.parametrize("schedule", ["eager", "lazy"])
def test_aic_and_aiv_on_their_own(schedule):
    rng = np.random.default_rng(41)
    m, n, k, blocks = 48, 40, 70, 3
    a, b = rng.integers(-4, 5, (2 * blocks, m, k)), rng.integers(-4, 5, (k, n))
    run = run_kernel(KERNELS / "matmul_dual.cpp", a.astype(np.float16), b.astype(np.float16),
                     np.array(tiling(m, n, k, (32, 32, 32)), np.int32),
                     Out("float", 2 * blocks, m, n), Out("float", 2 * blocks, m, n),
                     soc="Ascend910B1", blocks=blocks,
                     extra=["--cores", "mix11", "--schedule", schedule])
    check_clean(run)
    assert (run.outputs[0] == a @ b).all() and (run.outputs[1] == a @ b + 1).all()


@pytest.mark.parametrize("both", [0, 1])
def test_no_tile_is_multiplied_twice(both, monkeypatch, tmp_path):
    """Though the other AIV, or another object, iterates before it is fetched."""
    rng = np.random.default_rng(44)
    m, n, k, blocks = 48, 40, 30, 2
    a, b = rng.integers(-4, 5, (4 * blocks, m, k)), rng.integers(-4, 5, (k, n))
    monkeypatch.setenv("VINCI_SELF_CHECK", f"trace={tmp_path / 'trace'}")
    run = run_kernel(KERNELS / "matmul_pair.cpp", a.astype(np.float16), b.astype(np.float16),
                     np.array(tiling(m, n, k, (32, 32, 32)), np.int32),
                     Out("float", 4 * blocks, m, n), Value("int32", both), soc="Ascend910B1", blocks=blocks,
                     extra=["--cores", "mix12"])
    check_clean(run)
    assert (run.outputs[0] == a @ b).all()
    steps = "".join(trace.read_text() for trace in tmp_path.glob("trace.*"))
    assert steps.count("step mmad ") == len(a) * 4  # tiles of 32 x 32 in 48 x 40


@pytest.mark.parametrize("form", ["ND_ALIGN", "ND"])
def test_batches_of_rows_that_are_no_whole_datablocks(form):
    """In UB they are filled up, with ND_ALIGN; ND has no such rows there."""
    rng = np.random.default_rng(48)
    m, n, k, batch = 5, 11, 20, 3
    a, b = rng.integers(-4, 5, (2 * batch, m, k)), rng.integers(-4, 5, (2 * batch, k, n))
    where = {}
    for side, s, d in (("A", m, k), ("B", k, n), ("C", m, n)):
        where |= layout(side, 2, s, batch, 1, d)
    run = run_kernel(KERNELS / "matmul_batch_align.cpp", a.astype(np.float16), b.astype(np.float16),
                     np.array(tiling(m, n, k, (16, 16, 16), **where), np.int32),
                     Out("float", 3, batch, m, 16, part=form == "ND"), Out("float", 2 * batch, m, 16, part=True),
                     Value("int32", batch), soc="Ascend910B1", options=[f"-DFORMAT={form}"],
                     extra=["--cores", "mix11"])
    if form == "ND":
        assert run.faults[0]["code"] == "V2004"
        assert run.faults[0]["message"] == "IterateBatch: rows of 44 bytes of C to UB in ND"
        return
    check_clean(run)
    product = (a @ b).reshape(2, batch, m, n)
    assert (run.outputs[0][..., :n] == [product[0], *product]).all()


@pytest.mark.parametrize("sync", [0, 1])
@pytest.mark.parametrize("n", [64, 66, 70, 96 + 17])
def test_tiles_of_bytes_in_nz(n, sync):
    """Columns of 32, of which the last has fewer."""
    rng = np.random.default_rng(49)
    m, k = 48, 40
    a, b = rng.integers(-2, 3, (m, k)), rng.integers(-2, 3, (k, n))
    run = run_kernel(KERNELS / "matmul_nz_bytes.cpp", a.astype(np.int8), b.astype(np.int8),
                     np.array(tiling(m, n, k, (48, 64, 64)), np.int32), Out("int8", up(n, 32) * m),
                     Out("int8", 2 * 48 * 64, part=True), Value("int32", sync), soc="Ascend910B1",
                     extra=["--cores", "mix11"])
    check_clean(run)
    assert (run.outputs[0] == zn((a @ b).astype(np.int8), 32).reshape(-1)).all()


@pytest.mark.parametrize("n", [96, 100, 40])
def test_scales_that_lie_in_l1(n):
    rng = np.random.default_rng(50)
    m, k = 30, 64
    a, b = rng.integers(-8, 9, (m, k)), rng.integers(-8, 9, (k, n))
    scales = rng.choice(np.array([0.5, 0.25, 2], np.float32), n)
    words = np.zeros(up(n, 4), np.uint64)
    words[:n] = scales.view(np.uint32).astype(np.uint64) | np.uint64(1 << 46)
    run = run_kernel(KERNELS / "matmul_scales_l1.cpp", a.astype(np.int8), b.astype(np.int8), words,
                     np.array(tiling(m, n, k, (16, 32, 32)), np.int32), Out("half", 2, m, n),
                     Value("int32", 2), soc="Ascend910B1", extra=["--cores", "aic"])
    check_clean(run)
    assert (run.outputs[0] == (a @ b * scales).astype(np.float16)).all()


def test_a_and_c_in_tscm_of_an_aiv():
    rng = np.random.default_rng(43)
    m, n, k, aivs = 37, 50, 50, 4
    a, b = rng.integers(-4, 5, (aivs, m, k)), rng.integers(-4, 5, (k, n))
    fractals = np.stack([zn(matrix, 16) for matrix in a]).astype(np.float16)
    run = run_kernel(KERNELS / "matmul_tscm.cpp", fractals, b.astype(np.float16),
                     np.array(tiling(m, n, k, (32, 32, 32)), np.int32), Out("float", 2, aivs, m, n),
                     Value("uint32", fractals[0].size), soc="Ascend910B1", blocks=aivs // 2,
                     extra=["--cores", "mix12"])
    assert run.code == 0, run.stderr
    assert (run.outputs[0] == [a @ b, a @ b @ b]).all()


@pytest.mark.parametrize("cores", ["mix12", "mix11"])
def test_a_tail_behind_its_tensors(cores):
    """As much of a tensor in UB is multiplied as the sizes want that hold at last."""
    rng = np.random.default_rng(47)
    m, n, k = 48, 32, 64
    few, whole, b = (rng.integers(-4, 5, shape) for shape in ((16, 48), (m, k), (k, n)))
    bias = rng.integers(-9, 10, n)
    run = run_kernel(KERNELS / "matmul_tail_last.cpp",
                     np.concatenate([few.ravel(), whole.ravel()]).astype(np.float16),
                     b.astype(np.float16), bias.astype(np.float32),
                     np.array(tiling(m, n, k, (m, n, k), isBias=1), np.int32),
                     Out("float", 16, n, part=True), Out("float", m, n), soc="Ascend910B1",
                     extra=["--cores", cores])
    check_clean(run)
    assert (run.outputs[0][:, :16] == few @ b[:48, :16] + bias[:16]).all()
    assert (run.outputs[1] == whole @ b + bias).all()


def test_transposed_without_the_types_saying_so():
    """Each is told at its call, and the product is the one that is meant."""
    rng = np.random.default_rng(29)
    m, n, k = 40, 56, 70
    a, b = rng.integers(-4, 5, (m, k)), rng.integers(-4, 5, (k, n))
    run = run_kernel(KERNELS / "matmul_transposed.cpp", np.ascontiguousarray(a.T, np.float16),
                     np.ascontiguousarray(b.T, np.float16),
                     np.array(tiling(m, n, k, (32, 32, 32)), np.int32), Out("float", m, n),
                     soc="Ascend310P3")
    told = [(fault["code"], fault["lines"][0]["line"]) for fault in run.report["faults"]]
    assert run.code == 0 and told == [("V2019", 21), ("V2019", 22)]
    assert (run.outputs[0] == a @ b).all()


@pytest.mark.parametrize("bias, room, code, words, mark", [
    (1, 4096, None, None, None), (0, 4096, "V2004", "SetBias: isBias of the tiling is 0", "// BIAS"),
    (1, 2048, "V1001", "GetTensorC: dst writes bytes 0..4095 of a tensor of 2048 bytes", "// FETCHES")])
def test_a_mistake_is_told_at_its_method(bias, room, code, words, mark):
    rng = np.random.default_rng(5)
    a, b, row = rng.integers(-4, 5, (32, 32)), rng.integers(-4, 5, (32, 32)), rng.integers(-9, 10, 32)
    kernel = KERNELS / "matmul_mistakes.cpp"
    run = run_kernel(kernel, a.astype(np.float16), b.astype(np.float16), row.astype(np.float32),
                     np.array(tiling(32, 32, 32, (32, 32, 32), isBias=bias), np.int32),
                     Out("float", 32, 32, part=True), Value("int32", room), soc="Ascend910B1",
                     extra=["--cores", "mix11"])
    if code is None:
        check_clean(run)
        assert (run.outputs[0] == a @ b + row).all()
        return
    fault = run.faults[0]
    line = next(n for n, text in enumerate(kernel.read_text().splitlines(), 1) if mark in text)
    assert (fault["code"], fault["lines"][0]["line"]) == (code, line), run.stderr
    assert fault["message"].startswith(words), fault["message"]


@pytest.mark.parametrize("shape, base, words", [
    ((64, 48, 40), (32, 16, 16), None),
    ((48, 48, 32), (32, 16, 16), "Matmul: singleCoreM is 48"),
    ((64, 40, 32), (32, 16, 16), "Matmul: singleCoreN is 40"),
    ((64, 48, 32), (16, 16, 16), "Matmul: baseM is 16"),
    ((64, 48, 32), (32, 48, 16), "Matmul: baseN is 48"),
    ((64, 48, 32), (32, 16, 32), "Matmul: baseK is 32")])
def test_basic_blocks_are_whole_and_those_of_the_configuration(shape, base, words):
    rng = np.random.default_rng(6)
    m, n, k = shape
    a, b = rng.integers(-4, 5, (m, k)), rng.integers(-4, 5, (k, n))
    kernel = KERNELS / "matmul_basic_block.cpp"
    run = run_kernel(kernel, a.astype(np.float16), b.astype(np.float16),
                     np.array(tiling(m, n, k, base), np.int32), Out("float", m, n, part=True),
                     soc="Ascend910B1", extra=["--cores", "mix11"])
    if words is None:
        check_clean(run)
        assert (run.outputs[0] == a @ b).all()
        return
    (fault,) = run.faults
    line = next(n for n, text in enumerate(kernel.read_text().splitlines(), 1) if "HERE" in text)
    assert (fault["code"], fault["lines"][0]["line"]) == ("V2001", line), run.stderr
    assert fault["message"] == words, fault["message"]


@pytest.mark.parametrize("which, words", [
    (0, None), (1, "SetHF32: enableHF32 of an AIV's object is 1"), (2, "SetBatchNum: batchA of an AIV's object is 2")])
def test_what_kernels_of_aics_alone_have(which, words):
    rng = np.random.default_rng(7)
    a, b = rng.integers(-4, 5, (32, 32)), rng.integers(-4, 5, (32, 32))
    kernel = KERNELS / "matmul_of_aivs.cpp"
    run = run_kernel(kernel, a.astype(np.float32), b.astype(np.float32),
                     np.array(tiling(32, 32, 32, (32, 32, 32)), np.int32), Out("float", 32, 32, part=True),
                     Value("int32", which), soc="Ascend910B1", extra=["--cores", "mix11"])
    if words is None:
        check_clean(run)
        assert (run.outputs[0] == a @ b).all()
        return
    fault = run.faults[0]
    line = next(n for n, text in enumerate(kernel.read_text().splitlines(), 1) if f"HERE {which}" in text)
    assert (fault["code"], fault["message"], fault["lines"][0]["line"]) == ("V2001", words, line), run.stderr
    assert fault["legal"] == "none: kernels of AICs alone have it (ASCENDC_CUBE_ONLY)"
