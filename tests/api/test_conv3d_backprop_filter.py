"""The Conv3DBackpropFilter object against the definition of a convolution, in whole numbers."""

import numpy as np
import pytest

from conv3d_backprop_cases import (DEFAULTS, EARLY, END_ONLY, FILTER_NO_GRAD_OUTPUT, FILTER_TILING, NO_ADDRESS,
                                   NO_EVENT, NO_INIT, NO_INPUT, NOT_AGAIN, REPEATS, TWO_INITS, TWO_OBJECTS,
                                   filter_case, filter_tiling, large_cases, launch_filter, shape_fields)
from conv3d_backprop_tilings import BF16, CO1, FLOAT, request_of, tiling_program
from conv3d_cases import check_outputs, sizes_out
from harness import times_more
from matmul_cases import up

WHOLE = (1 << 20,) * 4
PLAIN = {"size": [4, 6, 7], "kernel": [2, 3, 3], "stride": [1, 2, 1], "dilation": [1, 1, 1],
         "pads": [(1, 0), (1, 1), (1, 1)], "ci": 20, "co": 20, "batches": 1, "bfloat": 0, "parts": WHOLE,
         "tiles": {"baseM": 32, "baseK": 32, "baseN": 48, "stepKa": 1}}
# One slice of each, which meets the kernel's one.
FLAT = PLAIN | {"size": [1, 6, 7], "kernel": [1, 3, 3], "pads": [(0, 0), (1, 1), (1, 1)]}


def check_cases(cases, rng, tilings=None, **more):
    run, wanted = launch_filter(cases, rng, tilings, **more)
    check_outputs(run, wanted)


def test_random():
    rng = np.random.default_rng(61)
    check_cases([filter_case(rng) for _ in range(12)], rng)


@pytest.mark.whole
def test_many():
    rng = np.random.default_rng(62)
    left = times_more(1000)
    while left > 0:
        check_cases([filter_case(rng) for _ in range(min(left, 50))], rng)
        left -= 50


def test_default_part():
    """Without SetSingleShape and SetStartPosition one core does what the tiling says: a slice."""
    rng = np.random.default_rng(63)
    check_cases([PLAIN | {"mode": DEFAULTS}, PLAIN | {"mode": DEFAULTS, "bfloat": 1, "batches": 2}], rng)


def test_two_objects():
    """A tile that another object has overwritten is made again."""
    check_cases([PLAIN | {"mode": TWO_OBJECTS}], np.random.default_rng(64))


def test_sums_are_added_unless_told_otherwise():
    """The first ones overwrite what nothing has written; to add to that is told."""
    rng = np.random.default_rng(65)
    check_cases([FLAT | {"atomic": 0}, PLAIN | {"atomic": 0}], rng, cleared=False)
    run, _ = launch_filter([FLAT], rng, cleared=False)
    assert set(run.codes) == {"V1013"}


def test_windows_that_reach_nothing():
    """Weights that no element of the input meets have the gradient 0."""
    beside = PLAIN | {"size": [3, 2, 1], "kernel": [1, 1, 1], "stride": [2, 1, 11],
                      "pads": [(0, 0), (0, 0), (5, 5)]}
    check_cases([beside, PLAIN | {"size": [2, 1, 3], "stride": [1, 9, 1], "pads": [(0, 0), (4, 7), (3, 5)]}],
                np.random.default_rng(66))


@pytest.mark.parametrize("schedule", ["lazy", "random:5"])
def test_order_is_kept(schedule):
    """Instructions that wait as long as they may change nothing."""
    rng = np.random.default_rng(67)
    check_cases([filter_case(rng) for _ in range(3)], rng, extra=["--schedule", schedule])


@pytest.mark.parametrize("mode, code, text", [
    (NO_INIT, "V2004", "without Init"), (TWO_INITS, "V2004", "Init was called 2 times"),
    (NO_INPUT, "V2004", "without SetInput"), (FILTER_NO_GRAD_OUTPUT, "V2004", "without SetGradOutput"),
    (END_ONLY, "V2004", "End without Init"), (REPEATS, "V2004", "SetLoadDataRepeat"),
    (EARLY, "V2004", "GetTensorC without an Iterate"), (NOT_AGAIN, "V2004", "isFirstIter_"),
    (NO_ADDRESS, "V1003", "Input"), (NO_EVENT, "V4004", "MTE2_MTE1")])
