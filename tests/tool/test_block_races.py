"""Cores of a launch that touch the same bytes of GM (V4010)."""

import pathlib
import re

import numpy as np
import pytest

from harness import Out, Value, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels"
SOURCES = {path.name: path.read_text() for path in sorted(KERNELS.glob("block_*"))}
VECTOR_CHIPS = ["Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"]
WITH_WORKSPACE = ["Ascend910A", "Ascend310P3", "Ascend910B1"]
WITH_PADS = ["Ascend910B1", "Ascend310B1"]
SPLIT = ["Ascend910B1"]
BLOCKS = 4

# Kernel, how, chips, cores: nothing is wrong.
CLEAN = [
    ("tails", 1, VECTOR_CHIPS, "aiv"), ("tails", 2, VECTOR_CHIPS, "aiv"),
    ("odd_tails", 1, WITH_PADS, "aiv"), ("odd_tails", 2, WITH_PADS, "aiv"),
    ("steps_back", 0, VECTOR_CHIPS, "aiv"), ("steps_back_in_place", 0, VECTOR_CHIPS, "aiv"),
    ("rounded_up", 0, WITH_PADS, "aiv"),
    ("hard", 0, SPLIT, "aiv"), ("hard", 0, SPLIT, "mix12"), ("hard", 0, SPLIT, "whole"),
    ("piped", 0, SPLIT, "aiv"), ("piped", 0, SPLIT, "mix12"),
    ("soft", 0, WITH_WORKSPACE, "aiv"), ("cleared", 0, WITH_WORKSPACE, "aiv"),
    ("events", 0, WITH_WORKSPACE, "aiv"),
    ("again", 0, SPLIT, "aiv"),
    ("sums", 0, VECTOR_CHIPS, "aiv"), ("sums", 2, SPLIT, "aiv"),
    ("places", 0, VECTOR_CHIPS, "aiv"),
    ("polls", 0, VECTOR_CHIPS, "aiv"), ("polls", 1, VECTOR_CHIPS, "aiv"),
    ("polls", 2, WITH_WORKSPACE, "aiv"), ("polls", 3, WITH_WORKSPACE, "aiv"),
    ("looks", 0, SPLIT, "aiv"), ("replaced", 0, SPLIT, "aiv"),
    ("partials", 0, WITH_WORKSPACE, "aiv"), ("partials", 3, WITH_WORKSPACE, "aiv"),
    ("scalars", 0, VECTOR_CHIPS, "aiv"), ("scalars", 2, VECTOR_CHIPS, "aiv"),
    ("both_kinds", 0, SPLIT, "mix12"), ("both_kinds", 0, SPLIT, "mix11"),
    ("flags", 0, SPLIT, "mix12"), ("groups", 0, SPLIT, "aiv"),
    ("flag_pipes", 0, SPLIT, "mix12"), ("flag_pipes", 2, SPLIT, "mix12"),
    ("flag_pipes", 3, SPLIT, "mix12"), ("flag_pipes", 6, SPLIT, "mix12"),
    ("turns", 0, ["Ascend310P3", "Ascend910B1"], "aiv"),
    ("counts", 0, WITH_WORKSPACE[1:], "aiv"),
    ("phases", 0, WITH_WORKSPACE[1:], "aiv"), ("pointers", 0, WITH_WORKSPACE[1:], "aiv"),
    *(("seen_sums", how, WITH_WORKSPACE, "aiv") for how in range(4)),
    *(("counted", how, WITH_WORKSPACE, "aiv") for how in (0, 2, 3)),
    *(("counted", how, VECTOR_CHIPS, "aiv") for how in (1, 4, 5)),
]
# The same with the pairs that are found: names of HERE and THERE, and how many cores or pairs.
WRONG = [
    ("tails", 0, VECTOR_CHIPS, "aiv", {("tails", "tails"): 3}),
    ("odd_tails", 0, WITH_PADS, "aiv", {("odd_tails", "odd_tails"): 3}),
    ("steps_back_in_place", 1, VECTOR_CHIPS, "aiv",
     {("steps_back_in_place", "steps_back_in_place"): 2}),
    ("rounded_up", 1, WITH_PADS, "aiv", {("rounded_up", "rounded_up"): 3}),
    ("hard", 1, SPLIT, "aiv", {("copy", "exchange"): 4}),
    ("hard", 2, SPLIT, "aiv", {("copy", "exchange"): 4}),
    ("piped", 1, SPLIT, "aiv", {("copy", "exchange"): 4}),
    ("piped", 3, SPLIT, "aiv", {("copy", "exchange"): 4}),
    ("soft", 1, WITH_WORKSPACE, "aiv", {("copy", "exchange"): 4}),
    ("soft", 2, WITH_WORKSPACE, "aiv", {("copy", "exchange"): 4}),
    ("cleared", 3, VECTOR_CHIPS, "aiv", {("cleared", "cleared"): 6}),
    ("events", 1, VECTOR_CHIPS, "aiv", {("copy", "events"): 1}),
    ("events", 2, WITH_WORKSPACE, "aiv", {("copy", "events"): 1}),
    ("again", 1, SPLIT, "aiv", {("copy", "again"): 1}),
    ("again", 2, SPLIT, "aiv", {("copy", "again"): 1}),
    ("sums", 1, VECTOR_CHIPS, "aiv", {("sums", "sums"): 3}),
    ("places", 1, VECTOR_CHIPS, "aiv",
     {("copy", "places"): 12, ("places_write", "places_write"): 6}),
    ("looks", 1, VECTOR_CHIPS, "aiv", {("looks", "looks"): 3}),
    ("replaced", 1, SPLIT, "aiv", {("replaced", "replaced"): 3}),
    ("scalars", 1, VECTOR_CHIPS, "aiv", {("scalars", "scalars"): 6}),
    ("both_kinds", 1, SPLIT, "mix12", {("copy", "both_kinds"): 16}),
    ("both_kinds", 2, SPLIT, "mix12", {("copy", "both_kinds"): 16}),
    ("both_kinds", 1, SPLIT, "mix11", {("copy", "both_kinds"): 8}),
    ("flags", 1, SPLIT, "mix12", {("copy", "exchange"): 4}),
    ("groups", 1, SPLIT, "aiv", {("copy", "groups"): 3}),
    ("flag_pipes", 1, SPLIT, "mix12", {("pipes_read", "pipes_write"): 4}),
    ("flag_pipes", 4, SPLIT, "mix12", {("pipes_read", "pipes_write"): 4}),
    ("flag_pipes", 5, SPLIT, "mix12", {("pipes_read", "pipes_write"): 4}),
    ("turns", 1, ["Ascend310P3", "Ascend910B1"], "aiv",
     {("turns_read", "turns"): 12, ("turns", "turns"): 6}),
    ("phases", 1, WITH_WORKSPACE[1:], "aiv", {("phases", "phases"): 3}),
    ("seen_sums", 4, VECTOR_CHIPS, "aiv", {("sums_read", "seen_sums"): 3}),
    ("early_looks", 2, VECTOR_CHIPS, "aiv", {("early_looks", "early_looks"): 2}),
    ("cleared_sums", 0, VECTOR_CHIPS, "aiv", {("zeros", "cleared_sums"): 6, ("cleared_sums", "zeros"): 6}),
    ("seen_sums", 5, VECTOR_CHIPS, "aiv", {("sums_copied", "seen_sums"): 3}),
    ("seen_sums", 6, VECTOR_CHIPS, "aiv", {("sums_read", "seen_sums"): 3}),
    ("seen_sums", 7, VECTOR_CHIPS, "aiv", {("sums_read", "seen_sums"): 3}),
]


