"""Memory that a kernel uses and nobody has written (V1013)."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "unwritten.cpp"
VECTOR_CHIPS = ["Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"]
KERNELS_ON = {"lanes": VECTOR_CHIPS, "sums": VECTOR_CHIPS[1:], "scalars": VECTOR_CHIPS,
              "offsets": VECTOR_CHIPS[1:], "product": ["Ascend910B1"]}
WRITTEN = {"lanes": 176, "sums": 8, "scalars": 64, "offsets": 56, "product": 480}


def places():
    """For each number: its kernel, the fault's line, and the one that reads first."""
    kernel, here, first = "", {}, {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        here.update({int(what): (kernel, number) for what in re.findall(r"HERE (\d+)", line)})
        first.update({int(what): number for what in re.findall(r"FIRST (\d+)", line)})
    assert sorted(here) == sorted(first) and len(here) > 12
    return {what: (*place, first[what]) for what, place in here.items()}


PLACES = places()


def run(kernel, chip, left_out):
    data = np.random.default_rng(7).integers(0, 16, 8192).astype(np.float16)
    return run_kernel(KERNELS, data, Out("float", WRITTEN[kernel]), Value("int32", left_out), soc=chip,
                      kernel=kernel)


@pytest.mark.parametrize("kernel, chip", [(kernel, chip) for kernel, chips in KERNELS_ON.items()
                                          for chip in chips])
def test_all_is_written(kernel, chip):
    check_clean(run(kernel, chip, 0))


@pytest.mark.parametrize("number, chip", [(number, chip) for number, place in PLACES.items()
                                          for chip in KERNELS_ON[place[0]]])
def test_what_nobody_has_written_is_told_where_it_matters(number, chip):
    kernel, here, first = PLACES[number]
    found = run(kernel, chip, number)
    assert found.code == 1 and found.codes == ["V1013"], found.stderr
    fault = found.faults[0]
    assert fault["lines"][0]["line"] == here
    if first == here:
        assert fault["other"] is None
    else:
        assert fault["other"]["lines"][0]["line"] == first
    assert re.search(r"bytes \d+\.\.\d+ of (UB|L1|L0C), which nothing has written", found.stderr)
