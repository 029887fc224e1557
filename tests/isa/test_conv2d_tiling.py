"""GetConv2dTiling: each field against the documents' algorithm, in kernels, in host programs and
in `vinci explain`."""

import re
import subprocess

import numpy as np
import pytest

import harness
from cases import FOLDER, rng_for
from conv2d import PARAMS, TILING, complete, random_parameters, tiling_of
from conv2d_definition import check_tiling
from harness import Out, check_clean, run_kernel
from matrix_operators import CO1, HALF, INT8


def case_of(types, h, w, kh, kw, s, pad, d, cin, cout):
    return {"types": types, "h": h, "w": w, "kh": kh, "kw": kw, "sh": s, "sw": s, "dh": d, "dw": d,
            "cin": cin, "cout": cout, "left": pad, "right": pad, "top": pad, "bottom": pad,
            "init_y": 0, "partial_sum": 0}


# Worked by hand from the documents' definitions.
EXAMPLES = [
    (case_of(HALF, 4, 4, 2, 2, 1, 1, 2, 32, 16),
     dict(ho=4, wo=4, howo=16, mBlockNum=1, nBlockNum=1, kBlockNum=8, kTileBlock=8, kIterNum=1,
          kTailBlock=8, mHasTail=0, kHasTail=0, mNum=16, nNum=16, kNum=128, roundM=16, roundN=16,
          roundK=128, c0Size=16, dTypeSize=2), True),
    (case_of(HALF, 16, 16, 3, 3, 1, 1, 1, 64, 64),
     dict(ho=16, wo=16, howo=256, mBlockNum=16, nBlockNum=4, kBlockNum=36, kTileBlock=4,
          kIterNum=9, kTailBlock=4, mHasTail=0, kHasTail=0, mNum=256, nNum=64, kNum=576), True),
    (case_of(INT8, 10, 10, 5, 5, 2, 2, 1, 128, 128),
     dict(ho=5, wo=5, howo=25, mBlockNum=2, nBlockNum=8, kBlockNum=100, kTileBlock=8, kIterNum=13,
          kTailBlock=4, mHasTail=1, kHasTail=1, roundM=32, mTailNums=25, mTileNums=32, c0Size=32,
          dTypeSize=1), True),
    (case_of(HALF, 40, 40, 1, 1, 1, 0, 1, 16, 16),
     dict(ho=40, wo=40, howo=1600, mBlockNum=100, nBlockNum=1, kBlockNum=1, kTileBlock=1,
          kIterNum=1, kTailBlock=1, mHasTail=0, kHasTail=0), False),
]
TYPE_NUMBER = {INT8: 0, 1: 1, HALF: 1}


def tilings_of(cases, soc="Ascend310P3"):
    """What GetConv2dTiling gives in a kernel: a list of {field: value}."""
    table = np.array([[2 + len(PARAMS), TYPE_NUMBER[case["types"]],
                       *(case[name] for name in PARAMS)] for case in cases], np.int64)
    run = run_kernel(FOLDER / "conv2d_cases.cpp", table, Out("int64", len(cases), 48), soc=soc,
                     blocks=len(cases), kernel="tiling_cases")
    check_clean(run)
    return [dict(zip([*TILING, "loopMode", "blockSize"], map(int, row))) for row in run.outputs[0]]


def explained(case, *more):
    """The fields that `vinci explain GetConv2dTiling` prints."""
    pads = ",".join(str(case[side]) for side in ("left", "right", "top", "bottom"))
    return harness.vinci("explain", "GetConv2dTiling", "--imgShape", f"{case['h']},{case['w']}",
                         "--kernelShape", f"{case['kh']},{case['kw']}", "--stride",
                         f"{case['sh']},{case['sw']}", "--padList", pads, "--dilation",
                         f"{case['dh']},{case['dw']}", "--cin", case["cin"], "--cout",
                         case["cout"], "--type", "int8" if case["types"] == INT8 else "half", *more)


@pytest.mark.parametrize("case, fields, two", EXAMPLES, ids=range(4))
def test_examples(case, fields, two):
    got = tilings_of([case])[0]
    assert {name: got[name] for name in fields} == fields
    done = explained(case)
    assert done.code == 0, done.stderr
    shown = {name: int(value) for name, value in
             re.findall(r"^  (\w+) +(\d+)   ", done.stdout, re.M)}
    assert shown == got
    assert ("two at once" in done.stdout) == two and ("one at a time" in done.stdout) != two


def test_every_field():
    rng, cases = rng_for("conv2d", "tiling"), []
    while len(cases) < 400:
        case = random_parameters(rng) | {"partial_sum": 0}
        ho = case["h"] + case["top"] + case["bottom"] - case["dh"] * (case["kh"] - 1) - 1
        wo = case["w"] + case["left"] + case["right"] - case["dw"] * (case["kw"] - 1) - 1
        if 0 <= ho and ho // case["sh"] < 40 and 0 <= wo and wo // case["sw"] < 40 and \
                not (case["w"] == case["kw"] and case["h"] > case["kh"]):
            cases.append(case)
    for case, got in zip(cases, tilings_of(cases, "Ascend910A")):
        assert got == {**tiling_of(case), "loopMode": 0, "blockSize": 16}, case
        check_tiling(case, got)


