"""DataCopy: burst b of blockLen datablocks goes from 32 * b * (blockLen + srcGap) to
32 * b * (blockLen + dstGap); by count, the whole datablocks of `count` objects, of which an int4b_t
takes a byte."""

import pytest

from batches import check_rules
from cases import (TYPES, UB_BYTES, WIDTH, Subject, check, check_refused, check_rule, launch,
                   random_bytes, random_cases)
from harness import CHIPS

GM, A1, B1, CO1, CO2, VECIN, VECOUT, VECCALC, TSCM = 0, 1, 3, 7, 8, 9, 10, 11, 13
COUPLED = {"1000", "1001", "2002"}
L1_BYTES = {"1000": 1 << 20, "1001": 1 << 20, "2002": 1 << 20, "2002v": 0, "2201": 512 << 10,
            "3002": 1 << 20}
UB_ROUTES = [("gm", "ub"), ("ub", "gm"), ("ub", "ub")]
L1_ROUTES = [("gm", "l1"), ("l1", "ub"), ("ub", "l1")]
ROUTES = {"1000": UB_ROUTES + L1_ROUTES, "1001": UB_ROUTES + L1_ROUTES,
          "2002": UB_ROUTES + L1_ROUTES, "2002v": UB_ROUTES,
          "2201": UB_ROUTES + [("gm", "l1"), ("l1", "gm")],
          "3002": UB_ROUTES + L1_ROUTES + [("l1", "gm")]}
NARROW = [dtype for dtype in TYPES if dtype not in ("bfloat16", "int4")]
SUPPORTED = {chip: TYPES if chip in ("2201", "3002") else NARROW for chip in CHIPS}
BITS_OF = {**{dtype: 8 * width for dtype, width in WIDTH.items()}, "int4": 4}
SIZEOF = WIDTH | {"int4": 1}


def positions(chip, space):
    return {"gm": [GM], "l1": [A1, B1, TSCM],
            "ub": [VECIN, VECOUT, VECCALC] + [CO2] * (chip in COUPLED)}[space]


def space_of(chip, position):
    return next((space for space in ("gm", "l1", "ub") if position in positions(chip, space)), None)


