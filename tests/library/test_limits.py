"""Limits that the documents give for shapes of the library's functions: one step inside and one beyond."""

import pathlib

import numpy as np
import pytest

import harness

KERNEL = pathlib.Path(__file__).parent / "kernels" / "limits.cpp"
NEWER, OLDER = "Ascend910B1", "Ascend310P3"
BOTH = (NEWER, OLDER)

# SoftMax and its kin, with isBasicBlock: rows, columns, bytes of an element.
KINDS = ["SoftMax", "SoftMax", "SimpleSoftMax", "SoftmaxFlash", "SoftmaxFlashV2", "SoftmaxGradFront"]
BLOCKS = [(8, 64, 4), (16, 64, 4), (1 * 8, 128, 2), (8, 192, 4)]
NO_BLOCKS = [((7, 64, 4), "V2002", "srcM of a basic block 7 ", "a multiple of 8"),
             ((8, 72, 4), "V2002", "srcK of a basic block 72 ", "a multiple of 64"),
             ((8, 64, 2), "V2001", "srcK of a basic block 64 ", "128..2047"),
             ((0, 2048, 4), "V2001", "srcK of a basic block 2048 ", "64..2047")]
LEGAL = [(which, *block) for which in range(6) for block in BLOCKS]
LEGAL += [(6, *block) for block, *_ in NO_BLOCKS]
# Where results may be sources: dst, sum, max, expMax; x, inSum and inMax are 0, 1, 2.
LEGAL += [(10, 3, 4, 5, 6), (10, 0, 4, 5, 6), (11, 3, 4, 5, 6), (11, 0, 1, 2, 6)]
APART = [(10, 3, 0, 5, 6), (10, 3, 4, 0, 6), (11, 1, 4, 5, 6), (11, 3, 2, 5, 6), (11, 3, 4, 1, 6),
         (11, 3, 4, 5, 2), (11, 3, 4, 5, 0)]
# Broadcast: dstShape, srcShape.
LEGAL += [(20, 4, 16, 1, 16), (20, 4, 16, 4, 16), (20, 1, 8, 1, 8), (21, 8, 5, 8, 1), (21, 8, 16, 8, 16),
          (21, 8, 1, 8, 1)]
# Select with masks of 1, 2 and 4 bytes: rows, columns, columns of the mask.
LEGAL += [(30, 2, 8, 32), (31, 2, 8, 16), (32, 2, 8, 16), (32, 2, 16, 32)]
# TopK: inner, n.
LEGAL += [(40, 2048, 2048), (41, 4096, 4096), (42, 4096, 4096), (43, 64, 64), (44, 32, 32)]
LEGAL += [(50,), (60, 1, 8), (60, 3, 16), (61, 2, 16, 9), (61, 2, 8, 1), (62, 2, 32, 17), (70,), (80, 32, 32, 64), (80, 64, 64, 1022), (81, 32, 0, 64),
          (90, 3, 8), (91, 3, 8)]
# DropOut in its four modes: rows, columns, bytes of a row of the mask.
LEGAL += [(100, 3, 6, 32), (101, 3, 7, 7), (102, 3, 8, 1), (103, 3, 16, 32)]
BROKEN = [((which, *block), code, f"{KINDS[which]}: {words}", legal, BOTH)
          for which in range(6) for block, code, words, legal in NO_BLOCKS]
