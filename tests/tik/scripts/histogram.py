"""How often each value of 0 to 255 is in an image: counts in UB, by Scalars; a part for each core
in a workspace, which the cores then add up, each its own range of values."""

import sys

import numpy as np
from tbe import tik
from tbe.common.utils import para_check

BINS = 256


class Histogram:
    def __init__(self, count, bins, kernel_name):
        para_check.check_shape((count,), min_size=32)
        para_check.check_dtype("uint8", ("uint8",))
        ib = self.tik_instance = tik.Tik()
        self.count, self.bins, self.kernel_name = count, bins, kernel_name
        self.cores = min(2, tik.Dprofile().get_aicore_num())
        self.each = -(-count // self.cores // 32) * 32
        self.image = ib.Tensor("uint8", (count,), name="image", scope=tik.scope_gm)
        self.counts = ib.Tensor("int32", (bins,), name="counts", scope=tik.scope_gm)
        self.parts = ib.Tensor("int32", (self.cores, bins), name="parts", scope=tik.scope_gm,
                               is_workspace=True)
        self.sync = ib.Tensor("int64", (self.cores * 4,), name="sync", scope=tik.scope_gm,
                              is_workspace=True)

    def part(self, core):
        ib = self.tik_instance
        pixels = ib.Tensor("uint8", (self.each,), name="pixels", scope=tik.scope_ubuf)
        part = ib.Tensor("int32", (self.bins,), name="part", scope=tik.scope_ubuf)
        ib.vector_dup(64, part, 0, self.bins // 64, 1, 8)
        length = ib.Scalar("int32", name="length", init_value=self.each)
        with ib.if_scope(core == self.cores - 1):
            length.set_as(self.count - core * self.each)
        ib.data_move(pixels, self.image[core * self.each], 0, 1, (length + 31) // 32, 0, 0)
        pixel = ib.Scalar("uint8", name="pixel")
        number = ib.Scalar("int32", name="number")
        with ib.for_range(0, length) as i:
            pixel.set_as(pixels[i])
            number.set_as(part[pixel])
            part[pixel].set_as(number + 1)
        ib.data_move(self.parts[core, 0], part, 0, 1, self.bins // 8, 0, 0)

    def total(self, core):
        """Adds the parts of one core's range of values."""
        ib = self.tik_instance
        width = self.bins // self.cores
        rows = ib.Tensor("int32", (self.cores, width), name="rows", scope=tik.scope_ubuf)
        ib.data_move(rows, self.parts[0, core * width], 0, self.cores, width // 8,
                     (self.bins - width) // 8, 0)
        with ib.for_range(1, self.cores) as row:
            ib.vec_add(64, rows, rows, rows[row, 0], width // 64, 8, 8, 8)
        ib.data_move(self.counts[core * width], rows, 0, 1, width // 8, 0, 0)

    def compute(self):
        ib = self.tik_instance
        with ib.for_range(0, self.cores, block_num=self.cores) as core:
            with ib.new_stmt_scope():
                self.part(core)
            ib.block_barrier(self.sync)
            self.total(core)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=(self.image,), outputs=(self.counts,))
        return ib


@para_check.check_op_params(para_check.REQUIRED_INPUT, para_check.REQUIRED_OUTPUT,
                            para_check.KERNEL_NAME)
def histogram(image, counts, kernel_name="histogram"):
    return Histogram(image.get("shape")[0], counts.get("shape")[0], kernel_name).compute()


def main():
    image = np.random.default_rng(20).normal(128, 40, 5003).clip(0, 255).astype("uint8")
    instance = histogram({"shape": image.shape, "dtype": "uint8"},
                         {"shape": (BINS,), "dtype": "int32"})
    counts, = instance.tikdb.start_debug({"image": image}, interactive=False)
    right = (counts == np.bincount(image, minlength=BINS)).sum()
    print(f"{right} of {BINS} counts")
    return int(right != BINS)


sys.exit(main())