class CopySubject(Subject):
    """The image is UB, then L1, then GM."""

    source = "data_copy_cases.cpp"
    fields = ("ub", "l1", "l1_to_gm", "type", "by_count", "count", "dst_pos", "dst", "dst_n",
              "src_pos", "src", "src_n", "blocks", "length", "src_gap", "dst_gap", "enhanced",
              "mode", "dequant", "relu", "seed")
    simplest = {"by_count": 0, "count": 32, "blocks": 1, "length": 1, "src_gap": 0, "dst_gap": 0,
                "src": 0, "dst": 0, "type": 1, "seed": 0}

    def __init__(self, chip, ub=4096, l1=4096, gm=4096):
        self.sizes = {"ub": ub, "l1": l1 if L1_BYTES[chip] else 0, "gm": gm}
        self.starts = {"ub": 0, "l1": ub, "gm": ub + self.sizes["l1"]}

    def before(self, case, chip):
        return random_bytes(case["seed"], sum(self.sizes.values()))

    def bursts(self, case):
        """(bytes, source offset, destination offset) of each burst."""
        if case["by_count"]:
            size = case["count"] * SIZEOF[TYPES[case["type"]]] // 32 * 32
            return [(size, 0, 0)] * (size > 0)
        return [(32 * case["length"], 32 * b * (case["length"] + case["src_gap"]),
                 32 * b * (case["length"] + case["dst_gap"]))
                for b in range(case["blocks"] * (case["length"] > 0))]

    def expected(self, case, chip, before):
        memory = before.copy()
        to = self.starts[space_of(chip, case["dst_pos"])] + case["dst"]
        start = self.starts[space_of(chip, case["src_pos"])] + case["src"]
        for size, source, target in self.bursts(case):
            memory[to + target:to + target + size] = \
                memory[start + source:start + source + size].copy()
        return memory

    def fits(self, case, chip, name, extent):
        space = space_of(chip, case[name + "_pos"])
        bytes_of_tensor = case[name + "_n"] * BITS_OF[TYPES[case["type"]]] // 8
        if case[name] % (max(BITS_OF[TYPES[case["type"]]] // 8, 1) if space == "gm" else 32):
            return False
        return case[name] + extent <= self.sizes[space] and \
            (extent <= bytes_of_tensor or (space == "gm" and case[name + "_n"] == 0))

    def legal(self, case, chip):
        route = (space_of(chip, case["src_pos"]), space_of(chip, case["dst_pos"]))
        if route not in ROUTES[chip] or TYPES[case["type"]] not in SUPPORTED[chip]:
            return False
        if not case["by_count"] and not 0 <= case["blocks"] <= 4095:
            return False
        if case["enhanced"] and (case["mode"] or case["dequant"] or case["relu"]):
            return False
        bursts = self.bursts(case)
        src_extent = max((source + size for size, source, _ in bursts), default=0)
        dst_extent = max((target + size for size, _, target in bursts), default=0)
        apart = case["src"] + src_extent <= case["dst"] or case["dst"] + dst_extent <= case["src"]
        return self.fits(case, chip, "src", src_extent) and \
            self.fits(case, chip, "dst", dst_extent) and (route[0] != route[1] or apart)


def plain(subject, chip, route=("gm", "ub"), dtype="half", **changes):
    """Two bursts of two datablocks from 0 to 2048."""
    case = {"ub": subject.sizes["ub"], "l1": subject.sizes["l1"],
            "l1_to_gm": chip in ("2201", "3002"), "type": TYPES.index(dtype), "by_count": 0,
            "count": 64, "blocks": 2, "length": 2, "src_gap": 1, "dst_gap": 3, "enhanced": 0,
            "mode": 0, "dequant": 0, "relu": 0, "seed": 1,
            "src_pos": positions(chip, route[0])[0], "src": 0,
            "dst_pos": positions(chip, route[1])[0], "dst": 2048}
    for name in ("src", "dst"):
        case[name + "_n"] = 2048 * 8 // BITS_OF[dtype]
    return case | changes


def random_copy(rng, subject, chip):
    route = ROUTES[chip][rng.integers(0, len(ROUTES[chip]))]
    dtype = rng.choice(SUPPORTED[chip])
    places = {}
    for name, space in zip(("src", "dst"), route):
        place = int(rng.integers(0, 100)) * 32
        if space == "gm":
            place += int(rng.integers(0, 4)) * max(BITS_OF[dtype] // 8, 1)
        size = (subject.sizes[space] - place) * 8 // BITS_OF[dtype]
        places |= {name: place, name + "_pos": rng.choice(positions(chip, space)),
                   name + "_n": 0 if space == "gm" and rng.random() < 0.2 else size}
    return plain(subject, chip, route, dtype) | places | {
        "by_count": rng.random() < 0.3, "count": rng.integers(0, 60) * 32 // SIZEOF[dtype],
        "blocks": rng.choice([0, 1, 1, 2, 3, 7, 20]), "length": rng.choice([0, 1, 2, 3, 8, 30]),
        "src_gap": rng.choice([0, 0, 1, 2, 5, 20]), "dst_gap": rng.choice([0, 0, 1, 2, 5, 20]),
        "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", CHIPS)
def test_random(chip):
    subject = CopySubject(chip)
    cases = random_cases(subject, chip, lambda rng: random_copy(rng, subject, chip), 700)
    check(subject, chip, cases)


@pytest.mark.parametrize("chip", CHIPS)
def test_every_type_on_every_route(chip):
    subject = CopySubject(chip)
    check(subject, chip, [plain(subject, chip, route, dtype, by_count=by_count)
                          for route in ROUTES[chip] for dtype in SUPPORTED[chip]
                          for by_count in (0, 1)])


@pytest.mark.parametrize("chip", sorted(COUPLED | {"2002v"}))
@pytest.mark.parametrize("dtype", ["bfloat16", "int4"])
def test_type_not_on_chip(chip, dtype):
    subject = CopySubject(chip)
    check_refused(subject, chip, plain(subject, chip, dtype=dtype), "V6002")


@pytest.mark.parametrize("chip", CHIPS)
def test_route_not_on_chip(chip):
    subject = CopySubject(chip)
    every = UB_ROUTES + L1_ROUTES + [("l1", "gm"), ("l1", "l1")]
    for route in every:
        if route not in ROUTES[chip]:
            check_refused(subject, chip, plain(subject, chip, route), "V6004")


RULES = [
    ("no burst", {"blocks": 0}, None),
    ("empty bursts", {"length": 0}, None),
    ("count 0", {"by_count": 1, "count": 0}, None),
    ("count of one block", {"by_count": 1, "count": 16}, None),
    ("src just enough", {"src_n": 80}, None),
    ("src one short", {"src_n": 79}, "V1001"),
    ("dst just enough", {"dst_n": 112}, None),
    ("dst one short", {"dst_n": 111}, "V1001"),
    ("count of src", {"by_count": 1, "src_n": 64}, None),
    ("count past src", {"by_count": 1, "src_n": 63}, "V1001"),
    ("count of dst", {"by_count": 1, "dst_n": 64}, None),
    ("count past dst", {"by_count": 1, "dst_n": 63}, "V1001"),
]


@pytest.mark.parametrize("name, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, changes, code):
    for chip in CHIPS:
        subject = CopySubject(chip)
        cases = [plain(subject, chip, route, **changes) for route in ROUTES[chip]]
        if code is None:
            check(subject, chip, cases)
            continue
        check_rules(subject, chip, [(case, code) for case in cases])


@pytest.mark.parametrize("chip", CHIPS)
def test_enhanced_parameters(chip):
    """Without L0C they are for the plain copy only: BLOCK_MODE_NORMAL and no conversion."""
    subject = CopySubject(chip)
    cases = [plain(subject, chip, route, enhanced=1) for route in ROUTES[chip]]
    rules = [(case, None) for case in cases]
    for changes in [{"mode": mode} for mode in (1, 2, 3, 4)] + [{"dequant": 1}, {"relu": 1}]:
        rules += [(case | changes, "V2001") for case in cases]
    rules += [(case | {"blocks": 4096}, "V2001") for case in cases]
    check_rules(subject, chip, rules)


@pytest.mark.parametrize("chip", CHIPS)
def test_alignment(chip):
    """Local tensors start at a datablock; in GM any element may be the first."""
    subject = CopySubject(chip)
    rules = []
    for route in ROUTES[chip]:
        for name, space in zip(("src", "dst"), route):
            case = plain(subject, chip, route, src_n=200, dst_n=200)
            rules += [(case | {name: case[name] + step}, "V1004" if space != "gm" else None)
                      for step in (2, 16)]
            rules.append((case | {name: case[name] + 1}, "V1004"))
    check_rules(subject, chip, rules)


@pytest.mark.parametrize("chip", CHIPS)
def test_count_that_is_not_whole_datablocks(chip):
    """What does not fill a datablock is not copied, and vinci says so."""
    subject = CopySubject(chip)
    for dtype in SUPPORTED[chip]:
        block = 32 // SIZEOF[dtype]
        cases = [plain(subject, chip, dtype=dtype, by_count=1, count=count)
                 for count in (1, block - 1, block + 1, 3 * block + 1)]
        check(subject, chip, cases, allowed=["V2006"])
        run = launch(subject, chip, cases)
        assert run.codes == ["V2006"] and run.code == 0 and run.faults[0]["count"] == len(cases)
        check(subject, chip, [plain(subject, chip, dtype=dtype, by_count=1, count=2 * block)])


def test_a_partial_count_says_what_is_copied():
    subject = CopySubject("2201")
    for count, said in [(9, "9 elements of 2 bytes are 18 bytes, less than a datablock: nothing is"
                            " copied"),
                        (17, "17 elements of 2 bytes are 34 bytes, of which only 32 are copied")]:
        run = launch(subject, "2201", [plain(subject, "2201", by_count=1, count=count)])
        assert run.codes == ["V2006"] and said in run.faults[0]["message"]


@pytest.mark.parametrize("chip", CHIPS)
def test_4095_bursts(chip):
    large = CopySubject(chip, 4096 * 32, 4096, 3 * 4096 * 32)
    many = plain(large, chip, dst=0, blocks=4095, length=1, src_gap=0, dst_gap=0, src_n=1 << 20,
                 dst_n=1 << 20)
    check_rule(large, chip, many, None)
    check_rule(large, chip, many | {"src_gap": 2}, None)
    check_rule(large, chip, many | {"blocks": 4096}, "V2001")


@pytest.mark.parametrize("chip", CHIPS)
def test_gap_65535(chip):
    large = CopySubject(chip, 4096, 4096, 65535 * 32 + 128)
    wide = plain(large, chip, length=1, dst_gap=1, src_gap=65535, src_n=1 << 21)
    check_rule(large, chip, wide | {"length": 2}, None)
    back = plain(large, chip, ("ub", "gm"), dst=0, dst_gap=65535, dst_n=1 << 21)
    check_rule(large, chip, back, None)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("space, sizes", [("ub", UB_BYTES), ("l1", L1_BYTES)])
def test_the_end_of_the_memory(chip, space, sizes):
    """The last datablock is usable, the one behind it is not."""
    if not sizes[chip]:
        return
    large = CopySubject(chip, UB_BYTES[chip], L1_BYTES[chip], 4096)
    for route in ROUTES[chip]:
        for name, at in zip(("src", "dst"), route):
            other = {"src": "dst", "dst": "src"}[name]
            if at != space:
                continue
            last = plain(large, chip, route, by_count=1, count=16)
            last |= {other: 0, other + "_n": 2048, name: sizes[chip] - 32, name + "_n": 2048}
            check_rule(large, chip, last, None)
            check_rule(large, chip, last | {"count": 32}, "V1002")


@pytest.mark.parametrize("chip", CHIPS)
def test_the_end_of_the_gm_buffer(chip):
    """A GM tensor without a size ends where the buffer ends."""
    subject = CopySubject(chip)
    read = plain(subject, chip, by_count=1, count=16, src=4096 - 32, src_n=0)
    write = plain(subject, chip, ("ub", "gm"), by_count=1, count=16, dst=4096 - 32, dst_n=0)
    for case in (read, write):
        check_rule(subject, chip, case, None)
        check_rule(subject, chip, case | {"count": 32}, "V1003")


@pytest.mark.parametrize("chip", sorted(COUPLED))
def test_memories_that_are_not_for_data_copy(chip):
    """LoadData fills L0A; the plain form does not read L0C."""
    subject = CopySubject(chip)
    check_refused(subject, chip, plain(subject, chip, dst_pos=2, dst=0), "V1005")
    run = launch(subject, chip, [plain(subject, chip, ("ub", "ub"), src_pos=CO1)])
    assert run.codes in (["V1005"], ["V7001"])
