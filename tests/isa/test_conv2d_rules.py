"""Conv2D: each range of the documents' tables on both sides, and rules between parameters."""

import pytest

from cases import FOLDER
from conv2d import AS_DOCUMENTED, TILING, check, choose_sources, complete, cut, launch, rng_for
from harness import Value, run_kernel
from matrix_operators import C0, CO1, CO2, HALF, HALF_TO_FLOAT, INT8, POOL, WITH

PLAIN = {"types": HALF_TO_FLOAT, "h": 6, "w": 7, "kh": 1, "kw": 1, "sh": 1, "sw": 1, "dh": 1,
         "dw": 1, "cin": 16, "cout": 16, "dst_pos": CO1}
RANGE, MULTIPLE, COMBINATION = "V2001", "V2002", "V2004"
TENSOR, BUFFER, ALIGNED, POSITION = "V1001", "V1002", "V1004", "V1005"


def plain(**changes):
    """A legal call but for the changes; tensors and tiling are those of what is changed."""
    case = complete(PLAIN | changes)
    return choose_sources(case, rng_for("conv2d", "rules"), "whole")


def with_tiling_of(base, **changes):
    """A call whose tiling and tensors are those of `base`, and its parameters are changed."""
    return plain(**base) | {"given": 1} | changes


# (parameter, legal values, illegal values); the others are chosen so that the rest is legal.
RANGES = [
    ("h", (1, 40), (0, 41, 2**32 - 1)), ("w", (2, 40), (0, 41)),
    ("kh", (1, 5), (0, 6)), ("kw", (1, 5), (0, 6)), ("sh", (1, 4), (0, 5)), ("sw", (1, 4), (0, 5)),
    ("left", (0, 4), (5,)), ("right", (0, 4), (5,)), ("top", (0, 4), (5,)),
    ("bottom", (0, 4), (5,)), ("dh", (1, 4), (0, 5)), ("dw", (1, 4), (0, 5)), ("init_y", (0, 1), (2,)),
    ("partial_sum", (0, 1), (2,)),
]
LEGAL = [plain(**{name: value}) for name, values, _ in RANGES for value in values]
LEGAL += [plain(types=types, cin=C0[types] * c1) for types in (INT8, HALF_TO_FLOAT, HALF)
          for c1 in (1, 2, 3, 4)]
LEGAL += [plain(cout=cout) for cout in (16, 32, 64, 128)]
LEGAL += [plain(h=3, w=3, kh=3, kw=3), plain(h=2, w=3, kh=3, kw=3, top=1),  # W = Kw, H <= Kh
          plain(h=4, w=4, kh=3, kw=3), plain(h=1, w=4, kh=5, top=4),  # the kernel just fits
          plain(h=36, w=39, top=4, left=1)]  # Ho and Wo are 40
FAULTS = [(RANGE, with_tiling_of({}, **{name: value}))
          for name, _, values in RANGES for value in values]
FAULTS += [
    *((MULTIPLE, with_tiling_of({}, cin=cin)) for cin in (1, 8, 15, 24)),
    *((RANGE, with_tiling_of({}, cin=cin)) for cin in (0, 80, 128)),
    *((MULTIPLE, with_tiling_of({"types": INT8, "cin": 32}, cin=cin)) for cin in (16, 48)),
    *((RANGE, with_tiling_of({"types": INT8, "cin": 32}, cin=cin)) for cin in (0, 160)),
    *((MULTIPLE, with_tiling_of({}, cout=cout)) for cout in (1, 8, 24, 127)),
    *((RANGE, with_tiling_of({}, cout=cout)) for cout in (0, 48, 80, 112, 144)),
    # W = Kw with H > Kh
    (COMBINATION, plain(h=4, w=3, kh=3, kw=3)), (COMBINATION, plain(h=2, w=1)),
    (COMBINATION, plain(h=6, w=5, kh=5, kw=5, left=2, right=2)),
    # a kernel larger than the padded map
    (COMBINATION, with_tiling_of({}, h=3, w=8, kh=4)),
    (COMBINATION, with_tiling_of({}, h=6, w=4, kw=2, dw=4)),
    (COMBINATION, with_tiling_of({}, h=1, w=7, kh=5, top=3)),
    # Ho and Wo beyond their range
    (RANGE, plain(h=37, w=8, top=4)), (RANGE, plain(h=8, w=40, right=1)),
]
# Tensors.
FAULTS += [
    (POSITION, plain(dst_pos=10)), (POSITION, plain(dst_pos=6)), (POSITION, plain(fm_pos=11)),
    (POSITION, plain(weight_pos=2)), (POSITION, plain(weight_pos=CO2)),
    (ALIGNED, plain(fm_address=16, weight_address=4096)), (ALIGNED, plain(weight_address=4112)),
    (ALIGNED, plain(dst_address=512)), (ALIGNED, plain(types=HALF, dst_address=256)),
    (ALIGNED, plain(dst_pos=CO2, dst_address=16)),
    (TENSOR, plain(fm_elements=16 * 42 - 16)), (TENSOR, plain(weight_elements=255)),
    (TENSOR, plain(dst_elements=16 * 48 - 16)), (TENSOR, plain(dst_elements=16 * 42)),
    (TENSOR, plain(dst_pos=CO2, dst_elements=16 * 48 - 1)),
    (TENSOR, plain(types=INT8, cin=32, dst_elements=0)),
    (BUFFER, plain(dst_address=262144 - 2048, visible=2048)),
    (BUFFER, plain(h=40, w=40, cout=64, visible=1024)),  # 40 * 40 * 64 sums
    (BUFFER, plain(h=40, w=40, cout=64, dst_pos=CO2, visible=1024)),
    (BUFFER, plain(types=INT8, h=33, w=32, cin=32, cout=64, visible=1024)),
]
LEGAL += [plain(dst_address=262144 - 3072), plain(h=32, w=32, cout=64),
          plain(types=HALF, h=32, w=32, cout=128), plain(types=HALF, dst_address=512),
          plain(dst_pos=CO2, dst_address=32), plain(fm_address=32, weight_address=4128)]


