"""Verdicts on kernels that are right, wrong in one way, or dishonest."""

import fcntl
import importlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys

import numpy as np
import pytest

import harness
from processes import children_of, lives, wait_until

HERE = pathlib.Path(__file__).resolve().parent
ENGINE = pathlib.Path(os.environ.get("VINCI_ENGINE",
                                     pathlib.Path(harness.VINCI).parent.parent / "python"))

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")

# By WAY of kernels/add.cpp: the verdict, a code among its findings, and what it says beside.
WAYS = {
    0: ("right", None),
    1: ("does not compile", None),
    2: ("wrong", "V4009"),  # with a schedule that holds the copies back
    3: ("imprecise", None),
    4: ("wrong", None),
    5: ("wrong", None),
    6: ("wrong", None),
    7: ("wrong", None),
    8: ("wrong", None),
    9: ("wrong", None),
    10: ("wrong", None),
    11: ("wrong", None),
    12: ("wrong", None),
    13: ("faulty", "V1001"),
    20: ("hostile", "V5010"),
    21: ("hostile", "V5009"),
    22: ("hostile", "V5009"),
    23: ("stopped", "V5004"),
    24: ("stopped", "V5001"),
    25: ("faulty", "V4001"),
    26: ("stopped", "V5005"),
    27: ("faulty", "V4001"),
    28: ("stopped", "V5001"),
}
SAMPLE = (0, 2, 3, 10, 20, 21)


def task(way=0, **changes):
    """z = x + y."""
    fields = {
        "id": f"way {way}", "source": str(HERE / "kernels" / "add.cpp"),
        "options": [f"-DWAY={way}"], "soc": "Ascend910B1", "blocks": [1, 4],
        "parameters": [{"in": "float", "name": "x", "shape": ["n"]},
                       {"in": "float", "name": "y", "shape": ["n"]},
                       {"out": "float", "name": "z", "shape": ["n"]},
                       {"value": "uint32", "name": "n", "is": "n"}],
        "sizes": {"n": [1000, 1024, 1025] if way == 9 else {"from": 1, "to": 3000}},
        "reference": f"{HERE}/references.py:add",
        "special": way == 4, "timeout": 2 if way == 23 else 60,
        "tolerance": {"z": 1e-3} if way == 3 else {}}
    return {**fields, **changes}


