"""--expect: an output against a golden file."""

import json

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, copy, run


def expect(tmp_path, got, golden, tolerance="", dtype=None, file="gold.npy"):
    """Copies `got` to out.npy and expects `golden`."""
    np.save(tmp_path / "got.npy", got)
    if golden is not None:
        np.save(tmp_path / "gold.npy", golden)
    suffix = f":{dtype}" if dtype else ""
    done = copy(tmp_path, f"in:got.npy{suffix}", f"inout:got.npy:out.npy{suffix}",
                expect=[f"out.npy={file}{tolerance}"], extra=["--json", "report.json"])
    if (tmp_path / "report.json").exists():
        done.report = json.loads((tmp_path / "report.json").read_text())
    return done


def check_failed(done, code, message):
    """The run ends with exit 1 and this one fault."""
    assert done.code == 1, done.stderr
    assert [(fault["code"], fault["message"]) for fault in done.faults] == [(code, message)]
    assert f"error[{code}] {message}\n" in done.stderr


F32 = np.array([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]], np.float32)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "uint8", "int16", "uint16",
                                   "int32", "uint32", "int64", "uint64"])
def test_an_equal_output_is_clean_and_says_so(tmp_path, dtype):
    done = expect(tmp_path, F32.astype(dtype), F32.astype(dtype))
    check_ok(done)
    assert "out.npy = gold.npy: 6 elements, largest difference 0" in done.stdout


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "uint8", "int16", "uint16",
                                   "int32", "uint32", "int64", "uint64"])
def test_one_different_element_is_v8001_with_its_index(tmp_path, dtype):
    golden = F32.astype(dtype)
    golden[1, 0] += 1
    check_failed(expect(tmp_path, F32.astype(dtype), golden), "V8001",
                 "out.npy: 1 of 6 elements differ from gold.npy; first at [1, 0]: 8 where 9 is "
                 "expected, largest difference 1")


def test_the_first_and_the_largest_difference_are_named(tmp_path):
    golden = F32.copy()
    golden[0, 1], golden[1, 2] = 2.5, 0
    check_failed(expect(tmp_path, F32, golden), "V8001",
                 "out.npy: 2 of 6 elements differ from gold.npy; first at [0, 1]: 2 where 2.5 is "
                 "expected, largest difference 32")


@pytest.mark.parametrize("tolerance, got, good", [
    (":atol=0.5", 2, 2.5), (":atol=5e-1", 2, 1.5), (":rtol=0.25", 6, 8), (":rtol=0.25", 10, 8),
    (":rtol=0.25", -10, -8), (":rtol=0.125:atol=0.25", 2, 2.5), (":atol=0.25:rtol=0.125", 2, 2.5),
])
def test_a_difference_at_the_tolerance_is_clean(tmp_path, tolerance, got, good):
    check_ok(expect(tmp_path, np.array([2, got], np.float32), np.array([2, good], np.float32),
                    tolerance))


@pytest.mark.parametrize("tolerance, bad", [
    (":atol=0.5", 2.5000002), (":rtol=0.25", 1.5999), (":rtol=0.125:atol=0.25", 2.6), (":atol=0", 3),
])
def test_a_difference_beyond_the_tolerance_fails_and_shows_it(tmp_path, tolerance, bad):
    done = expect(tmp_path, np.full(3, 2, np.float32), np.array([2, 2, bad], np.float32), tolerance)
    assert done.code == 1 and done.codes == ["V8001"]
    assert "1 of 3 elements differ" in done.stderr
    assert "first at [2]" in done.stderr
    assert "|difference| <= " in done.faults[0]["legal"]


def test_the_relative_tolerance_is_of_the_golden_value(tmp_path):
    small, large = np.array([8], np.float32), np.array([10], np.float32)
    check_ok(expect(tmp_path, small, large, ":rtol=0.2"))
    assert expect(tmp_path, large, small, ":rtol=0.2").codes == ["V8001"]


def test_nan_equals_nan_and_nothing_else(tmp_path):
    nan = np.array([np.nan, 1], np.float32)
    check_ok(expect(tmp_path, nan, nan))
    assert expect(tmp_path, nan, np.ones(2, np.float32), ":atol=1e30").codes == ["V8001"]
    assert expect(tmp_path, np.ones(2, np.float32), nan, ":atol=1e30").codes == ["V8001"]


def test_infinities_are_equal_only_to_themselves(tmp_path):
    inf = np.array([np.inf, -np.inf], np.float16)
    check_ok(expect(tmp_path, inf, inf))
    for other in ([np.inf, np.inf], [65504, -65504]):
        assert expect(tmp_path, inf, np.array(other, np.float16), ":rtol=inf").code == 1


def test_minus_zero_equals_zero(tmp_path):
    check_ok(expect(tmp_path, np.array([-0.0], np.float32), np.array([0.0], np.float32)))


def test_64_bit_integers_are_compared_exactly(tmp_path):
    done = expect(tmp_path, np.array([2**63], np.uint64), np.array([2**63 + 1], np.uint64))
    assert done.codes == ["V8001"]
    assert "9223372036854775808 where 9223372036854775809 is expected" in done.stderr


