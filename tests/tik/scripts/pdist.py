"""Distances of all pairs of points, one after the other: a reduction of a line into a Scalar, and
its square root."""

import sys

import numpy as np
from te import tik


def pdist(points, width, kernel_name="pdist"):
    ib = tik.Tik()
    pairs, row = points * (points - 1) // 2, -(-width // 8) * 8
    x = ib.Tensor("float32", (points, row), name="x", scope=tik.scope_gm)
    y = ib.Tensor("float32", (pairs,), name="y", scope=tik.scope_gm)
    x_ub = ib.Tensor("float32", (points, row), name="x_ub", scope=tik.scope_ubuf)
    y_ub = ib.Tensor("float32", (pairs,), name="y_ub", scope=tik.scope_ubuf)
    line = ib.Tensor("float32", (row,), name="line", scope=tik.scope_ubuf)
    total = ib.Tensor("float32", (8,), name="total", scope=tik.scope_ubuf)
    work = ib.Tensor("float32", (8,), name="work", scope=tik.scope_ubuf)
    ib.data_move(x_ub, x, 0, 1, points * row // 8, 0, 0)
    squares, root = ib.Scalar("float32", name="squares"), ib.Scalar("float32", name="root")
    at = ib.Scalar("int32", name="at", init_value=0)
    with ib.for_range(0, points) as i:
        with ib.for_range(i + 1, points) as j:
            ib.vec_sub(width, line, x_ub[i, 0], x_ub[j, 0], 1, 8, 8, 8)
            ib.vec_mul(width, line, line, line, 1, 8, 8, 8)
            ib.vec_reduce_add(width, total, line, work, 1, 8)
            squares.set_as(total[0])
            ib.scalar_sqrt(root, squares)
            y_ub[at].set_as(root)
            at.set_as(at + 1)
    ib.data_move(y, y_ub, 0, 1, (pairs + 7) // 8, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[x], outputs=[y])
    return ib


def main():
    wrong = 0
    for points, width in ((4, 8), (9, 64), (6, 13)):
        x = np.random.default_rng(35).uniform(-9, 9, (points, -(-width // 8) * 8))
        x = x.astype("float32")
        y, = pdist(points, width).tikdb.start_debug({"x": x}, interactive=False)
        used = x[:, :width].astype("float64")
        wanted = [np.linalg.norm(used[i] - used[j]) for i in range(points)
                  for j in range(i + 1, points)]
        right = np.isclose(y, wanted, rtol=1e-5).sum()
        wrong += y.size - right
        print(f"{right} of {y.size} distances")
    return int(wrong != 0)


sys.exit(main())