HOST = r"""
#include <cstdio>
#include "tikicpulib.h"
using namespace AscendC;
int main() {
  Conv2dParams params = {{10, 10}, {5, 5}, {2, 2}, 128, COUT, {2, 2, 2, 2}, {1, 1}, 0, 0};
  Conv2dTilling tilling = GetConv2dTiling<TYPE>(params);
  std::printf("%u %u %u %u\n", tilling.kTileBlock, tilling.kIterNum, tilling.kTailBlock,
              tilling.blockSize);
}
"""


def host_program(folder, type_name, cout=128):
    source = folder / "host.cpp"
    source.write_text(HOST.replace("TYPE", type_name).replace("COUT", str(cout)))
    done = harness.vinci("c++", source, "-o", folder / "host")
    assert done.code == 0, done.stderr
    return subprocess.run([folder / "host"], capture_output=True, text=True, check=False)


def test_in_a_host_program(tmp_path):
    done = host_program(tmp_path, "int8_t")
    assert (done.returncode, done.stdout) == (0, "8 13 4 16\n")


@pytest.mark.parametrize("type_name, cout, code, words", [
    ("int8_t", 100, 1, "error[V2002] GetConv2dTiling: cout is 100"),
    ("float", 128, 4, "error[V6002] GetConv2dTiling: a feature map of float is not legal")])
def test_a_host_program_ends_at_a_broken_rule(tmp_path, type_name, cout, code, words):
    done = host_program(tmp_path, type_name, cout)
    assert done.returncode == code and words in done.stderr and "= legal: " in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("type_number, changes, code, words", [
    (1, {"cout": 24}, "V2002", "GetConv2dTiling: cout is 24"),
    (0, {"cin": 16}, "V2002", "cin is 16 with int8, whose C0 is 32"),
    (1, {"sh": 0}, "V2001", "stride[0] (stride_h) is 0"),
    (1, {"kh": 5, "dh": 4}, "V2004", "larger than the padded feature map"),
    (2, {}, "V6002", "the documents give channels for float (C0 = 8), but no combination"),
    (3, {}, "V6002", "a feature map of uint8 is not legal")])
def test_in_a_kernel_a_broken_rule_is_a_fault(type_number, changes, code, words):
    case = case_of(HALF, 4, 4, 2, 2, 1, 1, 1, 32, 16) | changes
    table = np.array([[2 + len(PARAMS), type_number, *(case[name] for name in PARAMS)]], np.int64)
    run = run_kernel(FOLDER / "conv2d_cases.cpp", table, Out("int64", 1, 48), soc="Ascend310P3",
                     kernel="tiling_cases")
    assert run.codes == [code] and words in run.stderr
    assert "conv2d_cases.cpp" in run.stderr  # the caller's line
    if code != "V6002":
        assert not run.outputs[0][0][2:len(TILING)].any()  # a tiling of zeros


# --- the picture ----------------------------------------------------------------------------------

def tiles_drawn(text):
    return {side: len(re.findall(rf'data-side="{side}" data-row', text)) for side in "ABC"}


@pytest.mark.parametrize("case, fields, two", EXAMPLES, ids=range(4))
def test_picture(tmp_path, case, fields, two):
    path = tmp_path / "tiling.svg"
    assert explained(case, "-o", path).code == 0
    assert tiles_drawn(path.read_text()) == {"A": fields["kIterNum"], "B": fields["kIterNum"],
                                             "C": 1}
    shown = explained(case, "-o", "-").stdout
    assert shown == path.read_text()
    assert ("two at once" in shown) == two


def test_draw_makes_the_same_picture(tmp_path):
    done = harness.vinci("draw", "conv2d_tiling", "--cin", 32, "--type", "int8", "-o", "-")
    wanted = harness.vinci("explain", "GetConv2dTiling", "--cin", 32, "--type", "int8", "-o", "-")
    assert done.code == 0 and done.stdout == wanted.stdout and "cin 32" in done.stdout
    done = harness.vinci("draw", "conv2d_tiling", "--cin", 33, "-o", tmp_path / "no.svg")
    assert done.code == 2 and "cin is 33" in done.stderr and not (tmp_path / "no.svg").exists()


def test_explain_refuses_what_is_not_legal():
    done = explained(case_of(HALF, 4, 4, 2, 2, 1, 1, 1, 32, 24))
    assert done.code == 2 and "cout is 24" in done.stderr and "multiple of 16" in done.stderr
    done = harness.vinci("explain", "GetConv2dTiling", "--type", "float")
    assert done.code == 2 and "C0 = 8" in done.stderr
    done = harness.vinci("explain", "GetConv2dTiling", "--type", "nothing")
    assert done.code == 2 and "--type nothing" in done.stderr
    done = harness.vinci("explain", "Mmad", "--cin", 16)
    assert done.code == 2 and "--cin is an option of explain GetConv2dTiling" in done.stderr


def test_explain_without_parameters_shows_the_page():
    done = harness.vinci("explain", "getconv2dtiling")
    page = (harness.ROOT / "docs/spec/get_conv2d_tiling.md").read_text()
    assert done.code == 0 and done.stdout.strip() == page.strip()


def test_the_completed_case_has_its_tiling():
    """The oracle's own helper."""
    case = complete(EXAMPLES[2][0] | {"dst_pos": CO1})
    assert all(case[name] == value for name, value in EXAMPLES[2][1].items())
