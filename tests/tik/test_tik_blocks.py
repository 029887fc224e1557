"""Blocks of a script that touch the same bytes of GM, which nothing orders (V4010)."""

import pytest
from tik_harness import run_script

SCRIPT = """
import numpy as np
from tbe import tik
t = tik.Tik()
x = t.Tensor("float32", (64,), tik.scope_gm, "x")
y = t.Tensor("float32", (128,), tik.scope_gm, "y", is_atomic_add=True)
space = t.Tensor("float32", (64,), tik.scope_gm, "space", is_workspace=True)
sync = t.Tensor("int64", (16,), tik.scope_gm, "sync", is_workspace=True)
with t.for_range(0, 4, block_num=4) as block:
    u = t.Tensor("float32", (32,), tik.scope_ubuf, "u")
    BODY
t.BuildCCE("k", [x], [y])
out, = t.tikdb.start_debug({"x": np.arange(64, dtype=np.float32)}, interactive=False)
print(len(out))
"""

# Parts of 16 numbers each, with 8 more that belong to the next block.
TOO_LONG = """
    t.data_move(u, x[block * 13], 0, 1, 3, 0, 0)
    t.data_move(y[block * 16], u, 0, 1, 3, 0, 0)"""
# The last block steps back: what it writes once more is the same.
STEPS_BACK = """
    first = t.Scalar("int32", "first", init_value=block * 16)
    with t.if_scope(block == 3):
        first.set_as(40)
    t.data_move(u, x[first], 0, 1, 2, 0, 0)
    t.data_move(y[first], u, 0, 1, 2, 0, 0)"""
# Each writes its part, and reads that of the next.
EXCHANGE = """
    t.data_move(u, x[block * 16], 0, 1, 2, 0, 0)
    t.data_move(space[block * 16], u, 0, 1, 2, 0, 0)
    ORDER
    t.data_move(u, space[(block + 1) % 4 * 16], 0, 1, 2, 0, 0)
    t.data_move(y[block * 16], u, 0, 1, 2, 0, 0)"""
# All add to the same numbers.
SUMS = """
    t.data_move(u, x, 0, 1, 2, 0, 0)
    t.set_atomic_add(1)
    t.data_move(y, u, 0, 1, 2, 0, 0)
    t.set_atomic_add(0)"""


def run(tmp_path, body, **env):
    return run_script(tmp_path, SCRIPT.replace("    BODY", body.strip("\n")), env=env,
                      options=("--soc", "Ascend910A"))


@pytest.mark.parametrize("body, told", [
    (TOO_LONG, "error[V4010] data_move: dst writes bytes 64..95 of GM buffer y, which data_move of "
               "block 0 writes, and nothing orders the two\n  --> script.py:12\n"
               "      block 1, AI Core, MTE3, instruction 2, 3 times\n"
               "      data_move of block 0: script.py:12\n"
               "  = legal: bytes of its own for each core, or block_barrier between the two\n"),
    (EXCHANGE.replace("ORDER", "pass"),
     "error[V4010] data_move: src reads bytes 64..127 of GM buffer space, which data_move of "
     "block 1 writes, and nothing orders the two\n  --> script.py:14\n"
     "      block 0, AI Core, MTE2, instruction 3, 4 times\n"
     "      data_move of block 1: script.py:12\n"
     "  = legal: block_barrier between the two\n"),
], ids=["too_long", "exchange"])
def test_what_nothing_orders(tmp_path, body, told):
    done = run(tmp_path, body)
    assert done.returncode == 1 and told in done.stderr, done.stderr


@pytest.mark.parametrize("body", [
    STEPS_BACK, SUMS, EXCHANGE.replace("ORDER", "t.block_barrier(sync)"),
], ids=["steps_back", "sums", "barrier"])
def test_what_is_in_order(tmp_path, body):
    done = run(tmp_path, body)
    assert done.returncode == 0 and done.stderr == "", done.stderr


def test_steps_back_with_other_values(tmp_path):
    """What the last block steps back to is not the same, so that its order shows."""
    done = run(tmp_path, STEPS_BACK.replace("x[first]", "x[block * 16]"))
    assert done.returncode == 1 and "bytes 160..191 of GM buffer y" in done.stderr, done.stderr


@pytest.mark.parametrize("check, code", [("basic", 0), ("init", 0), ("race", 1), ("off", 0)])
def test_who_looks_for_them(tmp_path, check, code):
    assert run(tmp_path, TOO_LONG, VINCI_CHECK=check).returncode == code


