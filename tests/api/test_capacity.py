"""InitBuffer on every chip: the whole of each memory is to be had, and not a datablock more."""

import functools
import re

import numpy as np
import pytest

import harness
from api_kit import KERNELS, Value
from test_matmul_special import tiling

POSITIONS = {"ub": ("UB", "VECCALC"), "l1": ("L1", "A1"), "l0a": ("L0A", "A2"), "l0b": ("L0B", "B2"),
             "l0c": ("L0C", "CO1"), "bt": ("BT", "C2")}

# All that `vinci list` names, by generation.
A2 = ["910B1", "910B2", "910B2C", "910B3", "910B4", "910B4-1", "910_9391", "910_9392", "910_9381",
      "910_9382", "910_9372", "910_9362"]
CHIPS = ["Ascend" + name for name in [
    "310", "910A", "910B-C100", "910ProA", "910ProB", "910PremiumA",
    *(f"310P{i}{core}" for core in ("", "-VectorCore") for i in (1, 3, 5, 7)),
    *A2, *(f"310B{i}" for i in (1, 2, 3, 4))]]


def test_the_chips_are_those_of_vinci_list():
    first_table = harness.vinci("list").stdout.split("\n\n")[0]
    assert sorted(re.findall(r"\bAscend\S+", first_table)) == sorted(CHIPS)


@functools.cache
def memories(chip):
    """What InitBuffer may hand out, as `vinci list --soc` says it."""
    line = harness.vinci("list", "--soc", chip).stdout.splitlines()[0]
    sizes, usable = line.split("; InitBuffer:")
    return {name: int(size) for text in (sizes, usable)
            for name, size in re.findall(r"\b(L1|L0A|L0B|L0C|UB|BT) (\d+)", text)}


def call(chip, memory, size, cores="whole"):
    return harness.run_kernel(KERNELS / "queues.cpp", Value("uint32", size), soc=chip,
                              kernel=f"whole_{memory}", extra=["--cores", cores])


# Published sizes of one chip of each generation, so that the list itself is checked.
SIZES = {
    "Ascend310": {"L1": 1048576, "L0A": 65536, "L0B": 65536, "L0C": 262144, "UB": 253952},
    "Ascend910A": {"L1": 1048576, "L0A": 65536, "L0B": 65536, "L0C": 262144, "UB": 253952},
    "Ascend310P3": {"L1": 1048576, "L0A": 65536, "L0B": 65536, "L0C": 262144, "UB": 253952},
    "Ascend310P3-VectorCore": {"UB": 253952},
    "Ascend910B1": {"L1": 524032, "L0A": 65536, "L0B": 65536, "L0C": 131072, "UB": 196352, "BT": 1024},
    "Ascend310B1": {"L1": 1048576, "L0A": 65536, "L0B": 65536, "L0C": 131072, "UB": 253952, "BT": 1024},
}


@pytest.mark.parametrize("chip", SIZES)
def test_the_memories_of_each_generation(chip):
    assert memories(chip) == SIZES[chip]


CONSTANTS = """
#include "kernel_operator.h"
constexpr uint64_t kSizes[] = {ASC_UB_SIZE, ASC_L1_SIZE, ASC_L0A_SIZE, ASC_L0B_SIZE, ASC_L0C_SIZE,
                               ASC_BT_SIZE};
static_assert(AscendC::SupportType<int, float, int>() &&
              !AscendC::SupportType<int, float>() && AscendC::HALF_DEFAULT_REPEAT_STRIDE == 4);
using namespace AscendC;
static_assert(ASC_UB_SIZE > 1000);
extern "C" __global__ __aicore__ void sizes(__gm__ uint64_t* to) {
  for (int i = 0; i < 6; ++i) to[i] = kSizes[i];
}
"""


@pytest.mark.parametrize("chip", SIZES)
def test_kernels_know_the_sizes_when_they_are_compiled(chip, tmp_path):
    (tmp_path / "k.cpp").write_text(CONSTANTS)
    run = harness.run_kernel(tmp_path / "k.cpp", harness.Out("uint64", 6), soc=chip)
    assert run.code == 0, run.stderr
    assert run.outputs[0].tolist() == [
        SIZES[chip].get(space, 0) for space in ("UB", "L1", "L0A", "L0B", "L0C", "BT")]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("memory", POSITIONS)
