"""How runs end before their time: signals, time limits, and the processes that nobody may leave."""

import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

import harness
from cli_kit import KERNELS, run
from processes import computes, lives, wait_until

BUSY = ["run", str(KERNELS / "blocks.cpp"), "--kernel", "busy"]
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]

# A compiler that is quick with the preprocessor, and else does not end, nor does what it starts.
SLOW = """#!/bin/sh
case "$*" in *" -E"*) exec g++ "$@";; esac
sleep 100 &
echo $$ $! >> {}
wait
"""


def start(arguments, cwd, cache=harness.CACHE, ignored=(), **more):
    """vinci in a session of its own, as a service starts it; it ignores some signals."""
    def ignore():
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

    return subprocess.Popen(
        [harness.VINCI, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True, preexec_fn=ignore,  # pylint: disable=W1509
        env=dict(os.environ, VINCI_CACHE=str(cache), **more))


@pytest.fixture(name="warm", scope="module", autouse=True)
def fixture_warm():
    """The kernels are compiled before anything is timed."""
    assert run("blocks.cpp", "nothing").code == 0
    assert run("processes.cpp", "starts_processes", args=["value:int32:3"]).code == 1


@pytest.mark.parametrize("to_group", [False, True], ids=["vinci alone", "vinci and the kernel"])
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_keeps_report_outputs_and_json(tmp_path, number, to_group):
    process = start([*BUSY, "--arg", "out:o.npy:uint32:1", "--arg", "value:int32:-1", "--json",
                     "r.json"], tmp_path)
    assert wait_until(lambda: computes(process.pid))
    (os.killpg if to_group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 1, err
    assert err.startswith("error[V5004] busy: interrupted\n") and "0 of 1 blocks finished" in out
    assert json.loads((tmp_path / "r.json").read_text())["faults"][0]["code"] == "V5004"
    assert (tmp_path / "o.npy").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_was_ignored_stays_so(tmp_path, number):
    process = start([*BUSY, "--arg", "zeros:uint32:1", "--arg", "value:int32:-1", "--timeout", "2"],
                    tmp_path, ignored=[number])
    assert wait_until(lambda: computes(process.pid))
    os.killpg(process.pid, number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert err.startswith("error[V5004] busy: still running after 2 s\n")


def slow_compiler(tmp_path):
    (tmp_path / "k.cpp").write_text('#include "kernel_operator.h"\n'
                                    'extern "C" __global__ __aicore__ void k() {}\n')
    compiler = tmp_path / "slow"
    compiler.write_text(SLOW.format(tmp_path / "processes"))
    compiler.chmod(0o755)
    return {"CXX": str(compiler), "TMPDIR": str(tmp_path / "temporary")}


def processes_of(tmp_path):
    """What the slow compiler wrote down, once it has."""
    path = tmp_path / "processes"
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def check_nothing_is_left(tmp_path):
    processes = processes_of(tmp_path)
    assert len(processes) >= 2
    assert wait_until(lambda: not any(map(lives, processes)), 5)
    for folder in ("cache", "temporary"):
        assert not (tmp_path / folder).exists() or not list((tmp_path / folder).iterdir())


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_compiler_and_nothing_is_left(tmp_path, number):
    process = start(["run", "k.cpp", "--json", "r.json"], tmp_path, cache=tmp_path / "cache",
                    **slow_compiler(tmp_path))
    assert wait_until(lambda: len(processes_of(tmp_path)) >= 2)
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (3, "", "vinci: k.cpp: interrupted while compiling\n")
    check_nothing_is_left(tmp_path)
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize("command", [["bisheng", "-c", "k.asc"], ["c++", "-c", "k.cpp"]],
                         ids=["bisheng", "c++"])
def test_a_signal_ends_the_compiler_of_other_commands(tmp_path, command):
    more = slow_compiler(tmp_path)
    (tmp_path / "k.asc").write_text((tmp_path / "k.cpp").read_text())
    (tmp_path / "temporary").mkdir()
    process = start(command, tmp_path, cache=tmp_path / "cache", **more)
    assert wait_until(lambda: len(processes_of(tmp_path)) >= 2)
    os.kill(process.pid, signal.SIGTERM)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 3 and err.endswith("vinci: interrupted\n")
    check_nothing_is_left(tmp_path)


def test_a_time_limit_ends_the_compiler_and_nothing_is_left(tmp_path):
    done = harness.vinci("run", "k.cpp", "--timeout", "2.5", cwd=tmp_path, timeout=30, env={
        "VINCI_CACHE": str(tmp_path / "cache"), **slow_compiler(tmp_path)})
    assert done.code == 3
    assert done.stderr == ("vinci: k.cpp: the compiler was still at work after 2.5 s; "
                           "legal: a larger --timeout\n")
    check_nothing_is_left(tmp_path)


def test_what_a_compiler_removes_when_it_is_asked_to_end_is_removed(tmp_path):
    (tmp_path / "temporary").mkdir()
    (tmp_path / "k.cpp").write_text("""#include "kernel_operator.h"
constexpr int count() { int n = 0; for (long i = 0; i < 1000000000000; ++i) n += i & 1; return n; }
extern "C" __global__ __aicore__ void k(GM_ADDR out) { constexpr int n = count(); out[0] = n; }
""")
    env = {"CXX": "g++", "TMPDIR": str(tmp_path / "temporary"),
           "VINCI_CACHE": str(tmp_path / "cache")}
    done = run(
        tmp_path / "k.cpp", None, "--timeout", "4", args=["zeros:uint8:1"], env=env,
        options=["-fconstexpr-ops-limit=100000000000", "-fconstexpr-loop-limit=2147483647"])
    assert done.code == 3 and "the compiler was still at work after 4 s" in done.stderr
    assert not list((tmp_path / "temporary").iterdir()) + list((tmp_path / "cache").iterdir())


HOWS = {"returns": (0, 0), "does not end": (1, 1), "crashes": (2, 1), "leaves": (3, 1),
        "is killed": (4, 1)}


@pytest.mark.parametrize("how, code", HOWS.values(), ids=list(HOWS))
def test_processes_that_a_kernel_starts_end_with_it(tmp_path, how, code):
    done = run("processes.cpp", "starts_processes", "--timeout", "1", cwd=tmp_path,
               args=[f"value:int32:{how}"])
    assert done.code == code, done.stderr
    processes = [int(line) for line in done.stdout.splitlines() if line.isdecimal()]
    assert len(processes) == 3 and not any(map(lives, processes))


def test_processes_of_the_shell_that_became_vinci_go_on(tmp_path):
    done = subprocess.run(
        ["bash", "-c", 'sleep 30 & echo $! > other; exec "$0" "$@"', harness.VINCI, *BUSY, "--arg",
         "zeros:uint32:1", "--arg", "value:int32:1"], cwd=tmp_path, check=False, timeout=60,
        stdout=subprocess.DEVNULL, env=dict(os.environ, VINCI_CACHE=str(harness.CACHE)))
    other = int((tmp_path / "other").read_text())
    assert done.returncode == 0 and lives(other)
    os.kill(other, signal.SIGKILL)
