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


def write_calls(path, head, kernel, cases):
    """A file with a kernel for each pair of types that the cases have; its last argument chooses one of
    their calls. `kernel` is a text with {name}, {src}, {dst} and, for the calls, {calls}."""
    calls = {}
    for number, case in enumerate(cases):
        line = f"    case {number}: {{ {case.call} break; }}\n"
        calls[case.kernel] = calls.get(case.kernel, "") + line
    text = head
    for name, lines in calls.items():
        src, dst = name.split("_to_")
        text += kernel.format(name=name, src=src, dst=dst, calls=lines)
    path.write_text(text)
    return path


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
