"""LoadData 3D v2: random cases, registers, and the documents' examples."""

import numpy as np
import pytest

from batches import check_rules
from cases import TYPES, WIDTH, check, check_random, launch, random_cases, verdict
from fractals import FRACTAL, from_zz
from image_to_column import (A1, A2, ALL, B1, B2, GEOMETRY, MAP, SET_BY_V1, SET_LEFT, SET_PADDING,
                             SET_RIGHT, SUPPORTED, WITH, ImageToColumn, Registers, c0_of,
                             ends_in_a_fractal, filter_of, output_of, rests_of, width_of)
from test_convolution import CONVOLUTION, random_convolution

LOAD = ImageToColumn()
SEVEN = 0x4700  # as a half
EVERYWHERE = [(chip, dtype) for chip in WITH for dtype in SUPPORTED[chip]]


def elements(dtype, count):
    """How many elements `count` bytes hold."""
    return count * 2 if dtype == "int4" else count // WIDTH[dtype]


def plain(chip="2201", dtype="half", subject=LOAD, **changes):
    """A 6x6 map, a 3x3 filter, pads of 1, one block of channels: 32 rows, 3 column blocks."""
    case = {"visible": chip in WITH, "form": 2, "sets": ALL, "setup": 0, "again": 0,
            "type": TYPES.index(dtype), "dst_pos": A2, "dst": 0,
            "dst_n": elements(dtype, subject.dst_bytes), "src_pos": A1, "src": 0,
            "src_n": elements(dtype, subject.src_bytes), **dict.fromkeys(MAP[:4], 1),
            "h": 6, "w": 6, "value": 7, "earlier_value": 3, "m_ext": 32, "k_start": 0, "m_start": 0,
            "transpose": 0, "small_k": 0, "size_w": 0, "size_h": 0, "right_map": 0,
            "repeat_stride": 0, "repeat_time": 1, "repeat_mode": 0, "boundary": 0, "seed": 1}
    case |= {name: 1 for name in GEOMETRY} | {"filter_w": 3, "filter_h": 3}
    case |= {"channels": c0_of(case), "k_ext": 3 * c0_of(case)}
    for prefix in ("l_", "r_"):
        case |= {prefix + name: case[name] for name in MAP}
    return case | changes


def random_value(rng, dtype):
    if dtype == "int4":  # an int4b_t keeps its sign in a byte of its own
        return int(rng.integers(-8, 8)) % 256
    return rng.integers(0, 1 << 8 * WIDTH[dtype])


def random_map(rng, prefix=""):
    sides = {prefix + side: rng.choice([0, 0, 1, 2, 3, 5]) for side in MAP[:4]}
    wide = rng.random() < 0.3  # lines of more than a fractal
    return sides | {prefix + "h": rng.integers(1, 5 if wide else 12),
                    prefix + "w": rng.integers(16, 50) if wide else rng.integers(1, 12)}


