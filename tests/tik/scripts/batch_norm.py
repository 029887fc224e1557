"""Normalised channels, whose twelve scales and twelve shifts come as InputScalars: 24 of them."""

import sys

import numpy as np
from te import tik
from te.platform.fusion_manager import fusion_manager

CHANNELS, LANES = 12, 64


@fusion_manager.register("batch_norm_of_numbers")
def batch_norm(count, kernel_name="batch_norm"):
    ib = tik.Tik()
    room = -(-count // LANES) * LANES
    x = ib.Tensor("float32", (CHANNELS, count), name="x", scope=tik.scope_gm)
    y = ib.Tensor("float32", (CHANNELS, count), name="y", scope=tik.scope_gm)
    scales = [ib.InputScalar("float32", name=f"scale{i}") for i in range(CHANNELS)]
    shifts = [ib.InputScalar("float32", name=f"shift{i}") for i in range(CHANNELS)]
    for channel in range(CHANNELS):
        with ib.new_stmt_scope():
            line = ib.Tensor("float32", (room,), name=f"line{channel}", scope=tik.scope_ubuf)
            scale = ib.Scalar("float32", init_value=scales[channel])
            shift = ib.Scalar("float32", init_value=shifts[channel])
            ib.data_move(line, x[channel, 0], 0, 1, count // 8, 0, 0)
            ib.vmuls(LANES, line, line, scale, room // LANES, 1, 1, 8, 8)
            ib.vadds(LANES, line, line, shift, room // LANES, 1, 1, 8, 8)
            ib.data_move(y[channel, 0], line, 0, 1, count // 8, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[x, *scales, *shifts], outputs=[y])
    return ib


def main():
    wrong, random = 0, np.random.default_rng(36)
    for count in (64, 256, 200):
        x = random.integers(-99, 99, (CHANNELS, count)).astype("float32")
        scales, shifts = random.integers(-8, 8, (2, CHANNELS)) / 4
        feed = {"x": x, **{f"scale{i}": float(one) for i, one in enumerate(scales)},
                **{f"shift{i}": float(one) for i, one in enumerate(shifts)}}
        y, = batch_norm(count).tikdb.start_debug(feed, interactive=False)
        right = (y == x * scales[:, None] + shifts[:, None]).sum()
        wrong += x.size - right
        print(f"{right} of {x.size} elements")
    return int(wrong != 0)


sys.exit(main())
