"""Accesses outside tensors and buffers, misaligned, in the wrong memory, overlapping."""

import numpy as np
import pytest

import fault_case
from fault_case import BUILDS, Case, call
from harness import Out, Value, run_kernel

FILE = "memory.cpp"
END = "bytes 0..255"
UB = "C1, CO2, VECIN, VECOUT, VECCALC"

CASES = [
    Case("set_value", 127, 128, "V1001",
         "SetValue: the tensor writes bytes 256..257 of a tensor of 256 bytes in VECIN", END),
    Case("set_value_in_buffer", 31, 32, "V1011",
         "SetValue: the tensor writes bytes 64..65 of a tensor of 64 bytes in VECIN", "bytes 0..63",
         exit=0, severity="warning"),
    Case("get_value_in_buffer", 31, 127, "V1011",
         "GetValue: the tensor reads bytes 254..255 of a tensor of 64 bytes in VECIN", "bytes 0..63",
         exit=0, severity="warning"),
    Case("set_value", 0, -1, "V1001",
         "SetValue: the tensor writes bytes -2..-1 of a tensor of 256 bytes in VECIN",
         END),
    *(Case(kernel, 1, 2, "V1001",
           f"{api} bytes 131072..196607 of a tensor of 131072 bytes in VECCALC", "bytes 0..131071")
      for kernel, api in (("set_large", "SetValue: the tensor writes"),
                          ("get_large", "GetValue: the tensor reads"),
                          ("call_large", "SetValue: the tensor writes"))),
    Case("set_large_gm", 0, 1, "V1001",
         "SetValue: the tensor writes bytes 65536..131071 of a tensor of 65536 bytes in GM",
         "bytes 0..65535"),
    Case("get_value", 127, 128, "V1001",
         "GetValue: the tensor reads bytes 256..257 of a tensor of 256 bytes in VECIN", END),
    Case("call_operator", 127, 128, "V1001",
         "SetValue: the tensor writes bytes 256..257 of a tensor of 256 bytes in VECIN", END),
    Case("part_behind_end", 127, 128, "V1001",
         "SetValue: the tensor writes bytes 0..1 of a tensor of 0 bytes in VECIN, t[i] behind "
         "the elements of t",
         "nothing: the tensor is empty"),
    Case("int4_set_value", 511, 512, "V1001",
         "SetValue: the tensor writes bytes 256..256 of a tensor of 256 bytes in VECIN", END),
    Case("duplicate_count", 128, 129, "V1001",
         "Duplicate: dst writes bytes 0..257 of a tensor of 256 bytes in VECIN", END, "V"),
    Case("add_repeats", 2, 3, "V1001",
         "Add: src0 reads bytes 0..383 of a tensor of 256 bytes in VECIN", END, "V"),
    Case("gm_tensor_end", 99, 100, "V1011",
         "SetValue: the tensor writes bytes 200..201 of a tensor of 200 bytes in GM", "bytes 0..199",
         exit=0, severity="warning"),
    Case("gm_tensor_end", 99, 500, "V1001",
         "SetValue: the tensor writes bytes 1000..1001 of a tensor of 200 bytes in GM",
         "bytes 0..199"),
    Case("behind_ub", 261888, 261920, "V1002",
         "Duplicate: dst writes bytes 261920..262175 of UB, which has 262144 on Ascend310P3",
         "bytes 0..262143", "V"),
    Case("copy_behind_gm", 372, 373, "V1003",
         "DataCopy: src reads bytes 746..1001 of GM buffer gm, which has 1000", "bytes 0..999", "MTE2"),
    Case("gm_set_value", 499, 500, "V1003",
         "SetValue: the tensor writes bytes 1000..1001 of GM buffer gm, which has 1000", "bytes 0..999"),
    Case("gm_set_value", 0, -1, "V1003",
         "SetValue: the tensor writes bytes -2..-1 of GM buffer gm, which has 1000", "bytes 0..999"),
    Case("gm_get_value", 499, 500, "V1003",
         "GetValue: the tensor reads bytes 1000..1001 of GM buffer gm, which has 1000", "bytes 0..999"),
    Case("part_before_gm", 0, -8, "V1001",
         "SetValue: the tensor writes bytes 0..1 of a view without elements, which begins at byte -16 of "
         "GM buffer gm", "nothing: the tensor is empty"),
    Case("part_before_gm", 99, 100, "V1001",
         "SetValue: the tensor writes bytes 0..1 of a view without elements, which begins at byte 200 of "
         "GM buffer gm", "nothing: the tensor is empty"),
    Case("part_before_ub", 0, -16, "V1001",
         "Duplicate: dst writes bytes 0..31 of a view without elements, which begins at byte -32 of UB, "
         "by a negative offset", "nothing: the tensor is empty", "V"),
    Case("unset_gm", 0, 1, "V1003", "DataCopy: src is a GlobalTensor without an address",
         "SetGlobalBuffer, with a pointer that is not null, before it is used", "MTE2"),
    Case("misaligned_gm", 2, 3, "V1004",
         "DataCopy: src begins at byte 3 of GM buffer gm, where no half does", "a multiple of 2", "MTE2"),
    Case("misaligned_gm_value", 4, 2, "V1004",
         "SetValue: the tensor begins at byte 2 of GM buffer gm, where no float does", "a multiple of 4"),
    Case("misaligned_ub", 16, 1, "V1004", "Duplicate: dst starts at byte 2 of UB",
         "a multiple of 32 bytes", "V"),
    Case("misaligned_l0a", 512, 256, "V1004", "LoadData (2D): dstLocal starts at byte 256 of L0A",
         "a multiple of 512 bytes", "MTE1"),
    Case("misaligned_l1", 32, 16, "V1004", "DataCopy: dst starts at byte 16 of L1",
         "a multiple of 32 bytes", "MTE2"),
    Case("load_position", 1, 9, "V1005", "LoadData (2D): no route from VECIN to A2",
         "GM -> A1, B1, A2, B2; A1, B1 -> A2, B2"),
    Case("mmad_position", 2, 4, "V1005", "Mmad: fm is in B2 (L0B), and must be in L0A", "A2", "M"),
    Case("buffer_too_large", 253952, 253953, "V1006",
         "InitBuffer: 253984 bytes in VECCALC (UB), where 253952 of 253952 are left on Ascend310P3",
         "at most 253952 bytes"),
    Case("buffers_too_large_together", 126464, 126465, "V1006",
         "InitBuffer: 2 buffers of 126496 bytes in VECIN (UB), where 252928 of 253952 are left on Ascend310P3",
         "at most 252928 bytes"),
    Case("overlap_in_part", 0, 16, "V1008", "Add: dst and src0 overlap in part in repeat 0",
         "the same start and block stride, or no overlap", "V"),
    Case("overlap_in_part", 64, 48, "V1008", "Add: dst and src0 overlap in part in repeat 0",
         "the same start and block stride, or no overlap", "V"),
    Case("adds_up", 1, 0, "V1008", "Add: dst of repeat 0 overwrites src0 of repeat 1",
         "no repeat's destination is a later repeat's source; dst may be src1, to add up", "V"),
    Case("not_handed_out", 128, 144, "V1009",
         "Duplicate: dst writes bytes 0..287 of UB, which lie in no one buffer of InitBuffer",
         "bytes of one buffer that InitBuffer gave to a queue or a TBuf", "V"),
    Case("watched", 64, 65, "V1009",
         "Duplicate: dst writes bytes 0..129 of UB; CheckLocalMemoryIA forbids bytes 128..255",
         "other bytes, until CheckLocalMemoryIA with isEnable false", "V"),
    Case("watch_number", 3, 4, "V2001",
         "CheckLocalMemoryIA: enableBit 4 is not legal on Ascend310P3", "0..3", "S"),
    Case("watch_start", 65535, 65536, "V2001",
         "CheckLocalMemoryIA: startAddr 65536 is not legal on Ascend310P3", "0..65535", "S"),
    Case("watch_end", 65535, 65536, "V2001",
         "CheckLocalMemoryIA: endAddr 65536 is not legal on Ascend310P3", "0..65535", "S"),
    Case("not_handed_out_by_scalar", 254, 256, "V1009",
         "scalar code: the tensor writes bytes 256..257 of UB, which lie in no one buffer of InitBuffer",
         "bytes of one buffer that InitBuffer gave to a queue or a TBuf"),
]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_access_outside_is_one_fault_at_its_line(case, build):
    fault_case.check_bad(FILE, case, build)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_access_beside_it_is_clean(case):
    fault_case.check_good(FILE, case)


