"""SetSaturationFlag, SetCtrlSpr, SetCastOverflowMode, AscendCUtils::SetOverflow: what becomes of
results that their type cannot hold, and what GetSaturationFlag and GetCtrlSpr read."""

import itertools

import numpy as np
import pytest

from cases import (SATURATES, WIDTH, Subject, check, check_random, check_refused, number_of,
                   random_bytes, types_of)
from harness import CHIPS, NUMPY

(NOTHING, FLAG_FLOAT, FLAG_INT, FLAG_CAST, BIT_48, BIT_53, BIT_59, CAST_MODE, OVERFLOW,
 FLAG_FLOAT8) = range(10)
STEPS = 4
ELEMENTS = 128
SRC0, SRC1, DST, READ, IMAGE = 0, 1024, 2048, 3072, 4096

WITH_BITS = {"2201"}
WITH_CAST_MODE = {"2002", "2201", "3002"}
WITH_OVERFLOW = {"2002", "2002v", "2201", "3002"}
ADDS = {chip: ["half", "float", "int32"] + ["int16"] * (chip not in ("1000", "1001"))
        for chip in CHIPS}
CASTS = {"1000": [("half", "float"), ("int8", "half"), ("float", "half")], "2002v": []}
CASTS["1001"] = CASTS["1000"] + [("int32", "float")]
CASTS["2002"] = CASTS["1001"] + [("int16", "int32")]
CASTS["2201"] = CASTS["3002"] = CASTS["2002"] + [("bfloat16", "float"), ("int16", "float"),
                                                 ("int32", "int64")]
CALLS = {chip: [number_of(dtype, dtype) for dtype in ADDS[chip]] +
         [number_of(*pair) for pair in CASTS[chip]] for chip in CHIPS}

SPECIAL = {
    "half": [0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFD01, 0x5BF8, 0x5800, 0xD801, 0xD800, 0x5CB0,
             0, 0x8000, 0x3800],
    "float": [0x477FE000, 0x477FEFFF, 0x477FF000, 0xC77FF000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F7F7FFF,
              0x7F7F8000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001, 0x4F000000, 0xCF000000,
              0xCF000001, 0x4EFFFFFF, 0x46FFFE00, 0x46FFFF00, 0xC7000000, 0xC7000100, 0x4788B800,
              0x5F000000, 0x49742400, 0, 1 << 31, 0x3F000000],
    "int16": [0, 1, 0xFFFF, 0x7FFF, 0x8000, 0x8001, 0x4000],
    "int32": [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x7FFF, 0x8000, 0xFFFF8000, 0xFFFF7FFF,
              70000],
    "int64": [0, 1, -1, (1 << 31) - 1, 1 << 31, -(1 << 31), -(1 << 31) - 1, (1 << 63) - 1,
              -(1 << 63), 0x123456789ABCDEF],
}


def to_float(dst, values, saturate):
    """float64 values that are exact or wider than the result, rounded to half or bfloat16."""
    if dst == "half":
        with np.errstate(all="ignore"):
            bits = values.astype(np.float16).view(np.uint16)
        inf, nan = 0x7C00, 0x7E00
    else:
        word = values.astype(np.float32).view(np.uint32).astype(np.uint64)
        bits = np.where(np.isnan(values), 0x7FC0, (word + 0x7FFF + (word >> 16 & 1)) >> 16)
        bits, inf, nan = bits.astype(np.uint16), 0x7F80, 0x7FC0
    bits = np.where(np.isnan(values), np.uint16(nan), bits)
    if not saturate:
        return bits
    size = bits & 0x7FFF
    return np.where(size > inf, 0, np.where(size == inf, bits - 1, bits)).astype(np.uint16)


def to_integer(dst, value, clamp):
    """A Python number as an integer of dst: clamped, or its low bits."""
    info = np.iinfo(NUMPY[dst])
    if value != value:
        return 0
    if abs(value) == float("inf"):
        wide = info if clamp else np.iinfo(np.int32)
        value = wide.max if value > 0 else wide.min
    exact = round(value)  # ties to even
    if clamp:
        return max(info.min, min(info.max, exact))
    return (exact - info.min) % (1 << info.bits) + info.min


