"""Operator packages as repositories of operators have them, against numpy: attention, routing,
products, quantised activations, many outputs."""

import numpy as np
import pytest

import python_kit  # pylint: disable=unused-import

import vinci
from test_packages_vector import also, package


@pytest.fixture(name="random")
def random_numbers():
    """Always the same."""
    return np.random.default_rng(22)


def softmax(x):
    """Over the last axis, in double."""
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


@pytest.mark.whole
def test_routing_to_experts(random):
    """A vendor's layout: tiling of SoftMax in the tiling data, an optional input, a key by type."""
    op = package("moe/gating_top_k_softmax")
    for shape, k in [((1, 1), 1), ((5, 8), 2), ((3, 64), 6), ((2, 7, 33), 5), ((100, 160), 8)]:
        x = random.permutation(np.linspace(-4, 4, int(np.prod(shape)))).reshape(shape)
        x = x.astype(np.float32)
        weights = softmax(x.astype(np.float64))
        order = np.argsort(-x, -1, kind="stable")[..., :k]
        best = np.take_along_axis(weights, order, -1)
        rows = int(np.prod(shape[:-1]))
        for finished in (None, random.integers(0, 2, shape[:-1]).astype(bool)):
            for renorm in (False, True):
                y, experts, row = op.GatingTopKSoftmax(x, finished, k=k, renorm=renorm)
                wanted = best / best.sum(-1, keepdims=True) if renorm else best
                np.testing.assert_allclose(y, wanted, rtol=1e-4)
                done = np.zeros(shape[:-1], bool) if finished is None else finished
                assert np.array_equal(experts, np.where(done[..., None], shape[-1], order))
                numbers = np.arange(rows)[:, None] + np.arange(k) * rows
                assert np.array_equal(row, numbers.reshape(row.shape))
    assert op.GatingTopKSoftmax.tiling["key"] == 2
    with pytest.raises(vinci.Error, match="GatingTopKSoftmax returned GRAPH_FAILED"):
        op.GatingTopKSoftmax(np.ones((2, 3), np.float32), k=4)


@pytest.mark.whole
def test_attention_of_two_products(random):
    """AICs and AIVs, two Matmul objects whose tilings are parts of the tiling data, a workspace."""
    op = package("prompt_attention")
    for batch, heads, rows, length, width in [(1, 1, 16, 16, 16), (1, 2, 64, 64, 32),
                                              (2, 3, 128, 128, 64), (1, 1, 192, 256, 128),
                                              (0, 1, 16, 16, 16), (1, 5, 48, 16, 16)]:
        q, k, v = (random.normal(size=(batch, heads, count, width)).astype(np.float16)
                   for count in (rows, length, length))
        scores = q.astype(np.float64) @ k.astype(np.float64).swapaxes(-1, -2) / np.sqrt(width)
        for mode in ["full", "causal"][:1 + (rows == length)]:
            seen = np.tril(np.ones((rows, length), bool)) if mode == "causal" else True
            wanted = softmax(np.where(seen, scores, -1e30)) @ v.astype(np.float64)
            got = op.PromptAttention(q, k, v, mode=mode)
            np.testing.assert_allclose(got, wanted, atol=6e-3)


@pytest.mark.whole
@pytest.mark.parametrize("soc", ["Ascend910B1", "Ascend310P3"])
def test_product_and_what_follows_it(random, soc):
    """The tiling says whether AICs work for AIVs, or one core does both."""
    op = package("matmul_leakyrelu", soc)
    for m, k, n in [(1024, 256, 640), (256, 64, 128), (0, 64, 128), (256, 16, 256), (512, 1, 128)]:
        a, b = (random.integers(-4, 5, shape).astype(np.float16) for shape in ((m, k), (k, n)))
        bias = random.integers(-4, 5, n).astype(np.float32)
        sums = a.astype(np.float32) @ b.astype(np.float32) + bias
        wanted = np.where(sums < 0, sums * np.float32(0.001), sums)
        np.testing.assert_allclose(op.MatmulLeakyreluCustom(a, b, bias), wanted, rtol=1e-6)


