"""vinci.op(sandbox=): host code and kernels that nobody trusts."""

import pathlib

import numpy as np
import pytest
import vinci

import harness

# y = -x; its attribute chooses what host code does beside it.
NEGATE = pathlib.Path(__file__).resolve().parent.parent / "judge" / "package"
SOC = "Ascend910B1"
X = np.arange(8, dtype=np.float32)

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")


def test_operators_that_nobody_trusts():
    op = vinci.op(NEGATE, soc=SOC, sandbox=60)
    assert np.array_equal(op.Negate(X), -X)
    with pytest.raises(vinci.KernelError, match="V5009"):
        op.Negate(X, way=2)
    with pytest.raises(vinci.UsageError, match="process of its own"):
        vinci.op(NEGATE, soc=SOC, sandbox=60, isolated=False)
    with pytest.raises(vinci.UsageError, match="sandbox"):
        vinci.op(NEGATE, soc=SOC, sandbox=-1)
