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


def layer_norm(x, gamma, beta, epsilon=1e-5):
    """Of each row: the normalized numbers, the mean, 1 / sqrt(variance + epsilon); in double."""
    x = x.astype(np.float64)
    mean, rstd = x.mean(1), 1 / np.sqrt(x.var(1) + epsilon)
    return (x - mean[:, None]) * rstd[:, None] * gamma + beta, mean, rstd


def softmax(scores):
    """Along the last axis, in double."""
    power = np.exp(scores.astype(np.float64) - scores.max(-1, keepdims=True))
    return power / power.sum(-1, keepdims=True)


def route(scores, chosen, divided):
    """Shares of the experts of each token, the best first, of equals the first, divided by their sum
    or not; which these are; who gets how many tokens."""
    experts = np.argsort(-scores.astype(np.float64), axis=1, kind="stable")[:, :chosen]
    weights = np.take_along_axis(softmax(scores), experts, 1)
    counts = np.bincount(experts.ravel(), minlength=scores.shape[1])
    if divided:
        weights /= weights.sum(1, keepdims=True)
    return weights, experts.astype(np.int32), counts.astype(np.int32)


def grouped_multiply(x, w, scales, offsets):
    """Rows offsets[g] to offsets[g + 1] of x times w[g], each column with its scale, of which 13 low
    bits are cut; in double."""
    cut = (scales.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)
    return np.concatenate([multiply(x[begin:end], w[g]) * cut[g]
                           for g, (begin, end) in enumerate(zip(offsets, offsets[1:]))])


def attention(q, k, v):
    """Causal attention of [heads, length, width] in double, and how far halves may be from it: each
    weight is rounded once, and so is the result (2^-11 each); a tenth more for sums of floats."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
    weights = softmax(np.where(np.tri(q.shape[1], dtype=bool), scores, -np.inf))
    out = weights @ v
    tiny = 2.0**-25 * (1 + np.cumsum(np.abs(v), axis=1))  # where half has fewer bits
    return out, 1.1 * 2.0**-11 * (weights @ np.abs(v) + np.abs(out)) + tiny
