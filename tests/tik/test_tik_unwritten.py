"""Memory that a script uses and has not written (V1013), and what else VINCI_CHECK turns on."""

import pytest
from tik_harness import run_script

SCRIPT = """
import numpy as np
from tbe import tik
t = tik.Tik()
x = t.Tensor("float16", (512,), tik.scope_gm, "x")
y = t.Tensor("float16", (512,), tik.scope_gm, "y")
with t.for_range(0, 2, block_num=2) as block:
    u = t.Tensor("float16", (256,), tik.scope_ubuf, "u")
    t.data_move(u, x[block * 256], 0, 1, BURST, 0, 0)
    t.vec_muls(128, u, u, 3.0, 2, 8, 8)
    t.data_move(y[block * 256], u, 0, 1, 16, 0, 0)
t.BuildCCE("k", [x], [y])
out, = t.tikdb.start_debug({"x": np.full(512, 30000, np.float16)}, interactive=False)
print(len(out))
"""


def run(tmp_path, burst, check=None):
    return run_script(tmp_path, SCRIPT.replace("BURST", burst), options=("--soc", "Ascend310P3"),
                      env={} if check is None else {"VINCI_CHECK": check})


@pytest.mark.parametrize("burst, check, code", [
    ("12", None, 1), ("16", None, 0), ("12", "basic", 0), ("12", "init", 1), ("12", "full", 1),
    ("12", "off", 0)])
def test_what_a_script_has_not_written(tmp_path, burst, check, code):
    done = run(tmp_path, burst, check)
    assert done.returncode == code, done.stderr
    told = ("error[V1013] data_move: dst writes bytes 384..415 of GM buffer y that come from bytes "
            "384..511 of UB, which nothing has written\n  --> script.py:11\n")
    assert (told in done.stderr) == bool(code)
    assert ("512" in done.stdout) == (not code)


def test_nothing_follows_from_a_statement_that_is_refused(tmp_path):
    """As many bursts as an InputScalar says are too many: that alone is told."""
    text = SCRIPT.replace("BURST", "n")
    text = text.replace("t = tik.Tik()", "t = tik.Tik()\nn = t.InputScalar('int32', 'n')")
    text = text.replace('"k", [x]', '"k", [x, n]').replace('{"x"', '{"n": NUMBER, "x"')
    for number, codes in ((16, []), (17, ["V1001"]), (12, ["V1013"])):
        done = run_script(tmp_path, text.replace("NUMBER", str(number)),
                          options=("--soc", "Ascend310P3"))
        assert [word[:5] for word in done.stderr.split("error[")[1:]] == codes, done.stderr


ROWS = """
import numpy as np
from tbe import tik
t = tik.Tik()
x = t.Tensor("float32", (128,), tik.scope_gm, "x")
y = t.Tensor("float32", (16,), tik.scope_gm, "y")
u = t.Tensor("float32", (64,), tik.scope_ubuf, "u")
s = t.Tensor("float32", (8,), tik.scope_ubuf, "s")
w = t.Tensor("float32", (8,), tik.scope_ubuf, "w")
with t.for_range(0, 2) as row:
    burst = t.Scalar("int32", init_value=8 - 2 * row)
    CLEAR
    t.data_move(u, x[row * 64], 0, 1, burst, 0, 0)
    t.vec_dup(8, s, 0, 1, 8)
    t.vec_reduce_add(64, s, u, w, 1, 8)
    t.data_move(y[row * 8], s, 0, 1, 1, 0, 0)
t.BuildCCE("k", [x], [y])
out, = t.tikdb.start_debug({"x": np.ones(128, np.float32)}, interactive=False)
print(out[0], out[8])
"""


@pytest.mark.parametrize("clear, told, sums", [("pass", 1, "64.0 64.0"),
                                               ("t.vec_dup(64, u, 0, 1, 8)", 0, "64.0 48.0")])
def test_what_an_earlier_longer_burst_has_left(tmp_path, clear, told, sums):
    done = run_script(tmp_path, ROWS.replace("CLEAR", clear), options=("--soc", "Ascend310P3"))
    assert done.returncode == 0 and sums in done.stdout, done.stderr
    assert done.stderr.count("warning[") == done.stderr.count("warning[V1019]") == told, done.stderr
    assert ("bytes 192..255 of UB, which an earlier copy has left there" in done.stderr) == bool(told)


def test_numbers_that_their_type_cannot_hold(tmp_path):
    """Conversions to half saturate in TIK."""
    assert run(tmp_path, "16").stderr == ""
    done = run(tmp_path, "16", "full,numbers")
    assert done.returncode == 0 and "warning[V2015] vec_muls" in done.stderr, done.stderr


def test_a_sum_that_saturates(tmp_path):
    """1 more than 3 times 30000: the largest half."""
    text = SCRIPT.replace("BURST", "16").replace(
        "    t.vec_muls(128, u, u, 3.0, 2, 8, 8)",
        """    v = t.Tensor("float16", (256,), tik.scope_ubuf, "v")
    t.vec_dup(128, v, 1.0, 2, 8)
    t.vec_axpy(128, v, u, FACTOR, 2, 8, 8)""")
    for factor, told in (("2.0", ""), ("3.0", "warning[V2015] vec_axpy: dst[0] is 65504")):
        done = run_script(tmp_path, text.replace("FACTOR", factor), options=("--soc", "Ascend310P3"),
                          env={"VINCI_CHECK": "full,numbers"})
        assert done.returncode == 0 and done.stderr.startswith(told), done.stderr
        assert bool(done.stderr) == bool(told), done.stderr


def test_checks_that_there_are_not(tmp_path):
    done = run(tmp_path, "16", "fulll")
    assert done.returncode == 1
    assert "VINCI_CHECK is fulll; legal: strict, full, basic, off" in done.stderr
