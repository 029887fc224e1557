"""Layer norm of rows of float32, each a whole Tensor: (x - mean) / sqrt(variance + epsilon) * gamma
+ beta, some rows for each core."""

import sys

import numpy as np
from tbe import tik
from tbe.common.platform import get_soc_spec

ROWS, COLUMNS = 29, 776
EPSILON = 1e-5


class LayerNorm:
    def __init__(self, rows, columns, kernel_name="layer_norm"):
        self.ib = tik.Tik()
        self.kernel_name = kernel_name
        self.rows, self.columns = rows, columns
        self.cores = min(rows, get_soc_spec("CORE_NUM"))
        self.each = -(-rows // self.cores)
        self.x = self.ib.Tensor("float32", (rows, columns), tik.scope_gm, "x")
        self.y = self.ib.Tensor("float32", (rows, columns), tik.scope_gm, "y")
        self.gamma = self.ib.Tensor("float32", (columns,), tik.scope_gm, "gamma")
        self.beta = self.ib.Tensor("float32", (columns,), tik.scope_gm, "beta")

    def in_ub(self, name, elements):
        return self.ib.Tensor("float32", (elements,), tik.scope_ubuf, name)

    def compute(self):
        ib = self.ib
        with ib.for_range(0, self.cores, name="core", block_num=self.cores) as core:
            gamma, beta = self.in_ub("gamma_ub", self.columns), self.in_ub("beta_ub", self.columns)
            ib.h_data_move(gamma, self.gamma)
            ib.h_data_move(beta, self.beta)
            with ib.for_range(0, self.each, name="i") as i:
                row = core * self.each + i
                with ib.if_scope(row < self.rows):
                    self.one_row(row, gamma, beta)
        ib.BuildCCE(self.kernel_name, [self.x, self.gamma, self.beta], [self.y])
        return ib

    def one_row(self, row, gamma, beta):
        ib = self.ib
        line, square = self.in_ub("line", self.columns), self.in_ub("square", self.columns)
        mean, spread = self.in_ub("mean", 8), self.in_ub("spread", 8)
        ib.h_data_move(line, self.x[row, :])
        ib.h_reduce_sum(mean[0], line)
        ib.h_mul(mean[0], mean[0], 1.0 / self.columns)
        ib.h_sub(line, line, mean[0])
        ib.h_mul(square, line, line)
        ib.h_reduce_sum(spread[0], square)
        ib.h_mul(spread[0], spread[0], 1.0 / self.columns)
        ib.h_add(spread[0], spread[0], EPSILON)
        ib.h_sqrt(spread[0], spread[0])
        ib.h_div(line, line, spread[0])
        ib.h_mul(line, line, gamma)
        ib.h_add(line, line, beta)
        ib.h_data_move(self.y[row, :], line)


def main():
    random = np.random.default_rng(31)
    x = random.normal(5, 3, (ROWS, COLUMNS)).astype("float32")
    x[3] = 0  # all equal, and the mean is exact: the result is beta
    gamma = random.normal(1, 0.2, COLUMNS).astype("float32")
    beta = random.normal(0, 1, COLUMNS).astype("float32")
    y, = LayerNorm(ROWS, COLUMNS).compute().tikdb.start_debug(
        {"x": x, "gamma": gamma, "beta": beta}, False)
    apart = x.astype("float64") - x.astype("float64").mean(1, keepdims=True)
    wanted = apart / np.sqrt((apart * apart).mean(1, keepdims=True) + EPSILON) * gamma + beta
    right = (np.abs(y - wanted) <= 2e-5 * np.maximum(1, np.abs(wanted))).sum()
    print(f"{right} of {y.size} elements")
    return int(right != y.size)


sys.exit(main())
