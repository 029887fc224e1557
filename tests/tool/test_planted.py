"""One mistake in a correct kernel, told at its line: of all families that have no file of their own."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, check_clean, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "planted.cpp"
CHIPS = ["Ascend910B1", "Ascend910A", "Ascend310P3", "Ascend310B1"]
KERNELS_ON = {"pieces": CHIPS, "distant": CHIPS,
              "gathers": ["Ascend910B1", "Ascend310P3", "Ascend310B1"], "turns": CHIPS,
              "rounds": CHIPS, "pools": CHIPS, "ping_pong": CHIPS,
              "hidden": ["Ascend910B1", "Ascend310B1"], "product": ["Ascend910B1"],
              "often": CHIPS, "newer": ["Ascend910B1"]}
ONLY_ON = {90: CHIPS[::2] + CHIPS[3:],  # identifiers are fewer elsewhere
           140: CHIPS[1:]}  # legal there, and does nothing
WARNINGS = {"V1011", "V2009"}


def places():
    """For each number: its kernel, line and code."""
    kernel, found = "", {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        for what, code in re.findall(r"HERE (\d+) (V\d+)", line):
            assert int(what) not in found
            found[int(what)] = (kernel, number, code)
    assert len(found) > 75
    return found


PLACES = places()


def on_chips(cases):
    """(case, chip): on the first chip of its kernel, and marked `whole` on the others."""
    for case, chips in cases:
        for chip in chips:
            yield pytest.param(case, chip, marks=() if chip == chips[0] else pytest.mark.whole)


def run(kernel, chip, planted, *extra):
    dtype = np.float16 if kernel in ("product", "newer") else np.float32
    data = np.random.default_rng(7).integers(0, 16, 4096).astype(dtype)
    return run_kernel(KERNELS, data, Out("float", 4096, part=True), Value("int32", planted), soc=chip,
                      kernel=kernel, extra=extra)


@pytest.mark.parametrize("kernel, chip", on_chips(KERNELS_ON.items()))
def test_nothing_is_planted(kernel, chip):
    done = run(kernel, chip, 0)
    check_clean(done)
    for schedule in ("lazy", "random:1", "random:2"):
        again = run(kernel, chip, 0, "--schedule", schedule)
        check_clean(again)
        assert again.outputs[0].tobytes() == done.outputs[0].tobytes()


@pytest.mark.parametrize("number, chip", on_chips(
    (number, ONLY_ON.get(number, KERNELS_ON[place[0]])) for number, place in PLACES.items()))
def test_what_is_planted_is_told(number, chip):
    kernel, line, code = PLACES[number]
    found = run(kernel, chip, number)
    assert found.report is not None and found.faults, found.stderr
    first = found.faults[0]
    assert (first["code"], first["lines"][0]["line"]) == (code, line), found.stderr
    assert first["severity"] == ("warning" if code in WARNINGS else "error")
    assert found.code == int(any(fault["severity"] == "error" for fault in found.faults))


def test_a_mask_of_0_does_nothing_where_it_may():
    check_clean(run("often", "Ascend910B1", 140))


def test_an_aic_leaves_out_pools_of_ub():
    found = run("pools", "Ascend910B1", 0, "--cores", "mix12")
    assert (found.code, set(found.codes)) == (0, {"V4008"}), found.stderr


@pytest.mark.parametrize("number, words", [
    (35, "DataCopy: src reads bytes 0..255 of GM buffer out, by an offset from another buffer"),
    (51, "Gather: srcLocal reads bytes 512..1283 of UB, and the tensor's buffer is bytes 0..1023"),
    (119, "Mmad: waits until the unit flags of bytes 0..1023 of L0C are down, which an earlier product"),
    (120, "Fixpipe: with dstStride 8 rows of dst lie on top of each other"),
    (124, "Fixpipe: with dstNdStride 8 matrices of dst lie on top of each other"),
    (125, "Fixpipe: waits until the unit flags of bytes 0..1023 of L0C are up, and no product")])
def test_the_words(number, words):
    assert words in run(PLACES[number][0], "Ascend910B1", number).stderr