@pytest.mark.parametrize("way, words", enumerate([
    "scalar code: the tensor reads bytes 128..129", "scalar code: the tensor writes bytes 128..129",
    "Adds: src reads bytes 128..159", "Adds: dst writes bytes 128..159",
    "DataCopy: src reads bytes 128..159", "DataCopy: dst writes bytes 128..159", None, None]))
def test_a_watch_tells_of_the_ways_that_it_forbids(way, words):
    """Not of one that has been ended, or of the next datablock."""
    found = [fault["message"] for fault in call(FILE, "watched_ways", way).faults]
    assert [message.split(" of UB; ")[0] for message in found] == ([words] if words else [])


def test_the_310ps_vector_core_has_no_watches():
    assert call(FILE, "watch_number", 0, soc="Ascend310P3-VectorCore").codes == ["V6001"]
    assert call(FILE, "watch_number", 0, soc="Ascend910A").codes == ["V6001"]


def test_each_operand_in_the_wrong_memory_is_named():
    run = call(FILE, "add_position", 1)
    assert [fault["message"] for fault in run.faults] == [
        f"Add: {operand} is in A1 (L1), and must be in UB" for operand in ("dst", "src0", "src1")]
    assert {(fault["code"], fault["legal"]) for fault in run.faults} == {("V1005", UB)}
    assert run.code == 1


