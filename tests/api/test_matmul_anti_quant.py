"""Half by int8 against (B + offset) * scale in numpy's half, and their product in doubles."""

import numpy as np
import pytest

from api_kit import KERNELS
from harness import Out, Value, check_clean, run_kernel
from matmul_cases import FIELDS

ROOM, CORES = 65536, 8


def run(cases, soc="Ascend310P3"):
    """Each case: m, n, k, transposed, vector, mode, whether B's rows are longer than the core's."""
    rng = np.random.default_rng(23)
    a, b = np.zeros((CORES, ROOM), np.float16), np.zeros((CORES, ROOM), np.int8)
    numbers, bias = np.zeros((CORES, 1024), np.float16), np.zeros((CORES, 512), np.float32)
    table, wanted = np.zeros((CORES, 4 + len(FIELDS)), np.int32), []
    for block, (m, n, k, transposed, vector, mode, wide) in enumerate(cases):
        left = rng.standard_normal((m, k)).astype(np.float16)
        right = rng.integers(-128, 128, (k, n)).astype(np.int8)
        count = n if vector else 1
        offset, scale = (rng.uniform(low, high, count).astype(np.float16)
                         for low, high in ((-40, 40), (-2, 2)))
        bias[block, :n] = rng.standard_normal(n)
        stored = right.T if transposed else right
        # What stands beside the core's part belongs to another one.
        rows = np.full((stored.shape[0], stored.shape[1] + 32 * wide), 99, np.int8)
        rows[:, :stored.shape[1]] = stored
        a[block, :left.size] = left.reshape(-1)
        b[block, :rows.size] = rows.reshape(-1)
        numbers[block, :count], numbers[block, 512:512 + count] = offset, scale
        values = dict.fromkeys(FIELDS, 0) | dict(
            usedCoreNum=1, isBias=1, M=m, N=n + (0 if transposed else 32 * wide), Ka=k,
            Kb=k + (32 * wide if transposed else 0), singleCoreM=m, singleCoreN=n, singleCoreK=k,
            baseM=32, baseN=64, baseK=64, stepM=1, stepN=1)
        table[block] = [transposed, vector, mode, n] + [values[field] for field in FIELDS]
        halves = (right.astype(np.float16) + offset) * scale
        assert halves.dtype == np.float16
        product = left.astype(np.float64) @ halves.astype(np.float64) + bias[block, :n]
        sizes = np.abs(left.astype(np.float64)) @ np.abs(halves.astype(np.float64))
        wanted.append((product, sizes, 32 * wide if not transposed else 0))
    done = run_kernel(KERNELS / "matmul_anti_quant.cpp", a, b, numbers, bias, table,
                      Out("float", CORES, ROOM, part=True), Value("int32", ROOM), soc=soc,
                      blocks=len(cases))
    return done, wanted


def test_half_by_int8():
    """Both ways B may lie, one number or a vector, all at once or tiles, parts of a wider B."""
    done, wanted = run([(20, 96, 70, 0, 0, 0, 0), (33, 64, 130, 0, 1, 0, 0),
                        (50, 70 // 8 * 8, 96, 1, 0, 0, 0), (17, 40, 128, 1, 1, 1, 0),
                        (64, 160, 33, 0, 1, 1, 0), (1, 32, 1, 0, 0, 0, 0),
                        (40, 96, 100, 0, 1, 0, 1), (40, 72, 64, 1, 1, 0, 1)])
    check_clean(done)
    for got, (product, sizes, more) in zip(done.outputs[0], wanted):
        m, n = product.shape
        rows = got[:m * (n + more)].reshape(m, n + more)
        assert (np.abs(rows[:, :n] - product) <= 1e-6 * sizes + 1e-6).all()
        assert np.isnan(rows[:, n:]).all() and np.isnan(got[m * (n + more):]).all()


@pytest.mark.parametrize("case, soc, code, legal", [
    ((20, 40, 64, 0, 0, 0, 0), "Ascend310P3", "V2002", "a multiple of 32"),
    ((20, 64, 40, 1, 0, 0, 0), "Ascend310P3", "V2002", "a multiple of 32"),
    ((20, 64, 64, 0, 0, 2, 0), "Ascend310P3", "V2004", "SetAntiQuantScalar"),
    ((20, 64, 64, 0, 0, 0, 0), "Ascend310B1", "V6002", "half")])
def test_refused(case, soc, code, legal):
    """Rows of B that are no datablocks, no offset and scale, another chip: nothing is written."""
    done, _ = run([case], soc)
    fault = done.report["faults"][0]
    assert fault["code"] == code and legal in fault["legal"], fault
    assert np.isnan(done.outputs[0]).all()
