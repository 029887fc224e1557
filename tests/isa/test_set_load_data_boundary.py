"""SetLoadDataBoundary: 3D loads read the first bytes of L1 as a ring."""

import numpy as np
import pytest

from batches import check_rules
from cases import TYPES, WIDTH, check, check_refused, random_cases, verdict
from fractals import FRACTAL, from_zz
from harness import CHIPS
from image_to_column import (A2, B2, SET_BOUNDARY, SUPPORTED, ImageToColumn, Registers, bits_of,
                             c0_of)
from test_load_data_3d_v1 import Load3DSubject
from test_load_data_3d_v1 import plain as plain_v1
from test_load_data_3d_v1 import random_load as random_load_v1
from test_load_data_3d_v2 import elements, plain, random_load

WITH = ("2002", "2201")
LOAD = ImageToColumn(24, 16384)
LOAD_V1 = Load3DSubject(12, 16384)


def bounded(chip="2201", dtype="half", boundary=1024, **changes):
    """The 6x6 map behind byte 768: its pixels 8 and later lie at the start of L1."""
    case = plain(chip, dtype, setup=SET_BOUNDARY, boundary=boundary, src=768)
    return case | {"src_n": elements(dtype, 1152)} | changes


def random_bounded(rng, chip):
    case = random_load(rng, chip) | {"boundary": rng.choice([0, 1024, 1056, 1500, 4096, 16384]),
                                     "src": 32 * rng.integers(0, 64)}
    case = {name: int(value) for name, value in case.items()}
    return case | {"setup": case["setup"] | SET_BOUNDARY,
                   "src_n": int(rng.integers(1, LOAD.src_bytes)) * 8 // bits_of(case)}


def wraps(case, chip):
    source = LOAD.block(case, chip, Registers(case).map)[2]
    return case["boundary"] and case["src"] + source.max() * bits_of(case) // 8 >= case["boundary"]


def some(chip):
    return random_cases(LOAD, chip, lambda rng: random_bounded(rng, chip), 800)


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check(LOAD, chip, some(chip), allowed=("V2008", "V2011"))


@pytest.mark.parametrize("chip", WITH)
def test_the_random_cases_reach_everything(chip):
    cases = [case for case in some(chip) if case["m_ext"] and case["channels"] and
             Registers(case).map["h"] and Registers(case).map["w"] and wraps(case, chip)]
    kinds = {(TYPES[case["type"]], case["dst_pos"], case["transpose"]) for case in cases}
    for dtype in SUPPORTED[chip]:
        assert (dtype, A2, 0) in kinds
        if elements(dtype, 4) <= 2:
            assert {(dtype, A2, 1), (dtype, B2, 0)} <= kinds
    assert sum(case["channels"] % c0_of(case) > 0 for case in cases) > 25
    assert sum(case["boundary"] % 32 > 0 for case in cases) > 25


def random_bounded_v1(rng, chip):
    case = random_load_v1(rng, chip) | {"boundary": rng.choice([-1, 0, 16, 17, 40, 128, 512]),
                                        "src": 32 * rng.integers(0, 40), "earlier": 0, "sets": 3}
    return case | {"src_n": int(rng.integers(1, LOAD_V1.src_bytes)) // WIDTH[TYPES[case["type"]]]}


def some_v1():
    return random_cases(LOAD_V1, "2002", lambda rng: random_bounded_v1(rng, "2002"), 600)


def test_random_3d_v1():
    """The same number counts 32 bytes there."""
    check(LOAD_V1, "2002", some_v1(), allowed=("V2008",))


def test_the_random_cases_reach_bounds_of_3d_v1():
    cases = some_v1()
    ends = [case["src"] + max(offsets.max(initial=-32) for offsets in LOAD_V1.sources(case)) + 32
            for case in cases if case["repeats"]]
    bounds = [32 * case["boundary"] for case in cases if case["repeats"]]
    assert sum(0 < bound < end for bound, end in zip(bounds, ends)) > 50


@pytest.mark.parametrize("chip", WITH)
def test_the_documents_example(chip):
    """Boundary 1024, start 768: pixels are read at 768, 800, ..., 992, 0, 32, 64, 96."""
    subject = ImageToColumn(1, 2048)
    image = np.concatenate([np.zeros(FRACTAL, np.uint8),
                            np.repeat(32 * np.arange(64), 16).astype(np.float16).view(np.uint8)])
    subject.before = lambda case, chip: image
    case = bounded(chip, left=0, right=0, top=0, bottom=0, h=1, w=12, filter_w=1, filter_h=1,
                   m_ext=12, k_ext=16)
    run = verdict(subject, chip, case)
    assert run.codes == []
    rows = from_zz(run.outputs[0][0].view(np.float16), 16, 16)[:, 0].astype(int)
    assert rows[:12].tolist() == [768, 800, 832, 864, 896, 928, 960, 992, 0, 32, 64, 96]


@pytest.mark.parametrize("chip", WITH)
def test_a_boundary_lasts_until_the_end_of_the_block(chip):
    """A second load reads the ring too; the next block has none."""
    cases = []
    for form in range(5):
        case = bounded(chip, form=form, again=12 * FRACTAL, setup=SET_BOUNDARY | 5)
        cases += [case, case | {"setup": 5}]
    check(LOAD, chip, cases)


# Of 32 rows and 3 column blocks the last pixel is (4, 2): 27 pixels are read.
END = 768 + 27 * 32
RULES = [
    ("0", {"boundary": 0}, None), ("1023", {"boundary": 1023}, "V2001"),
    ("1024", {"boundary": 1024}, None),
    ("1025: a row lies on both sides", {"boundary": 1025, "src_n": 16}, None),
    ("16: enough for 3D v1 only", {"boundary": 16, "src": 0}, "V2001"),
    ("the start just inside", {"boundary": 1024, "src": 992}, None),
    ("the start outside", {"boundary": 1024, "src": 1024}, "V2004"),
    ("larger than L1", {"boundary": 0xFFFFFFFF}, None),
    ("the ring is longer than the tensor", {"boundary": 1024, "src_n": 128}, None),
    ("inside the boundary the tensor counts", {"boundary": 8192, "src_n": 128}, "V1001"),
    ("the load ends at the boundary", {"boundary": END, "src_n": 27 * 16}, None),
    ("the load ends at the boundary, one short", {"boundary": END, "src_n": 27 * 16 - 1}, "V1001"),
    ("the load ends a byte behind the boundary", {"boundary": END - 1, "src_n": 16}, None),
]


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    check_rules(LOAD, chip, [(bounded(chip, **changes), code) for _, changes, code in RULES])


def test_rules_3d_v1():
    small = {"src": 0, "src_n": 8192}
    check_rules(LOAD_V1, "2002", [
        (plain_v1("2002", subject=LOAD_V1, **small, boundary=0), None),
        (plain_v1("2002", subject=LOAD_V1, **small, boundary=16), None),
        (plain_v1("2002", subject=LOAD_V1, src=480, src_n=16, boundary=16), None),
        (plain_v1("2002", subject=LOAD_V1, src=512, src_n=16, boundary=16), "V2004"),
        (plain_v1("2002", subject=LOAD_V1, src=512, src_n=8192, boundary=17), None),
        (plain_v1("2002", subject=LOAD_V1, src=512, src_n=16, boundary=1 << 27), "V1001")])


class AfterRefusedSetting(ImageToColumn):
    """The setting is refused; the load after it has no boundary."""

    def untouched(self, case, chip, before):
        return self.expected(case | {"setup": 0}, chip, before)


@pytest.mark.parametrize("chip", WITH)
def test_values_that_are_too_small_for_every_load(chip):
    check_rules(AfterRefusedSetting(), chip, [
        (bounded(chip, boundary=boundary), "V2001") for boundary in (1, 2, 15)])


@pytest.mark.parametrize("chip", WITH)
def test_a_ring_beyond_the_end_of_l1(chip):
    size = (512 if chip == "2201" else 1024) << 10
    case = bounded(chip, visible=0, boundary=size + 4096, src=size - 512, src_n=1 << 20)
    check_refused(LOAD, chip, case, "V1002")
    assert verdict(LOAD, chip, case | {"boundary": size}).codes == []


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_it(chip):
    run = check_refused(LOAD, chip, bounded(chip) | {"visible": 0}, "V6001")
    assert "SetLoadDataBoundary" in run.faults[0]["message"]
