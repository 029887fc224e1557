"""NCHW to NHWC of float16 with vnchwconv: 16 channels by 16 places at a time."""

import sys

import numpy as np
from te import tik

N, C, H, W = 4, 32, 14, 16
PLACES = H * W
TILES = PLACES // 16


def build():
    instance = tik.Tik()
    source = instance.Tensor("float16", (N, C, H, W), tik.scope_gm, "source")
    target = instance.Tensor("float16", (N, H, W, C), tik.scope_gm, "target")
    with instance.for_range(0, N, block_num=N) as n:
        image = instance.Tensor("float16", (C, PLACES), tik.scope_ubuf, "image")
        turned = instance.Tensor("float16", (PLACES, C), tik.scope_ubuf, "turned")
        instance.data_move(image, source[n, 0, 0, 0], 0, 1, C * PLACES // 16, 0, 0)
        with instance.for_range(0, C // 16) as group:
            first = group * 16
            rows = [image[first + channel, 0] for channel in range(16)]
            columns = [turned[place, first] for place in range(16)]
            instance.vnchwconv(False, False, columns, rows, TILES, C, 1)
        instance.data_move(target[n, 0, 0, 0], turned, 0, 1, C * PLACES // 16, 0, 0)
    instance.BuildCCE("permute", [source], [target])
    return instance


def main():
    source = np.random.default_rng(2).normal(0, 1, (N, C, H, W)).astype("float16")
    target, = build().tikdb.start_debug({"source": source}, interactive=False)
    wrong = (target != source.transpose(0, 2, 3, 1)).sum()
    print(f"{target.size - wrong} of {target.size} elements")
    return int(wrong != 0)


sys.exit(main())
