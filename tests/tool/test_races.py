"""Synchronisation that is missing between the instructions of one core (V4009)."""

import collections
import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "races.cpp"
LINES = KERNELS.read_text().splitlines()
VECTOR_CHIPS = ["Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"]
KERNELS_ON = {"flags": VECTOR_CHIPS, "copies": VECTOR_CHIPS, "compiler": VECTOR_CHIPS,
              "queues": VECTOR_CHIPS, "atomics": VECTOR_CHIPS,
              "cube": ["Ascend910B1"], "unit_flags": ["Ascend910B1"]}


def places():
    """For each number: its kernel, the later line, the earlier ones and what is missing between."""
    kernel, here, there = "", {}, collections.defaultdict(set)
    for number, line in enumerate(LINES, 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        for what, remedy in re.findall(r"HERE (\d+) (\w+)", line):
            here[int(what)] = (kernel, number, remedy)
        for what in re.findall(r"THERE (\d+)", line):
            there[int(what)].add(number)
    assert sorted(here) == sorted(there) and len(here) > 20
    return {what: (kernel, line, there[what], remedy)
            for what, (kernel, line, remedy) in here.items()}


PLACES = places()


def run(kernel, chip, left_out):
    data = np.random.default_rng(7).integers(0, 16, 8192).astype(np.float16)
    return run_kernel(KERNELS, data, Out("float", 4096, part=True), Value("int32", left_out), soc=chip,
                      kernel=kernel)


def lines_of(places):
    return [place["line"] for place in places if place["file"].endswith("races.cpp")]


@pytest.mark.parametrize("kernel, chip", [(kernel, chip) for kernel, chips in KERNELS_ON.items()
                                          for chip in chips])
def test_nothing_is_missing(kernel, chip, monkeypatch):
    check_clean(run(kernel, chip, 0))
    monkeypatch.setenv("VINCI_AUTO_SYNC", "off")
    if kernel != "queues":
        check_clean(run(kernel, chip, 0))


@pytest.mark.parametrize("number, chip", [(number, chip) for number, place in PLACES.items()
                                          for chip in KERNELS_ON[place[0]]])
def test_what_is_missing_is_told_with_both_lines(number, chip, monkeypatch):
    kernel, here, there, remedy = PLACES[number]
    if kernel == "compiler":
        check_clean(run(kernel, chip, number))
        monkeypatch.setenv("VINCI_AUTO_SYNC", "off")
    found = run(kernel, chip, number)
    assert found.code == 1 and set(found.codes) == {"V4009"}, found.stderr
    assert {lines_of(fault["other"]["lines"])[0] for fault in found.faults} == there
    event = remedy if remedy.startswith("PIPE") else f"HardEvent::{remedy}"
    for fault in found.faults:
        assert lines_of(fault["lines"])[0] == here and f"<{event}>" in fault["legal"]
    for line in there:
        assert re.search(rf"^ +[\w ()]+ on \w+: .*races.cpp:{line} in {kernel}$", found.stderr, re.M)


@pytest.mark.parametrize("other, codes", [(0, []), (64, ["V4009"])])
def test_writes_that_change_nothing_may_come_in_any_order(other, codes):
    assert run("the_same_again", "Ascend910B1", other).codes == codes


@pytest.mark.parametrize("schedule", ["eager", "lazy", *(f"random:{seed}" for seed in range(6))])
@pytest.mark.parametrize("other, codes", [(0, []), (8, ["V4009"])])
def test_tails_that_are_written_again_as_they_are(other, codes, schedule):
    """Whenever the two copies run, and whichever of them runs first."""
    data = np.arange(8192).astype(np.float16)
    found = run_kernel(KERNELS, data, Out("float", 4096, part=True), Value("int32", other), soc="Ascend310P3",
                       kernel="the_tail_again", extra=["--schedule", schedule])
    assert found.codes == codes, found.stderr
    for fault in found.faults:
        later, earlier = lines_of(fault["lines"])[0], lines_of(fault["other"]["lines"])[0]
        assert (LINES[later - 1].strip(), earlier) == ("DataCopy(to[32], x[32 + other], 32);", later - 1)


@pytest.mark.parametrize("schedule", ["eager", "lazy"])
@pytest.mark.parametrize("how, reads", [
    (0, False),  # nobody
    (1, False),  # what lies in front of them is
    (2, True), (3, True),
    (16, True), (32, False)])  # so many of them are new
def test_two_writes_of_one_pipe_show_to_who_reads_them(how, reads, schedule):
    data = np.arange(8192).astype(np.float16)
    found = run_kernel(KERNELS, data, Out("float", 4096, part=True), Value("int32", how), soc="Ascend910B1",
                       kernel="one_over_the_other", extra=["--schedule", schedule])
    assert found.codes == ["V4009"] * reads, found.stderr
    for fault in found.faults:
        later, earlier = lines_of(fault["lines"])[0], lines_of(fault["other"]["lines"])[0]
        assert (LINES[later - 1].strip(), earlier) == ("DataCopy(x[32], from[64], 32);", later - 1)


def test_a_barrier_that_published_programs_leave_out_is_a_warning():
    check_clean(run("scales", "Ascend910B1", 0))
    found = run("scales", "Ascend910B1", 1)
    assert (found.code, found.codes) == (0, ["V4017"]), found.stderr
    [fault] = found.faults
    assert (fault["severity"], fault["class"]) == ("warning", "unverified")
    assert LINES[lines_of(fault["lines"])[0] - 1].endswith("// SCALES")
    assert "PipeBarrier<PIPE_FIX>" in fault["legal"]
    # Scalar code beside FIX is another matter.
    found = run("scales", "Ascend910B1", 2)
    assert (found.code, set(found.codes)) == (1, {"V4009"}), found.stderr
