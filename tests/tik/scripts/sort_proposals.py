"""Proposals in descending order of their scores: sixteen by sixteen first, then two, three or four
such lists are merged. How many there are is known at run time only, so it is a Scalar that says
which lists count."""

import sys

import numpy as np
from te import tik

WIDTH, SCORE, EACH, LISTS = 8, 4, 16, 4


def sort_proposals(kernel_name="sort_proposals"):
    ib = tik.Tik()
    lists = ib.InputScalar("int32", name="lists")
    size = EACH * WIDTH
    x = ib.Tensor("float16", (lists * EACH, WIDTH), name="x", scope=tik.scope_gm)
    y = ib.Tensor("float16", (lists * EACH, WIDTH), name="y", scope=tik.scope_gm)
    x_ub = ib.Tensor("float16", (LISTS * size,), name="x_ub", scope=tik.scope_ubuf)
    sorted_ub = ib.Tensor("float16", (LISTS * size,), name="sorted_ub", scope=tik.scope_ubuf)
    y_ub = ib.Tensor("float16", (lists, size), name="y_ub", scope=tik.scope_ubuf)
    ib.data_move(x_ub, x, 0, 1, lists * (size // 16), 0, 0)
    ib.vrpsort16(sorted_ub, x_ub, lists)
    valid = ib.Scalar("int32", name="valid")
    valid.set_as((1 << lists) - 1)
    taken = ib.ScalarArray("int32", LISTS, name="taken")
    ib.vmrgsort4(y_ub, [sorted_ub[i * size] for i in range(LISTS)], (EACH,) * LISTS, False, valid,
                 1, taken)
    ib.data_move(y, y_ub, 0, 1, lists * (size // 16), 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[x, lists], outputs=[y])
    return ib


def main():
    wrong, instance = 0, sort_proposals()
    for lists in (2, 3, 4):
        x = np.random.default_rng(37).permutation(lists * EACH * WIDTH).astype("float16")
        x = x.reshape(lists * EACH, WIDTH)
        y, = instance.tikdb.start_debug({"x": x, "lists": lists}, interactive=False)
        right = (y == x[np.argsort(-x[:, SCORE])]).all(1).sum()
        wrong += len(x) - right
        print(f"{right} of {len(x)} proposals")
    return int(wrong != 0)


sys.exit(main())
