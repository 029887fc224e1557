"""LoadData 2D: fractal startIndex + i * srcStride goes to fractal i * (dstGap + 1)."""

import numpy as np
import pytest

from batches import check_rules, check_told
from cases import (TYPES, Subject, WIDTH, check, check_random, check_refused, check_rule,
                   random_bytes, verdict)
from fractals import FRACTAL, from_nz, from_zz, to_nz, to_zn

GM, A1, A2, B1, B2, CO1, VECIN = 0, 1, 2, 3, 4, 7, 9
NARROW = ["uint8", "int8", "uint16", "int16", "half"]
WIDE = NARROW + ["bfloat16", "uint32", "int32", "float"]
SUPPORTED = {"1001": NARROW, "2002": NARROW, "2201": WIDE + ["int4"], "3002": WIDE}
ROUTES = [(GM, A1), (GM, B1), (GM, A2), (GM, B2), (A1, A2), (B1, B2)]
ACROSS = [(A1, B2), (B1, A2)]  # L1 is one memory
HALVES = ["uint16", "int16", "half", "bfloat16"]


def width_of(dtype):
    return WIDTH.get(dtype, 0.5)


class Load2DSubject(Subject):
    source = "load_data_2d_cases.cpp"
    fields = ("visible", "type", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n", "start",
              "repeats", "stride", "gap", "transpose", "mode", "seed")
    simplest = {"start": 0, "repeats": 1, "stride": 1, "gap": 0, "transpose": 0, "mode": 0,
                "dst": 0, "src": 0, "seed": 0}

    def __init__(self, dst_fractals=12, src_fractals=24):
        self.dst_bytes, self.src_bytes = dst_fractals * FRACTAL, src_fractals * FRACTAL

    def before(self, case, chip):
        return random_bytes(case["seed"], self.dst_bytes + self.src_bytes)

    def result_bytes(self, case, image):
        return self.dst_bytes

    def fractals(self, case, chip):
        """(source, destination) fractals of each repeat."""
        down = case["mode"] == 1 and case["dst_pos"] in (A1, B1) and chip != "1001"
        step = -case["stride"] if down else case["stride"]
        gap = 0 if chip == "1001" else case["gap"]
        return [(case["start"] + i * step, i * (gap + 1)) for i in range(case["repeats"])]

    def expected(self, case, chip, before):
        memory = before[:self.dst_bytes].copy()
        source = before[self.dst_bytes:][case["src"]:]
        for s, d in self.fractals(case, chip):
            fractal = source[s * FRACTAL:(s + 1) * FRACTAL].copy()
            if case["transpose"]:
                fractal = fractal.view(np.uint16).reshape(16, 16).T.copy().view(np.uint8).ravel()
            at = case["dst"] + d * FRACTAL
            memory[at:at + FRACTAL] = fractal
        return memory

    def untouched(self, case, chip, before):
        return before[:self.dst_bytes]

    def compared(self, case, got, want):
        return np.full(len(want), bool(case["visible"]))

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        if dtype not in SUPPORTED.get(chip, []) or case["mode"] not in (0, 1) or \
                (case["src_pos"], case["dst_pos"]) not in ROUTES + ACROSS:
            return False
        if case["src_pos"] == GM and (dtype == "int4" or case["transpose"]):
            return False
        if case["transpose"] and dtype not in HALVES:
            return False
        if case["dst"] % (512 if case["dst_pos"] in (A2, B2) else 32) or case["src"] % 32:
            return False
        pairs = self.fractals(case, chip)
        ends = [(max((pair[i] for pair in pairs), default=-1) + 1) * FRACTAL for i in (0, 1)]
        return all(source >= 0 for source, _ in pairs) and \
            ends[0] <= min(case["src_n"] * width_of(dtype), self.src_bytes - case["src"]) and \
            ends[1] <= min(case["dst_n"] * width_of(dtype), self.dst_bytes - case["dst"])


LOAD = Load2DSubject()


def plain(route=(GM, A1), dtype="half", subject=LOAD, **changes):
    """Three fractals, every second one."""
    case = {"visible": 1, "type": TYPES.index(dtype), "src_pos": route[0], "src": 0,
             "src_n": int(subject.src_bytes / width_of(dtype)), "dst_pos": route[1],
            "dst": 0, "dst_n": int(subject.dst_bytes / width_of(dtype)), "start": 5, "repeats": 3,
            "stride": 2, "gap": 1, "transpose": 0, "mode": 0, "seed": 1}
    return case | changes


