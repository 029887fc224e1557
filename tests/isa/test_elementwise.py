"""Sub, Mul, Max, Min, Div, And, Or, Abs, Relu, Not, Exp, Ln, Sqrt, Rsqrt, Reciprocal, Adds, Muls,
LeakyRelu, Maxs, Mins, the shifts, Axpy, MulAddDst, FusedMulAdd, FusedMulAddRelu, AddRelu,
SubRelu, AddReluCast, SubReluCast, MulCast, AddDeqRelu."""

import re

import numpy as np
import pytest

import elementary
import lanes
from batches import check_rules, check_told
from cases import (UB_BYTES, WIDTH, check, check_random, check_refused, rng_for, types_of,
                   verdict)
from elementwise import (AXPY, CLAMPING, ELEMENTWISE, NAMES, NEWER, NO_SCALE, OPERATIONS,
                         OTHER_FORM, SCALAR, SCALED, SHIFT_NAMES, TERNARY, TWO_SOURCES, UNARY,
                         Elementwise, bits_of, of_bits, operation_of, plain, random_call,
                         special_bits)
from harness import CHIPS, times_more, vinci
from lanes import BITS, CONTINUOUS, FULL

PRESENT = [(name, chip) for name in NAMES for chip in CHIPS if OPERATIONS[name].pairs(chip)]
ONE_SOURCE = [(name, chip) for name, chip in PRESENT if OPERATIONS[name].kind not in TWO_SOURCES]


@pytest.mark.parametrize("name, chip", PRESENT)
def test_random(name, chip):
    check_random(ELEMENTWISE, chip, lambda rng: random_call(rng, name, chip), 200, name)


class Placed(Elementwise):
    """Memory with given numbers at the operands' addresses."""

    def values(self, case):
        """Bits of dst and of the sources, in this order."""
        raise NotImplementedError

    def before(self, case, chip):
        memory = np.zeros(self.image, np.uint8)
        for name, bits in zip(("dst", "src0", "src1"), self.values(case)):
            dtype = types_of(case)[name != "dst"]
            part = bits_of(of_bits(bits, dtype)).view(np.uint8)
            memory[case[name]:case[name] + part.size] = part
        return memory


class Specials(Placed):
    """Every special value with every other, of the two sources; of dst and src for Axpy."""

    def values(self, case):
        dst, src = (np.array(special_bits(dtype), np.uint64) for dtype in types_of(case))
        if operation_of(case).kind == AXPY:
            return np.repeat(dst, len(src)), np.tile(src, len(dst))
        first, second = np.repeat(src, len(src)), np.tile(src, len(src))
        # A third operand at other steps for each seed: all pairs with all numbers, in 23 of them.
        third = np.arange(first.size) * 5 + np.arange(first.size) // len(src) + 2 * case["seed"]
        return dst[third % len(dst)], first, second


@pytest.mark.parametrize("name, chip", PRESENT)
def test_special_values(name, chip):
    """NaN, infinities, zeros of both signs, subnormals, the largest, wraps; scalars too."""
    cases = []
    for types in OPERATIONS[name].pairs(chip):
        scalars, seeds = [0], range(6 if OPERATIONS[name].kind == TERNARY else 1)
        if name in SHIFT_NAMES:
            scalars = range(8 * WIDTH[types[0]] + 1)
        elif OPERATIONS[name].kind == SCALED:
            scalars = special_bits("half")
        elif OPERATIONS[name].kind in (SCALAR, AXPY):
            scalars = special_bits(types[1])
        other = types[0] if OPERATIONS[name].kind == AXPY else types[1]
        count = len(special_bits(other)) * len(special_bits(types[1]))
        places = {"dst": 0, "src0": 10240, "src1": 20480, "dst_n": count, "src0_n": count,
                  "src1_n": count, "count": count}
        clamps = [0, 1] if name in CLAMPING and chip in NEWER else [0]
        cases += [plain(name, *types, scalar=scalar, seed=seed, clamp=clamp, **places)
                  for scalar in scalars for seed in seeds for clamp in clamps]
    check(Specials(30720), chip, cases)


class Patterns(Placed):
    """All 16-bit patterns, in place."""

    def values(self, case):
        return (np.arange(1 << 16),)


