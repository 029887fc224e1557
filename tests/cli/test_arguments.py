"""--arg: every form, and every way to get it wrong."""

import os
import subprocess

import numpy as np
import pytest

import harness
from cli_kit import KERNELS, check_ok, check_usage, copy, load, run

SPECS = "in:FILE.npy[:DTYPE[:SHAPE]], out:FILE.npy:DTYPE:SHAPE, inout:IN.npy:OUT.npy[:DTYPE]"
DTYPES = "half, bfloat16, float, int4, int8, uint8, int16, uint16, int32, uint32, int64, uint64"

NUMPY = ["float16", "float32", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
         "uint64"]
NAMES = {"float16": "half", "float32": "float"}


@pytest.mark.parametrize("numpy_type", NUMPY)
def test_a_file_of_any_type_goes_in_and_out(tmp_path, numpy_type):
    data = np.arange(24).astype(numpy_type).reshape(2, 3, 4)
    np.save(tmp_path / "a.npy", data)
    check_ok(copy(tmp_path, "in:a.npy", f"out:b.npy:{NAMES.get(numpy_type, numpy_type)}:2x3x4",
                  count=data.nbytes))
    back = load(tmp_path / "b.npy")
    assert back.dtype == data.dtype and back.shape == data.shape and (back == data).all()


def test_booleans_are_bytes(tmp_path):
    np.save(tmp_path / "a.npy", np.array([True, False, True]))
    check_ok(copy(tmp_path, "in:a.npy", "out:b.npy:uint8:3", count=3))
    assert load(tmp_path / "b.npy").tolist() == [1, 0, 1]


def test_bfloat16_is_its_16_bit_words(tmp_path):
    words = np.array([0x3F80, 0xC000, 0x7F80], np.uint16)
    np.save(tmp_path / "a.npy", words)
    check_ok(copy(tmp_path, "in:a.npy:bfloat16", "out:b.npy:bfloat16:3", count=6))
    back = load(tmp_path / "b.npy")
    assert back.dtype == np.uint16 and (back == words).all()


def test_int4_is_two_to_a_byte(tmp_path):
    packed = np.array([0x10, 0x32, 0xFE], np.uint8)
    np.save(tmp_path / "a.npy", packed)
    check_ok(copy(tmp_path, "in:a.npy:int4", "out:b.npy:int4:6", count=3))
    back = load(tmp_path / "b.npy")
    assert back.dtype == np.uint8 and back.shape == (3,) and (back == packed).all()


def test_the_bytes_of_a_file_can_be_read_as_another_type_of_that_width(tmp_path):
    np.save(tmp_path / "a.npy", np.array([1, 2], np.int16))
    check_ok(copy(tmp_path, "in:a.npy:half", "out:b.npy:half:2", count=4))
    assert load(tmp_path / "b.npy").view(np.uint16).tolist() == [1, 2]


def test_numpys_names_of_types_will_do(tmp_path):
    np.save(tmp_path / "a.npy", np.array([1, 2], np.float16))
    check_ok(copy(tmp_path, "in:a.npy:float16", "out:b.npy:float16:2", count=4))
    assert load(tmp_path / "b.npy").dtype == np.float16
    check_ok(copy(tmp_path, "zeros:float32:2", "out:b.npy:float32:2", count=8))
    assert load(tmp_path / "b.npy").dtype == np.float32


def test_inout_reads_one_file_and_writes_another(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(4, dtype=np.int32))
    np.save(tmp_path / "b.npy", np.full(4, 9, np.int32))
    check_ok(copy(tmp_path, "in:a.npy", "inout:b.npy:c.npy", count=8))
    assert load(tmp_path / "c.npy").tolist() == [0, 1, 9, 9]
    assert load(tmp_path / "b.npy").tolist() == [9, 9, 9, 9]


def test_inout_may_write_the_file_it_reads(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(4, dtype=np.float16))
    check_ok(copy(tmp_path, "zeros:half:2", "inout:a.npy:a.npy:half", count=4))
    assert load(tmp_path / "a.npy").tolist() == [0, 0, 2, 3]


def test_zeros_are_zero(tmp_path):
    check_ok(copy(tmp_path, "zeros:float:2x2", "out:b.npy:float:2x2", count=16))
    assert load(tmp_path / "b.npy").tolist() == [[0, 0], [0, 0]]


def test_an_output_that_nobody_writes_shows(tmp_path):
    check_ok(copy(tmp_path, "zeros:float:1", "out:b.npy:float:3", count=4))
    back = load(tmp_path / "b.npy")
    assert back[0] == 0 and np.isnan(back[1:]).all()


@pytest.mark.parametrize("shape", ["0", "0x5", "3x0"])
def test_an_empty_shape_is_legal(tmp_path, shape):
    check_ok(copy(tmp_path, f"zeros:half:{shape}", f"out:b.npy:half:{shape}"))
    assert load(tmp_path / "b.npy").shape == tuple(map(int, shape.split("x")))


def test_a_file_without_elements_is_legal(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((0, 3), np.int8))
    check_ok(copy(tmp_path, "in:a.npy", "zeros:int8:1"))


def test_a_scalar_file_is_one_element(tmp_path):
    np.save(tmp_path / "a.npy", np.array(7, np.int32))
    check_ok(copy(tmp_path, "in:a.npy", "out:b.npy:int32:1", count=4))
    assert load(tmp_path / "b.npy").tolist() == [7]


