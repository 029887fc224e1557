"""Parameters out of range, not a multiple, contradicting each other; masks and gather offsets."""

import pytest

import fault_case
from fault_case import BUILDS, Case

FILE = "parameters.cpp"
CHIP = "is not legal on Ascend310P3"
OFFSET = "and srcLocal starts at byte 0 of UB (srcBaseAddr 0)"

CASES = [
    Case("block_count", 4095, 4096, "V2001", f"DataCopy: blockCount 4096 {CHIP}", "0..4095", "MTE2"),
    Case("mmad_m", 4095, 4096, "V2001", f"Mmad: m 4096 {CHIP}", "0..4095", "M"),
    Case("duplicate_negative", 0, -1, "V2001", f"Duplicate: count -1 {CHIP}", "0..2147483647", "V"),
    Case("queue_of_buffers", 1, 0, "V2001", "InitBuffer: 0 buffers of 32 bytes for a queue",
         "at least one buffer of at least one byte"),
    Case("queue_of_buffers", 64, 65, "V2001", "InitBuffer: 65 buffers in one TPipe", "at most 64"),
    Case("queue_of_bytes", 1, 0, "V2001", "InitBuffer: 1 buffers of 0 bytes for a queue",
         "at least one buffer of at least one byte"),
    Case("tbuf_get", 128, 129, "V2001", "TBuf::Get: the tensor's end, in bytes, is 258",
         "at most the bytes that InitBuffer gave this TBuf"),
    Case("tbuf_get_with_offset", 128, 160, "V2001", "TBuf::Get: the tensor's end, in bytes, is 288",
         "at most the bytes that InitBuffer gave this TBuf"),
    Case("copy_mode", 1, 0, "V2001", "DataCopy (CO1 to CO2): blockMode 0 is not legal from CO1",
         "BLOCK_MODE_MATRIX (1) or BLOCK_MODE_VECTOR (2)", "V"),
    Case("copy_store_mode", 2, 3, "V2001", f"DataCopy (CO1 to CO2): sidStoreMode 3 {CHIP}", "0..2",
         "V"),
    Case("copy_normal_only", 0, 2, "V2001",
         "DataCopy: blockMode between other memories than CO1 and CO2 is 2", "BLOCK_MODE_NORMAL (0)"),
    Case("gather_base", 252, 256, "V2001", f"Gather: srcBaseAddr 256 {CHIP}", "0..255", "V"),
    Case("gather_count", 16, 17, "V2001",
         "Gather: count 17, but srcOffsetLocal holds 16 elements", "0..16", "V"),
    Case("gather_base", 4, 2, "V2002", f"Gather: srcBaseAddr 2 {CHIP}", "a multiple of 4", "V"),
    Case("mask_count", 128, 129, "V2003", "Add: mask 129 is not legal for 128 lanes in a repeat on "
         "Ascend310P3", "1..128", "V"),
    Case("mask_count", 1, 0, "V2003", "Add: mask 0 is not legal for 128 lanes in a repeat on "
         "Ascend310P3",
         "1..128", "V"),
    Case("mask_bits", 1, 0, "V2003", "Add: mask[0] and mask[1] are both 0",
         "at least one lane enabled", "V"),
    Case("mask_bits_of_float", 0, 1, "V2003", "Add: mask is {0x1, 0x1} for 64 lanes in a repeat",
         "no bit from 64 on", "V"),
    Case("transpose_from_gm", 0, 1, "V2004",
         "LoadData (2D): ifTranspose works from A1 and B1 only",
         "ifTranspose = false when the source is in GM", "MTE2"),
    Case("transpose_bytes", 0, 1, "V2004", "LoadData (2D): ifTranspose with 8-bit elements",
         "16-bit elements", "MTE1"),
    Case("copy_scale", 3, 1, "V2004", "DataCopy (CO1 to CO2): deqScale 1 from int32 to int8",
         "DEQ8, VDEQ8", "V"),
    Case("copy_back_relu", 0, 1, "V2004", "DataCopy (CO2 to CO1): deqScale or isRelu towards CO1",
         "DEQ_NONE and isRelu = false: they are for the way out", "V"),
    Case("gather_offset", 2, 3, "V2005", f"Gather: srcOffsetLocal[3] is 3, {OFFSET}",
         "a multiple of 2 up to 262142 on Ascend310P3", "V"),
    Case("gather_offset", 262142, 262144, "V2005", f"Gather: srcOffsetLocal[3] is 262144, {OFFSET}",
         "a multiple of 2 up to 262142 on Ascend310P3", "V"),
]

WARNINGS = [
    Case("partial_datablock", 16, 17, "V2006",
         "DataCopy: 17 elements of 2 bytes are 34 bytes, of which only 32 are copied",
         "a multiple of 32 bytes", "MTE2", exit=0, severity="warning"),
    Case("gather_many", 16383, 16384, "V2007",
         "Gather: count 16384 is gathered whole here; the vendor's headers keep the number of "
         "repeats in 8 bits and lose some of it", "at most 16383 elements in one call", "V",
         exit=0, severity="warning"),
    Case("bias_ignored", 0, 1, "V2008", "Mmad: cmatrixInitVal is true, so the bias is not added",
         "cmatrixInitVal = false", "M", exit=0, severity="warning", soc="Ascend910B1",
         good_soc="Ascend910B1"),
    Case("copy_relu", 0, 1, "V2008",
         "DataCopy (CO1 to CO2): isRelu has no effect on DEQ from half to half", "isRelu = false",
         "V", exit=0, severity="warning"),
]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_parameter_that_is_not_legal_is_one_fault_at_its_line(case, build):
    fault_case.check_bad(FILE, case, build)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("case", WARNINGS, ids=str)
def test_a_doubtful_parameter_is_a_warning_and_exit_0(case, build):
    fault_case.check_bad(FILE, case, build)


@pytest.mark.parametrize("case", CASES + WARNINGS, ids=str)
def test_the_legal_parameter_beside_it_is_clean(case):
    fault_case.check_good(FILE, case)
