"""Ones where row and column are equal. The whole matrix is made in UB, and moved as one burst that
reaches into what is left of the last datablock."""

import sys

import numpy as np
from tbe import tik
from tbe.common.utils import para_check


def eye(rows, columns, dtype, kernel_name="eye"):
    para_check.check_dtype(dtype, ("float16", "float32", "int32"), param_name="y")
    ib = tik.Tik()
    size = 2 if dtype == "float16" else 4
    lanes, total = 256 // size, rows * columns
    y = ib.Tensor(dtype, (rows, columns), name="y", scope=tik.scope_gm)
    y_ub = ib.Tensor(dtype, (total,), name="y_ub", scope=tik.scope_ubuf)
    zero, one = (0, 1) if dtype == "int32" else (0.0, 1.0)
    if total // lanes:
        ib.vec_dup(lanes, y_ub, zero, total // lanes, 8)
    if total % lanes:
        ib.vec_dup(total % lanes, y_ub[total // lanes * lanes], zero, 1, 8)
    with ib.for_range(0, min(rows, columns), thread_num=2) as i:
        y_ub[i * (columns + 1)].set_as(one)
    ib.data_move(y, y_ub, 0, 1, -(-total * size // 32), 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[], outputs=[y])
    return ib


def main():
    wrong = 0
    for rows, columns, dtype in ((16, 16, "float16"), (40, 24, "int32"), (7, 11, "float32")):
        y, = eye(rows, columns, dtype).tikdb.start_debug({}, interactive=False)
        right = (y == np.eye(rows, columns)).sum()
        wrong += rows * columns - right
        print(f"{right} of {rows * columns} elements")
    return int(wrong != 0)


sys.exit(main())
