"""The Conv3DBackpropInput object against the definition of a convolution, in whole numbers, which come
out exactly before they are rounded to half or bfloat16."""

import numpy as np
import pytest

from conv3d_backprop_cases import (DEFAULTS, EARLY, END_ONLY, INPUT_TILING, NCDHW, NO_ADDRESS, NO_EVENT,
                                   NO_GRAD_OUTPUT, NO_INIT, NO_WEIGHT, NOT_AGAIN, REPEATS, TWO_INITS,
                                   TWO_OBJECTS, gradient_case, input_tiling, large_cases, launch_input,
                                   shape_fields, up_of)
from conv3d_backprop_tilings import BF16, CO1, FLOAT, request_of, tiling_program
from conv3d_cases import check_outputs, sizes_out
from harness import times_more
from matmul_cases import up

WHOLE = (1 << 20,) * 4
PLAIN = {"size": [4, 6, 7], "kernel": [2, 3, 3], "stride": [1, 2, 1], "dilation": [1, 1, 1],
         "pads": [(1, 0), (1, 1), (1, 1)], "ci": 20, "co": 20, "batches": 1, "bfloat": 0, "parts": WHOLE,
         "tiles": {"baseM": 32, "baseK": 48, "baseN": 32, "stepKa": 3}}


def check_cases(cases, rng, tilings=None, extra=()):
    run, wanted = launch_input(cases, rng, tilings, extra)
    check_outputs(run, wanted)


def test_random():
    rng = np.random.default_rng(41)
    check_cases([gradient_case(rng) for _ in range(20)], rng)


@pytest.mark.whole
def test_many():
    rng = np.random.default_rng(42)
    left = times_more(1000)
    while left > 0:
        check_cases([gradient_case(rng) for _ in range(min(left, 50))], rng)
        left -= 50


def test_default_part():
    """Without SetSingleShape and SetStartPosition one core does what the tiling says, which is all."""
    rng = np.random.default_rng(43)
    plain = PLAIN | {"mode": DEFAULTS}
    check_cases([plain, plain | {"bfloat": 1, "pads": [(0, 0)] * 3}], rng)


def test_two_objects():
    """A tile that another object has overwritten is made again."""
    check_cases([PLAIN | {"mode": TWO_OBJECTS}], np.random.default_rng(44))


def test_kernels_that_reach_nothing():
    """Elements of the input that no window sees have the gradient 0."""
    rng = np.random.default_rng(45)
    beside = PLAIN | {"size": [3, 1, 1], "kernel": [1, 1, 1], "stride": [2, 1, 11],
                      "pads": [(0, 0), (0, 0), (5, 5)]}
    check_cases([beside, beside | {"size": [3, 1, 9], "stride": [2, 1, 4], "pads": [(0, 0), (0, 0), (0, 0)]},
                 PLAIN | {"size": [9, 9, 9], "kernel": [1, 2, 1], "stride": [5, 4, 7],
                          "pads": [(3, 0), (9, 1), (2, 3)]},
                 PLAIN | {"size": [2, 2, 2], "stride": [7, 9, 8], "pads": [(2, 0), (8, 1), (1, 9)]}], rng)


@pytest.mark.parametrize("schedule", ["lazy", "random:5"])
def test_order_is_kept(schedule):
    """Instructions that wait as long as they may change nothing."""
    rng = np.random.default_rng(46)
    check_cases([gradient_case(rng) for _ in range(3)], rng, extra=["--schedule", schedule])


@pytest.mark.parametrize("mode, code, text", [
    (NO_INIT, "V2004", "without Init"), (TWO_INITS, "V2004", "Init was called 2 times"),
    (NO_GRAD_OUTPUT, "V2004", "without SetGradOutput"), (NO_WEIGHT, "V2004", "without SetWeight"),
    (END_ONLY, "V2004", "End without Init"), (REPEATS, "V2004", "SetLoadDataRepeat"),
    (EARLY, "V2004", "GetTensorC without an Iterate"), (NOT_AGAIN, "V2004", "isFirstIter_"),
    (NO_ADDRESS, "V1003", "GradOutput"), (NO_EVENT, "V4004", "MTE2_MTE1"), (NCDHW, "V7001", "NCDHW")])
def test_wrong_calls(mode, code, text):
    case = PLAIN | {"mode": mode, "batches": 2 if mode == NOT_AGAIN else 1}
    run, _ = launch_input([case], np.random.default_rng(47))
    assert set(run.codes) == {code} and text in run.stderr