def on_chips(cases):
    return [(kernel, how, chip, cores if chip in SPLIT else "auto", *rest)
            for kernel, how, chips, cores, *rest in cases for chip in chips]


def run(kernel, how, chip, cores, threads=2, check="full"):
    data = np.random.default_rng(7).integers(0, 16, 8192).astype(np.float32)
    source, = (name for name, text in SOURCES.items() if f"void {kernel}(GM_ADDR" in text)
    return run_kernel(KERNELS / source, data, Out("float", 8192, part=True), np.zeros(32768, np.float32),
                      Value("int32", how), soc=chip, blocks=BLOCKS, kernel=kernel, check=check,
                      extra=["--cores", cores, "--threads", threads])


def line_of(kind, name):
    found = [f"{source}:{number}" for source, text in SOURCES.items()
             for number, line in enumerate(text.splitlines(), 1)
             if re.search(rf"\b{kind} {name}\b", line)]
    assert len(found) == 1, (kind, name)
    return found[0]


def lines_of(places):
    known = [(place["file"].rsplit("/", 1)[-1], place["line"]) for place in places]
    return [f"{source}:{line}" for source, line in known if source in SOURCES]


def own(run):
    """What was found, without what is said of calls that an AIC leaves out, and of rounding up."""
    return [fault for fault in run.faults if fault["code"] not in ("V4008", "V1011")]


@pytest.mark.parametrize("kernel, how, chip, cores", on_chips(CLEAN))
def test_cores_in_order(kernel, how, chip, cores):
    done = run(kernel, how, chip, cores)
    assert done.code == 0 and own(done) == [], done.stderr


