"""S-shaped ReLU: three straight pieces, put together by masks. vec_sel has mode 0 only on the chips
that this is for, so each repeat has bits of its own, in a Tensor."""

import sys

import numpy as np
from te import tik
from te.lang.cce import vadds  # as operators do that have a second implementation
from topi.cce import util

LANES = 128
LEFT, RIGHT, SLOPE_LEFT, SLOPE_RIGHT = -3.0, 5.0, 0.5, 0.25


def s_relu(x, y, kernel_name="s_relu"):
    util.check_shape_rule(x["shape"])
    util.check_kernel_name(kernel_name)
    product = "mini" if util.get_product_version() == util.VERSION_MINI else "cloud"
    ib = tik.Tik(tik.Dprofile("v100", product))
    total = int(np.prod(x["shape"]))
    repeats, tail = total // LANES, total % LANES
    room = -(-total // LANES) * LANES
    x_gm = ib.Tensor("float16", x["shape"], name="x_gm", scope=tik.scope_gm)
    y_gm = ib.Tensor("float16", x["shape"], name="y_gm", scope=tik.scope_gm)
    x_ub = ib.Tensor("float16", (room,), name="x_ub", scope=tik.scope_ubuf)
    line = ib.Tensor("float16", (LANES,), name="line", scope=tik.scope_ubuf)
    bound = ib.Tensor("float16", (LANES,), name="bound", scope=tik.scope_ubuf)
    bits = ib.Tensor("uint8", (32,), name="bits", scope=tik.scope_ubuf)
    ib.data_move(x_ub, x_gm, 0, 1, (total + 15) // 16, 0, 0, 0)

    def piece(part, mask, edge, slope, compare):
        """Where the comparison holds, edge + slope * (part - edge) comes into part."""
        ib.vec_dup(LANES, bound, edge, 1, 8)
        compare(bits, part, bound, 1, 8, 8)
        ib.vec_adds(mask, line, part, -edge, 1, 8, 8)
        ib.vec_muls(mask, line, line, slope, 1, 8, 8)
        ib.vec_adds(mask, line, line, edge, 1, 8, 8)
        ib.vec_sel(mask, 0, part, bits, line, part, 1, 8, 8, 8)

    def one(part, mask):
        piece(part, mask, LEFT, SLOPE_LEFT, ib.vec_cmpv_lt)
        piece(part, mask, RIGHT, SLOPE_RIGHT, ib.vec_cmpv_gt)

    with ib.for_range(0, repeats) as i:
        one(x_ub[i * LANES], LANES)
    if tail:
        one(x_ub[repeats * LANES], tail)
    ib.data_move(y_gm, x_ub, 0, 1, (total + 15) // 16, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[x_gm], outputs=[y_gm])
    return ib


def main():
    wrong = 0
    for shape in ((128,), (3, 256), (7, 45)):
        x = np.random.default_rng(31).integers(-40, 40, shape).astype("float16") / np.float16(2)
        given = {"shape": shape, "dtype": "float16"}
        y, = s_relu(given, given).tikdb.start_debug({"x_gm": x}, interactive=False)
        wanted = np.where(x < LEFT, LEFT + SLOPE_LEFT * (x - LEFT), x)
        wanted = np.where(x > RIGHT, RIGHT + SLOPE_RIGHT * (x - RIGHT), wanted)
        right = (y == wanted.astype("float16")).sum()
        print(f"{right} of {x.size} elements")
        wrong += x.size - right
    return int(wrong != 0)


sys.exit(main())
