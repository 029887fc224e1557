"""Images of NC1HWC0 twice as wide and as high, nearest: each pixel is 16 channels, a datablock, so
strides of copies do the work; a row is stored twice."""

import sys

import numpy as np
from tbe import tik

N, C1, H, W, C0 = 2, 3, 7, 20, 16


class UpSample(object):
    def __init__(self, shape, kernel_name="upsample"):
        self.tik_instance = tik.Tik()
        self.shape, self.kernel_name = shape, kernel_name
        n, c1, h, w, c0 = shape
        self.x_gm = self.tik_instance.Tensor("float16", shape, name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_instance.Tensor("float16", (n, c1, 2 * h, 2 * w, c0), name="y_gm",
                                             scope=tik.scope_gm)

    def compute(self):
        n, c1, _, _, _ = self.shape
        images = n * c1
        with self.tik_instance.for_range(0, images, block_num=images) as image:
            self.one_image(image // c1, image % c1)
        self.tik_instance.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x_gm],
                                   outputs=[self.y_gm])
        return self.tik_instance

    def one_image(self, n, c1):
        _, _, h, w, c0 = self.shape
        ib = self.tik_instance
        with ib.for_range(0, h, thread_num=2) as row:
            x_ub = ib.Tensor("float16", (w, c0), name="x_ub", scope=tik.scope_ubuf)
            y_ub = ib.Tensor("float16", (w, 2, c0), name="y_ub", scope=tik.scope_ubuf)
            ib.data_move(x_ub, self.x_gm[n, c1, row, 0, 0], 0, 1, w, 0, 0)
            # Pixels to even places with data_move, to odd ones as 0 + x with vadds.
            ib.data_move(y_ub, x_ub, 0, w, 1, 0, 1)
            self.spread(y_ub, x_ub, w)
            with ib.for_range(0, 2) as again:
                ib.data_move(self.y_gm[n, c1, 2 * row + again, 0, 0], y_ub, 0, 1, 2 * w, 0, 0)

    def spread(self, y_ub, x_ub, pixels):
        """Eight pixels a repeat, their targets two datablocks apart."""
        repeats, rest = divmod(pixels, 8)
        if repeats:
            self.tik_instance.vadds(128, y_ub[0, 1, 0], x_ub, 0.0, repeats, 2, 1, 16, 8)
        if rest:
            done = repeats * 8
            self.tik_instance.vadds(rest * 16, y_ub[done, 1, 0], x_ub[done, 0], 0.0, 1, 2, 1, 16, 8)


def main():
    x = np.random.default_rng(15).normal(0, 1, (N, C1, H, W, C0)).astype("float16")
    y, = UpSample(x.shape).compute().tikdb.start_debug({"x_gm": x}, interactive=False)
    right = (y == x.repeat(2, axis=2).repeat(2, axis=3)).sum()
    print(f"{right} of {y.size} elements")
    return int(right != y.size)


sys.exit(main())
