"""Compare and CompareScalar: bit i of dst is whether src0[i] compares with src1[i], or with the
scalar. Bits of repeats follow each other, 16 bytes for 8- and 16-bit elements and 8 for others."""

import numpy as np
import pytest

import lanes
from batches import check_rules, check_told
from cases import (TYPES, UB_BYTES, WIDTH, Subject, check, check_random, check_refused, number_of,
                   random_bytes, types_of, verdict)
from elementwise import bits_of, of_bits, special_bits
from harness import CHIPS, NUMPY
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

COMPARE, COMPARE_SCALAR, COMPARES, OPERATOR = range(4)
LT, GT, EQ, LE, GE, NE = range(6)
MODES = {LT: np.less, GT: np.greater, EQ: np.equal, LE: np.less_equal, GE: np.greater_equal,
         NE: lambda a, b: np.less(a, b) | np.greater(a, b)}  # NaN compares in no way
FLOATS = ["half", "float"]
TYPES_OF = {
    COMPARE: {"1000": ["half"], "1001": FLOATS, "2002": FLOATS, "2201": FLOATS + ["int32"],
              "3002": FLOATS},
    COMPARE_SCALAR: {"2002": FLOATS, "2201": FLOATS + ["int32"],
                     "3002": FLOATS + ["int16", "uint16", "int32", "uint32"]},
}
TYPES_OF[OPERATOR], TYPES_OF[COMPARES] = TYPES_OF[COMPARE], TYPES_OF[COMPARE_SCALAR]
BIT_TYPES = ["int8", "uint8"]
BY_SIZE = ["uint16", "int32", "uint64"]  # of dst: taken, and told
HONOURS_MASK = {"3002"}
HAS_COUNTER = {"2002", "2002v", "2201", "3002"}
PRESENT = [(op, chip) for op, chips in TYPES_OF.items() for chip in chips]


def lanes_of(case):
    return lanes.lanes_per_repeat(WIDTH[types_of(case)[1]])


def operands_of(case):
    return ["src0"] if case["op"] in (COMPARE_SCALAR, COMPARES) else ["src0", "src1"]


def call_of(case, chip):
    """(lanes of each repeat that are compared, as the mask or the count says; None: not legal),
    and whether the strides count."""
    width, most = WIDTH[types_of(case)[1]], lanes_of(case)
    if case["op"] == OPERATOR:
        case = case | {"form": COUNT, "count": case["src0_n"]}
    if case["form"] == COUNT:
        legal = case["count"] % most == 0
        return (lanes.repeats_of(case, width) if legal else None), False
    masked = chip in HONOURS_MASK
    mask = lanes.MASK_AT_START._replace(counter=bool(case["counter"]))
    if not masked and not case["counter"]:
        return [np.arange(most)] * case["repeats"], True
    if case["set_mask"] and not case["counter"] and not lanes.mask_is_legal(case, width, False):
        return None, True
    if case["set_mask"] and case["counter"] and case["mask0"] >= 1 << 32:
        return None, True
    mask = lanes.mask_during(mask, case["form"], case["mask0"], case["mask1"], case["set_mask"])
    if mask.counter and (mask.bits & 0xFFFFFFFF) > 8192:
        return None, True
    if mask.counter and not masked and mask.bits % most:
        return None, True
    return lanes.repeats_by(mask, width, case["repeats"]), True