@pytest.mark.parametrize("byte", [0, 1, 3])
def test_data_copy_pad_may_start_at_any_byte_of_gm(byte):
    assert call(FILE, "any_byte_of_gm", byte, soc="Ascend910B1").codes == []


@pytest.mark.parametrize("position", [9, 10, 11])
def test_every_position_of_ub_serves_a_vector_instruction(position):
    assert call(FILE, "add_position", position).code == 0


def test_one_instruction_behind_the_end_is_one_fault():
    assert call(FILE, "twice_behind_the_end", 129).codes == ["V1001"]


def test_a_tensor_made_longer_must_not_run_into_the_next_buffer():
    assert call(FILE, "into_the_next_buffer", 128).codes == []
    assert call(FILE, "into_the_next_buffer", 144).codes == ["V1009"]


@pytest.mark.parametrize("byte", [1000, 1023, -1])
def test_a_byte_written_beside_a_gm_buffer_is_found(byte):
    run = call(FILE, "byte_beside_gm", byte)
    assert run.codes == ["V1007"] and run.code == 1
    assert "bytes beside GM buffer gm (1000 bytes) were overwritten" in run.faults[0]["message"]
    assert run.faults[0]["legal"] == "writes to bytes 0..999"


@pytest.mark.parametrize("byte", [0, 999])
def test_the_outer_bytes_of_a_gm_buffer_may_be_written(byte):
    assert call(FILE, "byte_beside_gm", byte).codes == []


@pytest.mark.parametrize("check", ["full", "off"])
@pytest.mark.parametrize("kernel, size", [("byte_of_bt", 1024), ("byte_of_fb", 7168)])
def test_a_byte_written_behind_a_memory_is_found(kernel, size, check):
    def codes(byte, soc="Ascend910B1"):
        return call(FILE, kernel, byte, soc=soc, extra=["--check", check]).codes
    assert codes(size - 1) == []
    assert codes(size) == codes(size + 100) == ["V1010"]
    run = call(FILE, kernel, size, soc="Ascend910B1", extra=["--check", check, "--blocks", "2"])
    name = kernel[-2:].upper()
    assert run.code == 1 and [fault["count"] for fault in run.faults] == [2]
    assert run.faults[0]["message"] == (
        f"bytes behind {name}, which has {size} on Ascend910B1, were overwritten")
    assert run.faults[0]["legal"] == f"writes to bytes 0..{size - 1}"


@pytest.mark.parametrize("soc, size", [("Ascend310P3", 256 * 1024), ("Ascend910B1", 192 * 1024)])
def test_behind_ub_comes_a_page_that_cannot_be_accessed(soc, size):
    assert call(FILE, "byte_of_ub", size - 1, soc=soc).codes == []
    for byte in (size, size + 4095, -1):
        run = call(FILE, "byte_of_ub", byte, soc=soc)
        assert run.codes == ["V5001"]
        assert fault_case.places(run.faults[0])[0][1] == fault_case.line_of(FILE, "byte_of_ub")


