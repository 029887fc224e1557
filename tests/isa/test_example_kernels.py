"""The whole kernels of examples/ on sizes that no tile divides, with one block and with several.

What is expected comes from examples/reference.py: numpy, from the definitions. Integers are exact.
"""

import numpy as np
import pytest

from cases import rng_for
from harness import ROOT, Out, check_clean, run_kernel
from reference import (convolve, grouped_multiply, in_groups, layer_norm, multiply, padded,
                       requantize, route, scale_words)

EXAMPLES = ROOT / "examples"
# m, n, k: single elements, whole tiles, tails on each side, more than one tile on each side.
SIZES = [(1, 1, 1), (1, 64, 17), (16, 16, 16), (33, 17, 70), (64, 65, 64), (129, 8, 200),
         (100, 130, 129), (128, 128, 256), (130, 257, 300)]
BLOCKS = [1, 3]


def integers(rng, shape, dtype, most=9):
    return rng.integers(-most, most + 1, shape).astype(dtype)


def run_example(name, *parameters, soc="Ascend910B1", blocks=1, kernel=None):
    """The outputs of a kernel that must be clean; if there is one, it alone."""
    run = run_kernel(EXAMPLES / name / f"{name}.cpp", *parameters, soc=soc, blocks=blocks,
                     kernel=kernel or name)
    check_clean(run)
    return run.outputs if len(run.outputs) > 1 else run.outputs[0]


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_gemm(m, n, k, blocks):
    rng = rng_for("gemm", m, n, k)
    a, b = integers(rng, (m, k), np.float16), integers(rng, (k, n), np.float16)
    c = run_example("gemm", a, b, Out("float", m, n), np.array([m, n, k], np.int32), blocks=blocks)
    assert (c == multiply(a, b)).all()


@pytest.mark.parametrize("dtype, kernel, most", [("float", "gemm_310p", 9),
                                                 ("half", "gemm_310p_half", 2)])
@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_gemm_310p(m, n, k, blocks, dtype, kernel, most):
    rng = rng_for(kernel, m, n, k)
    a, b = integers(rng, (m, k), np.float16, most), integers(rng, (k, n), np.float16, most)
    wide_a, wide_b = padded(a), padded(b)
    wide_a[:, k:] = np.nan  # does not matter
    c = run_example("gemm_310p", wide_a, wide_b, Out(dtype, m, wide_b.shape[1]),
                    np.array([m, n, k], np.int32), soc="Ascend310P3", blocks=blocks, kernel=kernel)
    assert (c == multiply(a, wide_b)).all()


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_gemm_int8_transposed(m, n, k, blocks):
    rng = rng_for("gemm_int8", m, n, k)
    a, b = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ((m, k), (k, n)))
    c = run_example("gemm_int8_transposed", a, b, Out("int32", m, n),
                    np.array([m, n, k], np.int32), blocks=blocks)
    assert (c == multiply(a, b)).all()


def gemm_float_bias(a, b, bias, blocks):
    (m, k), n = a.shape, b.shape[1]
    return run_example("gemm_float_bias", a, b, bias, Out("float", m, n),
                       np.array([m, n, k], np.int32), blocks=blocks)


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("m, n, k", SIZES)
def test_gemm_float_bias(m, n, k, blocks):
    rng = rng_for("gemm_float_bias", m, n, k)
    a, b, bias = (integers(rng, shape, np.float32) for shape in ((m, k), (k, n), (n,)))
    assert (gemm_float_bias(a, b, bias, blocks) == multiply(a, b) + bias).all()


def test_gemm_float_bias_rounds():
    """k + 1 roundings, each of half an ulp of a partial sum of positive numbers."""
    rng = rng_for("gemm_float_bias_rounds")
    a, b, bias = (rng.random(shape, np.float32) for shape in ((50, 300), (300, 70), (70,)))
    want = multiply(a, b) + bias
    got = gemm_float_bias(a, b, bias, 2)
    assert (np.abs(got - want) <= 301 * 2.0**-24 * want).all()
    assert (got != want).any()


