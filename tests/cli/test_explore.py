"""--explore: one kernel under many schedules."""

import json
import re

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, compile_first, forget_orders, load, run

X = np.arange(128, dtype=np.float32)


@pytest.fixture(name="folder", autouse=True)
def fixture_folder(tmp_path, monkeypatch):
    """With an input."""
    np.save(tmp_path / "x.npy", X)
    forget_orders(monkeypatch)
    return tmp_path


def add_one(folder, *words, waits=0, output="out:y.npy:float:2x64"):
    """The run and its report."""
    done = run("orders.cpp", "add_one", *words, "--json", "r.json", cwd=folder,
               args=["in:x.npy", output, f"value:int32:{waits}"])
    return done, json.loads((folder / "r.json").read_text())


def test_a_kernel_that_waits_gives_the_same_bytes(folder):
    done, report = add_one(folder, "--explore", "9", waits=1)
    check_ok(done)
    assert ": clean, same bytes under 9 schedules (" in done.stdout
    assert report["explored"] == {"schedules": 9, "differs_under": None}
    assert (load(folder / "y.npy").ravel() == X + 1).all()


def test_without_the_option_nothing_is_said(folder):
    done, report = add_one(folder, waits=1)
    assert "schedules" not in done.stdout and report["explored"] is None


def test_the_first_difference_is_told(folder):
    done, report = add_one(folder, "--explore", "9", "--check", "basic")
    assert done.code == 1 and [fault["code"] for fault in report["faults"]] == ["V4012"]
    assert report["explored"] == {"schedules": 2, "differs_under": "lazy"}
    fault = report["faults"][0]
    # X + 1 is 6 at element 5 only, so the first that differs is 0.
    assert fault["message"] == ("y.npy[0, 0] is 6 under --schedule lazy, but 1 under --schedule "
                                "eager")
    assert fault["legal"].endswith("look with --schedule lazy --check race")
    assert "1 fault(s)" in done.stdout and "same bytes" not in done.stdout
    assert (load(folder / "y.npy").ravel() == X + 1).all()  # of the first


def test_the_element_is_the_first_that_differs(folder):
    np.save(folder / "x.npy", np.where(X < 70, 5, X).astype(np.float32))
    _, report = add_one(folder, "--explore", "2", "--check", "basic")
    assert report["faults"][0]["message"] == (
        "y.npy[1, 6] is 6 under --schedule lazy, but 71 under --schedule eager")


@pytest.mark.parametrize("output, start", [
    # 1.0f is 00 00 80 3f, 6.0f is 00 00 c0 40.
    ("int4:1024", "y.npy[5] is -4 under --schedule lazy, but -8 under"),
    ("uint16:256", "y.npy[1] is 16576 under --schedule lazy, but 16256 under"),
    ("uint8:512", "y.npy[2] is 192 under --schedule lazy, but 128 under"),
    ("float:1x128", "y.npy[0, 0] is 6 under --schedule lazy, but 1 under"),
])
def test_elements_are_those_of_the_output(folder, output, start):
    _, report = add_one(folder, "--explore", "2", "--check", "basic", output=f"out:y.npy:{output}")
    assert report["faults"][0]["message"].startswith(start)


def test_a_race_that_is_told_already_is_named(folder):
    done, report = add_one(folder, "--explore", "3")
    assert done.code == 1 and [fault["code"] for fault in report["faults"]] == ["V4009", "V4012"]
    assert report["faults"][1]["legal"].endswith("V4009 names what has no order")


def test_the_schedule_repeats_what_differs(folder):
    done, report = add_one(folder, "--explore", "20", "--check", "basic")
    value, schedule = re.findall(r"is (\S+) under --schedule (\S+), but", done.stderr)[0]
    assert schedule == report["explored"]["differs_under"]
    add_one(folder, "--schedule", schedule, "--check", "basic")
    assert load(folder / "y.npy")[0, 0] == float(value)


def test_inputs_are_the_same_for_every_run(folder):
    """What one run leaves in a buffer is not what the next begins with."""
    np.save(folder / "y.npy", np.full(128, 9, np.float32))
    done, _ = add_one(folder, "--explore", "4", waits=1, output="inout:y.npy:y.npy")
    check_ok(done)
    done = run("copy.cpp", None, "--explore", "3", cwd=folder,
               args=["inout:x.npy:x.npy", "inout:y.npy:z.npy", "value:uint32:64"])
    check_ok(done)


def test_what_a_kernel_prints_is_there_once(folder):
    done = run("orders.cpp", "talks", "--explore", "5", "--check", "basic", cwd=folder,
               args=["in:x.npy", "out:y.npy:float:128"])
    assert done.stdout.count("one run\n") == 1


def test_an_error_that_eager_does_not_show(folder):
    done = run("orders.cpp", "counts", "--explore", "5", "--auto-sync", "off", "--check", "basic",
               cwd=folder, args=["in:x.npy", "out:y.npy:float:128"])
    assert done.code == 1 and "error[V4012] under --schedule lazy there is V1001 (" in done.stderr
    assert done.stderr.count("error[") == 1


def test_a_schedule_under_which_there_is_no_end(folder):
    compile_first("orders.cpp")
    done = run("orders.cpp", "spins", "--explore", "5", "--auto-sync", "off", "--timeout", "1",
               "--check", "basic", cwd=folder, args=["in:x.npy", "out:y.npy:uint32:1"])
    assert done.code == 1 and done.stderr.count("error[") == 1
    assert "error[V4012] under --schedule lazy there is V5004 (spins: still running after 1 s), " \
        "which --schedule eager has not" in done.stderr


def test_a_kernel_without_an_end_is_run_once(folder):
    compile_first("blocks.cpp")
    done = run("blocks.cpp", "busy", "--explore", "50", "--timeout", "0.4", "--json", "r.json",
               cwd=folder, args=["out:o.npy:uint32:1", "value:int32:-1"], timeout=15)
    report = json.loads((folder / "r.json").read_text())
    assert [fault["code"] for fault in report["faults"]] == ["V5004"] and done.code == 1
    assert report["explored"] == {"schedules": 1, "differs_under": None}
    assert "same bytes" not in done.stdout


@pytest.mark.parametrize("words, phrase", [
    (["--explore", "1"], "--explore"), (["--explore", "1001"], "--explore"),
    (["--explore", "x"], "--explore"),
    (["--explore", "4", "--schedule", "lazy"], "leave out --schedule"),
])
def test_what_makes_no_sense_is_refused(folder, words, phrase):
    check_usage(run("orders.cpp", "looks", *words, cwd=folder, args=["out:y.npy:float:1"]), phrase)
