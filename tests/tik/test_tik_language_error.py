"""How mistakes are reported, and where."""

import json
import pathlib
import subprocess
import sys

import pytest
import vinci.tik as tik
from language import GM, UB, on, refused
from vinci.tik import error

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture(autouse=True)
def default_level():
    yield
    error.set_level(0)


def test_kinds(monkeypatch):
    tik.Tik().Scalar("int32", "s")
    text = refused(lambda: tik.Tik().Scalar("x"), "Scalar's dtype")
    instance = tik.Tik(err_msg_level=1)
    assert refused(lambda: instance.Scalar("x"), kind=RuntimeError) == text
    refused(lambda: instance.Scalar(5), "Scalar's dtype should be str", kind=TypeError)
    tik.Tik()
    refused(lambda: instance.Scalar(5), "Scalar's dtype should be str", kind=SystemExit)
    monkeypatch.setenv("CONTEXT_MODELCOMPILING", "TRUE")
    with pytest.raises(RuntimeError) as caught:
        instance.Scalar("x")
    (report,) = caught.value.args
    assert report["errCode"] == "EA0000" and report["message"] == text
    assert "test_kinds" in report["traceback"]


def test_the_window(capsys):
    with pytest.raises(SystemExit):
        tik.Tik().Scalar("x")  # this line
    text = capsys.readouterr().err
    assert text.startswith("Error: Scalar's dtype should be one of")
    assert f"File: {__file__}, line " in text
    marked = [line for line in text.splitlines() if line.startswith("->")]
    assert len(marked) == 1 and marked[0].endswith("# this line")


def test_warnings_come_once_for_each_place(capsys):
    for _ in range(3):
        error.warn("something")
    error.warn("something")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and all(line.startswith("warning: something") for line in lines)
    assert __file__ in lines[0]


def test_strict(monkeypatch):
    for value, wanted in (("1", True), ("0", False), ("", False)):
        monkeypatch.setenv("VINCI_TIK_STRICT", value)
        assert error.strict() is wanted
    monkeypatch.delenv("VINCI_TIK_STRICT")
    assert error.strict() is False


def test_constructor():
    tik.Tik(tik.Dprofile(), disable_debug=False)
    tik.Tik(tik.Dprofile)
    tik.Tik("anything", True, 1, 32)
    error.set_level(0)
    for level in (2, -1, True, "1"):
        refused(lambda: tik.Tik(err_msg_level=level), "err_msg_level should be 0 or 1")
    refused(lambda: tik.Tik(block_size=16), "block_size should be 32")
    refused(lambda: tik.Tik(disable_debug=1), "disable_debug should be bool")


def test_places():
    instance = tik.Tik()
    s = instance.Scalar("int32", "s")
    line = sys._getframe().f_lineno
    s.set_as(1)
    with instance.for_range(0, 2) as i:
        with instance.if_scope(i > 0):
            s.set_as(i)
    program = instance.program.to_json("k", "soc")
    assert program["files"] == [__file__]
    assert program["body"][0]["at"] == [0, line + 1]
    assert program["body"][1]["at"] == [0, line + 2]
    assert program["body"][1]["body"][0]["at"] == [0, line + 3]
    assert program["body"][1]["body"][0]["then"][0]["at"] == [0, line + 4]


SCRIPT = """
import sys
sys.path[:0] = [{tests!r}]
import conftest
import helper
from vinci import tik

instance = tik.Tik()
helper.define(instance)
instance.Tensor("int32", (8,), tik.scope_ubuf, "9")
print("not reached")
"""


def test_a_script_ends_with_the_text(tmp_path):
    (tmp_path / "helper.py").write_text("def define(instance):\n    instance.Scalar(name='s')\n")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(tests=str(HERE)))
    run = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert run.returncode == 1 and run.stdout == ""
    assert "Error: Tensor's name should not start with a digit" in run.stderr
    assert f"File: {script}, line 10" in run.stderr


def test_a_whole_script():
    """The first sample of TIK's page on vec_conv, but for its instructions."""
    on("Ascend310P3")
    instance = tik.Tik()
    src_gm = instance.Tensor("float16", (2, 128), name="src_gm", scope=GM)
    dst_gm = instance.Tensor("int32", (3, 64), name="dst_gm", scope=GM)
    src_ub = instance.Tensor("float16", (2, 128), name="src_ub", scope=UB)
    dst_ub = instance.Tensor("int32", (3, 64), name="dst_ub", scope=UB)
    program = instance.program
    program.emit({"do": "call", "instruction": "cast", "as": "vec_conv",
                  "dst": dst_ub.operand(), "src": src_ub[1, 0].operand()})
    src_gm.buffer.role, dst_gm.buffer.role = "input", "output"
    text = json.dumps(program.to_json("vec_conv", "Ascend310P3"))
    got = json.loads(text)
    assert got["vinci_statements"] == 1 and got["kernel"] == "vec_conv"
    assert got["soc"] == "Ascend310P3" and got["files"] == [__file__]
    assert [b["role"] for b in got["buffers"][:2]] == ["input", "output"]
    assert [(b["address"], b["bytes"]) for b in got["buffers"][2:]] == [(0, 512), (512, 768)]
    assert got["body"][0]["dst"] == [3, 0, "int32"] and got["body"][0]["src"] == [2, 128, "float16"]
