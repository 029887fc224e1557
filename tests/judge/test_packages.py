"""Operators of packages as tasks: host code and kernels that nobody trusts."""

import json
import os
import pathlib
import subprocess

import pytest

import harness

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")
HERE = pathlib.Path(__file__).resolve().parent
# By the attribute of package/op_host/negate.cpp: the verdict, and a code among the findings.
WAYS = {0: ("right", None), 1: ("wrong", None), 2: ("hostile", "V5009"), 3: ("stopped", "V5004"),
        4: ("stopped", "V5001"), 5: ("does not compile", None), 6: ("wrong", None)}


def task(way, **changes):
    """y = -x."""
    fields = {"id": f"way {way}", "package": str(HERE / "package"),
              "parameters": [{"in": "float", "name": "x", "shape": ["n"]},
                             {"out": "float", "name": "y", "shape": ["n"]},
                             {"value": "int64", "name": "way", "is": way}],
              "sizes": {"n": [1, 8, 33]}, "timeout": 2 if way == 3 else 60,
              "reference": f"{HERE}/references.py:negative"}
    return {**fields, **changes}


def judged(folder, *tasks):
    (folder / "tasks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in tasks))
    done = subprocess.run([harness.VINCI, "judge", "tasks.jsonl"], cwd=folder, text=True,
                          env={**os.environ, "VINCI_CACHE": str(harness.CACHE)},
                          capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_operators_and_their_host_code(tmp_path):
    verdicts = judged(tmp_path, *map(task, WAYS), task(0, id="last", operator="Negate"))
    for verdict, (word, code) in zip(verdicts, WAYS.values()):
        assert verdict["verdict"] == word, verdict
        codes = {finding["code"] for finding in verdict["findings"]}
        assert code is None or code in codes, verdict
    assert verdicts[0]["findings"] == [] and verdicts[0]["not_device_code"] == []
    assert all(one["outputs"]["x"] == {"problem": "an input is overwritten"}
               for one in verdicts[6]["wrong"])
    assert verdicts[-1]["verdict"] == "right" and verdicts[-1]["right_cases"] > 6


def test_tasks_that_do_not_fit_their_package(tmp_path):
    output = {"out": "float", "name": "y", "shape": ["n"]}
    other = {"in": "float", "name": "z", "shape": ["n"]}
    verdicts = judged(
        tmp_path, task(0, operator="Other"), task(0, blocks=2), task(0, package="nowhere"),
        task(0, parameters=[other, output]), task(0, parameters=[{**output, "name": "x"}]),
        task(0, source="k.cpp"), task(0, reference=f"{HERE}/references.py:one_more"),
        task(0, parameters=[{"in": "half", "name": "x", "shape": ["n"]}, output]))
    problems = [verdict.get("problem", "") for verdict in verdicts]
    assert [verdict["verdict"] for verdict in verdicts[:6]] == ["broken task"] * 6
    for text, problem in zip(("Negate", "tiling", "nowhere", "none of the inputs",
                              "none of the outputs", "one of them"), problems):
        assert text in problem, problems
    assert verdicts[6]["verdict"] == "wrong"
    assert verdicts[7]["verdict"] == "broken task" and "does not take x float16" in problems[7]
