"""One model of the element-wise instructions: which types they have where, what one element
becomes, and what a call does to memory.

A new instruction is a row of OPERATIONS, which the kernel is compiled with, and a function on
arrays.
"""

import dataclasses
import typing

import numpy as np

import conversions
import elementary
import lanes
import mixed_lanes
from cases import SATURATES, WIDTH, Subject, number_of, random_bytes, types_of
from harness import CHIPS, NUMPY
from lanes import CONTINUOUS, COUNT, VECCALC

UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32}
# (bits, bits of the fraction) of a format.
FORMATS = {"half": (16, 10), "float": (32, 23)}
CANONICAL_NAN = {"half": 0x7E00, "float": 0x7FC00000}


def is_float(dtype):
    return dtype in FORMATS


def special_bits(dtype):
    """Patterns at which a type's arithmetic can go wrong, as unsigned numbers."""
    bits = 8 * WIDTH[dtype]
    if not is_float(dtype):
        top = 1 << (bits - 1)
        return [0, 1, 2, 3, top - 2, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1, top >> 1,
                3 * (top >> 1), (1 << bits // 2) - 1, 1 << bits // 2, (2 * top - 1) // 3,
                (2 * top - 1) // 3 * 2]
    fraction = FORMATS[dtype][1]
    step, inf = 1 << fraction, ((1 << (bits - 1 - fraction)) - 1) << fraction
    one = (inf >> 1) - (inf >> 1) % step
    magnitudes = [0, 1, 2, step // 2, step - 1, step, step + 1, 5 * step + 7, one // 2, one - 1,
                  one, one + 1, one + step // 2, one + step + 3, one + fraction * step,
                  one + (fraction + 1) * step, inf - step, inf - 2, inf - 1, inf, inf + 1,
                  inf + step // 2, inf + step - 1]
    return magnitudes + [magnitude + (1 << (bits - 1)) for magnitude in magnitudes]


def bits_of(values):
    return values.view(UNSIGNED[values.itemsize])


def of_bits(bits, dtype):
    return np.asarray(bits).astype(UNSIGNED[WIDTH[dtype]]).view(NUMPY[dtype])


def finish(values, dtype, saturates):
    """A floating-point result as the chip leaves it: one NaN, or none and no infinity. Python's
    numbers are integers that clamp."""
    if values.dtype == object:
        return np.clip(values, np.iinfo(NUMPY[dtype]).min, np.iinfo(NUMPY[dtype]).max)
    if not is_float(dtype):
        return values
    if saturates and dtype == "half":
        most = np.float16(65504)
        return np.clip(np.where(np.isnan(values), np.float16(0), values), -most, most)
    return np.where(np.isnan(values), of_bits(CANONICAL_NAN[dtype], dtype), values)


def exactly(op):
    """An operation rounded once to nearest even; integers keep the low bits.

    binary32 is numpy's own. binary16 is computed in binary64, where sums and products of halves are
    exact; a quotient of two 11-bit numbers that is not the midpoint of two halves differs from each
    by more than 2^-24 of itself, so 53 bits lie on the same side of it.
    """
    def rounded(a, b):
        if a.dtype == np.float16:
            return op(a.astype(np.float64), b.astype(np.float64)).astype(np.float16)
        return op(a, b)
    return rounded


def order(values):
    """Integers in the order of floating-point numbers, -0 before +0."""
    bits = bits_of(values).astype(np.int64)
    sign = 1 << (8 * values.itemsize - 1)
    return np.where(bits & sign, sign - 1 - bits, bits)


def larger(a, b):
    if a.dtype.kind == "i":
        return np.where(a > b, a, b)
    return np.where(np.isnan(a), a, np.where(np.isnan(b) | (order(b) > order(a)), b, a))


def smaller(a, b):
    if a.dtype.kind == "i":
        return np.where(a < b, a, b)
    return np.where(np.isnan(a), a, np.where(np.isnan(b) | (order(b) < order(a)), b, a))


def magnitude(a):
    return (bits_of(a) & ~np.uint32(1 << (8 * a.itemsize - 1))).astype(bits_of(a).dtype).view(
        a.dtype)


def positive(a):
    """NaN, which differs from itself, stays."""
    return np.where((a != a) | (a > 0), a, a.dtype.type(0) if a.dtype != object else 0)


def leaky(a, scalar):
    return np.where(np.signbit(a), PRODUCT(a, scalar), a)


def shifted_left(a, amount):
    """Unsigned numbers lose bits at the top; signed ones below the sign, which stays."""
    wide, bits = a.astype(object), 8 * a.itemsize
    sign = 1 << (bits - 1) if a.dtype.kind == "i" else 0
    kept = (1 << bits) - 1 - sign
    moved = [(int(x) & sign) | (int(x) << int(amount)) & kept for x in wide]
    return np.array(moved, np.uint64).astype(UNSIGNED[a.itemsize]).view(a.dtype)


def shifted_right(a, amount, rounds=False):
    """Toward -inf; rounded: plus the last bit shifted out, which unsigned numbers do not add."""
    amount = int(amount)
    last = rounds and a.dtype.kind == "i" and amount > 0
    moved = [(int(x) >> amount) + (int(x) >> (amount - 1) & 1 if last else 0) for x in a]
    return np.array(moved, np.int64).astype(a.dtype)


SUM, DIFFERENCE = exactly(np.add), exactly(np.subtract)
PRODUCT, QUOTIENT = exactly(np.multiply), exactly(np.divide)

# dst takes part in AXPY and in TERNARY; these have two roundings, and so has RELU.
UNARY, BINARY, SCALAR, AXPY, TERNARY, RELU, SCALED = range(7)
TWO_SOURCES = (BINARY, TERNARY, RELU, SCALED)
OLDER, NEWER = ["1000", "1001"], ["2002", "2002v", "2201", "3002"]
FLOATS = ["half", "float"]
SHORT = ["int16", "uint16"]


def supported(*parts):
    """Types of each chip from pairs of chips and types."""
    return {chip: types for chips, types in parts for chip in chips}


ARITHMETIC = supported((OLDER, FLOATS + ["int32"]), (NEWER, FLOATS + ["int16", "int32"]))
WITH_SCALAR = supported((OLDER, FLOATS), (NEWER, FLOATS + ["int16", "int32"]))
EVERYWHERE = supported((CHIPS, FLOATS))
NOT_THE_310 = supported((["1001"] + NEWER, FLOATS))
HALF_ON_THE_310 = NOT_THE_310 | {"1000": ["half"]}
SHORT_EVERYWHERE = supported((CHIPS, SHORT))
BYTES_OF_BITS = supported((["2201"], ["int8", "uint8"]))
FUSED = supported((NEWER, FLOATS))
POSITIVE = supported((["2002", "2002v", "2201"], FLOATS + ["int16"]), (["3002"], FLOATS))
BYTES = [("int8", "half"), ("uint8", "half")]
NARROW_FLOATS = [("int8", "half"), ("half", "float")]
NARROW = {chip: NARROW_FLOATS + [("int8", "int16")] for chip in ("2002", "2201")} | {
    "3002": NARROW_FLOATS}
SHIFTS = supported((["2002v", "2201", "3002"], SHORT + ["int32", "uint32"]))


@dataclasses.dataclass
class Operation:
    """An instruction: what its second argument is, its types on each chip, its function."""

    kind: int
    types: dict
    apply: typing.Callable
    accumulates: bool = False  # dst may overlap src1 where a repeat stride is 0, but for int16
    mixed: bool = False  # half goes into float too
    narrow: dict = None  # instead of types, (dst, src) where dst is narrower

    by_size: dict = dataclasses.field(default_factory=dict)  # types told and done, count form

    @property
    def operands(self):
        return ["dst", "src0", "src1"] if self.kind in TWO_SOURCES else ["dst", "src0"]

    def pairs(self, chip):
        """(dst, src) types on a chip."""
        if self.narrow:
            return self.narrow.get(chip, [])
        types = [(dtype, dtype) for dtype in self.types.get(chip, [])]
        return types + [("float", "half")] if self.mixed and types else types


# The first have code of their own in the kernel.
SPECIAL = ("Axpy", "ShiftRight")
OPERATIONS = {
    "Axpy": Operation(AXPY, EVERYWHERE, None, mixed=True),
    "ShiftRight": Operation(SCALAR, SHIFTS, shifted_right),
    "Sub": Operation(BINARY, ARITHMETIC, DIFFERENCE, accumulates=True),
    "Mul": Operation(BINARY, ARITHMETIC, PRODUCT, accumulates=True),
    "Max": Operation(BINARY, ARITHMETIC, larger, accumulates=True),
    "Min": Operation(BINARY, ARITHMETIC, smaller, accumulates=True),
    "Div": Operation(BINARY, NOT_THE_310, QUOTIENT),
    "And": Operation(BINARY, SHORT_EVERYWHERE, np.bitwise_and, by_size=BYTES_OF_BITS),
    "Or": Operation(BINARY, SHORT_EVERYWHERE, np.bitwise_or, by_size=BYTES_OF_BITS),
    "Abs": Operation(UNARY, EVERYWHERE, magnitude),
    "Relu": Operation(UNARY, supported((OLDER, ["half"]), (NEWER, FLOATS + ["int32"])), positive),
    "Not": Operation(UNARY, SHORT_EVERYWHERE, np.invert),
    "Exp": Operation(UNARY, HALF_ON_THE_310, elementary.EXP),
    "Ln": Operation(UNARY, HALF_ON_THE_310, elementary.LN),
    "Sqrt": Operation(UNARY, NOT_THE_310, elementary.SQRT),
    "Rsqrt": Operation(UNARY, EVERYWHERE, elementary.RSQRT),
    "Reciprocal": Operation(UNARY, EVERYWHERE, elementary.RECIPROCAL),
    "Adds": Operation(SCALAR, WITH_SCALAR, SUM),
    "Muls": Operation(SCALAR, WITH_SCALAR, PRODUCT),
    "LeakyRelu": Operation(SCALAR, supported((["2002", "2201", "3002"], FLOATS)), leaky),
    "Maxs": Operation(SCALAR, supported((NEWER, FLOATS + ["int16", "int32"])), larger),
    "Mins": Operation(SCALAR, supported((NEWER, FLOATS + ["int16", "int32"])), smaller),
    "ShiftLeft": Operation(SCALAR, SHIFTS, shifted_left),
    "FusedMulAdd": Operation(TERNARY, FUSED, lambda dst, a, b: (a, dst, b)),
    "FusedMulAddRelu": Operation(TERNARY, FUSED, lambda dst, a, b: (a, dst, b)),
    "AddRelu": Operation(RELU, POSITIVE, SUM, accumulates=True),
    "SubRelu": Operation(RELU, POSITIVE, DIFFERENCE, accumulates=True),
    "MulAddDst": Operation(TERNARY, FUSED | {"3002": FLOATS + SHORT + ["int32", "uint32"]},
                           lambda dst, a, b: (a, b, dst), mixed=True),
    "AddReluCast": Operation(RELU, {}, SUM, narrow=NARROW),
    "SubReluCast": Operation(RELU, {}, DIFFERENCE, narrow=NARROW),
    "AddDeqRelu": Operation(SCALED, {}, SUM,
                            narrow=dict.fromkeys(("2002", "2201"), [("half", "int32")])),
    "MulCast": Operation(BINARY, {}, PRODUCT,
                         narrow=dict.fromkeys(("2002", "2201", "3002"), BYTES)),
}
NAMES = list(OPERATIONS)
MACROS = {UNARY: "UNARY", SCALAR: "SCALAR"}  # the kernel's, for a list of operands
# Sources and dst have types of their own.
MIXED = [name for name, operation in OPERATIONS.items()
         if name not in SPECIAL and (operation.mixed or operation.narrow)]
# Where integers may clamp, and the chips that can be told to.
CLAMPING = ("MulAddDst", *(name for name, operation in OPERATIONS.items()
                           if operation.apply in (SUM, DIFFERENCE, PRODUCT)))
SHIFT_NAMES = ("ShiftLeft", "ShiftRight")
# What "round" says of a scale: the scalar, a form for other instructions, none.
OF_SCALAR, OTHER_FORM, NO_SCALE = range(3)


class Elementwise(Subject):
    """A call of any of OPERATIONS."""

    source = "elementwise_cases.cpp"
    options = (*Subject.options, "-DOPERATIONS=" + " ".join(
        f"{MACROS.get(operation.kind, 'BINARY')}({number}, {name})"
        for number, (name, operation) in enumerate(OPERATIONS.items())
        if name not in SPECIAL and name not in MIXED), "-DMIXED_OPERATIONS=" + " ".join(
            f"MIXED({NAMES.index(name)}, {name})" for name in MIXED))
    fields = ("op", "types", "form", "mask0", "mask1", "repeats", "count", "set_mask", "scalar",
              "round", "dst_pos", "dst", "dst_n", "src0_pos", "src0", "src0_n", "src1_pos", "src1",
              "src1_n", "dst_blk", "dst_rep", "src0_blk", "src0_rep", "src1_blk", "src1_rep",
              "clamp", "special", "seed")
    simplest = {"special": 0, "clamp": 0, "set_mask": 1, "form": COUNT, "repeats": 1, "count": 1,
                "mask0": 1, "mask1": 0, "round": 0, "scalar": 1, "dst_blk": 1, "src0_blk": 1, "src1_blk": 1,
                "dst_rep": 8, "src0_rep": 8, "src1_rep": 8, "src0": 0, "src1": 0, "dst": 0,
                "dst_pos": VECCALC, "src0_pos": VECCALC, "src1_pos": VECCALC, "seed": 0}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        """Random bytes, or random special values."""
        if not case["special"]:
            return random_bytes(case["seed"], self.image)
        dtype = types_of(case)[1]
        pool = bits_of(of_bits(special_bits(dtype), dtype))
        return np.random.default_rng(case["seed"]).choice(
            pool, self.image // pool.itemsize).view(np.uint8)

    def expected(self, case, chip, before):
        memory = before.copy()
        operation, (dst_type, src_type) = operation_of(case), types_of(case)
        places = [addresses(case, name) for name in operation.operands]
        dst, src = memory.view(NUMPY[dst_type]), memory.view(NUMPY[src_type])
        for to, *sources in zip(*places):
            to = to // WIDTH[dst_type]
            values = [src[at // WIDTH[src_type]] for at in sources]
            dst[to] = result(case, values, dst[to], chip in SATURATES or case["clamp"])
        return memory

    def legal(self, case, chip):
        operation, types = operation_of(case), types_of(case)
        by_size = case["form"] == COUNT and types[0] in operation.by_size.get(chip, [])
        if types not in operation.pairs(chip) and not by_size:
            return False
        if case["clamp"] and chip not in NEWER:
            return False
        if case["form"] == COUNT and not case["set_mask"] and operation.kind != SCALAR:
            return False
        if operation.kind == SCALED and case["round"] == OTHER_FORM:
            return False
        if NAMES[case["op"]] in SHIFT_NAMES and case["scalar"] > 8 * WIDTH[types[0]]:
            return False
        case = seen(case)
        return lanes.mask_is_legal(case, widest(case), chip == "2201") and \
            all(fits(case, name, chip, self.image) for name in operation.operands) and \
            all(may_overlap(case, name) for name in operation.operands[1:])


ELEMENTWISE = Elementwise()


def operation_of(case):
    return OPERATIONS[NAMES[case["op"]]]


def result(case, sources, old, saturates):
    """What the lanes of one repeat become; `old` is what dst held."""
    operation, (dst_type, src_type) = operation_of(case), types_of(case)
    if operation.kind == SCALED:
        return scaled(case, sources, saturates)
    if operation.narrow:
        return narrowed(operation, dst_type, src_type, sources, saturates)
    scalar = of_bits([case["scalar"]], src_type)
    if src_type != dst_type:  # the product of two halves is exact
        sources, scalar = [x.astype(np.float32) for x in sources], scalar.astype(np.float32)
    if case["clamp"] and NAMES[case["op"]] in CLAMPING and not is_float(dst_type):
        sources, scalar = [x.astype(object) for x in sources], scalar.astype(object)
        old = old.astype(object)
    with np.errstate(all="ignore"):
        if operation.kind in (AXPY, TERNARY):
            a, b, c = (*sources, scalar, old) if operation.kind == AXPY else \
                operation.apply(old, *sources)
            product = finish(PRODUCT(a, b), dst_type, saturates)
            total = finish(SUM(product, c), dst_type, saturates)
            return positive(total) if NAMES[case["op"]] == "FusedMulAddRelu" else total
        if operation.kind == RELU:
            return positive(finish(operation.apply(*sources), dst_type, saturates))
        if NAMES[case["op"]] in SHIFT_NAMES:
            sources = [sources[0], case["scalar"]]
            if case["round"] and NAMES[case["op"]] == "ShiftRight" and case["form"] != COUNT:
                sources.append(True)
        elif operation.kind == SCALAR:
            sources = [sources[0], scalar]
        return finish(operation.apply(*sources), dst_type, saturates)


def narrowed(operation, dst_type, src_type, sources, saturates):
    """Rounded in the type of the sources, where integers clamp, then in that of dst."""
    if not is_float(src_type):
        sources = [x.astype(object) for x in sources]
    with np.errstate(all="ignore"):
        values = finish(operation.apply(*sources), src_type, saturates)
    if operation.kind == RELU:
        values = positive(values)
    lanes_of_dst = conversions.converted(dst_type, src_type, values, conversions.NONE, saturates)
    return lanes_of_dst.view(NUMPY[dst_type])


def scaled(case, sources, saturates):
    """A sum of integers times a half, and of that what is above 0."""
    if case["clamp"]:
        sources = [x.astype(object) for x in sources]
    with np.errstate(all="ignore"):
        sums = finish(SUM(*sources), "int32", saturates).astype(np.int32)
    bits = 0x3C00 if case["round"] == NO_SCALE else case["scalar"] & 0xFFFF
    scale = of_bits([bits], "half")[0]
    return positive(conversions.scaled_halves(sums, scale, saturates).view(np.float16))


def widest(case):
    return max(WIDTH[dtype] for dtype in types_of(case))


def seen(case):
    """The case as the instruction takes it: at start the MASK register enables all lanes; with one
    source a destination block stride of 0 counts as 1."""
    if operation_of(case).kind not in TWO_SOURCES:
        case = case | {"dst_blk": max(case["dst_blk"], 1)}
    if case["set_mask"]:
        return case
    case = case | {"mask0": lanes.lanes_per_repeat(widest(case)), "mask1": 0, "set_mask": 1}
    if case["form"] == COUNT:
        case |= {"repeats": 1, "dst_blk": 1, "dst_rep": 8, "src0_blk": 1, "src0_rep": 8}
    return case | {"form": CONTINUOUS}


def width_of(case, name):
    return WIDTH[types_of(case)[0 if name == "dst" else 1]]


def addresses(case, name):
    """Byte addresses of an operand's enabled lanes, an array for each repeat. The wider type says
    how many lanes a repeat has."""
    case = seen(case)
    repeats = lanes.repeats_of(case, widest(case))
    if case["form"] == COUNT:
        blocks = lanes.lanes_per_repeat(widest(case)) * width_of(case, name) // 32
        case = case | {"form": CONTINUOUS, name + "_blk": 1, name + "_rep": blocks}
    return lanes.addresses(case, name, width_of(case, name), repeats)


def fits(case, name, chip, image):
    """The operand lies in its tensor and in memory, at a datablock."""
    ends = [int(lane.max()) + width_of(case, name) for lane in addresses(case, name)]
    bounds = case | {"form": COUNT, "count": 0}
    return lanes.fits(bounds, [name], width_of(case, name), chip, image) and \
        max(ends, default=0) <= case[name] + case[name + "_n"] * width_of(case, name)


def may_overlap(case, name):
    """Whether dst and a source lie as the documents allow."""
    if width_of(case, "dst") == width_of(case, name):
        accumulates = operation_of(case).accumulates and types_of(case)[0] != "int16" and \
            case["form"] != COUNT and 0 in (case["dst_rep"], case["src1_rep"])
        return (accumulates and name == "src1") or \
            lanes.may_overlap(case, "dst", name, width_of(case, name))
    case = seen(case)
    case = case | {"src" + part: case[name + part] for part in ("", "_blk", "_rep")}
    return mixed_lanes.may_overlap(case, dict(zip(("dst", "src"), map(mixed_lanes.layout_of,
                                                                      types_of(case)))))


def plain(name, dtype, src_type=None, **changes):
    """A count-form call on separate tensors of 1 KB, changed as said."""
    types = (dtype, src_type or dtype)
    case = {"op": NAMES.index(name), "types": number_of(*types), "form": COUNT, "mask0": 64,
            "mask1": 0, "repeats": 1, "count": 64, "set_mask": 1, "scalar": 3, "round": 0,
            "clamp": 0, "special": 0, "seed": 1}
    for index, operand in enumerate(("dst", "src0", "src1")):
        case |= {operand: 2048 * index, operand + "_pos": VECCALC, operand + "_blk": 1,
                 operand + "_n": 1024 // WIDTH[types[min(index, 1)]],
                 operand + "_rep": WIDTH[types[min(index, 1)]] * 8 // max(map(WIDTH.get, types))}
    return case | changes


def random_scalar(rng, name, dtype):
    """A shift's amount, a special value, or any bits."""
    if name in SHIFT_NAMES:
        return rng.integers(0, 8 * WIDTH[dtype] + 1)
    if OPERATIONS[name].kind == SCALED:
        dtype = "half"
    if rng.random() < 0.4:
        return rng.choice(special_bits(dtype))
    return rng.integers(0, 1 << 8 * WIDTH[dtype])


def random_call(rng, name, chip, image=8192):
    """A call that is legal more often than not."""
    operation = OPERATIONS[name]
    types = operation.pairs(chip)[rng.integers(0, len(operation.pairs(chip)))]
    wide = max(WIDTH[dtype] for dtype in types)
    case = plain(name, *types) | lanes.random_lanes(rng, wide, 1500 // wide)
    places = [int(32 * block) for block in rng.integers(0, 200, 3)]
    if rng.random() < 0.7:
        places = [places[0] % 800, 2720 + places[1] % 800, 5440 + places[2] % 800]
    if rng.random() < 0.2:
        places[0] = places[rng.integers(1, len(operation.operands))]
    alike = rng.random() < 0.3
    blocks, repeats = [0, 1, 1, 2, 3], [0, 1, 4, 8, 8, 9, 12]
    for operand, place in zip(operation.operands, places):
        case |= {operand: place, operand + "_n": (image - place) // width_of(case, operand),
                 operand + "_pos": rng.choice(lanes.POSITIONS)}
        if not alike:
            case |= {operand + "_blk": rng.choice(blocks), operand + "_rep": rng.choice(repeats)}
    if operation.kind in TWO_SOURCES:
        case["dst_blk"] = max(case["dst_blk"], 1)
    may_use_register = case["form"] != COUNT or operation.kind == SCALAR
    return case | {"set_mask": not may_use_register or rng.random() < 0.85,
                   "scalar": random_scalar(rng, name, types[1]),
                   "round": OF_SCALAR if name != "ShiftRight" else
                   types[0].startswith("int") and rng.random() < 0.5,
                   "clamp": chip in NEWER and rng.random() < 0.2,
                   "special": rng.random() < 0.4, "seed": rng.integers(0, 1 << 20)}
