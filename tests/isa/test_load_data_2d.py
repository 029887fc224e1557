"""LoadData 2D: fractal startIndex + i * srcStride goes to fractal i * (dstGap + 1)."""

import numpy as np
import pytest

from cases import (TYPES, Subject, WIDTH, check, check_refused, check_rule, finite_halves,
                   random_cases, verdict)
from fractals import FRACTAL, IDENTITY, from_nz, from_zz, seen_through_identity, to_nz, to_zn

GM, A1, A2, B1, B2, CO1, VECIN = 0, 1, 2, 3, 4, 7, 9
NARROW = ["uint8", "int8", "uint16", "int16", "half"]
WIDE = NARROW + ["bfloat16", "uint32", "int32", "float"]
SUPPORTED = {"1001": NARROW, "2002": NARROW, "2201": WIDE + ["int4"], "3002": WIDE}
SEES_L0 = ("1001", "2002")  # L0C reaches UB
ROUTES = [(GM, A1), (GM, B1), (GM, A2), (GM, B2), (A1, A2), (B1, B2)]
HALVES = ["uint16", "int16", "half", "bfloat16"]


def width_of(dtype):
    return WIDTH.get(dtype, 0.5)


class Load2DSubject(Subject):
    source = "load_data_2d_cases.cpp"
    fields = ("visible", "l1_to_gm", "dst_bytes", "type", "dst_pos", "dst", "dst_n", "src_pos",
              "src", "src_n", "start", "repeats", "stride", "gap", "transpose", "mode", "seed")
    simplest = {"start": 0, "repeats": 1, "stride": 1, "gap": 0, "transpose": 0, "mode": 0,
                "dst": 0, "src": 0, "seed": 0}

    def __init__(self, dst_fractals=12, src_fractals=24):
        self.dst_bytes, self.src_bytes = dst_fractals * FRACTAL, src_fractals * FRACTAL

    def before(self, case, chip):
        size = self.dst_bytes + self.src_bytes
        return np.concatenate([IDENTITY, finite_halves(case["seed"], size)])

    def result_bytes(self, case, image):
        return 2 * self.dst_bytes

    def fractals(self, case, chip):
        """(source, destination) fractals of each repeat."""
        down = case["mode"] == 1 and case["dst_pos"] in (A1, B1) and chip != "1001"
        step = -case["stride"] if down else case["stride"]
        gap = 0 if chip == "1001" else case["gap"]
        return [(case["start"] + i * step, i * (gap + 1)) for i in range(case["repeats"])]

    def seen(self, case, memory):
        """What the kernel stores for these bytes of the destination."""
        if case["dst_pos"] in (A1, B1):
            return np.concatenate([memory, np.zeros(len(memory), np.uint8)])
        return seen_through_identity(memory, case["dst_pos"] == B2)

    def expected(self, case, chip, before):
        memory = before[FRACTAL:FRACTAL + self.dst_bytes].copy()
        source = before[FRACTAL + self.dst_bytes:][case["src"]:]
        for s, d in self.fractals(case, chip):
            fractal = source[s * FRACTAL:(s + 1) * FRACTAL].copy()
            if case["transpose"]:
                fractal = fractal.view(np.uint16).reshape(16, 16).T.copy().view(np.uint8).ravel()
            at = case["dst"] + d * FRACTAL
            memory[at:at + FRACTAL] = fractal
        return self.seen(case, memory)

    def untouched(self, case, chip, before):
        return self.seen(case, before[FRACTAL:FRACTAL + self.dst_bytes])

    def compared(self, case, got, want):
        stored = len(want) // (2 if case["dst_pos"] in (A1, B1) else 1)
        return np.arange(len(want)) < stored * case["visible"]

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        if dtype not in SUPPORTED.get(chip, []) or case["mode"] not in (0, 1) or \
                (case["src_pos"], case["dst_pos"]) not in ROUTES:
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


def plain(chip, route=(GM, A1), dtype="half", subject=LOAD, **changes):
    """Three fractals, every second one."""
    case = {"visible": route[1] in (A1, B1) or chip in SEES_L0,
            "l1_to_gm": chip in ("2201", "3002"),
            "dst_bytes": subject.dst_bytes, "type": TYPES.index(dtype), "src_pos": route[0],
            "src": 0, "src_n": int(subject.src_bytes / width_of(dtype)), "dst_pos": route[1],
            "dst": 0, "dst_n": int(subject.dst_bytes / width_of(dtype)), "start": 5, "repeats": 3,
            "stride": 2, "gap": 1, "transpose": 0, "mode": 0, "seed": 1}
    return case | changes


def routes_seen(chip):
    return [route for route in ROUTES if chip in SEES_L0 or route[1] in (A1, B1)]


def random_load(rng, chip):
    routes = routes_seen(chip)
    route = routes[rng.integers(0, len(routes))]
    dtype = rng.choice(SUPPORTED[chip])
    dst = int(rng.integers(0, 4)) * 512 if route[1] in (A2, B2) else int(rng.integers(0, 40)) * 32
    src = int(rng.integers(0, 40)) * 32
    return plain(chip, route, dtype) | {
        "dst": dst, "src": src, "dst_n": (LOAD.dst_bytes - dst) // width_of(dtype),
        "src_n": (LOAD.src_bytes - src) // width_of(dtype), "start": rng.integers(0, 20),
        "repeats": rng.choice([0, 1, 2, 3, 5, 8]), "stride": rng.choice([0, 1, 1, 2, 3, 5]),
        "gap": rng.choice([0, 0, 1, 2, 4]), "transpose": rng.random() < 0.4,
        "mode": rng.random() < 0.3, "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", SUPPORTED)
def test_random(chip):
    check(LOAD, chip, random_cases(LOAD, chip, lambda rng: random_load(rng, chip), 700))