@pytest.mark.parametrize("name, chip", ONE_SOURCE)
def test_every_16_bit_pattern(name, chip):
    cases = []
    for types in OPERATIONS[name].pairs(chip):
        if WIDTH[types[0]] != 2:
            continue
        scalars = {UNARY: [0], SCALAR: [0x2E66, 0xBC01], AXPY: [0x3555]}[OPERATIONS[name].kind]
        cases += [plain(name, *types, scalar=scalar % 16 if name in SHIFT_NAMES else scalar,
                        count=1 << 16, dst=0, src0=0, dst_n=1 << 16, src0_n=1 << 16)
                  for scalar in scalars]
    check(Patterns(1 << 17), chip, cases)


class PatternsWithOne(Placed):
    """The lower or the upper half of all 16-bit patterns, each with the same number."""

    def values(self, case):
        first = np.arange(1 << 15) + (case["seed"] << 15)
        return np.zeros(1 << 15, int), first, np.full(1 << 15, case["scalar"])


@pytest.mark.parametrize("name, chip", [(name, chip) for name, chip in PRESENT
                                        if OPERATIONS[name].narrow])
def test_every_16_bit_pattern_to_8_bits(name, chip):
    """With 0 or 1, so that all are converted as they are, and with numbers that round twice."""
    count = 1 << 15
    cases = []
    for types in OPERATIONS[name].pairs(chip):
        if WIDTH[types[1]] == 2:
            neutral = 0x3C00 if name == "MulCast" else 0
            cases += [plain(name, *types, scalar=number, seed=half, count=count, dst=0, src0=count,
                            src1=3 * count, dst_n=count, src0_n=count, src1_n=count)
                      for number in (neutral, 0x3555, 0xB801) for half in (0, 1)]
    check(PatternsWithOne(5 * count), chip, cases)


class Sample(Placed):
    """Floats of each exponent and such as are hard to round, in place."""

    def values(self, case):
        name = NAMES[case["op"]]
        return (elementary.float_sample(rng_for(name, case["seed"]), name, SAMPLE),)


SAMPLE = 1 << 15
ROUNDED = [(name, chip) for name, chip in PRESENT
           if name in elementary.HARDEST and "float" in OPERATIONS[name].types[chip]]


@pytest.mark.parametrize("name, chip", ROUNDED)
def test_floats_are_rounded_once(name, chip):
    """All halves are in test_every_16_bit_pattern."""
    check(Sample(4 * SAMPLE), chip, [
        plain(name, "float", count=SAMPLE, dst=0, src0=0, dst_n=SAMPLE, src0_n=SAMPLE, seed=seed)
        for seed in range(times_more(2))])


