"""Tasks with known verdicts: all of them twice, on several processes, in shards, and under what
people have to run many: GNU parallel and Slurm."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

import harness
import known_tasks
import slurm

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")
ENVIRONMENT = {**os.environ, "VINCI_CACHE": str(harness.CACHE)}


def called(folder, *arguments):
    done = subprocess.run([harness.VINCI, "judge", *map(str, arguments)], cwd=folder, text=True,
                          env=ENVIRONMENT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def verdicts_in(file):
    return [json.loads(line) for line in pathlib.Path(file).read_text().splitlines()]


def written(folder, pairs):
    lines = folder / "tasks.jsonl"
    lines.write_text("".join(json.dumps(task) + "\n" for task, _ in pairs))
    return lines


def check(pairs, verdicts):
    assert [verdict["id"] for verdict in verdicts] == [task["id"] for task, _ in pairs]
    told = {verdict["id"]: (verdict["verdict"], known)
            for verdict, (_, known) in zip(verdicts, pairs) if verdict["verdict"] != known}
    assert told == {}


def digests(verdicts):
    return [verdict["digest"] for verdict in verdicts]


def test_a_sample_of_known_verdicts(tmp_path):
    pairs = known_tasks.tasks()[:50:17]
    called(tmp_path, written(tmp_path, pairs), "--out", tmp_path / "out")
    check(pairs, verdicts_in(tmp_path / "out"))


@pytest.mark.sweep
@pytest.mark.whole
def test_three_hundred_known_verdicts(tmp_path):
    pairs = known_tasks.tasks()
    assert len(pairs) == 300
    lines = written(tmp_path, pairs)
    called(tmp_path, lines, "--jobs", 2, "--out", tmp_path / "out")
    verdicts = verdicts_in(tmp_path / "out")
    check(pairs, verdicts)
    # Again, on one job and in four parts: the same to the last bit of their digests.
    for part in range(1, 5):
        called(tmp_path, lines, "--jobs", 1, "--shard", f"{part}/4",
               "--out", tmp_path / f"part{part}")
    called(tmp_path, "merge", *(tmp_path / f"part{part}" for part in range(1, 5)),
           "--out", tmp_path / "merged")
    again = verdicts_in(tmp_path / "merged")
    check(pairs, again)
    assert digests(again) == digests(verdicts)


def alone_and_merged(folder, pairs, run):
    """`run` makes part1 to part4 of the file of tasks; merged they are as if judged at once."""
    lines = written(folder, pairs)
    called(folder, lines, "--jobs", 2, "--out", folder / "alone")
    run(lines)
    called(folder, "merge", *(folder / f"part{part}" for part in range(1, 5)),
           "--out", folder / "merged")
    verdicts = verdicts_in(folder / "merged")
    check(pairs, verdicts)
    assert digests(verdicts) == digests(verdicts_in(folder / "alone"))


# As many tasks as there are take minutes: all of them with the sweeps.
SHARES = pytest.mark.parametrize("share", [slice(0, 60, 5),
                                           pytest.param(slice(None), marks=pytest.mark.sweep)])


@SHARES
@pytest.mark.whole
@pytest.mark.skipif(shutil.which("parallel") is None, reason="GNU parallel is not installed")
def test_under_gnu_parallel(share, tmp_path):
    def run(lines):
        subprocess.run(["parallel", "--will-cite", "-j", "2", harness.VINCI, "judge", lines,
                        "--shard", "{}/4", "--out", tmp_path / "part{}", ":::", *"1234"],
                       env={**ENVIRONMENT, "HOME": str(tmp_path)}, check=True, timeout=1800,
                       capture_output=True, stdin=subprocess.DEVNULL)

    alone_and_merged(tmp_path, known_tasks.tasks()[share], run)


@SHARES
@pytest.mark.whole
@pytest.mark.skipif(slurm.missing() != [], reason=f"not installed: {slurm.missing()}")
def test_as_a_job_array_of_slurm(share, tmp_path):
    """Each job of the array finds its part by itself."""
    def run(lines):
        script = tmp_path / "job.sh"
        script.write_text(f"#!/bin/sh\nexec {harness.VINCI} judge {lines} "
                          f"--out {tmp_path}/part$SLURM_ARRAY_TASK_ID\n")
        with slurm.running() as environment:
            done = subprocess.run(
                ["sbatch", "--wait", "--array=1-4", f"--output={tmp_path}/log-%a", script],
                env={**environment, "VINCI_CACHE": str(harness.CACHE)}, cwd=tmp_path, text=True,
                capture_output=True, check=False, timeout=1800)
        logs = "".join(path.read_text() for path in tmp_path.glob("log-*"))
        assert done.returncode == 0, done.stderr + logs

    alone_and_merged(tmp_path, known_tasks.tasks()[share], run)