def random_block(rng, chip, case):
    """Where the block starts and ends, once the rest of the case is known."""
    case = {name: int(value) for name, value in case.items()}
    ho, wo = output_of(case, Registers(case).map)
    c0, width = c0_of(case), width_of(case)
    unit = rng.choice([1, 16])
    m_start = rng.integers(0, max(ho * wo, 1)) // unit * unit * rng.integers(0, 2)
    k_start = rng.integers(0, width // c0) * c0 * rng.integers(0, 2)
    m_left, k_left = -(-max(ho * wo, 1) // 16) * 16 - m_start, width - k_start
    m_ext = rng.choice([m_left, rng.integers(1, m_left + 1), min(16, m_left)])
    k_ext = rng.choice([k_left, c0, k_left - rng.integers(0, min(c0, k_left)),
                        rng.integers(1, k_left // c0 + 1) * c0])
    return {"m_start": m_start, "k_start": k_start, "m_ext": m_ext, "k_ext": k_ext}


def random_load(rng, chip, dtype=None):
    dtype = dtype or str(rng.choice(SUPPORTED[chip]))
    case = plain(chip, dtype) | random_map(rng) | random_map(rng, "l_") | random_map(rng, "r_")
    for side in "wh":
        case |= {"stride_" + side: rng.integers(1, 4), "filter_" + side: rng.integers(1, 5),
                 "dilation_" + side: rng.choice([1, 1, 2, 3])}
    form = rng.integers(0, 5)
    src = 32 * int(rng.integers(0, 20))
    case |= {"form": form, "sets": rng.choice([ALL, ALL, 0, 1, 2]),
             "setup": rng.choice([7, 7, 7, rng.integers(0, 8)]), "small_k": rng.random() < 0.2,
             "right_map": rng.random() < 0.3 and form != 0, "value": random_value(rng, dtype),
             "earlier_value": random_value(rng, dtype), "transpose": rng.random() < 0.4,
             "channels": rng.integers(0, 3) * c0_of(case) + rng.choice(rests_of(case)),
             "dst_pos": rng.choice([A2, B2]), "src_pos": rng.choice([A1, B1]), "src": src,
             "src_n": elements(dtype, LOAD.src_bytes - src), "dst": FRACTAL * rng.integers(0, 4),
             "again": rng.choice([0, 0, 0, 12 * FRACTAL]), "seed": rng.integers(0, 1 << 20)}
    return case | (random_block(rng, chip, case) if case["channels"] else {})


@pytest.mark.parametrize("chip, dtype", [(chip, dtype) for chip in WITH
                                         for dtype in SUPPORTED[chip]])
def test_random(chip, dtype):
    check_random(LOAD, chip, lambda rng: random_load(rng, chip, dtype), 500, dtype,
                 allowed=("V2008", "V2011"))


@pytest.mark.parametrize("chip", WITH)
def test_the_random_cases_reach_everything(chip):
    """Each type in each memory, partial fractals, remainders, transposition, registers."""
    cases = random_cases(LOAD, chip, lambda rng: random_load(rng, chip), 600)
    kinds = {(TYPES[case["type"]], case["dst_pos"], case["transpose"]) for case in cases}
    for dtype in SUPPORTED[chip]:
        assert (dtype, A2, 0) in kinds
        if elements(dtype, 4) <= 2:
            assert {(dtype, A2, 1), (dtype, B2, 0), (dtype, B2, 1)} <= kinds
    forms = {(case["form"], case["sets"]) for case in cases}
    assert forms == {(form, sets) for form in range(5) for sets in range(4)}
    for reached in (lambda c: c["m_ext"] % 16, lambda c: c["k_ext"] % c0_of(c),
                    lambda c: c["again"],
                    lambda c: c["channels"] % c0_of(c) and c["channels"] > c0_of(c),
                    lambda c: c["k_start"], lambda c: c["m_start"], lambda c: c["m_start"] % 16,
                    lambda c: c["right_map"], lambda c: ends_in_a_fractal(c, chip)):
        assert sum(bool(reached(case)) for case in cases) > 25


def example(chip, fm, case, subject):
    """The A operand that the load makes of a map given as elements."""
    image = np.concatenate([np.zeros(subject.dst_bytes, np.uint8),
                            np.ascontiguousarray(fm.astype(np.float16)).view(np.uint8).ravel()])
    subject.before = lambda case, chip: image
    values = verdict(subject, chip, case).outputs[0][0].view(np.float16)
    high, wide = -(-case["m_ext"] // 16), -(-case["k_ext"] // 16)
    return from_zz(values[:high * wide * 256], high * 16, wide * 16).astype(int)


@pytest.mark.parametrize("chip", WITH)
def test_the_documents_example_with_unequal_pads(chip):
    """A 3x3 map of 3y + x, pads left 1 and top 2 of value 7, a 2x2 filter."""
    subject = ImageToColumn(4, 9 * 32)
    fm = np.repeat(np.arange(9), 16)
    case = plain(chip, subject=subject, h=3, w=3, right=0, top=2, bottom=0, filter_w=2, filter_h=2,
                 m_ext=16, k_ext=64, value=SEVEN)
    rows = example(chip, fm, case, subject)[:, ::16]
    wanted = {0: [7, 7, 7, 7], 1: [7, 7, 7, 7], 2: [7, 7, 7, 7], 3: [7, 7, 7, 0], 4: [7, 7, 0, 1],
              6: [7, 0, 7, 3], 7: [0, 1, 3, 4], 9: [7, 3, 7, 6], 11: [4, 5, 7, 8]}
    assert {row: rows[row].tolist() for row in wanted} == wanted


@pytest.mark.parametrize("chip", WITH)
def test_the_documents_example_with_24_channels(chip):
    """A 2x2 map; the remaining 8 channels lie behind, 8 to a pixel."""
    subject = ImageToColumn(3, 192)
    fm = np.concatenate([1000 + np.arange(64), 1500 + np.arange(32)])
    case = plain(chip, subject=subject, left=0, right=0, top=0, bottom=0, h=2, w=2, filter_w=2,
                 filter_h=1, channels=24, m_ext=2, k_ext=48)
    matrix = example(chip, fm, case, subject)
    assert matrix[0, [0, 16, 32, 39, 40, 47]].tolist() == [1000, 1016, 1500, 1507, 1508, 1515]
    assert matrix[1, [0, 16, 32, 40]].tolist() == [1032, 1048, 1516, 1524]


@pytest.mark.parametrize("chip, dtype", EVERYWHERE)
@pytest.mark.parametrize("sets", range(4))
def test_what_a_load_does_not_set_comes_from_the_registers(chip, dtype, sets):
    """Left or right, in each form; and the four ways to set make four results."""
    other = {"l_h": 5, "l_w": 7, "l_left": 2, "l_top": 2, "r_h": 4, "r_w": 8, "r_bottom": 2,
             "setup": SET_LEFT | SET_RIGHT | SET_PADDING, "k_ext": c0_of(plain(dtype=dtype)) * 9}
    subject = ImageToColumn(48)
    cases = [plain(chip, dtype, subject=subject, sets=sets, right_map=right, form=form, dst=0,
                   again=FRACTAL * 24, **other) for right in (0, 1) for form in (1, 2, 3, 4)]
    check(subject, chip, cases)
    before = subject.before(cases[0], chip)
    images = [subject.expected(cases[0] | {"sets": kind}, chip, before).tobytes()
              for kind in range(4)]
    assert len(set(images)) == 4


class AfterV1(ImageToColumn):
    """The first fractal holds what the 3D v1 load wrote: not compared."""

    def compared(self, case, got, want):
        return np.arange(len(want)) >= FRACTAL


def test_registers_of_an_earlier_3d_v1_load():
    """3D v1 leaves the map and the pad value behind for 3D v2."""
    other = {"l_h": 5, "l_w": 7, "l_left": 2, "l_top": 2, "setup": SET_BY_V1}
    cases = [plain("2002", dtype, sets=sets, dst=FRACTAL, **other) for dtype in SUPPORTED["2002"]
             for sets in range(4)]
    check(AfterV1(), "2002", cases)


@pytest.mark.parametrize("chip", WITH)
def test_registers_that_nobody_wrote(chip):
    """They describe no map, which is a fault. The pad value is 0."""
    cases = [plain(chip, sets=sets, right_map=right, form=form)
             for sets in (0, 1) for right in (0, 1) for form in (2, 3)]
    check_rules(LOAD, chip, [(case, "V2001") for case in cases])
    # The other of the two is no help.
    check_rules(LOAD, chip, [(plain(chip, sets=0, right_map=right, form=2, setup=other), code)
                             for right, setting in ((0, SET_LEFT), (1, SET_RIGHT))
                             for other, code in ((setting, None),
                                                 (SET_LEFT + SET_RIGHT - setting, "V2001"))])
    run = verdict(LOAD, chip, cases[0])
    assert run.faults[0]["message"] == "LoadData (3D v2): nothing in this block has described " \
        "the feature map: l1H and l1W are 0" and "SetFmatrix" in run.faults[0]["legal"]
    check(LOAD, chip, [plain(chip, sets=2)])


@pytest.mark.parametrize("chip", WITH)
def test_registers_last_until_the_end_of_the_block(chip):
    """The second block finds nothing of what the first one set."""
    setup = SET_LEFT | SET_RIGHT | SET_PADDING
    check(LOAD, chip, [plain(chip, sets=2, setup=setup), plain(chip, sets=2)])
    run = launch(LOAD, chip, [plain(chip, sets=0, setup=setup), plain(chip, sets=0)])
    assert [(fault["code"], fault["block"]) for fault in run.faults] == [("V2001", 1)]


@pytest.mark.parametrize("chip", WITH)
def test_a_filter_of_one_point_changes_the_layout_only(chip):
    """A zN matrix in L1 becomes zZ, the zZ of its transpose, or B with its rows as k."""
    rng = np.random.default_rng(5)
    matrix = rng.integers(0, 1 << 16, (32, 48), np.uint16)
    subject = ImageToColumn(6, 32 * 48 * 2)
    zn = matrix.reshape(2, 16, 3, 16).transpose(2, 0, 1, 3)
    image = np.concatenate([np.zeros(subject.dst_bytes, np.uint8), np.ascontiguousarray(zn).view(
        np.uint8).ravel()])
    subject.before = lambda case, chip: image
    wanted = {(A2, 0): matrix.reshape(2, 16, 3, 16).transpose(0, 2, 1, 3),
              (A2, 1): matrix.T.reshape(3, 16, 2, 16).transpose(0, 2, 1, 3),
              (B2, 0): matrix.reshape(2, 16, 3, 16).transpose(0, 2, 3, 1)}
    for (place, transpose), result in wanted.items():
        case = plain(chip, subject=subject, left=0, right=0, top=0, bottom=0, h=32, w=1, filter_w=1,
                     filter_h=1, channels=48, m_ext=32, k_ext=48, dst_pos=place,
                     transpose=transpose)
        got = verdict(subject, chip, case).outputs[0][0].view(np.uint16)
        assert (got == result.ravel()).all()


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("side", "wh")
def test_filters_of_256_and_more(chip, side):
    """filterSizeW and filterSizeH add 256, to 0 as well."""
    subject = ImageToColumn(64, 32 * 600)
    cases = []
    for low in (0, 1, 44, 255):
        other = {"w": "h", "h": "w"}[side]
        case = plain(chip, subject=subject, left=0, right=0, top=0, bottom=0, channels=8, m_ext=16)
        case |= {side: 256 + low, other: 1, "filter_" + side: low, "filter_" + other: 1,
                 "size_" + side: 1}
        assert max(filter_of(case)) == 256 + low
        cases += [case | {"k_start": width_of(case) - 640, "k_ext": 640, "form": form}
                  for form in (1, 2)]
        map_of_register = {"setup": SET_LEFT} | {"l_" + name: case[name] for name in MAP}
        cases += [cases[-1] | map_of_register | {"form": form} for form in (3, 4)]
    check(subject, chip, cases)


def test_3d_v1_builds_the_same_matrix():
    """One load of 3D v2; 3D v1 by row blocks (mode 0) and by columns of fractals (mode 1)."""
    cases = random_cases(CONVOLUTION, "2002", random_convolution, 60, "v2")
    subject = ImageToColumn(128, CONVOLUTION.map_bytes)
    loads = []
    for case in cases:
        k_blocks = CONVOLUTION.k_blocks(case)
        loads.append(plain("2002", subject=subject) |
                     {name: case[name] for name in (*MAP, *GEOMETRY, "value")} |
                     {"channels": 16 * case["c1"], "k_ext": 16 * k_blocks,
                      "m_ext": 16 * case["m_blocks"]})
        assert subject.legal(loads[-1], "2002")
    maps = iter([CONVOLUTION.operands(case)[0].astype(np.float16).view(np.uint8).ravel()
                 for case in cases])
    subject.before = lambda case, chip: np.concatenate(
        [np.zeros(subject.dst_bytes, np.uint8),
         np.resize(next(maps), CONVOLUTION.map_bytes)])
    one_load = launch(subject, "2002", loads)
    assert one_load.codes == []
    for mode in (0, 1):
        run = launch(CONVOLUTION, "2002", [case | {"mode": mode, "shows_a": 1} for case in cases])
        assert run.codes == []
        for case, got, want in zip(cases, run.outputs[0], one_load.outputs[0]):
            stored = case["m_blocks"] * CONVOLUTION.k_blocks(case) * 256
            assert (got.view(np.float32)[:stored] == want.view(np.float16)[:stored]).all(), case
