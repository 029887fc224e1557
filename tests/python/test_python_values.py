"""What goes by value: numbers by the kernel's types, structs by their bytes."""

import ctypes
import struct

import numpy as np
import pytest
import vinci
from python_kit import kernel

INTEGERS = {"int8": (1, True), "uint8": (1, False), "int16": (2, True), "uint16": (2, False),
            "int32": (4, True), "uint32": (4, False), "int64": (8, True), "uint64": (8, False),
            "bool": (1, False), "char": (1, True), "size": (8, False), "enum": (2, False),
            "typedef": (4, False)}


def taken(name, value):
    """The bytes that the kernel take_<name> gets."""
    out = np.full(8, 0xA5, np.uint8)
    kernel("values", f"take_{name}")(out, value)
    return out.tobytes()


def limits(name):
    """The smallest and the largest number of a type."""
    size, signed = INTEGERS[name]
    if name == "bool":
        return 0, 1
    return (-1 << 8 * size - 1, (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_have_the_parameters_type_and_its_ends(name):
    size, signed = INTEGERS[name]
    low, high = limits(name)
    for number in {low, high, 0, 1}:
        assert taken(name, number)[:size] == number.to_bytes(size, "little", signed=signed)
    for number in (low - 1, high + 1):
        with pytest.raises(vinci.UsageError, match=rf"legal: an integer, {low}\.\.{high}"):
            taken(name, number)


@pytest.mark.parametrize("number", [np.int8(-3), np.uint64(7), np.bool_(True), True], ids=repr)
def test_numpys_integers_are_integers(number):
    assert taken("int32", number)[:4] == int(number).to_bytes(4, "little", signed=True)


@pytest.mark.parametrize("argument", [1.0, np.float32(1), "1", None, [1], np.array(1), np.array([1])],
                         ids=repr)
def test_what_is_no_integer(argument):
    with pytest.raises(vinci.UsageError, match=r"argument value \(int32_t\): .* legal: an integer"):
        taken("int32", argument)


@pytest.mark.parametrize("number", [0.1, -0.0, 1e300, float("nan"), 3, np.float16(0.5),
                                    np.float64(1 / 3), np.int32(-7)], ids=repr)
def test_floats_round_as_numpy_does(number):
    with np.errstate(over="ignore"):
        assert taken("float", number)[:4] == np.float32(number).tobytes()
        assert taken("half", number)[:2] == np.float16(number).tobytes()


def test_a_number_becomes_half_in_one_rounding():
    """1 + 2^-11 + 2^-40 lies above the middle of two halfs, which a float does not hold."""
    assert taken("half", 1 + 2.0 ** -11 + 2.0 ** -40)[:2] == np.float16(1 + 2.0 ** -10).tobytes()


BFLOAT16 = [(1.0, 0x3F80), (-2.5, 0xC020), (1 + 2.0 ** -8, 0x3F80), (1 + 3 * 2.0 ** -8, 0x3F82),
            (1 + 2.0 ** -8 + 2.0 ** -40, 0x3F81), (np.float32(3), 0x4040), (7, 0x40E0)]


@pytest.mark.parametrize("number, word", BFLOAT16, ids=repr)
def test_bfloat16_rounds_to_nearest_even(number, word):
    assert taken("bfloat16", number)[:2] == word.to_bytes(2, "little")


def test_a_word_of_16_bits_is_a_bfloat16_already():
    assert taken("bfloat16", np.uint16(0x7FC1))[:2] == b"\xc1\x7f"
    assert taken("half", np.uint16(3))[:2] == np.float16(3).tobytes()


@pytest.mark.parametrize("argument", ["1", None, 1j, np.complex64(1), [1.0], np.zeros(1)], ids=repr)
@pytest.mark.parametrize("name", ["float", "half", "bfloat16"])
def test_what_is_no_number(name, argument):
    with pytest.raises(vinci.UsageError, match="argument value .* legal: a number"):
        taken(name, argument)


def test_a_number_that_no_float_comes_near():
    with pytest.raises(vinci.UsageError, match="a number that a float can hold"):
        taken("float", 10 ** 400)


def test_the_ai_core_has_no_double():
    with pytest.raises(vinci.UsageError, match="no argument: the AI Core has no double"):
        taken("double", 1.0)


def test_more_values_than_registers():
    """Twenty of all kinds, each seen in its own place."""
    out = np.zeros(160, np.uint8)
    numbers = [-1, 0.5, 60000, -2.0, -(1 << 31), 1.5, (1 << 64) - 1, -3.25, -32768, 4.0, 255, 5.5,
               -(1 << 63), 6.0, True, 7.75, 4000000000, 8.0, 9.0, 10.0]
    codes = "bfHeifQfhfBfqf?fIf"
    kernel("values", "take_many")(out, *numbers)
    cells = [out[8 * i:8 * i + 8].tobytes() for i in range(20)]
    for i, code in enumerate(codes):
        assert cells[i].startswith(struct.pack("<" + code, numbers[i])), i
    assert cells[18][:2] == b"\x10\x41" and cells[19][:4] == struct.pack("<f", 10.0)


def fields(*pairs):
    """A structured dtype that lies as in C."""
    return np.dtype(list(pairs), align=True)


STRUCTS = {
    "tiling": fields(("rows", "u4"), ("columns", "u4"), ("flags", "u2", 3), ("stride", "i8")),
    "one_float": fields(("scale", "f4")),
    "two_floats": fields(("x", "f4"), ("y", "f4")),
    "three_floats": fields(("x", "f4"), ("y", "f4"), ("z", "f4")),
    "float_and_int": fields(("x", "f4"), ("n", "i4")),
    "floats_then_int": fields(("x", "f4"), ("y", "f4"), ("n", "i4")),
    "eleven_bytes": fields(("bytes", "u1", 11)),
    "nested": fields(("first", "f4"), ("second", fields(
        ("rows", "u4"), ("columns", "u4"), ("flags", "u2", 3), ("stride", "i8"))), ("third", "u4")),
    "bits": fields(("word", "u4"), ("h", "f2")),
    "derived": fields(("scale", "f4"), ("d", "f8")),
    "harmless": fields(("a", "u4"), ("b", "f4")),
    "halves": fields(("a", "f2"), ("b", "f2"), ("c", "f2"), ("d", "f2")),
}


def mask_of(dtype):
    """Which bytes of a struct are no padding."""
    ones = np.zeros(dtype.itemsize, np.uint8)

    def mark(part, at):
        if part.names is None:
            ones[at:at + part.itemsize] = 1
            return
        for field, offset in part.fields.values():
            mark(field, at + offset)
    for dtype_, offset in dtype.fields.values():
        mark(dtype_, offset)
    return ones.astype(bool)


@pytest.mark.parametrize("name", STRUCTS)
def test_structs_arrive_whole_and_so_do_their_neighbours(name):
    dtype, generator = STRUCTS[name], np.random.default_rng(5)
    content = generator.integers(1, 127, dtype.itemsize, dtype=np.uint8)
    out = np.zeros(76, np.uint8)
    mask = mask_of(dtype)
    for value in (content.view(dtype)[0], content.tobytes(), content.view(dtype).reshape(())):
        out[:] = 0
        kernel("structs", f"take_{name}")(out, 1.25, value, -77, -3.5)
        np.testing.assert_array_equal(out[:dtype.itemsize][mask], content[mask])
        assert out[64:].tobytes() == struct.pack("<fif", 1.25, -77, -3.5)


@pytest.mark.parametrize("threads", [1, 4])
def test_each_block_has_its_own_struct(threads):
    value = np.array((7, 8, (9, 10, 11), -12), STRUCTS["tiling"])
    out = np.zeros((32, 64), np.uint8)
    kernel("structs", "take_tiling_on_each", threads=threads)[32](out, value[()])
    got = np.ascontiguousarray(out[:, :24]).view(STRUCTS["tiling"])[:, 0]
    np.testing.assert_array_equal(got["rows"], 7 + np.arange(32))
    for field in ("columns", "flags", "stride"):
        np.testing.assert_array_equal(got[field], np.broadcast_to(value[field], got[field].shape))


class Tiling(ctypes.Structure):
    """As in structs.cpp."""

    _fields_ = [("rows", ctypes.c_uint32), ("columns", ctypes.c_uint32),
                ("flags", ctypes.c_uint16 * 3), ("stride", ctypes.c_int64)]


def test_a_struct_of_ctypes():
    out = np.zeros(76, np.uint8)
    kernel("structs", "take_tiling")(out, 0, Tiling(1, 2, (3, 4, 5), -6), 0, 0)
    assert out[:24].view(STRUCTS["tiling"])[0].tolist()[:2] == (1, 2)
    assert out[16:24].view(np.int64) == -6


@pytest.mark.parametrize("value", [b"", bytes(23), bytes(25), np.zeros((), STRUCTS["nested"])[()]],
                         ids=repr)
def test_a_struct_of_another_size(value):
    with pytest.raises(vinci.UsageError, match=r"argument value \(Tiling\): \d+ bytes; legal: 24 bytes: "):
        kernel("structs", "take_tiling")(np.zeros(76, np.uint8), 0, value, 0, 0)


@pytest.mark.parametrize("value", [3, "x" * 24, np.zeros(24, np.uint8), (1, 2), None,
                                   np.zeros(2, STRUCTS["tiling"])], ids=repr)
def test_what_is_no_struct(value):
    with pytest.raises(vinci.UsageError, match="legal: 24 bytes: bytes, a structured scalar"):
        kernel("structs", "take_tiling")(np.zeros(76, np.uint8), 0, value, 0, 0)


# Compilers leave out members of some classes.
COPIES = ("(it has virtual functions, or a constructor or destructor that copies or ends it|"
          "the debug information does not have its members)")
OBSTACLES = {"empty": (1, "it has no members"), "packed": (5, "its members are not aligned"),
             "aligned": (16, "it has an alignment over 8 bytes"), "copied": (4, COPIES),
             "holder": (4, COPIES), "virtual": (16, COPIES)}


@pytest.mark.parametrize("name", OBSTACLES)
def test_structs_that_cannot_go_by_value_say_why(name):
    size, why = OBSTACLES[name]
    with pytest.raises(vinci.LacksError, match=f"cannot be passed by value: {why}; pass it in GM"):
        kernel("structs", f"take_{name}")(np.zeros(76, np.uint8), 0, bytes(size), 0, 0)

