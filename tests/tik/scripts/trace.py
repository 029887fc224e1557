"""The sum of the diagonal, of a matrix of any number of rows and columns; the loop's bound is what
a division of Python leaves."""

import sys

import numpy as np
from tbe import tik
from tbe.common.platform import set_current_compile_soc_info  # chosen by who runs it


def trace(rows, columns, kernel_name="trace"):
    ib = tik.Tik()
    total = rows * columns
    x = ib.Tensor("int32", (rows, columns), name="x", scope=tik.scope_gm)
    y = ib.Tensor("int32", (1,), name="y", scope=tik.scope_gm)
    x_ub = ib.Tensor("int32", (total,), name="x_ub", scope=tik.scope_ubuf)
    y_ub = ib.Tensor("int32", (1,), name="y_ub", scope=tik.scope_ubuf)
    ib.data_move(x_ub, x, 0, 1, (total + 7) // 8, 0, 0)
    one, all_of_them = ib.Scalar("int32", name="one"), ib.Scalar("int32", init_value=0)
    with ib.for_range(0, (rows + columns - abs(rows - columns)) / 2) as i:
        one.set_as(x_ub[i * (columns + 1)])
        all_of_them.set_as(all_of_them + one)
    y_ub[0].set_as(all_of_them)
    ib.data_move(y, y_ub, 0, 1, 1, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[x], outputs=[y])
    return ib


def main():
    wrong = 0
    for shape in ((8, 8), (16, 40), (13, 7)):
        x = np.random.default_rng(33).integers(-1000, 1000, shape).astype("int32")
        y, = trace(*shape).tikdb.start_debug({"x": x}, interactive=False)
        wrong += int(y[0] != np.trace(x))
        print(f"{int(y[0] == np.trace(x))} of 1 sums")
    return int(wrong != 0)


sys.exit(main())
