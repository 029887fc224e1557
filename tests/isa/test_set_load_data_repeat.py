"""SetLoadDataRepeat: one LoadData 3D v2 takes several blocks of X as one bigger block."""

import numpy as np
import pytest

from batches import check_rules
from cases import TYPES, check, check_refused, launch, random_cases
from fractals import FRACTAL
from harness import CHIPS
from image_to_column import (A2, B2, PRO, SET_LEFT, SET_PADDING, SET_REPEAT, SUPPORTED,
                             ImageToColumn, Registers, Repeats, bits_of, c0_of, output_of,
                             width_of)
from test_load_data_3d_v2 import plain, random_load

WITH = ("2201", "3002")
LOAD = ImageToColumn(64)
EVERYWHERE = [(chip, dtype) for chip in WITH for dtype in SUPPORTED[chip]]


def repeated(chip="2201", dtype="half", times=2, stride=1, mode=0, **changes):
    """The 6x6 map and 3x3 filter: 36 rows, up to 48, of 9 column blocks."""
    case = plain(chip, dtype, subject=LOAD, m_ext=16)
    case["k_ext"] = c0_of(case) * (2 if chip == "3002" else 1)
    setup = changes.pop("setup", 0) | SET_REPEAT
    return case | {"setup": setup, "repeat_stride": stride, "repeat_time": times,
                   "repeat_mode": mode} | changes


def step(chip):
    """Column blocks that a repeatStride of 1 counts."""
    return 2 if chip == "3002" else 1


