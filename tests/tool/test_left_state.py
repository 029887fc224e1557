"""Registers that are not as another part of the program needs them (V4013)."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "left_state.cpp"
VECTOR_CHIPS = ["Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"]
KERNELS_ON = {"masks": VECTOR_CHIPS, "counts": VECTOR_CHIPS[1:], "modes": VECTOR_CHIPS[1:],
              "atomics": VECTOR_CHIPS, "saturation": VECTOR_CHIPS[1:], "products": ["Ascend910B1"], "paddings": ["Ascend910B1"],
              "events": VECTOR_CHIPS}


def places():
    """For each number: its kernel, the line that writes, the one that takes, and the words."""
    kernel, writes, takes, words = "", {}, {}, {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        for kind, what, text in re.findall(r"(WRITES|TAKES) (\d+) ?([^,\n]*(?:, which[^,\n]*)?)", line):
            (writes if kind == "WRITES" else takes)[int(what)] = (kernel, number)
            words[int(what)] = text or words.get(int(what))
    assert len(writes) > 12 and all(words[what] for what in writes if what != 12)
    return {what: (*place, takes.get(what, (kernel, None))[1], words[what])
            for what, place in writes.items()}


PLACES = places()


def run(kernel, chip, left_out, check="full"):
    data = np.arange(64, dtype=np.float32)
    return run_kernel(KERNELS, data, Out("float", 64, part=True), Value("int32", left_out), soc=chip,
                      kernel=kernel, check=check)


def lines_of(place):
    return [line["line"] for line in place["lines"]]


@pytest.mark.parametrize("kernel, chip", [(kernel, chip) for kernel, chips in KERNELS_ON.items()
                                          for chip in chips])
def test_all_is_given_back(kernel, chip):
    check_clean(run(kernel, chip, 0))


@pytest.mark.parametrize("number, chip", [(number, chip) for number, place in PLACES.items()
                                          for chip in KERNELS_ON[place[0]]])
def test_what_is_left_is_told_with_the_line_that_left_it(number, chip):
    kernel, writes, takes, words = PLACES[number]
    found = run(kernel, chip, number)
    assert (found.code, set(found.codes)) == (0, {"V4013"}), found.stderr
    told = [fault for fault in found.faults if words in fault["message"]]
    assert len(told) == 1, found.stderr
    assert (takes or writes) in lines_of(told[0])
    if takes:
        assert writes in lines_of(told[0]["other"])


@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310P3"])
def test_a_scale_that_nothing_has_set(chip):
    check_clean(run("scales", chip, 0))
    (fault,) = run("scales", chip, 71).faults
    line = next(n for n, text in enumerate(KERNELS.read_text().splitlines(), 1) if "// ALONE 71" in text)
    assert (fault["code"], lines_of(fault)[0]) == ("V4013", line)
    assert fault["message"] == "Cast: takes a scale, which SetDeqScale has not set: 1.0"


@pytest.mark.parametrize("check, codes", [("state", {"V4013"}), ("init", set()), ("basic", set()),
                                          ("off", set())])
def test_only_the_tool_tells(check, codes):
    assert set(run("masks", "Ascend910B1", 1, check).codes) == codes