def addresses(case, name, repeats, strided):
    width = WIDTH[types_of(case)[1]]
    blk, rep = (case[name + "_blk"], case[name + "_rep"]) if strided else \
        (1, lanes_of(case) * width // 32)
    call = {"form": CONTINUOUS, name: case[name], name + "_blk": blk, name + "_rep": rep}
    return lanes.addresses(call, name, width, repeats)


class Comparison(Subject):
    source = "compare_cases.cpp"
    fields = ("op", "types", "mode", "form", "mask0", "mask1", "set_mask", "counter", "repeats",
              "count", "scalar", "dst_pos", "dst", "dst_n", "src0_pos", "src0", "src0_n",
              "src1_pos", "src1", "src1_n", "src0_blk", "src0_rep", "src1_blk", "src1_rep", "probe",
              "special", "seed")
    simplest = {"special": 0, "probe": -1, "counter": 0, "set_mask": 1, "form": CONTINUOUS,
                "repeats": 1, "mask0": 1, "mask1": 0, "mode": LT, "src0_blk": 1, "src1_blk": 1,
                "src0_rep": 8, "src1_rep": 8, "src0": 0, "src1": 0, "dst": 0, "scalar": 0,
                "dst_pos": VECCALC, "src0_pos": VECCALC, "src1_pos": VECCALC, "seed": 0}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        """Random bytes, or few special values, so that many are equal."""
        if not case["special"]:
            return random_bytes(case["seed"], self.image)
        dtype = types_of(case)[1]
        pool = bits_of(of_bits(special_bits(dtype), dtype))
        rng = np.random.default_rng(case["seed"])
        return rng.choice(rng.choice(pool, 12), self.image // pool.itemsize).view(np.uint8)

    def expected(self, case, chip, before):
        memory = before.copy()
        dtype, most = types_of(case)[1], lanes_of(case)
        repeats, strided = call_of(case, chip)
        places = [addresses(case, name, repeats, strided) for name in operands_of(case)]
        for r, enabled in enumerate(repeats):
            values = [memory.view(NUMPY[dtype])[at[r] // WIDTH[dtype]] for at in places]
            if len(values) == 1:
                values.append(of_bits([case["scalar"]], dtype))
            bits = np.zeros(most, np.uint8)
            bits[enabled] = MODES[case["mode"]](*values)
            start = case["dst"] + most // 8 * r
            memory[start:start + most // 8] = np.packbits(bits, bitorder="little")
        if case["probe"] >= 0:
            memory[case["probe"]:case["probe"] + 256].view(np.uint16)[self.left(case, chip)] = \
                0xABCD
        return memory

    @staticmethod
    def left(case, chip):
        """The lanes that the register enables after the call."""
        width, mask = WIDTH[types_of(case)[1]], lanes.MASK_AT_START
        if case["form"] == COUNT or case["op"] == OPERATOR:
            count = case["src0_n"] if case["op"] == OPERATOR else case["count"]
            mask = lanes.mask_after_count(mask, count, width, chip)
        elif chip in HONOURS_MASK:
            mask = lanes.mask_during(mask, case["form"], case["mask0"], case["mask1"],
                                     case["set_mask"])
        return lanes.repeats_by(mask, 2, 1)[0]

    def legal(self, case, chip):
        dst, src = types_of(case)
        if dst not in BIT_TYPES + BY_SIZE or src not in TYPES_OF[case["op"]].get(chip, []):
            return False
        if src == "int32" and case["mode"] != EQ and chip not in HONOURS_MASK:
            return False
        if case["counter"] and (chip not in HAS_COUNTER or case["probe"] >= 0):
            return False
        if case["probe"] > 0 and case["probe"] % 32:
            return False
        repeats, strided = call_of(case, chip)
        return repeats is not None and self.legal_places(case, chip, repeats, strided)

    def legal_places(self, case, chip, repeats, strided):
        written = len(repeats) * lanes_of(case) // 8
        limit = min(self.image, UB_BYTES[chip])
        if not placed(case, "dst", WIDTH[types_of(case)[0]], written, limit):
            return False
        for name in operands_of(case):
            width = WIDTH[types_of(case)[1]]
            at = addresses(case, name, repeats, strided)
            ends = [int(a.max()) + width for a in at if len(a)]
            if not placed(case, name, width, max(ends, default=case[name]) - case[name], limit):
                return False
            end = max((-(-e // 32) * 32 for e in ends), default=case[name])
            meet = case["dst"] < end and case[name] < case["dst"] + written
            rep = case[name + "_rep"] if strided else 8
            if meet and not (case["dst"] == case[name] and (len(repeats) == 1 or rep)):
                return False
        return True


def placed(case, name, width, needed, limit):
    """The operand lies in its tensor and in memory, at a datablock."""
    return case[name + "_pos"] in lanes.POSITIONS and case[name] % 32 == 0 and \
        0 <= needed <= case[name + "_n"] * width and case[name] + case[name + "_n"] * width <= limit


COMPARISON = Comparison()


def plain(op, dtype, bits="uint8", **changes):
    """A count-form call on tensors of 1 KB, changed as said; `bits` is the type of dst."""
    width = WIDTH[dtype]
    case = {"op": op, "types": number_of(bits, dtype), "mode": EQ, "form": COUNT, "mask0": 64,
            "mask1": 0, "set_mask": 1, "counter": 0, "repeats": 2, "count": 512 // width,
            "scalar": 0, "probe": -1, "special": 1, "seed": 1}
    for index, name in enumerate(("dst", "src0", "src1")):
        case |= {name: 2048 * index, name + "_pos": VECCALC,
                 name + "_n": 1024 // (width if index else WIDTH[bits])}
        if index:
            case |= {name + "_blk": 1, name + "_rep": 8}
    return case | changes


def random_call(rng, op, chip, image=8192):
    dtype = rng.choice(TYPES_OF[op][chip])
    width = WIDTH[dtype]
    case = plain(op, dtype, rng.choice(BIT_TYPES)) | lanes.random_lanes(rng, width, 0)
    most = lanes.lanes_per_repeat(width)
    places = [32 * int(block) for block in rng.integers(0, 200, 3)]
    if rng.random() < 0.8:
        places = [places[0] % 800, 1024 + places[1] % 2000, 4608 + places[2] % 1600]
    if rng.random() < 0.1:
        places[0] = places[1]
    for name, place in zip(("dst", "src0", "src1"), places):
        unit = 1 if name == "dst" else width
        case |= {name: place, name + "_n": (image - place) // unit,
                 name + "_pos": rng.choice(lanes.POSITIONS)}
        if name != "dst":
            case |= {name + "_blk": rng.choice([0, 1, 1, 2, 3]),
                     name + "_rep": rng.choice([0, 1, 4, 8, 8, 9, 12])}
    if op == OPERATOR:
        case |= {"src0_n": most * rng.integers(0, 5)}
    mode = EQ if dtype == "int32" and chip not in HONOURS_MASK else rng.integers(0, 6)
    scalar = rng.choice(special_bits(dtype)) if rng.random() < 0.5 else \
        rng.integers(0, 1 << 8 * width)
    case |= {"mode": mode, "scalar": scalar, "special": rng.random() < 0.7,
             "count": most * rng.integers(0, 6), "set_mask": rng.random() < 0.8,
             "seed": rng.integers(0, 1 << 20)}
    if case["form"] != COUNT and chip in HAS_COUNTER and rng.random() < 0.25:
        number = most * rng.integers(0, 6)
        if chip in HONOURS_MASK:
            number = rng.integers(0, 6 * most)
        case |= {"counter": 1, "set_mask": 1, "mask0": number, "mask1": 0}
    elif rng.random() < 0.3 and max(places) < image - 2048:
        case |= {"probe": image - 256} | {
            name + "_n": (image - 256 - case[name]) // (1 if name == "dst" else width)
            for name in ("dst", "src0", "src1") if not (op == OPERATOR and name == "src0")}
    return case


@pytest.mark.parametrize("op, chip", PRESENT)
def test_random(op, chip):
    check_random(COMPARISON, chip, lambda rng: random_call(rng, op, chip), 200, op)


class Pairs(Comparison):
    """Every special value with every other, or with the scalar."""

    def before(self, case, chip):
        dtype = types_of(case)[1]
        values = np.array(special_bits(dtype), np.uint64)
        memory = np.zeros(self.image, np.uint8)
        if case["op"] in (COMPARE_SCALAR, COMPARES):
            part = bits_of(of_bits(values, dtype)).view(np.uint8)
            memory[case["src0"]:case["src0"] + part.size] = part
            return memory
        for name, bits in (("src0", np.repeat(values, len(values))),
                           ("src1", np.tile(values, len(values)))):
            part = bits_of(of_bits(bits, dtype)).view(np.uint8)
            memory[case[name]:case[name] + part.size] = part
        return memory


@pytest.mark.parametrize("op, chip", PRESENT)
def test_special_values(op, chip):
    """NaN, infinities, zeros of both signs, subnormals, and the ends of integers."""
    cases = []
    for dtype in TYPES_OF[op][chip]:
        values, most = special_bits(dtype), lanes.lanes_per_repeat(WIDTH[dtype])
        scalars = values if op in (COMPARE_SCALAR, COMPARES) else [0]
        count = -(-len(values) ** 2 // len(scalars) // most) * most
        for mode in range(6):
            if dtype == "int32" and mode != EQ and chip not in HONOURS_MASK:
                continue
            case = plain(op, dtype, mode=mode, count=count, dst=0, dst_n=512, src0=512,
                         src0_n=count, src1=512 + count * WIDTH[dtype], src1_n=count)
            cases += [case | {"scalar": scalar} for scalar in scalars]
    check(Pairs(2048 if op in (COMPARE_SCALAR, COMPARES) else 18432), chip, cases)


@pytest.mark.parametrize("chip", TYPES_OF[COMPARE])
def test_the_documents_example(chip):
    """256 numbers less than the next: all bits set; and NaN is unequal to nothing."""
    subject = Comparison()
    numbers = np.arange(1, 513, dtype=np.float16).view(np.uint8)
    image = np.zeros(8192, np.uint8)
    image[2048:2048 + 1024], image[4096:4096 + 1022] = numbers, numbers[2:]
    image[2048 + 512:2048 + 514] = 0xFF
    subject.before = lambda case, chip: image
    case = plain(COMPARE, "half", count=256, mode=LT)
    assert subject.expected(case, chip, image)[:32].tolist() == [255] * 32
    check(subject, chip, [case, case | {"count": 384}, case | {"mode": NE, "count": 384}])


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("op", [COMPARE, COMPARE_SCALAR])
def test_types_of_a_chip(op, chip):
    here = TYPES_OF[op].get(chip, [])
    if not here:
        check_refused(COMPARISON, chip, plain(op, "half"), "V6001")
        return
    for dtype in TYPES[:-1]:
        if dtype not in here:
            check_refused(COMPARISON, chip, plain(op, dtype, count=0, special=0), "V6002")
    check_refused(COMPARISON, chip, plain(op, here[0], "half"), "V6002")


@pytest.mark.parametrize("op, chip", PRESENT)
def test_bits_in_other_integers(op, chip):
    """Bits are bits in whatever integers: told, and done."""
    for dtype in {*FLOATS} & {*TYPES_OF[op][chip]}:
        check_told(COMPARISON, chip, [plain(op, dtype, bits, count=256) for bits in BY_SIZE],
                   "V2013")
    short = plain(op, "half", "uint16", dst_n=7, count=128, src0_n=128)
    assert verdict(COMPARISON, chip, short).codes == ["V2013", "V1001"]


@pytest.mark.parametrize("op", [COMPARE, COMPARE_SCALAR])
def test_int32_is_equal_or_not_known(op):
    for mode in (LT, GT, LE, GE, NE):
        check_refused(COMPARISON, "2201", plain(op, "int32", mode=mode), "V6002")
    check(COMPARISON, "2201", [plain(op, "int32")])


MASKED = {"form": CONTINUOUS, "mask0": 16, "repeats": 2}


def rules_of(op, dtype, chip):
    """Limits on both sides."""
    width = WIDTH[dtype]
    most = lanes.lanes_per_repeat(width)
    masked, per = chip in HONOURS_MASK, most // 8
    if_masked = {"code": "V2003"} if masked else {"code": None}
    rules = [
        ({"count": 0}, None), ({"count": most}, None), ({"count": most - 1}, "V2002"),
        ({"count": most + 1}, "V2002"), ({"count": most, "dst_n": per}, None),
        ({"count": most, "dst_n": per - 1}, "V1001"),
        ({"count": most, "src0_n": most}, None), ({"count": most, "src0_n": most - 1}, "V1001"),
        (MASKED | {"dst_n": 2 * per}, None), (MASKED | {"dst_n": 2 * per - 1}, "V1001"),
        (MASKED | {"repeats": 0}, None), (MASKED | {"repeats": 0, "dst_n": 0}, None),
        (MASKED | {"mask0": most}, None), (MASKED | {"mask0": most + 1}, if_masked["code"]),
        (MASKED | {"mask0": 0}, if_masked["code"]),
        (MASKED | {"form": BITS, "mask0": 0, "mask1": 0}, if_masked["code"]),
        (MASKED | {"form": BITS, "mask0": FULL, "mask1": FULL if most > 64 else 0}, None),
        (MASKED | {"set_mask": 0}, None), (MASKED | {"form": BITS, "set_mask": 0}, None),
        (MASKED | {"dst": 2048, "dst_n": 64}, None),
        (MASKED | {"dst": 2048, "dst_n": 64, "src0_rep": 0}, "V1008"),
        (MASKED | {"dst": 2048, "dst_n": 64, "src0_rep": 0, "repeats": 1}, None),
        (MASKED | {"dst": 2080, "dst_n": 64, "mask0": most}, "V1008"),
        (MASKED | {"dst": 2048 - 32, "dst_n": 64, "repeats": 64 // per}, "V1008"),
        (MASKED | {"dst": 2048 - 32, "dst_n": 64, "repeats": 32 // per}, None),
        ({"dst": 16}, "V1004"), ({"src0": 2048 + width}, "V1004"), ({"dst_pos": 0}, "V1005"),
        ({"src0_pos": 1}, "V1005" if chip != "2002v" else "V6003"),
    ]
    if op == COMPARE:
        rules += [({"src1": 4096 + 16}, "V1004"), ({"src1_pos": 0}, "V1005"),
                  ({"count": most, "src1_n": most - 1}, "V1001"),
                  (MASKED | {"dst": 4096, "dst_n": 64, "src1_rep": 0}, "V1008")]
    if chip in HAS_COUNTER:
        rules += [(MASKED | {"counter": 1, "mask0": 2 * most}, None),
                  (MASKED | {"counter": 1, "mask0": 0}, None),
                  (MASKED | {"counter": 1, "mask0": 2 * most - 1}, None if masked else "V2002")]
    return rules


@pytest.mark.parametrize("op, chip", [(op, chip) for op, chip in PRESENT
                                      if op in (COMPARE, COMPARE_SCALAR)])
def test_rules(op, chip):
    for dtype in TYPES_OF[op][chip]:
        check_rules(COMPARISON, chip, [(plain(op, dtype, **changes), code)
                                       for changes, code in rules_of(op, dtype, chip)])


@pytest.mark.parametrize("chip", TYPES_OF[COMPARE])
def test_255_repeats_and_the_end_of_ub(chip):
    large = Comparison(UB_BYTES[chip])
    case = plain(COMPARE, "half", form=CONTINUOUS, mask0=128, repeats=255, dst=0, dst_n=255 * 16,
                 src0=8192, src0_n=255 * 128, src1=UB_BYTES[chip] - 256, src1_n=128, src1_rep=0)
    check(large, chip, [case])
    last = case | {"repeats": 1, "src0": UB_BYTES[chip] - 256, "src0_n": 512}
    check_refused(large, chip, last | {"repeats": 2}, "V1002")
    whole = plain(COMPARE, "half", count=128 * 600, src0=0, src0_n=128 * 600, src1=0,
                  src1_n=128 * 600, dst=128 * 600 * 2, dst_n=9600)
    check(large, chip, [whole])


def test_a_fault_names_what_is_legal():
    run = verdict(COMPARISON, "2201", plain(COMPARE, "half", count=100))
    assert "100" in run.faults[0]["message"] and "128" in run.faults[0]["legal"]
