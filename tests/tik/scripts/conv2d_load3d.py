"""A convolution by hand: load3dv1 makes the columns of the image in L0A, load2dv1 or load2dv2
brings the filters to L0B, mmad multiplies, data_move takes L0C to UB and converts. Blocks share out
the images. Exits with 1 if a number is wrong.

    python3 -m vinci.tik --soc Ascend310P3 conv2d_load3d.py
"""

import sys

import numpy as np
from te import tik
from te.platform.cce_conf import api_check_support

IMAGES, C1, H, W, C0 = 4, 2, 14, 13, 16
KH, KW, COUT = 3, 2, 32
STRIDE_H, STRIDE_W = 2, 1
LEFT, RIGHT, TOP, BOTTOM = 1, 0, 2, 1
HO = (H + TOP + BOTTOM - KH) // STRIDE_H + 1
WO = (W + LEFT + RIGHT - KW) // STRIDE_W + 1
POINTS = C1 * KH * KW
ROWS = -(-HO * WO // 16)  # row blocks of 16 windows
F32_TO_F16_RELU = 2


def load_filters(instance, b_l0b, weight_l1):
    count = POINTS * COUT // 16
    if api_check_support("tik.load2dv2"):
        instance.load2dv2(b_l0b, weight_l1, 0, count, 0, 1, 0)
    else:
        instance.load2dv1(b_l0b, weight_l1, 0, count, 1, 0)


def one_image(instance, tensors, image):
    image_gm, weight_gm, out_gm = tensors
    fm_l1 = instance.Tensor("float16", (C1, H, W, C0), tik.scope_cbuf, "fm_l1")
    weight_l1 = instance.Tensor("float16", (C1, KH, KW, COUT, C0), tik.scope_cbuf, "weight_l1")
    instance.data_move(fm_l1, image_gm[image, 0, 0, 0, 0], 0, 1, C1 * H * W, 0, 0)
    instance.data_move(weight_l1, weight_gm, 0, 1, POINTS * COUT, 0, 0)
    a_l0a = instance.Tensor("float16", (ROWS, POINTS, 16, C0), tik.scope_ca, "a_l0a")
    b_l0b = instance.Tensor("float16", (POINTS, COUT // 16, 16, C0), tik.scope_cb, "b_l0b")
    load_filters(instance, b_l0b, weight_l1)
    with instance.for_range(0, ROWS) as row:
        instance.load3dv1(a_l0a[row, 0, 0, 0], fm_l1, [LEFT, RIGHT, TOP, BOTTOM], H, W, 0, 0, 0,
                          row * 16 % WO * STRIDE_W - LEFT, row * 16 // WO * STRIDE_H - TOP,
                          STRIDE_W, STRIDE_H, KW, KH, 1, 1, 1, 0, POINTS)
    c_l0c = instance.Tensor("float32", (COUT // 16, ROWS * 16, 16), tik.scope_cc, "c_l0c")
    instance.mmad(c_l0c, a_l0a, b_l0b, ROWS * 16, POINTS * C0, COUT, 0)
    c_ub = instance.Tensor("float16", (COUT // 16, ROWS * 16, 16), tik.scope_ubuf, "c_ub")
    instance.data_move(c_ub, c_l0c, 0, 1, COUT // 16 * ROWS, 0, 0, F32_TO_F16_RELU)
    # The rows behind the last window stay here.
    instance.data_move(out_gm[image, 0, 0, 0], c_ub, 0, COUT // 16, HO * WO, ROWS * 16 - HO * WO, 0)


def build():
    instance = tik.Tik(disable_debug=False)
    tensors = (instance.Tensor("float16", (IMAGES, C1, H, W, C0), tik.scope_gm, "image_gm"),
               instance.Tensor("float16", (C1, KH, KW, COUT, C0), tik.scope_gm, "weight_gm"),
               instance.Tensor("float16", (IMAGES, COUT // 16, HO * WO, 16), tik.scope_gm, "out"))
    with instance.for_range(0, IMAGES, block_num=IMAGES) as image:
        one_image(instance, tensors, image)
    instance.BuildCCE("conv2d_load3d", list(tensors[:2]), [tensors[2]])
    return instance


def expected(images, weight):
    padded = np.pad(images.astype(np.float32),
                    ((0, 0), (0, 0), (TOP, BOTTOM), (LEFT, RIGHT), (0, 0)))
    out = np.zeros((IMAGES, HO, WO, COUT), np.float32)
    for kh in range(KH):
        for kw in range(KW):
            seen = padded[:, :, kh:kh + HO * STRIDE_H:STRIDE_H, kw:kw + WO * STRIDE_W:STRIDE_W]
            out += np.einsum("nchwk,cok->nhwo", seen, weight[:, kh, kw].astype(np.float32))
    blocks = np.maximum(out, 0).astype(np.float16).reshape(IMAGES, HO * WO, COUT // 16, 16)
    return blocks.transpose(0, 2, 1, 3)


def main():
    random = np.random.default_rng(5)
    images = random.integers(-4, 5, (IMAGES, C1, H, W, C0)).astype(np.float16)
    weight = random.integers(-4, 5, (C1, KH, KW, COUT, C0)).astype(np.float16)
    got, = build().tikdb.start_debug({"image_gm": images, "weight_gm": weight}, interactive=False)
    wrong = got != expected(images, weight)
    print(f"{wrong.sum()} of {wrong.size} numbers are wrong")
    return int(wrong.any())


if __name__ == "__main__":
    sys.exit(main())
