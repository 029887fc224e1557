"""Operators wrap instructions in functions of their own: reports say who called them."""

import pytest
from tik_harness import run_script, start_script

TOOLS = '''
class Tools:
    def __init__(self, t):
        self.t = t

    def move(self, dst, src, burst):
        self.t.data_move(dst, src, 0, 1, burst, 0, 0)

    def add(self, mask, dst, src):
        self.t.vec_add(mask, dst, src, src, 1, 8, 8, 8)
'''
SCRIPT = '''
import numpy as np
from te import tik
from tools import Tools

def compute(t, x, y):
    tools = Tools(t)
    one = t.Tensor("float16", (128,), tik.scope_ubuf, "one")
    two = t.Tensor("float16", (128,), tik.scope_ubuf, "two")
    burst = t.Scalar("int32", "burst", 8)
    tools.move(one, x, burst)
    tools.move(two, x, burst + FIRST)
    tools.add(MASK, two, one)
    tools.move(y, one, burst)
    for i in range(3):
        tools.move(y[128], two, burst + LAST)

def main():
    t = tik.Tik()
    x = t.Tensor("float16", (256,), tik.scope_gm, "x")
    y = t.Tensor("float16", (256,), tik.scope_gm, "y")
    compute(t, x, y)
    t.BuildCCE("k", [x], [y])
    t.tikdb.start_debug({"x": np.zeros(256, np.float16)}, interactive=False)

main()
'''


def run(tmp_path, text=SCRIPT, first=0, last=0, mask=128):
    (tmp_path / "tools.py").write_text(TOOLS)
    text = text.replace("FIRST", str(first)).replace("LAST", str(last)).replace("MASK", str(mask))
    return run_script(tmp_path, text)


def test_a_fault_of_a_run(tmp_path):
    done = run(tmp_path, first=1)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == ("error[V1001] data_move: dst writes bytes 0..287 of a tensor of 256 bytes "
                        "(Tensor two) in UB")
    assert lines[1:4] == ["  --> tools.py:7", "      block 0, AI Core, MTE2, instruction 2",
                          "      called from script.py:12"]
    assert lines[4].startswith("  = legal")  # main and compute are around all statements


def test_calls_from_one_line_are_one_place(tmp_path):
    done = run(tmp_path, last=1)
    assert done.stderr.count("error[V1001] data_move: src") == 1
    assert "instruction 5, 3 times\n      called from script.py:16\n" in done.stderr, done.stderr


def test_the_other_side_of_a_fault(tmp_path):
    """Here who has read what nobody wrote."""
    text = SCRIPT.replace("tools.move(one, x, burst)", "tools.add(128, one, one)")
    done = run(tmp_path, text)
    assert ("      called from script.py:14\n"
            "      vec_add reads them: tools.py:10\n"
            "      which is called from: script.py:11\n") in done.stderr, done.stderr


def test_a_check_of_the_script(tmp_path):
    done = run(tmp_path, mask=129)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-4:-1] == ["called from script.py, line 13",
                                               "called from script.py, line 22",
                                               "called from script.py, line 26"]


def test_no_callers(tmp_path):
    """Only of functions that not all statements stand in."""
    text = SCRIPT.replace("tools.move(two, x, burst + FIRST)", "t.data_move(two, x, 0, 1, burst + 1, 0, 0)")
    done = run(tmp_path, text)
    assert "error[V1001]" in done.stderr and "called from" not in done.stderr


def test_what_runs_a_script_is_not_told(tmp_path):
    """unittest's, pytest's and Python's own frames."""
    text = SCRIPT.replace("\nmain()\n", """
import unittest

class Case(unittest.TestCase):
    def test(self):
        main()

unittest.main()
""")
    done = run(tmp_path, text, mask=129)
    called = [line for line in done.stderr.splitlines() if line.startswith("called from")]
    assert called == [f"called from script.py, line {line}" for line in (13, 22, 30, 32)]


@pytest.mark.parametrize("text, lines", [
    ("def f(s):\n    s.vec_abs()\n\nfrom te import tik\nf(tik.Tik())\n",
     ['File "script.py", line 5, in <module>', "f(tik.Tik())", 'File "script.py", line 2, in f', "s.vec_abs()"]),
    ("x = 1\ny = = 2\n", ['File "script.py", line 2', "y = = 2", "^"])])
def test_an_exceptions_traceback_begins_in_the_script(text, lines, tmp_path):
    done = start_script(tmp_path, text)
    assert done.returncode == 1
    told = [line.strip() for line in done.stderr.splitlines()]
    if lines[-1] != "^":
        lines = ["Traceback (most recent call last):", *lines]
    assert told[:-1] == lines, done.stderr


def test_a_script_that_makes_a_script(tmp_path):
    text = '''
code = """
from te import tik
t = tik.Tik()
u = t.Tensor("float16", (128,), tik.scope_ubuf, "u")
t.vec_abs(MASK, u, u, 1, 8, 8)
"""
for mask in (128, 129):
    exec(code.replace("MA" "SK", str(mask)), {})
'''
    done = run(tmp_path, text, mask="MASK")
    assert done.returncode == 1
    assert "File: <string>, line 5\n" in done.stderr
    assert done.stderr.splitlines()[-2] == "called from script.py, line 9"


def test_who_imports_a_script_is_not_told(tmp_path):
    (tmp_path / "kernel.py").write_text('''from te import tik
t = tik.Tik()
u = t.Tensor("float16", (128,), tik.scope_ubuf, "u")
t.vec_abs(129, u, u, 1, 8, 8)
''')
    done = run(tmp_path, "def main():\n    import kernel\n\nmain()\n")
    assert "kernel.py, line 4" in done.stderr
    assert "called from" not in done.stderr