# Lines of PLAIN's input: 6; its backpropPadUp is 1.
@pytest.mark.parametrize("wrong, code, text", [
    ({"first_din": 1}, "V2001", "curDinStartIdx"), ({"first_ho": -2}, "V2001", "curHoStartIdx"),
    ({"first_ho": 5}, "V2001", "curHoStartIdx"), ({"first_ho": 4}, "V2001", "singleShapeM"),
    ({"m": 43}, "V2001", "singleShapeM"), ({"m": 0}, "V2001", "singleShapeM"),
    ({"m": -1}, "V2001", "singleShapeM"),
    ({"n": 33}, "V2001", "singleShapeN"), ({"n": 0}, "V2001", "singleShapeN"),
    ({"k": 8}, "V2001", "singleShapeK"), ({"k": 32 * 9 + 9}, "V2001", "singleShapeK"),
    ({"k": 10}, "V2002", "singleShapeK"), ({"atomic": 2}, "V2001", "enAtomic"),
    ({"singleCoreDin": 5}, "V2001", "singleCoreDin"), ({"singleCoreDin": 0}, "V2001", "singleCoreDin"),
    ({"strideH": 0}, "V2001", "strideH"), ({"hk": 1 << 31}, "V2001", "kernelH"),
    ({"dilationH": 9}, "V2004", "along H"), ({"wo": 9}, "V2004", "wo"),
    ({"backpropPadUp": 0}, "V2004", "backpropPadUp"),
    ({"baseM": 24}, "V2002", "baseM"), ({"baseK": 0}, "V2001", "baseK"), ({"baseN": 4000}, "V1002", "Weight"),
    ({"wi": 1 << 31}, "V2001", "Win")])
def test_wrong_numbers(wrong, code, text):
    """Each is told with its name."""
    run, _ = launch_input([PLAIN | {"wrong": wrong}], np.random.default_rng(48))
    assert set(run.codes) == {code} and text in run.stderr


