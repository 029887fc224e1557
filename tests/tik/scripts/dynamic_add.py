"""y = x * scale + shift for a length that is known at run time only. The tiling comes in a tensor
of the flowtable, which the kernel reads into Scalars; the length also as an InputScalar."""

import sys

import numpy as np
from te import tik
from te import platform as tbe_platform

TILING_PARAMS = 8
MASK, TILE = 128, 4096  # elements of float16
CORES = 2


class Tiling:
    """What each number of the tiling tensor means."""

    def __init__(self, ib):
        names = ("core_num", "each_core", "last_core", "tile_loops", "last_loops")
        for name in names:
            setattr(self, name, ib.Scalar("int64", name=name))
        self.names = names

    def read(self, ub):
        for i, name in enumerate(self.names):
            getattr(self, name).set_as(ub[i])


def host_tiling(count):
    """The host's part: cores, elements of each, whole tiles of each."""
    each = -(-count // CORES // 16) * 16 if count >= 32 else count
    cores = -(-count // each)
    last = count - (cores - 1) * each
    return np.array([cores, each, last, each // TILE, last // TILE, 0, 0, 0], dtype="int64")


class DynamicScale:
    def __init__(self, kernel_name):
        ib = self.tik_instance = tik.Tik()
        self.kernel_name = kernel_name
        self.ub_size = tbe_platform.get_soc_spec(tbe_platform.UB_SIZE)
        self.count = ib.InputScalar(dtype="int32", name="count")
        self.scale = ib.InputScalar(dtype="float16", name="scale")
        self.x_gm = ib.Tensor("float16", (self.count,), name="x_gm", scope=tik.scope_gm)
        self.y_gm = ib.Tensor("float16", (self.count,), name="y_gm", scope=tik.scope_gm)
        self.tiling_gm = ib.Tensor("int64", (TILING_PARAMS,), name="tiling_gm",
                                   scope=tik.scope_gm)

    def core(self, begin, count, loops):
        ib = self.tik_instance
        with ib.for_range(0, loops, thread_num=2) as i:
            self.tile(begin + i * TILE, TILE, TILE // 16)
        rest = ib.Scalar("int64", name="rest", init_value=count - loops * TILE)
        with ib.if_scope(rest > 0):
            self.tile(begin + loops * TILE, rest, (rest + 15) // 16)

    def tile(self, begin, count, burst):
        ib = self.tik_instance
        x_ub = ib.Tensor("float16", (TILE,), name="x_ub", scope=tik.scope_ubuf)
        ib.data_move(x_ub, self.x_gm[begin], 0, 1, burst, 0, 0)
        repeats = ib.Scalar("int64", name="repeats", init_value=count // MASK)
        mask = ib.Scalar("int64", name="mask", init_value=count % MASK)
        with ib.if_scope(repeats > 0):
            self.scaled(MASK, x_ub, repeats)
        with ib.if_scope(mask > 0):
            self.scaled(mask, x_ub[repeats * MASK], 1)
        ib.data_move(self.y_gm[begin], x_ub, 0, 1, burst, 0, 0)

    def scaled(self, mask, ub, repeats):
        scale = self.tik_instance.Scalar("float16", name="scale_of_tile", init_value=self.scale)
        self.tik_instance.vmuls(mask, ub, ub, scale, repeats, 1, 1, 8, 8)
        self.tik_instance.vadds(mask, ub, ub, -1.5, repeats, 1, 1, 8, 8)

    def compute(self):
        ib = self.tik_instance
        tiling = Tiling(ib)
        with ib.new_stmt_scope():
            tiling_ub = ib.Tensor("int64", (TILING_PARAMS,), name="tiling_ub",
                                  scope=tik.scope_ubuf)
            ib.data_move(tiling_ub, self.tiling_gm, 0, 1, TILING_PARAMS // 4, 0, 0)
            tiling.read(tiling_ub)
        with ib.for_range(0, tiling.core_num, block_num=tiling.core_num) as index:
            with ib.if_scope(index < tiling.core_num - 1):
                self.core(index * tiling.each_core, tiling.each_core, tiling.tile_loops)
            with ib.else_scope():
                self.core(index * tiling.each_core, tiling.last_core, tiling.last_loops)
        opt_config = {"out_of_bound_sync_check": True, "enable_const_fold": True}
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x_gm], outputs=[self.y_gm],
                    flowtable=[self.tiling_gm, self.count, self.scale], config=opt_config)
        return ib


def main():
    instance = DynamicScale("dynamic_add").compute()
    random = np.random.default_rng(12)
    wrong = 0
    for count in (5, 16, 4096, 8200, 30001):
        x = random.integers(-50, 50, count).astype("float16")
        feed = {"x_gm": x, "tiling_gm": host_tiling(count), "count": count, "scale": 0.25}
        y, = instance.tikdb.start_debug(feed, interactive=False)
        right = (y == x * np.float16(0.25) - np.float16(1.5)).sum() if y.shape == x.shape else 0
        wrong += count - right
        print(f"{right} of {count} elements")
    return int(wrong != 0)


sys.exit(main())
