"""A convolution of bytes with conv2d and fixpipe: the output channels in pieces shared out to
blocks, the images double-buffered, a scale to float16 at the end. Exits with 1 if a number is
wrong.

    python3 -m vinci.tik --soc Ascend910A conv2d_method.py
"""

import sys

import numpy as np
from tbe import tik

IMAGES, C1, H, W, C0 = 3, 2, 10, 12, 32
KH, KW, COUT, PIECE = 3, 3, 64, 32
STRIDE, PAD, DILATION = [1, 2], [1, 2, 1, 0], [2, 1]
SCALE = 0.125
HO = (H + PAD[2] + PAD[3] - DILATION[0] * (KH - 1) - 1) // STRIDE[0] + 1
WO = (W + PAD[0] + PAD[1] - DILATION[1] * (KW - 1) - 1) // STRIDE[1] + 1
ROUND_HOWO = -(-HO * WO // 16) * 16


def one_piece(instance, tensors, piece):
    fm_gm, weight_gm, out_gm = tensors
    weight_l1 = instance.Tensor("int8", (C1, KH, KW, PIECE, C0), tik.scope_cbuf, "weight_l1")
    instance.data_move(weight_l1, weight_gm[0, 0, 0, piece * PIECE, 0], 0, C1 * KH * KW, PIECE,
                       COUT - PIECE, 0)
    with instance.for_range(0, IMAGES, thread_num=2) as image:
        fm_l1 = instance.Tensor("uint8", (C1, H, W, C0), tik.scope_cbuf, "fm_l1")
        instance.data_move(fm_l1, fm_gm[image, 0, 0, 0, 0], 0, 1, C1 * H * W, 0, 0)
        dst_l0c = instance.Tensor("int32", (PIECE // 16, ROUND_HOWO, 16), tik.scope_cbuf_out,
                                  "dst_l0c")
        instance.conv2d(dst_l0c, fm_l1, weight_l1, (C1, H, W, C0), (C1, KH, KW, PIECE, C0), STRIDE,
                        PAD, DILATION, 0)
        instance.fixpipe(out_gm[image, piece * PIECE // 16, 0, 0], dst_l0c, PIECE // 16,
                         HO * WO * 16 * 4 // 32, 0, 0, extend_params={
                             "quantize_params": {"mode": "int322fp16", "mode_param": SCALE}})


def build():
    instance = tik.Tik(disable_debug=False)
    tensors = (instance.Tensor("uint8", (IMAGES, C1, H, W, C0), tik.scope_gm, "fm_gm"),
               instance.Tensor("int8", (C1, KH, KW, COUT, C0), tik.scope_gm, "weight_gm"),
               instance.Tensor("float16", (IMAGES, COUT // 16, HO * WO, 16), tik.scope_gm, "out"))
    with instance.for_range(0, COUT // PIECE, block_num=COUT // PIECE) as piece:
        one_piece(instance, tensors, piece)
    instance.BuildCCE("conv2d_method", list(tensors[:2]), [tensors[2]])
    return instance


def expected(images, weight):
    padded = np.pad(images.astype(np.int64),
                    ((0, 0), (0, 0), PAD[2:], PAD[:2], (0, 0)))
    out = np.zeros((IMAGES, HO, WO, COUT), np.int64)
    for kh in range(KH):
        for kw in range(KW):
            y, x = kh * DILATION[0], kw * DILATION[1]
            seen = padded[:, :, y:y + (HO - 1) * STRIDE[0] + 1:STRIDE[0],
                          x:x + (WO - 1) * STRIDE[1] + 1:STRIDE[1]]
            out += np.einsum("nchwk,cok->nhwo", seen, weight[:, kh, kw].astype(np.int64))
    blocks = (out * SCALE).astype(np.float16).reshape(IMAGES, HO * WO, COUT // 16, 16)
    return blocks.transpose(0, 2, 1, 3)


def main():
    random = np.random.default_rng(5)
    images = random.integers(0, 16, (IMAGES, C1, H, W, C0)).astype(np.uint8)
    weight = random.integers(-8, 9, (C1, KH, KW, COUT, C0)).astype(np.int8)
    got, = build().tikdb.start_debug({"fm_gm": images, "weight_gm": weight}, interactive=False)
    wrong = got != expected(images, weight)
    print(f"{wrong.sum()} of {wrong.size} numbers are wrong")
    return int(wrong.any())


if __name__ == "__main__":
    sys.exit(main())