@pytest.mark.parametrize("chip", SUPPORTED)
def test_every_type_on_every_route(chip):
    cases = [plain(chip, route, dtype, transpose=transpose) for route in ROUTES
             for dtype in SUPPORTED[chip] for transpose in (0, 1)]
    legal = [case for case in cases if LOAD.legal(case, chip)]
    assert len(legal) > 20
    check(LOAD, chip, [case for case in legal if case["visible"]])
    for case in legal:
        if not case["visible"]:
            assert verdict(LOAD, chip, case).faults == []


@pytest.mark.parametrize("chip", ["1000", "2002v"])
def test_chip_without_load_data(chip):
    check_refused(LOAD, chip, plain(chip, visible=0), "V6001")


@pytest.mark.parametrize("chip, dtype", [(chip, dtype) for chip in SUPPORTED for dtype in TYPES
                                         if dtype not in SUPPORTED[chip]])
def test_type_not_on_chip(chip, dtype):
    check_refused(LOAD, chip, plain(chip, (A1, A2), dtype), "V6002")


RULES = [
    ("repeats 0", {"repeats": 0}, None),
    ("stride 0", {"stride": 0}, None),
    ("mode 1", {"mode": 1}, None),
    ("mode 1 to the first fractal", {"mode": 1, "start": 4}, None),
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
    for chip in SUPPORTED:
        for route in routes_seen(chip):
            if route[0] == GM and "src" in changes:
                continue  # GM has no alignment
            check_rule(LOAD, chip, plain(chip, route, **changes), code)


@pytest.mark.parametrize("chip", SUPPORTED)
def test_destination_limits(chip):
    """Five fractals of destination, three where the chip has no dstGap; alignment of the start."""
    enough = (3 if chip == "1001" else 5) * 256
    for route in routes_seen(chip):
        case = plain(chip, route)
        check_rule(LOAD, chip, case | {"dst_n": enough}, None)
        check_rule(LOAD, chip, case | {"dst_n": enough - 1}, "V1001")
        in_l0 = route[1] in (A2, B2)
        check_rule(LOAD, chip, case | {"dst": 256, "dst_n": enough}, "V1004" if in_l0 else None)
        check_rule(LOAD, chip, case | {"dst": 16, "dst_n": enough}, "V1004")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_transposition_rules(chip):
    for route in ROUTES:
        legal = None if route[0] != GM else "V2004"
        if chip in SEES_L0 or route[1] in (A1, B1):
            check_rule(LOAD, chip, plain(chip, route, "half", transpose=1), legal)
    for dtype in SUPPORTED[chip]:
        if dtype not in HALVES:
            check_refused(LOAD, chip, plain(chip, (A1, A2), dtype, transpose=1), "V2004")


def test_int4_comes_from_l1_only():
    check_refused(LOAD, "2201", plain("2201", (GM, A1), "int4"), "V2004")
    check_refused(LOAD, "2201", plain("2201", (GM, A2), "int4"), "V2004")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_walking_down_must_stay_inside(chip):
    code = None if chip == "1001" else "V2004"
    check_rule(LOAD, chip, plain(chip, (GM, A1), mode=1, start=3), code)


@pytest.mark.parametrize("chip", SUPPORTED)
def test_255_repeats(chip):
    large = Load2DSubject(256, 256)
    check_rule(large, chip, plain(chip, subject=large, start=0, repeats=255, stride=1, gap=0), None)


@pytest.mark.parametrize("chip", SEES_L0)
@pytest.mark.parametrize("route", [(A1, A2), (GM, B2)])
def test_the_end_of_l0(chip, route):
    """128 fractals fill L0A and L0B."""
    full = Load2DSubject(128, 12)
    gap = 0 if chip == "1001" else 62
    last = plain(chip, route, subject=full, dst=65536 - (2 * gap + 3) * 512, gap=gap, dst_n=1 << 16)
    check_rule(full, chip, last, None)
    check_rule(full, chip, last | {"dst": last["dst"] + 512}, "V1002")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_the_last_of_65536_source_fractals(chip):
    large = Load2DSubject(2, 65536)
    last = plain(chip, subject=large, start=65535, repeats=1, gap=0)
    far = plain(chip, subject=large, start=0, repeats=2, stride=65535, gap=0)
    check(large, chip, [last])
    check(large, chip, [far])


@pytest.mark.parametrize("chip", SEES_L0)
def test_documented_recipes(chip):
    """zN in L1 becomes zZ in L0A row block by row block, and B^T in zN becomes nZ in one copy."""
    values = np.arange(32 * 48, dtype=np.float16).reshape(32, 48)
    subject = Load2DSubject(6, 6)
    subject.before = lambda case, chip: np.concatenate(
        [IDENTITY, np.zeros(6 * 512, np.uint8), to_zn(values).view(np.uint8)])
    loads = [plain(chip, (A1, A2), subject=subject, start=row, repeats=3, stride=2, gap=0)
             for row in (0, 1)]
    got = [verdict(subject, chip, load).outputs[0][0].view(np.float32)[:3 * 256] for load in loads]
    assert (from_zz(np.concatenate(got), 32, 48) == values).all()
    assert np.concatenate(got)[::256].tolist() == [0, 16, 32, 768, 784, 800]
    turned = plain(chip, (B1, B2), subject=subject, start=0, repeats=6, stride=1, gap=0)
    shown = verdict(subject, chip, turned).outputs[0][0].view(np.float32)
    fractals = shown.reshape(-1, 16, 16).transpose(0, 2, 1).ravel()
    assert (from_nz(fractals, 48, 32) == values.T).all()
    assert (fractals == to_nz(values.T.astype(np.float32))).all()