def test_a_memory_is_usable_to_its_last_byte_and_not_beyond(chip, memory):
    space, position = POSITIONS[memory]
    sizes = memories(chip)
    if memory == "bt" and "BT" not in sizes:
        space = "L0C"  # where the bias lies on chips without a bias table
    if space not in sizes:
        run = call(chip, memory, 32)
        assert run.codes == ["V6003"] and run.code == 4
        assert run.faults[0]["message"] == f"InitBuffer: {chip} has no memory behind {position}"
        return
    size = sizes[space]
    harness.check_clean(call(chip, memory, size))
    split = chip.startswith(("Ascend910B", "Ascend910_93"))
    beyond = size + 32 + (256 if split and space in ("L1", "UB") else 0)  # all of it is to be had
    run = call(chip, memory, beyond)
    if memory in ("l0a", "l0b"):  # the kernel's to divide: the TBuf ends where they end
        assert run.codes == ["V2008", "V1001"] and run.code == 1
        assert run.faults[0]["message"] == (
            f"InitBuffer: a TBuf of more than {position} ({space}), which has {size} bytes on {chip}, gets "
            "no more")
        assert run.faults[0]["legal"] == f"at most {size} bytes, not {beyond}"
        return
    assert run.codes == ["V1006"] and run.code == 1
    assert run.faults[0]["message"] == (
        f"InitBuffer: {beyond} bytes in {position} ({space}), where {size} of {size} are left on "
        f"{chip}")
    assert run.faults[0]["legal"] == f"at most {size} bytes"


def test_what_a_loop_asks_too_much_is_told_once_for_its_line(tmp_path):
    (tmp_path / "k.cpp").write_text("""#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __cube__ void k(GM_ADDR) {
  TPipe pipe;
  for (uint32_t i = 1; i <= 3; ++i) {
    TBuf<TPosition::B2> buffer;
    pipe.InitBuffer(buffer, 131072 * i);
    pipe.Reset();
  }
}
""")
    run = harness.run_kernel(tmp_path / "k.cpp", np.zeros(1, np.int8), soc="Ascend910B1", blocks=2)
    assert [(fault["code"], fault["count"]) for fault in run.faults] == [("V2008", 6)], run.stderr


@pytest.mark.parametrize("cores, memory, size", [
    ("aiv", "ub", 196608), ("mix01", "ub", 196608), ("mix11", "ub", 196352),
    ("mix12", "ub", 196352), ("aic", "l1", 524288), ("mix11", "l1", 524032)])
def test_all_is_to_be_had_where_no_matmul_meets_it(cores, memory, size):
    """On Atlas A2/A3 the framework keeps 256 bytes of UB and L1 for Matmuls of the AIVs."""
    whole = {"ub": 196608, "l1": 524288}[memory]
    for bytes_ in sorted({size, size + 32 if size < whole else whole, whole}):
        good = call("Ascend910B1", memory, bytes_, cores)
        assert good.code == 0 and {*good.codes} <= {"V4008"}, good.stderr  # calls for the other kind
    run = call("Ascend910B1", memory, whole + 32, cores)
    assert run.code == 1 and {*run.codes} - {"V4008"} == {"V1006"}
    assert f"at most {size} bytes" in [fault["legal"] for fault in run.faults]


@pytest.mark.parametrize("bytes_, multiplies, lines", [
    (196352, 1, []), (196384, 1, [13, 27]), (196608, 1, [13, 27]), (196608, 0, [])])
def test_a_buffer_over_what_a_matmul_of_the_vector_core_needs(bytes_, multiplies, lines):
    """One that is there before the first product, and one that comes after it."""
    a = np.random.default_rng(3).integers(-4, 5, (32, 32)).astype(np.float16)
    run = harness.run_kernel(
        KERNELS / "matmul_beside_all.cpp", a, np.array(tiling(32, 32, 32, (32, 32, 32)), np.int32),
        harness.Out("float", 32, 32, part=True), Value("uint32", bytes_), Value("uint32", multiplies),
        soc="Ascend910B1")
    told = [(fault["code"], fault["lines"][0]["line"]) for fault in run.report["faults"]
            if fault["code"] != "V1014"]
    assert run.code == 0 and told == [("V1018", line) for line in lines], run.stderr
    assert not multiplies or (run.outputs[0] == a.astype(int) @ a).all()


@pytest.mark.parametrize("chip, size", [("Ascend310P3", 253952), ("Ascend310B1", 253952)])
def test_chips_that_are_not_split_keep_what_they_keep(chip, size):
    assert call(chip, "ub", size + 32, "auto").codes == ["V1006"]
