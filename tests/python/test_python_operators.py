"""Operators of packages from Python, against numpy: tests/op/packages."""

import math
import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import harness
import python_kit  # pylint: disable=unused-import

import vinci

PACKAGES = pathlib.Path(__file__).resolve().parent.parent / "op" / "packages"
SHAPES = [(0,), (1,), (7, 5), (3, 1, 333), (40000,)]


@pytest.fixture(scope="module", name="random")
def random_numbers():
    """Always the same."""
    return np.random.default_rng(17)


@pytest.fixture(scope="module")
def several():
    """The package with several operators."""
    return vinci.op(PACKAGES / "several", soc="Ascend310B1")


@pytest.fixture(scope="module")
def templated():
    """The package whose kernel is a template."""
    return vinci.op(PACKAGES / "templated", soc="Ascend910B1")


@pytest.fixture(scope="module")
def gathered():
    """The package with all kinds of inputs."""
    return vinci.op(PACKAGES / "gathered", soc="Ascend910B1")


def some(random, shape, dtype):
    """Numbers whose sums are exact."""
    return random.integers(-100, 100, shape).astype(dtype)


@pytest.mark.parametrize("soc", ["Ascend310B1", pytest.param("Ascend910B1", marks=pytest.mark.whole),
                                 pytest.param("Ascend310P3", marks=pytest.mark.whole)])
@pytest.mark.parametrize("dtype", ["float16", pytest.param("float32", marks=pytest.mark.whole),
                                   pytest.param("int32", marks=pytest.mark.whole)])
def test_elementwise_with_tails(random, soc, dtype):
    """Cores with more and fewer datablocks, tiles, a partial datablock at the end."""
    op = vinci.op(PACKAGES / "add_custom", soc=soc)
    for shape in SHAPES:
        x, y = some(random, shape, dtype), some(random, shape, dtype)
        z = op.AddCustom(x, y)
        assert z.dtype == x.dtype and np.array_equal(z, x + y)


def test_attributes_of_each_kind(random, several):
    """Given, or by default."""
    x = some(random, (5, 3), np.float32)
    assert np.array_equal(several.ScaleShift(x, factor=2.0), x * 2 + 0.75)
    y = several.ScaleShift(x, factor=0.5, negate=True, times=3, ints=[1, 2, 4], floats=[8.0, 16.0],
                           which=[False, True])
    assert np.array_equal(y, x * -1.5 + 7 + 16)
    assert np.array_equal(several.ScaleShift(x, factor=1, mode="plain"), x)


def test_attributes_without_a_number_in_json(several):
    """p=inf of a distance, say."""
    x = np.array([1, -2, 0], np.float32)
    assert several.ScaleShift(x, factor=math.inf).tolist()[:2] == [math.inf, -math.inf]
    assert np.isnan(several.ScaleShift(x, factor=2.0, floats=[math.nan, 1.0])).all()


def test_tiling_key_by_type(random, several):
    """Another branch of the kernel for int32."""
    x = some(random, (33,), np.int32)
    assert np.array_equal(several.ScaleShift(x, factor=3, ints=(10,)), x * 3 + 10)
    assert several.ScaleShift.tiling["key"] == 2


def test_reduction_over_each_axis(random, several):
    """Shapes from InferShape."""
    for shape in [(1,), (4, 5), (3, 7, 2), (2, 300), (0, 3)]:
        x = some(random, shape, np.int32)
        for axis in range(-len(shape), len(shape)):
            y = several.ReduceAxis(x, axis=axis)
            wanted = x.sum(axis=axis, dtype=np.int32)
            assert y.shape == wanted.shape
            if x.size:
                assert np.array_equal(y, wanted)


def test_template_arguments_and_rows(random, templated):
    """Each is compiled for itself."""
    for dtype, times, shift in [("float16", 2, 0), ("float16", 7, 5), ("int32", 2, -3)]:
        x = some(random, (19,), dtype)
        y = templated.Templated(x, times=times, shift=shift)
        assert np.array_equal(y, (x * times + shift).astype(dtype))


def test_key_without_an_instance(templated):
    """9 is declared, but not selected."""
    with pytest.raises(vinci.CompileError, match="no ASCENDC_TPL_ARGS_SEL has.*TIMES=9"):
        templated.Templated(np.ones(3, np.int32), times=9)


