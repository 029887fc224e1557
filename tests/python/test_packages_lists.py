"""Operator packages as people write them, against numpy: indices, lists, values that tiling reads,
outputs that are set before the kernel or have the shape that it computes."""

import shutil

import numpy as np
import pytest

import python_kit  # pylint: disable=unused-import

import vinci
from test_packages_vector import PACKAGES, also, package


@pytest.fixture(name="random")
def random_numbers():
    """Always the same."""
    return np.random.default_rng(21)


@pytest.mark.parametrize("index", ["int64", *also("int32")])
@pytest.mark.parametrize("dtype", ["float16", *also("float32", "int8")])
def test_rows_by_index(random, dtype, index):
    """A key for each type of indices; crossed lists of types."""
    op = package("indexing")
    for shape, count in [((1, 1), (1,)), ((5, 32), (3, 4)), ((9, 7), (100,)), ((3, 2, 1100), (5,)),
                         ((4, 8), (0,))]:
        x = random.integers(-50, 50, shape).astype(dtype)
        indices = random.integers(-shape[0], shape[0], count).astype(index)
        assert np.array_equal(op.TakeRows(x, indices), x[indices])


@pytest.mark.parametrize("dtype", ["float32", *also("int32")])
def test_scattered_additions_in_place(random, dtype):
    """An output that is an input: the input of the caller stays as it was."""
    op = package("indexing")
    for shape, count in [((1, 1), 1), ((5, 8), 3), ((3, 7), 200), ((4, 2100), 9), ((5, 8), 0)]:
        var = random.integers(-50, 50, shape).astype(dtype)
        updates = random.integers(-50, 50, (count, shape[1])).astype(dtype)
        indices = random.integers(0, shape[0], count)
        before, wanted = var.copy(), var.copy()
        np.add.at(wanted, indices, updates)
        assert np.array_equal(op.AddToRows(var, indices, updates), wanted)
        assert np.array_equal(var, before)


def test_largest_numbers_by_sorting(random):
    """k is a value that tiling and inference read; sizes of scratch memory from the host."""
    op = package("top_k")
    for shape, k in [((1,), 1), ((5, 7), 3), ((2, 32), 32), ((3, 100), 10), ((1, 33), 33)]:
        x = random.permutation(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)
        values, indices = op.LargestK(x, np.array([k], np.int32))
        order = np.argsort(-x, axis=-1)[..., :k]
        assert np.array_equal(indices, order)
        assert np.array_equal(values, np.take_along_axis(x, order, -1))
    with pytest.raises(vinci.Error, match="LargestK returned GRAPH_FAILED"):
        op.LargestK(np.ones((2, 3), np.float32), np.array([4], np.int32))


@pytest.mark.parametrize("dtype", ["float32", *also("float16", "int8")])
def test_list_of_inputs_by_descriptor(random, dtype):
    """ListTensorDesc."""
    op = package("lists")
    for shapes in [[(1,)], [(3, 5), (7,)], [(5000,), (0,), (2, 2)], [(0,)],
                   [(i + 1,) for i in range(32)]]:
        arrays = [random.integers(-50, 50, shape).astype(dtype) for shape in shapes]
        assert np.array_equal(op.ConcatFlat(arrays), np.concatenate([x.ravel() for x in arrays]))


@pytest.mark.parametrize("dtype", ["int32", *also("float32")])
def test_list_of_outputs_by_hand(random, dtype):
    """The descriptor's words; the package infers nothing."""
    op = package("lists")
    for shapes in [[(1,)], [(3, 5), (7,)], [(5000,), (0,), (2, 2)], [(0,)],
                   [(i + 1,) for i in range(50)]]:
        arrays = [random.integers(-50, 50, shape).astype(dtype) for shape in shapes]
        factor = np.array([3], dtype)
        outputs = op.ForeachScale(arrays, factor, out=[arrays])
        assert all(np.array_equal(y, x * factor) for x, y in zip(arrays, outputs))
    with pytest.raises(vinci.UsageError, match=r"--out y=y.npy:float:8x16.*out=\("):
        op.ForeachScale(arrays, factor)


@pytest.mark.parametrize("dtype", ["float16", *also("float32")])
def test_templated_keys_of_several_kinds(random, dtype):
    """Numbers of types, lists, ranges, bool; a value-dependent input of two types."""
    op = package("repeat_templated")
    keys = set()
    for shape, times, negate, buffers in [((5, 7), 3, False, 2), ((3, 700), 2, False, 2),
                                          ((1, 1), 1, False, 2), ((0, 4), 2, True, 1),
                                          ((100, 3), 2, False, 2)]:
        x = random.integers(-50, 50, shape).astype(dtype)
        index = "int32" if shape == (5, 7) else "int64"
        y = op.RepeatX(x, np.array([times], index), negate=negate, buffers=buffers)
        assert np.array_equal(y, np.repeat(x, times, axis=0) * (-1 if negate else 1))
        if x.size:
            keys.add(op.RepeatX.tiling["key"])
    assert len(keys) == 2
    with pytest.raises(vinci.CompileError, match="no ASCENDC_TPL_ARGS_SEL has"):
        op.RepeatX(np.ones((3, 700), dtype), np.array([2]), buffers=1)
    with pytest.raises(vinci.CompileError, match="ASCENDC_TPL_ARGS_DECL does not list"):
        op.RepeatX(np.ones((3, 7), dtype), np.array([2]), buffers=3)