BROKEN += [(line, "V1008", " overlap", None, BOTH) for line in APART]
BROKEN += [
    ((20, 4, 5, 1, 5), "V2002", "Broadcast: srcShape[1] 5 ", "a multiple of 8", BOTH),
    ((20, 4, 8, 4, 1), "V2004", "Broadcast: axis is 0, and srcShape[1] is 1", "dstShape[1], 8", BOTH),
    ((21, 4, 8, 1, 8), "V2004", "Broadcast: axis is 1, and srcShape[0] is 1", "dstShape[0], 4", BOTH),
    ((20, 4, 8, 2, 8), "V2004", "Broadcast: srcShape has an axis that is neither 1 ", None, BOTH),
    ((21, 5, 8, 5, 1), "V2002", "Broadcast: srcShape[0] 5 ", "a multiple of 8", (OLDER,)),
    ((30, 2, 8, 16), "V2002", "Select: maskLastAxis 16 ", "a multiple of 32", BOTH),
    ((31, 2, 8, 8), "V2002", "Select: maskLastAxis 8 ", "a multiple of 16", BOTH),
    ((32, 2, 8, 8), "V2002", "Select: maskLastAxis 8 ", "a multiple of 16", BOTH),
    ((40, 2080, 2080), "V2001", "TopK: inner 2080 ", "32..2048", (OLDER,)),
    ((42, 4128, 4128), "V2001", "TopK: inner 4128 ", "32..4096", BOTH),
    ((45, 32, 32), "V2004", "TopK: isHasfinish is true in TOPK_NSMALL", "false there", BOTH),
    ((51,), "V2001", "SoftmaxFlashV2: config.mode is 0", "SOFTMAX_OUTPUT_WITHOUT_BRC where outReduceMax is a result",
     BOTH),
    ((60, 0, 8), "V2001", "CumSum: outter 0 ", None, BOTH),
    ((60, 1, 0), "V2001", "CumSum: inner 0 ", None, BOTH),
    ((60, 1, 12), "V2002", "CumSum: inner 12 ", "a multiple of 8", BOTH),
    ((61, 2, 24, 9), "V2004", "Sum: inner 24 with n 9", "inner 16, n rounded up to a multiple of 8", BOTH),
    ((62, 2, 32, 16), "V2004", "Mean: inner 32 with n 16", "inner 16, n rounded up to a multiple of 16", BOTH),
    ((71,), "V2001", "Normalize: isOnlyOutput is 1", "false: rstd is a result", BOTH),
    ((80, 48, 48, 96), "V2002", "AscendQuant: scaleCount 48 ", "a multiple of 32", BOTH),
    ((80, 64, 32, 128), "V2001", "AscendQuant: offsetCount 32 ", "64", BOTH),
    ((81, 40, 0, 80), "V2002", "AscendQuant: scaleCount 40 ", "a multiple of 32", BOTH),
    ((100, 3, 7, 32), "V2002", "DropOut: what counts of maskLastAxis, 7 ", "a multiple of 2", BOTH),
    ((103, 3, 24, 32), "V2002", "DropOut: what counts of maskLastAxis, 3 ", "a multiple of 2", BOTH),
    ((100, 3, 6, 33), "V2002", "DropOut: maskLastAxis 33 ", "a multiple of 2", BOTH),
    ((92, 3, 8), "V6002", "AscendDequant: bfloat16<-int32 ", None, (OLDER,)),
]


def launch(lines, soc):
    """What is found in each line; in one launch faults at one place would be one."""
    for line in lines:
        run = harness.run_kernel(KERNEL, np.array((*line, 0, 0, 0, 0)[:5], np.int32), soc=soc, check="basic",
                                 options=["-O0"], extra=["--cores", "aiv"] if soc == NEWER else [])
        yield run.faults


@pytest.mark.parametrize("soc", BOTH)
def test_what_is_legal_says_nothing(soc):
    wrong = [(line, found) for line, found in zip(LEGAL, launch(LEGAL, soc)) if found]
    assert not wrong


@pytest.mark.parametrize("soc", BOTH)
def test_what_is_not_is_told_with_what_would_be(soc):
    cases = [case for case in BROKEN if soc in case[4]]
    for (line, code, words, legal, _), found in zip(cases, launch([case[0] for case in cases], soc)):
        assert [fault["code"] for fault in found] == [code], (line, found)
        assert words in found[0]["message"], (line, found)
        assert legal is None or found[0]["legal"] == legal, (line, found)


def test_what_only_the_310p_cannot_do():
    lines = [case[0] for case in BROKEN if case[4] == (OLDER,)]
    assert not any(launch(lines, NEWER))