def random_load(rng, dtype):
    route = (ROUTES + ACROSS)[rng.integers(0, len(ROUTES + ACROSS))]
    dst = int(rng.integers(0, 4)) * 512 if route[1] in (A2, B2) else int(rng.integers(0, 40)) * 32
    src = int(rng.integers(0, 40)) * 32
    return plain(route, dtype) | {
        "dst": dst, "src": src, "dst_n": int((LOAD.dst_bytes - dst) / width_of(dtype)),
        "src_n": int((LOAD.src_bytes - src) / width_of(dtype)), "start": rng.integers(0, 20),
        "repeats": rng.choice([0, 1, 2, 3, 5, 8]), "stride": rng.choice([0, 1, 1, 2, 3, 5]),
        "gap": rng.choice([0, 0, 1, 2, 4]), "transpose": rng.random() < 0.4,
        "mode": rng.random() < 0.3, "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip, dtype", [(chip, dtype) for chip in SUPPORTED
                                         for dtype in SUPPORTED[chip]])
def test_random(chip, dtype):
    check_random(LOAD, chip, lambda rng: random_load(rng, dtype), 2000, dtype, allowed=("V2008",))


@pytest.mark.parametrize("chip", SUPPORTED)
def test_every_type_on_every_route(chip):
    cases = [plain(route, dtype, transpose=transpose) for route in ROUTES
             for dtype in SUPPORTED[chip] for transpose in (0, 1)]
    legal = [case for case in cases if LOAD.legal(case, chip)]
    assert len(legal) > 20
    check(LOAD, chip, legal)


@pytest.mark.parametrize("chip", ["1000", "2002v"])
def test_chip_without_load_data(chip):
    check_refused(LOAD, chip, plain(visible=0), "V6001")


@pytest.mark.parametrize("chip, dtype", [(chip, dtype) for chip in SUPPORTED for dtype in TYPES
                                         if dtype not in SUPPORTED[chip]])
def test_type_not_on_chip(chip, dtype):
    check_refused(LOAD, chip, plain((A1, A2), dtype), "V6002")


RULES = [
    ("repeats 1", {"repeats": 1}, None),
    ("stride 0", {"stride": 0}, None),
    ("mode 2", {"mode": 2}, "V2001"),
    ("src just enough", {"src_n": 10 * 256}, None),
    ("src one short", {"src_n": 10 * 256 - 1}, "V1001"),
    ("src misaligned", {"src": 16, "src_n": 5000}, "V1004"),
    ("src at a datablock", {"src": 32, "src_n": 5000}, None),
    ("src in UB", {"src_pos": VECIN, "visible": 0}, "V1005"),
    ("src in L0C", {"src_pos": CO1, "visible": 0}, "V1005"),
    ("dst in UB", {"dst_pos": VECIN, "visible": 0}, "V1005"),
    ("dst in L0C", {"dst_pos": CO1, "visible": 0}, "V1005"),
]


