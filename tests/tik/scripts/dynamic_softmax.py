"""Softmax of rows whose number and length are known at run time only, with whole-Tensor methods.
One kernel runs with several shapes."""

import sys

import numpy as np
from tbe import tik

CORES = 4
LONGEST = 12000  # elements of a row
BLOCK = 8        # float32 in a datablock: rows in GM start at one


def build():
    ib = tik.Tik()
    rows = ib.InputScalar(dtype="int32", name="rows")
    columns = ib.InputScalar(dtype="int32", name="columns")
    pitch = (columns + BLOCK - 1) // BLOCK * BLOCK
    x_gm = ib.Tensor("float32", (rows, pitch), tik.scope_gm, "x_gm")
    y_gm = ib.Tensor("float32", (rows, pitch), tik.scope_gm, "y_gm")
    each = (rows + CORES - 1) // CORES
    with ib.for_range(0, CORES, block_num=CORES) as core:
        end = ib.Scalar("int32", name="end")
        end.set_as((core + 1) * each)
        with ib.if_scope(end > rows):
            end.set_as(rows)
        with ib.if_scope(core * each < end):
            with ib.for_range(core * each, end) as i:
                one_row(ib, x_gm[i, :], y_gm[i, :], columns, pitch)
    ib.BuildCCE("dynamic_softmax", [x_gm, rows, columns], [y_gm])
    return ib


def one_row(ib, x_row, y_row, columns, pitch):
    line = ib.Tensor("float32", (LONGEST,), tik.scope_ubuf, "line")
    best = ib.Tensor("float32", (BLOCK,), tik.scope_ubuf, "best")
    ib.data_move(line, x_row, 0, 1, pitch // BLOCK, 0, 0)
    row = line[0:columns]
    ib.h_reduce_max(best[0], row)
    ib.h_sub(row, row, best[0])
    ib.h_exp(row, row)
    ib.h_reduce_sum(best[0], row)
    ib.h_div(row, row, best[0])
    ib.data_move(y_row, line, 0, 1, pitch // BLOCK, 0, 0)


def softmax(ib, rows, columns):
    """(right elements, elements) of one run."""
    x = np.random.default_rng(columns).normal(0, 8, (rows, -(-columns // BLOCK) * BLOCK))
    x = x.astype("float32")
    x[0] += 500  # e ** x would be infinite
    y, = ib.tikdb.start_debug({"x_gm": x, "rows": rows, "columns": columns}, interactive=False)
    power = np.exp((x - x[:, :columns].max(1, keepdims=True)).astype("float64")[:, :columns])
    wanted = power / power.sum(1, keepdims=True)
    return (np.abs(y[:, :columns] - wanted) <= 2e-5 * wanted + 1e-12).sum(), wanted.size


def main():
    ib = build()
    shapes = [(1, 1), (3, 7), (4, 64), (5, 65), (9, 200), (2, LONGEST)]
    right, count = map(sum, zip(*(softmax(ib, *shape) for shape in shapes)))
    print(f"{right} of {count} elements")
    return int(right != count)


sys.exit(main())
