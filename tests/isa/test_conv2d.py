"""Conv2D against a direct convolution in numpy: int8 and whole numbers exactly, halves within the
rounding of Mmad's order, and small ones bit for bit."""

import numpy as np
import pytest

import conv2d_definition
from cases import FOLDER
from conv2d import (AS_DOCUMENTED, check, choose_sources, compare, compare_bits, complete, launch, legal,
                    random_case, random_cases, random_tiles, rng_for)
from harness import CHIPS, Out, run_kernel, times_more
from matrix_operators import A1, B1, C0, CO1, CO2, HALF, HALF_TO_FLOAT, INT8, POOL, WITH


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check(chip, random_cases(times_more(1000), chip))


@pytest.mark.parametrize("chip", WITH)
def test_every_value_of_every_parameter(chip):
    """Each parameter at each of its values, the others small."""
    cases, rng = [], rng_for("conv2d", chip, "values")
    plain = {"h": 6, "w": 7, "kh": 2, "kw": 2, "cout": 16, "left": 1, "right": 0, "top": 0,
             "bottom": 1, **dict.fromkeys(("sh", "sw", "dh", "dw"), 1)}
    values = {**dict.fromkeys("hw", range(1, 41)), **dict.fromkeys(("kh", "kw"), range(1, 6)),
              **dict.fromkeys(("sh", "sw", "dh", "dw"), range(1, 5)),
              **dict.fromkeys(("left", "right", "top", "bottom"), range(5)),
              "cout": (16, 32, 64, 128), "c1": range(1, 5)}
    for number, (name, value) in enumerate((n, v) for n, list_ in values.items() for v in list_):
        case = plain | {"types": number % 3, "dst_pos": CO1 if number % 2 else CO2, name: value}
        case["cin"] = C0[case["types"]] * case.pop("c1", 1)
        if legal(case):
            cases.append(choose_sources(complete(case), rng, "whole"))
    assert len(cases) > 120
    check(chip, cases)


@pytest.mark.parametrize("chip", WITH)
def test_other_tilings_and_all_loop_modes(chip):
    """Tiles of M, N and K of any size, with tails, one or two buffers."""
    rng = rng_for("conv2d", chip, "tiles")
    drawn = random_cases(max(times_more(200), 40), chip, "tiles")
    cases = [random_tiles(case, rng) for case in drawn]
    assert {case["loop_mode"] for case in cases} == {0, 1, 2, 3}
    for axis in "mnk":
        assert any(case[axis + "TailBlock"] != case[axis + "TileBlock"] for case in cases)
    check(chip, cases)


def whole_case(rng):
    return random_case(rng, 7, "whole")


def whole_cases(chip):
    return random_cases(times_more(60), chip, "definition", make=whole_case)


@pytest.mark.parametrize("chip", WITH)
def test_each_window_by_definition(chip):
    """Whole numbers, window by window and index by index."""
    check(chip, whole_cases(chip), judge=conv2d_definition.compare)


@pytest.mark.parametrize("chip", WITH)
def test_the_windows_reach_every_type_and_start(chip):
    assert {(case["types"], case["init_y"]) for case in whole_cases(chip)} == {
        (types, init_y) for types in (INT8, HALF_TO_FLOAT, HALF) for init_y in (0, 1)}


def small_case(rng):
    case = random_case(rng, 7)
    if case is None or case["kNum"] > 700 or case["types"] == INT8 or case["cout"] > 32:
        return None
    return choose_sources(case, rng, "any")


@pytest.mark.parametrize("chip", WITH)
def test_bit_for_bit(chip):
    cases = random_cases(times_more(40), chip, "bits", make=small_case)
    rng = rng_for("conv2d", chip, "bits tiles")
    check(chip, cases + [random_tiles(case, rng) for case in cases], judge=compare_bits)


@pytest.mark.parametrize("types", (INT8, HALF_TO_FLOAT, HALF))
@pytest.mark.parametrize("documented", (False, True))
def test_init_y(types, documented):
    """0 overwrites and 1 adds; with the switch the other way round."""
    cases = [complete({"types": types, "h": 5, "w": 6, "kh": 3, "kw": 2, "sh": 1, "sw": 2, "dh": 1,
                       "dw": 1, "cin": 2 * C0[types], "cout": 32, "top": 1, "init_y": init_y,
                       "dst_pos": position}) for init_y in (0, 1) for position in (CO1, CO2)]
    rng = rng_for("conv2d", "init_y")
    cases = [choose_sources(case, rng, "whole") for case in cases]
    run = launch("2002", cases, options=AS_DOCUMENTED if documented else ())
    assert run.codes == ([] if documented else ["V2012"]) and run.code == 0, run.stderr
    for case, got in zip(cases, run.results):
        compare(case, got, documented)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("types", (INT8, HALF_TO_FLOAT, HALF))
def test_partial_sums_stay_in_l0c(chip, types):
    """With partialSum 1 dstLocal in CO2 is as before; the sums come with the last call."""
    case = complete({"types": types, "h": 6, "w": 6, "kh": 3, "kw": 3, "sh": 1, "sw": 1, "dh": 1,
                     "dw": 1, "cin": C0[types], "cout": 16, "dst_pos": CO2})
    case = choose_sources(case, rng_for("conv2d", "partial"), "whole")
    run = launch(chip, [case | {"partial_sum": 1}, case | {"partial_sum": 1, "calls": 3},
                        case | {"partial_sum": 1, "dst_pos": CO1}, case | {"calls": 3}])
    assert run.codes == ["V2012"] and run.code == 0, run.stderr
    before = POOL[case["dst_from"]:case["dst_from"] + case["visible"]]
    assert (run.results[0] == before).all() and (run.results[1] == before).all()
    compare(case | {"dst_pos": CO1}, run.results[2])  # partialSum is for CO2
    compare(case | {"calls": 3}, run.results[3])


def test_checks_change_no_result():
    cases = random_cases(60, "checks")
    outputs = []
    for level in ("off", "basic", "full"):
        run = launch("2002", cases, check=level)
        assert run.codes == ([] if level == "off" else ["V2012"]) and run.code == 0, run.stderr
        outputs.append(run.results)
    for off, basic, full in zip(*outputs):
        assert (off == basic).all() and (off == full).all()


@pytest.mark.parametrize("chip", WITH)
def test_through_queues(chip):
    """The shapes of the LoadData page's sample: all ones, two calls into one result."""
    run = run_kernel(FOLDER / "conv2d_cases.cpp", np.ones(512, np.float16),
                     np.ones(2048, np.float16), Out("float", 256), soc=CHIPS[chip],
                     kernel="conv2d_queues")
    assert run.codes == ["V2012"] and run.code == 0, run.stderr
    image = np.array([[32, 64, 64, 32], [64, 128, 128, 64], [64, 128, 128, 64], [32, 64, 64, 32]])
    assert (run.outputs[0].reshape(4, 4, 16) == 2 * image[:, :, None]).all()


def test_a_map_or_weights_in_any_part_of_l1():
    """A1 and B1 are the same memory."""
    case = choose_sources(complete({"types": INT8, "h": 4, "w": 4, "kh": 2, "kw": 2, "sh": 1,
                                    "sw": 1, "dh": 1, "dw": 1, "cin": 32, "cout": 16,
                                    "dst_pos": CO1}), rng_for("conv2d", "l1"))
    check("2002", [case | {"fm_pos": B1, "weight_pos": A1}])
