"""y = -x or |x| for a length that only the tiling knows: each mode has its own loop over blocks in its
branch, of as many blocks as it wants, and Tensors of 2147483647 elements stand for any length."""

import sys

import numpy as np
from impl.util.platform_adapter import para_check, register_operator, tbe_context, tbe_platform, tik

MAX_INT32 = 2**31 - 1
TILING_ARG_NUM = 16
MASK, TILE, BLOCK = 128, 1024, 16  # elements of float16


class Mode:
    """What the first number of the tiling may be."""

    NEGATIVE, ABSOLUTE = 1, 2


class TilingModes:
    """The operator, with its Tensors."""

    def __init__(self, kernel_name):
        self.ib = tik.Tik()
        self.cores = max(tbe_platform.get_soc_spec(tbe_platform.CORE_NUM), 2)
        self.kernel_name = kernel_name
        self.x_gm, self.y_gm = (
            self.ib.Tensor("float16", (MAX_INT32,), name=name, scope=tik.scope_gm)
            for name in ("x_gm", "y_gm"))
        self.tiling_gm = self.ib.Tensor("int64", (TILING_ARG_NUM,), name="tiling_gm",
                                        scope=tik.scope_gm)
        self.mode, self.count, self.used, self.each = (
            self.ib.Scalar("int64", name=name) for name in ("mode", "count", "used", "each"))

    def read_tiling(self):
        ib = self.ib
        with ib.new_stmt_scope():
            tiling_ub = ib.Tensor("int64", (TILING_ARG_NUM,), name="tiling_ub",
                                  scope=tik.scope_ubuf)
            ib.data_move(tiling_ub, self.tiling_gm, 0, 1, TILING_ARG_NUM * 8 // 32, 0, 0)
            for i, scalar in enumerate((self.mode, self.count, self.used, self.each)):
                scalar.set_as(tiling_ub[i])

    def compute(self):
        ib = self.ib
        self.read_tiling()
        with ib.if_scope(self.mode == Mode.NEGATIVE):
            self.blocks(self.cores, lambda mask, tile, repeats: ib.vec_muls(
                mask, tile, tile, -1.0, repeats, 8, 8))
        with ib.else_scope():
            self.blocks(self.cores // 2, lambda mask, tile, repeats: ib.vec_abs(
                mask, tile, tile, repeats, 8, 8))
        tbe_context.get_context().add_compile_info("vars", {"core_num": self.cores})
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x_gm], outputs=[self.y_gm],
                    flowtable=[self.tiling_gm],
                    config={"enable_const_fold": True, "dynamic_tik": True})
        return ib

    def blocks(self, number, apply):
        ib = self.ib
        with ib.for_range(0, number, block_num=number) as core:
            with ib.if_scope(core < self.used):
                left = ib.Scalar("int64", name="left")
                left.set_as(self.count - core * self.each)
                with ib.if_scope(left > self.each):
                    left.set_as(self.each)
                with ib.for_range(0, (left + TILE - 1) // TILE, thread_num=2) as i:
                    self.tile(core * self.each + i * TILE, left - i * TILE, apply)

    def tile(self, place, left, apply):
        ib = self.ib
        tile_ub = ib.Tensor("float16", (TILE,), name="tile_ub", scope=tik.scope_ubuf)
        length = ib.Scalar("int32", name="length", init_value=TILE)
        with ib.if_scope(left < TILE):
            length.set_as(left)
        bursts = (length + BLOCK - 1) // BLOCK
        ib.data_move(tile_ub, self.x_gm[place], 0, 1, bursts, 0, 0)
        with ib.if_scope(length >= MASK):
            apply(MASK, tile_ub, length // MASK)
        with ib.if_scope(length % MASK > 0):
            apply(length % MASK, tile_ub[length // MASK * MASK], 1)
        ib.data_move(self.y_gm[place], tile_ub, 0, 1, bursts, 0, 0)


@register_operator("TilingModes")
@para_check.check_op_params(para_check.REQUIRED_INPUT, para_check.REQUIRED_OUTPUT,
                            para_check.KERNEL_NAME)
def tiling_modes(x, y, kernel_name="tiling_modes"):
    para_check.check_dtype(x["dtype"], ("float16",), param_name="x")
    return TilingModes(kernel_name).compute()


def tiling(mode, count, cores):
    each = (-(-count // cores) + BLOCK - 1) // BLOCK * BLOCK
    numbers = np.zeros(TILING_ARG_NUM, np.int64)
    numbers[:4] = mode, count, -(-count // each), each
    return numbers


def main():
    tensor = {"shape": (-1,), "dtype": "float16", "format": "ND", "range": [(1, None)]}
    instance = tiling_modes(tensor, tensor)
    random = np.random.default_rng(8)
    wrong = 0
    for mode, count, cores in ((Mode.NEGATIVE, 5000, 2), (Mode.ABSOLUTE, 2055, 1),
                               (Mode.ABSOLUTE, 7, 1), (Mode.NEGATIVE, 1024, 2)):
        x = random.integers(-50, 50, count).astype("float16")
        feed = {"x_gm": x, "tiling_gm": tiling(mode, count, cores),
                "y_gm": np.zeros(count, np.float16)}
        y, = instance.tikdb.start_debug(feed, interactive=False)
        right = (y == (-x if mode == Mode.NEGATIVE else abs(x))).sum()
        wrong += count - right
        print(f"{right} of {count} elements")
    try:
        tiling_modes(dict(tensor, dtype="int8"), tensor)
        wrong += 1
    except RuntimeError as error:
        wrong += error.args[0]["errCode"] != "E80008"
    return int(wrong != 0)


sys.exit(main())
