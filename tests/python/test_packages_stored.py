"""Arrays that lie in memory in a format of its own, as inputs and outputs of operators."""

import numpy as np
import pytest

import python_kit  # pylint: disable=unused-import
from test_packages_vector import PACKAGES

import vinci


@pytest.fixture(name="op", scope="module")
def operators():
    return vinci.op(PACKAGES / "stored_weight", soc="Ascend910B1", check="full")  # not by the command, too


@pytest.fixture(name="rows")
def some_rows():
    return np.arange(32 * 48, dtype=np.float16).reshape(32, 48)


def fractals(rows):
    return rows.reshape(2, 16, 3, 16).transpose(2, 0, 1, 3)


def test_stored_says_both_shapes_and_formats(op, rows):
    lying = fractals(rows)
    result, seen = op.UnfoldWeight(vinci.stored(lying, "FRACTAL_NZ", rows.shape))
    assert np.array_equal(result, rows)
    assert seen.tolist()[:12] == [2, 29, 2, 4, 32, 48, 0, 0, 3, 2, 16, 16]
    _, seen = op.UnfoldWeight(vinci.stored(lying, "FRACTAL_NZ", rows.shape, "NCHW"))
    assert seen.tolist()[:4] == [0, 29, 2, 4]
    result, seen = op.UnfoldWeight(rows)
    assert np.array_equal(result, rows)
    assert seen.tolist()[:4] == [2, 2, 2, 2]


def test_outputs_have_their_shape_in_memory(op, rows):
    result, _ = op.UnfoldWeight(
        rows, out=[vinci.stored(("float16", (3, 2, 16, 16)), "ND", (32, 48)), ("int32", (16,))])
    assert result.shape == (3, 2, 16, 16)
    assert np.array_equal(result.reshape(32, 48), rows)


def test_a_format_that_is_not_there(op, rows):
    with pytest.raises(vinci.UsageError, match="there is no format NZ; legal: ND, NCHW, FRACTAL_NZ"):
        op.UnfoldWeight(vinci.stored(rows, "NZ"))
