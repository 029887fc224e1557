"""The Matmul object against C = A * B + bias, in whole numbers, which must come out exactly."""

import numpy as np
import pytest

from api_kit import KERNELS
from harness import Out, Value, check_clean, run_kernel, times_more
from matmul_cases import (ASYNC_TILES, FIELDS, MIX, OF_KIND, ONLY_AIC, PLAIN, TILES, WHOLE,
                          parts_of, random_case, run_cases, zn)


@pytest.mark.parametrize("kind", [ONLY_AIC, MIX, WHOLE, PLAIN])
def test_random(kind):
    rng = np.random.default_rng(5)
    cases = [random_case(rng, kind) for _ in range(30)]
    assert not run_cases(cases, kind, rng)


@pytest.mark.whole
@pytest.mark.parametrize("kind", [ONLY_AIC, MIX, WHOLE, PLAIN])
def test_many(kind):
    rng = np.random.default_rng(21)
    cases = [random_case(rng, kind) for _ in range(times_more(700))]
    assert {case["combination"] for case in cases} == set(OF_KIND[kind])
    assert {len(parts_of(case)) for case in cases} >= {1, 2, 3, 4, 6, 8, 12, 24}
    assert not run_cases(cases, kind, rng)


def test_batches():
    """Four products of 20 x 40 x 50, as b x n = 2 x 2 axes, in three layouts; two B for four A;
    and A and B in NZ."""
    rng = np.random.default_rng(9)
    m, n, k, room = 20, 40, 50, 32768
    a, b = rng.integers(-4, 5, (4, m, k)), rng.integers(-4, 5, (4, n, k))
    bias = rng.integers(-9, 10, (4, n))
    wanted = a @ b.transpose(0, 2, 1) + bias[:, None]

    def bsngd(matrices):
        """From (b, n), s, d to b, s, n, d."""
        return matrices.reshape(2, 2, *matrices.shape[1:]).transpose(0, 2, 1, 3)

    def sbngd(matrices):
        return matrices.transpose(1, 0, 2)

    def same(matrices):
        return matrices

    def nz(matrices):
        return np.stack([zn(matrix, 16) for matrix in matrices])

    layouts = [(same, 4, 1), (bsngd, 2, 2), (sbngd, 2, 2), (same, 4, 1), (nz, 4, 1)]
    results = [wanted] * 3 + [a @ np.repeat(b[:2], 2, axis=0).transpose(0, 2, 1) + bias[0], wanted]
    inputs = [np.zeros((5, room // width), dtype) for width, dtype in
              ((2, np.float16), (2, np.float16), (4, np.float32))]
    tilings, c_bytes = [], 4 * m * n * 4
    for block, (lay, outer, inner) in enumerate(layouts):
        for array, values in zip(inputs, (lay(a), lay(b), bias)):
            array[block, :values.size] = values.reshape(-1)
        values = dict.fromkeys(FIELDS, 0) | dict(
            usedCoreNum=1, isBias=1, M=m, N=n, Ka=k, Kb=k, singleCoreM=m, singleCoreN=n, singleCoreK=k,
            baseM=16, baseN=32, baseK=32, stepM=1, stepN=1)
        for name, (s, d) in (("A", (m, k)), ("B", (n, k)), ("C", (m, n))):
            axes = zip(("B", "S1", "N", "G", "S2") if name == "C" else "BSNGD",
                       (outer, s, inner, 1, d))
            values |= {f"{name}LayoutInfo{axis}": size for axis, size in axes}
        tilings.append([values[field] for field in FIELDS])
    run = run_kernel(KERNELS / "matmul_batch.cpp", *inputs, np.array(tilings, np.int32),
                     Out("float", 5 * c_bytes // 4), Value("int32", room),
                     Value("int32", c_bytes), soc="Ascend910B1", blocks=5)
    check_clean(run)
    for got, (lay, _, _), result in zip(run.outputs[0].reshape(5, -1), layouts, results):
        laid = result if lay is nz else lay(result)
        assert (got == laid.reshape(-1)).all()


def test_triangles():
    """Of tiles of 80 x 64, numbered from the corner: what is left out keeps its value."""
    rng = np.random.default_rng(11)
    m, n, k, base_m, base_n = 638, 509, 48, 80, 64
    a, b = rng.integers(-4, 5, (m, k)), rng.integers(-4, 5, (k, n))
    tiling = dict.fromkeys(FIELDS, 0) | dict(
        usedCoreNum=1, isBias=1, M=m, N=n, Ka=k, Kb=k, singleCoreM=m, singleCoreN=n, singleCoreK=k,
        baseM=base_m, baseN=base_n, baseK=48, stepM=1, stepN=1)
    run = run_kernel(KERNELS / "matmul_triangle.cpp", a.astype(np.float16), b.astype(np.float16),
                     np.array([tiling[field] for field in FIELDS], np.int32),
                     Out("float", 2, m, n, part=True), Value("int32", m * n * 4),
                     soc="Ascend910B1", blocks=2)
    check_clean(run)
    rows, columns = np.arange(m)[:, None] // base_m, np.arange(n) // base_n
    for got, wanted in zip(run.outputs[0], (rows <= columns, rows >= columns)):
        assert (got[wanted] == (a @ b)[wanted]).all() and np.isnan(got[~wanted]).all()


@pytest.mark.parametrize("name, value, code", [
    ("base_m", 24, "V2002"), ("base_n", 1024, "V1002"), ("base_k", 40, "V2002"), ("k", 0, "V2001")])
def test_refused(name, value, code):
    """A tiling that is not legal is told, with its name, and nothing is written."""
    rng = np.random.default_rng(10)
    case = random_case(rng, ONLY_AIC, 0) | dict(m=100, n=1500, k=100, mode=0, bias=False, base_m=64,
                                             base_n=64, base_k=64, more=0,
                                             dims=(1, 1))
    with pytest.raises(AssertionError, match=code):
        run_cases([case | {name: value}], ONLY_AIC, rng)


@pytest.mark.parametrize("kind, mode, name", [
    (ONLY_AIC, TILES, "base_m"), (MIX, TILES, "base_n"), (MIX, ASYNC_TILES, "base_m")])
def test_no_tiles(kind, mode, name):
    """A tiling that nobody has filled: Iterate is false at once, and says why."""
    rng = np.random.default_rng(11)
    case = random_case(rng, kind, 0) | dict(m=100, n=64, k=100, mode=mode, bias=False, base_m=64, base_n=64,
                                            base_k=64, more=0, dims=(1, 1))
    with pytest.raises(AssertionError, match="V2001"):
        run_cases([case | {name: 0}], kind, rng)
