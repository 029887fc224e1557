"""DataCopyPad: burst b is blockLen bytes. In GM it starts at b * (blockLen + gap), in UB at
b * (frame + 32 * gap), where a frame is left padding, burst, right padding, and what is left of its
last datablock. An int4b_t counts as a byte."""

import numpy as np
import pytest

from atomics import ADD, TYPES_OF, combined
from batches import check_rules
from cases import (UB_BYTES, Subject, as_int64, check, check_random, check_refused, random_bytes)
from cases import TYPES as CASE_TYPES
from cases import WIDTH as CASE_WIDTH
from harness import CHIPS
from lanes import POSITIONS, VECIN

WITH = ["2201", "3002"]
TYPES = CASE_TYPES + ["bool"]
WIDTH = CASE_WIDTH | {"int4": 1, "bool": 1}
ONLY_ZERO = ("int64", "uint64", "int4")  # as paddingValue


def elements(dtype, size):
    """How many are `size` bytes of a tensor."""
    return size * 2 if dtype == "int4" else size // WIDTH[dtype]


def as_element(dtype, value):
    """A legal paddingValue with these bits."""
    return 0 if dtype in ONLY_ZERO else value & 1 if dtype == "bool" else value
POISON = 0xFF


class Pad(Subject):
    source = "data_copy_pad_cases.cpp"
    fields = ("ub_bytes", "type", "inward", "short", "blocks", "length", "src_gap", "dst_gap",
              "pad", "left", "right", "value", "set_value", "register", "atomic", "ub_pos", "ub",
              "ub_n", "gm_pos", "gm", "gm_n", "seed")
    simplest = {"short": 0, "blocks": 1, "length": 32, "src_gap": 0, "dst_gap": 0, "pad": 0,
                "left": 0, "right": 0, "value": 0, "set_value": 0, "register": 0, "atomic": 0,
                "ub": 0, "gm": 0, "seed": 0}

    def __init__(self, ub=32768, gm=8192):
        self.ub, self.gm = ub, gm

    def before(self, case, chip):
        return random_bytes(case["seed"], self.ub + self.gm)

    def frame(self, case):
        """Bytes of a burst in UB before its data, and altogether."""
        width = WIDTH[TYPES[case["type"]]]
        used = case["left"] * width + case["length"] + case["right"] * width
        return case["left"] * width, -(-used // 32) * 32

    def bursts(self, case):
        """(start in UB, start in GM) of each, and the bytes of a frame."""
        ub_gap, gm_gap = ("dst_gap", "src_gap") if case["inward"] else ("src_gap", "dst_gap")
        frame = self.frame(case)[1]
        return [(case["ub"] + b * (frame + 32 * case[ub_gap]),
                 case["gm"] + b * (case["length"] + case[gm_gap]))
                for b in range(case["blocks"] if case["length"] else 0)], frame

    def beside(self, case, first):
        """The element that stands in the paddings, as bytes."""
        width = WIDTH[TYPES[case["type"]]]
        if not case["left"] and not case["right"]:
            return np.resize(first[:width], width) if len(first) >= width else \
                np.concatenate([first, np.zeros(width - len(first), np.uint8)])
        if not case["pad"] and not case["set_value"]:
            return np.full(width, POISON, np.uint8)
        value = case["value"] if case["pad"] else case["register"]
        return np.array([as_int64(value)]).view(np.uint8)[:width]

    def expected(self, case, chip, before):
        memory = before.copy()
        ub, gm = memory[:self.ub], memory[self.ub:]
        bursts, frame = self.bursts(case)
        start, size = self.frame(case)[0], case["length"]
        for at, there in bursts:
            if case["inward"]:
                data = gm[there:there + size]
                ub[at:at + frame] = np.resize(self.beside(case, data), frame)
                ub[at + start:at + start + size] = data
            else:
                gm[there:there + size] = combined(
                    ADD if case["atomic"] else 0, TYPES[case["type"]], gm[there:there + size],
                    ub[at:at + size], chip)
        return memory

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        width = WIDTH[dtype]
        if chip not in WITH or case["ub_pos"] not in POSITIONS or \
                case["ub"] % 32 or case["set_value"] and chip != "2201":
            return False
        most = 32 // width if case["inward"] else 0
        if not 0 <= case["blocks"] <= 4095 or not 0 <= case["length"] <= 2097151 or \
                case["left"] > most or case["right"] > most or \
                case["pad"] and dtype in ONLY_ZERO and case["value"]:
            return False
        if case["short"] and max(case["length"], case["src_gap"], case["dst_gap"]) > 65535:
            return False
        if case["atomic"] and (case["inward"] or dtype not in TYPES_OF[ADD][chip] or
                               any(case[name] % width for name in ("gm", "length", "dst_gap"))):
            return False
        bursts, frame = self.bursts(case)
        ub_end = max((at + (frame if case["inward"] else case["length"]) for at, _ in bursts),
                     default=0)
        gm_end = max((at + case["length"] for _, at in bursts), default=0)
        ub_bytes, gm_bytes = (case[n] // 2 if dtype == "int4" else case[n] * width
                              for n in ("ub_n", "gm_n"))
        return ub_end <= min(case["ub"] + ub_bytes, self.ub) and gm_end <= self.gm and \
            (gm_end <= case["gm"] + gm_bytes or case["gm_n"] == 0)


PAD = Pad()


def plain(dtype="half", inward=1, subject=PAD, **changes):
    """Three bursts of 33 elements."""
    width = WIDTH[dtype]
    case = {"ub_bytes": subject.ub, "type": TYPES.index(dtype), "inward": inward, "short": 0,
            "blocks": 3, "length": 33 * width, "src_gap": 2, "dst_gap": 1, "pad": 0, "left": 0,
            "right": 0, "value": 0, "set_value": 0, "register": 0, "atomic": 0, "ub_pos": VECIN,
            "ub": 512, "gm_pos": 0, "gm": 64, "seed": 1}
    if not inward:
        case |= {"src_gap": 1, "dst_gap": 2 * width}
    case |= {"ub_n": elements(dtype, subject.ub - 512), "gm_n": elements(dtype, subject.gm - 64)}
    return case | changes


def random_call(rng, chip):
    dtype = rng.choice(TYPES)
    width, inward = WIDTH[dtype], int(rng.integers(0, 2))
    ub, gm = 32 * int(rng.integers(0, 60)), int(rng.integers(0, 600))
    value, other = (int(word) for word in rng.integers(0, 1 << 63, 2))
    case = plain(dtype, inward, ub=ub, gm=gm, ub_n=elements(dtype, PAD.ub - ub),
                 gm_n=rng.choice([0, elements(dtype, PAD.gm - gm)]),
                 blocks=rng.choice([0, 1, 2, 5, 12]),
                 length=rng.choice([0, 1, 31, 32, 33, 64, rng.integers(0, 700)]),
                 src_gap=rng.choice([0, 0, 1, 3, rng.integers(0, 60)]),
                 dst_gap=rng.choice([0, 0, 1, 3, rng.integers(0, 60)]), short=rng.integers(0, 2),
                 ub_pos=rng.choice(POSITIONS), pad=rng.integers(0, 2),
                 value=as_element(dtype, value), set_value=rng.integers(0, 2) * (dtype != "int4"),
                 register=other & 1 if dtype == "bool" else other, seed=rng.integers(0, 1 << 20))
    if inward and rng.random() < 0.7:
        case |= {side: rng.integers(0, 32 // width + 1) for side in ("left", "right")}
    if not inward and rng.random() < 0.4:
        case["atomic"] = 1
        case |= {name: case[name] // width * width for name in ("gm", "length", "dst_gap")}
    return case


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    # Paddings that nothing has set show that memory is unwritten, which is told.
    check_random(PAD, chip, lambda rng: random_call(rng, chip), 500, allowed=["V1013"])


@pytest.mark.parametrize("chip", WITH)
def test_every_type(chip):
    """Each way, with paddings of each kind, and lengths around a datablock. bool and int4b_t are
    bytes here."""
    check(PAD, chip, [
        plain(dtype, inward, length=length, left=left, right=right, pad=pad,
              value=as_element(dtype, 0x4142434445464747))
        for dtype in TYPES for inward, left, right, pad in
        [(0, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 1), (1, 1, 0, 1), (1, 0, 2, 1), (1, 3, 2, 0)]
        for length in (31, 32, 33) if max(left, right) <= 32 // WIDTH[dtype]], allowed=["V1013"])


def test_printed():
    """The documents' sample: 31 floats, then 37; and 47 bytes filled up with their first."""
    row = np.zeros(32768 + 8192, np.uint8)
    row[32768 + 64:][:188] = np.arange(1, 48, dtype=np.float32).view(np.uint8)
    row[32768 + 1024:][:47] = 7

    class Given(Pad):
        def before(self, case, chip):
            return row

    case = plain("float", blocks=1, length=124, right=1, set_value=1,
                 register=int(np.float32(37).view(np.uint32)), ub=0, ub_n=1000)
    want = Given().expected(case, "2201", row)[:128].view(np.float32)
    assert want.tolist() == [*range(1, 32), 37]
    dummy = plain("int8", blocks=1, length=47, gm=1024, gm_n=1000, ub=0)
    assert Given().expected(dummy, "2201", row)[:64].tolist() == [7] * 64
    check(Given(), "2201", [case, dummy])


def rules_of(dtype):
    width = WIDTH[dtype]
    most = 32 // width
    out = {"inward": 0, "src_gap": 1, "dst_gap": 2 * width}
    frames = 2 * (whole_blocks(33 * width) + 32) + whole_blocks(33 * width)
    bursts = 2 * (33 * width + 2) + 33 * width
    return [
        ({}, None), (out, None), ({"blocks": 0}, None), ({"length": 0}, None),
        ({"left": most, "right": most, "pad": 1}, None), ({"left": most + 1}, "V2001"),
        ({"right": most + 1}, "V2001"), ({"right": 255}, "V2001"),
        ({"pad": 1, "value": 1}, None if width < 8 else "V2001"), ({"pad": 1}, None),
        ({"ub": 528}, "V1004"), ({"ub": 544}, None), ({"gm": 65}, None), (out | {"gm": 65}, None),
        ({"ub_pos": 0}, "V1005"), (out | {"ub_pos": 0}, "V1005"),
        # What fills the last datablock is written too; on the way out it is not even read.
        ({"ub_n": frames // width}, None), ({"ub_n": frames // width - 1}, "V1001"),
        (out | {"ub_n": (frames - whole_blocks(33 * width) + 33 * width) // width}, None),
        (out | {"ub_n": (frames - whole_blocks(33 * width) + 33 * width) // width - 1}, "V1001"),
        ({"gm_n": -(-bursts // width)}, None), ({"gm_n": -(-bursts // width) - 1}, "V1001"),
        ({"gm": PAD.gm - bursts, "gm_n": 0}, None),
        ({"gm": PAD.gm - bursts + 1, "gm_n": 0}, "V1003"),
        ({"length": 2097152}, "V2001"), ({"length": 2097151, "ub_n": 1 << 20}, "V1001"),
        ({"blocks": 4096, "length": 1}, "V2001"), ({"src_gap": (1 << 32) - 1}, "V1001"),
        ({"dst_gap": (1 << 32) - 1}, "V1001"),
    ]


def whole_blocks(length):
    return -(-length // 32) * 32


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    for dtype in ("int8", "half", "float", "int64"):
        check_rules(PAD, chip, [(plain(dtype, **changes), code)
                                for changes, code in rules_of(dtype)])


@pytest.mark.parametrize("chip", WITH)
def test_int4(chip):
    """Two are a byte of the tensor; paddings count bytes, and are 0 or what SetPadValue said."""
    frames = 2 * (64 + 32) + 64
    check_rules(PAD, chip, [
        (plain("int4", **changes), code) for changes, code in [
            ({"left": 32, "right": 32, "pad": 1}, None), ({"left": 33}, "V2001"), ({"right": 33}, "V2001"),
            ({"pad": 1}, None), ({"pad": 1, "value": 1}, "V2001"),
            ({"ub_n": 2 * frames}, None), ({"ub_n": 2 * frames - 2}, "V1001")]])


@pytest.mark.parametrize("chip", WITH)
def test_combining_wants_whole_elements(chip):
    for dtype in TYPES_OF[ADD][chip]:
        width, case = WIDTH[dtype], plain(dtype, 0, atomic=1)
        rules = [(case, None)]
        if width > 1:
            rules += [(case | {"length": 33 * width + 1}, "V2002"),
                      (case | {"dst_gap": width + 1}, "V2002"), (case | {"gm": 65}, "V1004")]
        check_rules(PAD, chip, rules)


@pytest.mark.parametrize("chip", WITH)
def test_limits(chip):
    """4095 bursts, and a burst of nearly all UB."""
    large = Pad(UB_BYTES[chip], 1 << 19)
    most = UB_BYTES[chip] - 32
    check(large, chip, [
        plain("int8", 1, large, blocks=4095, length=1, ub=0, ub_n=UB_BYTES[chip], src_gap=7,
              dst_gap=0),
        plain("int16", 0, large, blocks=1, length=most - 1, ub=32, ub_n=most // 2),
        plain("int16", 1, large, blocks=1, length=most - 1, ub=32, ub_n=most // 2, right=0)])
    check_refused(large, chip, plain("int8", 1, large, blocks=1, length=most, right=1, ub=32,
                                     ub_n=1 << 20), "V1002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chips_without_it(chip):
    for inward in (0, 1):
        check_refused(PAD, chip, plain("half", inward), "V6001")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - {"2201"}))
def test_set_pad_value_not_on_chip(chip):
    check_refused(PAD, chip, plain(set_value=1), "V6001")
