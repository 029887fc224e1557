"""isReuseSource: nobody may rely on a source that a function may write over."""

import pathlib

import numpy as np
import pytest

import harness
from harness import Out, Value

KERNEL = pathlib.Path(__file__).parent / "kernels" / "reused.cpp"
NAMES = ["Sin", "Cos", "Digamma", "Lgamma", "Exp", "Tan", "LayerNorm", "LayerNorm in place", "DeepNorm",
         "ReduceSum", "ReduceProd down", "ReduceSum of short rows", "ReduceMax"]
# As the documents have it: not Tan; in place there is a result; short rows need no room.
FLOATS = {name: name not in ("Tan", "LayerNorm in place", "ReduceSum of short rows") for name in NAMES}
HALVES = {"Sin": False, "Cos": False, "Digamma": False, "Lgamma": False, "LayerNorm": False, "DeepNorm": False,
          "ReduceMax": True}


def launch(name, is_half, reuses, check="full"):
    dtype = np.float16 if is_half else np.float32
    x = np.random.default_rng(3).uniform(0.5, 2, 256 * 4 // np.dtype(dtype).itemsize).astype(dtype)
    run = harness.run_kernel(KERNEL, x.view(np.uint8), Out("uint8", 1024), Out("uint8", 1024),
                             Value("int32", NAMES.index(name)), Value("int32", is_half),
                             Value("int32", reuses), soc="Ascend910B1", check=check)
    harness.check_clean(run)
    result, left = run.outputs
    return x.view(np.uint8)[:left.size], result, left


@pytest.mark.parametrize("name, is_half, used_up",
                         [(name, 0, used) for name, used in FLOATS.items()] +
                         [(name, 1, used) for name, used in HALVES.items()])
def test_a_source_that_may_be_written_over(name, is_half, used_up):
    count = 256 * (2 if is_half else 4)  # bytes that the call reads
    _, wanted, _ = launch(name, is_half, 0)
    x, result, left = launch(name, is_half, 1)
    assert (result == wanted).all() and result.any()
    if name.endswith("in place"):
        assert (left[:count] == result[:count]).all()
    else:
        assert (left[:count] == (0xFF if used_up else x[:count])).all()
    assert (left[count:] == x[count:]).all()


def test_what_is_left_is_no_result():
    for name in ("Sin", "LayerNorm", "ReduceSum"):
        launch(name, 0, 1, "full,numbers")
