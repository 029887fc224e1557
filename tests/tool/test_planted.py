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
              "cache": ["Ascend910B1", "Ascend310P3", "Ascend310B1"], "owners": CHIPS,
              "in_turns": CHIPS, "exact": ["Ascend910B1", "Ascend310B1"],
              "often": CHIPS, "newer": ["Ascend910B1"], "asked": CHIPS}
ONLY_ON = {90: CHIPS[::2] + CHIPS[3:],  # identifiers are fewer elsewhere
           140: CHIPS[1:],  # legal there, and does nothing
           177: CHIPS[:1], 181: CHIPS[:1]}  # reserved there alone
WARNINGS = {"V1011", "V2008", "V2009", "V3010", "V4016"}
SCHEDULES = 22  # eager, lazy and 20 at random


def places():
    """For each number: its kernel, line and code."""
    kernel, found = "", {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        kernel = (re.findall(r"__aicore__ void (\w+)", line) or [kernel])[0]
        for what, code in re.findall(r"HERE (\d+) (V\d+)", line):
            assert int(what) not in found
            found[int(what)] = (kernel, number, code)
    assert len(found) > 105
    return found


PLACES = places()


def on_chips(cases):
    """(case, chip): on the first chip of its kernel, and marked `whole` on the others."""
    for case, chips in cases:
        for chip in chips:
            yield pytest.param(case, chip, marks=() if chip == chips[0] else pytest.mark.whole)


def run(kernel, chip, planted, *extra, blocks=1):
    dtype = np.float16 if kernel in ("product", "newer") else np.float32
    data = np.random.default_rng(7).integers(0, 16, 4096).astype(dtype)
    return run_kernel(KERNELS, data, Out("float", 4096, part=True), Value("int32", planted), soc=chip,
                      kernel=kernel, blocks=blocks, extra=extra)


@pytest.mark.parametrize("kernel, chip", on_chips(KERNELS_ON.items()))
def test_nothing_is_planted(kernel, chip):
    done = run(kernel, chip, 0, "--explore", str(SCHEDULES))
    check_clean(done)
    assert done.report["explored"] == {"schedules": SCHEDULES, "differs_under": None}


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
    (203, "SetValue: the tensor writes bytes -4..-1 of a tensor of 512 bytes in VECIN"),
    (204, "Adds: dst is a LocalTensor that was never set to a buffer"),
    (119, "Mmad: waits until the unit flags of bytes 0..1023 of L0C are down, which an earlier product"),
    (120, "Fixpipe: with dstStride 8 rows of dst lie on top of each other"),
    (124, "Fixpipe: with dstNdStride 8 matrices of dst lie on top of each other"),
    (125, "Fixpipe: waits until the unit flags of bytes 0..1023 of L0C are up, and no product")])
def test_the_words(number, words):
    assert words in run(PLACES[number][0], "Ascend910B1", number).stderr


def test_all_codes_are_among_them():
    codes = {code for _, _, code in PLACES.values()}
    assert {"V1011", "V1013", "V3001", "V4001", "V4009", "V4014", "V4016"} <= codes


@pytest.mark.parametrize("number, kernel", [(179, "owners"), (182, "in_turns"), (200, "asked"),
                                            (201, "asked")])
def test_what_only_looks_planted(number, kernel):
    """An identifier that no queue holds; one buffer, whose turn is a wait; a sum of repeats;
    InitBuffer after Reset."""
    check_clean(run(kernel, "Ascend910B1", number))


def line_of(words):
    return 1 + KERNELS.read_text().splitlines().index(words)


@pytest.mark.parametrize("number, words", [
    (184, "static int32_t rounds_of_all = 0;  // of all blocks"),
    (185, "  static int32_t calls = 0;  // of all blocks")])
def test_variables_that_blocks_share(number, words):
    for blocks, codes in ((1, []), (4, ["V4015"])):
        found = run("shared", "Ascend310P3", number, blocks=blocks)
        assert (found.code, found.codes) == (0, codes), found.stderr
    fault = found.faults[0]
    assert fault["lines"][0]["line"] == line_of(words)
    assert fault["lines"][0]["function"] in words and fault["severity"] == "warning"


def test_variables_that_nobody_changes():
    check_clean(run("shared", "Ascend310P3", 0, blocks=4))


def test_who_waits_for_ever_is_told_pipe_by_pipe():
    """MTE2 waits for V_MTE2, which nobody sets; what the other pipes were given last follows."""
    found = run("ping_pong", "Ascend910B1", 89)
    fault = next(fault for fault in found.faults if fault["code"] == "V4001")
    said = {place["what"].split()[0]: place for place in fault["also"]}
    assert set(said) == {"MTE2", "V", "MTE3"}
    waits = [place for place in fault["also"] if place["what"] == "MTE2 waits for flag 0 of V_MTE2"]
    assert [place["lines"][0]["line"] for place in waits] == [PLACES[89][1]]
    assert said["V"]["what"] == "V waits for no flag, and was given Adds last, its instruction 1"
    assert said["V"]["lines"][0]["line"] == line_of("    Adds(x[turn], x[turn], 1.0f, 64);")
    assert "DataCopy last" in said["MTE3"]["what"]
    assert "MTE2 waits for flag 0 of V_MTE2: " in found.stderr


def test_kinds_are_counted():
    found = run("ping_pong", "Ascend910B1", 82)
    kinds = found.report["kinds"]
    assert set(kinds) == set(found.codes) and len(kinds) > 1
    for code, kind in kinds.items():
        assert kind["places"] == found.codes.count(code)
        assert kind["count"] == sum(f["count"] for f in found.faults if f["code"] == code)
        assert f"  {code}  {kind['places']} place(s), {kind['count']} time(s): {kind['title']}" in found.stderr
