"""Of all halves, those that a function makes something of that half cannot hold: as many are told as
numpy finds, where half saturates and where it becomes infinite."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "saturation.cpp"
ORACLES = {  # in the order of the kernel's numbers, from 1
    "Axpy": lambda x: 1 + 2 * x, "MulAddDst": lambda x: 1 + 2 * x, "AddRelu": lambda x: np.maximum(2 * x, 0),
    "Div": lambda x: x / 0.125, "Reciprocal": lambda x: 1 / x, "Exp": np.exp, "Ln": np.log, "Log": np.log,
    "Log10": np.log10, "Cosh": np.cosh, "Acos": np.arccos, "Atanh": np.arctanh, "Power": lambda x: x * x,
    "Tanh": np.tanh, "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Gelu": lambda x: np.minimum(np.maximum(x, 0), 1),
    "Muls": lambda x: x * np.inf, "Maxs": lambda x: x, "AscendQuant": None}
CHIPS = ["Ascend310P3", "Ascend910B1"]


def told(found):
    """How many elements, by code."""
    counts = {}
    for fault in found.faults:
        count = re.search(r"(\d+) elements in all", fault["message"])
        counts[fault["code"]] = counts.get(fault["code"], 0) + (int(count[1]) if count else 1)
    return counts


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("number, name", list(enumerate(ORACLES, 1)))
def test_all_halves(number, name, negative, chip):
    bits = np.arange(0x7C00, dtype=np.uint16) | np.uint16(0x8000 if negative else 0)
    x = bits.view(np.float16)
    found = run_kernel(KERNELS, x, Out("half", 16, part=True), Value("int32", number), soc=chip, kernel="halves",
                       check="full,numbers")
    assert found.code == 0, found.stderr
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64)
        if name == "AscendQuant":
            lost = np.abs(exact - np.clip(exact, -128, 127)) >= 1  # what rounding does is no loss
            assert told(found) == {"V2015": lost.sum()}, found.stderr
            return
        exact = ORACLES[name](exact)
    nans, large = np.isnan(exact), np.abs(exact) >= 65520
    by_zero = int(name == "Reciprocal")
    saturates = chip == "Ascend310P3" and name != "Muls"
    expected = {"V2014": nans.sum() + (0 if saturates else large.sum() - by_zero),
                "V2015": large.sum() - by_zero if saturates else 0, "V2017": by_zero}
    if name == "Muls" and chip == "Ascend310P3":  # 0 times infinity is none of these
        expected = {"V2014": nans.sum(), "V2015": large.sum(), "V2017": 0}
    # What the documents promise no result for.
    size = np.abs(x.astype(np.float64))
    outside = {"Acos": size > 1, "Atanh": (size <= 0.001) | (size >= 0.99)}
    expected["V2021"] = outside[name].sum() if name in outside else 0
    assert told(found) == {code: count for code, count in expected.items() if count}, found.stderr


@pytest.mark.parametrize("chip", CHIPS)
def test_quantisation_keeps_low_bits_where_conversions_do(chip):
    x = np.arange(-512, 512)
    found = run_kernel(KERNELS, x.astype(np.float16), Out("int8", 1024), Value("int32", 0), soc=chip,
                       kernel="low_bits", check="full,numbers")
    exact = 2 * x + 1
    assert (found.outputs[0] == exact.astype(np.int8)).all()
    assert told(found) == {"V2015": ((exact < -128) | (exact > 127)).sum()}, found.stderr


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("words", [np.arange(-512, 512), np.arange(1024) % 500 - 250])
def test_integers_in_8_bits(words, chip):
    """Half of each number and 3, of which those from -263 to 249 are not a whole one out of range."""
    x = words.astype(np.int16)
    exact = x / 2 + 3
    lost = np.abs(exact - np.clip(exact, -128, 127)) >= 1
    found = run_kernel(KERNELS, x, Out("half", 16, part=True), Value("int32", 0), soc=chip, kernel="words",
                       check="full,numbers")
    assert found.code == 0 and told(found) == ({"V2015": lost.sum()} if lost.any() else {}), found.stderr
