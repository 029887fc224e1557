"""--suppress: faults that are known and do not count."""

import json

import numpy as np
import pytest

import sarif_shape
from cli_kit import KERNELS, check_ok, check_usage, run

TEXT = (KERNELS / "checks.cpp").read_text()
CODES = ["V1001", "V1009", "V1013", "V3007", "V4009"]
ALL = "".join(f"{code} * known\n" for code in CODES)


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    """With an input, and the kernel in a folder below, where it is compiled once."""
    folder = tmp_path_factory.mktemp("suppress")
    np.save(folder / "x.npy", np.zeros(64, np.float32))
    (folder / "src").mkdir()
    (folder / "src" / "k.cpp").write_text(TEXT)
    return folder


def line_of(text):
    return next(number for number, line in enumerate(TEXT.splitlines(), 1) if text in line)


def suppressed(folder, text, *words, file="src/k.cpp"):
    """The run with these suppressions, and which codes its report has with which reasons."""
    (folder / "known.txt").write_text(text)
    done = run(folder / file, None, "--suppress", "known.txt", "--json", "r.json", *words,
               cwd=folder, args=["in:x.npy"])
    faults = json.loads((folder / "r.json").read_text())["faults"]
    return done, {fault["code"]: fault["suppressed"] for fault in faults}


def test_what_is_suppressed_does_not_count(folder):
    done, reasons = suppressed(folder, ALL)
    check_ok(done)
    assert f": clean, {len(CODES)} suppressed (" in done.stdout and done.stderr == ""
    assert reasons == dict.fromkeys(CODES, "known")


def test_the_others_count(folder):
    done, reasons = suppressed(folder, "V4009 src/k.cpp the copy is waited for elsewhere\n")
    assert done.code == 1 and ": 3 fault(s), 1 warning(s), 1 suppressed (" in done.stdout
    assert reasons == {"V1001": None, "V1009": None, "V1013": None, "V3007": None,
                       "V4009": "the copy is waited for elsewhere"}
    assert "V4009" not in done.stderr and done.stderr.count("error[") == 3


@pytest.mark.parametrize("path, matches", [
    ("src/k.cpp", True), ("src/*", True), ("*/k.cpp", True), ("*.cpp", True), ("s?c/[jk].cpp", True),
    ("*", True), ("k.cpp", False), ("src", False), ("src/k.cpp.old", False), ("SRC/k.cpp", False),
    ("src/k.cpp:LINE", True), ("*:LINE", True), ("src/k.cpp:1", False), ("src/k.cpp:x", False),
    ("FOLDER/src/k.cpp", True), ("FOLDER/src/k.cpp:LINE", True), ("FOLDER/k.cpp", False),
])
def test_paths_are_patterns_of_what_the_report_shows(folder, path, matches):
    path = path.replace("LINE", str(line_of("race: V4009"))).replace("FOLDER", str(folder))
    done, reasons = suppressed(folder, f"V4009 {path} why\n", "--check", "race")
    assert (reasons["V4009"] == "why") == matches
    note = f"vinci: known.txt:1: V4009 {path} matched nothing\n"
    assert done.stderr.count(note) == (0 if matches else 1)


def test_blanks_comments_and_the_first_line_that_fits(folder):
    text = "# known faults\n\n  \t\nV4009\t src/k.cpp   first  reason \r\nV4009 * second\n  # end\n"
    done, reasons = suppressed(folder, text, "--check", "race")
    assert reasons["V4009"] == "first  reason" and "matched nothing" not in done.stderr


def test_an_empty_file_suppresses_nothing(folder):
    done, reasons = suppressed(folder, "")
    assert done.code == 1 and set(reasons.values()) == {None}


@pytest.mark.parametrize("line, phrase", [
    ("V4009", "V4009 has no path; legal: CODE PATH[:LINE] REASON"),
    ("V4009 src/k.cpp", "V4009 src/k.cpp has no reason; legal: CODE PATH[:LINE] REASON"),
    ("V4099 src/k.cpp why", "unknown code V4099; did you mean V4009"),
    ("race src/k.cpp why", "unknown code race"),
    ("v4009 src/k.cpp why", "unknown code v4009"),
    ("V6001 src/k.cpp why", "V6001 is of class soc; legal: codes of the classes kernel, unverified"),
    ("V9001 * why", "V9001 is of class internal; legal: "),
    ("V4009 src/k.cpp:0 why", "src/k.cpp:0 has no such line; legal: lines from 1"),
    ("V4009 src/k.cpp:99999999999 why", "src/k.cpp:99999999999 has no such line"),
])
def test_a_wrong_line_is_refused_with_its_place(folder, line, phrase):
    (folder / "known.txt").write_text(f"V1001 * why\n\n{line}\n")
    done = run(folder / "src" / "k.cpp", None, "--suppress", "known.txt", cwd=folder,
               args=["in:x.npy"])
    check_usage(done, f"--suppress: known.txt:3: {phrase}")


@pytest.mark.parametrize("words, phrase", [
    (["--suppress", "none.txt"], "--suppress: none.txt cannot be read"),
    (["--suppress", "src"], "--suppress: src cannot be read"),
    (["--suppress", "known.txt", "--json", "./known.txt"], "that is the file of suppressions"),
    (["--suppress", "known.txt", "--sarif", "known.txt"], "that is the file of suppressions"),
])
def test_files_that_cannot_be_meant_are_refused(folder, words, phrase):
    (folder / "known.txt").write_text(ALL)
    check_usage(run(folder / "src" / "k.cpp", None, *words, cwd=folder, args=["in:x.npy"]), phrase)
    assert (folder / "known.txt").read_text() == ALL


def test_a_result_without_a_place_has_an_empty_path(folder):
    np.save(folder / "golden.npy", np.zeros(4, np.int64))
    for path, code in (("*", 0), ("*o.npy", 1)):
        (folder / "known.txt").write_text(f"V8001 {path} the golden file is old\n")
        done = run("blocks.cpp", "block_index", "--suppress", "known.txt", cwd=folder,
                   args=["out:o.npy:int64:4"], expect=["o.npy=golden.npy"])
        assert done.code == code and ("V8001]" in done.stderr) == bool(code)


def test_a_warning_may_be_suppressed(folder):
    (folder / "known.txt").write_text("V1011 * intended\n")
    for words, text in ((["--suppress", "known.txt"], "clean, 1 suppressed"), ([], "1 warning(s)")):
        done = run("copies_past.cpp", None, *words, cwd=folder, args=["in:x.npy"])
        check_ok(done)
        assert text in done.stdout and ("V1011" in done.stderr) == (not words)


def test_sarif_has_reasons(folder):
    suppressed(folder, "V4009 src/* why: it waits\n", "--sarif", "r.sarif")
    log = sarif_shape.check(json.loads((folder / "r.sarif").read_text()))
    assert {result["ruleId"]: result["suppressions"] for result in log["results"]} == {
        "V1001": [], "V1009": [], "V1013": [], "V3007": [],
        "V4009": [{"kind": "external", "status": "accepted", "justification": "why: it waits"}]}
