"""Arrays become GM: what goes in, what comes out, and what cannot be passed."""

import numpy as np
import pytest
import vinci
from python_kit import kernel

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
          "float32"]
RECORD = np.dtype([("a", "<i4"), ("b", "<f4", 3)])


def random_bytes(dtype, shape, seed=0):
    """An array of any bytes; of bool, of 0 and 1."""
    generator = np.random.default_rng(seed)
    bytes_ = generator.integers(0, 2 if dtype == "bool" else 256,
                                (*shape, np.dtype(dtype).itemsize), dtype=np.uint8)
    return bytes_.view(dtype)[..., 0]


@pytest.mark.parametrize("shape", [(32,), (3, 5), (2, 1, 4), ()], ids=str)
@pytest.mark.parametrize("dtype", [*DTYPES, RECORD], ids=str)
def test_a_copy_of_any_dtype_and_shape(dtype, shape):
    x = random_bytes(dtype, shape) if shape else random_bytes(dtype, (1,)).reshape(())
    before, out = x.tobytes(), np.zeros_like(x)
    kernel("copy")(x, out, x.nbytes)
    assert out.tobytes() == before and x.tobytes() == before


def test_what_the_kernel_leaves_alone_stays():
    out = np.arange(16, dtype=np.uint8)
    kernel("copy")(np.full(4, 200, np.uint8), out, 4)
    assert out.tolist() == [200] * 4 + list(range(4, 16))


@pytest.mark.parametrize("name, dtype", [("add_half", np.float16), ("add_float", np.float32)])
@pytest.mark.parametrize("blocks", [1, 8])
def test_blocks_add_their_parts(name, dtype, blocks):
    generator = np.random.default_rng(blocks)
    x, y = generator.integers(-500, 500, (2, blocks, 64)).astype(dtype)
    for launch in (lambda k, *a: k[blocks](*a), lambda k, *a: k(*a, blocks=blocks)):
        out = np.zeros_like(x)
        launch(kernel("arrays", name, "Ascend910B1"), x, y, out, 64)
        np.testing.assert_array_equal(out, x + y)


def test_one_array_for_two_parameters_is_one_buffer():
    x = np.arange(64, dtype=np.float32)
    kernel("arrays", "add_float")(x, x, x, 64)
    np.testing.assert_array_equal(x, 2 * np.arange(64))


def test_arrays_that_overlap_otherwise_are_refused():
    x = np.zeros(96, np.float32)
    with pytest.raises(vinci.UsageError, match="arguments x and out share memory"):
        kernel("arrays", "add_float")(x[:64], np.ones(64, np.float32), x[32:], 64)
    assert not x.any()


def test_neighbours_do_not_overlap():
    x = np.zeros(128, np.float32)
    kernel("arrays", "add_float")(np.ones(64, np.float32), x[:64], x[64:], 64)
    assert x.tolist() == [0] * 64 + [1] * 64


def test_a_read_only_array_is_an_input():
    x = np.arange(8, dtype=np.uint8)
    x.flags.writeable = False
    out = np.zeros(8, np.uint8)
    kernel("copy")(x, out, 8)
    assert out.tolist() == list(range(8))
    with pytest.raises(vinci.UsageError, match="argument out is a read-only array, but the kernel"):
        kernel("copy")(np.ones(8, np.uint8), x, 4)
    assert x.tolist() == list(range(8))


def test_an_empty_array_is_a_buffer_without_bytes():
    kernel("copy")(np.zeros(0, np.float32), np.zeros(0, np.uint8), 0)
    with pytest.raises(vinci.KernelError) as caught:
        kernel("arrays", "add_float")(*np.zeros((3, 0), np.float32), 64)
    assert caught.value.faults[0].code == "V1003"


def test_none_is_a_null_pointer():
    out = np.zeros(1, np.uint8)
    kernel("blocks", "optional")(out, None)
    assert out.tolist() == [7]
    kernel("blocks", "optional")(out, np.full(1, 9, np.uint8))
    assert out.tolist() == [9]


BIG_ENDIAN = np.zeros(4, ">i4")
REFUSED = {
    "float64": (np.zeros(4), "dtype float64; legal: bool, int8, "),
    "complex64": (np.zeros(4, np.complex64), "dtype complex64; legal: "),
    "objects": (np.array([None]), "dtype object; legal: "),
    "text": (np.array(["a"]), "dtype <U1; legal: "),
    "times": (np.zeros(2, "m8[s]"), "legal: bool"),
    "big endian": (BIG_ENDIAN, "dtype >i4; legal: "),
    "list": ([1, 2], r"\[1, 2\] \(list\); legal: a numpy array, which becomes a GM buffer"),
    "number": (3, r"3 \(int\); legal: a numpy array"),
    "bytes": (b"12", "legal: a numpy array"),
    "numpy number": (np.float32(3), "legal: a numpy array"),
    "every other": (np.zeros(8, np.uint8)[::2], r"an array of uint8 \(4,\) is not contiguous; legal: "
                    "what numpy.ascontiguousarray"),
    "transposed": (np.zeros((4, 2), np.uint8).T, "is not contiguous"),
    "Fortran order": (np.zeros((2, 4), np.uint8, order="F"), "is not contiguous"),
    "backwards": (np.zeros(4, np.uint8)[::-1], "is not contiguous"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_array_for_gm_is_refused_with_its_parameters_name(case):
    argument, message = REFUSED[case]
    with pytest.raises(vinci.UsageError, match=rf"argument in \(uint8_t\*\): .*{message}"):
        kernel("copy")(argument, np.zeros(8, np.uint8), 0)


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_wrong_number_of_arguments_shows_the_parameters(count):
    with pytest.raises(vinci.UsageError, match=rf"copy\(uint8_t\* in, uint8_t\* out, uint32_t bytes\) "
                                               rf"takes 3 arguments, {count} given"):
        kernel("copy")(*[np.zeros(4, np.uint8)] * count)


@pytest.mark.parametrize("blocks", [0, -1, 65536, 1.0, "2", None, True])
def test_numbers_of_blocks_that_there_are_not(blocks):
    with pytest.raises(vinci.UsageError, match=r"blocks .*; legal: 1\.\.65535"):
        kernel("blocks", "nothing")(blocks=blocks)
    with pytest.raises(vinci.UsageError, match=r"blocks .*; legal: 1\.\.65535"):
        kernel("blocks", "nothing")[blocks]  # pylint: disable=expression-not-assigned
