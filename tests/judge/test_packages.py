"""Operators of packages as tasks: host code and kernels that nobody trusts."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

import harness

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")
HERE = pathlib.Path(__file__).resolve().parent
# By the attribute of package/op_host/negate.cpp: the verdict, and a code among the findings.
WAYS = {0: ("right", None), 1: ("wrong", None), 2: ("hostile", "V5009"), 3: ("stopped", "V5004"),
        4: ("stopped", "V5001"), 5: ("does not compile", None), 6: ("wrong", None),
        8: ("wrong", None), 9: ("stopped", None)}


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
    assert "bytes of memory are not to be had" in verdicts[8]["problem"]
    assert "does not take x float, y float16" in verdicts[7]["problem"]
    assert verdicts[-1]["verdict"] == "right" and verdicts[-1]["right_cases"] > 6


@pytest.mark.parametrize("word, what", [
    ("hostile", 'open("/etc/passwd", O_RDONLY);'),
    pytest.param("stopped", 'while (true) asm("");', marks=pytest.mark.whole)])
def test_what_host_code_does_while_it_is_loaded(word, what, tmp_path):
    package = tmp_path / "package"
    shutil.copytree(HERE / "package", package)
    host = package / "op_host" / "negate.cpp"
    host.write_text(host.read_text() + f"static const int begun = [] {{ {what} return 1; }}();\n")
    verdict, last = judged(tmp_path, task(0, package=str(package), compile_timeout=10), task(0))
    assert verdict["verdict"] == word and "while it was loaded" in verdict["problem"], verdict
    assert last["verdict"] == "right"


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


def test_values_that_host_code_may_see_by_the_task_only(tmp_path):
    """The definition is the package's own word."""
    package = tmp_path / "package"
    shutil.copytree(HERE / "package", package)
    host = package / "op_host" / "negate.cpp"
    host.write_text(host.read_text().replace('Input("x")', 'Input("x").ValueDepend(REQUIRED)'))
    for name in ("again", "and_again"):  # folders without end
        (host.parent / name).symlink_to(".")
    known = {"package": str(package), "sizes": {"n": [8, 33]}}
    verdicts = judged(
        tmp_path, task(1, **known), task(1, **known, value_depend=["x"]), task(0, **known),
        task(0, value_depend=["x"]), task(0, value_depend=["y"]), task(0, value_depend="x"),
        {"id": "kernel", "code": "", "parameters": task(0)["parameters"][:2], "reference": "none",
         "value_depend": ["x"]})
    words = [verdict["verdict"] for verdict in verdicts]
    assert words == ["wrong", "right", "right", "right"] + ["broken task"] * 3, verdicts
    # Without leave it found the same bytes everywhere, whatever the inputs were.
    assert all(one["outputs"]["y"]["first"]["got"] == "nan" for one in verdicts[0]["wrong"])
    for verdict in (verdicts[0], verdicts[2]):
        assert "0xFF for the values of x" in verdict["problem"], verdict
    assert "problem" not in verdicts[1] and "problem" not in verdicts[3]
    for text, verdict in zip(("inputs of Negate: x", "a list of inputs", "without package"),
                             verdicts[4:]):
        assert text in verdict["problem"], verdict


PACKAGES = HERE.parent / "op" / "packages"
LISTS = PACKAGES / "lists"


def lists_task(operator, reference, **changes):
    """On three tensors of a list."""
    shapes = [["n"], [3, "n"], ["n - 1", 5]]
    result = ({"out": "float", "name": "y", "shape": ["9 * n - 5"]} if operator == "ConcatFlat" else
              {"out": "float", "name": "y", "shapes": shapes})
    scalar = [{"in": "float", "name": "scalar", "shape": [1]}] if operator != "ConcatFlat" else []
    return {"id": reference, "package": str(LISTS), "operator": operator,
            "parameters": [{"in": "float", "name": "x", "shapes": shapes}, *scalar, result],
            "sizes": {"n": [2, 9, 40]}, "schedules": ["eager"], "special": False,
            "reference": f"{HERE}/references.py:{reference}", **changes}


def test_operators_on_lists_of_tensors(tmp_path):
    plain = [{"in": "float", "name": "x", "shape": ["n"]}]
    scaled = lists_task("ForeachScale", "scaled")["parameters"]
    verdicts = judged(
        tmp_path, lists_task("ConcatFlat", "flat"), lists_task("ForeachScale", "scaled"),
        lists_task("ForeachScale", "scaled_but_one"), lists_task("ForeachScale", "scaled_in_part"),
        lists_task("ForeachScale", "scaled", parameters=plain + scaled[1:]),
        lists_task("ForeachScale", "scaled", parameters=[
            scaled[0], {"in": "float", "name": "scalar", "shapes": [[1]]}, scaled[2]]),
        lists_task("ForeachScale", "scaled", parameters=[{**scaled[0], "shapes": []}, *scaled[1:]]),
        {"id": "kernel", "code": "", "parameters": scaled, "reference": "none"})
    words = [verdict["verdict"] for verdict in verdicts]
    assert words == ["right", "right", "wrong"] + ["broken task"] * 5, verdicts
    assert verdicts[0]["cases"] > 6 and verdicts[0]["findings"] == []
    # Only the last tensor is another one.
    assert all(set(one["outputs"]) == {"y_2"} for one in verdicts[2]["wrong"])
    told = ("1 tensors of y", "x, which is dynamic", "scalar, which is not dynamic",
            "shapes [] of x", "shapes without package")
    for text, verdict in zip(told, verdicts[3:]):
        assert text in verdict["problem"], verdict


def test_what_a_launch_makes_for_itself_is_no_call_of_the_kernels(tmp_path):
    """A Matmul object's workspace, where it is first wanted in the sandbox."""
    (tmp_path / "r.py").write_text("import numpy as np\n\ndef leaky(a, b, bias):\n"
                                   "    c = a @ b + bias\n    return np.where(c < 0, c * 0.001, c)\n")
    verdict, = judged(tmp_path, {
        "id": "matmul", "package": str(PACKAGES / "matmul_leakyrelu"), "reference": "r.py:leaky",
        "parameters": [{"in": "half", "name": "a", "shape": [1024, 256]},
                       {"in": "half", "name": "b", "shape": [256, 640]},
                       {"in": "float", "name": "bias", "shape": [640]},
                       {"out": "float", "name": "c", "shape": [1024, 640]}],
        "tolerance": {"c": 1e-4}, "schedules": ["eager"], "special": False})
    assert verdict["verdict"] == "right" and verdict["findings"] == [], verdict


def test_outputs_of_type_bool(tmp_path):
    """Whose bytes are 0 and 1."""
    (tmp_path / "r.py").write_text("def unlike(x1, x2):\n    return x1 != x2\n\n"
                                   "def like(x1, x2):\n    return x1 == x2\n")
    right, wrong = judged(tmp_path, *({
        "id": name, "package": str(PACKAGES / "contest_broadcast"), "reference": f"r.py:{name}",
        "parameters": [{"in": "int8", "name": "x1", "shape": ["n"]},
                       {"in": "int8", "name": "x2", "shape": ["n"]},
                       {"out": "bool", "name": "y", "shape": ["n"]}],
        "sizes": {"n": [32, 256]}, "schedules": ["eager"]} for name in ("unlike", "like")))
    assert right["verdict"] == "right" and wrong["verdict"] == "wrong", (right, wrong)