# image h, w, channels; filters; kh, kw, stride, pad
CONVOLUTIONS = [(1, 1, 32, 32, 1, 1, 1, 0), (4, 4, 32, 32, 3, 3, 1, 1), (5, 7, 64, 32, 2, 3, 1, 1),
                (20, 19, 32, 64, 3, 3, 1, 1), (33, 16, 64, 96, 3, 3, 2, 1),
                (17, 45, 32, 160, 1, 1, 1, 0), (9, 13, 96, 32, 5, 4, 3, 3),
                (24, 40, 32, 32, 7, 7, 2, 3), (70, 11, 32, 32, 3, 1, 4, 0)]


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("h, w, channels, filters, kh, kw, stride, pad", CONVOLUTIONS)
def test_conv_int8(h, w, channels, filters, kh, kw, stride, pad, blocks):
    rng = rng_for("conv_int8", h, w, channels, filters, kh, kw, stride, pad)
    image = rng.integers(-128, 128, (h, w, channels)).astype(np.int8)
    weights = rng.integers(-128, 128, (kh, kw, filters, channels)).astype(np.int8)
    # Sums of about 5500 * sqrt(K): most results are inside int8, some at its ends.
    spread = 5500 * np.sqrt(kh * kw * channels)
    scales = (rng.uniform(20, 100, filters) / spread).astype(np.float32)
    want = requantize(convolve(image, weights, pad, stride), scales, offset=5)
    sizes = np.array([channels // 32, h, w, filters, kh, kw, stride, pad], np.int32)
    got = run_example("conv_int8", in_groups(image), in_groups(weights),
                      scale_words(scales, offset=5),
                      Out("int8", filters // 32, *want.shape[:2], 32), sizes, blocks=blocks)
    assert (got == in_groups(want)).all()
    assert want.min() < 0 < want.max()


# Chips that have the operator, and a kernel for each pair of types.
OPERATOR_CHIPS = ["Ascend910A", "Ascend310P3"]
OPERATORS = [("conv2d_half", np.float16, "float"), ("conv2d_int8", np.int8, "int32")]


@pytest.mark.parametrize("soc", OPERATOR_CHIPS)
@pytest.mark.parametrize("kernel, dtype, result", OPERATORS)
@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("h, w, groups, filters, kh, kw, stride, pad",
                         [(1, 1, 1, 16, 1, 1, 1, 0), (9, 7, 1, 16, 3, 3, 1, 1),
                          (30, 37, 2, 32, 3, 3, 2, 1), (17, 40, 4, 64, 2, 3, 1, 1),
                          (40, 11, 3, 32, 5, 4, 3, 3)])
def test_conv2d(h, w, groups, filters, kh, kw, stride, pad, blocks, kernel, dtype, result, soc):
    rng = rng_for(kernel, h, w, groups, filters, kh, kw, stride, pad)
    c0 = 32 // np.dtype(dtype).itemsize
    # Exact in float: sums of at most 1,280 products of up to 100.
    image = rng.integers(-10, 11, (h, w, groups * c0)).astype(dtype)
    weights = rng.integers(-10, 11, (kh, kw, filters, groups * c0)).astype(dtype)
    want = in_groups(convolve(image, weights, pad, stride), 16)
    sizes = np.array([groups, h, w, filters, kh, kw, stride, pad], np.int32)
    got = run_example("conv2d", in_groups(image, c0), in_groups(weights, c0),
                      Out(result, *want.shape), sizes, kernel=kernel, soc=soc, blocks=blocks)
    assert (got == want).all()
    assert want.any()


@pytest.mark.parametrize("soc", ["Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"])
@pytest.mark.parametrize("count, blocks", [(16, 1), (2048, 3), (2064, 2), (16384, 4)])
def test_sigmoid(count, blocks, soc):
    x = rng_for("sigmoid", count).normal(0, 4, count).astype(np.float16)
    y = run_example("sigmoid", x, Out("half", count), np.array([count], np.uint32), soc=soc,
                    blocks=blocks)
    exact = 1 / (1 + np.exp(-x.astype(np.float64)))
    assert (np.abs(y - exact) <= np.spacing(exact.astype(np.float16)) * 0.51).all()


@pytest.mark.parametrize("offset", [0, 1000])
@pytest.mark.parametrize("rows, length, blocks", [(1, 1, 1), (2, 15, 3), (3, 1024, 1), (2, 1025, 2),
                                                  (5, 2040, 2), (7, 5000, 3), (1, 20000, 1)])
def test_layer_norm(rows, length, blocks, offset):
    """Also far from 0, where nothing is left of a mean of squares less the square of the mean."""
    rng = rng_for("layer_norm", rows, length, offset)
    x = (offset + rng.normal(0, 4, (rows, length))).astype(np.float16)
    gamma, beta = (rng.normal(mean, 0.5, length).astype(np.float32) for mean in (1, 0))
    got, mean, rstd = run_example("layer_norm", x, gamma, beta, Out("half", rows, length),
                                  Out("float", rows), Out("float", rows),
                                  np.array([rows, length], np.uint32), blocks=blocks)
    want, want_mean, want_rstd = layer_norm(x, gamma, beta)
    few = 4 * np.spacing(np.float32(offset + 20))  # ulps of x, which the mean may be off
    np.testing.assert_allclose(mean, want_mean, rtol=0, atol=few)
    np.testing.assert_allclose(rstd, want_rstd, rtol=1e-5)
    # Half an ulp of half, and what floats lose.
    lost = np.abs(gamma) * want_rstd[:, None] * few + 1e-6
    assert (np.abs(got - want) <= np.spacing(np.abs(want).astype(np.float16)) * 0.51 + lost).all()


@pytest.mark.parametrize("tokens, blocks", [(1, 1), (3, 2), (64, 1), (65, 2), (200, 3), (1000, 8)])
@pytest.mark.parametrize("divided", [False, True])
def test_moe_routing(tokens, blocks, divided):
    """Scores in steps of 1/8, so that many are equal."""
    rng = rng_for("moe_routing", tokens)
    scores = (np.rint(rng.normal(0, 2, (tokens, 64)) * 8) / 8).astype(np.float16)
    weights, experts, counts = run_example(
        "moe_routing", scores, Out("float", tokens, 8), Out("int32", tokens, 8), Out("int32", 64),
        np.array([tokens, divided], np.uint32), blocks=blocks)
    want_weights, want_experts, want_counts = route(scores, 8, divided)
    assert (experts == want_experts).all()
    assert (counts == want_counts).all()
    assert counts.sum() == tokens * 8
    np.testing.assert_allclose(weights, want_weights, rtol=2e-6)


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("rows, k, n", [([1], 32, 16), ([0, 3, 0, 0, 130, 0], 70, 144),
                                        ([128, 128], 128, 128), ([5, 300, 1], 300, 272)])
def test_grouped_matmul(rows, k, n, blocks):
    rng = rng_for("grouped_matmul", *rows, k, n)
    offsets = np.concatenate([[0], np.cumsum(rows)]).astype(np.int32)
    x = rng.integers(-128, 128, (offsets[-1], k)).astype(np.int8)
    w = rng.integers(-128, 128, (len(rows), k, n)).astype(np.int8)
    scales = rng.uniform(1e-4, 1e-3, (len(rows), n)).astype(np.float32)
    tiling = np.zeros(50, np.int32)
    tiling[:15] = blocks, len(x), n, k, k, 128, 128, k, 128, 128, 64, 2, 2, 1, 1
    tiling[26:28] = 1
    got = run_example("grouped_matmul", x, w, scale_words(scales), offsets, Out("half", len(x), n),
                      tiling, np.array([len(rows), k, n], np.int32), blocks=blocks)
    want = grouped_multiply(x, w, scales, offsets)
    assert (np.abs(got - want) <= np.spacing(np.abs(want).astype(np.float16)) * 0.51).all()
