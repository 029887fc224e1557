"""A package whose tilings are what GetTiling gives of a convolution's gradients, registered by their own
names: against the definition of the convolution."""

import pathlib
import sys

import numpy as np
import pytest

import harness

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from conv3d_backprop_cases import gradient_of_input, gradient_of_weights  # noqa: E402
from conv3d_cases import fractal_z_3d, ndc1hwc0, sizes_out  # noqa: E402

PACKAGE = pathlib.Path(__file__).resolve().parent / "packages" / "conv3d_gradients"
CASE = {"size": [3, 7, 6], "kernel": [2, 3, 3], "stride": [1, 2, 1], "dilation": [1, 1, 1],
        "pads": [(0, 0), (1, 1), (1, 1)], "ci": 32, "co": 16}


def run(folder, name, result, **arrays):
    words = []
    for key, array in arrays.items():
        np.save(folder / f"{key}.npy", array)
        words += ["--in", f"{key}={folder / key}.npy"]
    done = harness.vinci("op", str(PACKAGE), "--op", name, "--soc", "Ascend910B1", *words, "--out",
                         f"{result}={folder / 'out.npy'}")
    assert done.code == 0, done.stdout + done.stderr
    return np.load(folder / "out.npy")


@pytest.mark.whole
def test_gradients_of_a_package(tmp_path):
    rng = np.random.default_rng(81)
    draw = lambda *shape: rng.integers(-2, 3, shape)
    xs, dys = ([draw(channels, *sizes) for _ in range(2)]
               for channels, sizes in ((32, CASE["size"]), (16, sizes_out(CASE))))
    w = draw(16, 32, *CASE["kernel"])
    halves = lambda arrays: np.stack([ndc1hwc0(array) for array in arrays]).astype(np.float16)
    found = run(tmp_path, "Conv3dGradInput", "x", weight=fractal_z_3d(w).astype(np.float16), y=halves(dys))
    np.testing.assert_array_equal(found, halves([gradient_of_input(CASE, dy, w) for dy in dys]))
    found = run(tmp_path, "Conv3dGradWeight", "weight", x=halves(xs), y=halves(dys))
    np.testing.assert_array_equal(found, fractal_z_3d(gradient_of_weights(CASE, xs, dys)).astype(np.float32))
