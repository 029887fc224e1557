"""Lines of an image between others: each is a mean of two with weights, for sixteen channels."""

import sys

import numpy as np
from te import tik
from te.utils.op_utils import *  # noqa: F401,F403  as many operators do

C0 = 16


@check_op_params(REQUIRED_INPUT, REQUIRED_OUTPUT, REQUIRED_ATTR_INT, KERNEL_NAME)  # noqa: F405
def resize(x, y, factor, kernel_name="resize"):
    ib = tik.Tik()
    height, width, _ = x["shape"]
    lanes = width * C0
    x_gm = ib.Tensor("float16", x["shape"], name="x_gm", scope=tik.scope_gm)
    y_gm = ib.Tensor("float16", (height * factor, width, C0), name="y_gm", scope=tik.scope_gm)
    above, below, line = (ib.Tensor("float16", (lanes,), name=name, scope=tik.scope_ubuf)
                          for name in ("above", "below", "line"))
    next_row = ib.Scalar("int32", name="next_row")
    with ib.for_range(0, y_gm.shape[0] / factor) as row:
        next_row.set_as(row + 1)
        with ib.if_scope(row == height - 1):
            next_row.set_as(row)
        ib.data_move(above, x_gm[row, 0, 0], 0, 1, width, 0, 0)
        ib.data_move(below, x_gm[next_row, 0, 0], 0, 1, width, 0, 0)
        for part in range(factor):
            weight = part / factor
            repeats, tail = lanes // 128, lanes % 128
            for first, mask, times in ((0, 128, repeats), (repeats * 128, tail, 1)):
                if mask and times:
                    ib.vec_muls(mask, line[first:], above[first:], 1 - weight, times, 8, 8)
                    ib.vec_axpy(mask, line[first:], below[first:], weight, times, 8, 8)
            ib.data_move(y_gm[row * factor + part, 0, 0], line, 0, 1, width, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return ib


def main():
    wrong = 0
    for shape, factor in (((4, 8, C0), 2), ((9, 32, C0), 4), ((5, 13, C0), 2)):
        x = np.random.default_rng(41).integers(-99, 99, shape).astype("float16")
        given = {"shape": shape, "dtype": "float16"}
        y, = resize(given, given, factor).tikdb.start_debug({"x_gm": x}, interactive=False)
        below = x[list(range(1, shape[0])) + [-1]]
        wanted = [(1 - part / factor) * x + part / factor * below for part in range(factor)]
        wanted = np.stack(wanted, 1).reshape(y.shape)
        right = (y == wanted).sum()
        wrong += y.size - right
        print(f"{right} of {y.size} elements")
    return int(wrong != 0)


sys.exit(main())