INF, NAN, MOST = 0x7C00, 0x7E00, 0x7BFF
# What the documents print: types, dst before, src0, src1 or the scalar, dst after.
PRINTED = [
    ("ShiftLeft", "2201", "uint16", 0, 0xAAAA, 1, 0x5554),
    ("ShiftLeft", "2201", "int16", 0, 0xAAAA, 1, 0xD554),
    ("ShiftLeft", "2201", "int16", 0, 0xAAAA, 3, 0xD550),
    ("ShiftLeft", "2201", "int16", 0, 512, 2, 2048),
    ("ShiftRight", "2201", "uint16", 0, 0xAAAA, 1, 0x5555),
    ("ShiftRight", "2201", "int16", 0, 0xAAAA, 1, 0xD555),
    ("ShiftRight", "2201", "int16", 0, 0xAAAA, 3, 0xF555),
    ("ShiftRight", "2201", "int16", 0, 512, 2, 128),
    ("Axpy", "2201", "half", 0, 0x3C00, 0x4000, 0x4000),
    ("Axpy", "2201", "half", 0xFC00, MOST, MOST, NAN),
    ("MulAddDst", "2201", "half", 0xFC00, MOST, MOST, NAN),
    ("MulAddDst", "2201", "half", 0x3C00, 0x4000, 0x4200, 0x4700),
    ("FusedMulAdd", "2201", "half", MOST, MOST, 0xFC00, NAN),
    ("FusedMulAdd", "2201", "half", 0x4000, 0x4200, 0x3C00, 0x4700),
    ("FusedMulAddRelu", "2201", "half", 0x4000, 0xC200, 0x3C00, 0),
    ("FusedMulAddRelu", "2201", "half", MOST, MOST, 0xFC00, NAN),
    ("AddRelu", "2201", "int16", 0, 0x7FFF, 1, 0),
    ("AddRelu", "2201", "half", 0, 0x8000, 0x8000, 0),
    ("SubRelu", "2201", "half", 0, 0x3C00, 0x4000, 0),
    ("SubRelu", "2201", "half", 0, INF, INF, NAN),
    ("Sub", "2201", "half", 0, INF, INF, NAN),
    ("Mul", "2201", "half", 0, MOST, MOST, INF),
    ("Mul", "2201", "int16", 0, 0x7FFF, 0x7FFF, 1),
    ("Mul", "2201", "int32", 0, 0x7FFFFFFF, 0x7FFFFFFF, 1),
    ("Adds", "2201", "int16", 0, 0x8000, 0x8000, 0),
    ("Adds", "2201", "int32", 0, 0x7FFFFFFF, 0x7FFFFFFF, 0xFFFFFFFE),
    ("Max", "2201", "half", 0, 0x8000, 0, 0),
    ("Max", "2201", "half", 0, NAN, 0x3C00, NAN),
    ("Min", "2201", "half", 0, 0, 0x8000, 0x8000),
    ("Min", "2201", "half", 0, 0x3C00, NAN, NAN),
    ("Maxs", "2201", "half", 0, 0x8000, 0, 0),
    ("Maxs", "2201", "half", 0, 0x3C00, NAN, NAN),
    ("Mins", "2201", "half", 0, 0, 0x8000, 0x8000),
    ("Mins", "2201", "half", 0, NAN, 0x3C00, NAN),
    ("Div", "2201", "half", 0, 0x3C00, 0x8000, 0xFC00),
    ("Div", "2201", "half", 0, 0, 0, NAN),
    ("Relu", "2201", "half", 0, 0x8000, 0, 0),
    ("Relu", "2201", "half", 0, NAN, 0, NAN),
    ("Abs", "2201", "half", 0, NAN, 0, NAN),
    ("LeakyRelu", "2201", "half", 0, 0x8000, 0x4000, 0x8000),
    ("LeakyRelu", "2201", "half", 0, 0x8000, 0xC000, 0),
    ("LeakyRelu", "2201", "half", 0, 0x8000, INF, NAN),
    ("LeakyRelu", "2201", "half", 0, 0, NAN, 0),
    ("LeakyRelu", "2201", "half", 0, 0x4000, NAN, 0x4000),
    ("Exp", "2201", "half", 0, MOST, 0, INF),
    ("Exp", "2201", "half", 0, 0xFC00, 0, 0),
    ("Exp", "2201", "half", 0, 0x8000, 0, 0x3C00),
    ("Ln", "2201", "half", 0, 0, 0, 0xFC00),
    ("Ln", "2201", "half", 0, 0x8000, 0, 0xFC00),
    ("Ln", "2201", "half", 0, 0xBC00, 0, NAN),
    ("Ln", "2201", "half", 0, MOST, 0, 0x498C),  # 11.09
    ("Sqrt", "2201", "half", 0, 0x8000, 0, 0x8000),
    ("Sqrt", "2201", "half", 0, 0xFC00, 0, NAN),
    ("Rsqrt", "2201", "half", 0, 0, 0, INF),
    ("Rsqrt", "2201", "half", 0, 0x8000, 0, 0xFC00),
    ("Rsqrt", "2201", "half", 0, 0xBC00, 0, NAN),
    ("Rsqrt", "2201", "float", 0, 0x7F7FFFFF, 0, 0x1F800000),  # 5.421011e-20
    ("Reciprocal", "2201", "half", 0, 0x8000, 0, 0xFC00),
    ("Reciprocal", "2201", "half", 0, 0xFC00, 0, 0x8000),
    ("Reciprocal", "2201", "float", 0, 0x7F7FFFFF, 0, 0x00200000),  # 2.938736e-39
    # Where half results saturate, each of the two roundings does.
    ("MulAddDst", "2002", "half", 0xFBFF, MOST, MOST, 0),
    ("FusedMulAdd", "2002", "half", MOST, MOST, 0xFBFF, 0),
    ("Axpy", "2002", "half", 0xFBFF, MOST, MOST, 0),
    ("Mul", "2002", "half", 0, MOST, MOST, MOST),
    ("Sub", "2002", "half", 0, INF, INF, 0),
    ("Exp", "2002", "half", 0, MOST, 0, MOST),
    ("Ln", "2002", "half", 0, 0, 0, 0xFBFF),
    ("Ln", "2002", "half", 0, 0xBC00, 0, 0),
    ("Sqrt", "2002", "half", 0, 0xBC00, 0, 0),
    ("Rsqrt", "2002", "half", 0, 0x8000, 0, 0xFBFF),
    ("Reciprocal", "2002", "half", 0, 0, 0, MOST),
    ("AddReluCast", "2201", "int8<-half", 1, MOST, MOST, 127),
    ("AddReluCast", "2201", "int8<-half", 1, 0x8000, 0x8000, 0),
    ("AddReluCast", "2201", "int8<-half", 1, 0xFC00, 0, 0),
    ("AddReluCast", "2201", "int8<-half", 1, INF, 0xFC00, 0),
    ("AddReluCast", "2201", "int8<-half", 1, 0x4200, 0xC400, 0),
    ("AddReluCast", "2201", "int8<-int16", 1, 0x7FFF, 0x7FFF, 127),
    ("AddReluCast", "2201", "int8<-int16", 1, 0x8000, 0x8000, 0),
    ("AddReluCast", "2201", "half<-float", 1, 0x7F7FFFFF, 0x7F7FFFFF, INF),
    ("AddReluCast", "2201", "half<-float", 1, 0xFF800000, 0, 0),
    ("AddReluCast", "2201", "half<-float", 1, 0x80000000, 0x80000000, 0),
    ("SubReluCast", "2201", "int8<-half", 1, INF, 0xFC00, 127),
    ("SubReluCast", "2201", "int8<-half", 1, INF, INF, 0),
    ("SubReluCast", "2201", "int8<-int16", 1, 0x7FFF, 0x8000, 127),
    ("SubReluCast", "2201", "int8<-int16", 1, 0x8000, 0x7FFF, 0),
    ("SubReluCast", "2201", "half<-float", 1, 0x7F7FFFFF, 0xFF7FFFFF, INF),
    ("SubReluCast", "2201", "half<-float", 1, 0x80000000, 0, 0),
    ("MulCast", "2201", "int8<-half", 1, MOST, MOST, 127),
    ("MulCast", "2201", "int8<-half", 1, MOST, 0xFBFF, 0x80),
    ("MulCast", "2201", "uint8<-half", 1, MOST, 0xFBFF, 0),
    ("MulCast", "2201", "uint8<-half", 1, INF, MOST, 255),
    ("MulCast", "2201", "int8<-half", 1, INF, 0, 0),
    ("MulCast", "2201", "int8<-half", 1, 0xC000, 0x4200, 0xFA),  # -2 * 3
    # 2.500977 is 2.5 as a half, and then 2.
    ("MulCast", "2201", "int8<-half", 1, 0x3E28, 0x3E80, 2),
    ("MulCast", "2002", "int8<-half", 1, MOST, MOST, 127),
    ("MulCast", "2002", "uint8<-half", 1, INF, 0, 0),
    ("AddReluCast", "2002", "half<-float", 1, 0x7F800000, 0, MOST),
    ("AddReluCast", "2002", "half<-float", 1, 0x7FC00000, 0, 0),
    ("SubReluCast", "2002", "int8<-int16", 1, 0x7FFF, 0x8000, 127),
]


