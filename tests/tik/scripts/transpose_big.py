"""A matrix too large for UB, transposed in squares of 16 x 16: strides of data_move gather squares,
vec_trans turns them, strides store them."""

import sys

import numpy as np
from tbe import tik

ROWS, COLUMNS = 256, 1040
BLOCK_NUM = 4
SIDE = 16


class Transpose:
    def __init__(self, shape, dtype, kernel_name="transpose_big"):
        self.tik_instance = tik.Tik()
        self.rows, self.columns = shape
        self.dtype, self.kernel_name = dtype, kernel_name
        if self.rows * self.columns * 2 <= tik.Dprofile().get_unified_buffer_size():
            raise RuntimeError("this would be simpler in one go")
        self.down, self.across = self.rows // SIDE, self.columns // SIDE
        self.x = self.tik_instance.Tensor(dtype, (self.rows, self.columns), tik.scope_gm, "x")
        self.y = self.tik_instance.Tensor(dtype, (self.columns, self.rows), tik.scope_gm, "y")

    def strip(self, row):
        """16 rows: as many squares as fit across."""
        ib = self.tik_instance
        squares = ib.Tensor(self.dtype, (self.across, SIDE, SIDE), tik.scope_ubuf, "squares")
        turned = ib.Tensor(self.dtype, (self.across, SIDE, SIDE), tik.scope_ubuf, "turned")
        with ib.for_range(0, self.across) as square:
            ib.data_move(squares[square, 0, 0], self.x[row * SIDE, square * SIDE], 0, SIDE, 1,
                         self.across - 1, 0)
        ib.vec_trans(turned, squares, self.across, 1, 1)
        # Each row of what is turned is a block of 32 bytes; all rows of the strip at once.
        ib.data_move(self.y[0, row * SIDE], turned, 0, self.columns, 1, 0, self.down - 1)

    def compute(self):
        ib = self.tik_instance
        each = self.down // BLOCK_NUM
        with ib.for_range(0, BLOCK_NUM, block_num=BLOCK_NUM) as block:
            with ib.for_range(0, each, thread_num=2) as i:
                self.strip(block * each + i)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x], outputs=[self.y])
        return ib


def main():
    wrong = 0
    for dtype in ("float16", "uint16", "int16"):
        x = np.random.default_rng(17).integers(0, 2000, (ROWS, COLUMNS)).astype(dtype)
        instance = Transpose(x.shape, dtype, f"transpose_{dtype}").compute()
        y, = instance.tikdb.start_debug({"x": x}, interactive=False)
        right = (y == x.T).sum()
        wrong += y.size - right
        print(f"{dtype}: {right} of {y.size} elements")
    return int(wrong != 0)


sys.exit(main())