def called(folder, *arguments, code=0, environment=None):
    """`vinci judge`: its verdicts, from stdout."""
    done = subprocess.run([harness.VINCI, "judge", *map(str, arguments)], cwd=folder, text=True,
                          env={**os.environ, "VINCI_CACHE": str(harness.CACHE),
                               **(environment or {})}, capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def judged(folder, *tasks, extra=(), **named):
    lines = folder / "tasks.jsonl"
    lines.write_text("".join(text if isinstance(text, str) else json.dumps(text) + "\n"
                             for text in tasks))
    return called(folder, lines, *extra, **named)


def check_ways(folder, ways):
    verdicts = judged(folder, *[task(way) for way in ways])
    for way, verdict in zip(ways, verdicts):
        word, code = WAYS[way]
        assert verdict["id"] == f"way {way}" and verdict["verdict"] == word, verdict
        codes = {finding["code"] for finding in verdict["findings"]}
        assert code is None or code in codes, verdict
        assert verdict["compiled"] is (way != 1)
        assert (verdict["right_cases"] == verdict["cases"] > 0) == (word == "right"), verdict
    return dict(zip(ways, verdicts))


def test_verdicts(tmp_path):
    verdicts = check_ways(tmp_path, SAMPLE)
    assert verdicts[0]["findings"] == [] and verdicts[0]["wrong"] == []
    assert {entry["outputs"]["z"]["narrower"] for entry in verdicts[3]["wrong"]} == {"half"}
    race = next(finding for finding in verdicts[2]["findings"] if finding["code"] == "V4009")
    line = (HERE / "kernels" / "add.cpp").read_text().splitlines()[int(race["place"][8:]) - 1]
    assert race["place"].startswith("add.cpp:") and ("Add(" in line or "DataCopyPad" in line)


@pytest.mark.whole
def test_all_verdicts(tmp_path):
    verdicts = check_ways(tmp_path, [way for way in WAYS if way not in SAMPLE])
    assert "nobody wanted this" in verdicts[1]["problem"]
    assert verdicts[9]["right_for"]["sizes"] == [{"n": 1024}]
    assert verdicts[11]["right_for"]["blocks"] == [1]
    assert all(entry["outputs"]["x"] == {"problem": "an input is overwritten"}
               for entry in verdicts[7]["wrong"])
    assert all(entry["special"] for entry in verdicts[4]["wrong"])
    assert {entry["outputs"]["z"]["first"]["index"][0] for entry in verdicts[12]["wrong"]} \
        == {entry["sizes"]["n"] - 1 for entry in verdicts[12]["wrong"]}


def test_broken_tasks_stop_nothing(tmp_path):
    verdicts = judged(
        tmp_path, "{no json\n", "[1]\n", {"id": "empty"}, task(id="gone", source="gone.cpp"),
        task(id="names", reference="nowhere.py:add"),
        task(id="fails", reference=f"{HERE}/references.py:fail"),
        task(id="shape", reference=f"{HERE}/references.py:one"),
        *(task(id=name, reference=f"{HERE}/references.py:{name}")
          for name in ("ends", "crashes", "leaves", "interrupts", "text", "nothing")),
        "[" * 100000 + "\n",
        task(id="no tolerance", tolerance={"z": float("nan")}),
        task(id="no chips", soc=[]), task(id="no schedules", schedules=[]),
        task(id="sizes", sizes={"n": {"from": 2}}), task(id="word", sise={}),
        task(id="chip", soc="Ascend1"), task(id="odd chip", soc=[{}]),
        task(id="odd tolerance", tolerance={"z": "x"}), task(id="odd blocks", blocks=[0.5]),
        task(id="odd parameter", parameters=[{"in": ["float"], "name": 1}]), task(id="right"))
    words = {verdict["id"]: verdict["verdict"] for verdict in verdicts}
    assert list(words)[:2] == ["tasks.jsonl:1", "tasks.jsonl:2"]
    assert {word for name, word in words.items() if name != "right"} == {"broken task"}
    assert words["right"] == "right" and len(words) == 25
    problems = {verdict["id"]: verdict.get("problem", "") for verdict in verdicts}
    assert "gone.cpp" in problems["gone"] and "RuntimeError: no sum of 1" in problems["fails"]
    assert "sise; legal: blocks" in problems["word"] and "Ascend1" in problems["chip"]
    assert "has shape (1,); legal: (" in problems["shape"]
    assert "the process that judged it ended" in problems["ends"]
    assert "the reference failed: SystemExit: 0" in problems["leaves"]
    assert problems["text"] == "the reference gave <U5 as z; legal: numbers"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_reference_that_ends_its_process_takes_no_other_along(tmp_path, jobs):
    """What it prints is no verdict; neither is a line that is no text."""
    small = {"sizes": {"n": [7]}, "schedules": ["eager"]}
    lines = tmp_path / "tasks.jsonl"
    tasks = [task(id="first", **small),
             task(id="crashes", reference=f"{HERE}/references.py:crashes", **small),
             task(id="prints", reference=f"{HERE}/references.py:prints", **small)]
    lines.write_bytes(b"\xff\xfe\n" + b"".join(json.dumps(one).encode() + b"\n" for one in tasks))
    words = [verdict["verdict"] for verdict in called(tmp_path, lines, "--jobs", jobs)]
    assert words == ["broken task", "right", "broken task", "right"]


def test_the_same_digest_on_any_number_of_processes(tmp_path):
    tasks = [task(way, id=f"{turn}: {way}") for turn in range(2) for way in (0, 10)]
    alone = judged(tmp_path, *tasks)
    apart = judged(tmp_path, *tasks, extra=("--jobs", 2))
    assert [verdict["digest"] for verdict in alone] == [verdict["digest"] for verdict in apart]
    assert [verdict["number"] for verdict in apart] == [0, 1, 2, 3]
    assert len({verdict["digest"] for verdict in alone}) == 4


@pytest.mark.whole
def test_processes_may_compile_the_same_at_once(tmp_path):
    """None takes away what another is about to load."""
    verdicts = judged(tmp_path, *(task(id=str(number), sizes={"n": [64]}) for number in range(8)),
                      extra=("--jobs", 4), environment={"VINCI_CACHE": str(tmp_path / "cache")})
    assert [verdict["verdict"] for verdict in verdicts] == ["right"] * 8, verdicts


def array_job(*numbers):
    """What Slurm says to one of an array."""
    return {f"SLURM_ARRAY_TASK_{name}": str(number)
            for name, number in zip(("ID", "MIN", "MAX", "STEP", "COUNT"), numbers)}


def test_shards_are_merged_and_files_resumed(tmp_path):
    tasks = [task(id=str(number), blocks=1, sizes={"n": [number + 1]}) for number in range(5)]
    whole = judged(tmp_path, *tasks)
    lines = tmp_path / "tasks.jsonl"
    called(tmp_path, lines, "--shard", "1/2", "--out", "a")
    called(tmp_path, lines, "--out", "b", environment=array_job(10, 7, 10, 3, 2))
    merged = called(tmp_path, "merge", "a", "b")
    assert [verdict["digest"] for verdict in merged] == [verdict["digest"] for verdict in whole]
    # The last line was cut off: it is judged again, the others are kept.
    kept = (tmp_path / "a").read_text().splitlines(keepends=True)
    marked = kept[0].replace('"cases"', '"kept": true, "cases"')
    (tmp_path / "a").write_text(marked + kept[1][:20])
    called(tmp_path, lines, "--shard", "1/2", "--out", "a")
    again = [json.loads(line) for line in (tmp_path / "a").read_text().splitlines()]
    assert [verdict["id"] for verdict in again] == ["0", "2", "4"]
    assert [verdict.get("kept", False) for verdict in again] == [True, False, False]


def test_a_workspace_has_elements_of_its_type(tmp_path):
    code = """
        #include "kernel_operator.h"
        extern "C" __global__ __aicore__ void by_way(GM_ADDR x, GM_ADDR way, GM_ADDR y, int32_t n) {
          AscendC::GlobalTensor<float> from, over, to;
          from.SetGlobalBuffer((__gm__ float*)x, n);
          over.SetGlobalBuffer((__gm__ float*)way, n);
          to.SetGlobalBuffer((__gm__ float*)y, n);
          for (int32_t i = 0; i < n; ++i) over.SetValue(i, from.GetValue(i) + over.GetValue(i));
          for (int32_t i = 0; i < n; ++i) to.SetValue(i, over.GetValue(i));
        }"""
    fields = {"id": "workspace", "code": code, "sizes": {"n": [1, 7, 100]},
              "parameters": [{"in": "float", "name": "x", "shape": ["n"]},
                             {"zeros": "float", "name": "way", "shape": ["n"]},
                             {"out": "float", "name": "y", "shape": ["n"]},
                             {"value": "int32", "name": "n", "is": "n"}],
              "reference": f"{HERE}/references.py:same"}
    verdict, = judged(tmp_path, fields)
    assert verdict["verdict"] == "right", verdict


def test_another_kernel_is_the_reference(tmp_path):
    other = {"source": str(HERE / "kernels" / "add.cpp"), "kernel": "add"}
    assert judged(tmp_path, task(reference=other))[0]["verdict"] == "right"


def test_from_python(tmp_path):
    code = f"""
import sys
sys.path.insert(0, {str(ENGINE)!r})
import vinci
tasks = [{task(10)!r}]
print([verdict["verdict"] for verdict in vinci.judge(tasks)])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, text=True, check=True,
                          capture_output=True, env={**os.environ,
                                                    "VINCI_CACHE": str(harness.CACHE)})
    assert done.stdout == "['wrong']\n"


def test_launches_come_from_a_process_of_their_own(tmp_path):
    """It knows no reference, and when it ends only its task is lost."""
    (tmp_path / "add.py").write_text("""
import pathlib
from vinci.judging import elsewhere

def add(x, y):
    process = elsewhere.known()["judged"].process
    assert "numpy" not in pathlib.Path(f"/proc/{process.pid}/maps").read_text()
    return x + y

def end(x, y):
    elsewhere.known()["judged"].process.kill()
    return x + y
""")
    verdicts = judged(tmp_path, task(id="ends", reference="add.py:end"),
                      task(id="goes on", reference="add.py:add"))
    assert verdicts[0]["verdict"] == "broken task"
    assert "the process that launches kernels has ended" in verdicts[0]["problem"]
    assert verdicts[1]["verdict"] == "right", verdicts[1]


def test_the_header_is_compiled_for_the_first_of_many(tmp_path):
    verdict, = judged(tmp_path, task(sizes={"n": [9]}),
                      environment={"VINCI_CACHE": str(tmp_path / "cache")})
    assert verdict["verdict"] == "right"
    assert len(list(tmp_path.glob("cache/headers/*/kernel_operator.h.gch"))) == 1


def test_a_kernel_reads_and_fills_no_log(tmp_path):
    """Standard input and error are the judge's."""
    (tmp_path / "tasks.jsonl").write_text(json.dumps(task(29, sizes={"n": [9]})) + "\n")
    done = subprocess.run([harness.VINCI, "judge", "tasks.jsonl"], cwd=tmp_path, text=True,
                          env={**os.environ, "VINCI_CACHE": str(harness.CACHE)},
                          capture_output=True, check=True, input="secret " * 100)
    verdict = json.loads(done.stdout)
    assert verdict["verdict"] == "right" and "noise" not in done.stderr, done
    assert verdict["not_device_code"] == ["calls abort", "calls read", "calls write"]


def test_the_time_of_kernels_is_the_judges(tmp_path):
    """As `time vinci judge` shows it, and a quota counts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    verdict, = judged(tmp_path, task(23, sizes={"n": [7]}, timeout=2))  # does nothing else
    assert verdict["verdict"] == "stopped"
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before > 0.5


def test_what_no_chip_has_is_not_run(tmp_path):
    told, refused, right = judged(tmp_path, task(21, id="told"),
                                  task(21, id="refused", strict_device=True),
                                  task(0, id="right", strict_device=True))
    assert told["verdict"] == "hostile" and refused["verdict"] == "not device code"
    assert told["not_device_code"] == refused["not_device_code"] == ["calls _exit", "calls open"]
    assert refused["cases"] == 0 and refused["compiled"] is True
    assert right["verdict"] == "right" and right["not_device_code"] == []


def test_a_source_gets_no_golden_data(tmp_path):
    """Its compiler reads C++ beside it, and nothing else."""
    (tmp_path / "golden.npy").write_bytes(b"1, 2, 3")
    for text in ('#include "golden.npy"', 'asm(".data\\n.incbin \\"golden.npy\\"");'):
        (tmp_path / "k.cpp").write_text('#include "kernel_operator.h"\n' + text)
        verdict, = judged(tmp_path, task(source="k.cpp", options=[]))
        assert verdict["verdict"] == "does not compile" and "golden" in verdict["problem"]
    for seconds in (0, 86401, "x"):
        verdict, = judged(tmp_path, task(compile_timeout=seconds))
        assert verdict["verdict"] == "broken task" and "compile_timeout" in verdict["problem"]


def blocks_of_python(page):
    """The code of a page of the guide."""
    text = (HERE.parent.parent / "docs" / "guide" / page).read_text()
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_guides_reward_function(tmp_path):
    """As it is printed: ten lines, and a reference of two."""
    reward, add = blocks_of_python("judge.md")[:2]
    (tmp_path / "add.py").write_text(add)
    code = reward + f"""
source = open({str(HERE / "kernels" / "add.cpp")!r}).read()
for way in (0, 8, 1):
    print(reward(f"#define WAY {{way}}\\n" + source))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, text=True, check=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": str(ENGINE),
                                                    "VINCI_CACHE": str(harness.CACHE)})
    assert done.stdout.split() == ["1.0", "0.0", "-1.0"]


