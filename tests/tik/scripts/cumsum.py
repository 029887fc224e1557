"""Running sums along each row of int32, with a limit: a row ends where its sum would pass it.

The sum is a Scalar; tik_break leaves the loop over the row, and what follows keeps the last sum.
"""

import sys

import numpy as np
from tbe import tik
from tbe.common.platform import get_soc_spec

ROWS, COLUMNS, LIMIT = 24, 72, 1000


class CumSum:
    def __init__(self, shape, limit, kernel_name="cumsum"):
        self.tik_instance = tik.Tik()
        self.rows, self.columns = shape
        self.limit, self.kernel_name = limit, kernel_name
        self.core_num = min(get_soc_spec("CORE_NUM"), 4)
        self.each = self.rows // self.core_num
        self.x = self.tik_instance.Tensor("int32", shape, name="x", scope=tik.scope_gm)
        self.y = self.tik_instance.Tensor("int32", shape, name="y", scope=tik.scope_gm)
        self.used = self.tik_instance.Tensor("int32", (self.rows, 8), name="used",
                                             scope=tik.scope_gm)

    def one_row(self, row):
        ib = self.tik_instance
        line = ib.Tensor("int32", (self.columns,), name="line", scope=tik.scope_ubuf)
        used_ub = ib.Tensor("int32", (8,), name="used_ub", scope=tik.scope_ubuf)
        ib.data_move(line, self.x[row, 0], 0, 1, self.columns // 8, 0, 0)
        total = ib.Scalar("int32", name="total", init_value=0)
        value = ib.Scalar("int32", name="value")
        used = ib.Scalar("int32", name="used", init_value=0)
        with ib.for_range(0, self.columns, name="column") as column:
            value.set_as(line[column])
            with ib.if_scope(value == 0):
                line[column].set_as(total)
                used.set_as(column + 1)
                ib.tik_continue()
            with ib.if_scope(total + value > self.limit):
                ib.tik_break()
            total.set_as(total + value)
            line[column] = total
            used.set_as(used + 1)
        with ib.for_range(used, self.columns, name="rest") as column:
            line[column].set_as(total)
        ib.vector_dup(8, used_ub, 0, 1, 1, 8)
        used_ub[0].set_as(used)
        ib.data_move(self.y[row, 0], line, 0, 1, self.columns // 8, 0, 0)
        ib.data_move(self.used[row, 0], used_ub, 0, 1, 1, 0, 0)

    def compute(self):
        with self.tik_instance.for_range(0, self.core_num, block_num=self.core_num) as core:
            with self.tik_instance.for_range(0, self.each) as i:
                self.one_row(core * self.each + i)
        self.tik_instance.BuildCCE(self.kernel_name, [self.x], [self.y, self.used])
        return self.tik_instance


def expected(x):
    """Sums and how many columns each row uses, from whole running sums."""
    sums = x.cumsum(1)
    over = np.concatenate([sums > LIMIT, np.ones((len(x), 1), bool)], 1)
    over[:, :-1] &= x != 0
    used = over.argmax(1)
    last = np.where(used > 0, np.take_along_axis(sums, np.maximum(used - 1, 0)[:, None], 1)[:, 0],
                    0)
    return np.where(np.arange(COLUMNS) < used[:, None], sums, last[:, None]), used


def main():
    random = np.random.default_rng(16)
    x = random.integers(0, 40, (ROWS, COLUMNS)).astype("int32")
    x[::3] //= 8      # rows that stay below the limit
    x[5, 0] = 2000    # nothing is used
    x[7, :] = 0
    y, used = CumSum(x.shape, LIMIT).compute().tikdb.start_debug(feed_dict={"x": x})
    sums, counts = expected(x)
    right = ((y == sums).all(1) & (used[:, 0] == counts)).sum()
    print(f"{right} of {ROWS} rows")
    return int(right != ROWS)


sys.exit(main())