def test_inputs_of_each_kind(random, gathered):
    """Dynamic, int64, values that tiling reads, optional; the workspace."""
    for length, count, tables in [(1, 1, 1), (100, 7, 3), (50, 300, 2), (9, 0, 2)]:
        lists = [some(random, (length,), np.float32) for _ in range(tables)]
        index = random.integers(0, length, count)
        bias = some(random, (count,), np.float32)
        wanted = sum(table[index] for table in lists)
        y = gathered.GatherSum(lists, index, np.array([2]))
        assert np.array_equal(y, np.repeat(wanted[:, None], 2, 1))
        y = gathered.GatherSum(lists, index, np.array([1]), bias)
        assert np.array_equal(y, (wanted + bias)[:, None])


def test_bfloat16_as_words(random, gathered):
    """Numbers that bfloat16 holds exactly."""
    table = some(random, (20,), np.float32)
    words = (table.view(np.uint32) >> 16).astype(np.uint16)
    index = np.arange(20)[::-1].copy()
    y = np.asarray(gathered.GatherSum([words], index, [3])).view(np.uint16)
    assert np.array_equal(y, np.repeat(words[::-1, None], 3, 1))


def test_whatever_becomes_an_array(several):
    """__array__, as tensors of other libraries have it, and lists."""
    class Tensor:  # pylint: disable=too-few-public-methods
        """Of somebody else's."""

        def __array__(self, dtype=None, copy=None):
            return np.arange(4, dtype=np.int32)

    assert list(several.ReduceAxis(Tensor(), axis=0).reshape(-1)) == [6]


def test_wrong_calls(several):
    """Told before anything runs."""
    x = np.ones(3, np.int32)
    for call, said in [(lambda: several.ReduceAxis(), "input x is missing"),
                       (lambda: several.ReduceAxis(x, x), "has 1 inputs"),
                       (lambda: several.ReduceAxis(x, axes=1), "has no axes"),
                       (lambda: several.ReduceAxis(np.ones(3, np.int8)), "int8"),
                       (lambda: several.ReduceAxis(np.array(["a"])), "dtype"),
                       (lambda: several.ScaleShift(x), "factor")]:
        with pytest.raises(vinci.UsageError, match=said):
            call()
    with pytest.raises(AttributeError, match="there are: ReduceAxis, ScaleShift"):
        several.Nothing  # pylint: disable=pointless-statement


def test_check_of_one_call(random, several):
    """Before and behind it what the package was given counts."""
    x = some(random, (5, 3), np.float32)
    for check in (None, "basic", ["race", "queue"], None):
        several.ScaleShift(x, factor=2.0, check=check)
        assert vinci.report()["check"] == {None: "full", "basic": "basic"}.get(
            check if isinstance(check, str) else None if check is None else "", "queue,race"), check
    with pytest.raises(vinci.UsageError, match="check none; legal"):
        several.ScaleShift(x, factor=2.0, check="none")


def test_operators_of_other_chips():
    """Are named with them."""
    other = vinci.op(PACKAGES / "several", soc="Ascend910A")
    with pytest.raises(AttributeError, match=r"ScaleShift for Ascend910A; on other chips: ReduceAxis \("
                       r".*ascend310b.*\), ScaleShift \("):
        other.ScaleShift  # pylint: disable=pointless-statement


def test_the_guide_shows_a_test_that_runs(tmp_path):
    """Operators in pytest, as docs/guide/operators.md has it; and it can fail."""
    text = (harness.ROOT / "docs" / "guide" / "operators.md").read_text()
    lines = text[text.index("    def test_softmax("):].split("\n\n")[0]
    test = "import numpy\nimport vinci\n\n\n" + textwrap.dedent(lines) + "\n"
    assert "vinci.op(" in test and "assert" in test
    environment = os.environ | {"PYTHONPATH": python_kit.PACKAGES}
    for name, wrong, code in [("right", "", 0), ("wrong", "2 * ", 1)]:
        file = tmp_path / f"test_{name}.py"
        file.write_text(test.replace("wanted = ", "wanted = " + wrong))
        done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", file],
                              cwd=harness.ROOT, env=environment, text=True, capture_output=True,
                              check=False)
        assert done.returncode == code, done.stdout + done.stderr


def test_host_code_that_divides_by_zero(several):
    """A fault with its line: a scalar has no axis."""
    with pytest.raises(vinci.Error):
        several.ReduceAxis(np.array(3, np.int32), axis=5)


