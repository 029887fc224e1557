"""Bytes that a copy has not loaded, and that an earlier one has left there (V1019)."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "earlier_loads.cpp"
KERNELS_ON = {"rows": ["Ascend910B1", "Ascend310B1"], "products": ["Ascend910B1"],
              "tiles": ["Ascend910B1", "Ascend310B1"]}
WRITTEN = {"rows": 16 + 6 * 32, "products": 512, "tiles": 224, "offsets": 256}


def places():
    """For each number: its kernel, the warning's line, and the line that reads first."""
    kernel, here, first = "", {}, {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        here.update({int(what): (kernel, number) for what in re.findall(r"HERE (\d+)", line)})
        first.update({int(what): number for what in re.findall(r"FIRST (\d+)", line)})
    assert sorted(here) == sorted(first) == [1, 2, 3, 4, 5, 6, 7]
    return {what: (*place, first[what]) for what, place in here.items()}


PLACES = places()


def run(kernel, chip, left_out, check="full", extra=()):
    dtype = np.float16 if kernel == "products" else np.float32
    data = np.random.default_rng(7).integers(1, 16, 512).astype(dtype)
    return data, run_kernel(KERNELS, data, Out("float", WRITTEN[kernel], part=True), Value("int32", left_out),
                            soc=chip, kernel=kernel, check=check, extra=extra)


@pytest.mark.parametrize("kernel, chip", [(kernel, chip) for kernel, chips in KERNELS_ON.items()
                                          for chip in chips])
def test_each_tensor_is_loaded(kernel, chip):
    data, found = run(kernel, chip, 0, extra=("--explore", "12"))
    check_clean(found)
    if kernel == "rows":
        rows = data[:192].reshape(6, 32)
        sums = [row[:32 if i < 3 else 20].sum() for i, row in enumerate(rows)]
        assert (found.outputs[0][1:12:2] == sums).all()
        assert (found.outputs[0][:12:2] == 2 * rows[:, :16].sum(1) + 0).all()
        assert (found.outputs[0][16:].reshape(6, 32)[:, :20] == 2 * rows[:, :20]).all()


@pytest.mark.parametrize("number, chip", [(number, chip) for number, place in PLACES.items()
                                          for chip in KERNELS_ON[place[0]]])
def test_what_an_earlier_tensor_has_left_is_told_where_it_matters(number, chip):
    kernel, here, first = PLACES[number]
    _, found = run(kernel, chip, number)
    assert (found.code, set(found.codes)) == (0, {"V1019"}), found.stderr
    fault = found.faults[0]
    assert (fault["severity"], fault["lines"][0]["line"]) == ("warning", here)
    if first == here:
        assert fault["other"] is None
    else:
        assert fault["other"]["lines"][0]["line"] == first
    assert re.search(r"bytes \d+\.\.\d+ of (UB|L1), which an earlier copy has left there",
                     fault["message"])
    if kernel == "rows" and first != here:
        assert "DataCopyPad writes bytes" in fault["also"][0]["what"]
    if kernel == "tiles":
        assert "DataCopy writes bytes" in fault["also"][0]["what"]


def test_offsets_that_an_earlier_tile_has_left():
    data, found = run("offsets", "Ascend910B1", 0)
    check_clean(found)
    assert (found.outputs[0][:104] == data[:104]).all()


@pytest.mark.parametrize("check, codes", [("strict", ["V1019"]), ("init", ["V1019"]), ("race", []),
                                          ("basic", []), ("off", [])])
def test_only_the_tool_tells(check, codes):
    assert run("rows", "Ascend910B1", 1, check)[1].codes == codes


def test_held_back_instructions_are_left_out():
    """A copy of the tensor before may still run when its buffer is handed out again."""
    check_clean(run("rows", "Ascend910B1", 1, extra=("--schedule", "lazy"))[1])