def random_repeats(rng, chip):
    """Repeats that fit what random_load chose."""
    case = random_load(rng, chip) | {"again": 0, "h": rng.integers(4, 24), "w": rng.integers(4, 24)}
    case = {name: int(value) for name, value in case.items()}
    case["src_n"] = (LOAD.src_bytes - case["src"]) * 8 // bits_of(case)
    case["dst_n"] = LOAD.dst_bytes * 8 // bits_of(case)
    case |= {"setup": case["setup"] | SET_REPEAT, "repeat_mode": int(rng.integers(0, 2)),
             "repeat_time": int(rng.choice([0, 1, 2, 2, 3, 3, 4]))}
    if not case["channels"]:
        return case
    c0, times = c0_of(case), max(case["repeat_time"], 1)
    rows = -(-int(np.prod(output_of(case, Registers(case).map))) // 16)
    blocks = width_of(case) // c0
    unit, length = (1, rows) if case["repeat_mode"] == 0 else (step(chip), blocks)
    most = (length - 1) // (times - 1) // unit if times > 1 else 1
    stride = int(rng.integers(1, max(most, 1) + 1))
    behind = max(length - (times - 1) * stride * unit, 1)
    extent = int(rng.integers(1, min(stride * unit, behind) + 1))
    start = int(rng.integers(0, behind - extent + 1))
    case["repeat_stride"] = stride
    if times == 1:
        return case
    if case["repeat_mode"] == 0:
        return case | {"m_ext": 16 * extent, "m_start": 16 * start}
    return case | {"k_ext": c0 * extent, "k_start": c0 * start}


def some(chip):
    return random_cases(LOAD, chip, lambda rng: random_repeats(rng, chip), 600)


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check(LOAD, chip, some(chip), allowed=("V2008", "V2011"))


@pytest.mark.parametrize("chip", WITH)
def test_the_random_cases_reach_everything(chip):
    """Each type in each memory and mode with several repeats, gaps, remainders."""
    cases = [case for case in some(chip) if case["repeat_time"] > 1]
    kinds = {(TYPES[case["type"]], case["dst_pos"], case["transpose"], case["repeat_mode"])
             for case in cases}
    for dtype in SUPPORTED[chip]:
        for mode in (0, 1):
            assert (dtype, A2, 0, mode) in kinds
            if bits_of({"type": TYPES.index(dtype)}) >= 16:
                assert {(dtype, A2, 1, mode), (dtype, B2, 0, mode)} <= kinds
    for reached in (lambda c: c["repeat_mode"] == 0 and c["m_ext"] < 16 * c["repeat_stride"],
                    lambda c: c["repeat_mode"] == 1 and
                    c["k_ext"] < c0_of(c) * step(chip) * c["repeat_stride"],
                    lambda c: c["channels"] % c0_of(c) and c["repeat_mode"] == 1,
                    lambda c: c["channels"] % c0_of(c) and c["repeat_mode"] == 0,
                    lambda c: c["repeat_time"] > 2, lambda c: c["form"] >= PRO,
                    lambda c: c["m_start"], lambda c: c["k_start"]):
        assert sum(bool(reached(case)) for case in cases) > 15


@pytest.mark.parametrize("chip, dtype", EVERYWHERE)
@pytest.mark.parametrize("mode", (0, 1))
def test_repeats_without_a_gap_are_one_bigger_load(chip, dtype, mode):
    """Bit for bit, in each layout."""
    places = [(A2, 0)] + [(A2, 1), (B2, 0)] * (c0_of(plain(dtype=dtype)) <= 16)
    parts = [repeated(chip, dtype, 3, mode=mode, dst_pos=place, transpose=transpose)
             for place, transpose in places]
    wholes = [Repeats(case, chip).whole(case) | {"setup": 0} for case in parts]
    outputs = [launch(LOAD, chip, cases) for cases in (parts, wholes)]
    assert [run.codes for run in outputs] == [[], []]
    assert (outputs[0].outputs[0] == outputs[1].outputs[0]).all()


@pytest.mark.parametrize("chip", WITH)
def test_an_example_by_hand(chip):
    """A map of one column, a filter of one point: row m of X is pixel m. Of 96 rows, rows 0..15,
    48..63; of 6 blocks of channels, 0 and 2 (4 on the 310B, which counts in 64 bytes)."""
    subject = ImageToColumn(4, 96 * 6 * 32)
    pixels = np.arange(6)[:, None] * 100 + np.arange(96)
    image = np.concatenate([np.zeros(subject.dst_bytes, np.uint8),
                            np.repeat(pixels, 16).astype(np.float16).view(np.uint8)])
    subject.before = lambda case, chip: image
    alone = {"left": 0, "right": 0, "top": 0, "bottom": 0, "h": 96, "w": 1, "filter_w": 1,
             "filter_h": 1, "channels": 96, "m_ext": 16, "k_ext": 16, "setup": SET_REPEAT,
             "repeat_time": 2}
    cases = [plain(chip, subject=subject, **alone, repeat_stride=3, repeat_mode=0),
             plain(chip, subject=subject, **alone, repeat_stride=2, repeat_mode=1)]
    run = launch(subject, chip, cases)
    assert run.codes == []
    got = run.outputs[0].view(np.float16).reshape(2, 4, 16, 16)[:, :2, :, 0].astype(int)
    second = {"2201": 200, "3002": 400}[chip]
    assert got[0].tolist() == [list(range(16)), list(range(48, 64))]
    assert got[1].tolist() == [list(range(16)), list(range(second, second + 16))]


@pytest.mark.parametrize("chip", WITH)
def test_registers_last_until_the_end_of_the_block(chip):
    """A second load is repeated too; the next block has one repeat again."""
    cases = []
    for form in (0, 1, 2, 3, 4):
        case = repeated(chip, form=form, again=32 * FRACTAL, right_map=0,
                        setup=SET_LEFT | SET_PADDING)
        cases += [case, case | {"setup": SET_LEFT | SET_PADDING}]
    check(LOAD, chip, cases)


HUGE = {"repeat_stride": 65535, "repeat_time": 255}
RULES = [
    ("repeatTime 0 does nothing", {"repeat_time": 0}, None),
    ("repeatTime 0 does nothing at all", {"repeat_time": 0, "m_ext": 999, "dst_n": 0}, None),
    ("once, so the stride has no effect", {"repeat_time": 1, "repeat_stride": 0}, None),
    ("once, whatever the stride",
     {"repeat_time": 1, "repeat_stride": 65535, "m_start": 32, "m_ext": 9}, None),
    ("once along, whatever the stride",
     {"repeat_time": 1, "repeat_stride": 65535, "repeat_mode": 1}, None),
    ("three repeats to the last row", {"repeat_time": 3}, None),
    ("four repeats, beyond the last row", {"repeat_time": 4}, "V2004"),
    ("from a later row", {"m_start": 16}, None),
    ("from a later row, beyond the last", {"m_start": 32}, "V2004"),
    ("a stride to the last row", {"repeat_stride": 2}, None),
    ("a stride beyond the last row", {"repeat_stride": 3}, "V2004"),
    ("the largest numbers", HUGE, "V2004"),
    ("the largest numbers along", HUGE | {"repeat_mode": 1}, "V2004"),
    ("stride 0", {"repeat_stride": 0}, "V2004"),
    ("stride 0 along", {"repeat_stride": 0, "repeat_mode": 1}, "V2004"),
    ("stride as large as mExtension", {"m_ext": 16, "repeat_stride": 1}, None),
    ("mExtension larger than the stride", {"m_ext": 32, "repeat_stride": 1}, "V2004"),
    ("mExtension in whole fractals", {"m_ext": 32, "repeat_stride": 1, "repeat_time": 1}, None),
    ("mExtension in parts of fractals", {"m_ext": 15, "repeat_stride": 1}, "V2002"),
    ("mExtension in parts, along", {"m_start": 32, "m_ext": 15, "repeat_mode": 1}, None),
    ("mExtension beyond the last row, along", {"m_ext": 49, "repeat_mode": 1}, "V2004"),
    ("dst just enough", {"dst_n": "2"}, None), ("dst one short", {"dst_n": "2-"}, "V1001"),
    ("dst just enough along", {"dst_n": "2", "repeat_mode": 1}, None),
    ("dst one short along", {"dst_n": "2-", "repeat_mode": 1}, "V1001"),
    ("dst just enough, transposed", {"dst_n": "2", "transpose": 1}, None),
    ("dst one short, transposed", {"dst_n": "2-", "transpose": 1}, "V1001"),
    ("dst just enough in B2", {"dst_n": "2", "dst_pos": B2}, None),
    ("dst one short in B2", {"dst_n": "2-", "dst_pos": B2, "repeat_mode": 1}, "V1001"),
    # The window of row 31 is (5, 1); its upper left point sees pixel (4, 0), its next (4, 1).
    ("src just enough", {"k_ext": 16, "src_n": 25 * 16}, None),
    ("src one short", {"k_ext": 16, "src_n": 25 * 16 - 1}, "V1001"),
]


def fractals_of(changes, case):
    """dst_n in elements, where it is given in blocks of the load; "2-" is one element short."""
    text = changes.get("dst_n")
    if not isinstance(text, str):
        return case
    count = int(text.rstrip("-")) * case["k_ext"] * 16
    return case | {"dst_n": count - text.endswith("-")}


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    rules = []
    for _, changes, code in RULES:
        rules.append((fractals_of(changes, repeated(chip, **changes) | changes), code))
    check_rules(LOAD, chip, rules)


class AfterRefusedSetting(ImageToColumn):
    """The setting is refused; the load after it is made once."""

    def untouched(self, case, chip, before):
        return self.expected(case | {"setup": 0}, chip, before)


@pytest.mark.parametrize("chip", WITH)
def test_modes(chip):
    check_rules(AfterRefusedSetting(64), chip, [
        (repeated(chip, mode=mode), None if mode < 2 else "V2001") for mode in (0, 1, 2, 3, 255)])


@pytest.mark.parametrize("chip", WITH)
def test_rules_along_the_rows(chip):
    """X has 9 blocks of columns; a repeatStride of 1 is a block, or two."""
    unit, base = step(chip), {"mode": 1, "k_ext": 16}
    check_rules(LOAD, chip, [
        (repeated(chip, times=9 // unit, **base), None),
        (repeated(chip, times=9 // unit, k_start=16, **base), "V2004" if unit == 1 else None),
        (repeated(chip, times=9 // unit, k_start=48, **base), "V2004"),
        (repeated(chip, times=2, stride=8 // unit, **base), None),
        (repeated(chip, times=2, stride=8 // unit, k_start=16, **base), "V2004"),
        (repeated(chip, times=2, **base | {"k_ext": 16 * unit}), None),
        (repeated(chip, times=2, **base | {"k_ext": 16 * unit + 16}), "V2004"),
        (repeated(chip, times=2, stride=4, **base | {"k_ext": 8}), "V2002"),
        (repeated(chip, times=2, stride=8 // unit, **base | {"k_ext": 8}), "V2002"),
        (repeated(chip, times=2, k_start=8, **base), "V2002")])


@pytest.mark.parametrize("chip", WITH)
def test_all_of_l0(chip):
    """128 fractals in two repeats, and half of them again behind."""
    full = ImageToColumn(128, 16384)
    base = plain(chip, subject=full, h=8, w=8, filter_w=4, filter_h=8, top=3, bottom=4, left=1,
                 right=2, setup=SET_REPEAT, repeat_time=2)
    down = base | {"m_ext": 32, "k_ext": 512, "repeat_stride": 2, "repeat_mode": 0}
    along = base | {"m_ext": 64, "k_ext": 256, "repeat_stride": 16 // step(chip), "repeat_mode": 1}
    for case in (down, along):
        for place in (A2, B2):
            case = case | {"dst_pos": place}
            check(full, chip, [case, case | {"transpose": 1}])
            check_refused(full, chip, case | {"dst": FRACTAL, "dst_n": 1 << 15}, "V1002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_it(chip):
    run = check_refused(LOAD, chip, repeated(chip) | {"visible": 0}, "V6001")
    assert "SetLoadDataRepeat" in run.faults[0]["message"]