def test_what_is_derived_from_one_description(tmp_path):
    """Empty arrays, inputs that are one array, special numbers, all chips and schedules."""
    fields = task(0, sizes={"n": {"from": 0, "to": 100}}, soc=["Ascend910B1", "Ascend310B1"],
                  special=None)
    right, clamped, decided = judged(tmp_path, fields, task(4, special=None, sizes={"n": [2048]}),
                                     task(4, sizes={"n": [2048]}))
    assert right["verdict"] == "right" and right["beside"] == {"special": "right"}, right
    # Each chip: ten sizes twice, two counts of blocks in three schedules, one array.
    assert right["cases"] == 2 * (20 + 6 + 1)
    assert clamped["verdict"] == "right" and clamped["beside"] == {"special": "wrong"}, clamped
    assert decided["verdict"] == "wrong" and "beside" not in decided
    first, = judged(tmp_path, task(5, sizes={"n": [64]},
                                   reference=f"{HERE}/references.py:one_input"))
    assert first["verdict"] == "right" and first["cases"] == 9
    # y is x where both are one array: only there is twice x right.
    twice, = judged(tmp_path, task(0, sizes={"n": [64]}, reference=f"{HERE}/references.py:twice"))
    assert twice["verdict"] == "wrong" and twice["right_for"] == {"kind": ["aliased"]}, twice


