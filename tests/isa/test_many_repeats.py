"""Vector instructions of many repeats, some of whose sources have gaps between their datablocks, or
one datablock for all of a repeat: the host brings the lanes of several repeats together at a time.
The oracle goes through lanes and repeats one by one."""

import pathlib

import numpy as np
import pytest

from harness import Out, check_clean, run_kernel

KERNEL = pathlib.Path(__file__).parent / "many_repeats_cases.cpp"
FLOATS, APART = 16384, 5456  # datablocks begin there
# Block strides and repeat strides of dst, src0 and src1.
STRIDES = {
    "rows by a number each": (1, 1, 0, 8, 8, 1),
    "all by one datablock": (1, 1, 0, 8, 8, 0),
    "numbers by rows": (1, 0, 1, 8, 1, 8),
    "both by datablocks": (1, 0, 0, 9, 1, 2),
    "gaps": (1, 2, 1, 8, 16, 8),
    "gaps of both": (1, 2, 3, 8, 17, 3),
    "gaps in dst": (2, 1, 0, 16, 8, 1),
}


def product(image, how):
    dst, src0, src1, mask, repeats, *strides = how
    memory = image.copy()
    for r in range(repeats):
        places = [start + 8 * r * strides[3 + i] for i, start in enumerate((dst, src0, src1))]
        to, *of = [np.array([place + 8 * (lane // 8 * strides[i]) + lane % 8 for lane in range(mask)])
                   for i, place in enumerate(places)]
        memory[to] = memory[of[0]] * memory[of[1]]
    return memory


def check(how):
    image = np.random.default_rng(1).normal(size=FLOATS).astype(np.float32)
    run = run_kernel(KERNEL, image, np.array(how, np.int32), Out("float", FLOATS), soc="Ascend910B1")
    check_clean(run)
    np.testing.assert_array_equal(run.outputs[0].view(np.uint32), product(image, how).view(np.uint32))


@pytest.mark.parametrize("name", STRIDES)
@pytest.mark.parametrize("repeats", [2, 7, 8, 9, 16, 41])
@pytest.mark.parametrize("mask", [64, 37, 8])
def test_sources_with_gaps(name, repeats, mask):
    check((0, APART, 2 * APART, mask, repeats, *STRIDES[name]))


@pytest.mark.parametrize("repeats", [8, 9, 41])
def test_dst_in_the_place_of_a_source(repeats):
    check((0, 0, APART, 64, repeats, *STRIDES["rows by a number each"]))
    check((0, APART, 0, 64, repeats, *STRIDES["numbers by rows"]))


def test_a_source_right_before_and_right_behind_dst():
    """What is brought together ahead of time is what stood there before."""
    strides = STRIDES["rows by a number each"]
    check((512, APART, 512 - 8 * 20, 64, 20, *strides))
    check((0, APART, 64 * 20, 64, 20, *strides))
