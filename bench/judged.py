"""Tasks a minute of vinci judge on one core: a vector kernel of 150 lines in ten sizes, twice each
and more, with all checks; compiled for each task, and compiled before. By the clock, and by the
processor's time, which hangs less on what else the machine does; and what the sandbox takes."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "judge"
COLD, WARM = 5, 30  # tasks that are timed
COLD_FLOOR, WARM_FLOOR = 60, 600  # tasks a minute
RUNS = 24  # of a task
# Milliseconds of the processor for a launch, in the open and shut in, the least of many rounds in
# turn. It has an interpreter for itself: the processes that it waits for are those of its launches.
LAUNCHES = """
import resource, sys
sys.path.insert(0, sys.argv[1])
import numpy, vinci
arguments = [numpy.ones(1000, numpy.float32) for _ in range(3)] + [1000]

def used():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)

def milliseconds(kernel):
    before = used()
    for _ in range(30):
        kernel.attempt(arguments)
    return 1e3 * (used() - before) / 30

kernels = [vinci.kernel(sys.argv[2], "Ascend910B1", options=["-DWAY=0"], threads=1, **more)
           for more in ({}, {"sandbox": 60})]
rounds = [[milliseconds(kernel) for kernel in kernels] for _ in range(25)]
print(*map(min, zip(*rounds)))
"""


def task(number, turn):
    """Another turn is another text for the compiler."""
    return {"id": str(number), "source": str(KERNELS / "kernels" / "add.cpp"),
            "options": ["-DWAY=0", f"-DTURN={turn}"], "blocks": 1,
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


def containment(build, folder):
    """Milliseconds of the processor that the sandbox takes of a task."""
    done = subprocess.run([sys.executable, "-c", LAUNCHES, str(build / "python"),
                           str(KERNELS / "kernels" / "add.cpp")], check=True, text=True,
                          env={**os.environ, "VINCI_CACHE": f"{folder}/cache"}, capture_output=True)
    free, shut_in = map(float, done.stdout.split())
    return RUNS * (shut_in - free)


def rows(build):
    """As bench/run.py prints them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, tasks, floor in (("judge_cold", [task(i, i) for i in range(COLD)], COLD_FLOOR),
                                   ("judge_warm", [task(i, 0) for i in range(WARM)], WARM_FLOOR)):
            rates = [60 * len(tasks) / seconds
                     for seconds in seconds_of(build / "bin" / "vinci", folder, tasks)]
            yield (name, "{:.0f} a minute, CPU {:.0f}".format(*rates), f"{floor} a minute",
                   rates[0] >= floor)
        yield ("judge_containment", f"{containment(build, folder):.1f} ms a task, CPU", "-", True)