def test_other_counts_of_blocks_are_told_beside(tmp_path):
    """Where nobody named one, for a kernel that asks how many there are."""
    def plain(way, **changes):
        fields = task(way, sizes={"n": [64]}, schedules=["eager"], special=False, **changes)
        return {name: value for name, value in fields.items() if name != "blocks"}

    own = tmp_path / "own.cpp"  # asks for nothing
    own.write_text((HERE / "kernels" / "add.cpp").read_text().replace("GetBlockNum()", "1"))
    right, one_only, named, single = judged(
        tmp_path, plain(0), plain(11), {**plain(0), "blocks": 2}, plain(0, source=str(own)))
    assert right["verdict"] == "right" and right["beside"] == {"other blocks": "right"}, right
    assert one_only["verdict"] == "right" and one_only["beside"] == {"other blocks": "wrong"}
    assert one_only["cases"] == one_only["right_cases"] == right["cases"]
    assert named["verdict"] == single["verdict"] == "right"
    assert "beside" not in named and "beside" not in single


def test_the_digest_is_of_all_that_decides(tmp_path):
    (tmp_path / "add.py").write_text("def add(x, y):\n    return x + y\n")
    fields = task(0, sizes={"n": [64]}, reference="add.py:add")
    first, again = (judged(tmp_path, fields)[0]["digest"] for _ in range(2))
    (tmp_path / "add.py").write_text("def add(x, y):\n    return y + x\n")
    assert first == again != judged(tmp_path, fields)[0]["digest"]


