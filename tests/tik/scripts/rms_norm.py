"""RMS norm of rows of float32: x / sqrt(mean(x * x) + epsilon) * gamma, some rows for each core."""

import sys

import numpy as np
from tbe import tik
from tbe.common.platform import get_soc_spec

ROWS, COLUMNS = 37, 200
EPSILON = 1e-5
MASK = 64
REPEATS, TAIL = divmod(COLUMNS, MASK)


class RmsNorm(object):
    def __init__(self, rows, columns, kernel_name="rms_norm"):
        self.tik_instance = tik.Tik()
        self.kernel_name = kernel_name
        self.rows, self.columns = rows, columns
        self.cores = min(rows, get_soc_spec("CORE_NUM"))
        self.each = -(-rows // self.cores)
        self.x = self.tik_instance.Tensor("float32", (rows, columns), tik.scope_gm, "x")
        self.gamma = self.tik_instance.Tensor("float32", (columns,), tik.scope_gm, "gamma")
        self.y = self.tik_instance.Tensor("float32", (rows, columns), tik.scope_gm, "y")

    def over_row(self, call):
        """`call` with the mask, the place and the repeats: whole repeats, then the rest."""
        call(MASK, 0, REPEATS)
        call(TAIL, REPEATS * MASK, 1)

    def compute(self):
        ib = self.tik_instance
        with ib.for_range(0, self.cores, name="core", block_num=self.cores) as core:
            gamma_ub = ib.Tensor("float32", (self.columns,), tik.scope_ubuf, "gamma_ub")
            ib.data_move(gamma_ub, self.gamma, 0, 1, self.columns // 8, 0, 0)
            with ib.for_range(0, self.each, name="i") as i:
                row = core * self.each + i
                with ib.if_scope(row < self.rows):
                    self.one_row(row, gamma_ub)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x, self.gamma], outputs=[self.y])
        return ib

    def one_row(self, row, gamma_ub):
        ib = self.tik_instance
        x_ub = ib.Tensor("float32", (self.columns,), tik.scope_ubuf, "x_ub")
        square = ib.Tensor("float32", (self.columns,), tik.scope_ubuf, "square")
        sums = ib.Tensor("float32", (8,), tik.scope_ubuf, "sums")
        root = ib.Tensor("float32", (MASK,), tik.scope_ubuf, "root")
        ib.data_move(x_ub, self.x[row, 0], 0, 1, self.columns // 8, 0, 0)
        self.over_row(lambda mask, at, repeats: ib.vmul(
            mask, square[at], x_ub[at], x_ub[at], repeats, 1, 1, 1, 8, 8, 8))
        self.over_row(lambda mask, at, repeats: ib.vcadd(
            mask, sums[at // MASK], square[at], repeats, 1, 1, 8))
        ib.vcadd(REPEATS + 1, sums, sums, 1, 1, 1, 8)
        ib.vmuls(1, sums, sums, 1.0 / self.columns, 1, 1, 1, 8, 8)
        ib.vadds(1, sums, sums, EPSILON, 1, 1, 1, 8, 8)
        mean = ib.Scalar("float32", "mean")
        mean.set_as(sums[0])
        ib.vector_dup(MASK, root, mean, 1, 1, 8)
        ib.vsqrt(MASK, root, root, 1, 1, 1, 8, 8)
        self.over_row(lambda mask, at, repeats: ib.vdiv(
            mask, x_ub[at], x_ub[at], root, repeats, 1, 1, 1, 8, 8, 0))
        self.over_row(lambda mask, at, repeats: ib.vmul(
            mask, x_ub[at], x_ub[at], gamma_ub[at], repeats, 1, 1, 1, 8, 8, 8))
        ib.data_move(self.y[row, 0], x_ub, 0, 1, self.columns // 8, 0, 0)


def main():
    random = np.random.default_rng(9)
    x = random.normal(0, 3, (ROWS, COLUMNS)).astype("float32")
    gamma = random.normal(1, 0.2, COLUMNS).astype("float32")
    y, = RmsNorm(ROWS, COLUMNS).compute().tikdb.start_debug({"x": x, "gamma": gamma}, False)
    exact = x.astype("float64")
    wanted = exact / np.sqrt((exact * exact).mean(1, keepdims=True) + EPSILON) * gamma
    right = (np.abs(y - wanted) <= 1e-5 * np.maximum(1, np.abs(wanted))).sum()
    print(f"{right} of {y.size} elements")
    return int(right != y.size)


sys.exit(main())
