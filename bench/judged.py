"""Tasks a minute of vinci judge on one core: a vector kernel of 150 lines in ten sizes, twice each
and more, with all checks; compiled for each task, and compiled before. By the clock, and by the
processor's time, which hangs less on what else the machine does."""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "judge"
COLD, WARM = 5, 30  # tasks that are timed


def task(number, turn):
    """Another turn is another text for the compiler."""
    return {"id": str(number), "source": str(KERNELS / "kernels" / "add.cpp"),
            "options": ["-DWAY=0", f"-DTURN={turn}"],
            "parameters": [{"in": "float", "name": "x", "shape": ["n"]},
                           {"in": "float", "name": "y", "shape": ["n"]},
                           {"out": "float", "name": "z", "shape": ["n"]},
                           {"value": "uint32", "name": "n", "is": "n"}],
            "sizes": {"n": {"from": 1, "to": 3000}}, "reference": f"{KERNELS}/references.py:add"}


def processor_seconds():
    """Of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of(vinci, folder, tasks):
    """Of judging them, all of which are right: by the clock, and of the processor."""
    path = pathlib.Path(folder)
    (path / "tasks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in tasks))
    core = sorted(os.sched_getaffinity(0))[0]
    begin, used = time.monotonic(), processor_seconds()
    done = subprocess.run(["taskset", "-c", str(core), vinci, "judge", "tasks.jsonl"], cwd=folder,
                          env={**os.environ, "VINCI_CACHE": str(path / "cache")}, text=True,
                          capture_output=True, check=True)
    seconds = time.monotonic() - begin, processor_seconds() - used
    words = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert words == ["right"] * len(tasks), words
    return seconds


def rows(build):
    """As bench/run.py prints them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, tasks in (("judge_cold", [task(i, i) for i in range(COLD)]),
                            ("judge_warm", [task(i, 0) for i in range(WARM)])):
            rates = [60 * len(tasks) / seconds
                     for seconds in seconds_of(build / "bin" / "vinci", folder, tasks)]
            yield name, "{:.0f} a minute, CPU {:.0f}".format(*rates), "-", True