def test_a_write_beside_a_gm_buffer_names_the_kernel_and_no_block():
    run = call(FILE, "byte_beside_gm", 1000, extra=["--blocks", "2"])
    assert run.codes == ["V1007"]
    assert "byte_beside_gm" in run.stderr
    assert run.faults[0]["block"] == -1


def past_tensors(number, check):
    x = np.arange(128, dtype=np.float16)
    return run_kernel(fault_case.KERNELS / "memory.cpp", x, Out("half", 128), Value("int64", number),
                      soc="Ascend310P3", kernel="past_tensors", check=check)


def test_past_a_tensor_but_inside_its_buffer_is_done_and_told_once_a_line():
    """Two copies of 112 through tensors of 64 elements."""
    run = past_tensors(112, "full")
    assert run.code == 0 and run.codes == ["V1011", "V1011", "V1014"]  # 16 are left
    assert [fault["count"] for fault in run.faults] == [2, 2, 1]
    assert run.outputs[0][:112].tolist() == list(range(112))
    assert past_tensors(64, "full").codes == ["V1014"]


def test_faults_of_one_line_are_counted_together():
    run = run_kernel(fault_case.KERNELS / "memory.cpp", np.zeros(64, np.float16), Value("int64", 80),
                     soc="Ascend310P3", kernel="one_line_twice")
    assert run.code == 1 and run.codes == ["V1001"]
    assert run.faults[0]["count"] == 2
    assert "2 times" in run.stderr


def test_past_a_tensor_is_an_error_in_a_strict_run():
    run = past_tensors(112, "strict")
    assert run.code == 1 and run.codes == ["V1001", "V1001"]
    assert np.isnan(run.outputs[0]).all()  # as before the launch


def test_past_a_tensor_and_its_buffer_nothing_is_done():
    """UB has room for 128, GM too."""
    assert past_tensors(128, "full").codes == ["V1011", "V1011"]
    run = past_tensors(144, "full")
    assert run.code == 1 and run.codes == ["V1001", "V1001"]
    assert np.isnan(run.outputs[0]).all()  # as before the launch


ASTRAY = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void astray(__gm__ float* first, __gm__ float* x, __gm__ float* last,
                                             int64_t offset, int64_t has_size) {
  GlobalTensor<float> gm;
  if (has_size) gm.SetGlobalBuffer(x, 1024);
  else gm.SetGlobalBuffer(x);
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 32);
  DataCopy(buffer.Get<float>(), gm[offset], 8);
}
"""


@pytest.mark.parametrize("offset", [3 << shift for shift in range(10, 26, 3)] + [-(3 << 10), -(3 << 20)])
def test_what_lies_far_outside_is_told_of_the_buffer_that_it_was_counted_from(offset, tmp_path):
    """Whatever lies there: constants of the program, other buffers, nothing."""
    source = tmp_path / "astray.cpp"
    source.write_text(ASTRAY)
    arrays = [np.zeros(1024, np.float32) for _ in range(3)]
    run = run_kernel(source, *arrays, Value("int64", offset), Value("int64", 1), soc="Ascend310P3")
    assert [fault["message"] for fault in run.faults] == [
        "DataCopy: src reads bytes 0..31 of a view without elements, which begins at byte "
        f"{4 * offset} of GM buffer x"]
    run = run_kernel(source, *arrays, Value("int64", offset), Value("int64", 0), soc="Ascend310P3")
    assert [fault["code"] for fault in run.faults] == ["V1003"]
    message = run.faults[0]["message"]
    assert message == (f"DataCopy: src reads bytes {4 * offset}..{4 * offset + 31} of GM buffer x, which has "
                       "4096") or "by an offset from another buffer" in message


@pytest.mark.parametrize("elements", [-1, -5, -(1 << 31)])
def test_offsets_below_zero_in_32_bits_are_told_as_such(elements, tmp_path):
    source = tmp_path / "astray.cpp"
    source.write_text(ASTRAY)
    arrays = [np.zeros(1024, np.float32) for _ in range(3)]
    for has_size in (0, 1):
        run = run_kernel(source, *arrays, Value("int64", elements + (1 << 32)), Value("int64", has_size),
                         soc="Ascend310P3")
        [fault] = run.faults
        assert fault["message"].endswith(f", by {elements} elements as a uint32_t"), fault["message"]
        assert "GM buffer x" in fault["message"]
