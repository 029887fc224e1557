"""tikdb: what start_debug takes and gives, and debug_print, on the engine itself."""

import io
import sys

import numpy as np
import pytest
from fake_engine import FakeEngine
from language import GM, UB, refused
from tik_harness import guide, run_script
from vinci import tik
from vinci.tik import chip


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())  # no terminal, wherever the tests run


@pytest.fixture(name="fake")
def fixture_fake(monkeypatch):
    engine = FakeEngine()
    monkeypatch.setitem(sys.modules, "vinci._engine", engine)
    return engine


def built(dtype="float16", shape=(2, 16), scalars=(), **more):
    """A kernel with an input a, InputScalars, and an output b."""
    instance = tik.Tik(**more)
    a = instance.Tensor(dtype, shape, GM, "a")
    fed = [instance.InputScalar(kind, name) for kind, name in scalars]
    b = instance.Tensor(dtype, shape, GM, "b", is_atomic_add=True)
    instance.BuildCCE("k", [a, *fed], [b])
    return instance


# What is fed in.

def test_the_engine_gets_the_file_and_the_feeds(fake):
    instance = built(scalars=[("int32", "n"), ("float32", "f")])
    fake.result = {"outputs": {"b": [bytes(range(64))], "a": [bytes(64)]}}
    a = np.arange(32, dtype=np.float16).reshape(16, 2).T  # not contiguous
    result, = instance.tikdb.start_debug({"a": a, "n": np.int64(7), "f": 2})
    run = fake.programs[0].runs[0]
    with open("kernel_meta/k.statements.json", encoding="utf-8") as file:
        assert fake.programs[0].text == file.read()
    assert run["feeds"]["a"].flags["C_CONTIGUOUS"] and (run["feeds"]["a"] == a).all()
    assert (run["feeds"]["n"], type(run["feeds"]["n"])) == (7, int)
    assert (run["feeds"]["f"], type(run["feeds"]["f"])) == (2.0, float)
    assert (run["print"], run["statement"]) == (None, None)
    assert (result.dtype, result.shape) == (np.float16, (2, 16))
    assert result.tobytes() == bytes(range(64))
    result[0, 0] = 1  # the caller's own


HALVES = np.zeros((2, 16), np.float16)


@pytest.mark.parametrize("feeds, words", [
    ([1], ("feed_dict should be dict",)),
    ({}, ("BuildCCE input list is ['a', 'n'], but feed_dict list is []",)),
    ({"a": HALVES}, ("feed_dict list is ['a']",)),
    ({"a": HALVES, "n": 1, "c": 1}, ("feed_dict list is ['a', 'n', 'c']",)),
    ({"a": HALVES, 3: 1}, ("feed_dict list",)),
    ({"a": HALVES.tolist(), "n": 1}, ("a should be numpy.ndarray", "list")),
    ({"a": HALVES.astype(np.float32), "n": 1}, ("a should be float16", "float32")),
    ({"a": HALVES.view(np.uint16), "n": 1}, ("a should be float16", "uint16")),
    ({"a": HALVES.ravel(), "n": 1}, ("shape of feed_dict a should be (2, 16)", "(32,)")),
    ({"a": HALVES[:1], "n": 1}, ("(1, 16)",)),
    ({"a": HALVES, "n": 1.0}, ("n should be int", "float")),
    ({"a": HALVES, "n": True}, ("n should be int", "bool")),
    ({"a": HALVES, "n": -129}, ("range of [-128, 127]", "-129")),
    ({"a": HALVES, "n": 128}, ("range of [-128, 127]", "128"))])
def test_wrong_feeds(fake, feeds, words):
    instance = built(scalars=[("int8", "n")])
    refused(lambda: instance.tikdb.start_debug(feeds), *words)
    assert fake.programs == []


@pytest.mark.parametrize("dtype, least, most", [
    ("int8", -128, 127), ("uint8", 0, 255), ("int16", -2**15, 2**15 - 1), ("uint16", 0, 2**16 - 1),
    ("int32", -2**31, 2**31 - 1), ("uint32", 0, 2**32 - 1), ("int64", -2**63, 2**63 - 1),
    ("uint64", 0, 2**64 - 1)])
def test_scalars_at_their_ends(dtype, least, most):
    """What is fed comes out again, through the engine."""
    instance = tik.Tik()
    n = instance.InputScalar(dtype, "n")
    b = instance.Tensor(dtype, (64,), GM, "b")
    ub = instance.Tensor(dtype, (64,), UB, "ub")
    ub[0].set_as(n)
    instance.tikdb.debug_print("ub[0]")
    instance.BuildCCE("k", [n], [b])
    for value in (least, most):
        assert printed(lambda: instance.tikdb.start_debug({"n": value})) == [str(value)]
    for value in (least - 1, most + 1):
        refused(lambda: instance.tikdb.start_debug({"n": value}), f"[{least}, {most}]")


