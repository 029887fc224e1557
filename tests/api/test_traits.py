"""TensorTrait, TQueSync, hints to caches, and the buffer for what UB has no room for."""

import numpy as np
import pytest

import harness
from api_kit import KERNELS, Out, output

FILE = "traits.cpp"
BOTH = pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])


@BOTH
def test_instructions_take_tensors_with_a_trait(soc):
    x = np.random.default_rng(1).integers(-20, 20, 128).astype(np.float16)
    got = output(FILE, "traits", x, Out("half", 128), soc=soc)
    assert got[:64].tolist() == (2 * (x[:64] + 1)).tolist()
    assert got[64:].tolist() == (x[64:] * (x[64:] + 1)).tolist()


def test_a_trait_knows_its_layout():
    got = output(FILE, "layouts", Out("int32", 5))
    assert got.tolist() == [20, 200, 3 * 1 + 2 * 100 + 1 * 200, 4, 3 * 30 + 2 * 6 + 1]


@BOTH
def test_flags_between_named_pipes_order_as_others_do(soc):
    x = np.arange(64, dtype=np.float32)
    assert output(FILE, "named_pipes", x, Out("float", 64), soc=soc).tolist() == (2 * x).tolist()


def spilled(kernel, soc):
    x = np.arange(64, dtype=np.float32) + 1
    return harness.run_kernel(KERNELS / FILE, x, Out("float", 128), Out("float", 64), soc=soc,
                              kernel=kernel), x


@pytest.mark.parametrize("kernel, soc", [("spill_to_gm", "Ascend310P3"),
                                         ("spill_to_gm", "Ascend910B1"),
                                         ("spill_to_l1", "Ascend310P3")])
def test_what_ub_has_no_room_for_comes_back(kernel, soc):
    run, x = spilled(kernel, soc)
    assert set(run.codes) <= {"V1014"}, run.faults
    assert run.outputs[1].tolist() == np.roll(x, 32).tolist()
    if kernel == "spill_to_gm":
        space = run.outputs[0]
        assert space[8:40].tolist() == x[:32].tolist()
        assert space[64:80].tolist() == x[32:48].tolist()
        assert space[88:104].tolist() == x[48:].tolist()
