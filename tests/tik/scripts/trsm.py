"""Solves L X = B for a lower triangle L, row by row: a row is divided by its diagonal element, and
what it takes part in is subtracted from the rows below."""

import sys

import numpy as np
from impl.util.platform_adapter import para_check, register_operator, tik

PART = para_check.REQUIRED_INPUT


@register_operator("Trsm")
@para_check.check_op_params(PART, PART, para_check.REQUIRED_OUTPUT, para_check.KERNEL_NAME)
def trsm(left, right, out, kernel_name="trsm"):
    ib = tik.Tik()
    (n, _), (_, m) = left["shape"], right["shape"]
    width = -(-m // 8) * 8  # each row begins at a datablock of UB
    left_gm = ib.Tensor("float32", (n, n), name="left", scope=tik.scope_gm)
    right_gm = ib.Tensor("float32", (n, m), name="right", scope=tik.scope_gm)
    out_gm = ib.Tensor("float32", (n, m), name="out", scope=tik.scope_gm)
    left_ub = ib.Tensor("float32", (n, n), name="left_ub", scope=tik.scope_ubuf)
    flat = ib.Tensor("float32", (n * m,), name="flat", scope=tik.scope_ubuf)
    rows = ib.Tensor("float32", (n, width), name="rows", scope=tik.scope_ubuf)
    scaled = ib.Tensor("float32", (width,), name="scaled", scope=tik.scope_ubuf)
    ib.data_move(left_ub, left_gm, 0, 1, (n * n + 7) // 8, 0, 0)
    ib.data_move(flat, right_gm, 0, 1, (n * m + 7) // 8, 0, 0)
    with ib.for_range(0, n) as i:
        with ib.for_range(0, m) as k:
            rows[i, k].set_as(flat[i * m + k])
    diagonal = ib.Scalar("float32", name="diagonal")
    factor = ib.Scalar("float32", name="factor")
    with ib.for_range(0, n) as i:
        diagonal.set_as(left_ub[i, i])
        diagonal.set_as(1.0 / diagonal)
        ib.vec_muls(m, rows[i, 0], rows[i, 0], diagonal, 1, 8, 8)
        with ib.for_range(i + 1, n) as j:
            factor.set_as(left_ub[j, i])
            ib.vec_muls(m, scaled, rows[i, 0], factor, 1, 8, 8)
            ib.vec_sub(m, rows[j, 0], rows[j, 0], scaled, 1, 8, 8, 8)
    with ib.for_range(0, n) as i:
        with ib.for_range(0, m) as k:
            flat[i * m + k].set_as(rows[i, k])
    ib.data_move(out_gm, flat, 0, 1, (n * m + 7) // 8, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[left_gm, right_gm], outputs=[out_gm])
    return ib


def main():
    wrong, random = 0, np.random.default_rng(32)
    for n, m in ((4, 8), (16, 32), (9, 5)):
        left = np.tril(random.uniform(-1, 1, (n, n))).astype("float32")
        np.fill_diagonal(left, random.choice([-4, -2, 2, 4], n))
        right = random.uniform(-9, 9, (n, m)).astype("float32")
        given = [{"shape": one.shape, "dtype": "float32"} for one in (left, right, right)]
        x, = trsm(*given).tikdb.start_debug({"left": left, "right": right}, interactive=False)
        wanted = np.linalg.solve(left.astype("float64"), right.astype("float64"))
        good = np.isclose(x, wanted, rtol=1e-4, atol=1e-4).sum()
        print(f"{good} of {x.size} elements")
        wrong += x.size - good
    return int(wrong != 0)


sys.exit(main())
