"""Kernels that work with GetValue and SetValue element by element: what the checks keep of them does
not grow with their number."""

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel, sanitizers

ELEMENTS = 1 << 20
SOURCE = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void sums(GM_ADDR x, GM_ADDR y, int32_t count) {
  AscendC::GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x);
  to.SetGlobalBuffer((__gm__ float*)y);
  const int32_t part = count / AscendC::GetBlockNum(), first = part * AscendC::GetBlockIdx();
  for (int32_t i = first; i < first + part; ++i) to.SetValue(i, from.GetValue(i) + 1);
}
"""


@pytest.mark.parametrize("blocks", [1, 8])
def test_two_million_scalar_accesses(tmp_path, blocks):
    """In a second or two; a list of them all took 10 seconds and more."""
    source = tmp_path / "sums.cpp"
    source.write_text(SOURCE)
    done = run_kernel(source, np.arange(ELEMENTS, dtype=np.float32), Out("float", ELEMENTS),
                      Value("int32", ELEMENTS), soc="Ascend910B1", blocks=blocks,
                      extra=["--timeout", "60"])
    check_clean(done)
    assert np.array_equal(done.outputs[0], np.arange(1, ELEMENTS + 1, dtype=np.float32))
    if not sanitizers():
        assert done.report["seconds"] < 10
