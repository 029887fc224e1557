"""Leaky ReLU and ReLU6 of float16, chosen by an argument of the operator."""

import sys

import numpy as np
from tbe import tik
from tbe.common.platform import get_soc_spec, set_current_compile_soc_info

COUNT, TILE = 10000, 2048
NEGATIVE_SLOPE = 0.125
MASK = 128


class Activation:
    def __init__(self, count, mode, kernel_name="activation"):
        # What many scripts do: read the chip, set it again.
        set_current_compile_soc_info(get_soc_spec("SOC_VERSION"))
        self.tik_instance = tik.Tik(tik.Dprofile(), disable_debug=False)
        self.mode, self.kernel_name = mode, kernel_name
        self.tiles, self.tail = divmod(count, TILE)
        self.ub_size = tik.Dprofile().get_unified_buffer_size()
        if 2 * 2 * 3 * TILE > self.ub_size:
            raise RuntimeError("the tile is too large")
        self.input_gm = self.tik_instance.Tensor("float16", (count,), tik.scope_gm, "input_gm")
        self.output_gm = self.tik_instance.Tensor("float16", (count,), tik.scope_gm, "output_gm")

    def apply(self, target, source, other, mask, repeats):
        if self.mode == "leaky_relu":
            self.tik_instance.vmuls(mask, other, source, NEGATIVE_SLOPE, repeats, 1, 1, 8, 8)
            self.tik_instance.vmax(mask, target, source, other, repeats, 1, 1, 1, 8, 8, 8)
            return
        self.tik_instance.vector_dup(MASK, other, 6.0, 1, 1, 8)
        self.tik_instance.vrelu(mask, target, source, repeats, 1, 1, 8, 8)
        # The sixes are one repeat, used again and again: its repeat stride is 0.
        self.tik_instance.vmin(mask, target, target, other, repeats, 1, 1, 1, 8, 8, 0)

    def tile(self, offset, count):
        source = self.tik_instance.Tensor("float16", (TILE,), tik.scope_ubuf, "source")
        target = self.tik_instance.Tensor("float16", (TILE,), tik.scope_ubuf, "target")
        other = self.tik_instance.Tensor("float16", (TILE,), tik.scope_ubuf, "other")
        burst = (count + 15) // 16
        self.tik_instance.data_move(source, self.input_gm[offset], 0, 1, burst, 0, 0)
        if count // MASK:
            self.apply(target, source, other, MASK, count // MASK)
        if count % MASK:
            done = count // MASK * MASK
            self.apply(target[done], source[done], other[done], count % MASK, 1)
        self.tik_instance.data_move(self.output_gm[offset], target, 0, 1, burst, 0, 0)

    def compute(self):
        with self.tik_instance.for_range(0, self.tiles, thread_num=2) as i:
            self.tile(i * TILE, TILE)
        with self.tik_instance.if_scope(self.tail > 0):
            self.tile(self.tiles * TILE, self.tail)
        self.tik_instance.BuildCCE(self.kernel_name, [self.input_gm], [self.output_gm])
        return self.tik_instance


def main():
    x = np.random.default_rng(8).normal(0, 6, COUNT).astype("float16")
    wanted = {"leaky_relu": np.maximum(x, x * np.float16(NEGATIVE_SLOPE)),
              "relu6": np.clip(x, 0, 6)}
    wrong = 0
    for mode, expected in wanted.items():
        instance = Activation(COUNT, mode, kernel_name=mode).compute()
        result, = instance.tikdb.start_debug({"input_gm": x}, interactive=True)
        right = (result == expected).sum()
        wrong += COUNT - right
        print(f"{mode}: {right} of {COUNT}")
    return int(wrong != 0)


sys.exit(main())
