"""Attention scores: what lies below a threshold of its row becomes -65504, and is counted.

The threshold is the mean of the row; compared with vcmpv_ge, selected with vsel in mode 1, counted
with vreduce. Needs a chip that has both.
"""

import sys

import numpy as np
from tbe import tik

ROWS, COLUMNS = 12, 512
REPEATS = COLUMNS // 128
LOWEST = -65504.0


def build():
    instance = tik.Tik()
    scores = instance.Tensor("float16", (ROWS, COLUMNS), tik.scope_gm, "scores")
    masked = instance.Tensor("float16", (ROWS, COLUMNS), tik.scope_gm, "masked")
    kept = instance.Tensor("int32", (ROWS, 8), tik.scope_gm, "kept")
    with instance.for_range(0, ROWS) as row:
        line = instance.Tensor("float16", (COLUMNS,), tik.scope_ubuf, "line")
        limit = instance.Tensor("float16", (128,), tik.scope_ubuf, "limit")
        packed = instance.Tensor("float16", (COLUMNS,), tik.scope_ubuf, "packed")
        total = instance.Tensor("float16", (16,), tik.scope_ubuf, "total")
        work = instance.Tensor("float16", (REPEATS,), tik.scope_ubuf, "work")
        # The bits of each 128 scores in a datablock of their own, where vreduce looks for them.
        bits = instance.Tensor("uint16", (REPEATS, 16), tik.scope_ubuf, "bits")
        count = instance.Tensor("int32", (8,), tik.scope_ubuf, "count")
        instance.data_move(line, scores[row, 0], 0, 1, COLUMNS // 16, 0, 0)
        instance.vec_reduce_add(128, total, line, work, REPEATS, 8)
        instance.vec_muls(1, total, total, 1.0 / COLUMNS, 1, 8, 8)
        mean = instance.Scalar("float16", "mean")
        mean.set_as(total[0])
        instance.vec_dup(128, limit, mean, 1, 8)
        number = instance.Scalar("uint32", "number")
        with instance.for_range(0, REPEATS) as i:
            instance.vcmpv_ge(bits[i, 0], line[i * 128], limit, 1, 1, 1, 8, 8)
        instance.vreduce(None, packed, line, bits, REPEATS, 1, 8, 1, rsvd_scalar=number)
        with instance.for_range(0, REPEATS) as i:
            instance.vsel(128, 1, line[i * 128], bits[i, 0], line[i * 128], LOWEST, 1, 1, 1, 1)
        instance.vec_dup(8, count, 0, 1, 8)
        count[0].set_as(number)
        instance.data_move(masked[row, 0], line, 0, 1, COLUMNS // 16, 0, 0)
        instance.data_move(kept[row, 0], count, 0, 1, 1, 0, 0)
    instance.BuildCCE("masking", [scores], [masked, kept])
    return instance


def mean_of(row):
    """Neighbours first, each sum in float16."""
    while len(row) > 1:
        row = row[0::2] + row[1::2]
    return row[0] * np.float16(1.0 / COLUMNS)


def main():
    scores = np.random.default_rng(3).normal(1, 4, (ROWS, COLUMNS)).astype("float16")
    masked, kept = build().tikdb.start_debug({"scores": scores}, interactive=False)
    keep = np.array([row >= mean_of(row) for row in scores])
    wrong = (masked != np.where(keep, scores, np.float16(LOWEST))).sum()
    counts = (kept[:, 0] != keep.sum(1)).sum()
    print(f"{masked.size - wrong} of {masked.size} scores, {ROWS - counts} of {ROWS} counts")
    return int(wrong + counts != 0)


sys.exit(main())