def test_numbers_at_their_limits():
    """The last ones that are legal: the same results, or fewer of them."""
    rng = np.random.default_rng(49)
    check_cases([PLAIN | {"wrong": wrong} for wrong in (
        {"n": 32}, {"k": 32 * 9}, {"k": 18 * 9 + 18}, {"baseM": 48, "baseN": 512, "baseK": 64},
        {"baseM": 4080 // 32 * 16, "baseN": 16, "baseK": 16}, {"atomic": 0}, {"stepKa": 0},
        {"group": 0, "cin1": 9, "c0": 7, "hf32Flag": 5})], rng)
    for wrong in ({"first_ho": 4, "m": 7}, {"first_din": 3, "singleCoreDin": 1}, {"n": 1}):
        run, _ = launch_input([PLAIN | {"wrong": wrong}], rng)
        assert run.codes in ([], ["V1014"])


def test_tiles_have_room_for_the_rows_before_them():
    """Where lines are no multiples of 16, a tile has up to 15 rows more in L0C."""
    tiles = {"baseM": 256, "baseN": 128, "baseK": 16}
    rng = np.random.default_rng(50)
    wide = PLAIN | {"size": [1, 20, 16], "kernel": [1, 3, 3], "tiles": tiles}
    check_cases([wide], rng)
    run, _ = launch_input([wide | {"size": [1, 20, 17]}], rng)
    assert set(run.codes) == {"V1002"} and "GradInput" in run.stderr


def test_no_room_is_told():
    """Lines of the output's gradient that L1 does not hold."""
    wide = PLAIN | {"size": [2, 9, 8000], "co": 1, "ci": 1}
    run, _ = launch_input([wide], np.random.default_rng(51))
    assert run.codes == ["V1006"]


@pytest.fixture(scope="module", name="get_tilings")
def fixture_get_tilings(tmp_path_factory):
    return tiling_program(tmp_path_factory.mktemp("conv3d_backprop_input"), INPUT_TILING, "-DINPUT")


def seen(case, axis):
    """Elements of the spread gradient of the output that windows of the input's elements reach."""
    reach = case["dilation"][axis] * (case["kernel"][axis] - 1) + 1
    before = reach - 1 - case["pads"][axis][0]
    spread = (sizes_out(case)[axis] - 1) * case["stride"][axis] + 1
    return max(0, min(spread, case["size"][axis] + reach - 1 - before) - max(0, -before))


def fits(case, t):
    """Whether the tiles lie in the memories of the chip, twice in L0A and L0B."""
    m, n, k = (int(t[name]) for name in ("baseM", "baseN", "baseK"))
    height, width = case["size"][1:]
    lines = min((m + 16 + width - 2) // width, height - 1) + case["dilation"][1] * (case["kernel"][1] - 1) + 1
    plane = min(lines, seen(case, 1)) * seen(case, 2) * 32
    planes = max(1, int(t["stepKa"]) * k // (case["kernel"][1] * case["kernel"][2] * 16))
    return (m % 16 == n % 16 == k % 16 == 0 and min(m, n, k) > 0 and 4 * (m + 16) * k <= 65536
            and 4 * n * k <= 65536 and 4 * (m + 16) * n <= 131072
            and int(t["stepKb"]) * k * n * 2 + planes * plane <= 524032)


def wanted_fields(case):
    c1, n1 = up(case["ci"], 16) // 16, up(case["co"], 16) // 16
    values = shape_fields(case) | dict(
        cin1=c1, cin1G=c1, cout1=n1, cout1G=n1, c0=16, c0Bits=4, backpropPadUp=up_of(case),
        singleCoreGroup=1, singleCoreCout=case["co"], singleCoreCout1=n1, singleCoreCin1=c1,
        singleCoreDin=case["size"][0], singleCoreHo=sizes_out(case)[1], singleCoreBatch=case["batches"],
        singleCoreM=case["size"][1] * case["size"][2], singleCoreCin=case["ci"])
    for axis, sides in ((1, ("Up", "Down")), (2, ("Left", "Right"))):
        reach = case["dilation"][axis] * (case["kernel"][axis] - 1) + 1
        before = reach - 1 - case["pads"][axis][0]
        spread = (sizes_out(case)[axis] - 1) * case["stride"][axis] + 1
        # A convolution of the spread gradient has as many results as the input elements.
        values |= {f"backpropPad{sides[0]}": before,
                   f"backpropPad{sides[1]}": case["size"][axis] + reach - 1 - spread - before}
    return values


def test_tilings_run(get_tilings):
    """What GetTiling gives has the shapes that it was asked for, and makes the gradient."""
    rng = np.random.default_rng(52)
    cases = [gradient_case(rng) for _ in range(20)]
    tilings, said = get_tilings([request_of(case, made_of=i) for i, case in enumerate(cases)])
    assert said == "ok 1" * 20
    for case, tiling in zip(cases, tilings):
        assert fits(case, tiling)
        assert {name: int(tiling[name]) for name in wanted_fields(case)} == wanted_fields(case)
    check_cases(cases, rng, [tiling.copy() for tiling in tilings])


def test_tilings_of_large_shapes(get_tilings):
    rng = np.random.default_rng(53)
    cases = large_cases(gradient_case, rng, times_more(2000))
    tilings, _ = get_tilings([request_of(case) for case in cases])
    made = [(case, tiling) for case, tiling in zip(cases, tilings) if not isinstance(tiling, int)]
    assert len(made) > len(cases) * 0.8
    for case, tiling in made:
        assert fits(case, tiling), (case, tiling)


def test_transposed_convolutions(get_tilings):
    """Without an input's shape: what the output reaches, and outputPad behind it."""
    rng = np.random.default_rng(54)
    cases = [gradient_case(rng) for _ in range(50)]
    axes = ("size", "pads", "dilation", "kernel", "stride")
    rest = [[(size + sum(pads) - dilation * (kernel - 1) - 1) % stride
             for size, pads, dilation, kernel, stride in zip(*(case[name] for name in axes))] for case in cases]
    same, _ = get_tilings([request_of(case) for case in cases])
    found, _ = get_tilings([request_of(case, input=[-1] * 5, output_pad=pad) for case, pad in zip(cases, rest)])
    assert found == same


def test_default_types(get_tilings):
    """Without SetStride and the like: stride and dilation 1, no padding, half."""
    case = PLAIN | {"stride": [1, 1, 1], "dilation": [1, 1, 1], "pads": [(0, 0)] * 3}
    (tiling, same, co1), _ = get_tilings([request_of(case, given=0, typed=0), request_of(case),
                                          request_of(case, position=CO1)])
    assert tiling == same == co1


@pytest.mark.parametrize("changes, word", [
    (dict(dtype=FLOAT), "GradOutput is not"), (dict(result=BF16), "Input is not"),
    (dict(position=1), "Input is not"),
    (dict(output=[1, 20, 4, 3, 8]), "W of GradOutput"), (dict(output=[2, 20, 4, 3, 7]), "N of Input"),
    (dict(output=[1, 21, 4, 3, 7]), "C of GradOutput"), (dict(input=[1, 21, 4, 6, 7]), "C of Input"),
    (dict(pads=[1, 0, 256, 0, 0, 0]), "padUp"), (dict(stride=[1, 64, 1]), "strideH"),
    (dict(input=[-1] * 5, output_pad=[0, 2, 0]), "H of GradOutput"), (dict(output=[0, 20, 4, 3, 7]), "ok 0"),
    (dict(input=[1, 20, 4, 9, 30000], output=[1, 20, 4, 5, 30000]), "fit L1")])
def test_no_tiling(get_tilings, changes, word):
    (result,), said = get_tilings([request_of(PLAIN, **changes)])
    assert result == -1 and word in said


def test_hand_made_tilings_agree(get_tilings):
    """What this file makes by hand has the bytes of GetTiling where both say something."""
    (tiling,), _ = get_tilings([request_of(PLAIN)])
    tiles = {name: tiling[name] for name in ("baseM", "baseK", "baseN", "stepKa")}
    by_hand = input_tiling(PLAIN | {"tiles": tiles})
    for name in INPUT_TILING.names:
        assert by_hand[name] in (0, tiling[name])
