"""The largest of each row and its column: float16, a block of cores for groups of rows."""

import sys

import numpy as np
from tbe import tik

ROWS, COLUMNS, BLOCKS = 64, 1008, 8
PER_BLOCK = ROWS // BLOCKS
REPEATS, TAIL = divmod(COLUMNS, 128)


def build():
    instance = tik.Tik()
    scores = instance.Tensor("float16", (ROWS, COLUMNS), tik.scope_gm, "scores")
    values = instance.Tensor("float16", (ROWS, 16), tik.scope_gm, "values")
    columns = instance.Tensor("int32", (ROWS, 8), tik.scope_gm, "columns")
    with instance.for_range(0, BLOCKS, block_num=BLOCKS) as block:
        with instance.for_range(0, PER_BLOCK, thread_num=2) as i:
            row = block * PER_BLOCK + i
            line = instance.Tensor("float16", (COLUMNS,), tik.scope_ubuf, "line")
            pairs = instance.Tensor("float16", (REPEATS + 1, 2), tik.scope_ubuf, "pairs")
            found = instance.Tensor("float16", (16,), tik.scope_ubuf, "found")
            place = instance.Tensor("int32", (8,), tik.scope_ubuf, "place")
            instance.data_move(line, scores[row, 0], 0, 1, COLUMNS // 16, 0, 0)
            instance.vec_dup(16, found, 0, 1, 8)
            instance.vec_dup(8, place, 0, 1, 8)
            # A value and a lane of each 128 columns, then the largest of these.
            instance.vcmax(128, pairs, line, REPEATS, 1, 1, 8)
            instance.vcmax(TAIL, pairs[REPEATS, 0], line[REPEATS * 128], 1, 1, 1, 8)
            values_only = [0, sum(1 << 2 * r for r in range(REPEATS + 1))]
            instance.vcmax(values_only, found, pairs, 1, 1, 1, 8)
            lane = instance.Scalar("uint16", "lane")
            lane.set_as(found.reinterpret_cast_to("uint16")[1])
            repeat = instance.Scalar("int32", "repeat", lane // 2)
            lane.set_as(pairs.reinterpret_cast_to("uint16")[repeat * 2 + 1])
            place[0].set_as(repeat * 128 + lane)
            instance.data_move(values[row, 0], found, 0, 1, 1, 0, 0)
            instance.data_move(columns[row, 0], place, 0, 1, 1, 0, 0)
    instance.BuildCCE("argmax", [scores], [values, columns])
    return instance


def main():
    random = np.random.default_rng(1)
    scores = random.normal(0, 100, (ROWS, COLUMNS)).astype("float16")
    scores[3, 7] = scores[3, 900] = 1000  # the first of equals counts
    values, columns = build().tikdb.start_debug({"scores": scores}, interactive=False)
    wanted = scores.argmax(1)
    wrong = (columns[:, 0] != wanted) | (values[:, 0] != scores[np.arange(ROWS), wanted])
    print(f"{ROWS - wrong.sum()} of {ROWS} rows")
    return int(wrong.any())


sys.exit(main())
