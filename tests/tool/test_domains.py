"""Numbers that the documents promise no result for (V2021)."""

import pathlib

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "domains.cpp"
MOST, LARGE = "-65504..65504", 65504.0
# Function: a legal number, those at the ends that are legal, those that are not, and what is legal.
DOMAINS = {
    "Sin": (1, [LARGE, -LARGE], [65505, -70000], MOST),
    "Cos": (1, [LARGE, -LARGE], [65505, -70000], MOST),
    "Tan": (1, [65503, -65503], [LARGE, -LARGE], "between -65504 and 65504"),
    "Asin": (0.5, [1, -1], [1.0000001, -2], "-1..1"),
    "Acos": (0.5, [1, -1], [1.0000001, -2], "-1..1"),
    "Asinh": (1, [LARGE, -LARGE], [65505, -70000], MOST),
    "Acosh": (2, [1, LARGE], [0.99999994, 65505], "1..65504"),
    "Atanh": (0.5, [0.0011, -0.0011, 0.98, -0.98], [0, 0.0009, 0.995, -0.995],
              "between 0.001 and 0.99, or -0.99 and -0.001"),
    "Sinh": (1, [-80, 80], [], ""),
    **{name: (1, [2147483520.0, -2147483520.0], [2147483648.0, -3e9], "-2147483647..2147483647")
       for name in ("Ceil", "Floor", "Trunc", "Frac", "Fmod", "FmodBy")},
    "ReduceAny": (0, [1], [0.5, 2, -1], "0 or 1"),
    "ReduceAll": (1, [0], [2, 255], "0 or 1"),
    "GroupNorm": (1, [100, -100], [100.5, -101], "-100..100"),
    "GroupNormBy": (1, [100, -100], [100.5, -101], "-100..100"),
    "LogSoftMax": (1, [2147483520.0, -2147483520.0], [2147483648.0, -3e9], "-2147483647..2147483647"),
}
# Where the number does not stand in src.
SOURCES = {"Fmod": "src0", "FmodBy": "src1", "GroupNorm": "gamma", "GroupNormBy": "beta"}


def run(function, number, check="full,numbers", common=None, soc=None):
    common = DOMAINS[function][0] if common is None else common
    soc = soc or ("Ascend910B1" if function.startswith(("Reduce", "GroupNorm")) else "Ascend310P3")
    return run_kernel(KERNELS, np.zeros(64, np.float32), Out("float", 64, part=True),
                      Value("float", common), Value("float", number), soc=soc,
                      kernel=f"{function}_of", check=check)


@pytest.mark.parametrize("function", DOMAINS)
def test_both_sides_of_each_range(function):
    _, legal, others, words = DOMAINS[function]
    for number in legal:
        done = run(function, number)
        assert done.code == 0 and "V2021" not in done.codes, done.stderr
    for number in others:
        done = run(function, number)
        told = [fault for fault in done.faults if fault["code"] == "V2021"]
        assert done.code == 0 and len(told) == 1 and told[0]["severity"] == "warning", done.stderr
        name, source = function.removesuffix("By"), SOURCES.get(function, "src")
        assert told[0]["legal"] == words and "in all" not in told[0]["message"]
        assert told[0]["message"].startswith(f"{name}: {source}[0] is ")


def test_how_many_there_are():
    (fault,) = run("Sin", 2e6, common=1e6).faults
    assert fault["message"] == "Sin: src[0] is 2000000; 64 elements in all"


def test_infinities_and_other_checks_say_nothing_of_it():
    assert "V2021" not in run("Sinh", np.inf).codes + run("Sin", np.inf).codes
    check_clean(run("Sin", 70000, "full"))


def test_what_only_the_310p_cannot_round():
    for function in ("Ceil", "Floor", "Trunc", "Frac", "Fmod", "FmodBy"):
        assert "V2021" not in run(function, 3e9, soc="Ascend910B1").codes
