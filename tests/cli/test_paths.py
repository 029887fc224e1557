"""Files that a run must not mix up: one output over another, over the source, over the report."""

import json
import os

import numpy as np
import pytest

import harness
from cli_kit import KERNELS, check_ok, check_usage, copy, load, run


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    """An input a.npy, a kernel k.cpp, a link to what is not there yet and one to the input."""
    np.save(tmp_path / "a.npy", np.array([1, 2], np.uint8))
    (tmp_path / "k.cpp").write_text((KERNELS / "copy.cpp").read_text())
    (tmp_path / "link.npy").symlink_to("b.npy")
    (tmp_path / "link_to_a.npy").symlink_to("a.npy")
    (tmp_path / "here").symlink_to(".")
    return tmp_path


SPELLINGS = ["b.npy", "./b.npy", "here/b.npy", "link.npy", "here/../{folder}/b.npy"]


@pytest.mark.parametrize("exists", [False, True], ids=["new", "there already"])
@pytest.mark.parametrize("second", SPELLINGS)
def test_two_outputs_in_one_file_are_refused(folder, second, exists):
    if exists:
        (folder / "b.npy").write_bytes(b"old")
    done = copy(folder, "out:b.npy:uint8:2",
                f"out:{second.format(folder=folder.name)}:uint8:2", count=2)
    check_usage(done, "two arguments are saved in b.npy")
    assert (folder / "b.npy").exists() == exists
    assert not exists or (folder / "b.npy").read_bytes() == b"old"


def test_two_names_of_one_file_are_one_file(folder):
    (folder / "b.npy").write_bytes(b"old")
    os.link(folder / "b.npy", folder / "c.npy")
    check_usage(copy(folder, "out:b.npy:uint8:2", "out:c.npy:uint8:2"),
                "two arguments are saved in b.npy and c.npy, which are one file")


def test_files_of_one_name_in_two_folders_are_two(folder):
    (folder / "other").mkdir()
    check_ok(copy(folder, "out:b.npy:uint8:2", "out:other/b.npy:uint8:2", count=2))
    assert load(folder / "b.npy").tolist() == load(folder / "other" / "b.npy").tolist()


def test_an_output_may_replace_an_input(folder):
    check_ok(copy(folder, "in:a.npy", "out:./a.npy:uint8:1", count=1))
    assert load(folder / "a.npy").tolist() == [1]


def test_a_device_takes_any_number_of_outputs(folder):
    check_ok(copy(folder, "out:/dev/null:uint8:2", "out:/dev/null:uint8:2"))


@pytest.mark.parametrize("spelling", ["k.cpp", "./k.cpp", "here/k.cpp"])
@pytest.mark.parametrize("arguments, phrase", [
    (["--arg", "out:{}:uint8:2"], "{} is the kernel's source"),
    (["--arg", "zeros:uint8:2", "--json", "{}"], "--json {}: that is the kernel's source"),
])
def test_the_source_is_not_written_over(folder, spelling, arguments, phrase):
    words = [word.format(spelling) for word in arguments]
    before = (folder / "k.cpp").read_bytes()
    done = harness.vinci("run", "k.cpp", *words, "--arg", "in:a.npy", "--arg", "value:uint32:0",
                         cwd=folder)
    check_usage(done, phrase.format(spelling))
    assert (folder / "k.cpp").read_bytes() == before


@pytest.mark.parametrize("report, what", [("./b.npy", "an output"), ("here/a.npy", "an input"),
                                          ("link_to_a.npy", "an input"),
                                          ("here/g.npy", "a golden file")])
def test_a_report_takes_no_other_files_place(folder, report, what):
    golden = folder / "g.npy"
    np.save(golden, np.array([1, 2], np.uint8))
    before = (folder / "a.npy").read_bytes(), golden.read_bytes()
    done = copy(folder, "in:a.npy", "out:b.npy:uint8:2", count=2, expect=["b.npy=g.npy"],
                extra=["--json", report])
    check_usage(done, f"--json {report}: that is {what}")
    assert ((folder / "a.npy").read_bytes(), golden.read_bytes()) == before
    assert not (folder / "b.npy").exists()


@pytest.mark.parametrize("golden", SPELLINGS)
def test_an_output_is_not_compared_with_itself(folder, golden):
    golden = golden.format(folder=folder.name)
    for _ in range(2):  # not even if it is there from before
        done = copy(folder, "in:a.npy", "out:b.npy:uint8:2", count=2,
                    expect=[f"b.npy={golden}:rtol=1"])
        check_usage(done, f"--expect b.npy={golden}: an output agrees with itself")
        np.save(folder / "b.npy", np.array([1, 2], np.uint8))


def test_an_output_may_be_compared_with_what_it_was_made_of(folder):
    check_ok(copy(folder, "in:a.npy", "out:b.npy:uint8:2", count=2, expect=["b.npy=a.npy"]))


@pytest.mark.parametrize("argument", ["in:pipe", "inout:pipe:b.npy"])
def test_a_pipe_is_no_input(folder, argument):
    os.mkfifo(folder / "pipe")
    check_usage(copy(folder, argument, "zeros:uint8:2"), "pipe is no .npy file")


def test_a_pipe_is_no_golden_file(folder):
    os.mkfifo(folder / "pipe")
    done = copy(folder, "in:a.npy", "out:b.npy:uint8:2", count=2, expect=["b.npy=pipe"],
                extra=["--json", "r.json"])
    assert done.code == 1
    fault = json.loads((folder / "r.json").read_text())["faults"][0]
    assert fault["code"] == "V8002" and "pipe is no .npy file" in fault["message"]


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])
def test_a_pipe_is_no_kernel(folder, soc):
    os.mkfifo(folder / "pipe.cpp")
    check_usage(run(folder / "pipe.cpp", None, "--soc", soc, cwd=folder), "pipe.cpp is no file")
