"""Elements of int4, as inputs and outputs of operators: two to a byte, eight to a word, one by one."""

import json

import numpy as np
import pytest

import harness
import python_kit  # pylint: disable=unused-import
from test_packages_vector import PACKAGES

import vinci


def packed(values):
    """Two to a byte, the first in the low bits, as Python's integers have it."""
    numbers = [int(value) & 15 for value in values.reshape(-1)] + [0] * (values.size % 2)
    return np.array([low + 16 * high for low, high in zip(numbers[::2], numbers[1::2])], np.uint8)


@pytest.fixture(name="values", scope="module")
def some_values():
    """One element each."""
    return np.random.default_rng(4).integers(-8, 8, (3, 5, 24)).astype(np.int8)


@pytest.fixture(name="op", scope="module")
def operators():
    """Of one package."""
    return vinci.op(PACKAGES / "nibbles", soc="Ascend910B1", check="full")  # calls by the command are below


def test_bytes_and_words_hold_several(op, values):
    """The operator sees a last axis that is as many times longer."""
    as_bytes = packed(values).reshape(3, 5, 12)
    for given in (as_bytes, as_bytes.view(np.int32), vinci.int4(values),
                  vinci.int4(values.astype(int))):
        halves, copied = op.UnpackX(given)
        assert halves.dtype == np.float16 and copied.dtype == np.int8
        np.testing.assert_array_equal(halves, values)
        np.testing.assert_array_equal(copied, values)


def test_int8_is_itself_where_it_is_legal(op, values):
    halves, copied = op.UnpackX(values)
    np.testing.assert_array_equal(halves, values)
    np.testing.assert_array_equal(copied, values)


@pytest.mark.parametrize("shape", [(1,), (3, 5), (7, 1, 2), (0,), (2, 64)])
def test_odd_and_empty_shapes(op, values, shape):
    """int8 is int4, an element each, where the operator has no int8."""
    some = values.reshape(-1)[:int(np.prod(shape))].reshape(shape)
    np.testing.assert_array_equal(op.CopyX([some], out=("int4", shape)), some)
    halves, _ = op.UnpackX(vinci.int4(some))
    np.testing.assert_array_equal(halves, some)


def test_outputs_may_be_said_in_bytes(op, values):
    got = op.CopyX([values], out=("uint8", (3, 5, 12)))
    np.testing.assert_array_equal(got, values)


@pytest.mark.parametrize("wrong, words", [(np.array([7, 8]), "int4: 8; legal: -8..7"),
                                          (np.array([-9], np.int8), "int4: -9; legal: -8..7"),
                                          (np.ones(2, np.float32), "int4 of dtype float32")])
def test_what_is_no_int4(op, wrong, words):
    with pytest.raises(vinci.UsageError, match=words):
        vinci.int4(wrong)
    if wrong.dtype == np.int8:
        with pytest.raises(vinci.UsageError, match=words):
            op.CopyX([wrong], out=("int4", (1,)))


def called(folder, operator, given, out):
    """By the command: what it says, and its outputs."""
    outputs = [word for each in out for word in ("--out", f"{each}={folder}/{each}.npy")]
    return harness.vinci("op", PACKAGES / "nibbles", "--op", operator, "--soc", "Ascend910B1",
                         "--in", f"x={folder}/{given}", *outputs)


def test_the_command_takes_bytes_of_two(tmp_path, values):
    np.save(tmp_path / "x.npy", packed(values).reshape(3, 5, 12))
    for given in ("x.npy", "x.npy:int4", "x.npy:int4:3x5x24"):
        done = called(tmp_path, "UnpackX", given, ["values", "copied"])
        assert done.code == 0, done.stderr
        np.testing.assert_array_equal(np.load(tmp_path / "values.npy"), values)
        np.testing.assert_array_equal(np.load(tmp_path / "copied.npy"), np.load(tmp_path / "x.npy"))


def test_the_command_takes_odd_shapes(tmp_path, values):
    odd = values.reshape(-1)[:15].reshape(3, 5)
    np.save(tmp_path / "x.npy", packed(odd))
    done = called(tmp_path, "UnpackX", "x.npy:int4:3x5", ["values"])
    assert done.code == 0, done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "values.npy"), odd)


@pytest.mark.parametrize("dtype, given, words", [
    ("uint8", "x.npy:int4:3x4", "3x4 of int4 are 6 bytes, the file holds 8"),
    ("int32", "x.npy:int4", "int4 comes in bytes of two, the file holds int32"),
    ("float32", "x.npy:half", "the file holds float, which is not 16 bits wide"),
    ("uint8", "x.npy:int4:3x4:5", "is not understood")])
def test_files_that_do_not_hold_it(tmp_path, dtype, given, words):
    np.save(tmp_path / "x.npy", np.zeros(8, dtype))
    done = called(tmp_path, "UnpackX", given, ["values"])
    assert done.code == 2 and f"--in x={tmp_path}/{given}" in done.stderr and words in done.stderr


def test_kernels_take_a_shape_that_fits(tmp_path):
    """vinci run, too."""
    (tmp_path / "k.cpp").write_text(
        "#include \"kernel_operator.h\"\nextern \"C\" __global__ __aicore__ void k(GM_ADDR x) {}\n")
    np.save(tmp_path / "x.npy", np.zeros(8, np.uint8))
    for given, code in (("int4:3x5", 0), ("int4:3x4", 2), ("int8:2x4", 0)):
        done = harness.vinci("run", tmp_path / "k.cpp", "--arg", f"in:{tmp_path}/x.npy:{given}")
        assert done.code == code, done.stderr


def test_judged_operators_have_bytes_of_two(tmp_path):
    """A task says uint8; the operator sees int4."""
    (tmp_path / "golden.py").write_text(
        "import numpy as np\n"
        "def unpack(x):\n"
        "    both = np.stack([x & 15, x >> 4], -1).astype(int).reshape(len(x), -1)\n"
        "    return {'values': both - 16 * (both > 7), 'copied': x}\n")
    task = {"id": "int4", "package": str(PACKAGES / "nibbles"), "operator": "UnpackX",
            "soc": "Ascend910B1",
            "parameters": [{"in": "uint8", "name": "x", "shape": ["rows", "columns"]},
                           {"out": "half", "name": "values", "shape": ["rows", "2 * columns"]},
                           {"out": "uint8", "name": "copied", "shape": ["rows", "columns"]}],
            "sizes": {"rows": [1, 3], "columns": [1, 40]}, "schedules": ["eager"],
            "reference": f"{tmp_path}/golden.py:unpack"}
    verdict, = vinci.judge([task])
    assert verdict["verdict"] == "right", json.dumps(verdict, indent=1)