def test_wrong_calls(mode, code, text):
    case = FLAT | {"mode": mode, "batches": 2 if mode == NOT_AGAIN else 1}
    run, _ = launch_filter([case], np.random.default_rng(68))
    assert set(run.codes) == {code} and text in run.stderr


# FLAT's output has 3 lines of 7 elements; of each of the 2 blocks of channels there are 9 points.
@pytest.mark.parametrize("wrong, code, text", [
    ({"first_ho": 3}, "V2001", "hoStartIdx"), ({"first_ho": 1}, "V2001", "singleCoreK"),
    ({"k": 0}, "V2001", "singleCoreK"), ({"k": 28}, "V2001", "singleCoreK"), ({"k": 8}, "V2002", "singleCoreK"),
    ({"m": 0}, "V2001", "singleCoreM"), ({"m": 33}, "V2001", "singleCoreM"),
    ({"m": -1}, "V2001", "singleCoreM"),
    ({"n": 8}, "V2001", "singleCoreN"), ({"n": 32 * 9 + 9}, "V2001", "singleCoreN"),
    ({"n": 10}, "V2002", "singleCoreN"),
    ({"atomic": 2}, "V2001", "enAtomic"), ({"strideH": 0}, "V2001", "strideH"),
    ({"hk": 1 << 31}, "V2001", "kernelH"),
    ({"dilationH": 9}, "V2004", "along H"), ({"ho": 9}, "V2004", "ho"), ({"padLeft": 256}, "V2001", "padLeft"),
    ({"baseM": 24}, "V2002", "baseM"), ({"baseK": 0}, "V2001", "baseK"), ({"baseN": 4000}, "V1002", "Input"),
    ({"baseM": 256, "baseN": 144, "baseK": 16}, "V1002", "GradWeight")])
def test_wrong_numbers(wrong, code, text):
    """Each is told with its name."""
    run, _ = launch_filter([FLAT | {"wrong": wrong}], np.random.default_rng(69))
    assert set(run.codes) == {code} and text in run.stderr


def test_numbers_at_their_limits():
    """The last ones that are legal: the same results."""
    rng = np.random.default_rng(70)
    check_cases([FLAT | {"wrong": wrong} for wrong in (
        {"m": 32}, {"n": 32 * 9}, {"n": 17 * 9}, {"baseM": 256, "baseN": 128, "baseK": 16}, {"baseN": 16},
        {"stepKa": 0}, {"atomic": 1}, {"group": 0, "channelSize": 7, "m0": 3, "singleCoreDK": 5})], rng)


def test_no_room_is_told():
    """Lines of the input that L1 does not hold."""
    run, _ = launch_filter([FLAT | {"size": [1, 9, 8000], "co": 1, "ci": 1}], np.random.default_rng(71))
    assert set(run.codes) == {"V1006"}


@pytest.fixture(scope="module", name="get_tilings")
def fixture_get_tilings(tmp_path_factory):
    return tiling_program(tmp_path_factory.mktemp("conv3d_backprop_filter"), FILTER_TILING, "-DFILTER")


def ask(case, **changes):
    return request_of(case, **{"result": FLOAT} | changes)


def fits(case, t):
    """Whether the tiles lie in the memories of the chip, twice in L0A and L0B."""
    m, n, k = (int(t[name]) for name in ("baseM", "baseN", "baseK"))
    _, height, line = sizes_out(case)
    rows = min(int(t["stepKa"]) * k, height * line)
    lines = up(rows, line) // line
    needed = (lines - 1) * case["stride"][1] + case["dilation"][1] * (case["kernel"][1] - 1) + 1
    l1 = min(needed, case["size"][1]) * case["size"][2] * 32 + up(lines * line, 16) * m * 2
    return (m % 16 == n % 16 == k % 16 == 0 and min(m, n, k) > 0 and 4 * m * k <= 65536 and 4 * n * k <= 65536
            and 4 * m * n <= 131072 and l1 <= 524032 and t["stepKb"] == t["stepKa"])