def has(op):
    """The chips that have a switch."""
    return {CAST_MODE: WITH_CAST_MODE, OVERFLOW: WITH_OVERFLOW}.get(op, WITH_BITS)


class SaturationSubject(Subject):
    source = "saturation_cases.cpp"
    fields = tuple(f"{name}{k}" for k in range(STEPS) for name in ("op", "value")) + \
        ("reads", "types", "seed")
    simplest = {f"op{k}": NOTHING for k in range(STEPS)} | {"reads": 0, "seed": 0} | {
        f"value{k}": 0 for k in range(STEPS)}

    def before(self, case, chip):
        image = random_bytes(case["seed"], IMAGE)
        dtype = types_of(case)[1]
        rng = np.random.default_rng(case["seed"])
        values = np.array(SPECIAL[dtype], object) % (1 << 64)
        values = values.astype(np.uint64).astype(f"u{WIDTH[dtype]}")
        for start in (SRC0, SRC1):
            part = image[start:start + ELEMENTS * WIDTH[dtype]].view(f"u{WIDTH[dtype]}")
            special = rng.random(ELEMENTS) < 0.7
            part[special] = rng.choice(values, int(special.sum()))
        return image

    def modes(self, case, chip):
        """(floats saturate, integers clamp, casts keep low bits, the three bits) after all steps;
        None if one of them is not legal."""
        bit = {48: int(chip not in SATURATES), 53: 0, 59: 0}
        floats, integers = chip in SATURATES, False
        for k in range(STEPS):
            op, value = case[f"op{k}"], case[f"value{k}"]
            if op == NOTHING:
                continue
            if op > OVERFLOW or value not in (0, 1) and op != OVERFLOW:
                return None
            if chip not in has(op):
                return None
            if op in (FLAG_FLOAT, FLAG_CAST):
                bit[48 if op == FLAG_FLOAT else 59] = 1 - value
            elif op == OVERFLOW:
                bit[48] = int(value == 1)
            else:
                bit[{FLAG_INT: 53, BIT_48: 48, BIT_53: 53}.get(op, 59)] = value
            if op in (FLAG_FLOAT, BIT_48, OVERFLOW):
                floats = bit[48] == 0
            if op not in (FLAG_CAST, BIT_59, CAST_MODE):
                integers = bit[48] == 0 or bit[53] == 1
        return floats, integers, bit[59] == 1, bit

    def legal(self, case, chip):
        return case["types"] in CALLS[chip] and self.modes(case, chip) is not None and \
            (not case["reads"] or chip in WITH_BITS)

    def expected(self, case, chip, before):
        floats, integers, low_bits, bit = self.modes(case, chip)
        memory = before.copy()
        dst, src = types_of(case)
        a, b = (memory[start:start + ELEMENTS * WIDTH[src]].view(NUMPY[src])
                for start in (SRC0, SRC1))
        is_float = src in ("half", "float")
        with np.errstate(all="ignore"):
            wide = [x.astype(np.float64) if is_float else x.astype(object) for x in (a, b)]
            exact = wide[0] + wide[1] if dst == src else wide[0]
        if dst in ("half", "bfloat16"):
            result = to_float(dst, exact, floats)
        elif dst == "float":
            with np.errstate(all="ignore"):
                result = np.where(np.isnan(exact), np.uint32(0x7FC00000),
                                  exact.astype(np.float32).view(np.uint32)).astype(np.uint32)
        else:
            clamp = integers if dst == src else not low_bits
            result = np.array([to_integer(dst, x, clamp) for x in exact.tolist()], NUMPY[dst])
        memory[DST:DST + result.nbytes] = result.view(np.uint8)
        if case["reads"]:
            read = [bit[48], bit[53], bit[59], 1 - bit[48], bit[53], 1 - bit[59]]
            memory[READ:READ + 24] = np.array(read, np.int32).view(np.uint8)
        return memory


SATURATION = SaturationSubject()


def plain(types, *steps, **changes):
    case = {"reads": 0, "types": types, "seed": 3}
    for k in range(STEPS):
        op, value = steps[k] if k < len(steps) else (NOTHING, 0)
        case |= {f"op{k}": op, f"value{k}": value}
    return case | changes


@pytest.mark.parametrize("chip", CHIPS)
def test_at_the_start(chip):
    cases = [plain(types, seed=seed) for types in CALLS[chip] for seed in range(4)]
    check(SATURATION, chip, cases)


