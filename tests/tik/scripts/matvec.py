"""A matrix times a vector, both float16: vmul of each row, then vcadd of its repeats and of these
sums. Sums are added up in float32."""

import sys

import numpy as np
from te import tik

ROWS, COLUMNS = 64, 512
MASK = 64  # elements of float32
REPEATS = COLUMNS // MASK
TOGETHER = 8  # rows that are stored at a time


class MatVec:
    def __init__(self, rows, columns, kernel_name="matvec"):
        self.tik_instance = tik.Tik()
        self.kernel_name = kernel_name
        self.groups = rows // TOGETHER
        self.a = self.tik_instance.Tensor("float16", (rows, columns), name="a", scope=tik.scope_gm)
        self.b = self.tik_instance.Tensor("float16", (columns,), name="b", scope=tik.scope_gm)
        self.c = self.tik_instance.Tensor("float32", (rows,), name="c", scope=tik.scope_gm)

    def ub(self, dtype, shape, name):
        return self.tik_instance.Tensor(dtype, shape, name=name, scope=tik.scope_ubuf)

    def widened(self, source, name):
        """A line of GM as float32 in UB."""
        half = self.ub("float16", (COLUMNS,), name + "_half")
        wide = self.ub("float32", (COLUMNS,), name)
        self.tik_instance.data_move(half, source, 0, 1, COLUMNS // 16, 0, 0)
        self.tik_instance.vconv(MASK, "", wide, half, REPEATS, 1, 1, 8, 4)
        return wide

    def group(self, number, b_ub):
        ib = self.tik_instance
        sums = self.ub("float32", (TOGETHER, REPEATS), "sums")
        result = self.ub("float32", (TOGETHER,), "result")
        with ib.for_range(0, TOGETHER) as i:
            with ib.new_stmt_scope():
                row = self.widened(self.a[number * TOGETHER + i, 0], "row")
                ib.vmul(MASK, row, row, b_ub, REPEATS, 1, 1, 1, 8, 8, 8)
                ib.vcadd(MASK, sums[i, 0], row, REPEATS, 1, 1, 8)
        ib.vcadd(REPEATS, result, sums, TOGETHER, 1, 1, 1)
        ib.data_move(self.c[number * TOGETHER], result, 0, 1, TOGETHER // 8, 0, 0)

    def compute(self):
        ib = self.tik_instance
        with ib.for_range(0, self.groups, block_num=self.groups) as number:
            b_ub = self.widened(self.b, "b_ub")
            self.group(number, b_ub)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.a, self.b], outputs=[self.c])
        return ib


def main():
    random = np.random.default_rng(18)
    a = random.normal(0, 1, (ROWS, COLUMNS)).astype("float16")
    b = random.normal(0, 1, COLUMNS).astype("float16")
    c, = MatVec(ROWS, COLUMNS).compute().tikdb.start_debug({"a": a, "b": b}, interactive=False)
    wanted = a.astype("float64") @ b.astype("float64")
    right = (np.abs(c - wanted) <= 1e-5 * (np.abs(a).astype("float64") @ np.abs(b))).sum()
    print(f"{right} of {ROWS} rows")
    return int(right != ROWS)


sys.exit(main())