def test_bfloat16_is_compared_as_numbers(tmp_path):
    one, near = np.array([0x3F80], np.uint16), np.array([0x3F81], np.uint16)
    check_ok(expect(tmp_path, one, near, ":rtol=0.01", dtype="bfloat16"))
    done = expect(tmp_path, one, near, dtype="bfloat16")
    assert "1 where 1.0078125 is expected" in done.stderr and done.code == 1


def test_int4_is_compared_as_numbers(tmp_path):
    packed = np.array([0x21, 0x8F], np.uint8)
    check_ok(expect(tmp_path, packed, packed, dtype="int4"))
    done = expect(tmp_path, packed, np.array([0x21, 0x9F], np.uint8), dtype="int4")
    check_failed(done, "V8001", "out.npy: 1 of 4 elements differ from gold.npy; first at [3]: -8 "
                 "where -7 is expected, largest difference 1")


def test_a_missing_golden_file_is_v8002(tmp_path):
    done = expect(tmp_path, F32, None)
    check_failed(done, "V8002", "out.npy: gold.npy cannot be opened: No such file or directory")
    assert done.faults[0]["legal"] == "an .npy file of the output's dtype and shape"


@pytest.mark.parametrize("golden, problem", [
    (F32.reshape(3, 2), "gold.npy has shape 3x2 where the output is 2x3"),
    (F32.reshape(-1), "gold.npy has shape 6 where the output is 2x3"),
    (F32[:1], "gold.npy has shape 1x3 where the output is 2x3"),
    (F32.astype(np.float16), "gold.npy has dtype half where the output is float"),
    (F32.astype(np.int32), "gold.npy has dtype int32 where the output is float"),
])
def test_a_golden_file_of_another_kind_is_v8002(tmp_path, golden, problem):
    check_failed(expect(tmp_path, F32, golden), "V8002", f"out.npy: {problem}")


def test_a_golden_file_of_doubles_is_v8002(tmp_path):
    done = expect(tmp_path, F32, F32.astype(np.float64))
    assert done.codes == ["V8002"] and done.code == 1
    assert "dtype <f8 cannot be used" in done.stderr


def test_a_golden_file_that_is_no_npy_is_v8002(tmp_path):
    (tmp_path / "gold.txt").write_text("1 2 3")
    done = expect(tmp_path, F32, None, file="gold.txt")
    check_failed(done, "V8002", "out.npy: gold.txt is not an .npy file")


def test_an_output_that_is_not_written_does_not_match(tmp_path):
    np.save(tmp_path / "gold.npy", np.zeros(4, np.float32))
    done = copy(tmp_path, "zeros:float:4", "out:out.npy:float:4", expect=["out.npy=gold.npy"])
    assert done.code == 1
    assert "4 of 4 elements differ" in done.stderr


def test_an_unknown_output_is_refused_with_the_outputs_there_are(tmp_path):
    done = copy(tmp_path, "out:a.npy:half:1", "out:b.npy:half:1", expect=["c.npy=gold.npy"])
    check_usage(done, "--expect: c.npy is no output of this run; there are: a.npy b.npy")
    assert not (tmp_path / "a.npy").exists()


@pytest.mark.parametrize("text", ["", "out.npy", "=gold.npy", "out.npy=", "out.npy=gold.npy:rtol=",
                                  "out.npy=gold.npy:rtol=x", "out.npy=gold.npy:rtol=-1",
                                  "out.npy=gold.npy:atol=nan", "out.npy=gold.npy:atol=1x"])
def test_an_expectation_that_is_not_understood_is_refused(tmp_path, text):
    check_usage(copy(tmp_path, "zeros:half:1", "out:out.npy:half:1", expect=[text]), "--expect")


def test_an_unknown_option_of_an_expectation_is_refused(tmp_path):
    np.save(tmp_path / "gold.npy", np.zeros(1, np.float16))
    done = copy(tmp_path, "zeros:half:1", "out:out.npy:half:1", count=2,
                expect=["out.npy=gold.npy:tol=1"])
    assert done.code in (1, 2)
    assert "tol=1" in done.stderr


def test_several_expectations_are_all_checked(tmp_path):
    np.save(tmp_path / "one.npy", np.ones(1, np.float16))
    done = copy(tmp_path, "inout:one.npy:a.npy", "inout:one.npy:b.npy", count=2,
                expect=["a.npy=none.npy", "b.npy=one.npy"])
    assert done.code == 1
    assert "none.npy cannot be opened" in done.stderr
    assert "b.npy = one.npy: 1 elements" in done.stdout


def test_the_report_tells_each_comparison(tmp_path):
    golden = F32.copy()
    golden[0, 0] = 1.5
    done = expect(tmp_path, F32, golden, ":atol=0.25")
    assert done.report["expectations"] == [
        {"output": "out.npy", "golden": "gold.npy", "comparable": True, "elements": 6,
         "different": 1, "largest_difference": 0.5}]
    assert done.report["exit_code"] == 1


def test_the_output_is_saved_although_it_differs(tmp_path):
    expect(tmp_path, F32, F32 + 1)
    assert (np.load(tmp_path / "out.npy") == F32).all()


def test_a_fault_and_an_expectation_are_both_reported(tmp_path):
    done = run("blocks.cpp", "faults_between", cwd=tmp_path,
               args=["out:out.npy:uint8:2", "value:int32:128"], expect=["out.npy=none.npy"])
    assert done.code == 1
    assert "error[V1001]" in done.stderr and "error[V8002]" in done.stderr
