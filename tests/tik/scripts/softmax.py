"""Softmax over the last axis of float32, a group of rows for each core: e ** (x - max) / sum."""

import sys

import numpy as np
from tbe import tik

SHAPE = (4, 6, 320)
BLOCK_NUM = 6
MASK = 64
REPEATS = SHAPE[-1] // MASK


class Softmax:
    def __init__(self, shape, kernel_name):
        self.tik_instance = tik.Tik()
        self.kernel_name = kernel_name
        self.columns = shape[-1]
        self.rows = int(np.prod(shape[:-1]))
        self.x_gm = self.tik_instance.Tensor("float32", shape, name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_instance.Tensor("float32", shape, name="y_gm", scope=tik.scope_gm)

    def largest(self, line):
        """The largest of a row as a Scalar: vmax of the repeats, then of the halves."""
        ib = self.tik_instance
        best = ib.Tensor("float32", (MASK,), name="best", scope=tik.scope_ubuf)
        ib.data_move(best, line, 0, 1, 8, 0, 0)
        with ib.for_range(1, REPEATS) as i:
            ib.vmax(MASK, best, best, line[i * MASK], 1, 1, 1, 1, 8, 8, 8)
        half = MASK // 2
        while half >= 8:
            ib.vmax(half, best, best, best[half], 1, 1, 1, 1, 8, 8, 8)
            half //= 2
        largest = ib.Scalar("float32", name="largest", init_value=best[0])
        other = ib.Scalar("float32", name="other")
        with ib.for_range(1, 8) as lane:
            other.set_as(best[lane])
            with ib.if_scope(other > largest):
                largest.set_as(other)
        return largest

    def one_row(self, row):
        ib = self.tik_instance
        line = ib.Tensor("float32", (self.columns,), name="line", scope=tik.scope_ubuf)
        sums = ib.Tensor("float32", (MASK,), name="sums", scope=tik.scope_ubuf)
        burst = self.columns // 8
        ib.data_move(line, self.x_gm[row * self.columns], 0, 1, burst, 0, 0)
        minus = ib.Scalar("float32", name="minus")
        minus.set_as(self.largest(line) * -1.0)
        ib.vadds(MASK, line, line, minus, REPEATS, 1, 1, 8, 8)
        ib.vexp(MASK, line, line, REPEATS, 1, 1, 8, 8)
        ib.vector_dup(MASK, sums, 0.0, 1, 1, 8)
        # dst and src0 stay in place: their repeat strides are 0.
        ib.vadd(MASK, sums, line, sums, REPEATS, 1, 1, 1, 0, 8, 0)
        ib.vcadd(MASK, sums, sums, 1, 1, 1, 8)
        total = ib.Scalar("float32", name="total")
        total.set_as(sums[0])
        ib.vector_dup(MASK, sums, total, 1, 1, 8)
        ib.vdiv(MASK, line, line, sums, REPEATS, 1, 1, 1, 8, 8, 0)
        ib.data_move(self.y_gm[row * self.columns], line, 0, 1, burst, 0, 0)

    def compute(self):
        each = self.rows // BLOCK_NUM
        with self.tik_instance.for_range(0, BLOCK_NUM, block_num=BLOCK_NUM) as block:
            with self.tik_instance.for_range(0, each) as i:
                self.one_row(block * each + i)
        self.tik_instance.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x_gm],
                                   outputs=[self.y_gm])
        return self.tik_instance


def main():
    x = np.random.default_rng(10).normal(0, 8, SHAPE).astype("float32")
    x[1, 2] = -3    # all equal
    x[2, 3] += 500  # e ** x would be infinite
    y, = Softmax(SHAPE, "softmax").compute().tikdb.start_debug({"x_gm": x}, interactive=False)
    power = np.exp(x.astype("float64") - x.max(-1, keepdims=True))
    wanted = power / power.sum(-1, keepdims=True)
    right = (np.abs(y - wanted) <= 1e-5 * wanted + 1e-12).sum()
    print(f"{right} of {y.size} elements")
    return int(right != y.size)


sys.exit(main())