def printed(call):
    """The lines that a call prints."""
    heard = io.StringIO()
    before, sys.stdout = sys.stdout, heard
    try:
        call()
    finally:
        sys.stdout = before
    return heard.getvalue().splitlines()


def test_order():
    instance = tik.Tik()
    refused(lambda: instance.tikdb.start_debug({}), "after BuildCCE")
    instance.BuildCCE("k", [], [])
    assert [one.tolist() for one in instance.tikdb.start_debug({})] == [[0]]


def test_debug_is_never_refused(monkeypatch, capsys):
    off, on = built(), built(disable_debug=False)
    assert off.tikdb.start_debug({"a": HALVES})[0].shape == (2, 16)
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")
    on.tikdb.start_debug({"a": HALVES})
    assert capsys.readouterr().err == ""
    assert off.tikdb.start_debug({"a": HALVES})[0].shape == (2, 16)
    assert "Debug function is disabled" in capsys.readouterr().err


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "int32", "float32",
                                   "uint64"])
def test_inputs_that_are_outputs(dtype):
    """They come back as they were fed: nothing writes them."""
    instance = tik.Tik()
    a = instance.Tensor(dtype, (3, 5), GM, "a")
    instance.BuildCCE("k", [a], [a])
    fed = np.arange(15).reshape(3, 5).astype(dtype)
    got, = instance.tikdb.start_debug({"a": fed})
    assert got.dtype == fed.dtype and (got == fed).all() and got is not fed


def test_bfloat16_is_words_without_ml_dtypes():
    instance = tik.Tik()
    a = instance.Tensor("bfloat16", (16,), GM, "a")
    instance.BuildCCE("k", [a], [a])
    fed = np.arange(16, dtype=np.uint16)
    got, = instance.tikdb.start_debug({"a": fed})
    assert (got.view(np.uint16) == fed).all()
    refused(lambda: instance.tikdb.start_debug({"a": fed.astype(np.float32)}), "uint16 words")


def test_outputs_are_zero_at_the_start_and_in_order():
    instance = tik.Tik()
    outputs = [instance.Tensor("int32", (4 - i,), GM, f"o{i}") for i in range(3)]
    instance.BuildCCE("k", [], outputs[::-1])
    results = instance.tikdb.start_debug({})
    assert [one.tolist() for one in results] == [[0, 0], [0, 0, 0], [0, 0, 0, 0]]


def test_several_runs(fake):
    instance = built()
    for number in range(3):
        fake.result = {"outputs": {"b": [bytes([number]) * 64]}}
        got, = instance.tikdb.start_debug({"a": HALVES + number})
        assert got.tobytes() == bytes([number]) * 64
        assert (fake.programs[number].runs[0]["feeds"]["a"] == number).all()


def test_shape_of_the_feed(fake):
    """A dimension that is an InputScalar is as long as what is fed."""
    instance = tik.Tik()
    n = instance.InputScalar("int32", "n")
    a = instance.Tensor("int8", (n, 4), GM, "a")
    b = instance.Tensor("int8", (2, n), GM, "b")
    instance.BuildCCE("k", [a, n], [b])
    fake.result = {"outputs": {"b": [bytes(6)]}}
    got, = instance.tikdb.start_debug({"a": np.zeros((3, 4), np.int8), "n": 3})
    assert got.shape == (2, 3)
    refused(lambda: instance.tikdb.start_debug({"a": np.zeros((3, 5), np.int8), "n": 3}),
            "should be (?, 4)", "(3, 5)")