# The tiling: what follows from the parameters, and the tiles.
BASE = {"types": INT8, "cin": 64, "h": 7, "w": 9, "kh": 3, "kw": 2, "cout": 32, "dst_pos": CO2}


def tiled(**changes):
    """A call with a tiling that is legal but for the changes."""
    return plain(**BASE) | {"given": 1} | changes


FOLLOWS = TILING[:TILING.index("mTileBlock")]
MOST = {**dict.fromkeys(TILING, 4096), "c0Size": 32, "dTypeSize": 2, "howo": 1600,
        **dict.fromkeys(("strideH", "strideW", "dilationH", "dilationW"), 4),
        **dict.fromkeys(("hi", "wi", "ho", "wo"), 40), **dict.fromkeys(("height", "width"), 5)}
COUNTS = [name for name in TILING if not name.endswith("HasTail")]
FAULTS += [(RANGE, tiled(**{name: value})) for name in COUNTS for value in (0, MOST[name] + 1)]
FAULTS += [(COMBINATION, tiled(**{name: value + (-1 if value == MOST[name] else 1)}))
           for name, value in tiled().items() if name in FOLLOWS and name != "c0Size"]
FAULTS += [(COMBINATION, tiled(**{name: tiled()[name] + 1}))
           for name in TILING[TILING.index("mTileBlock"):-1] if name in COUNTS]
FAULTS += [
    (RANGE, tiled(c0Size=15)), (COMBINATION, tiled(c0Size=16)), (RANGE, tiled(loop_mode=4)),
    (COMBINATION, plain(given=1) | {"c0Size": 32}),  # for int8, and the map is half
    (COMBINATION, tiled(h=8, fm_elements=64 * 72)),  # for another map
]
LEGAL += [tiled(), tiled(loop_mode=3), tiled(mHasTail=0, nHasTail=1, kHasTail=0),
          tiled(mTailNums=1), tiled(mTailNums=4096)]
WIDE = plain(h=5, w=6, kh=5, kw=5, cout=128, cin=64)
BIG = plain(h=32, w=32, kh=2, kw=1, cout=16, cin=64, bottom=1)
FAULTS += [(BUFFER, BIG | {"given": 1} | cut(BIG, 64, 1, 3)),
           (BUFFER, WIDE | {"given": 1} | cut(WIDE, 1, 8, 17))]
LEGAL += [BIG | {"given": 1} | cut(BIG, 64, 1, 2), WIDE | {"given": 1} | cut(WIDE, 1, 8, 16)]


# With the tiling in the table: GetConv2dTiling would report the parameters as well.
FAULTS = [(code, case | {"given": 1}) for code, case in FAULTS]


def test_legal_sides():
    check("2002", LEGAL)


def count_of(code, run, cases):
    """All of the cases are faults of this code, and there is nothing else."""
    assert run.report is not None, f"exit {run.code}\n{run.stdout}{run.stderr}"
    assert {*run.codes} == {code} and run.code == 1, run.stderr
    assert sum(fault["count"] for fault in run.faults) == len(cases), run.stderr


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("code", sorted({code for code, _ in FAULTS}))
def test_faults(chip, code):
    """Each case is a fault of its code; what the call alone touches stays as it was."""
    cases = [case | {"visible": 0, "fills": 0} for wanted, case in FAULTS if wanted == code]
    count_of(code, launch(chip, cases), cases)


@pytest.mark.parametrize("code", (RANGE, MULTIPLE, COMBINATION))
def test_a_faulty_call_writes_nothing(code):
    cases = [case for wanted, case in FAULTS if wanted == code and result_is_small(case)]
    run = launch("2002", cases)
    count_of(code, run, cases)
    for case, got in zip(cases, run.results):
        assert (got == POOL[case["dst_from"]:case["dst_from"] + case["visible"]]).all(), case