class Printed(Placed):
    """Rows of PRINTED, by number."""

    def values(self, case):
        return [[bits] for bits in PRINTED[case["seed"]][3:6]]

    def expected(self, case, chip, before):
        after = before.copy()
        after.view(f"u{WIDTH[types_of(case)[0]]}")[0] = PRINTED[case["seed"]][6]
        return after


@pytest.mark.parametrize("chip", ["2002", "2201"])
def test_printed(chip):
    check(Printed(), chip, [
        plain(row[0], *row[2].split("<-"), count=1, scalar=row[5], seed=number)
        for number, row in enumerate(PRINTED) if row[1] == chip])


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    """What `vinci list` prints is the table by which calls are refused."""
    listed = vinci("list", "--soc", CHIPS[chip]).stdout
    for name in NAMES:
        # The library's function of that name comes first.
        types = re.findall(rf"^{name} \(\w+\)\n  .*?  +(.*)$", listed, re.M)[-1]
        assert set(types.split()) == {
            dst if dst == src else f"{dst}<-{src}"
            for dst, src in OPERATIONS[name].pairs(chip)} | {
                *OPERATIONS[name].by_size.get(chip, [])} or types == "none"
        assert (types == "none") == (OPERATIONS[name].pairs(chip) == [])


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", NAMES)
def test_type_not_on_chip(name, chip):
    here = OPERATIONS[name].pairs(chip)
    elsewhere = [pair for other in CHIPS for pair in OPERATIONS[name].pairs(other)]
    none = "int64" if "int8" in OPERATIONS[name].by_size.get(chip, []) else "int8"
    missing = [pair for pair in elsewhere if pair not in here] + [(none, none)]
    check_refused(ELEMENTWISE, chip, plain(name, *missing[0]), "V6002" if here else "V6001")