def test_verdicts_are_kept_for_tasks_that_are_the_same(tmp_path):
    for name in ("k.cpp", "part.h"):
        (tmp_path / name).write_text('#include "part.h"\n' if name == "k.cpp" else
                                     (HERE / "kernels" / "add.cpp").read_text())
    fields = task(0, source="k.cpp", sizes={"n": [64]})
    new, = judged(tmp_path, fields, extra=("--kept", "kept"))
    known, other = judged(tmp_path, fields, {**fields, "seed": 7}, extra=("--kept", "kept"))
    assert known.pop("kept") is True and known == new and "kept" not in other
    for file in (tmp_path / "kept").glob("*/*.json"):
        file.write_text("[1]")
    assert "kept" not in judged(tmp_path, fields, extra=("--kept", "kept"))[0]
    with open(tmp_path / "part.h", "a", encoding="utf-8") as part:
        part.write("// another\n")
    changed, = judged(tmp_path, fields, extra=("--kept", "kept"))
    assert "kept" not in changed and changed["digest"] != new["digest"]


def test_usage(tmp_path):
    (tmp_path / "verdicts").write_text("no verdict\n")
    (tmp_path / "odd").write_text('{"id": ["a"], "verdict": "right", "number": 0}\n')
    for arguments in (("nowhere.jsonl",), (".", "--shard", "3/2"), (".", "--jobs", "0"), (),
                      ("merge",), ("merge", "verdicts"), (".", "--out", "verdicts"),
                      ("merge", "odd"), (".", "--out", "/dev/full")):
        called(tmp_path, *arguments, code=2)
    # Of a list of jobs nobody says which is the second: no task may be lost.
    for job in ((7, 1, 7, 1, 3), (9, 1, 4, 1, 4), ("x", 1, 4, 1, 4), (1, 1, 4, 1, "")):
        called(tmp_path, ".", environment=array_job(*job), code=2)
        assert called(tmp_path, "merge", os.devnull, environment=array_job(*job)) == []
    with open(tmp_path / "locked", "w", encoding="utf-8") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        called(tmp_path, ".", "--out", "locked", code=2)


