"""Pixels of uint8 to float16, (pixel - mean) / deviation for each of 16 channels. The length is no
multiple of a tile: the last tile is moved back, so that it overlaps the one before."""

import sys

import numpy as np
from te import tik
from te import platform as tbe_platform

CHANNELS, TILE, MASK = 16, 4096, 128
MEAN = [120.0, 116.0, 104.0, 100.0] * 4
DEVIATION = [64.0, 32.0, 128.0, 16.0] * 4


class Normalize:
    def __init__(self, pixels, kernel_name="normalize"):
        self.tik_inst = tik.Tik(tik.Dprofile(), disable_debug=False, err_msg_level=0)
        self.kernel_name = kernel_name
        self.total = pixels.get("shape")[0] * CHANNELS
        self.burst = 32 * 8 // tbe_platform.cce_intrin.get_bit_len(pixels.get("dtype"))
        self.src_gm = self.tik_inst.Tensor("uint8", pixels.get("shape"), tik.scope_gm, "src_gm")
        self.dst_gm = self.tik_inst.Tensor("float16", pixels.get("shape"), tik.scope_gm, "dst_gm")
        self.table_gm = self.tik_inst.Tensor(
            "float16", (2, CHANNELS), tik.scope_gm, "table_gm",
            init_value=[-mean for mean in MEAN] + [1 / one for one in DEVIATION])

    def table(self):
        """Both rows of the table, each over a whole repeat: a datablock copied eight times."""
        spread = self.tik_inst.Tensor("float16", (2, MASK), tik.scope_ubuf, "spread")
        with self.tik_inst.for_range(0, MASK // CHANNELS) as copy:
            self.tik_inst.data_move(spread[copy * CHANNELS], self.table_gm, 0, 2, 1, 0,
                                    MASK // CHANNELS - 1)
        return spread

    def tile(self, place, spread):
        bytes_ub = self.tik_inst.Tensor("uint8", (TILE,), tik.scope_ubuf, "bytes_ub")
        half_ub = self.tik_inst.Tensor("float16", (TILE,), tik.scope_ubuf, "half_ub")
        self.tik_inst.data_move(bytes_ub, self.src_gm[place], 0, 1, TILE // self.burst, 0, 0)
        repeats = TILE // MASK
        # Half as many bytes as halves: 4 datablocks a repeat.
        self.tik_inst.vconv(MASK, "none", half_ub, bytes_ub, repeats, 1, 1, 8, 4)
        self.tik_inst.vadd(MASK, half_ub, half_ub, spread, repeats, 1, 1, 1, 8, 8, 0)
        self.tik_inst.vmul(MASK, half_ub, half_ub, spread[1, 0], repeats, 1, 1, 1, 8, 8, 0)
        self.tik_inst.data_move(self.dst_gm[place], half_ub, 0, 1, TILE // 16, 0, 0)

    def compute(self):
        spread = self.table()
        place = self.tik_inst.Scalar("int32")
        tiles = self.tik_inst.Scalar("int32", init_value=(self.total + TILE - 1) // TILE)
        with self.tik_inst.for_range(0, tiles) as i:
            place.set_as(i * TILE)
            with self.tik_inst.if_scope(i == tiles - 1):
                place.set_as(self.total - TILE)
            with self.tik_inst.else_scope():
                pass
            self.tile(place, spread)
        self.tik_inst.BuildCCE(kernel_name=self.kernel_name, inputs=[self.src_gm],
                               outputs=[self.dst_gm], enable_l2=True)
        return self.tik_inst


def main():
    pixels = np.random.default_rng(21).integers(0, 256, (1234, CHANNELS)).astype("uint8")
    instance = Normalize({"shape": pixels.shape, "dtype": "uint8"}).compute()
    out_put = instance.tikdb.start_debug(feed_dict={"src_gm": pixels}, interactive=True)
    wanted = (pixels - np.array(MEAN)) / np.array(DEVIATION)  # all exact in float16
    right = (np.array(out_put, dtype=np.float32)[0] == wanted).sum()
    print(f"{right} of {pixels.size} values")
    return int(right != pixels.size)


sys.exit(main())