@pytest.mark.parametrize("name", ["And", "Or"])
def test_bits_of_bytes(name):
    """Bytes are not in the documents, and programs have them in the count form: told, and done."""
    cases = [plain(name, dtype, count=count) for dtype in OPERATIONS[name].by_size["2201"]
             for count in (1, 96, 1000)]
    check_told(ELEMENTWISE, "2201", cases, "V2013")
    for dtype in OPERATIONS[name].by_size["2201"]:
        check_refused(ELEMENTWISE, "2201", plain(name, dtype, form=CONTINUOUS), "V6002")
        check_refused(ELEMENTWISE, "2002", plain(name, dtype), "V6002")


def test_axpy_and_mul_add_dst_do_not_narrow():
    for name in ("Axpy", "MulAddDst"):
        check_refused(ELEMENTWISE, "2201", plain(name, "half", "float"), "V6002")


class Sums(Placed):
    """The documents' sample of AddDeqRelu: what the sums are, times 0.1 as a half."""

    def values(self, case):
        return ([1] * 9, [70, 36, 43, 54, 28, 49, 27, 82, 95], [19, 33, 34, 50, 42, 2, 97, 93, 99])

    def expected(self, case, chip, before):
        after = before.copy()
        scale = 1 if case["round"] == NO_SCALE else np.float32(np.float16(0.1))
        after.view(np.float16)[:9] = np.float32([89, 69, 77, 104, 70, 51, 124, 175, 194]) * scale
        return after


@pytest.mark.parametrize("chip", ["2002", "2201"])
def test_sums_take_the_scale_of_set_deq_scale(chip):
    case = plain("AddDeqRelu", "half", "int32", count=9, scalar=0x2E66)
    check(Sums(), chip, [case, case | {"round": NO_SCALE}])
    check_refused(ELEMENTWISE, chip, case | {"round": OTHER_FORM}, "V2004")


@pytest.mark.parametrize("dst, src", [("half", "half"), ("float", "half"), ("uint8", "half")])
def test_types_that_no_chip_has(dst, src):
    names = ("AddReluCast", "SubReluCast") if dst == "uint8" else ("AddReluCast", "MulCast")
    for name in names:
        check_refused(ELEMENTWISE, "2201", plain(name, dst, src), "V6002")


MASKED = {"form": CONTINUOUS, "mask0": 16, "repeats": 3}
ONE = MASKED | {"repeats": 1}
REGISTER = {"set_mask": 0, "repeats": 2, "mask0": 1}


def in_place(types):
    """The code if dst starts where a source does: legal where it is no wider."""
    return None if WIDTH[types[0]] <= WIDTH[types[1]] else "V1008"


def rules_of_each_type(name, types):
    """Sums in src1, and shifts by each side of the range."""
    operation, rules = OPERATIONS[name], []
    if operation.kind in TWO_SOURCES:
        summed = None if operation.accumulates and types[0] != "int16" else "V1008"
        rules += [(MASKED | {"src1": 0, "dst_rep": 0, "src1_rep": 0}, summed),
                  (MASKED | {"src1": 0, "dst_rep": 1, "src1_rep": 0}, summed),
                  (MASKED | {"src1": 0}, in_place(types))]
    if name in SHIFT_NAMES:
        bits = 8 * WIDTH[types[0]]
        rules += [({"scalar": amount}, code) for amount, code in
                  ((0, None), (1, None), (bits - 1, None), (bits, None), (bits + 1, "V2001"),
                   ((1 << bits) - 1, "V2001"), (1 << (bits - 1), "V2001"))]
    return rules


