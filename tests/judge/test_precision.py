"""What an output's errors say of the precision that it was computed in, against arrays of numpy."""

import os
import pathlib

import numpy as np
import pytest

import harness

ENGINE = pathlib.Path(os.environ.get("VINCI_ENGINE",
                                     pathlib.Path(harness.VINCI).parent.parent / "python"))

RANDOM = np.random.default_rng(20)
X, Y = RANDOM.normal(0, 1, (2, 200000)).astype(np.float32)
ROWS = X.reshape(2000, 100)


def exact(array):
    return array.astype(np.float64)


def erf_by_polynomial(x):
    """As tables have it, to seven digits."""
    t = 1 / (1 + np.float32(0.3275911) * np.abs(x))
    sum_of = np.float32(0)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        sum_of = (sum_of + np.float32(factor)) * t
    return np.sign(x) * (1 - sum_of * np.exp(-x * x))


# Honest ways to compute in float, that lose digits: what comes out, and what is exact.
HONEST = {
    "sum": (X + Y, exact(X) + exact(Y)),
    "cancellation": ((X + np.float32(100)) - np.float32(100), exact(X)),
    "variance": (np.mean(ROWS * ROWS, 1) - np.mean(ROWS, 1) ** 2, np.var(exact(ROWS), 1)),
    "normalised": ((ROWS - ROWS.mean(1, keepdims=True)) / ROWS.std(1, keepdims=True),
                   (exact(ROWS) - exact(ROWS).mean(1, keepdims=True))
                   / exact(ROWS).std(1, keepdims=True)),
    "product": (ROWS @ ROWS[:100].T, exact(ROWS) @ exact(ROWS[:100]).T),
    "difference from one": (np.exp(X) - np.float32(1), np.expm1(exact(X))),
    "logarithm": (np.log(1 + np.exp(4 * X)), np.log1p(np.exp(4 * exact(X)))),
    "ends": (np.clip(np.tanh(5 * X), -0.999, 0.999).astype(np.float32), np.tanh(5 * exact(X))),
    "polynomial": (erf_by_polynomial(X), 2 / (1 + np.exp(-2.3 * exact(X))) - 1),
    "whole numbers": (np.round(100 * X) + np.float32(0.25), np.round(100 * exact(X)) + 0.5),
}


@pytest.fixture(name="comparing", scope="module")
def fixture_comparing():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ENGINE)
        from vinci.judging import comparing  # pylint: disable=import-outside-toplevel
        yield comparing


@pytest.mark.parametrize("name", HONEST)
def test_what_loses_digits_in_float_is_in_float(name, comparing):
    got, wanted = HONEST[name]
    assert got.dtype == np.float32
    assert comparing.rounded_part(got.ravel(), wanted.ravel()) is None


@pytest.mark.parametrize("narrow", ["half", "bfloat16"])
@pytest.mark.parametrize("share", [0.001, 0.02, 0.4])
def test_a_part_in_less_is_found(narrow, share, comparing):
    got, part = X + Y, int(share * X.size)
    if narrow == "half":
        got[:part] = (X[:part].astype(np.float16) + Y[:part].astype(np.float16))
    else:
        words = got[:part].view(np.uint32)
        words[...] = (words + 0x8000) & 0xFFFF0000
    assert comparing.narrower(got, exact(X) + exact(Y), "float") == narrow
    assert comparing.narrower(got, exact(X) + exact(Y), "float", narrow) is None