@pytest.mark.parametrize("name, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, changes, code):
    routes = [route for route in ROUTES
              if route[0] != GM or "src" not in changes]  # GM has no alignment
    for chip in SUPPORTED:
        check_rules(LOAD, chip, [(plain(route, **changes), code) for route in routes])


@pytest.mark.parametrize("chip", SUPPORTED)
def test_destination_limits(chip):
    """Five fractals of destination, three where the chip has no dstGap; alignment of the start."""
    enough = (3 if chip == "1001" else 5) * 256
    rules = []
    for route in ROUTES:
        case = plain(route)
        in_l0 = route[1] in (A2, B2)
        rules += [(case | {"dst_n": enough}, None), (case | {"dst_n": enough - 1}, "V1001"),
                  (case | {"dst": 256, "dst_n": enough}, "V1004" if in_l0 else None),
                  (case | {"dst": 16, "dst_n": enough}, "V1004")]
    check_rules(LOAD, chip, rules)


@pytest.mark.parametrize("chip", SUPPORTED)
def test_transposition_rules(chip):
    check_rules(LOAD, chip, [(plain(route, "half", transpose=1),
                              None if route[0] != GM else "V2004") for route in ROUTES] +
                [(plain((A1, A2), dtype, transpose=1), "V2004")
                 for dtype in SUPPORTED[chip] if dtype not in HALVES])


def test_int4_comes_from_l1_only():
    check_refused(LOAD, "2201", plain((GM, A1), "int4"), "V2004")
    check_refused(LOAD, "2201", plain((GM, A2), "int4"), "V2004")


def walks_down(chip, route):
    return chip != "1001" and route[1] in (A1, B1)


@pytest.mark.parametrize("chip", SUPPORTED)
@pytest.mark.parametrize("route", ROUTES)
def test_what_is_ignored_is_told(chip, route):
    """No repeats; and addrMode where sources are counted upwards in any case."""
    check_told(LOAD, chip, [plain(route, repeats=0), plain(route, repeats=0, dst_n=0, src_n=0)],
               "V2008")
    down = plain(route, mode=1)
    if walks_down(chip, route):
        check(LOAD, chip, [down, down | {"start": 4}])
    else:
        check_told(LOAD, chip, [down, down | {"start": 4}], "V2008")
    run = check_refused(LOAD, chip, plain(route, mode=2), "V2001")
    assert run.faults[0]["legal"] == ("0..1" if walks_down(chip, route) else "0")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_walking_down_must_stay_inside(chip):
    case = plain((GM, A1), mode=1, start=3)
    if walks_down(chip, (GM, A1)):
        check_refused(LOAD, chip, case, "V2004")
    else:
        check_told(LOAD, chip, [case], "V2008")


@pytest.mark.parametrize("chip", SUPPORTED)
@pytest.mark.parametrize("route", ACROSS)
def test_l1_is_one_memory(chip, route):
    """What its position is called decides nothing; the fault's text says so."""
    check(LOAD, chip, [plain(route), plain(route, start=2, stride=1)])
    run = check_refused(LOAD, chip, plain((A2, B2), visible=0), "V1005")
    assert run.faults[0]["legal"] == "GM -> A1, B1, A2, B2; A1, B1 -> A2, B2"


@pytest.mark.parametrize("chip", SUPPORTED)
def test_extent_faults_name_the_parameters(chip):
    run = verdict(LOAD, chip, plain(dst_n=256))
    gap = "" if chip == "1001" else ", dstGap 1"
    assert run.codes == ["V1001"] and run.faults[0]["message"].endswith(f" (repeatTimes 3{gap})")
    run = verdict(LOAD, chip, plain((A1, A2), src_n=256))
    assert run.faults[0]["message"].endswith(" (startIndex 5, repeatTimes 3, srcStride 2)")
    run = verdict(LOAD, chip, plain((A1, A2), dst_n=1 << 20, dst=65536 - 512))
    assert run.codes == ["V1002"] and run.faults[0]["message"].endswith(f" (repeatTimes 3{gap})")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_255_repeats(chip):
    large = Load2DSubject(256, 256)
    check_rule(large, chip, plain(subject=large, start=0, repeats=255, stride=1, gap=0), None)


@pytest.mark.parametrize("chip", SUPPORTED)
@pytest.mark.parametrize("route", [(A1, A2), (GM, B2)])
def test_the_end_of_l0(chip, route):
    """128 fractals fill L0A and L0B."""
    full = Load2DSubject(128, 12)
    gap = 0 if chip == "1001" else 62
    last = plain(route, subject=full, dst=65536 - (2 * gap + 3) * 512, gap=gap, dst_n=1 << 16)
    check_rule(full, chip, last, None)
    check_rule(full, chip, last | {"dst": last["dst"] + 512}, "V1002")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_the_last_of_65536_source_fractals(chip):
    large = Load2DSubject(2, 65536)
    last = plain(subject=large, start=65535, repeats=1, gap=0)
    far = plain(subject=large, start=0, repeats=2, stride=65535, gap=0)
    check(large, chip, [last])
    check(large, chip, [far])


@pytest.mark.parametrize("chip", SUPPORTED)
def test_documented_recipes(chip):
    """zN in L1 becomes zZ in L0A row block by row block, and B^T in zN becomes nZ in one copy."""
    values = np.arange(32 * 48, dtype=np.float16).reshape(32, 48)
    subject = Load2DSubject(6, 6)
    subject.before = lambda case, chip: np.concatenate(
        [np.zeros(6 * 512, np.uint8), to_zn(values).view(np.uint8)])
    loads = [plain((A1, A2), subject=subject, start=row, repeats=3, stride=2, gap=0)
             for row in (0, 1)]
    got = [verdict(subject, chip, load).outputs[0][0].view(np.float16)[:3 * 256] for load in loads]
    assert (from_zz(np.concatenate(got), 32, 48) == values).all()
    assert np.concatenate(got)[::256].tolist() == [0, 16, 32, 768, 784, 800]
    turned = plain((B1, B2), subject=subject, start=0, repeats=6, stride=1, gap=0)
    shown = verdict(subject, chip, turned).outputs[0][0].view(np.float16)
    assert (from_nz(shown, 48, 32) == values.T).all()
    assert (shown == to_nz(values.T)).all()


@pytest.mark.parametrize("chip", SUPPORTED)
def test_two_transpositions_are_the_identity(chip):
    """nZ becomes zZ by transposing each fractal, and nZ again by transposing once more."""
    values = np.arange(32 * 48, dtype=np.float16).reshape(32, 48)
    subject = Load2DSubject(6, 6)
    subject.before = lambda case, chip: np.concatenate(
        [np.zeros(6 * 512, np.uint8), to_nz(values).view(np.uint8)])
    load = plain((A1, A2), subject=subject, start=0, repeats=6, stride=1, gap=0, transpose=1)
    once = verdict(subject, chip, load).outputs[0][0]
    assert (from_zz(once.view(np.float16), 32, 48) == values).all()
    subject.before = lambda case, chip: np.concatenate([np.zeros(6 * 512, np.uint8), once])
    twice = verdict(subject, chip, load).outputs[0][0]
    assert (twice.view(np.float16) == to_nz(values)).all()
