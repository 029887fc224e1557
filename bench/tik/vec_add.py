"""The sum of 2^22 halfs in two blocks as a TIK script; prints the seconds of its statements and of
start_debug as a whole, each the least of some runs, and those to record 10,000 statements."""

import sys
import time

import numpy as np
from tbe import tik

TILE, TILES, BLOCKS = 32768, 64, 2
CALL = 128 * 128
N = TILE * TILES * BLOCKS


def build():
    t = tik.Tik()
    a, b, c = (t.Tensor("float16", (N,), name=name, scope=tik.scope_gm) for name in "abc")
    with t.for_range(0, BLOCKS, block_num=BLOCKS) as block:
        x = t.Tensor("float16", (TILE,), name="x", scope=tik.scope_ubuf)
        y = t.Tensor("float16", (TILE,), name="y", scope=tik.scope_ubuf)
        with t.for_range(0, TILES) as tile:
            first = (block * TILES + tile) * TILE
            t.data_move(x, a[first], 0, 1, TILE // 16, 0, 0)
            t.data_move(y, b[first], 0, 1, TILE // 16, 0, 0)
            for at in range(0, TILE, CALL):
                t.vec_add(128, x[at], x[at], y[at], 128, 8, 8, 8)
            t.data_move(c[first], x, 0, 1, TILE // 16, 0, 0)
    t.BuildCCE("vec_add", [a, b], [c])
    return t


def record_statements():
    """Seconds to record and seal 10,000 statements."""
    begin = time.monotonic()
    t = tik.Tik()
    gm = t.Tensor("float16", (1 << 20,), name="gm", scope=tik.scope_gm)
    x = t.Tensor("float16", (1024,), name="x", scope=tik.scope_ubuf)
    at = t.Scalar("int32", "at", 0)
    for i in range(2500):
        t.data_move(x, gm[at * 16 + i * 16], 0, 1, 64, 0, 0)
        t.vec_add(128, x, x, x, 8, 8, 8, 8)
        t.vmuls(128, x, x, 0.5, 8, 1, 1, 8, 8)
        at.set_as(at + 1)
    t.BuildCCE("statements", [gm], [])
    return time.monotonic() - begin


def main(repetitions):
    instance = build()
    random = np.random.default_rng(1)
    a, b = (random.uniform(-8, 8, N).astype(np.float16) for _ in range(2))
    statements = whole = float("inf")
    for _ in range(repetitions):
        begin = time.monotonic()
        c, = instance.tikdb.start_debug({"a": a, "b": b}, interactive=False)
        whole = min(whole, time.monotonic() - begin)
        statements = min(statements, instance.tikdb.seconds)
    if not (c == a + b).all():
        sys.exit("the sums are wrong")
    print(statements, whole, min(record_statements() for _ in range(3)))


main(int(sys.argv[1]))
