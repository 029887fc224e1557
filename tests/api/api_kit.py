"""Runs kernels of this folder on numpy arrays."""

import pathlib

import numpy as np

import harness
from harness import Out, Value

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"
SOC = "Ascend310P3"


def outputs(file, kernel, *parameters, soc=SOC, **more):
    """The outputs of a clean run."""
    run = harness.run_kernel(KERNELS / file, *parameters, soc=soc, kernel=kernel, **more)
    harness.check_clean(run)
    return run.outputs


def output(file, kernel, *parameters, **more):
    """The only output of a clean run."""
    return outputs(file, kernel, *parameters, **more)[0]


def same(got, wanted):
    """Equal bit for bit, but for the bits of a NaN."""
    nan = np.isnan(wanted)
    assert (np.isnan(got) == nan).all()
    words = np.dtype(f"u{wanted.itemsize}")
    assert got.dtype == wanted.dtype
    different = np.flatnonzero((got.view(words) != wanted.view(words)) & ~nan)
    assert different.size == 0, (f"{different.size} differ, first [{different[0]}]: "
                                 f"{got.flat[different[0]]} where {wanted.flat[different[0]]}")


def rng():
    return np.random.default_rng(20)


ALL_WORDS = np.arange(65536, dtype=np.uint16)


__all__ = ["ALL_WORDS", "Out", "Value", "output", "outputs", "rng", "same"]
