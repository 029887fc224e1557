"""The prompt of start_debug(interactive=True), typed at a terminal."""

import os
import pty
import select
import subprocess
import sys

import pytest
import tik_harness
from tik_harness import guide, run_script

SCRIPT = """\
import numpy as np
from tbe import tik
t = tik.Tik()
n = t.InputScalar("int32", "n")
o = t.Tensor("int32", (8,), tik.scope_gm, "o")
ub = t.Tensor("int32", (2, 4), tik.scope_ubuf, "ub")
s = t.Scalar("int32", "s", init_value=1)
with t.for_range(0, 3) as i:
    s.set_as(s * n)
    ub[i].set_as(s)
with t.for_range(0, 2, block_num=2) as b:
    s.set_as(b)
t.BuildCCE("k", [n], [o])
print("result", t.tikdb.start_debug({"n": 5}))
print("after")
"""


def at_prompt(tmp_path, *commands, script=SCRIPT):
    """Runs the script on a terminal and types the commands; (what it shows, exit code)."""
    (tmp_path / "script.py").write_text(script)
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "vinci.tik", "script.py"], cwd=tmp_path,
                               env=tik_harness.environment(TERM="dumb"), stdin=theirs,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    os.close(theirs)
    os.write(ours, "".join(one if one == "\x04" else f"{one}\n" for one in commands).encode())
    text = b""
    while select.select([process.stdout], [], [], 60)[0]:
        part = os.read(process.stdout.fileno(), 65536)
        if not part:
            break
        text += part
    process.wait(60)
    os.close(ours)
    process.stdout.close()
    return text.decode(), process.returncode


def answers(text):
    """What stands after each prompt."""
    return [part.strip("\n") for part in text.replace("\r", "").split("[TIK]>")[1:]]


def test_prompt_continue(tmp_path):
    text, code = at_prompt(tmp_path, "c")
    assert code == 0 and text.count("[TIK]>") == 1
    assert "block 0, " in text and "script.py:7" in text and "->     7 s = t.Scalar(" in text
    assert text.endswith("after\n") and "result [array([0, 0, 0, 0, 0, 0, 0, 0]" in text


def test_prompt_breakpoints_and_values(tmp_path):
    text, code = at_prompt(
        tmp_path, "b 10", "b script.py:9", "b", "disable 2", "c", "p s, i, n, ub", "p s * 2 + i",
        "c", "p ub[0, 0]", "clear 1", "enable 2", "c", "p s", "b", "clear", "c")
    parts = answers(text)
    assert code == 0 and text.endswith("after\n")
    assert parts[0].startswith("1: ") and parts[0].endswith("script.py:10")
    assert parts[1] == "2: script.py:9"
    assert parts[2].splitlines()[1] == "2: script.py:9"
    assert "script.py:10" in parts[4] and "->    10     ub[i].set_as(s)" in parts[4]
    assert parts[5].split() == "5 0 5 [[-1 -1 -1 -1] [-1 -1 -1 -1]]".split()
    assert parts[6] == "10"
    assert "script.py:10" in parts[7] and parts[8] == "5"
    assert "->     9     s.set_as(s * n)" in parts[11] and parts[12] == "25"
    assert parts[13] == "2: script.py:9"


def test_prompt_next_list_and_repeat(tmp_path):
    text, code = at_prompt(tmp_path, "n", "step", "", "l", "where", "help", "c -a")
    parts = answers(text)
    assert code == 0
    assert [f"script.py:{line}" in part for line, part in zip((8, 9, 10), parts)] == [True] * 3
    assert "->    10     ub[i].set_as(s)" in parts[3] and "    5 o = t.Tensor(" in parts[3]
    assert parts[4] == parts[3] and "q, quit" in parts[5]


def test_prompt_blocks(tmp_path):
    text, code = at_prompt(tmp_path, "block", "block 1", "c", "c", script=SCRIPT)
    parts = answers(text)
    assert code == 0 and parts[0] == "in block 0; stops in all blocks"
    assert parts[1] == "in block 0; stops in block 1"
    text, code = at_prompt(tmp_path, "b 12 1", "c", "p b", "block", "c")
    parts = answers(text)
    assert code == 0 and parts[0].endswith("script.py:12 in block 1")
    assert parts[1].startswith("block 1, ") and parts[2] == "1"


def test_prompt_quit(tmp_path):
    text, code = at_prompt(tmp_path, "n", "q")
    assert code == 0 and "result" not in text and "after" not in text
    assert answers(text)[-1] == "The debugger is quit, and with it the script."


def test_prompt_end_of_input(tmp_path):
    text, code = at_prompt(tmp_path, "b 9", "\x04")
    assert code == 0 and text.count("[TIK]>") == 2 and text.endswith("after\n")


@pytest.mark.parametrize("command, answer", [
    ("x", "there is no command x; h shows what there is"),
    ("mi", "unimplemented: mi is not there yet"), ("dump_debug_info a", "unimplemented: dump_debug"),
    ("b x", "a number is missing"),
    ("b other.py:3", "no statement is in other.py"), ("b 3 x", "a number is missing"),
    ("clear 1", "there is no breakpoint 1"), ("disable 4", "there is no breakpoint 4"),
    ("c -b", "only -a may follow"), ("n 3", "only -a may follow"), ("block -1", "a number"),
    ("p", "SyntaxError"), ("p a =", "SyntaxError"), ("p nothing", "NameError"),
    ("p s", "Unknown: a Scalar that nobody has set"), ("b 'x", "No closing quotation"),
    ("p 1 / 0", "ZeroDivisionError")])
def test_prompt_wrong_commands(tmp_path, command, answer):
    text, code = at_prompt(tmp_path, command, "c")
    assert code == 0 and answers(text)[0].startswith(answer), text


def test_no_prompt_without_a_terminal(tmp_path):
    for stdin in ("", "q\n"):
        done = run_script(tmp_path, SCRIPT, stdin=stdin)
        assert done.returncode == 0 and "[TIK]>" not in done.stdout
        assert done.stdout.endswith("after\n")


def test_no_prompt_when_it_is_not_wanted(tmp_path):
    text, code = at_prompt(tmp_path, script=SCRIPT.replace('{"n": 5}', '{"n": 5}, False'))
    assert code == 0 and "[TIK]>" not in text


def test_the_guides_prompt(tmp_path):
    script = guide().replace(", interactive=False", "")
    text, code = at_prompt(tmp_path, "b 12", "c", "p x_ub[5], y_ub.max()", "c", script=script)
    parts = answers(text)
    assert code == 0 and parts[0].endswith("script.py:12") and "t.vec_add(128" in parts[1]
    assert parts[2] == "5.0 127.0" and parts[3] == "True"