@pytest.mark.parametrize("chip", sorted(WITH_OVERFLOW))
def test_each_switch_both_ways(chip):
    """Alone, and after another: a switch leaves what is not its own."""
    switches = [(op, value) for op in range(1, OVERFLOW + 1) for value in (0, 1)] + [(OVERFLOW, 2)]
    pairs = [(first,) for first in switches] + list(itertools.product(switches, switches))
    cases = [plain(types, *steps) for types in CALLS[chip] for steps in pairs]
    cases = [case | {"reads": int(chip in WITH_BITS)} for case in cases]
    check(SATURATION, chip, [case for case in cases if SATURATION.legal(case, chip)])


@pytest.mark.parametrize("chip", CHIPS)
def test_random(chip):
    ops = [op for op in range(OVERFLOW + 1) if op == NOTHING or chip in has(op)]

    def make(rng):
        steps = [(rng.choice(ops), rng.integers(0, 2)) for _ in range(STEPS)]
        reads = chip in WITH_BITS and rng.random() < 0.5
        return plain(rng.choice(CALLS[chip]), *steps, reads=reads, seed=rng.integers(0, 1 << 20))
    check_random(SATURATION, chip, make, 200)


def test_known_numbers():
    """The documents' own examples: 32760 + 10 in int16, inf + 0 in half, 300 to int8."""
    class Known(SaturationSubject):
        def before(self, case, chip):
            image = np.zeros(IMAGE, np.uint8)
            dtype = types_of(case)[1]
            numbers = {add16: (32760, 10), add_half: (np.inf, 0), to_int8: (300, 0)}
            for start, value in zip((SRC0, SRC1), numbers[case["types"]]):
                part = image[start:start + ELEMENTS * WIDTH[dtype]].view(NUMPY[dtype])
                part[:] = value
            return image

    subject = Known()
    add16, add_half, to_int8 = number_of("int16", "int16"), number_of("half", "half"), 4
    for case, number in [
            (plain(add16, (FLAG_INT, 1)), 32767), (plain(add16, (FLAG_INT, 0)), -32766),
            (plain(add16, (FLAG_FLOAT, 1)), 32767), (plain(add16), -32766),
            (plain(add_half, (FLAG_FLOAT, 1)), 65504), (plain(add_half, (FLAG_FLOAT, 0)), np.inf),
            (plain(to_int8, (FLAG_CAST, 1)), 127), (plain(to_int8, (FLAG_CAST, 0)), 44)]:
        check(subject, "2201", [case])
        image = subject.expected(case, "2201", subject.before(case, "2201"))
        assert image[DST:].view(NUMPY[types_of(case)[0]])[0] == number


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("op", [*range(1, OVERFLOW + 1), 19, 20])
def test_a_switch_that_the_chip_lacks(chip, op):
    case = plain(CALLS[chip][0], (op, 1))
    if chip not in has(op):
        check_refused(SATURATION, chip, case, "V6001")
    elif op <= OVERFLOW:
        check(SATURATION, chip, [case])


@pytest.mark.parametrize("name, step, code", [
    ("value 0", (BIT_48, 0), None), ("value 1", (BIT_48, 1), None),
    ("value 2", (BIT_48, 2), "V2001"), ("value -1", (BIT_59, -1), "V2001"),
    ("bits 48..53", (10, 0), "V2001"), ("bit 56", (11, 0), "V2001"),
    ("all bits", (12, 0), "V2001"), ("bit 47", (13, 0), "V2001"), ("bit 60", (14, 0), "V2001"),
    ("bit -1", (15, 0), "V2001"), ("read bit 56", (16, 0), "V2001"),
    ("read bits 48..49", (17, 0), "V2001"), ("mode FLOAT8", (FLAG_FLOAT8, 1), "V6001"),
    ("read mode FLOAT8", (18, 0), "V6001"),
])
def test_bits_and_values(name, step, code):
    case = plain(number_of("half", "half"), step)
    if code is None:
        check(SATURATION, "2201", [case])
        return
    subject = SaturationSubject()
    subject.untouched = lambda case, chip, before: SATURATION.expected(
        plain(case["types"], seed=case["seed"]), chip, before)
    check_refused(subject, "2201", case, code)