WRONG = [
    ("", ["is not understood", SPECS]),
    ("in", ["is not understood", SPECS]),
    ("read:a.npy", ["--arg read:a.npy is not understood", SPECS]),
    ("IN:a.npy", ["is not understood"]),
    ("in:a.npy:half:3:4", ["is not understood"]),
    ("out:b.npy", ["is not understood"]),
    ("out:b.npy:half", ["is not understood"]),
    ("zeros:half", ["is not understood"]),
    ("inout:a.npy", ["is not understood"]),
    ("value:half", ["is not understood"]),
    ("value:half:1:2", ["is not understood"]),
    ("in:a.npy:fp16", ["fp16 is no DTYPE", DTYPES]),
    ("in:a.npy:", [" is no DTYPE", DTYPES]),
    ("out:b.npy:double:3", ["double is no DTYPE", DTYPES]),
    ("out:b.npy:Half:3", ["Half is no DTYPE", DTYPES]),
    ("out:b.npy:half:", [" is no SHAPE", "16x128"]),
    ("out:b.npy:half:x", ["x is no SHAPE"]),
    ("out:b.npy:half:3x", ["3x is no SHAPE"]),
    ("out:b.npy:half:x3", ["x3 is no SHAPE"]),
    ("out:b.npy:half:3xx3", ["3xx3 is no SHAPE"]),
    ("out:b.npy:half:3X3", ["3X3 is no SHAPE"]),
    ("out:b.npy:half:3,3", ["3,3 is no SHAPE"]),
    ("out:b.npy:half:-3", ["-3 is no SHAPE"]),
    ("out:b.npy:half:+3", ["+3 is no SHAPE"]),
    ("out:b.npy:half:3.5", ["3.5 is no SHAPE"]),
    ("out:b.npy:half: 3", [" 3 is no SHAPE"]),
    ("zeros:half:99999999999999999999", ["is no SHAPE"]),
    ("zeros:half:4294967296x4294967296", ["is no SHAPE"]),
    ("zeros:half:1048576x1048577", ["is no SHAPE"]),
    ("in:missing.npy", ["missing.npy cannot be opened: No such file or directory"]),
    ("in:", ["cannot be opened"]),
    ("in:.", [".npy"]),
    ("value:int32:3", ["--arg value:int32:3 does not fit parameter uint8_t* in",
                       "a buffer (in:, out:, inout:, zeros:), null"]),
]


@pytest.mark.parametrize("spec, phrases", WRONG, ids=[spec or "empty" for spec, _ in WRONG])
def test_a_wrong_buffer_is_refused_with_what_is_legal(tmp_path, spec, phrases):
    check_usage(copy(tmp_path, spec, "zeros:half:4"), *phrases)


@pytest.mark.parametrize("bias, wanted", [("null", 7), ("zeros:uint8:1", 0)])
def test_an_optional_input_that_is_not_there_is_a_null_pointer(tmp_path, bias, wanted):
    check_ok(run("blocks.cpp", "optional", cwd=tmp_path, args=["out:o.npy:uint8:1", bias]))
    assert load(tmp_path / "o.npy").tolist() == [wanted]


def test_a_null_pointer_is_no_number_and_no_memory(tmp_path):
    check_usage(copy(tmp_path, "null:uint8:1", "zeros:uint8:4"), "null:uint8:1 is not understood")
    done = run("blocks.cpp", "plain_cpp", cwd=tmp_path, args=["zeros:uint8:1", "null"])
    check_usage(done, "--arg null does not fit parameter uint8_t value")
    done = run("blocks.cpp", "block_index", cwd=tmp_path, args=["null"])
    assert done.code == 1 and "error[V5001]" in done.stderr, done.stderr


def test_a_shape_beyond_all_memory_is_refused_at_once(tmp_path):
    # The limit on CPU time keeps a vinci that tries it anyway from filling the memory.
    done = subprocess.run(
        ["sh", "-c", 'ulimit -t 2; exec "$@"', "-", harness.VINCI, "run", KERNELS / "copy.cpp",
         "--arg", "zeros:uint64:1048576x1048576", "--arg", "zeros:half:4", "--arg", "value:uint32:0"],
        capture_output=True, text=True, timeout=20, check=False, cwd=tmp_path,
        env=dict(os.environ, VINCI_CACHE=str(harness.CACHE)))
    check_usage(harness.Run(done.returncode, done.stdout, done.stderr),
                "8796093022208 bytes of memory are not to be had")


@pytest.mark.parametrize("dtype, words, phrase", [
    ("float", np.int16, "the file holds int16, which is not 32 bits wide"),
    ("half", np.uint8, "the file holds uint8, which is not 16 bits wide"),
    ("int4", np.int16, "int4 comes in bytes of two, the file holds int16"),
])
def test_a_type_of_another_width_than_the_files_is_refused(tmp_path, dtype, words, phrase):
    np.save(tmp_path / "a.npy", np.zeros(4, words))
    check_usage(copy(tmp_path, f"in:a.npy:{dtype}", "zeros:half:4"), phrase)


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_wrong_number_of_arguments_shows_the_kernels_parameters(tmp_path, count):
    done = run("copy.cpp", None, cwd=tmp_path, args=["zeros:half:1"] * count)
    check_usage(done, f"takes 3 arguments, {count} --arg given",
                "copy(uint8_t* in, uint8_t* out, uint32_t bytes)")


def test_an_output_in_a_folder_that_does_not_exist_is_refused(tmp_path):
    done = copy(tmp_path, "zeros:half:1", "out:no/such/b.npy:half:1")
    check_usage(done, "no/such/b.npy cannot be written", "No such file or directory")


def test_an_output_that_cannot_be_written_is_refused_before_the_kernel_runs(tmp_path):
    done = copy(tmp_path, "zeros:half:1", "out:no/such/b.npy:half:1")
    assert "clean" not in done.stdout


def test_two_outputs_in_one_file_are_refused(tmp_path):
    check_usage(copy(tmp_path, "out:b.npy:half:1", "out:b.npy:half:1"), "b.npy")