def result_is_small(case):
    return case["visible"] <= 65536


WORDS = [
    (plain(h=4, w=3, kh=3, kw=3), "W = Kw = 3 with H = 4 > Kh = 3"),
    (with_tiling_of({}, cout=24), "cout is 24"), (with_tiling_of({}, cout=48), "cout is 48"),
    (with_tiling_of({}, cin=24), "cin is 24 with half, whose C0 is 16"),
    (with_tiling_of({}, h=41), "imgShape[0] (H) is 41"),
    (with_tiling_of({}, init_y=2), "initY is 2"),
    (with_tiling_of({}, h=1, w=7, kh=5, top=3), "larger than the padded feature map"),
    (plain(h=37, w=8, top=4), "ho, which follows from"),
    (plain(h=40, w=40, cout=64), "the result takes 409600 bytes of L0C, which has 262144"),
    (tiled(kTileBlock=0), "tilling.kTileBlock is 0"),
    (tiled(ho=6), "tilling.ho is 6, and conv2dParams with int8 make it"),
    (tiled(kTailBlock=1), "tilling.kTailBlock is 1"),
    (BIG | {"given": 1} | cut(BIG, 64, 1, 3), "a tile of featureMap takes 98304 bytes of L0A"),
    (plain(dst_elements=16 * 42), "dstLocal takes 3072 bytes of a tensor of 2688"),
]


@pytest.mark.parametrize("case, words", WORDS, ids=[words for _, words in WORDS])
def test_the_message_names_the_rule(case, words):
    run = launch("2002", [case | {"given": 1, "visible": 0, "fills": 0}])
    assert len(run.faults) == 1 and words in run.faults[0]["message"]
    assert run.faults[0]["message"].startswith("Conv2D: ") and "= legal: " in run.stderr


@pytest.mark.parametrize("chip", ("1000", "2201", "3002"))
def test_other_chips_lack_it(chip):
    run = launch(chip, [plain(given=1) | {"visible": 0, "fills": 0}])
    assert run.codes == ["V6001"] and run.code == 4
    assert "Ascend310P" in run.stderr and "Ascend910" in run.stderr


FLOATS, TO_INT32, TO_HALF = 3, 4, 5


@pytest.mark.parametrize("types, words", [(FLOATS, "float<-float<-float"),
                                          (TO_INT32, "int32<-half<-half"),
                                          (TO_HALF, "half<-int8<-int8")])
def test_other_types_are_refused(types, words):
    run = launch("2002", [plain(given=1) | {"types": types, "visible": 0, "fills": 0}])
    assert run.codes == ["V6002"] and run.code == 4 and words in run.stderr
    assert "int32<-int8<-int8, float<-half<-half, half<-half<-half" in run.stderr


def test_partial_sums_of_another_shape():
    """What stays in L0C is continued by calls of the same result only."""
    run = run_kernel(FOLDER / "conv2d_cases.cpp", Value("int32", 0), soc="Ascend310P3",
                     kernel="conv2d_chains")
    assert run.codes == ["V2012", "V2004"]
    assert "16 x 16, and this call adds 32 x 16" in run.stderr


def test_partial_sums_that_are_lost():
    run = run_kernel(FOLDER / "conv2d_cases.cpp", Value("int32", 1), soc="Ascend310P3",
                     kernel="conv2d_chains")
    assert run.codes == ["V2012", "V2008"] and run.code == 0 and "are lost" in run.stderr


def test_what_init_y_means_is_told_once_in_a_launch():
    """At the first of two calls, in one block, that depend on it; the switch's name is told."""
    run = run_kernel(FOLDER / "conv2d_cases.cpp", Value("int32", 1), soc="Ascend310P3", blocks=3,
                     kernel="conv2d_chains", extra=["--threads", "2"])
    told = [fault for fault in run.faults if fault["code"] == "V2012"]
    assert [(fault["count"], fault["class"], fault["severity"]) for fault in told] == \
        [(6, "unverified", "warning")]
    assert told[0]["message"] == "Conv2D: initY 0 overwrites dstLocal, as in the running " \
        "library; the documents say the reverse"
    assert "VINCI_CONV2D_INITY_AS_DOCUMENTED" in told[0]["legal"]


@pytest.mark.parametrize("changes, told", [
    ({}, False), ({"init_y": 1}, True), ({"partial_sum": 1}, True),
    ({"dst_pos": CO1, "partial_sum": 1}, False), ({"dst_pos": CO1, "init_y": 1}, True)])
def test_only_calls_whose_sums_are_carried_are_told(changes, told):
    """And none where the kernel is compiled for the documents' meaning."""
    case = with_tiling_of({"dst_pos": CO2}, **changes) | {"given": 1, "visible": 0, "fills": 0}
    assert launch("2002", [case]).codes == (["V2012"] if told else [])
    assert launch("2002", [case], options=AS_DOCUMENTED).codes == []
