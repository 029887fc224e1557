"""Tasks that are not as the guide has them, and references that do what none should: each is refused,
or judged as if they were none, and the others go on."""

import json
import os
import pathlib
import subprocess

import pytest

import harness

HERE = pathlib.Path(__file__).resolve().parent
PARAMETERS = [{"in": "int32", "name": "x", "shape": ["n"]},
              {"in": "int32", "name": "y", "shape": ["n"]},
              {"out": "int32", "name": "z", "shape": ["n"]},
              {"value": "uint32", "name": "n", "is": "n"}]

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")


def task(name, **changes):
    """z = x + y, of whole numbers."""
    fields = {"id": name, "source": str(HERE / "kernels" / "add.cpp"),
              "options": ["-DWAY=0", "-DELEMENT=int32_t"], "blocks": 1, "parameters": PARAMETERS,
              "sizes": {"n": [9]}, "schedules": ["eager"], "reference": f"{HERE}/references.py:add"}
    return {**fields, **changes}


def called(folder, *words):
    done = subprocess.run([harness.VINCI, "judge", *map(str, words)], cwd=folder, text=True,
                          env={**os.environ, "VINCI_CACHE": str(harness.CACHE)},
                          capture_output=True, check=False, timeout=120)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def judged(folder, *tasks):
    (folder / "tasks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in tasks))
    return called(folder, "tasks.jsonl")


def test_fields_of_other_types_stop_nobody(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    x, *rest = PARAMETERS
    odd = {
        "id 5": {"id": 5}, "id ['a']": {"id": ["a"]}, "id {}": {"id": {}}, "id None": {"id": None},
        "options [1]": {"options": [1]}, "strict_device 'no'": {"strict_device": "no"},
        "tolerance of x; legal: z": {"tolerance": {"x": 0.1}},
        "precision of w; legal: z": {"precision": {"w": "half"}},
        "precision of z: ['half']": {"precision": {"z": ["half"]}},
        "reference {'source': 5}": {"reference": {"source": 5}},
        "reference {'file': 5}": {"reference": {"file": 5}},
        "incompatible": {"reference": {"source": task("")["source"], "kernel": 5}},
        "file 'pipe'": {"reference": {"file": "pipe"}},
        "file 'pipe'; legal: one": {"parameters": [{**x, "draw": {"file": "pipe"}}, *rest]},
        "reference {'source': 'pipe'}": {"reference": {"source": "pipe"}}}
    *verdicts, last = judged(tmp_path, *(task("", **one) for one in odd.values()), task("last"))
    for text, verdict in zip(odd, verdicts):
        assert verdict["verdict"] == "broken task" and text in verdict["problem"], verdict
    assert last["verdict"] == "right"


def test_what_is_no_file_in_a_folder_of_tasks(tmp_path):
    folder = tmp_path / "tasks"
    (folder / "folder.json").mkdir(parents=True)
    (folder / "loop.json").symlink_to("loop.json")
    os.mkfifo(folder / "pipe.json")
    (folder / "task.json").write_text(json.dumps(task("right")))
    words = {verdict["id"]: verdict["verdict"] for verdict in called(tmp_path, folder)}
    assert words == {"folder": "broken task", "loop": "broken task", "pipe": "broken task",
                     "right": "right"}


def test_tasks_of_one_id_are_all_judged(tmp_path):
    """At once, in shards, and in a run that goes on."""
    whole = judged(tmp_path, task("same"), task("same", seed=1), task("same", seed=2))
    digests = [verdict["digest"] for verdict in whole]
    assert len(set(digests)) == 3
    for part in (1, 2):  # no more processes than tasks
        called(tmp_path, "tasks.jsonl", "--shard", f"{part}/2", "--out", f"part{part}",
               "--jobs", 10**9)
    (tmp_path / "begun").write_text(json.dumps(whole[0]) + "\n")
    called(tmp_path, "tasks.jsonl", "--out", "begun")
    for files in (["part1", "part2"], ["begun"]):
        merged = called(tmp_path, "merge", *files)
        assert [verdict["digest"] for verdict in merged] == digests


def test_references_that_change_their_inputs(tmp_path):
    """Which were handed to them, and are none of the kernel's."""
    (tmp_path / "r.py").write_text("def add(x, y):\n    x += y\n    y[:] = 0\n    return x\n")
    verdict, = judged(tmp_path, task("changes", reference="r.py:add"))
    assert verdict["verdict"] == "right", verdict


def test_a_reference_that_is_a_kernel_has_to_be_right_itself(tmp_path):
    """Where it fails, what it leaves is no result, and what does nothing leaves the same."""
    kernel = (HERE / "kernels" / "add.cpp").read_text()
    for name, way in (("crashes", 24), ("is_late", 13), ("does_not_compile", 1)):
        (tmp_path / f"{name}.cpp").write_text(f"#undef WAY\n#define WAY {way}\n{kernel}")
    names = ("crashes", "is_late", "does_not_compile")
    verdicts = judged(tmp_path, *(
        task(name, options=["-DWAY=8", "-DELEMENT=int32_t"], reference={"source": f"{name}.cpp"})
        for name in names))
    told = ("the reference failed: V5001", "the reference failed: V1001", "the reference: ")
    for text, verdict in zip(told, verdicts):
        assert verdict["verdict"] == "broken task" and text in verdict["problem"], verdict


def coded(name, text, **changes):
    """The task with a text in it."""
    fields = task(name, code=text, **changes)
    return {field: value for field, value in fields.items() if field != "source"}


def test_a_text_without_the_kernel_is_no_broken_task(tmp_path):
    more = [*PARAMETERS, {"value": "int32", "name": "m", "is": 1}]
    told = ("has no kernel", "has no kernel sub", "takes 4 arguments, 5 given")
    verdicts = judged(tmp_path, coded("empty", ""), task("other", kernel="sub"),
                      task("more", parameters=more))
    for text, verdict in zip(told, verdicts):
        assert verdict["verdict"] == "does not compile" and text in verdict["problem"], verdict
    assert verdicts[0]["problem"].startswith("kernel.cpp")


KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {%s}
"""


def test_the_same_digest_whatever_lies_where(tmp_path):
    """Neither the compiler's temporary files nor addresses of a run are part of it."""
    tasks = [coded("crash", KERNEL % "*(volatile int*)(z + (1 << 30)) = 1;"),
             coded("assembler", KERNEL % 'asm(".no_such_thing");')]
    first, again = judged(tmp_path, *tasks), judged(tmp_path, *tasks)
    assert [verdict["verdict"] for verdict in first] == ["stopped", "does not compile"], first
    assert [verdict["digest"] for verdict in first] == [verdict["digest"] for verdict in again]


MANY = 100000
# What is looked for in a text, again and again, and never ends.
TEXTS = {"blank lines": "\n" * MANY, "launches": "<<<" * MANY, "kernels": "__global__ " * MANY,
         "arguments": "add<<<(" * MANY, "specialisations": "__global__ " + "f<" * MANY,
         "templates": "f><<<" * (MANY // 10), "qualifiers": ") __global__ " * MANY}


def test_texts_of_which_much_is_the_same(tmp_path):
    """None takes longer than its length says, and what includes what no file can be called, or is
    no source, is judged as other texts are."""
    small = {"parameters": PARAMETERS[:1] + PARAMETERS[2:], "reference": "references.py:same"}
    copy = """
extern "C" __global__ __aicore__ void same(GM_ADDR x, GM_ADDR y, uint32_t n) {
  AscendC::GlobalTensor<int32_t> from, to;
  from.SetGlobalBuffer((__gm__ int32_t*)x, n);
  to.SetGlobalBuffer((__gm__ int32_t*)y, n);
  for (uint32_t i = 0; i < n; ++i) to.SetValue(i, from.GetValue(i));
}
"""
    os.mkfifo(tmp_path / "pipe")
    with open(tmp_path / "large", "wb") as large:
        large.truncate(1 << 40)
    includes = "".join(f'#include "{name}"\n' for name in (
        "a\0b", "a" * 300, "a/" * 3000, tmp_path / "pipe", tmp_path / "large", "/"))
    (tmp_path / "references.py").write_text((HERE / "references.py").read_text())
    tasks = [coded(name, f'#include "kernel_operator.h"\n#if 0\n{text}\n#endif{copy}',
                   compile_timeout=20, **small)
             for name, text in {**TEXTS, "includes": includes, "half a pair": "\ud800"}.items()]
    for verdict in judged(tmp_path, *tasks):
        assert verdict["verdict"] == "right" and verdict["seconds"] < 30, verdict


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "k.cpp").write_bytes(b'#include "kernel_operator.h"\n\xff\xfe no C++;\n')
    verdict, last = judged(tmp_path, task("bytes", source="k.cpp"), task("last"))
    assert verdict["verdict"] == "does not compile" and "error: " in verdict["problem"], verdict
    assert last["verdict"] == "right"