def rules_of_all(name, types, chip):
    """Limits that each instruction has, on both sides."""
    operation, wide = OPERATIONS[name], max(map(WIDTH.get, types))
    most = lanes.lanes_per_repeat(wide)
    rules = [
        ({"count": 0}, None), ({"count": 1}, None), ({"count": 1024 // wide}, None),
        ({"count": -1}, "V2001"), ({"count": 65, "dst_n": 64}, "V1001"),
        (MASKED | {"mask0": 1}, None), (MASKED | {"mask0": most}, None),
        (ONE | {"mask0": most + 1}, "V2003"),
        (ONE | {"mask0": 0}, None if chip == "2201" else "V2003"),
        (MASKED | {"form": BITS, "mask0": 0x8000000000000001, "mask1": FULL if most > 64 else 0},
         None),
        (MASKED | {"repeats": 0}, None),
        (REGISTER | {"form": CONTINUOUS}, None), (REGISTER | {"form": BITS}, None),
        (MASKED | {"src0": 0, "src0_rep": 8}, in_place(types)),
        (MASKED | {"src0": 0, "dst_rep": 0, "src0_rep": 0}, "V1008"),
    ]
    for source in operation.operands[1:]:
        two_blocks = ONE | {"mask0": 64 // min(map(WIDTH.get, types))}
        rules += [({"count": 65, source + "_n": 64}, "V1001"),
                  (two_blocks | {source: 32}, "V1008"), (two_blocks | {source: 256}, None),
                  (MASKED | {"mask0": 64, source: 512 - 256 * WIDTH[types[1]] // wide,
                             source + "_n": 512, "dst": 512}, "V1008")]
    for operand in operation.operands:
        rules += [({operand: 6144 + 16}, "V1004"), ({operand + "_pos": 0}, "V1005")]
    if operation.kind not in TWO_SOURCES:
        rules += [(MASKED | {"dst_blk": 0, "mask0": most}, None)]
    if operation.kind == SCALAR:
        rules += [(REGISTER | {"count": 1}, None)]
    return rules


@pytest.mark.parametrize("chip", CHIPS)
def test_rules_of_each_type(chip):
    for names in (NAMES[:12], NAMES[12:]):  # a launch ends at its twentieth place with a fault
        check_rules(ELEMENTWISE, chip, [
            (plain(name, *types, **changes), code) for name in names
            for types in OPERATIONS[name].pairs(chip)
            for changes, code in rules_of_each_type(name, types)])


@pytest.mark.parametrize("chip", CHIPS)
def test_rules_of_all(chip):
    """With the first types of each instruction, and with two types."""
    calls = [(name, types) for name in NAMES for types in OPERATIONS[name].pairs(chip)
             if types == OPERATIONS[name].pairs(chip)[0] or types[0] != types[1]]
    # A launch ends at its twentieth place with a fault, and a call can be three.
    for start in range(0, len(calls), 6):
        check_rules(ELEMENTWISE, chip, [
            (plain(name, *types, **changes), code) for name, types in calls[start:start + 6]
            for changes, code in rules_of_all(name, types, chip)])


@pytest.mark.parametrize("chip", [chip for name, chip in PRESENT if name == "ShiftRight"])
def test_rounding_unsigned_numbers_is_a_warning(chip):
    for dtype in ("uint16", "uint32"):
        case = plain("ShiftRight", dtype, form=CONTINUOUS, round=1)
        assert verdict(ELEMENTWISE, chip, case).codes == ["V2008"]
        check(ELEMENTWISE, chip, [case], allowed=["V2008"])


@pytest.mark.parametrize("chip", CHIPS)
def test_whole_ub(chip):
    """The last bytes of UB are usable, the ones behind are not."""
    large, words = Elementwise(UB_BYTES[chip]), UB_BYTES[chip] // 4
    case = plain("Adds", "float", count=words, dst=0, src0=0, dst_n=words, src0_n=words)
    check(large, chip, [case, case | {"count": words - 1}])
    last = case | {"src0": UB_BYTES[chip] - 256, "count": 64, "src0_n": 64}
    check(large, chip, [last])
    check_refused(large, chip, last | {"count": 65, "src0_n": 65}, "V1002")


@pytest.mark.parametrize("chip", CHIPS)
def test_255_repeats(chip):
    large = Elementwise(255 * 256 + 2048)
    for name, types in (("Abs", ("half", "half")), ("Axpy", ("float", "half")),
                        ("Muls", ("float", "float")), ("Max", ("int32", "int32")),
                        ("AddReluCast", ("int8", "half"))):
        if types not in OPERATIONS[name].pairs(chip):
            continue
        most = 256 // max(map(WIDTH.get, types))
        count = 255 * most
        case = plain(name, *types, form=CONTINUOUS, mask0=most, repeats=255,
                     dst=0, dst_n=count, src0=255 * 256, src0_n=512, src0_rep=0, src0_blk=2,
                     src1=255 * 256, src1_n=512, src1_rep=0)
        check(large, chip, [case])
        check_refused(large, chip, case | {"dst_n": count - 1}, "V1001")