def part_of_the_judge(name):
    """A module of it, in this process."""
    sys.path.insert(0, str(ENGINE))
    try:
        return importlib.import_module(f"vinci.judging.{name}")
    finally:
        sys.path.remove(str(ENGINE))


def test_sizes_of_every_alignment_that_no_kernel_knows():
    """Both ends, and other sizes for another text."""
    draws, sizes = (part_of_the_judge(name) for name in ("draws", "sizes"))

    def drawn(text, *limits):
        return [case["n"] for case in sizes.cases({"n": sizes.range_of(*limits)}, 10,
                                                  draws.generator(text))]

    for low, high, step in [(1, 3000, 1), (0, 100000, 1), (16, 65536, 16), (1, 64, 1)]:
        numbers = drawn("a", low, high, step)
        assert numbers == drawn("a", low, high, step) != drawn("b", low, high, step)
        assert len(set(numbers)) == 10 and (numbers[0], numbers[-1]) == (low, high)
        assert {number // step % 8 for number in numbers} == set(range(8)), numbers
        assert all(low <= number <= high and number % step == 0 for number in numbers)
    assert drawn("a", 3, 9, 1) == [3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_who_is_ended_leaves_nobody_behind(tmp_path, number):
    """At once, whatever a reference still does, if it is the command alone that the signal reaches."""
    lines = tmp_path / "tasks.jsonl"
    tasks = [task(id="first", sizes={"n": [7]})]
    tasks += [task(id=str(number), reference=f"{HERE}/references.py:lasts") for number in range(4)]
    lines.write_text("".join(json.dumps(one) + "\n" for one in tasks))
    with subprocess.Popen([harness.VINCI, "judge", "tasks.jsonl", "--jobs", "2"], cwd=tmp_path,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, "VINCI_CACHE": str(harness.CACHE)},
                          preexec_fn=lambda: signal.signal(  # pylint: disable=subprocess-popen-preexec-fn
                              signal.SIGINT, signal.default_int_handler)) as judge:
        try:
            assert json.loads(judge.stdout.readline())["verdict"] == "right"
            children = children_of(judge.pid)
            judge.send_signal(number)
            assert judge.wait(20) == -number
        finally:
            judge.kill()  # else the test lasts as long as the references
        assert len(children) >= 2
        assert wait_until(lambda: not any(map(lives, children)), 20)


def test_inputs_are_other_ones_for_another_text(tmp_path):
    """A kernel that knows the results of one task by heart gets other inputs for it."""
    knows = HERE / "kernels" / "add.cpp"
    for name, more in (("a", ""), ("b", "// z[0] is 0.25\n"), ("c", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "k.cpp").write_text(knows.read_text() + more)
    fields = task(5, sizes={"n": [8]}, schedules=["eager"])  # gives x: z - x is y
    firsts = [verdict["wrong"][0]["outputs"]["z"]["first"]["got"] for verdict in judged(
        tmp_path, *({**fields, "source": f"{name}/k.cpp"} for name in "abc"))]
    assert firsts[0] == firsts[2] != firsts[1]


@pytest.mark.parametrize("size", [0, 1, 2, 9, 17, 18, 1000])
def test_special_numbers_are_there(size):
    """NaN first, where there is room for few."""
    draws = part_of_the_judge("draws")
    values = draws.with_special(np.full(size, 2.5), draws.generator(size))
    there = np.unique(values[values != 2.5].astype(str))
    wanted = draws.SPECIAL[:size // 2]
    assert set(there) == {str(number) for number in wanted}, values
    assert np.count_nonzero(values == 2.5) == size - max(len(wanted), size // 20)


def test_extreme_numbers_hide_no_others():
    """And zeros of both signs are equal."""
    comparing = part_of_the_judge("comparing")
    wanted = np.linspace(-2, 2, 101)
    wanted[[3, 60]] = 3.4e38, -0.0
    got = wanted.astype(np.float32)
    assert comparing.compare(got, wanted, "float", None, special=True)["equal"]
    got[60] = 0.0
    assert comparing.compare(got, wanted, "float", None, special=True)["equal"]
    got[10] = -got[10]
    assert comparing.compare(got, wanted, "float", None, special=True)["different"] == 1
