"""Rules that all functions with scratch memory share: enough of it, apart from all operands;
results apart from sources, but where the documents allow them to be one."""

import pathlib

import numpy as np
import pytest

import harness

APART, X, DST, TMP, ROOM = 8192, 0, 7 * 8192, 12 * 8192, 8 * 8192
ELEMENTS = """Sigmoid Tanh Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Erf Erfc Lgamma
Digamma Ceil Round Trunc Sign""".split()
ROWS = 4 * (8 + 64 + 64)  # of SoftMax: a datablock, a row and a repeat of floats
# In the order of the kernel: the least bytes of scratch memory, as the documents give them for 8
# rows of 64 floats; 0 where they give none.
LEAST = dict(zip(ELEMENTS, [256 * factor for factor in (
    1, 1, 3, 3, 4, 2, 2, 5, 1, 2, 3, 1, 1, 3, 7, 8, 7, 1, 1, 1, 3)])) | {
        "Exp": 768, "Power": 256 * 6 + 256, "Power of a number": 256 * 6 + 256, "Axpy": 256,
        "ClampMax": 256, "ClampMin": 256, "Gelu": 768, "FasterGelu": 768, "SoftMax": ROWS, "SimpleSoftMax": ROWS, "LogSoftMax": 0,
        "SoftmaxGrad": 4 * (2 * 8 + 64 + 64), "SoftmaxGradFront": ROWS,
        "ReduceSum AR": 4 * 64 * 4, "ReduceSum RA": 8 * 64 * 4, "ReduceMax AR": 4 * 256, "Sum": 32,
        "Mean": 32, "CumSum": 0, "AscendQuant": 512, "LayerNorm": 0, "RmsNorm": 0, "DeepNorm": 0,
        "Broadcast": 0, "DropOut": 0, "AscendDequant": 0}
# DeepNorm may with isReuseSrc.
IN_PLACE = {"Round", "Trunc", "Gelu", "FasterGelu", "SoftMax", "SimpleSoftMax", "LogSoftMax",
            "SoftmaxGrad", "SoftmaxGradFront", "AscendQuant", "LayerNorm", "RmsNorm", "DropOut"}
NAMES = list(LEAST)


def launch(lines):
    """The codes of each line's faults; a launch ends at its twentieth place with one."""
    codes = []
    for first in range(0, len(lines), 15):
        some = lines[first:first + 15]
        table = np.array([[NAMES.index(name), dst, tmp, room] for name, dst, tmp, room in some],
                         np.int32)
        run = harness.run_kernel(pathlib.Path(__file__).parent / "kernels/rules.cpp", table,
                                 soc="Ascend910B1", blocks=len(some), options=["-O0"],
                                 extra=["--cores", "aiv"])
        found = [set() for _ in some]
        for fault in run.faults:
            assert fault["count"] == 1
            found[fault["block"]].add(fault["code"])
        codes += found
    return codes


def check(lines, wanted):
    wrong = [(name, found) for (name, *_), found in zip(lines, launch(lines)) if found != wanted]
    assert not wrong


def test_enough_is_legal():
    check([(name, DST, TMP, least or ROOM) for name, least in LEAST.items()], set())


def test_too_little_scratch_memory():
    check([(name, DST, TMP, least - 1) for name, least in LEAST.items() if least], {"V1001"})


@pytest.mark.parametrize("meets", [DST, X])
def test_scratch_memory_apart_from_operands(meets):
    lines = [(name, DST, meets, APART) for name in NAMES if LEAST[name]]
    check(lines, {"V1008"})


def test_results_apart_from_sources():
    """Partly on top of the source; and at its start, which some may."""
    check([(name, X + 32, TMP, ROOM) for name in NAMES if "Sum" not in name and "Mean" not in name
           and "Max AR" not in name and "Front" not in name and name != "Broadcast"], {"V1008"})
    check([(name, X, TMP, ROOM) for name in NAMES if name in IN_PLACE], set())
    check([(name, X, TMP, ROOM) for name in NAMES if name not in IN_PLACE], {"V1008"})


def test_operands_at_datablocks():
    check([(name, DST + 4, TMP, ROOM) for name in NAMES], {"V1004"})
    check([(name, DST, TMP + 4, ROOM) for name in NAMES if LEAST[name]], {"V1004"})


@pytest.mark.parametrize("planted, message", [
    (0, None), (1, "SoftMax: sharedTmpBuffer "), (2, "LayerNorm: sharedTmpBuffer ")])
def test_tilings_for_more_scratch_memory_than_there_is(planted, message):
    kernel = pathlib.Path(__file__).parent / "kernels/tilings.cpp"
    run = harness.run_kernel(kernel, np.zeros(64, np.float32), harness.Out("float", 512),
                             harness.Value("int32", planted), soc="Ascend910B1", extra=["--cores", "aiv"])
    if message is None:
        return harness.check_clean(run)
    (fault,) = [fault for fault in run.faults if fault["code"] == "V1001"]
    line = next(n for n, text in enumerate(kernel.read_text().splitlines(), 1) if f"HERE {planted}" in text)
    assert fault["lines"][0]["line"] == line and fault["message"].startswith(message), run.stderr


def test_an_operand_that_overlaps_because_it_leaves_its_tensor(tmp_path):
    (tmp_path / "k.cpp").write_text("""
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR out) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 256);
  LocalTensor<uint8_t> scratch(TPosition::VECCALC, 1024, 4096);
  LocalTensor<float> y(TPosition::VECCALC, 8192, 512);
  Duplicate(x, 1.0f, 256);
  Sigmoid(y, x, scratch, 320);
}
""")
    run = harness.run_kernel(tmp_path / "k.cpp", np.zeros(8, np.float32), soc="Ascend910B1")
    assert [(fault["code"], fault["message"]) for fault in run.faults] == [
        ("V1008", "Sigmoid: sharedTmpBuffer and src (bytes 0..1279 of a tensor of 1024) overlap")]
