"""Blocks of a script that touch the same bytes of GM, which nothing orders (V4010)."""

import pytest
from tik_harness import run_script

SCRIPT = """
import numpy as np
from tbe import tik
t = tik.Tik()
x = t.Tensor("float32", (64,), tik.scope_gm, "x")
y = t.Tensor("float32", (128,), tik.scope_gm, "y")
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
