"""Rows are added to those of a table that their numbers name: copies to GM add, from all cores."""

import sys

import numpy as np
from tbe import tik

ROWS, WIDTH, COUNT, BLOCKS = 50, 64, 120, 4
PER_BLOCK = COUNT // BLOCKS


def build():
    instance = tik.Tik()
    numbers = instance.Tensor("int32", (COUNT,), tik.scope_gm, "numbers")
    updates = instance.Tensor("float32", (COUNT, WIDTH), tik.scope_gm, "updates")
    sums = instance.Tensor("float32", (ROWS, WIDTH), tik.scope_gm, "sums", is_atomic_add=True)
    with instance.for_range(0, BLOCKS, block_num=BLOCKS) as block:
        where = instance.Tensor("int32", (COUNT,), tik.scope_ubuf, "where")
        line = instance.Tensor("float32", (WIDTH,), tik.scope_ubuf, "line")
        instance.data_move(where, numbers, 0, 1, COUNT // 8, 0, 0)
        row = instance.Scalar("int32", "row")
        instance.set_atomic_add(1)
        with instance.for_range(0, PER_BLOCK) as i:
            row.set_as(where[block * PER_BLOCK + i])
            instance.data_move(line, updates[block * PER_BLOCK + i, 0], 0, 1, WIDTH // 8, 0, 0)
            instance.data_move(sums[row, 0], line, 0, 1, WIDTH // 8, 0, 0)
        instance.set_atomic_add(0)
    instance.BuildCCE("scatter_add", [numbers, updates], [sums])
    return instance


def main():
    random = np.random.default_rng(6)
    numbers = random.integers(0, ROWS, COUNT).astype("int32")
    updates = random.integers(-50, 50, (COUNT, WIDTH)).astype("float32")
    sums, = build().tikdb.start_debug({"numbers": numbers, "updates": updates}, False)
    wanted = np.zeros((ROWS, WIDTH), "float32")
    np.add.at(wanted, numbers, updates)
    wrong = (sums != wanted).any(1).sum()
    print(f"{ROWS - wrong} of {ROWS} rows")
    return int(wrong != 0)


sys.exit(main())
