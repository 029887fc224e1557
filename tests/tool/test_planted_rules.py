"""Mistakes against rules of the documents that leave nothing but wrong numbers, told at their line."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "planted_rules.cpp"
CHIPS = ["Ascend910B1", "Ascend310P3", "Ascend910A", "Ascend310B1"]
KERNELS_ON = {"later": CHIPS, "later_sums": CHIPS[:1] + CHIPS[3:], "merged": CHIPS[:1] + CHIPS[3:],
              "masks": CHIPS[:2] + CHIPS[3:], "padded": CHIPS[:1]}


def places():
    """For each number: its kernel, line, code and a word of the message."""
    kernel, found = "", {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        for what, code, word in re.findall(r"HERE (\d+) (V\d+) (\w+)", line):
            found[int(what)] = (kernel, number, code, word)
    assert sorted(found) == list(range(1, 13))
    return found


PLACES = places()


def run(kernel, chip, planted):
    data = np.random.default_rng(7).integers(0, 16, 512).astype(np.float32)
    return run_kernel(KERNELS, data, Out("float", 64, part=True), Value("int32", planted), soc=chip,
                      kernel=kernel, check="full")


@pytest.mark.parametrize("kernel, chip", [(kernel, chip) for kernel, chips in KERNELS_ON.items()
                                          for chip in chips])
def test_nothing_is_planted(kernel, chip):
    check_clean(run(kernel, chip, 0))


@pytest.mark.parametrize("number, chip", [(number, chip) for number, place in PLACES.items()
                                          for chip in KERNELS_ON[place[0]]])
def test_what_is_planted_is_told(number, chip):
    kernel, line, code, word = PLACES[number]
    found = run(kernel, chip, number)
    assert found.code == 1 and found.faults, found.stderr
    first = found.faults[0]
    assert (first["code"], first["lines"][0]["line"]) == (code, line), found.stderr
    assert re.search(rf"\b{word}\b", first["message"]), first["message"]


@pytest.mark.parametrize("planted", [0, 1])
def test_who_has_set_a_flag_and_who_has_not(planted):
    found = run_kernel(KERNELS.with_name("partners.cpp"), np.zeros(64, np.float32), Out("float", 64, part=True),
                       Value("int32", planted), soc=CHIPS[0], kernel="partners", check="full",
                       extra=("--cores", "mix12"))
    assert found.codes == ["V4006"] * planted, found.stderr
    assert not planted or found.faults[0]["message"].startswith(
        "CrossCoreWaitFlag: flag 4 counts when all have set it: AIV 0 of block 0 has, AIV 1 of block 0 has not; ")


def test_how_many_elements_mask_counts():
    first = run("masks", CHIPS[0], 10).faults[0]
    assert first["message"].endswith(" (MASK counts 4294967295 elements)")
