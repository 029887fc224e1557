"""Arithmetic on shapes (tbe.common.utils.shape_util): the documents' examples, and that NumPy
reduces and broadcasts the shapes that come out as it does those that went in."""

import random
import sys

import numpy as np
import pytest


@pytest.fixture(name="shape_util", scope="module")
def fixture_shape_util():
    from vinci.tik import toolkit
    before = list(sys.path)
    toolkit.install()
    from tbe.common.utils import shape_util
    yield shape_util
    sys.path[:] = before


def test_examples_of_the_documents(shape_util):
    assert shape_util.squeeze_shape([2, 1, 3, 1, 4]) == [2, 3, 4]
    assert shape_util.refine_shape_axes((2, 3, 4, 5, 6), (1, -3)) == ((2, 12, 30), (1,))
    assert shape_util.simplify_axis_shape((32, 64, 64, 1, 4, 5), [1, 2]) == ((32, 4096, 20), [1])
    assert shape_util.refine_shapes_for_broadcast(
        (1, 2, 3, 4, 1, 5, 6, 7), (2, 1, 1, 2, 1, 6, 7)) == ((2, 12, 1, 5, 42), (2, 1, 2, 1, 42))
    assert shape_util.shape_refine((32, 64, 64, 1)) == [32, 64, 64]
    assert shape_util.shape_refine((32, 64, 64, 1), [-2, -1], keep_dims=False) == (
        [32, 64, 64], [2])
    assert shape_util.refine_axis(-1, (1, 32, 32, 3)) == [3]
    assert shape_util.check_reduce_need_refine((1, 32, 32, 3), 0, True) is False
    assert shape_util.check_reduce_need_refine((1, 32, 32, 3), (1, 2), True) is True
    assert shape_util.axis_transform_5d(3, "NCHW") == 3


def test_edges(shape_util):
    assert shape_util.squeeze_shape((1, 1)) == []
    assert shape_util.refine_shapes_for_broadcast((1, 1), (1,)) == ((1,), (1,))
    assert shape_util.refine_axis([0, 2], (4, 1, 5)) == [0, 2]
    assert shape_util.refine_axis([0, 1], (4, 1, 5)) == [0]
    for call in (lambda: shape_util.refine_shape_axes((2, 3), (2,)),
                 lambda: shape_util.refine_axis(3, (1, 2, 3)),
                 lambda: shape_util.shape_refine((2, 3), -3)):
        with pytest.raises(RuntimeError, match="legal: -"):
            call()
    with pytest.raises(RuntimeError, match="do not broadcast"):
        shape_util.refine_shapes_for_broadcast((2, 3), (3, 3))


@pytest.mark.parametrize("data_format, five", [
    ("NCHW", "NCHW"), ("NHWC", "NCHW"), ("ND", None)])
def test_axes_of_five_dimensions(shape_util, data_format, five):
    """C's axis is that of C1, and an axis from the end stays one: C0 comes last."""
    for axis in range(-4, 4):
        got = shape_util.axis_transform_5d(axis, data_format)
        want = five.index(data_format[axis]) - (5 if axis < 0 else 0) if five else axis
        assert got == want


def test_numpy_reduces_them_alike(shape_util):
    rng = random.Random(1)
    for _ in range(300):
        shape = tuple(rng.choice((1, 2, 3)) for _ in range(rng.randint(1, 6)))
        axes = [rng.choice((axis, axis - len(shape)))
                for axis in range(len(shape)) if rng.random() < 0.5]
        rng.shuffle(axes)
        x = np.arange(np.prod(shape)).reshape(shape)
        want = x.sum(tuple(axes)).ravel()
        for refine in (shape_util.refine_shape_axes, shape_util.simplify_axis_shape,
                       shape_util.shape_refine):
            new_shape, new_axes = refine(shape, axes)
            assert (x.reshape(new_shape).sum(tuple(new_axes)).ravel() == want).all()
            assert list(new_axes) == sorted(new_axes)
        fused = shape_util.refine_shape_axes(shape, axes)
        kinds = [axis in fused[1] for axis in range(len(fused[0]))]
        assert all(one != other for one, other in zip(kinds, kinds[1:]))


def test_numpy_broadcasts_them_alike(shape_util):
    rng = random.Random(2)
    for _ in range(300):
        full = [rng.choice((1, 2, 3)) for _ in range(rng.randint(1, 6))]
        first, second = ([number if rng.random() < 0.6 else 1 for number in full] for _ in "ab")
        second = second[rng.randint(0, len(second) - 1):]
        one, other = np.arange(np.prod(first)), 100 * np.arange(np.prod(second))
        want = one.reshape(first) + other.reshape(second)
        new_first, new_second = shape_util.refine_shapes_for_broadcast(first, second)
        got = one.reshape(new_first) + other.reshape(new_second)
        assert (got.ravel() == want.ravel()).all()


def test_under_older_names(shape_util):
    from te.utils import op_utils
    from topi.cce import util
    for module in (op_utils, util):
        assert module.refine_shape_axes is shape_util.refine_shape_axes
        assert module.simplify_axis_shape is shape_util.simplify_axis_shape
        assert module.is_scalar((1,)) and module.is_scalar([]) and not module.is_scalar((2,))