@pytest.mark.parametrize("dtype", ["int32", *also("float32")])
def test_shapes_that_the_kernel_computes(random, dtype):
    """Of two outputs among three, one with 64-bit dimensions; nothing is said of what is left."""
    op = package("counting")
    for shape in [(0,), (1,), (3, 5), (2, 3, 4), (300,)]:
        x = random.integers(0, 3, shape).astype(dtype)
        values, places, count = op.NonZeroX(x)
        assert np.array_equal(values, x[np.nonzero(x)])
        assert np.array_equal(places, np.argwhere(x)) and places.dtype == np.int64
        assert list(count) == [np.count_nonzero(x)]
    values, places, count = op.NonZeroX(np.zeros((2, 3), dtype))
    assert values.shape == (0,) and places.shape == (0, 2) and list(count) == [0]


def test_shape_for_which_there_is_no_memory():
    """The caller says that there is less than the kernel finds."""
    op = package("counting")
    with pytest.raises(vinci.Error, match=r"values is \[3\], and there is memory for \[2\]"):
        op.NonZeroX(np.array([5, 6, 7, 0], np.int32),
                    out=[("int32", (2,)), ("int64", (4, 1)), ("int32", (1,))])


def test_outputs_that_are_set_before_the_kernel(random):
    """InitValue with SetNeedAtomic: zeros, a number, half; the kernel only adds to them."""
    op = package("counting")
    for count, bins in [(1, 1), (5, 8), (1000, 13), (47, 100), (20011, 3)]:
        x = random.integers(-9, bins + 5, count).astype(np.int32)
        counts, largest, halves = op.HistogramX(x, bins=bins)
        assert np.array_equal(counts, np.bincount(x[(x >= 0) & (x < bins)], minlength=bins))
        assert list(largest) == [max(-7, x.max())] * 8
        assert halves.dtype == np.float16 and list(halves) == [0.5] * 8


def test_outputs_that_tiling_does_not_ask_to_set():
    """Without SetNeedAtomic(true) InitValue does nothing, as on the chip: garbage is added to."""
    op = package("counting")
    with pytest.raises(vinci.KernelError, match="V1013.*nothing has written"):
        op.HistogramX(np.array([1], np.int32), bins=2, preset=False)


@pytest.mark.filterwarnings("default")
def test_room_behind_an_output_is_nobodys():
    """What no block writes is counted by the tensor's bytes, not by those of its memory."""
    op = package("lists")
    with pytest.warns(vinci.KernelWarning, match=r"bytes 12\.\.19 of GM buffer y \(20 bytes\)"):
        y = op.ConcatFlat([np.ones(3, np.float32)], out=("float32", (5,)))
    assert list(y[:3]) == [1, 1, 1]


@pytest.mark.parametrize("count", [0, 1, 8, 1000, 1003])
def test_what_a_rounded_copy_writes_behind_an_output_is_nobodys(random, count):
    """Whatever it is: nobody reads it. What it leaves unwritten before the end is told."""
    op = package("rounded_copies")
    x = random.uniform(-1, 1, count).astype(np.float32)
    assert np.array_equal(op.ScaleRounded(x), x * 2)
    if count < 1000:
        return
    with pytest.raises(vinci.KernelError, match=r"V1013.*dst writes bytes 3968\.\.3999 of GM buffer "):
        op.ScaleRounded(x, computed=990)


def test_host_code_is_asked_again_where_it_matters(random):
    """Not for the same question; for other shapes, attributes and values it is."""
    op = package("counting")
    for bins, count in [(3, 5), (3, 5), (4, 5), (4, 6), (3, 5)]:
        x = random.integers(0, bins, count).astype(np.int32)
        assert np.array_equal(op.HistogramX(x, bins=bins)[0], np.bincount(x, minlength=bins))
    repeated = package("repeat_templated")
    for times in (2, 3, 2):
        y = repeated.RepeatX(np.ones((2, 3), np.float16), np.array([times]))
        assert y.shape == (2 * times, 3)
    for _ in range(2):
        with pytest.raises(vinci.Error, match="returned GRAPH_FAILED"):
            package("top_k").LargestK(np.ones((1, 2), np.float32), np.array([3], np.int32))


@pytest.mark.parametrize("wrong, count", [("index + 1, x_", 3), ("index - 1, x_", 1), ("index + 1, y_", 3)])
def test_lists_of_addresses_that_are_shifted_by_one(random, tmp_path, wrong, count):
    """The first or the last of them leads nowhere."""
    shutil.copytree(PACKAGES / "lists", tmp_path / "lists")
    kernel = tmp_path / "lists" / "op_kernel" / "foreach_scale.cpp"
    text = kernel.read_text()
    right = f"index, {wrong[-2:]}"
    assert text.count(right) == 1
    kernel.write_text(text.replace(right, wrong))
    arrays = [random.integers(-50, 50, 64).astype(np.float32) for _ in range(count)]
    with pytest.raises(vinci.KernelError, match=r"V1003.*\n.*foreach_scale.cpp:(46|54) "):
        vinci.op(tmp_path / "lists", soc="Ascend910B1").ForeachScale(
            arrays, np.array([3], np.float32), out=[arrays])
