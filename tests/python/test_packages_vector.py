"""Operator packages as people write them, against numpy: element by element, reductions, norms."""

import pathlib

import numpy as np
import pytest

import python_kit  # pylint: disable=unused-import

import vinci

PACKAGES = pathlib.Path(__file__).resolve().parent.parent / "op" / "packages"
WHOLE = [pytest.mark.whole, pytest.mark.sweep]


def also(*values):
    """For `make check-all`."""
    return [pytest.param(value, marks=WHOLE) for value in values]


def package(name, soc="Ascend910B1", **more):
    """A package's operators."""
    return vinci.op(PACKAGES / name, soc=soc, **more)


@pytest.fixture(name="random")
def random_numbers():
    """Always the same."""
    return np.random.default_rng(20)


def close(got, wanted, dtype):
    """As near as the type allows."""
    tolerance = {"float16": 2e-3, "float32": 2e-5}[np.dtype(dtype).name]
    assert got.dtype == np.dtype(dtype) and got.shape == wanted.shape
    np.testing.assert_allclose(got.astype(np.float64), wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", *also("float16")])
def test_contest_style_rounds_up_to_datablocks(random, dtype):
    """A project of msopgen, whose kernel copies whole datablocks at the end of its tensors."""
    op = package("msopgen_swish", "Ascend310B1")
    for shape in [(0,), (1,), (7,), (64, 3), (3, 333), (20011,)]:
        x = random.uniform(-8, 8, shape).astype(dtype)
        numbers = x.astype(np.float64)
        close(op.SwishX(x, scale=1.5), numbers / (1 + np.exp(-1.5 * numbers)), dtype)


def test_strict_checks_know_the_last_byte():
    """Only as far as the tensor goes."""
    op = package("msopgen_swish", "Ascend310B1", check="strict")
    op.SwishX(np.ones(8, np.float32))
    with pytest.raises(vinci.Error, match="has 28"):
        op.SwishX(np.ones(7, np.float32))


@pytest.mark.parametrize("dtype", ["float16", *also("float32", "int32", "int8")])
@pytest.mark.parametrize("soc", ["Ascend310B1", *also("Ascend910B1")])
def test_broadcast_with_a_class_for_each_key(random, soc, dtype):
    """bool outputs."""
    op = package("contest_broadcast", soc)
    for one, other in [((0, 3), (0, 3)), ((1,), (1,)), ((255,), (255,)), ((1003,), (1003,)),
                       ((5, 1), (1, 7)), ((2, 3, 4), (3, 1)), ((3,), (2, 2, 3))]:
        x, y = (random.integers(0, 3, shape).astype(dtype) for shape in (one, other))
        got = op.NotEqualX(x, y)
        assert got.dtype == bool and np.array_equal(got, x != y)
        assert not x.size or op.NotEqualX.tiling["key"] == (1 if one == other else 2)


@pytest.mark.parametrize("dtype", ["float16", *also("float32")])
def test_mean_over_a_list_of_axes(random, dtype):
    """Host code in several files, nested classes of tiling data, two keys."""
    op = package("reduce_mean")
    for shape, axes in [((1,), [0]), ((5, 7), []), ((33, 2, 70), [0, -1]), ((40, 3), [0]),
                        ((3, 1100), [1]), ((2, 3, 4, 5), [1, 2]), ((0, 4), [1])]:
        x = random.uniform(-1, 1, shape).astype(dtype)
        for keep in (False, True):
            wanted = x.astype(np.float64).mean(axis=tuple(axes) or None, keepdims=keep)
            close(op.ReduceMeanX(x, axes=axes, keep_dims=keep), np.asarray(wanted), dtype)


@pytest.mark.parametrize("dtype", ["float32", *also("float16", "bfloat16")])
def test_layer_norm_with_and_without_optional_inputs(random, dtype):
    """A repository's layout: headers that operators share lie above the package."""
    op = package("norm/layer_norm_rows")
    for shape, axis in [((1, 1), -1), ((3, 40), -1), ((65, 17), 1), ((2, 3, 100), 1), ((0, 8), -1)]:
        x = random.uniform(-2, 2, shape).astype("float32" if dtype == "bfloat16" else dtype)
        words = x
        if dtype == "bfloat16":
            words = (x.view(np.uint32) >> 16).astype(np.uint16)
            x = (words.astype(np.uint32) << 16).view(np.float32)
        begin = axis % len(shape)
        axes, columns = tuple(range(begin, len(shape))), int(np.prod(shape[begin:]))
        gamma, beta = (random.uniform(-1, 1, columns).astype(np.float32) for _ in range(2))
        numbers = x.astype(np.float64)
        mean = numbers.mean(axis=axes, keepdims=True)
        rstd = 1 / np.sqrt(numbers.var(axis=axes, keepdims=True) + 1e-5)
        plain = (numbers - mean) * rstd
        scaled = plain * gamma.reshape(shape[begin:])
        for given, wanted in [((), plain), ((gamma, None), scaled),
                              ((gamma, beta), scaled + beta.reshape(shape[begin:]))]:
            y, got_mean, got_rstd = op.LayerNormRows(words, *given, begin_norm_axis=axis)
            close(got_mean, mean, "float32")
            np.testing.assert_allclose(got_rstd, rstd, rtol=1e-4)
            if dtype == "bfloat16":
                y = (np.asarray(y).view(np.uint16).astype(np.uint32) << 16).view(np.float32)
            np.testing.assert_allclose(y.astype(np.float64), wanted, atol={
                "float32": 1e-4, "float16": 5e-3, "bfloat16": 4e-2}[dtype])


def test_softmax_with_sources_side_by_side(random):
    """No folders at all."""
    op = package("softmax_axis", "Ascend310P3")
    for shape, dim in [((1,), 0), ((5, 7), 1), ((7, 65, 2), 1), ((3, 2, 2), 0), ((2, 0), 0)]:
        x = random.uniform(-5, 5, shape).astype(np.float32)
        powers = np.exp(x.astype(np.float64))
        close(op.SoftmaxAxis(x, dim=dim), powers / powers.sum(axis=dim, keepdims=True), "float32")


@pytest.mark.parametrize("dtype", ["float16", *also("float32")])
@pytest.mark.parametrize("soc", ["Ascend910B1", *also("Ascend310P3")])
def test_classes_of_tiling_try_in_their_order(random, soc, dtype):
    """TilingBaseClass, its registry, InferShape4Broadcast."""
    op = package("math/clamp_sum", soc)
    for one, other, key in [((1,), (1,), 10000), ((70, 70), (70, 70), 10000), ((0,), (0,), 0),
                            ((5, 1), (1, 7), 20000), ((), (3,), 20000), ((2, 3, 4), (4,), 20000)]:
        x, y = (random.uniform(-1, 1, shape).astype(dtype) for shape in (one, other))
        got = op.ClampSum(x, y, low=-0.5, high=0.75)
        wanted = (x.astype(np.float64) + y).clip(-0.5, 0.75)
        close(got, wanted, dtype)
        assert not wanted.size or op.ClampSum.tiling["key"] == key


def test_tiling_that_refuses_is_told():
    """low is above high."""
    x = np.ones(3, np.float32)
    with pytest.raises(vinci.Error, match="the tiling function of ClampSum returned GRAPH_FAILED"):
        package("math/clamp_sum").ClampSum(x, x, low=1.0, high=0.0)


def test_plain_structs_by_tiling_key(random):
    """REGISTER_TILING_FOR_TILINGKEY; the key counts in the preprocessor."""
    op = package("structs_by_key")
    for shape in [(0,), (1,), (7, 5), (1024,), (3001,)]:
        x = random.uniform(0.1, 2, shape).astype(np.float32)
        for exponent, key in [(3.0, 1), (0.0, 1), (0.5, 3), (-1.25, 3)]:
            wanted = (x.astype(np.float64) * 1.5)**exponent
            np.testing.assert_allclose(op.PowerX(x, exponent=exponent, scale=1.5), wanted, rtol=1e-4)
            assert not x.size or op.PowerX.tiling["key"] == key


def test_cores_that_wait_for_each_other(random):
    """The workspace; a kernel's source that CMake names."""
    op = package("mean_all")
    for count in [1, 15, 17, 100, 6000, 40001]:
        x = random.uniform(-1, 1, count).astype(np.float32)
        close(op.MeanAll(x), x - x.mean(dtype=np.float64), "float32")
    assert op.MeanAll.tiling["blocks"] == 6


def test_matmul_by_the_basic_api(random):
    """AIC only."""
    op = package("matmul_basic")
    for m, k, n in [(16, 16, 16), (1, 1, 1), (17, 33, 19), (100, 128, 128), (0, 16, 16), (3, 100, 1),
                    (16, 16, 0)]:
        a, b = (random.uniform(-1, 1, shape).astype(np.float16) for shape in ((m, k), (k, n)))
        got = op.MatmulSmall(a, b)
        np.testing.assert_allclose(got, a.astype(np.float64) @ b.astype(np.float64), atol=1e-4)