@pytest.mark.parametrize("kernel, how, chip, cores, pairs", on_chips(WRONG))
def test_what_nothing_orders_is_told_with_both_lines(kernel, how, chip, cores, pairs):
    done = run(kernel, how, chip, cores)
    assert done.code == 1 and {fault["code"] for fault in own(done)} == {"V4010"}, done.stderr
    found = {}
    for fault in own(done):
        here, there = lines_of(fault["lines"]), lines_of(fault["other"]["lines"])
        found[here[0], there[0]] = found.get((here[0], there[0]), 0) + fault["count"]
        assert fault["legal"]
        assert re.fullmatch(r"[\w ]+: (dst|src|) ?(reads|writes) bytes \d+\.\.\d+ of GM buffer \w+, "
                            r"which [\w ]+ of ((AIC|AIV( \d)?) of )?block \d (reads|writes), "
                            r"and nothing orders the two", fault["message"])
    assert found == {(line_of("HERE", here), line_of("THERE", there)): count
                     for (here, there), count in pairs.items()}, done.stderr


@pytest.mark.parametrize("chip", WITH_WORKSPACE[1:])
def test_words_that_are_copied_before_they_are_there(chip):
    """A core that cleans its cache, and has no GetValue in GM, may look by pointers; what it has
    seen says that it did not wait for these."""
    fault, = own(run("counts", 1, chip, "aiv" if chip in SPLIT else "auto", threads=1))
    assert fault["code"] == "V4010" and fault["count"] == 3, fault
    assert lines_of(fault["lines"])[0] == line_of("HERE", "counts")
    assert lines_of(fault["other"]["lines"])[0] == line_of("THERE", "counts")


@pytest.mark.parametrize("kernel, how, cores", [
    ("tails", 0, "aiv"), ("tails", 1, "aiv"), ("hard", 2, "aiv"), ("soft", 1, "aiv"),
    ("places", 1, "aiv"), ("both_kinds", 2, "mix12"), ("turns", 1, "aiv"), ("seen_sums", 4, "aiv"),
    ("seen_sums", 6, "aiv"), ("seen_sums", 7, "aiv"), ("early_looks", 0, "aiv"),
    ("early_looks", 2, "aiv"), ("cleared_sums", 1, "aiv")])
def test_threads_do_not_matter(kernel, how, cores):
    reports = [run(kernel, how, "Ascend910B1", cores, threads).faults for threads in (1, 2, 8)]
    assert reports[0] == reports[1] == reports[2]


def test_the_report():
    found = run("tails", 0, "Ascend910B1", "aiv")
    here = line_of("HERE", "tails")
    assert found.stderr.strip().splitlines() == [
        "error[V4010] DataCopy: dst writes bytes 192..255 of GM buffer out, which DataCopy of AIV "
        "of block 0 writes, and nothing orders the two",
        f"  --> tests/tool/kernels/{here} in tails",
        "      block 1, AIV, MTE3, instruction 4, 3 times",
        f"      DataCopy of AIV of block 0: tests/tool/kernels/{here} in tails",
        "  = legal: bytes of its own for each core, or SyncAll() between the two, or IBSet after "
        "the one and IBWait before the other",
        "  = see: vinci explain V4010"]


def test_a_flag_on_another_pipe_is_named():
    for how, pipe in ((1, "MTE3"), (5, "MTE2")):
        fault, = own(run("flag_pipes", how, "Ascend910B1", "mix12"))
        assert f"CrossCoreSetFlag<modeId, PIPE_{pipe}>" in fault["legal"]


@pytest.mark.parametrize("how, count, words", [
    (1, 4, "flag 3 is still set at the end of the launch: nobody waited for it"),
    (2, 3, "flag 4 waits for other cores at the end of the launch, which never set it")])
def test_flags_that_are_left(how, count, words):
    done = run("left_flags", how, "Ascend910B1", "aiv")
    fault, = own(done)
    assert (done.code, fault["code"], fault["count"]) == (0, "V4013", count), done.stderr
    assert fault["message"] == f"CrossCoreSetFlag: {words}"
    assert lines_of(fault["lines"])[0] == line_of("HERE", f"left_{how}")
    assert own(run("left_flags", 0, "Ascend910B1", "aiv")) == []


@pytest.mark.parametrize("how, here", [(1, "partials_read"), (2, "partials_copied")])
def test_who_goes_on_without_having_seen_a_word_has_not_waited_for_it(how, here):
    """One thread: block 0 looks before the others have written."""
    found = own(run("partials", how, "Ascend910B1", "aiv", threads=1))
    assert [(fault["code"], fault["count"]) for fault in found] == [("V4010", 3)]
    assert lines_of(found[0]["lines"])[0] == line_of("HERE", here)
    assert lines_of(found[0]["other"]["lines"])[0] == line_of("THERE", "partials")


@pytest.mark.parametrize("check", ["basic", "off"])
def test_other_checks_do_not_look(check):
    assert run("tails", 0, "Ascend910B1", "aiv", check=check).faults == []


