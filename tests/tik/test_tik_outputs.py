"""Outputs and workspaces that nobody clears, parts of them that nobody writes, and what a kernel leaves
set: V1017, V1014, V4013."""

import pytest
from tik_harness import run_script

SCRIPT = """
import numpy as np
from tbe import tik
t = tik.Tik()
x = t.Tensor("float32", (64,), tik.scope_gm, "x")
y = t.Tensor("float32", (64,), tik.scope_gm, "y", is_atomic_add=DECLARED)
space = t.Tensor("float32", (64,), tik.scope_gm, "space", is_workspace=True, is_atomic_add=DECLARED)
with t.for_range(0, 2, block_num=2) as block:
    u = t.Tensor("float32", (64,), tik.scope_ubuf, "u")
    t.data_move(u, x, 0, 1, 8, 0, 0)
    BODY
t.BuildCCE("k", [x], [y])
out, = t.tikdb.start_debug({"x": np.arange(64, dtype=np.float32)}, interactive=False)
print(*out[::16])
"""

SUMS = """
    t.set_atomic_add(1)
    t.data_move(y, u, 0, 1, 8, 0, 0)
    t.set_atomic_add(0)"""
# The first half of each part.
PARTS = """
    t.data_move(y[block * 32], u[block * 32], 0, 1, 2, 0, 0)"""
ALL = """
    t.data_move(y[block * 32], u[block * 32], 0, 1, 4, 0, 0)"""
READS = """
    t.data_move(u, space, 0, 1, 8, 0, 0)
    t.vec_adds(64, u, u, 1.0, 1, 8, 8)""" + ALL
STAYS_ON = """
    t.set_atomic_add(1)
    t.data_move(y, u, 0, 1, 8, 0, 0)"""
CLEARS = """
    v = t.Tensor("float32", (64,), tik.scope_ubuf, "v")
    t.vec_dup(64, v, 0.0, 1, 8)
    t.data_move(y, v, 0, 1, 8, 0, 0)
    t.block_barrier(sync)""" + SUMS


def run(tmp_path, body, declared=False, **env):
    text = SCRIPT.replace("    BODY", body.strip("\n")).replace("DECLARED", str(declared))
    if "sync" in body:
        text = text.replace("with t.for", "sync = t.Tensor('int64', (8,), tik.scope_gm, 'sync', "
                            "is_workspace=True)\nwith t.for")
    return run_script(tmp_path, text, env=env, options=("--soc", "Ascend910A"))


@pytest.mark.parametrize("body, code, line, told", [
    (SUMS, "V1017", 12, "data_move: dst writes bytes 0..31 of GM buffer y that come from bytes 0..255 of "
                        "GM buffer y, which nothing has written"),
    (PARTS, "V1014", 0, "bytes 64..127 of GM buffer y (256 bytes) were written by no block, nor others: "
                        "128 bytes in all"),
    (READS, "V1017", 13, "come from bytes 0..255 of GM buffer space, which nothing has written"),
], ids=["sums", "parts", "reads"])
def test_what_nobody_has_written(tmp_path, body, code, line, told):
    """A warning, after which the zeros of the toolkit's debugger count; an error where that is asked
    for; nothing where the framework clears the Tensor."""
    done = run(tmp_path, body)
    assert done.returncode == 0 and len(done.stdout.split()) == 4, done.stderr
    assert f"warning[{code}]" in done.stderr and told in done.stderr, done.stderr
    assert not line or f"script.py:{line}" in done.stderr, done.stderr
    assert done.stderr.count("[V") == 1, done.stderr
    strict = run(tmp_path, body, VINCI_CHECK="strict")
    assert "error[V1013]" in strict.stderr and told in strict.stderr, strict.stderr
    for check in ("basic", "race"):
        assert run(tmp_path, body, VINCI_CHECK=check).stderr == ""
    declared = run(tmp_path, body, declared=True)
    assert declared.stderr == "" and declared.stdout == done.stdout, declared.stderr


@pytest.mark.parametrize("body", [ALL, CLEARS], ids=["all", "clears"])
def test_outputs_that_the_kernel_writes(tmp_path, body):
    done = run(tmp_path, body)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.split() == [str(float(n * (2 if body is CLEARS else 1)))
                                   for n in range(0, 64, 16)]


@pytest.mark.parametrize("shape, known, told", [
    (21, 21, ""), (21, 20, "bytes 80..83 of GM buffer z (84 bytes) were written by no block"),
    (24, 20, "")])  # as many as a copy writes: maybe more than are wanted
def test_the_end_of_an_output_that_is_no_whole_datablocks(tmp_path, shape, known, told):
    script = SCRIPT.replace("[y])", "[y, z])").replace("out, =", "out, _ =").replace("with t.for", (
        f"z = t.Tensor('float32', ({shape},), tik.scope_gm, 'z')\nwith t.for")).replace("DECLARED", "True")
    done = run_script(tmp_path, script.replace("    BODY", ALL.strip("\n") + f"""
    v = t.Tensor("float32", (24,), tik.scope_ubuf, "v")
    t.vec_dup({known}, v, 1.0, 1, 8)
    with t.if_scope(block == 0):
        t.data_move(z, v, 0, 1, 3, 0, 0)"""), options=("--soc", "Ascend910A"))
    assert done.returncode == 0 and done.stderr.count("[V") == bool(told), done.stderr
    assert told in done.stderr, done.stderr


def test_sums_that_are_left_on(tmp_path):
    done = run(tmp_path, STAYS_ON, declared=True)
    assert done.returncode == 0
    assert ("warning[V4013] set_atomic_add: when the block ends, copies to GM still add to what is "
            "there\n  --> script.py:11\n") in done.stderr, done.stderr
    assert "set_atomic_add(0) after the last copy that adds" in done.stderr
    assert run(tmp_path, STAYS_ON, declared=True, VINCI_CHECK="init").stderr == ""
    assert run(tmp_path, SUMS, declared=True).stderr == ""


def test_sums_of_another_type_speak_of_tik(tmp_path):
    body = SUMS.replace("u, 0, 1, 8", 'w, 0, 1, 4').replace(
        "t.data_move(y", "t.data_move(y.reinterpret_cast_to('float16')")
    body = '\n    w = t.Tensor("float16", (64,), tik.scope_ubuf, "w")\n    t.vec_dup(64, w, 1.0, 1, 4)' + body
    done = run(tmp_path, body)
    assert "dst holds float16, while set_atomic_add adds float32" in done.stderr, done.stderr
    assert "the same type in set_atomic_add, or set_atomic_add(0) before the copy" in done.stderr


def test_rest_of_an_outputs_last_datablock(tmp_path):
    """There is no other way to write 5 numbers, and nobody is asked to write the room behind them."""
    text = SCRIPT.replace("(64,), tik.scope_gm, \"y\"", "(61,), tik.scope_gm, \"y\"").replace(
        "DECLARED", "False").replace("    BODY", ALL.strip("\n"))
    done = run_script(tmp_path, text, options=("--soc", "Ascend910A"))
    assert done.returncode == 0 and done.stderr == "", done.stderr


def test_inputs_that_are_outputs_too_are_written_by_the_host(tmp_path):
    text = SCRIPT.replace("DECLARED", "False").replace("    BODY", SUMS.strip("\n"))
    text = text.replace("[x], [y]", "[x, y], [y]").replace(
        '{"x"', '{"y": np.ones(64, np.float32), "x"')
    done = run_script(tmp_path, text, options=("--soc", "Ascend910A"))
    assert done.stdout.split() == ["1.0", "33.0", "65.0", "97.0"] and "[V" not in done.stderr