def test_shape_of_an_output_of_fed_numbers():
    """All dimensions may be made of InputScalars."""
    instance = tik.Tik()
    rows, columns = (instance.InputScalar("int32", name) for name in ("rows", "columns"))
    shapes = {"a": (rows, columns), "b": (2, rows + 1, (columns + 7) // 8 * 8)}
    tensors = [instance.Tensor("int8", shape, GM, name) for name, shape in shapes.items()]
    instance.BuildCCE("k", [rows, columns], tensors)
    got = instance.tikdb.start_debug({"rows": 3, "columns": 5})
    assert [one.shape for one in got] == [(3, 5), (2, 4, 8)]


@pytest.mark.parametrize("size,words", [
    (lambda fed, late: late, ("needs Scalar late", "InputScalar")),
    (lambda fed, late: 8 // fed, ("divides by zero",)), (lambda fed, late: fed - 2, ("-2",))])
def test_shape_of_an_output_that_cannot_be(size, words):
    instance = tik.Tik()
    fed = instance.InputScalar("int32", "fed")
    late = instance.Scalar("int32", "late", fed)
    b = instance.Tensor("int8", (size(fed, late),), GM, "b")
    instance.BuildCCE("k", [fed], [b])
    refused(lambda: instance.tikdb.start_debug({"fed": 0}), "Tensor b", *words)


def test_address_lists(fake):
    instance = tik.Tik()
    arrays = instance.TensorAddrList(2, GM, "arrays")
    instance.BuildCCE("k", [arrays], [])
    fed = [np.zeros(3, np.int8), np.zeros((2, 2), np.float32)]
    instance.tikdb.start_debug({"arrays": fed})
    assert [one.nbytes for one in fake.programs[0].runs[0]["feeds"]["arrays"]] == [3, 16]
    refused(lambda: instance.tikdb.start_debug({"arrays": fed[0]}), "should be a list")
    refused(lambda: instance.tikdb.start_debug({"arrays": fed[:1]}), "2 arrays", "has 1")
    refused(lambda: instance.tikdb.start_debug({"arrays": [fed[0], 3]}), "arrays[1]")


def test_profiling_gives_results_and_says_what_it_leaves(capsys):
    instance = built()
    result, = instance.StartProfiling({"a": HALVES})
    assert (result == 0).all() and capsys.readouterr().err == ""
    for name, value in (("simulatorlog_path", "x"), ("generate_html", True),
                        ("outputs_shape", [(64,)])):
        result, = instance.StartProfiling({"a": HALVES}, **{name: value})
        assert (result == 0).all()
        assert capsys.readouterr().err.startswith(f"warning: StartProfiling: {name} has no effect")
    for call in (instance.StartProfiling, instance.tikdb.start_debug):
        refused(lambda: call({"a": HALVES}, desc_tensor={}), "desc_tensor is not there yet")


@pytest.mark.parametrize("soc", ["SD3403", "Ascend910_95"])
def test_chips_that_there_are_not(soc):
    chip.set_current_compile_soc_info(soc)
    instance = built()
    refused(lambda: instance.tikdb.start_debug({"a": HALVES}), f"vinci has no {soc}", "Ascend310P3")


def test_every_chip_that_has_an_engine():
    for name in chip.engine_names():
        chip.set_current_compile_soc_info(name)
        built().tikdb.start_debug({"a": HALVES})
    chip.set_current_compile_soc_info("Ascend310P3", "VectorCore")
    built().tikdb.start_debug({"a": HALVES})


def test_the_engines_memories_are_those_of_the_table():
    """The two tables of sizes agree: a tensor may fill each memory that scripts count on."""
    from vinci import _engine
    engines = {one["name"]: one["bytes"] for one in _engine.chips()}
    memories = {"UB": "local.UB", "L1": "local.L1", "L0A": "local.L0A", "L0C": "local.L0C"}
    for name in chip.engine_names():
        one = chip.make(name)
        assert {memory: one.bytes[scope] for memory, scope in memories.items()} == {
            memory: engines[one.engine][memory] for memory in memories}, name


# What goes wrong while it runs.

FAULT = """
import numpy as np
from tbe import tik
t = tik.Tik(err_msg_level=LEVEL)
n = t.InputScalar("int32", "n")
ub = t.Tensor("int32", (8,), tik.scope_ubuf, "ub")
with t.for_range(0, 4, block_num=4) as b:
    ub[0].set_as(6 / (n - b))
t.BuildCCE("k", [n], [])
try:
    print(t.tikdb.start_debug({"n": 4}, interactive=False))
    t.tikdb.start_debug({"n": 2}, interactive=False)
except Exception as error:
    print("caught", error)
"""


@pytest.mark.parametrize("level, code, out", [
    (0, 1, "[array([0], dtype=uint8)]\n"),
    (1, 0, "[array([0], dtype=uint8)]\ncaught V5002: set_as: division by zero\n")])
def test_faults(tmp_path, level, code, out):
    done = run_script(tmp_path, FAULT.replace("LEVEL", str(level)))
    assert (done.returncode, done.stdout) == (code, out), done.stderr
    report, _, error = done.stderr.partition("Error: ")
    assert report.startswith("error[V5002] set_as: division by zero\n")
    assert "script.py:8" in report and "block 2" in report
    assert error.startswith("V5002: set_as: division by zero\nFile: ") and "line 8" in error
    assert "->     8     ub[0].set_as(6 / (n - b))" in error


def test_warnings_do_not_stop(tmp_path):
    script = """
from tbe import tik
t = tik.Tik()
n = t.InputScalar("int32", "n")
with t.for_range(3, n):
    pass
t.BuildCCE("k", [n], [])
print(t.tikdb.start_debug({"n": 2}))
"""
    done = run_script(tmp_path, script)
    assert (done.returncode, done.stdout) == (0, "[array([0], dtype=uint8)]\n")
    assert done.stderr.startswith("warning[V2008]") and "script.py:5" in done.stderr
    done = run_script(tmp_path, script.replace("Tik()", "Tik(disable_debug=False)"),
                      env={"VINCI_TIK_STRICT": "1"})
    assert (done.returncode, done.stdout) == (1, "") and "endt of for_range" in done.stderr


def test_faults_of_a_fake_run(fake, capsys):
    def fault(severity, line):
        return {"code": f"V{line}", "severity": severity, "message": f"message {line}",
                "legal": "", "file": __file__, "line": line, "block": 0, "text": f"text {line}\n"}

    instance = built()
    fake.result = {"outputs": {"b": [bytes(64)]}, "faults": [fault("warning", 1)]}
    instance.tikdb.start_debug({"a": HALVES})
    assert capsys.readouterr().err == "text 1\n"
    fake.result["faults"] += [fault("error", 2), fault("error", 3)]
    with pytest.raises(SystemExit, match="V2: message 2"):
        instance.tikdb.start_debug({"a": HALVES})
    heard = capsys.readouterr().err
    assert heard.startswith("text 1\ntext 2\ntext 3\nError: V2: message 2\n")
    assert f"File: {__file__}, line 2\n" in heard
    fake.result.update(faults=[], finished=False)
    refused(lambda: instance.tikdb.start_debug({"a": HALVES}), "before its end")


# debug_print.

def shown(record, feeds=None, scalars=()):
    """What a kernel prints whose statements `record(instance, scalars by name)` records."""
    instance = tik.Tik()
    fed = {name: instance.InputScalar(kind, name) for kind, name in scalars}
    record(instance, fed)
    instance.BuildCCE("k", list(fed.values()), [])
    return printed(lambda: instance.tikdb.start_debug(feeds or {}))


def test_print_scalars_and_expressions():
    def record(t, fed):
        s, n = t.Scalar("int32", "s", 7), fed["n"]
        h = t.Scalar("float16", "h", 0.1)
        t.tikdb.debug_print("s")
        t.tikdb.debug_print('"s is", s, s + n')
        t.tikdb.debug_print('"sum: " + str((s - 8) * n // 2)')
        s.set_as(-9)
        t.tikdb.debug_print("[s / 2, s % 4, s // 2, -s, ~s, s << 1, s == -9, s > n]")
        expr = tik.all(s < 0, tik.negate(n < 0), tik.any(s > 5, n > 5))
        t.tikdb.debug_print("expr, h")

    lines = shown(record, {"n": 10}, [("int32", "n")])
    # Of the values: Python's own operators, which round down.
    assert lines == ["7", "s is 7 17", "sum: -5", "[-4.5, 3, -5, 9, 8, -18, True, False]",
                     f"True {float(np.float16(0.1))}"]


def test_expressions_of_the_script_are_those_of_tik():
    def record(t, fed):
        n = fed["n"]
        values = [n / 2, n // 2, n % 4, -n, ~n, n << 1, n >> 1, (n * 2).__and__(12), n ^ 5]
        for value in values:
            t.tikdb.debug_print("value")

    lines = shown(record, {"n": -9}, [("int32", "n")])
    assert lines == ["-4", "-4", "-1", "9", "8", "-18", "-5", "12", "-14"]


def test_print_tensors_and_views():
    def record(t, _):
        ub = t.Tensor("int16", (4, 8), UB, "ub")
        with t.for_range(0, 32) as i:
            ub[i].set_as(i * 3)
        one, row, part = ub[2, 3], ub[1, :], ub[1:3, 2:8:2]
        cast = ub.reinterpret_cast_to("int32")
        where = t.Scalar("int32", "where", 5)
        moved = ub[where]
        t.tikdb.debug_print("ub.shape, ub[0], one, row, moved")
        t.tikdb.debug_print("part.tolist()")
        t.tikdb.debug_print("cast[0, 0]")
        t.tikdb.debug_print("ub[where - 4, 1:3].sum()")

    assert shown(record) == [
        "(4, 8) [ 0  3  6  9 12 15 18 21] [[57]] [[24 27 30 33 36 39 42 45]] [15]",
        "[[30, 36, 42], [54, 60, 66]]", str(3 << 16), "57"]


def test_print_whole_large_tensors():
    def record(t, _):
        big = t.Tensor("int8", (4096,), UB, "big")
        t.tikdb.debug_print("big")

    text = " ".join(shown(record))
    assert text.count("-1") == 4096 and "..." not in text
    assert "..." in str(np.zeros(4096))  # only while it prints


def test_print_in_loops_branches_and_attributes():
    class Op:
        def __init__(self, t):
            self.t, self.s, self.size = t, t.Scalar("int32", "s", 0), 3

        def run(self, n):
            with self.t.for_range(0, n) as i:
                self.s.set_as(self.s + i)
                with self.t.if_scope(i > 1):
                    self.t.tikdb.debug_print('"i", i, self.s, self.size')
            self.size = 4
            self.t.tikdb.debug_print("self.size, max(self.s, 2)")

    assert shown(lambda t, fed: Op(t).run(fed["n"]), {"n": 4}, [("int32", "n")]) == [
        "i 2 3 4", "i 3 6 4", "4 6"]


def test_print_names_as_they_are_where_it_stands():
    def record(t, _):
        for word in ("one", "two"):
            t.tikdb.debug_print("word")
        t.tikdb.debug_print("[word for _ in range(2)]")

    assert shown(record) == ["one", "two", "['two', 'two']"]


def test_print_of_what_is_not_there():
    def record(t, fed):
        s, ub = t.Scalar("int32", "s"), t.Tensor("int8", (32,), UB, "ub")
        view, quotient = ub[fed["n"]], fed["n"] / (fed["n"] - 40)
        for text in ("s", "nothing", "view", "quotient", "1 / 0", "SPR['CTRL']"):
            t.tikdb.debug_print(text)
        t.tikdb.debug_print("'on'")

    assert shown(record, {"n": 40}, [("int32", "n")]) == [
        "Unknown: a Scalar that nobody has set", "NameError: name 'nothing' is not defined",
        "Unknown: elements 40..40 of ub, which has 32", "Unknown: / of 40, 0",
        "ZeroDivisionError: division by zero",
        "Unknown: SPR['CTRL']: vinci shows no special registers", "on"]


@pytest.mark.parametrize("dtype, value", [
    ("int8", -3), ("uint8", 255), ("uint16", 65535), ("int32", -2**31), ("uint64", 2**64 - 1),
    ("int64", -2**63), ("float16", 0.5), ("float32", -2.25)])
def test_print_types(dtype, value):
    def record(t, _):
        ub, s = t.Tensor(dtype, (32,), UB, "ub"), t.Scalar(dtype, "s", value)
        ub[3].set_as(s)
        t.tikdb.debug_print("ub[3], s")

    assert shown(record) == [f"{value} {value}"]


def test_print_bfloat16_and_bool():
    def record(t, _):
        words = t.Tensor("uint16", (32,), UB, "words")
        words[0].set_as(0x3FC0)
        words[1].set_as(0x0100)
        floats, flags = words.reinterpret_cast_to("bfloat16"), words.reinterpret_cast_to("bool")
        t.tikdb.debug_print("floats[0], flags[1].tolist()")

    assert shown(record) == ["1.5 [False, True]"]


def test_print_of_blocks():
    def record(t, _):
        s = t.Scalar("int32", "s", 1)
        with t.for_range(0, 3, block_num=3) as b:
            s.set_as(s + b)
            t.tikdb.debug_print("b, s")

    assert shown(record) == ["0 1", "1 2", "2 3"]


def test_wrong_expressions():
    instance = tik.Tik()
    refused(lambda: instance.tikdb.debug_print(3), "an expression as str")
    refused(lambda: instance.tikdb.debug_print("a ="), "debug_print", "a =")
    refused(lambda: instance.tikdb.debug_print("x = 1"), "debug_print")
    refused(lambda: instance.tikdb.debug_print(""), "debug_print")
    with instance.if_scope(False):
        instance.tikdb.debug_print("not even = looked at")
    assert instance.program.body == []


# The guide.

def test_the_guides_script(tmp_path):
    done = run_script(tmp_path, guide(), name="add.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
    broken = guide().replace("vec_add(128", "vec_add(129")
    done = run_script(tmp_path, broken, name="add.py")
    assert done.returncode == 1
    assert "mask value should be in the range of [1, 128] for b16 tensor, input mask 129" \
        in done.stderr and "add.py, line 12" in done.stderr
