"""What is defined in a loop is new in each iteration, and so is what takes another one's place."""

import pytest
from tik_harness import run_script

TENSOR = """
import numpy as np
from tbe import tik
t = tik.Tik()
x = t.Tensor("float16", (256,), tik.scope_gm, "x")
y = t.Tensor("float16", (256,), tik.scope_gm, "y")
with t.for_range(0, 2, THREADS) as i:
    OUTER
    u = t.Tensor("float16", (128,), tik.scope_ubuf, "u")
    with t.if_scope(i < LAST):
        t.data_move(u, x[i * 128], 0, 1, 8, 0, 0)
    t.data_move(y[i * 128], u, 0, 1, 8, 0, 0)
t.BuildCCE("k", [x], [y])
out, = t.tikdb.start_debug({"x": np.arange(256, dtype=np.float16)}, interactive=False)
print(*out[::64])
"""


def run(tmp_path, text, **env):
    return run_script(tmp_path, text, env=env, options=("--soc", "Ascend910A"))


@pytest.mark.parametrize("threads", ["thread_num=1", "thread_num=2"])
def test_a_tensor_in_a_loop(tmp_path, threads):
    text = TENSOR.replace("THREADS", threads).replace("    OUTER\n", "")
    done = run(tmp_path, text.replace("LAST", "1"))
    assert done.returncode == 1
    assert "error[V1013] data_move: dst writes bytes 256..287 of GM buffer " in done.stderr, done.stderr
    assert run(tmp_path, text.replace("LAST", "2")).stdout.split() == ["0.0", "64.0", "128.0", "192.0"]
    blind = run(tmp_path, text.replace("LAST", "1"), VINCI_CHECK="basic")
    assert blind.stdout.split() == ["0.0", "64.0", "nan", "nan"]


def test_a_tensor_before_the_loop_keeps_what_it_has(tmp_path):
    text = TENSOR.replace("THREADS", "thread_num=1").replace("LAST", "1").replace("    OUTER\n", "")
    moved = '    u = t.Tensor("float16", (128,), tik.scope_ubuf, "u")\n'
    text = text.replace(moved, "").replace("with t.for_range", moved.strip() + "\nwith t.for_range")
    done = run(tmp_path, text)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.split() == ["0.0", "64.0", "0.0", "64.0"]


def test_start_addr_keeps_what_lies_there(tmp_path):
    text = TENSOR.replace("THREADS", "thread_num=1").replace("LAST", "1").replace("    OUTER\n", "")
    done = run(tmp_path, text.replace('"u")', '"u", start_addr=0)'))
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.split() == ["0.0", "64.0", "0.0", "64.0"]


SCOPES = """
import numpy as np
from tbe import tik
t = tik.Tik()
x = t.Tensor("float16", (128,), tik.scope_gm, "x")
y = t.Tensor("float16", (128,), tik.scope_gm, "y")
with t.new_stmt_scope():
    u = t.Tensor("float16", (128,), tik.scope_ubuf, "u")
    t.data_move(u, x, 0, 1, 8, 0, 0)
with t.new_stmt_scope():
    v = t.Tensor("float16", (128,), tik.scope_ubuf, "v"MORE)
    t.data_move(y, v, 0, 1, 8, 0, 0)
t.BuildCCE("k", [x], [y])
out, = t.tikdb.start_debug({"x": np.arange(128, dtype=np.float16)}, interactive=False)
print(out[100])
"""


def test_a_tensor_in_the_place_of_another(tmp_path):
    done = run(tmp_path, SCOPES.replace("MORE", ""))
    assert done.returncode == 1 and "error[V1013] data_move" in done.stderr, done.stderr
    assert "script.py:12" in done.stderr
    assert run(tmp_path, SCOPES.replace("MORE", ", start_addr=0")).stdout == "100.0\n"


SCALAR = """
import numpy as np
from tbe import tik
t = tik.Tik()
y = t.Tensor("int32", (16,), tik.scope_gm, "y")
u = t.Tensor("int32", (16,), tik.scope_ubuf, "u")
with t.for_range(0, 16) as i:
    s = MADE
    with t.if_scope(i < LAST):
        SET
    u[i].set_as(GOT)
t.data_move(y, u, 0, 1, 2, 0, 0)
t.BuildCCE("k", [], [y])
print(*t.tikdb.start_debug({}, interactive=False)[0])
"""


@pytest.mark.parametrize("made, set_, got", [
    ('t.Scalar("int32", "s")', "s.set_as(i)", "s"),
    ('t.ScalarArray("int32", 2, "s")', "s[1].set_as(i)", "s[1]"),
], ids=["scalar", "array"])
def test_a_scalar_in_a_loop(tmp_path, made, set_, got):
    text = SCALAR.replace("MADE", made).replace("SET", set_).replace("GOT", got)
    done = run(tmp_path, text.replace("LAST", "8"))
    assert done.returncode == 1 and "error[V2010] set_as: Scalar s" in done.stderr, done.stderr
    assert "script.py:11" in done.stderr and "8 times" in done.stderr
    done = run(tmp_path, text.replace("LAST", "16"))
    assert done.stdout.split() == [str(i) for i in range(16)] and done.stderr == ""


def test_a_scalar_with_an_initial_value_has_it_again(tmp_path):
    text = SCALAR.replace("MADE", 't.Scalar("int32", "s", init_value=-1)').replace("GOT", "s")
    done = run(tmp_path, text.replace("SET", "s.set_as(i)").replace("LAST", "8"))
    assert done.stdout.split() == [str(i if i < 8 else -1) for i in range(16)] and done.stderr == ""


def test_scalars_between_an_if_and_its_elif(tmp_path):
    """What is defined there does not part the two."""
    text = SCALAR.replace("MADE", "1").replace("LAST", "8").replace("SET", "u[i].set_as(i)").replace(
        "    u[i].set_as(GOT)\n", """    more = t.Scalar("int32", "more")
    room = t.Tensor("int32", (8,), tik.scope_ubuf, "room")
    with t.elif_scope(i == 9):
        more.set_as(3)
        u[i].set_as(more)
    with t.else_scope():
        u[i].set_as(0)
""")
    done = run(tmp_path, text)
    assert done.stdout.split() == ["0", "1", "2", "3", "4", "5", "6", "7", "0", "3"] + ["0"] * 6, done.stderr


LOOP = """
from tbe import tik
t = tik.Tik()
y = t.Tensor("int32", (16,), tik.scope_gm, "y")
u = t.Tensor("int32", (16,), tik.scope_ubuf, "u")
with t.for_range(0, 2, name="row"HOW) as row:
    double = row * 2
    u[row].set_as(double)
u[USED].set_as(5)
t.BuildCCE("k", [], [y])
t.tikdb.start_debug({}, interactive=False)
"""


@pytest.mark.parametrize("how", ["", ", block_num=2"])
def test_a_loops_variable_behind_it(tmp_path, how):
    done = run(tmp_path, LOOP.replace("USED", "row").replace("HOW", how))
    assert done.returncode == 1
    assert ("row is the variable of the for_range at script.py:6, and has no value outside of its body"
            in done.stderr), done.stderr
    assert "script.py, line 9" in done.stderr
    done = run(tmp_path, LOOP.replace("USED", "double").replace("HOW", how))
    assert "error[V2010] set_as: row is the variable of a for_range" in done.stderr, done.stderr
    assert "script.py:9" in done.stderr
