"""--sarif: faults for code hosts and editors."""

import json
import re

import numpy as np
import pytest

import harness
import sarif_shape
from cli_kit import KERNELS, check_ok, check_usage, run

FAULT_H = (harness.ROOT / "include" / "vinci" / "fault.h").read_text()


def sarif(folder, *arguments, **more):
    """The run of vinci, and the log's run."""
    done = run(*arguments, "--sarif", "r.sarif", cwd=folder, **more)
    return done, sarif_shape.check(json.loads((folder / "r.sarif").read_text()))


def copied(folder, file):
    """A kernel file in the folder, so that its path is relative."""
    (folder / "src").mkdir(exist_ok=True)
    path = folder / "src" / file
    path.write_text((KERNELS / "checks.cpp").read_text())
    np.save(folder / "x.npy", np.zeros(64, np.float32))
    return path


def line_of(text):
    lines = (KERNELS / "checks.cpp").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_a_clean_run_has_all_rules_and_no_results(tmp_path):
    done, log = sarif(tmp_path, "blocks.cpp", "nothing")
    check_ok(done)
    assert log["results"] == []
    assert log["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]
    driver = log["tool"]["driver"]
    assert driver["name"] == "vinci"
    codes = {f"V{number}" for number in re.findall(r"^  k\w+ = (\d{4}),", FAULT_H, re.M)}
    assert {rule["id"] for rule in driver["rules"]} == codes
    rule = next(rule for rule in driver["rules"] if rule["id"] == "V1011")
    assert rule["shortDescription"]["text"] == "access past a tensor, inside its memory"
    assert rule["defaultConfiguration"]["level"] == "warning"


def test_results_have_code_level_place_and_the_second_place(tmp_path):
    path = copied(tmp_path, "checks.cpp")
    done, log = sarif(tmp_path, path, None, "--check", "race", args=["in:x.npy"])
    assert done.code == 1 and log["invocations"][0]["exitCode"] == 1
    results = {result["ruleId"]: result for result in log["results"]}
    assert set(results) == {"V1001", "V4009"}
    race = results["V4009"]
    place = race["locations"][0]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "src/checks.cpp", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": line_of("// race: V4009")}}
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "mistakes"
    related = race["relatedLocations"][0]
    assert related["physicalLocation"]["region"]["startLine"] == line_of("DataCopy(mine")
    assert related["message"]["text"].startswith("DataCopy on MTE2")
    assert race["level"] == "error" and "HardEvent::MTE2_V" in race["message"]["text"]
    assert race["properties"]["count"] == race["occurrenceCount"] == 1
    assert (race["properties"]["block"], race["properties"]["pipe"]) == (0, "V")
    assert results["V1001"]["relatedLocations"] == []
    assert log["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"file://{tmp_path}/"


def test_callers_are_a_stack(tmp_path):
    _, log = sarif(tmp_path, "orders.cpp", "looks", "--auto-sync", "off",
                   args=["out:y.npy:float:1"])
    assert "stacks" not in log["results"][0]
    _, log = sarif(tmp_path, "orders.cpp", "talks", args=["zeros:float:128", "out:y.npy:float:128"])
    frames = [frame["location"] for frame in log["results"][0]["stacks"][0]["frames"]]
    assert frames[0] == log["results"][0]["locations"][0]
    names = [frame["logicalLocations"][0]["fullyQualifiedName"] for frame in frames]
    assert names == ["add_one", "talks"]


def test_names_are_written_as_uris(tmp_path):
    path = copied(tmp_path, "a b:c%.cpp")
    _, log = sarif(tmp_path, path, None, args=["in:x.npy"])
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for result in log["results"]}
    assert uris == {"src/a%20b%3Ac%25.cpp"}


def test_a_file_elsewhere_has_its_whole_path(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(64, np.float32))
    _, log = sarif(tmp_path, "checks.cpp", None, args=["in:x.npy"])
    artifact = log["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": f"file://{KERNELS / 'checks.cpp'}"}


def test_what_has_no_place_has_no_location(tmp_path):
    np.save(tmp_path / "golden.npy", np.zeros(4, np.int64))
    done, log = sarif(tmp_path, "blocks.cpp", "block_index", args=["out:o.npy:int64:4"],
                      expect=["o.npy=golden.npy"])
    assert done.code == 1
    assert [(result["ruleId"], result["locations"]) for result in log["results"]] == [("V8001", [])]


def test_equal_findings_are_counted(tmp_path):
    _, log = sarif(tmp_path, "blocks.cpp", "faults_between", "--blocks", 5,
                   args=["zeros:uint8:2", "value:int32:128"])
    assert [result["occurrenceCount"] for result in log["results"]] == [5]


def test_standard_output_is_a_file_too(tmp_path):
    done = run("blocks.cpp", "nothing", "--sarif", "-", cwd=tmp_path)
    check_ok(done)
    assert sarif_shape.check(json.loads(done.stdout))["results"] == []


def test_a_log_of_an_earlier_run_is_not_left(tmp_path):
    (tmp_path / "r.sarif").write_text("{}")
    (tmp_path / "k.cpp").write_text("no C++")
    assert run(tmp_path / "k.cpp", None, "--sarif", "r.sarif", cwd=tmp_path).code == 3
    assert not (tmp_path / "r.sarif").exists()


@pytest.mark.parametrize("words, phrase", [
    (["--json", "r", "--sarif", "./r"], "--sarif ./r: that is the file of --json"),
    (["--json", "-", "--sarif", "-"], "--sarif -: that is the file of --json"),
    (["--sarif", "o.npy"], "--sarif o.npy: that is an output"),
    (["--sarif", "no/such/folder"], "--sarif no/such/folder: cannot be written"),
])
def test_files_that_are_something_else_are_refused(tmp_path, words, phrase):
    check_usage(run("blocks.cpp", "block_index", *words, cwd=tmp_path, args=["out:o.npy:int64:4"]),
                phrase)
