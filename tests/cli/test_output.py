"""Where a command's output goes: standard output that is full or closed, links, devices, pipes."""

import json
import os
import subprocess
import threading

import pytest

import harness
from cli_kit import KERNELS, check_ok, run

HELLO = ["run", str(KERNELS / "blocks.cpp"), "--kernel", "says_hello"]
COMMANDS = {
    "run": [*HELLO[:3], "nothing"],
    "a kernel that prints": HELLO,
    "only the kernel prints": [*HELLO, "--quiet"],
    "a report": [*HELLO[:3], "nothing", "--json", "-"],
    "list": ["list"],
    "a chip's list": ["list", "--soc", "Ascend310P3"],
    "explain": ["explain", "Add"],
    "a tiling": ["explain", "GetConv2dTiling", "--cin", "64"],
    "cast": ["cast", "--from", "float", "--to", "half", "1.5"],
    "env": ["env"],
    "chips for CMake": ["env", "--chips"],
    "draw": ["draw", "load_data_2d", "-o", "-"],
    "help": ["--help"],
    "version": ["--version"],
    "the driver": ["bisheng", "--version"],
    "preprocessing": ["bisheng", "-E", str(KERNELS / "copy.cpp")],
}
REASONS = {"full": "No space left on device", "closed": "Bad file descriptor",
           "a pipe that nobody reads": "Broken pipe"}


def called(arguments, output, cwd):
    """vinci with this kind of standard output: exit code and stderr."""
    command = [harness.VINCI, *arguments]
    environment = dict(os.environ, VINCI_CACHE=str(harness.CACHE))
    more = {"cwd": cwd, "env": environment, "stderr": subprocess.PIPE, "text": True,
            "timeout": 120, "check": False}
    if output == "full":
        with open("/dev/full", "wb") as full:
            done = subprocess.run(command, stdout=full, **more)
    elif output == "closed":
        done = subprocess.run(["/bin/sh", "-c", 'exec "$0" "$@" >&-', *command], **more)
    else:
        reads, writes = os.pipe()
        os.close(reads)
        done = subprocess.run(command, stdout=writes, **more)
        os.close(writes)
    return done.returncode, done.stderr


@pytest.mark.parametrize("output", REASONS)
@pytest.mark.parametrize("what", COMMANDS)
def test_output_that_is_lost_is_told(tmp_path, what, output):
    code, said = called(COMMANDS[what], output, tmp_path)
    assert code == 2, said
    assert said == f"vinci: standard output cannot be written: {REASONS[output]}\n"


@pytest.mark.parametrize("output", REASONS)
def test_outputs_and_report_are_there_if_standard_output_is_not(tmp_path, output):
    words = ["run", str(KERNELS / "blocks.cpp"), "--kernel", "faults_between", "--json", "r.json",
             "--arg", "out:o.npy:uint8:2", "--arg", "value:int32:128"]
    code, said = called(words, output, tmp_path)
    assert code == 1 and said.startswith("error[V1001]") and said.count("error[") == 1
    assert said.endswith(f"standard output cannot be written: {REASONS[output]}\n")
    assert json.loads((tmp_path / "r.json").read_text())["exit_code"] == 1
    assert (tmp_path / "o.npy").exists()


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path):
    words = [*HELLO, "--quiet", "--json", "r.json"]
    done = subprocess.run(["/bin/sh", "-c", 'exec "$0" "$@" >&- 2>&- <&-', harness.VINCI, *words],
                          env=dict(os.environ, VINCI_CACHE=str(tmp_path / "cache")), cwd=tmp_path,
                          timeout=120, check=False)
    assert done.returncode == 2
    assert json.loads((tmp_path / "r.json").read_text())["faults"] == []


def nothing(tmp_path, path):
    check_ok(run("blocks.cpp", "nothing", "--json", path, cwd=tmp_path))


def test_a_report_goes_through_a_link(tmp_path):
    (tmp_path / "link.json").symlink_to("there/real.json")
    (tmp_path / "there").mkdir()
    for _ in range(2):
        nothing(tmp_path, "link.json")
        assert (tmp_path / "link.json").is_symlink()
        assert json.loads((tmp_path / "there" / "real.json").read_text())["kernel"] == "nothing"


def test_a_report_goes_into_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_text()),
                              daemon=True)
    reader.start()
    nothing(tmp_path, "pipe")
    reader.join(20)
    assert (tmp_path / "pipe").is_fifo() and json.loads(got[0])["kernel"] == "nothing"


def test_a_report_goes_to_a_device(tmp_path):
    try:
        os.mknod(tmp_path / "null", 0o600 | 0o020000, os.makedev(1, 3))
    except PermissionError:
        (tmp_path / "null").symlink_to("/dev/null")  # for all but root
    nothing(tmp_path, "null")
    assert (tmp_path / "null").is_char_device()


def test_a_report_on_stderr_stands_behind_the_faults(tmp_path):
    words = ["run", str(KERNELS / "blocks.cpp"), "--kernel", "faults_between", "--json",
             "/proc/self/fd/2", "--arg", "zeros:uint8:2", "--arg", "value:int32:128"]
    with open(tmp_path / "log", "wb") as log:
        done = subprocess.run([harness.VINCI, *words], stderr=log, stdout=subprocess.PIPE,
                              env=dict(os.environ, VINCI_CACHE=str(harness.CACHE)), check=False)
    text = (tmp_path / "log").read_text()
    assert done.returncode == 1 and text.startswith("error[V1001]")
    assert json.loads(text[text.index("\n{"):])["exit_code"] == 1


@pytest.mark.parametrize("path", ["r.json", "link.json", "there/../link_of_link.json"])
def test_an_older_report_does_not_outlive_a_run_that_is_refused(tmp_path, path):
    (tmp_path / "r.json").write_text("old")
    (tmp_path / "there").mkdir()
    (tmp_path / "link.json").symlink_to(tmp_path / "r.json")
    (tmp_path / "link_of_link.json").symlink_to("there/../link.json")
    run("blocks.cpp", "nothing", "--json", path, cwd=tmp_path, args=["zeros:uint8:1"])
    assert not (tmp_path / "r.json").exists() and (tmp_path / "link.json").is_symlink()


def test_what_stderr_goes_to_is_not_removed(tmp_path):
    (tmp_path / "link").symlink_to("/proc/self/fd/2")
    with open(tmp_path / "log", "wb") as log:
        subprocess.run([harness.VINCI, "run", str(KERNELS / "blocks.cpp"), "--kernel", "nothing",
                        "--json", "link"], stderr=log, stdout=subprocess.DEVNULL, cwd=tmp_path,
                       env=dict(os.environ, VINCI_CACHE=str(harness.CACHE)), check=True)
    assert json.loads((tmp_path / "log").read_text())["kernel"] == "nothing"
