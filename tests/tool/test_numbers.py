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
