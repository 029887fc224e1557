"""What the examples compute, in numpy from the definitions: for run.py and for the tests."""

import numpy as np


def convolve(image, weights, pad, stride=1, dilation=1):
    """Direct convolution in double: image [H, W, Cin], weights [Kh, Kw, Cout, Cin]."""
    kh, kw = weights.shape[:2]
    padded = np.pad(image.astype(np.float64), ((pad, pad), (pad, pad), (0, 0)))
    ho = (padded.shape[0] - dilation * (kh - 1) - 1) // stride + 1
    wo = (padded.shape[1] - dilation * (kw - 1) - 1) // stride + 1
    result = np.zeros((ho, wo, weights.shape[2]))
    for i in range(kh):
        for j in range(kw):
            y, x = i * dilation, j * dilation
            window = padded[y:y + stride * ho:stride, x:x + stride * wo:stride]
            result += window @ weights[i, j].T.astype(np.float64)
    return result


def multiply(a, b):
    """A matrix product in double."""
    return a.astype(np.float64) @ b.astype(np.float64)


def padded(matrix, multiple=16):
    """Columns of zeros up to the next multiple."""
    return np.pad(matrix, ((0, 0), (0, -matrix.shape[1] % multiple)))


def in_groups(channels_last, group=32):
    """[..., C] as [C / group, ..., group]: NC1HWC0 of one image, or a convolution's weights."""
    parts = channels_last.reshape(*channels_last.shape[:-1], -1, group)
    return np.ascontiguousarray(np.moveaxis(parts, -2, 0))


def scale_words(scales, offset=0):
    """Fixpipe's words for signed 8-bit results: scale, offset from bit 37 on, sign in bit 46."""
    bits = scales.astype(np.float32).view(np.uint32).astype(np.uint64)
    return bits | np.uint64((offset & 0x1FF) << 37 | 1 << 46)


def requantize(sums, scales, offset=0):
    """int32 sums [..., C] to int8, each channel with its scale; 13 low bits of those are cut."""
    cut = (scales.astype(np.float32).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    scaled = np.clip(sums.astype(np.float32) * cut, -256, 255)
    return np.clip(np.rint(scaled) + offset, -128, 127).astype(np.int8)
