"""What a chip or vinci lacks: exit 4, and the block ends there."""

import pytest

import fault_case
from fault_case import BUILDS, Case, call, line_of

FILE = "chip.cpp"
VECTOR = "Ascend310P3-VectorCore"
WITH_GATHER = "on Ascend310P, Ascend910B, Ascend910_93, Ascend310B"

CASES = [
    Case("gather_anywhere", 0, 0, "V6001", "Gather: Ascend310 does not have it", WITH_GATHER, "V",
         exit=4, soc="Ascend310"),
    Case("add_type", 1, 1, "V6002", "Add: int16 is not legal on Ascend310", "half, float, int32",
         "V", exit=4, soc="Ascend310"),
    Case("add_type", 1, 1, "V6002", "Add: int16 is not legal on Ascend910A", "half, float, int32",
         "V", exit=4, soc="Ascend910A"),
    # Of many pairs, those with a type of this one.
    Case("type_pair", 0, 1, "V6002", "Cast: uint32<-half is not legal on Ascend310P3",
         "float<-half, int32<-half, int16<-half, int8<-half, uint8<-half, int4<-half; and 8 others: "
         "vinci explain Cast", "V", exit=4),
    Case("buffer_in_l1", 0, 0, "V6003", f"InitBuffer: {VECTOR} has no memory behind A1", exit=4,
         soc=VECTOR),
    Case("set_value_in_l1", 0, 0, "V6003", f"SetValue: {VECTOR} has no memory behind A1", exit=4,
         soc=VECTOR),
    Case("copy_l1_to_gm", 0, 0, "V6004",
         "DataCopy: Ascend310P3 has no route from A1 (L1) to GM (GM)",
         "GM -> UB, UB -> GM, GM -> L1, GM -> L0A, GM -> L0B, L1 -> L0A, L1 -> L0B, L1 -> UB, "
         "UB -> L1, L0C -> UB, UB -> L0C, UB -> UB", exit=4, good_soc="Ascend910B1"),
    Case("copy_ub_to_l1", 0, 0, "V6004",
         "DataCopy: Ascend910B1 has no route from VECCALC (UB) to A1 (L1)",
         "GM -> UB, UB -> GM, GM -> L1, GM -> L0A, GM -> L0B, L1 -> L0A, L1 -> L0B, L1 -> GM, "
         "L1 -> BT, L1 -> FB, L0C -> GM, L0C -> L1, UB -> UB", exit=4, soc="Ascend910B1"),
    Case("round_mode", 0, 1, "V6005", "Cast: half<-float with CAST_RINT is not legal on "
         "Ascend310P3", "CAST_NONE, CAST_ODD", "V", exit=4),
    Case("bytes_to_b2", 0, 1, "V7001",
         "LoadData (3D v1): int8 to B2: no source gives the order of the elements in a fractal",
         "half to B2, or int8 to A2", "MTE1", exit=4),
]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_the_chip_lacks_is_said_at_its_line_with_exit_4(case, build):
    fault_case.check_bad(FILE, case, build)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_chip_that_has_it_runs_it(case):
    fault_case.check_good(FILE, case)


@pytest.mark.parametrize("code, kind, kernel, number, soc", [
    ("V6001", "soc", "gather_anywhere", 0, "Ascend310"),
    ("V6002", "soc", "add_bytes", 0, "Ascend310P3"),
    ("V6004", "soc", "copy_ub_to_l1", 0, "Ascend910B1"),
    ("V6005", "soc", "round_mode", 1, "Ascend310P3"),
    ("V7001", "unimplemented", "bytes_to_b2", 1, "Ascend310P3"),
])
def test_the_class_tells_the_chip_from_vinci(code, kind, kernel, number, soc):
    fault = call(FILE, kernel, number, soc=soc).faults[0]
    assert (fault["code"], fault["class"]) == (code, kind)


def test_a_lack_ends_all_blocks():
    run = call(FILE, "add_bytes", extra=["--blocks", "4"])
    assert run.codes == ["V6002"]
    assert run.report["blocks_finished"] == 0


@pytest.mark.parametrize("build", BUILDS)
def test_the_second_of_two_similar_calls_keeps_its_line(build):
    run = call(FILE, "similar_calls", 1, build)
    assert run.faults[0]["lines"][0]["line"] == line_of(FILE, "similar_calls")
