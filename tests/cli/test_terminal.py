"""What a person at a terminal sees: progress, compiling, Ctrl-C. And what a pipe does not see."""

import os
import pty
import select
import signal
import subprocess
import time

import pytest

import harness
from cli_kit import KERNELS, run
from processes import computes, wait_until

BUSY = ["run", str(KERNELS / "blocks.cpp"), "--kernel", "busy", "--arg", "zeros:uint32:1"]


def environment(cache=None):
    return dict(os.environ, VINCI_CACHE=str(cache or harness.CACHE), TERM="xterm", CXX="g++")


def at_a_terminal(arguments, cache=None, timeout=30):
    """Runs vinci with stderr on a terminal: its exit code and what the terminal got."""
    own, theirs = pty.openpty()
    process = subprocess.Popen([harness.VINCI, *arguments], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=theirs, env=environment(cache))
    os.close(theirs)
    text, end = b"", time.monotonic() + timeout
    while time.monotonic() < end:
        if not select.select([own], [], [], 0.1)[0]:
            continue
        try:
            part = os.read(own, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    os.close(own)
    if time.monotonic() >= end:
        process.kill()
    return process.wait(timeout=10), text.decode()


@pytest.fixture(name="warm", scope="module", autouse=True)
def fixture_warm():
    """The kernel file is compiled before anything is timed."""
    assert run("blocks.cpp", "nothing").code == 0


def test_after_two_seconds_a_progress_line_counts_blocks_and_goes_away_again():
    code, text = at_a_terminal([*BUSY, "--timeout", "2.6", "--blocks", "4", "--arg", "value:int32:-1"])
    assert code == 1
    assert "\r\x1b[Kbusy on Ascend310P3: block 1 of 4, 2 s" in text
    behind = text[text.rindex("busy on Ascend310P3: block"):]
    assert "2 s\r\x1b[Kerror[V5004]" in behind or "3 s\r\x1b[Kerror[V5004]" in behind


def test_a_quick_kernel_shows_no_progress():
    code, text = at_a_terminal([*BUSY, "--arg", "value:int32:10"])
    assert (code, text) == (0, "")


def test_compiling_is_said_and_wiped_away(tmp_path):
    source = str(KERNELS / "copy.cpp")
    arguments = ["run", source, "--arg", "zeros:half:1", "--arg", "zeros:half:1",
                 "--arg", "value:uint32:0"]
    code, text = at_a_terminal(arguments, cache=tmp_path)
    assert (code, text) == (0, f"compiling {source} for Ascend310P3 ...\r\x1b[K")
    assert at_a_terminal(arguments, cache=tmp_path) == (0, "")


def test_warnings_have_colours_on_a_terminal_only(tmp_path):
    (tmp_path / "k.cpp").write_text('#include "kernel_operator.h"\n#warning look here\n'
                                    'extern "C" __global__ __aicore__ void k() {}\n')
    arguments = ["run", str(tmp_path / "k.cpp"), "--quiet"]
    plain = "warning: #warning look here [-Wcpp]"
    for _ in range(2):
        code, text = at_a_terminal(arguments, cache=tmp_path / "cache")
        assert code == 0 and "\x1b[" in text and plain not in text and "look here" in text
        done = subprocess.run([harness.VINCI, *arguments], env=environment(tmp_path / "cache"),
                              capture_output=True, text=True, timeout=60, check=False)
        assert plain in done.stderr and "\x1b" not in done.stderr


def test_quiet_says_nothing_while_compiling(tmp_path):
    code, text = at_a_terminal(["run", str(KERNELS / "copy.cpp"), "--quiet", "--arg", "zeros:half:1",
                                "--arg", "zeros:half:1", "--arg", "value:uint32:0"], cache=tmp_path)
    assert (code, text) == (0, "")


def test_a_pipe_gets_neither_progress_nor_compiling(tmp_path):
    def run_busy(rounds, timeout):
        done = subprocess.run(
            [harness.VINCI, *BUSY, "--arg", f"value:int32:{rounds}", "--timeout", timeout],
            env=environment(tmp_path), capture_output=True, timeout=90, check=False)
        assert b"\r" not in done.stderr + done.stdout and b"\x1b" not in done.stderr + done.stdout
        return done

    done = run_busy(1, "60")  # with the compiler, which may be slow on a busy machine
    assert (done.returncode, done.stderr) == (0, b"")
    done = run_busy(-1, "2.6")
    assert done.returncode == 1 and done.stderr.startswith(b"error[V5004]")


def interrupt(tmp_path, *arguments, to_group=False):
    """Starts vinci, sends it SIGINT once the kernel runs, and waits for its end."""
    process = subprocess.Popen(
        [harness.VINCI, *BUSY[:-2], "--arg", "out:o.npy:uint32:1", *arguments], cwd=tmp_path,
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True)
    assert wait_until(lambda: computes(process.pid))
    (os.killpg if to_group else os.kill)(process.pid, signal.SIGINT)
    start = time.monotonic()
    out, err = process.communicate(timeout=20)
    return process.returncode, out, err, time.monotonic() - start


@pytest.mark.parametrize("to_group", [False, True], ids=["vinci alone", "vinci and the kernel"])
def test_ctrl_c_ends_an_endless_kernel_with_a_report(tmp_path, to_group):
    code, out, err, seconds = interrupt(tmp_path, "--arg", "value:int32:-1", to_group=to_group)
    assert code == 1 and seconds < 2
    line = 1 + next(number for number, text in enumerate(
        (KERNELS / "blocks.cpp").read_text().splitlines()) if "*cell = *cell + 1" in text)
    assert err.startswith("error[V5004] busy: interrupted\n")
    assert f"blocks.cpp:{line} in busy" in err
    assert "0 of 1 blocks finished" in out


def test_ctrl_c_still_saves_outputs_and_the_json_report(tmp_path):
    code, *_ = interrupt(tmp_path, "--arg", "value:int32:-1", "--json", "r.json")
    assert code == 1
    assert (tmp_path / "o.npy").exists() and (tmp_path / "r.json").exists()


def test_the_kernels_process_dies_with_vinci(tmp_path):
    process = subprocess.Popen([harness.VINCI, *BUSY, "--arg", "value:int32:-1"], cwd=tmp_path,
                               env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert wait_until(lambda: computes(process.pid))
    process.kill()
    process.wait(timeout=10)
    # The kernel's process holds the pipe open as long as it lives.
    assert select.select([process.stdout], [], [], 5)[0] and process.stdout.read() == b""
    process.stdout.close()
