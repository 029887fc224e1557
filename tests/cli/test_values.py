"""Parameters passed by value: every type, its limits, and what cannot be passed."""

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, load, run


def take(tmp_path, kernel, *values, cells=1):
    """Calls kernel(out, values...); the cells of 8 bytes that it wrote, as bytes."""
    done = run("values.cpp", kernel, cwd=tmp_path,
               args=["inout:zero.npy:out.npy", *[f"value:{value}" for value in values]])
    check_ok(done)
    return load(tmp_path / "out.npy").reshape(-1, 8)[:cells]


@pytest.fixture(autouse=True)
def zero(tmp_path):
    np.save(tmp_path / "zero.npy", np.zeros(160, np.uint8))


INTEGERS = [(kind, bits) for bits in (8, 16, 32, 64) for kind in ("int", "uint")]


@pytest.mark.parametrize("kind, bits", INTEGERS)
def test_an_integer_arrives_with_all_its_bits(tmp_path, kind, bits):
    dtype = np.dtype(f"{kind}{bits}")
    for number in (np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 77):
        got = take(tmp_path, f"take_{dtype}", f"{dtype}:{number}")
        assert got[0, :bits // 8].tobytes() == np.array(number, dtype).tobytes()


@pytest.mark.parametrize("kind, bits", INTEGERS)
def test_an_integer_out_of_range_is_refused_with_the_range(tmp_path, kind, bits):
    dtype = np.dtype(f"{kind}{bits}")
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    for number in (least - 1, most + 1):
        done = run("values.cpp", f"take_{dtype}", cwd=tmp_path,
                   args=["zeros:uint8:8", f"value:{dtype}:{number}"])
        check_usage(done, f"{number} is not legal for {dtype}", f"{least}..{most}")


FLOATS = ["0", "-0.0", "1", "-1.5", "0.1", "65504", "65519.99", "65520", "1e-8", "2.98e-8", "1e-45",
          "inf", "-inf", "nan", "3.4e38", "1e39", "0x1.8p3", "1.00048828125", "1.00146484375"]


@pytest.mark.parametrize("number", FLOATS)
def test_a_float_is_rounded_as_numpy_rounds_it(tmp_path, number):
    wanted = np.array(float.fromhex(number) if number.startswith("0x") else float(number))
    with np.errstate(over="ignore"):
        as_float, as_half = wanted.astype(np.float32), wanted.astype(np.float16)
    got = take(tmp_path, "take_float", f"float:{number}")[0, :4].copy().view(np.float32)[0]
    assert got.tobytes() == as_float.tobytes() or (np.isnan(got) and np.isnan(as_float))
    got = take(tmp_path, "take_half", f"half:{number}")[0, :2].copy().view(np.float16)[0]
    assert got.tobytes() == as_half.tobytes() or (np.isnan(got) and np.isnan(as_half))


@pytest.mark.parametrize("number, bits", [("1", 0x3F80), ("-2", 0xC000), ("1.00390625", 0x3F80),
                                          ("1.01171875", 0x3F82), ("1.0039063", 0x3F81),
                                          ("3.4e38", 0x7F80), ("inf", 0x7F80), ("-0", 0x8000)])
def test_a_bfloat16_is_rounded_to_nearest_even(tmp_path, number, bits):
    got = take(tmp_path, "take_bfloat16", f"bfloat16:{number}")
    assert got[0, :2].copy().view(np.uint16)[0] == bits


@pytest.mark.parametrize("kernel, value, wanted", [
    ("take_bool", "uint8:1", [1]), ("take_bool", "uint8:0", [0]), ("take_char", "int8:-2", [254]),
    ("take_size", "uint64:258", [2, 1]), ("take_enum", "uint16:513", [1, 2]),
    ("take_typedef", "uint32:513", [1, 2, 0, 0]), ("take_uint8", "int8:-1", [255]),
])
def test_other_types_of_the_same_width_work(tmp_path, kernel, value, wanted):
    assert take(tmp_path, kernel, value)[0, :len(wanted)].tolist() == wanted


def test_twenty_mixed_parameters_arrive(tmp_path):
    dtypes = ["int8", "float32", "uint16", "float16", "int32", "float32", "uint64", "float32",
              "int16", "float32", "uint8", "float32", "int64", "float32", "uint8", "float32",
              "uint32", "float32", "bfloat16", "float32"]
    numbers = [-1, 1.5, 65535, -2.5, -3, 4.25, 2**64 - 1, 5.5, -6, 7.75, 255, 8.5, -2**63, 9.5, 1,
               10.5, 2**32 - 1, 11.5, 3.0, 12.5]
    names = {"float32": "float", "float16": "half"}
    got = take(tmp_path, "take_many", *[f"{names.get(d, d)}:{n}" for d, n in zip(dtypes, numbers)],
               cells=20)
    for cell, dtype, number in zip(got, dtypes, numbers):
        wanted = (np.array(0x4040, np.uint16) if dtype == "bfloat16" else np.array(number, dtype))
        assert cell[:wanted.nbytes].tobytes() == wanted.tobytes()
        assert not cell[wanted.nbytes:].any()


def test_a_pointer_of_any_type_is_a_buffer(tmp_path):
    np.save(tmp_path / "b.npy", np.array([2.5], np.float32))
    np.save(tmp_path / "d.npy", np.array([1, 7], np.uint32))
    check_ok(run("values.cpp", "take_pointers", cwd=tmp_path,
                 args=["out:a.npy:half:1", "in:b.npy", "out:c.npy:uint8:1", "in:d.npy"]))
    assert load(tmp_path / "a.npy").tolist() == [2.5]
    assert load(tmp_path / "c.npy").tolist() == [7]


NO_NUMBERS = [
    ("int32", ""), ("int32", "x"), ("int32", "1.5"), ("int32", "1e3"), ("int32", " 1"),
    ("int32", "1 "), ("int32", "0x10"), ("int32", "--1"), ("uint32", "-1"), ("uint32", "+1"),
    ("float", ""), ("float", "x"), ("float", "1,5"), ("float", "1.5f"), ("half", "one"),
    ("half", " 1"),
]


@pytest.mark.parametrize("dtype, number", NO_NUMBERS, ids=str)
def test_what_is_no_number_is_refused(tmp_path, dtype, number):
    done = run("values.cpp", f"take_{dtype}", cwd=tmp_path,
               args=["zeros:uint8:8", f"value:{dtype}:{number}"])
    check_usage(done, f"--arg value:{dtype}:{number}: {number} is not legal for {dtype}; legal: ")


@pytest.mark.parametrize("kernel, spec, phrase", [
    ("take_int32", "value:int16:1", "legal: value: with a DTYPE of 32 bits"),
    ("take_int32", "value:float:1", "legal: value: with a DTYPE of 32 bits"),
    ("take_float", "value:int32:1", "legal: value:float:NUMBER"),
    ("take_float", "value:half:1", "legal: value:float:NUMBER"),
    ("take_half", "value:float:1", "legal: value:half:NUMBER"),
    ("take_bool", "value:int32:1", "legal: value: with a DTYPE of 8 bits"),
    ("take_int32", "zeros:int32:1", "legal: value: with a DTYPE of 32 bits"),
    ("take_float", "zeros:float:1", "legal: value:float:NUMBER"),
    ("take_double", "value:float:1", "the AI Core has no double"),
])
def test_a_value_that_does_not_fit_the_parameter_is_refused(tmp_path, kernel, spec, phrase):
    done = run("values.cpp", kernel, cwd=tmp_path, args=["zeros:uint8:8", spec])
    check_usage(done, f"--arg {spec} does not fit parameter", phrase)


@pytest.mark.parametrize("kernel", ["take_half", "take_bfloat16"])
def test_an_integer_is_not_taken_for_a_16_bit_float(tmp_path, kernel):
    done = run("values.cpp", kernel, cwd=tmp_path, args=["zeros:uint8:8", "value:int16:1"])
    check_usage(done, "does not fit parameter")


@pytest.mark.parametrize("kernel, dtype", [("take_half", "bfloat16"), ("take_bfloat16", "half")])
def test_a_float_is_not_taken_for_another_type_of_16_bits(tmp_path, kernel, dtype):
    done = run("values.cpp", kernel, cwd=tmp_path, args=["zeros:uint8:8", f"value:{dtype}:1"])
    check_usage(done, "does not fit parameter")


@pytest.mark.parametrize("kernel, words", [("take_struct", np.array([7, -9], np.int32)),
                                           ("take_float_struct", np.array([1.5], np.float32)),
                                           ("take_int4", np.array([5], np.uint8))])
def test_a_struct_is_the_bytes_of_a_file(tmp_path, kernel, words):
    np.save(tmp_path / "struct.npy", words)
    check_ok(run("values.cpp", kernel, cwd=tmp_path,
                 args=["inout:zero.npy:out.npy", "in:struct.npy"]))
    assert load(tmp_path / "out.npy")[:words.nbytes].tobytes() == words.tobytes()


def test_a_struct_of_another_size_is_refused(tmp_path):
    np.save(tmp_path / "struct.npy", np.zeros(3, np.int32))
    done = run("values.cpp", "take_struct", cwd=tmp_path, args=["zeros:uint8:8", "in:struct.npy"])
    check_usage(done, "the file holds 12 bytes, and parameter Tiling value has 8")


@pytest.mark.parametrize("spec", ["value:uint64:1", "zeros:uint8:8", "out:o.npy:uint8:8", "null"])
def test_a_struct_is_no_buffer_and_no_number(tmp_path, spec):
    done = run("values.cpp", "take_struct", cwd=tmp_path, args=["zeros:uint8:8", spec])
    check_usage(done, f"--arg {spec} does not fit parameter Tiling value; "
                "legal: in:FILE.npy with the 8 bytes of the struct")


def test_int4_is_no_type_to_pass(tmp_path):
    done = run("values.cpp", "take_int8", cwd=tmp_path, args=["zeros:uint8:8", "value:int4:1"])
    check_usage(done, "does not fit parameter")