@pytest.mark.parametrize("how, chips, pairs", [
    (0, VECTOR_CHIPS, 0), (1, VECTOR_CHIPS, 6), (2, VECTOR_CHIPS[1:], 0),
    (3, ["Ascend310P3", "Ascend910B1"], 0), (4, ["Ascend310P3", "Ascend910B1"], 1)])
def test_scalar_writes_in_one_cache_line(how, chips, pairs):
    for chip in chips:
        found = run("lines", how, chip, "aiv" if chip in SPLIT else "auto")
        line = line_of("HERE", "lines")
        told = [(fault["code"], fault["count"], lines_of(fault["lines"]),
                 lines_of(fault["other"]["lines"])) for fault in found.faults]
        assert told == ([("V4011", pairs, [line], [line])] if pairs else []), found.stderr


@pytest.mark.parametrize("how, code, result", [
    (0, "V4018", 11), (1, "V4011", None), (2, "V4011", None), (3, "V4011", None)])
def test_words_of_one_line_that_only_their_cores_read_again(how, code, result):
    found = run("own_words", how, "Ascend910B1", "aiv")
    told = {fault["code"]: fault for fault in found.faults}
    fault = told[code]
    assert {"V4011", "V4018"} & told.keys() == {code} and fault["count"] == 6, found.stderr
    assert lines_of(fault["lines"]) == lines_of(fault["other"]["lines"]) == [
        line_of("HERE", "own_words")]
    if result is not None:
        assert found.code == 0 and fault["severity"] == "warning"
        assert found.outputs[0].view(np.int32)[256:320:16].tolist() == [result] * 4


@pytest.mark.parametrize("how, found", [(0, 0), (1, 1), (2, 0), (3, 0)])
def test_a_table_that_is_still_in_the_cache_of_who_says_that_it_is_there(how, found):
    for chip in ("Ascend310P3", "Ascend910B1"):
        done = run("tables", how, chip, "aiv" if chip in SPLIT else "auto")
        told = [(fault["code"], lines_of(fault["lines"])[0], lines_of(fault["other"]["lines"])[0])
                for fault in done.faults]
        assert told == [("V4014", line_of("HERE", "tables"), line_of("THERE", "tables"))] * found, done.stderr


@pytest.mark.parametrize("how, count", [(0, 0), (1, 4), (2, 4), (3, 4), (4, 0), (5, 0)])
def test_lines_that_a_core_has_in_its_cache_while_another_one_writes_them(how, count):
    for chip in ("Ascend310P3", "Ascend910B1"):
        done = run("kept_lines", how, chip, "aiv" if chip in SPLIT else "auto")
        told = [(fault["code"], fault["count"], lines_of(fault["lines"])[0],
                 lines_of(fault["other"]["lines"])[0]) for fault in done.faults]
        assert told == ([("V4014", count, line_of("HERE", "kept_lines"), line_of("THERE", "kept_lines"))]
                        if count else []), done.stderr
        assert not count or "as the scalar cache has them since an earlier GetValue" in done.stderr


@pytest.mark.parametrize("how, here", [
    (0, None), (1, "handed_on"), (2, "handed_on"), (3, "handed_on_by_copy"), (4, None), (5, None)])
def test_words_that_are_still_in_another_core_s_cache(how, here):
    for chip in ("Ascend310P3", "Ascend910B1"):
        found = run("handed_on", how, chip, "aiv" if chip in SPLIT else "auto")
        told = [(fault["code"], fault["count"], lines_of(fault["lines"]),
                 lines_of(fault["other"]["lines"])) for fault in found.faults]
        assert told == ([("V4014", 4, [line_of("HERE", here)], [line_of("THERE", "handed_on")])]
                        if here else []), found.stderr
        if here:
            assert re.search(r"reads bytes \d+\.\.\d+ of GM buffer space, whose new value, by SetValue "
                             r"of (AIV of )?block \d, is still in that core's scalar cache",
                             found.faults[0]["message"])


@pytest.mark.parametrize("threads", [1, 8])
@pytest.mark.parametrize("chip", VECTOR_CHIPS)
def test_a_look_by_reference_at_what_others_add_to(chip, threads):
    """With several threads a sum may come between the look and the core's next call, as if the core
    had written it: told it is all the same."""
    done = run("cleared_sums", 2, chip, "aiv" if chip in SPLIT else "auto", threads)
    assert done.code == 1 and set(fault["code"] for fault in own(done)) <= {"V4010", "V4014"}, done.stderr
    if threads > 1:
        return
    fault, = own(done)
    assert (fault["code"], fault["count"]) == ("V4010", 12)
    assert lines_of(fault["lines"])[0] == line_of("HERE", "looks_by_reference")
    assert fault["message"].startswith("GetValue: reads bytes 0..3")