@pytest.mark.whole
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_quantised_activation(random, dtype):
    """Types as template arguments; plain structs in each other; another source for another chip."""
    op = package("activation/swi_glu_quant", "Ascend910B2")
    for shape in [(1, 2), (3, 16), (5, 7, 66), (200, 250), (0, 8)]:
        x = random.uniform(-3, 3, shape).astype(dtype)
        half = shape[-1] // 2
        first, second = np.split(x.astype(np.float64), 2, -1)
        scales = random.uniform(5, 20, half).astype(np.float32)
        offsets = random.uniform(-5, 5, half).astype(np.float32)
        for left, act, gate in [(True, first, second), (False, second, first)]:
            wanted = act / (1 + np.exp(-act)) * gate
            y, scale = op.SwiGluQuant(x, activate_left=left, quant_mode="dynamic")
            assert y.shape == wanted.shape and scale.shape == shape[:-1] and y.dtype == np.int8
            largest = np.abs(wanted).max(-1, keepdims=True) / 127
            np.testing.assert_allclose(scale, largest[..., 0], rtol=2e-3)
            assert np.all(np.abs(y - np.rint(wanted / largest)) <= 1)
            y, _ = op.SwiGluQuant(x, scales, offsets, activate_left=left)
            assert np.all(np.abs(y - np.rint(wanted * scales + offsets).clip(-128, 127)) <= 1)
    with pytest.raises(vinci.Error, match="InferShape function of SwiGluQuant returned"):
        op.SwiGluQuant(np.ones((3, 5), dtype))


def rounded(x, dtype):
    """Numbers of the type as floats, and as an operator takes them: bfloat16 in words."""
    if dtype != "bfloat16":
        return x.astype(dtype).astype(np.float64), x.astype(dtype)
    words = (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return (words.astype(np.uint32) << 16).view(np.float32).astype(np.float64), words


def as_floats(array, dtype):
    """Back again."""
    if dtype != "bfloat16":
        return array.astype(np.float64)
    return (np.asarray(array).view(np.uint16).astype(np.uint32) << 16).view(np.float32)


@pytest.mark.whole
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_sum_and_its_root_mean_square(random, dtype):
    """A contest's style: a bool and an array of bytes in the tiling data, three outputs."""
    op = package("add_rms_norm")
    exact = {"float32": 1e-5, "float16": 8e-3, "bfloat16": 4e-2}[dtype]
    for rows, columns in [((1,), 1), ((3,), 7), ((2, 5), 64), ((100,), 333), ((0,), 8)]:
        (x1, in1), (x2, in2) = (rounded(random.uniform(-2, 2, (*rows, columns)), dtype)
                                for _ in range(2))
        (gamma, in_gamma), (beta, in_beta) = (rounded(random.uniform(-1, 1, columns), dtype)
                                              for _ in range(2))
        total = x1 + x2
        scale = 1 / np.sqrt((total * total).mean(-1, keepdims=True) + 1e-5)
        for given, shift in [(None, 0), (in_beta, beta)]:
            y, rstd, x = op.AddRmsNormCustom(in1, in2, in_gamma, given, epsilon=1e-5)
            np.testing.assert_allclose(rstd, scale, rtol=2e-4)
            np.testing.assert_allclose(as_floats(x, dtype), total, atol=exact)
            wanted = total * scale * gamma + shift
            np.testing.assert_allclose(as_floats(y, dtype), wanted, atol=exact)


@pytest.mark.parametrize("dtype", ["float16", *also("float32", "int8", "int64")])
def test_as_many_outputs_as_inference_wants(random, dtype):
    """An attribute says how many tensors a dynamic output has, and inference asks for them."""
    op = package("lists")
    for shape, sizes, axis in [((1,), [1], 0), ((7, 5), [3, 4], 0), ((7, 5), [1, 2, 2], -1),
                               ((3, 30000), [10000, 20000], 1), ((64,), [1] * 64, 0)]:
        x = random.integers(-50, 50, shape).astype(dtype)
        parts = op.SplitCustom(x, size_splits=sizes, split_dim=axis)
        wanted = np.split(x, np.cumsum(sizes)[:-1], axis)
        assert len(parts) == len(wanted)
        assert all(np.array_equal(y, z) for y, z in zip(parts, wanted))


@pytest.mark.parametrize("index", ["int64", *also("int32")])
def test_scaled_additions_by_atomic_copies(random, index):
    """A key of more than 32 bits, for the preprocessor too; another source and function."""
    op = package("scatter_scaled")
    for rows, columns, count in [(1, 1, 1), (5, 8, 3), (7, 33, 50), (100, 1000, 40), (3, 2, 500)]:
        var = random.integers(-9, 9, (rows, columns)).astype(np.float32)
        updates = random.integers(-9, 9, (count, columns)).astype(np.float32)
        indices = random.integers(0, rows, count).astype(index)
        wanted = var.copy()
        np.add.at(wanted, indices, updates * 2)
        assert np.array_equal(op.ScatterScaled(var, indices, updates, scale=2.0), wanted)
    assert op.ScatterScaled.tiling["key"] == 0x10000000000 + (index == "int64")