# What stands outside of the loop over blocks, and what comes out of it: y, 4 parts of 16 numbers.
OUTSIDE = """
import numpy as np
from tbe import tik
t = tik.Tik()
x = t.Tensor("float32", (64,), tik.scope_gm, "x")
y = t.Tensor("float32", (64,), tik.scope_gm, "y", is_atomic_add=True)
z = t.Tensor("float32", (16,), tik.scope_gm, "z", is_atomic_add=True)
n = t.Tensor("int32", (8,), tik.scope_gm, "n")
u = t.Tensor("float32", (16,), tik.scope_ubuf, "u")
BEFORE
with t.for_range(0, COUNT, block_num=COUNT) as block:
    INSIDE
BEHIND
t.BuildCCE("k", [x, n], [y, z])
y, z = t.tikdb.start_debug({"x": np.arange(64, dtype=np.float32), "n": np.full(8, 4, np.int32)},
                           interactive=False)
print(*y[::16], *z[:4])
"""
KEPT = """
t.data_move(u, x, 0, 1, 2, 0, 0)
factor = t.Scalar("float32", "factor", init_value=3.0)"""
USED = """
    factor.set_as(factor + 1.0)
    t.vec_adds(16, u, u, factor, 1, 8, 8)
    t.data_move(y[block * 16], u, 0, 1, 2, 0, 0)"""
SUM = """
t.set_atomic_add(1)
t.data_move(z, u, 0, 1, 2, 0, 0)
t.set_atomic_add(0)"""
TILING = """
n_ub = t.Tensor("int32", (8,), tik.scope_ubuf, "n_ub")
t.data_move(n_ub, n, 0, 1, 1, 0, 0)
count = t.Scalar("int32", "count")
count.set_as(n_ub[0])"""


def outside(tmp_path, before, inside, behind, count="4", **env):
    text = OUTSIDE.replace("BEFORE", before).replace("    INSIDE", inside.strip("\n"))
    return run_script(tmp_path, text.replace("BEHIND", behind).replace("COUNT", count), env=env,
                      options=("--soc", "Ascend910A"))


@pytest.mark.parametrize("before, count", [(KEPT, "4"), (KEPT + TILING, "count")])
def test_each_block_runs_what_stands_outside(tmp_path, before, count):
    """Blocks have what was set before their loop, all add to z as often as they are, and each goes on
    with its own."""
    done = outside(tmp_path, before + SUM, USED, SUM, count)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    sums = [4.0 * (i + i + 4) for i in range(4)]
    assert list(map(float, done.stdout.split())) == [4.0] * 4 + sums


def test_writes_of_all_blocks_before_their_loop(tmp_path):
    """With the same bytes they are no matter, unless a block writes others: which comes last?"""
    zeros = KEPT + "\nt.vec_dup(16, u, 0.0, 1, 2)\nt.data_move(y, u, 0, 1, 2, 0, 0)" + KEPT
    zeros = zeros.replace('name="factor"', "")
    inside = USED.replace("block * 16", "block * 16 % 48 + 16")
    done = outside(tmp_path, zeros, inside.replace("% 48", "% 64"), "", "3")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    done = outside(tmp_path, zeros, USED, "")
    assert done.returncode == 1 and "error[V4010]" in done.stderr and "GM buffer y" in done.stderr


def test_reads_behind_the_loop_of_what_others_write(tmp_path):
    behind = "t.data_move(u, y[48], 0, 1, 2, 0, 0)\nt.data_move(z, u, 0, 1, 2, 0, 0)"
    done = outside(tmp_path, KEPT, USED, behind)
    assert done.returncode == 1 and "error[V4010] data_move: src reads" in done.stderr, done.stderr
    sync = KEPT + "\nsync = t.Tensor('int64', (16,), tik.scope_gm, 'sync', is_workspace=True)"
    done = outside(tmp_path, sync, USED, "t.block_barrier(sync)\n" + behind)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.split()[4:] == ["4.0", "5.0", "6.0", "7.0"]


def test_loops_over_blocks_of_several_lengths(tmp_path):
    """The longest says how many blocks there are; others pass over the shorter ones. Only the branch
    that is taken counts."""
    inside = USED + """
with t.for_range(0, 2, block_num=2) as other:
    t.vec_adds(16, u, u, 10.0, 1, 8, 8)
    t.data_move(z[other * 8], u, 0, 1, 1, 0, 0)"""
    done = outside(tmp_path, KEPT, inside, SUM)
    assert done.returncode == 1 and "V4010" in done.stderr, done.stderr  # sums and plain writes
    done = outside(tmp_path, KEPT, inside, "")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.split() == ["4.0"] * 4 + ["14.0", "15.0", "16.0", "17.0"]


def test_what_stands_outside_is_shown_once(tmp_path):
    shown = KEPT + "\nt.tikdb.debug_print('factor')"
    done = outside(tmp_path, shown, USED + "\n    t.tikdb.debug_print('block')",
                   "t.tikdb.debug_print('factor + 10')")
    assert done.stdout.split()[:6] == ["3.0", "0", "14.0", "1", "2", "3"], done.stdout


def test_counting_blocks_leaves_nothing(tmp_path):
    """What one block does before its loop, when their number is not known yet, is done again."""
    behind = """
t.data_move(u, z, 0, 1, 2, 0, 0)
t.vec_adds(16, u, u, 1.0, 1, 8, 8)
t.data_move(z, u, 0, 1, 2, 0, 0)"""
    one = TILING.replace("set_as(n_ub[0])", "set_as(1)")
    done = outside(tmp_path, KEPT + behind + one, USED, "", "count")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.split()[4:] == ["1.0"] * 4