def wanted_fields(case):
    c1, n1 = up(case["ci"], 16) // 16, up(case["co"], 16) // 16
    _, height, width = sizes_out(case)
    return shape_fields(case) | dict(
        cin1G=c1, cout1G=n1, channelSize=16, m0=16, k0=16, n0=16, singleCoreDK=1, singleCoreGroup=1,
        singleCoreCout=case["co"], singleCoreHo=height, singleCoreBatch=case["batches"],
        singleCoreCin=case["ci"],
        totalL1Size=524032 // 2, singleCoreM=case["co"], singleCoreK=height * width,
        singleCoreN=c1 * 16 * case["kernel"][1] * case["kernel"][2])


def test_tilings_run(get_tilings):
    """What GetTiling gives has the shapes that it was asked for, and makes the gradient."""
    rng = np.random.default_rng(72)
    cases = [filter_case(rng) for _ in range(20)]
    tilings, said = get_tilings([ask(case, made_of=i) for i, case in enumerate(cases)])
    assert said == "ok 1" * 20
    for case, tiling in zip(cases, tilings):
        assert fits(case, tiling)
        assert {name: int(tiling[name]) for name in wanted_fields(case)} == wanted_fields(case)
    check_cases(cases, rng, [tiling.copy() for tiling in tilings])


def test_tilings_of_large_shapes(get_tilings):
    rng = np.random.default_rng(73)
    cases = large_cases(filter_case, rng, times_more(2000))
    tilings, _ = get_tilings([ask(case) for case in cases])
    made = [(case, tiling) for case, tiling in zip(cases, tilings) if not isinstance(tiling, int)]
    assert len(made) > len(cases) * 0.8
    for case, tiling in made:
        assert fits(case, tiling), (case, tiling)


def test_default_types(get_tilings):
    """Without SetStride and the like: stride and dilation 1, no padding, half and float."""
    case = PLAIN | {"stride": [1, 1, 1], "dilation": [1, 1, 1], "pads": [(0, 0)] * 3}
    (tiling, same, co1), _ = get_tilings([ask(case, given=0, typed=0), ask(case), ask(case, position=CO1)])
    assert tiling == same == co1


@pytest.mark.parametrize("changes, word", [
    (dict(dtype=FLOAT), "Input is not"), (dict(result=BF16), "Weight is not"),
    (dict(position=1), "Weight is not"),
    (dict(output=[1, 20, 4, 3, 8]), "W of GradOutput"), (dict(output=[2, 20, 4, 3, 7]), "N of Input"),
    (dict(output=[1, 21, 4, 3, 7]), "C of GradOutput"), (dict(input=[1, 21, 4, 6, 7]), "C of Input"),
    (dict(pads=[1, 0, 256, 0, 0, 0]), "padUp"), (dict(stride=[1, 64, 1]), "strideH"),
    (dict(output=[0, 20, 4, 3, 7]), "N of GradOutput"), (dict(input=[-1] * 5), "N of Input"),
    (dict(weight=[20, 20, 0, 3, 3]), "kernelD"),
    (dict(input=[1, 20, 4, 9, 30000], output=[1, 20, 4, 5, 30000]), "fit L1")])
def test_no_tiling(get_tilings, changes, word):
    (result,), said = get_tilings([ask(PLAIN, **changes)])
    assert result == -1 and word in said


def test_hand_made_tilings_agree(get_tilings):
    """What this file makes by hand has the bytes of GetTiling where both say something."""
    (tiling,), _ = get_tilings([ask(PLAIN)])
    tiles = {name: tiling[name] for name in ("baseM", "baseK", "baseN", "stepKa")}
    by_hand = filter_tiling(PLAIN | {"tiles": tiles})
    for name in FILTER_TILING.names:
        assert by_hand[name] in (0, tiling[name])
