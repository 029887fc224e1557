"""Elements move to the right by a number that is known at run time only, and come in again at the
left. Two bursts in GM where the shift is whole datablocks, element by element in UB elsewhere."""

import sys

import numpy as np
from te import tik


def roll(count, kernel_name="roll"):
    ib = tik.Tik()
    x = ib.Tensor("float32", (count,), name="x", scope=tik.scope_gm)
    y = ib.Tensor("float32", (count,), name="y", scope=tik.scope_gm)
    shift = ib.InputScalar("int32", name="shift")
    left = ib.Scalar("int32", name="left")
    left.set_as((shift % count + count) % count)  # `%` has the sign of the left side here
    x_ub = ib.Tensor("float32", (count,), name="x_ub", scope=tik.scope_ubuf)
    y_ub = ib.Tensor("float32", (count,), name="y_ub", scope=tik.scope_ubuf)
    ib.data_move(x_ub, x, 0, 1, (count + 7) // 8, 0, 0)
    with ib.if_scope(tik.all(left % 8 == 0, left > 0, count % 8 == 0)):
        ib.data_move(y_ub[left], x_ub, 0, 1, (count - left) // 8, 0, 0)
        ib.data_move(y_ub, x_ub[count - left], 0, 1, left // 8, 0, 0)
    with ib.else_scope():
        with ib.for_range(0, count) as i:
            y_ub[(i + left) % count].set_as(x_ub[i])
    ib.data_move(y, y_ub, 0, 1, (count + 7) // 8, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[x, shift], outputs=[y])
    return ib


def main():
    wrong = 0
    for count in (8, 256, 77):
        x = np.random.default_rng(34).normal(0, 1, count).astype("float32")
        instance = roll(count)
        for shift in (0, 3, 16, -5, count, 2 * count + 8):
            y, = instance.tikdb.start_debug({"x": x, "shift": shift}, interactive=False)
            right = (y == np.roll(x, shift)).sum()
            wrong += count - right
            print(f"{right} of {count} elements")
    return int(wrong != 0)


sys.exit(main())
