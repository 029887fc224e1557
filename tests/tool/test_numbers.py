"""Results that their type cannot hold, and divisions by zero (V2014 to V2017)."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "numbers.cpp"
CHIPS = ["Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"]
KERNELS_ON = {"floats": CHIPS, "narrow": CHIPS, "integers": CHIPS, "newer": CHIPS[1:],
              "nibbles": CHIPS[2:3], "products": CHIPS[2:3]}
SATURATES = ["Ascend910A", "Ascend310P3"]  # half at the start: vinci explain soc


def places():
    """For each number: kernel, line, code, the element and what the message says of it."""
    kernel, found = "", {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        for what, code, element, words in re.findall(r"HERE (\d+) (\S+) z(\[\d\]) (.*)", line):
            found[int(what)] = (kernel, number, code, element, words.split())
    assert len(found) == 21
    assert {place[2] for place in found.values()} == {"V2014", "V2016", "V2017", "V2015", "V20.."}
    return found


PLACES = places()


def run(kernel, chip, wrong, check="full,numbers"):
    return run_kernel(KERNELS, np.zeros(64, np.float32), Out("float", 64, part=True),
                      Value("int32", wrong), soc=chip, kernel=kernel, check=check)


@pytest.mark.parametrize("kernel, chip", [(kernel, chip) for kernel, chips in KERNELS_ON.items()
                                          for chip in chips])
def test_what_fits_is_not_told(kernel, chip):
    check_clean(run(kernel, chip, 0))


@pytest.mark.parametrize("number, chip", [(number, chip) for number, place in PLACES.items()
                                          for chip in KERNELS_ON[place[0]]])
def test_what_does_not_fit_is_told_with_element_and_operands(number, chip):
    kernel, line, code, element, words = PLACES[number]
    if code == "V20..":  # half: the largest number, or infinite
        code = "V2015" if chip in SATURATES else "V2014"
    found = run(kernel, chip, number)
    assert (found.code, found.codes) == (0, [code]), found.stderr
    fault = found.faults[0]
    assert line in [place["line"] for place in fault["lines"]] and fault["severity"] == "warning"
    assert f"{element} is " in fault["message"]
    assert ("elements in all" in fault["message"]) == (kernel == "products")
    assert all(re.search(rf"(?<![\d.]){re.escape(word)}(?![\d.])", fault["message"]) for word in words), \
        fault["message"]


def test_only_by_name():
    check_clean(run("floats", "Ascend910B1", 1, "full"))
    assert run("floats", "Ascend910B1", 1, "numbers").codes == ["V2014"]


@pytest.mark.parametrize("check", ["full", "full,numbers"])
def test_what_lies_in_a_work_tensor_is_no_result(check):
    found = run("leftovers", "Ascend910B1", 0, check)
    check_clean(found)
    assert check != "full" or found.report["made"]["nans"] == 0


def line_with(words):
    return 1 + next(i for i, line in enumerate(KERNELS.read_text().splitlines()) if words in line)


def drift_of(chip, wrong, x):
    return run_kernel(KERNELS, x, Out("float", 64, part=True), Value("int32", wrong), soc=chip,
                      kernel="drifts", extra=("--drift",))


@pytest.mark.parametrize("chip", CHIPS)
def test_the_call_that_loses_most_is_told_first(chip):
    x = np.random.default_rng(3).uniform(0.001, 0.01, 64).astype(np.float32)
    got = (x + np.float32(10000)) - np.float32(10000)
    off = np.abs(got.astype(np.float64) - x) / x
    found = drift_of(chip, 51, x)
    assert found.code == 0 and set(found.codes) == {"V2018"}, found.stderr
    worst = found.faults[0]
    assert worst["lines"][0]["line"] == line_with("// DRIFTS 51")
    index, told = re.search(r"\[(\d+)\] is .*: off by (\S+) of it", worst["message"]).groups()
    assert int(index) == off.argmax()
    assert float(told) == pytest.approx(off.max(), rel=0.01)
    # The sum before it is as good as floats are.
    (first,) = [f for f in found.faults if f["lines"][0]["line"] == worst["lines"][0]["line"] - 2]
    assert float(re.search(r"off by (\S+) of it", first["message"])[1]) < 2 ** -24 * 1.01


def test_halves_lose_more_than_floats():
    x = np.random.default_rng(4).uniform(1, 2, 64).astype(np.float32)
    found = drift_of("Ascend910B1", 52, x)
    off = np.abs(x.astype(np.float16).astype(np.float64) - x) / x
    worst = found.faults[0]
    assert worst["lines"][0]["line"] == line_with("// DRIFTS 52")
    assert float(re.search(r"off by (\S+) of it", worst["message"])[1]) == pytest.approx(off.max(), rel=0.01)
    # From half to float nothing is lost.
    assert line_with("// DRIFTS 52") + 1 not in [f["lines"][0]["line"] for f in found.faults]


def test_exact_calls_drift_nowhere():
    assert drift_of("Ascend910B1", 50, np.arange(64, dtype=np.float32)).faults == []


@pytest.mark.parametrize("kernel, wrong, made", [
    ("floats", 0, (0, 0, 0)), ("floats", 1, (1, 0, 0)), ("floats", 2, (0, 1, 0)), ("floats", 5, (1, 0, 0)),
    ("narrow", 12, (0, 0, 1)), ("narrow", 0, (0, 0, 0)), ("products", 43, (256, 0, 0))])
def test_without_numbers_they_are_counted(kernel, wrong, made):
    found = run(kernel, "Ascend910B1", wrong, "full")
    check_clean(found)
    assert tuple(found.report["made"][kind] for kind in ("infinities", "nans", "saturated")) == made
    infinities, nans, saturated = made
    line = (f"made of finite numbers: {infinities} infinities, {nans} NaN, {saturated} saturated "
            "(--check full,numbers says where)\n")
    assert (line in found.stdout) == (made != (0, 0, 0))
    assert run(kernel, "Ascend910B1", wrong, "basic").report["made"]["infinities"] == 0
