"""x + y for shapes of any length: cores share the blocks of 32 bytes, tiles are double-buffered,
and the last move takes what is left. One kernel for each shape and type, as operators are built."""

import functools
import sys

import numpy as np
from te import tik
from te.platform import cce_conf

BLOCK_BYTES = 32
SIZES = {"float16": 2, "float32": 4, "int32": 4}


class VecAdd:
    """An operator as they are written: __init__ plans, compute records."""

    def __init__(self, shape, dtype, kernel_name="vec_add"):
        self.dtype, self.kernel_name = dtype, kernel_name
        self.count = functools.reduce(lambda x, y: x * y, shape)
        self.tik_instance = tik.Tik(tik.Dprofile())
        self.aicore_num = cce_conf.get_soc_spec("CORE_NUM")
        ub_bytes = cce_conf.get_soc_spec("UB_SIZE")
        self.per_block = BLOCK_BYTES // SIZES[dtype]
        self.mask = 8 * self.per_block
        # Two operands, two buffers each; few repeats, so that there are several tiles.
        self.tile = min(ub_bytes // SIZES[dtype] // 4 // self.mask, 4) * self.mask
        blocks = (self.count + self.per_block - 1) // self.per_block
        self.blocks_each = (blocks + self.aicore_num - 1) // self.aicore_num
        self.block_num = (blocks + self.blocks_each - 1) // self.blocks_each
        self.each = self.blocks_each * self.per_block
        self.last = self.count - (self.block_num - 1) * self.each
        self.x_gm = self.tik_instance.Tensor(dtype, shape, name="x_gm", scope=tik.scope_gm)
        self.y_gm = self.tik_instance.Tensor(dtype, shape, name="y_gm", scope=tik.scope_gm)
        self.z_gm = self.tik_instance.Tensor(dtype, shape, name="z_gm", scope=tik.scope_gm)

    def compute(self):
        with self.tik_instance.for_range(0, self.block_num, block_num=self.block_num) as index:
            move_offset = index * self.each
            with self.tik_instance.if_scope(index == self.block_num - 1):
                self.compute_core(move_offset, self.last)
            with self.tik_instance.else_scope():
                self.compute_core(move_offset, self.each)
        self.tik_instance.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x_gm, self.y_gm],
                                   outputs=[self.z_gm])
        return self.tik_instance

    def compute_core(self, move_offset, count):
        loops, tail = count // self.tile, count % self.tile
        if loops > 0:
            threads = 2 if loops > 1 else 1
            with self.tik_instance.for_range(0, loops, thread_num=threads) as loop:
                self.compute_tile(move_offset + loop * self.tile, self.tile)
        if tail > 0:
            self.compute_tile(move_offset + loops * self.tile, tail)

    def compute_tile(self, offset, count):
        x_ub = self.tik_instance.Tensor(self.dtype, (self.tile,), name="x_ub",
                                        scope=tik.scope_ubuf)
        y_ub = self.tik_instance.Tensor(self.dtype, (self.tile,), name="y_ub",
                                        scope=tik.scope_ubuf)
        burst_len = (count + self.per_block - 1) // self.per_block
        self.tik_instance.data_move(x_ub, self.x_gm[offset], 0, 1, burst_len, 0, 0)
        self.tik_instance.data_move(y_ub, self.y_gm[offset], 0, 1, burst_len, 0, 0)
        repeat_time, rest = count // self.mask, count % self.mask
        if repeat_time > 0:
            self.tik_instance.vadd(self.mask, x_ub, x_ub, y_ub, repeat_time, 1, 1, 1, 8, 8, 8)
        if rest > 0:
            place = repeat_time * self.mask
            self.tik_instance.vadd(rest, x_ub[place], x_ub[place], y_ub[place], 1, 1, 1, 1, 8, 8, 8)
        self.tik_instance.data_move(self.z_gm[offset], x_ub, 0, 1, burst_len, 0, 0)


def main():
    random = np.random.default_rng(7)
    wrong = 0
    for number, (shape, dtype) in enumerate((((1,), "float16"), ((33,), "float32"),
                                             ((7, 11, 13), "int32"), ((16, 16, 16, 5), "float16"),
                                             ((20011,), "float32"))):
        x, y = (random.integers(-500, 500, shape).astype(dtype) for _ in range(2))
        instance = VecAdd(shape, dtype, f"vec_add_{number}").compute()
        z, = instance.tikdb.start_debug(feed_dict={"x_gm": x, "y_gm": y})
        right = (z == x + y).sum()
        wrong += z.size - right
        print(f"{dtype} {shape}: {right} of {z.size} sums")
    return int(wrong != 0)


sys.exit(main())
