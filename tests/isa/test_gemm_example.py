"""examples/gemm on sizes that no tile divides, against a product of integers in double."""

import numpy as np
import pytest

from cases import rng_for
from harness import ROOT, Out, check_clean, run_kernel

SIZES = [(1, 1, 1), (1, 64, 17), (16, 16, 16), (33, 17, 70), (64, 65, 64), (100, 130, 129),
         (129, 8, 200)]


@pytest.mark.parametrize("m, n, k", SIZES)
def test_sizes(m, n, k):
    rng = rng_for("gemm", m, n, k)
    a, b = (rng.integers(-9, 10, size).astype(np.float16) for size in ((m, k), (k, n)))
    run = run_kernel(ROOT / "examples/gemm/gemm.cpp", a, b, Out("float", m, n),
                     np.array([m, n, k], np.int32), soc="Ascend910B1", blocks=3)
    check_clean(run)
    assert (run.outputs[0] == a.astype(np.float64) @ b.astype(np.float64)).all()
