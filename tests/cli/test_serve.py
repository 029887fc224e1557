"""vinci serve: a run that it forks is the run that a shell starts; what goes wrong is said."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time
from unittest import mock

import numpy as np
import pytest

import harness
from cli_kit import KERNELS, compile_first
from processes import children_of, wait_until

COPY = ["run", KERNELS / "copy.cpp", "--arg", "in:in.npy", "--arg", "out:out.npy:uint8:16"]
BUSY = ["run", KERNELS / "blocks.cpp", "--kernel", "busy", "--arg", "zeros:uint32:1"]
ENDLESS = [*BUSY, "--arg", "value:int32:-1"]
COMMANDS = {
    "clean": [*COPY, "--arg", "value:uint32:16", "--json", "report.json"],
    "a fault": ["run", KERNELS / "blocks.cpp", "--kernel", "faults_between", "--json",
                "report.json", "--arg", "out:out.npy:uint8:4", "--arg", "value:int32:128"],
    "a crash": ["run", KERNELS / "blocks.cpp", "--kernel", "crashes_between", "--json",
                "report.json", "--arg", "out:out.npy:uint8:4"],
    "a print": ["run", KERNELS / "blocks.cpp", "--kernel", "says_hello", "--blocks", "3"],
    "a time limit": [*ENDLESS, "--timeout", "0.2"],
    "wrong usage": [*COPY, "--arg", "value:uint32:x"],
    "no command": [],
    "help": ["run", "--help"],
    "version": ["--version"],
    "a file that does not compile": ["run", "broken.cpp"],
    "a chip that is none": ["list", "--soc", "Ascend999"],
    "a page": ["explain", "Gather"],
    "another program": ["c++", "--version"],
    "a path of the folder": ["run", "none.cpp"],
}


def files_in(folder):
    """What a run left: arrays as bytes, its report without the time."""
    found = {}
    for path in sorted(folder.iterdir()):
        found[path.name] = path.read_bytes()
        if path.suffix == ".json":
            found[path.name] = {**json.loads(path.read_text()), "seconds": 0}
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_a_served_run_is_a_started_run(tmp_path, command):
    seen = []
    for name in ("started", "served"):
        folder = tmp_path / name / "here"
        folder.mkdir(parents=True)
        (folder / "broken.cpp").write_text("no such thing\n")
        np.save(folder / "in.npy", np.arange(16, dtype=np.uint8))
        compile_first("blocks.cpp")
        runs = harness.worker().runs
        done = harness.vinci(*COMMANDS[command], cwd=folder, started=name == "started")
        assert harness.worker().runs == runs + (name == "served")
        # The milliseconds in the kernel differ.
        seen.append([done.code, re.sub(r"\(\d+\.\d ms\)", "", done.stdout),
                     done.stderr.replace(str(folder), "here"), files_in(folder)])
    assert seen[0] == seen[1]
    assert seen[0][0] in {"clean": [0], "a fault": [1], "wrong usage": [2],
                          "a file that does not compile": [3]}.get(command, range(6))


def serve(*lines):
    """vinci serve with these lines as its stdin."""
    return subprocess.run([harness.VINCI, "serve"], input="".join(line + "\n" for line in lines),
                          capture_output=True, text=True, timeout=60, check=False)


def request(folder, *words, **changes):
    return json.dumps({"argv": ["vinci", *words], "cwd": str(folder), "env": {},
                       "stdout": str(folder / "out"), "stderr": str(folder / "err"), **changes})


def test_requests_are_answered_in_order(tmp_path):
    done = serve(request(tmp_path, "--version", stdout=str(tmp_path / "1")),
                 request(tmp_path, "list", "--soc", "nothing"),
                 request(tmp_path, "list", stdout=str(tmp_path / "3")))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '{"code": 0}\n{"code": 2}\n{"code": 0}\n'
    assert (tmp_path / "1").read_text().startswith("vinci ")
    assert (tmp_path / "3").read_text() == harness.vinci("list", started=True).stdout
    assert (tmp_path / "err").read_text() == ""  # of the third, which writes it anew


def test_the_environment_of_one_run_is_not_the_next_ones(tmp_path):
    (tmp_path / "k.cpp").write_text("no such thing\n")
    words = ["run", str(tmp_path / "k.cpp")]
    texts = []
    for number, env in enumerate([{"CXX": "no-such-compiler"}, {}, {"CXX": None}]):
        texts.append((request(tmp_path, *words, env={"VINCI_CACHE": str(tmp_path / "cache"), **env},
                              stderr=str(tmp_path / f"{number}.err"))))
    assert serve(*texts).stdout == '{"code": 3}\n' * 3
    said = [(tmp_path / f"{number}.err").read_text() for number in range(3)]
    assert "no-such-compiler cannot be started" in said[0]
    assert "k.cpp:1" in said[1] and "k.cpp:1" in said[2]


@pytest.mark.parametrize("line", ["", "nothing", "{}", "[]", '{"argv": "run"}',
                                  '{"argv": [1], "cwd": "", "env": {}, "stdout": "", "stderr": ""}'])
def test_a_line_that_is_no_request_is_refused(line):
    done = serve(line)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith('vinci: serve: a line is {"argv": [...], ')
    assert f", not {line}: " in done.stderr


@pytest.mark.parametrize("what, error", [("stdout", "cannot be opened"),
                                         ("stderr", "cannot be opened"),
                                         ("cwd", "cannot be entered")])
def test_a_place_that_is_not_there_is_named(tmp_path, what, error):
    done = serve(request(tmp_path, "--version", **{what: "/no/such/place"}))
    assert done.stdout == '{"code": 2}\n'
    said = done.stderr if what == "stderr" else (tmp_path / "err").read_text()
    assert said == f"vinci: serve: /no/such/place {error}: No such file or directory\n"


def test_a_command_that_a_signal_ends_is_answered():
    worker = harness.Worker()
    environment = dict(worker.environment, VINCI_CACHE=str(harness.CACHE))
    harness.vinci(*BUSY, "--arg", "value:int32:1")  # compiles

    def kill(*_):
        assert wait_until(lambda: len(children_of(worker.process.pid)) == 2)
        os.kill(children_of(worker.process.pid)[0], signal.SIGKILL)
        return [worker.process.stdout], [], []

    with mock.patch.object(harness.select, "select", kill):
        run = worker.run([harness.VINCI, *map(str, ENDLESS)], None, environment, 10)
    assert run.code == -signal.SIGKILL and worker.alive(), run
    worker.end()


def test_a_run_that_takes_too_long_is_ended_with_all_below_it():
    worker = harness.Worker()
    environment = dict(worker.environment, VINCI_CACHE=str(harness.CACHE))
    harness.vinci(*BUSY, "--arg", "value:int32:1")  # compiles
    seen = []

    def late(*_):
        assert wait_until(lambda: len(children_of(worker.process.pid)) == 2)
        seen.extend(children_of(worker.process.pid))
        return [], [], []

    with mock.patch.object(harness.select, "select", late):
        with pytest.raises(subprocess.TimeoutExpired):
            worker.run([harness.VINCI, *map(str, ENDLESS)], None, environment, 0.5)
    assert not worker.alive() and len(seen) == 2
    assert wait_until(lambda: not any(os.path.exists(f"/proc/{process}") for process in seen))


def test_when_nobody_reads_the_answer_the_run_ends():
    harness.vinci(*BUSY, "--arg", "value:int32:1")  # compiles
    worker = harness.Worker()
    worker.process.stdin.write(request(pathlib.Path(worker.folder.name), *map(str, ENDLESS), env={
        "VINCI_CACHE": str(harness.CACHE)}, cwd=os.getcwd()).encode() + b"\n")
    worker.process.stdin.close()
    assert wait_until(lambda: len(children_of(worker.process.pid)) == 2)
    seen = children_of(worker.process.pid)
    time.sleep(0.1)
    assert worker.alive()
    worker.process.stdout.close()
    assert worker.process.wait(10) == 0
    assert wait_until(lambda: not any(os.path.exists(f"/proc/{process}") for process in seen))
    worker.folder.cleanup()


def test_a_worker_that_died_is_a_failure_and_the_next_one_works():
    worker = harness.worker()
    worker.process.kill()
    with pytest.raises(RuntimeError, match="vinci serve ended with -9 during"):
        worker.run([harness.VINCI, "--version"], None, worker.environment, 10)
    assert harness.vinci("--version").code == 0
    assert harness.worker() is not worker


def test_many_runs_leave_nothing_behind():
    harness.vinci("--version")
    process = harness.worker().process.pid

    def size():
        """Descriptors and pages."""
        with open(f"/proc/{process}/statm", encoding="utf-8") as file:
            return len(os.listdir(f"/proc/{process}/fd")), int(file.read().split()[0])

    harness.vinci(*BUSY, "--arg", "value:int32:1")
    before = size()
    for _ in range(50):
        assert harness.vinci(*BUSY, "--arg", "value:int32:1").code == 0
    assert size() == before and children_of(process) == []


def test_what_counts_at_the_start_starts_vinci(monkeypatch):
    before = harness.worker().runs
    harness.vinci("--version")
    assert harness.worker().runs == before + 1
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2")
    harness.vinci("--version")
    assert harness.worker().runs == before + 1
