"""The MASK register and its modes: SetMaskCount, SetMaskNorm, SetVectorMask, ResetMask, what vector
calls leave in it, and what those with isSetMask = false make of it."""

import numpy as np
import pytest

import lanes
from cases import (SATURATES, TYPES, WIDTH, Subject, check, check_random, check_refused, check_rule,
                   number_of, random_bytes, types_of)
from harness import CHIPS, NUMPY
from lanes import BITS, CONTINUOUS, COUNT, COUNT_FILLS_MASK, FULL, VECCALC

(NOTHING, SET_COUNT, SET_NORM, RESET, SET_BITS, SET_LANES, SET_COUNTER_BITS, SET_COUNTER,
 CALL_COUNT, CALL_LANES, CALL_BITS, CALL_REGISTER) = range(12)
STEPS = 5
DUPLICATE, ADD, CAST = range(3)
SCALAR = 0x7A3

HAS_COUNTER = {"2002", "2002v", "2201", "3002"}
HAS_MASK_0 = {"2201"}  # a mask without a lane does nothing; a fault elsewhere
WITH_INT16 = {"2002", "2002v", "2201", "3002"}
CASTS = {chip: [] if chip == "2002v" else [("float", "half"), ("half", "float")] for chip in CHIPS}
for a_chip in ("2201", "3002"):
    CASTS[a_chip] += [("int64", "int32"), ("int32", "int64")]

# Steps work on the first 2048 bytes, and the call after them on the other quarters of the image.
REGION = 2048
PLACES = {"dst": REGION, "src0": 2 * REGION, "src1": 3 * REGION}


def sum_of(dtype, a, b, saturates):
    """a + b; integers wrap."""
    if dtype != "half":
        return a + b
    with np.errstate(all="ignore"):
        return rounded_to_half(a.astype(np.float64) + b.astype(np.float64), saturates)


def rounded_to_half(values, saturates):
    """float16 with the canonical NaN, or no NaN and infinity at all."""
    with np.errstate(all="ignore"):
        halves = values.astype(np.float16)
    if saturates:
        return np.clip(np.where(np.isnan(halves), np.float16(0), halves), np.float16(-65504),
                       np.float16(65504))
    return np.where(np.isnan(halves), np.uint16(0x7E00).view(np.float16), halves)


def cast_of(dst, values, saturates):
    """The values of one type in another; integers clamp."""
    if dst == "half":
        return rounded_to_half(values, saturates)
    if dst == "float":
        return np.where(np.isnan(values), np.uint32(0x7FC00000).view(np.float32),
                        values.astype(np.float32))
    info = np.iinfo(NUMPY[dst])
    return np.clip(values, info.min, info.max).astype(NUMPY[dst])


class MaskSubject(Subject):
    source = "mask_cases.cpp"
    fields = tuple(f"{name}{k}" for k in range(STEPS) for name in ("op", "type", "a", "b")) + (
        "op", "types", "form", "set_mask", "mask0", "mask1", "repeats", "dst_pos", "dst", "dst_n",
        "src0_pos", "src0", "src0_n", "src1_pos", "src1", "src1_n", "dst_blk", "dst_rep",
        "src0_blk", "src0_rep", "src1_blk", "src1_rep", "seed")
    simplest = {f"op{k}": NOTHING for k in range(STEPS)} | {
        "repeats": 1, "dst_blk": 1, "src0_blk": 1, "src1_blk": 1, "dst_rep": 8, "src0_rep": 8,
        "src1_rep": 8, "mask0": 1, "mask1": 0, "seed": 0} | {
        f"{name}{k}": value for k in range(STEPS) for name, value in (("a", 1), ("b", 0))}

    def before(self, case, chip):
        return random_bytes(case["seed"], 4 * REGION)

    @staticmethod
    def types(case):
        """(dst, src) of the call after the steps."""
        if case["op"] == CAST:
            return types_of(case)
        return TYPES[case["types"]], TYPES[case["types"]]

    def operands(self, case):
        return {DUPLICATE: ["dst"], ADD: ["dst", "src0", "src1"], CAST: ["dst", "src0"]}[case["op"]]

    def dense(self, case):
        """With one source or none a destination block stride of 0 counts as 1."""
        return case if case["op"] == ADD else case | {"dst_blk": max(case["dst_blk"], 1)}

    def take(self, case, chip, k, mask, memory):
        """The register after step k, which may write `memory`; None if the step is not legal."""
        op, dtype, a, b = (case[f"{name}{k}"] for name in ("op", "type", "a", "b"))
        width = WIDTH[TYPES[dtype]]
        most = lanes.lanes_per_repeat(width)
        if op in (SET_COUNT, SET_NORM):
            return mask._replace(counter=op == SET_COUNT) if chip in HAS_COUNTER else None
        if op == RESET:
            return mask._replace(bits=lanes.MASK_AT_START.bits)
        if op in (SET_BITS, SET_LANES):
            legal = a | b << 64 < 1 << most if op == SET_BITS else 0 <= a <= most
            form = BITS if op == SET_BITS else CONTINUOUS
            bits = lanes.mask_during(mask._replace(counter=False), form, a, b).bits
            return mask._replace(bits=bits) if legal else None
        if op in (SET_COUNTER_BITS, SET_COUNTER):
            legal = 0 <= a < 1 << (32 if op == SET_COUNTER_BITS else 31)
            return mask._replace(bits=a) if legal and not (op == SET_COUNTER_BITS and b) else None
        if op == NOTHING:
            return mask
        return self.step_call(op, (width, a, b, 0x2222 + k), chip, mask, memory)

    def step_call(self, op, arguments, chip, mask, memory):
        """The same of a Duplicate onto the first bytes."""
        width, a, b, scalar = arguments
        form = {CALL_COUNT: COUNT, CALL_BITS: BITS}.get(op, CONTINUOUS)
        repeats = call_repeats(mask, (form, a, b, op != CALL_REGISTER), 1, (width, width), chip)
        if repeats is None or sum(len(enabled) for enabled in repeats) * width > REGION:
            return None
        whole = {"form": COUNT, "dst": 0}
        for to in lanes.addresses(whole, "dst", width, repeats):
            memory.view(f"u{width}")[to // width] = scalar
        if form == COUNT:
            return lanes.mask_after_count(mask, a, width, chip)
        return lanes.mask_during(mask, form, a, b, op != CALL_REGISTER)

    def run(self, case, chip, memory):
        """The lanes of the call's repeats, after all steps; None if anything is not legal."""
        mask = lanes.MASK_AT_START
        for k in range(STEPS):
            mask = self.take(case, chip, k, mask, memory)
            if mask is None:
                return None
        call = (case["form"], case["mask0"], case["mask1"], case["set_mask"])
        widths = tuple(WIDTH[name] for name in self.types(case))
        return call_repeats(mask, call, case["repeats"], widths, chip)

    def legal(self, case, chip):
        dst, src = self.types(case)
        if not {DUPLICATE: dst in ("int16", "half", "float", "int32"),
                ADD: dst in ("half", "int32") or dst == "int16" and chip in WITH_INT16,
                CAST: (dst, src) in CASTS[chip]}[case["op"]]:
            return False
        repeats = self.run(case, chip, np.zeros(4 * REGION, np.uint8))
        return repeats is not None and all(
            lanes.fits(self.dense(case), [name], WIDTH[dst if name == "dst" else src], chip,
                       4 * REGION, repeats) for name in self.operands(case))

    def expected(self, case, chip, before):
        dst, src = self.types(case)
        memory = before.copy()
        repeats = self.run(case, chip, memory)
        at = {name: lanes.addresses(self.dense(case), name, WIDTH[dst if name == "dst" else src],
                                    repeats) for name in self.operands(case)}

        def read(name, r):
            return memory.view(NUMPY[src])[at[name][r] // WIDTH[src]]

        for r, to in enumerate(at["dst"]):
            if case["op"] == DUPLICATE:
                memory.view(f"u{WIDTH[dst]}")[to // WIDTH[dst]] = SCALAR
                continue
            result = cast_of(dst, read("src0", r), chip in SATURATES) if case["op"] == CAST else \
                sum_of(dst, read("src0", r), read("src1", r), chip in SATURATES)
            memory.view(NUMPY[dst])[to // WIDTH[dst]] = result
        return memory


def call_repeats(mask, call, repeats, widths, chip):
    """The lanes of each repeat of a call that said (form, mask0, mask1, set_mask), on a register;
    None if the call is not legal."""
    form, mask0, mask1, set_mask = call
    most = lanes.lanes_per_repeat(max(widths))
    if form == COUNT:
        now = lanes.Mask(mask0, True)
    else:
        now = lanes.mask_during(mask, form, mask0, mask1, set_mask)
        if not now.counter:
            if set_mask and form == CONTINUOUS and mask0 > most:
                return None
            if set_mask and form == BITS and now.bits >> most:
                return None
            if now.bits % (1 << most) == 0 and chip not in HAS_MASK_0:
                return None
        elif set_mask and not 0 <= mask0 < 1 << 32:
            return None
    if now.counter and now.bits & 0xFFFFFFFF > REGION:
        return None
    return lanes.repeats_by(now, max(widths), repeats)


MASK = MaskSubject()


def plain(op, types, *steps, **changes):
    """A call with isSetMask = false and operands without gaps, after steps (op, type, a, b)."""
    case = {"op": op, "types": types, "form": CONTINUOUS, "set_mask": 0, "mask0": 0, "mask1": 0,
            "repeats": 1, "seed": 1}
    for k in range(STEPS):
        step = (*(steps[k] if k < len(steps) else ()), 0, 0, 0, 0)
        case |= {f"{name}{k}": value for name, value in zip(("op", "type", "a", "b"), step)}
    dst, src = MASK.types(case)
    wide = max(WIDTH[dst], WIDTH[src])
    for name, dtype in (("dst", dst), ("src0", src), ("src1", src)):
        case |= {name: PLACES[name], name + "_pos": VECCALC, name + "_n": REGION // WIDTH[dtype],
                 name + "_blk": 1, name + "_rep": 8 * WIDTH[dtype] // wide}
    return case | changes


HALF, INT16, INT32, INT64 = (TYPES.index(name) for name in ("half", "int16", "int32", "int64"))


def random_number(rng, most):
    """Elements for Counter mode: around one repeat and several, or many."""
    return int(rng.choice([0, 1, most - 1, most, most + 1, 2 * most - 1, 2 * most, 2 * most + 1,
                           rng.integers(0, 5 * most), rng.integers(0, 1 << 16)],
                          p=[.05] + [.1] * 8 + [.15]))


def random_step(rng, chip):
    op = rng.choice([NOTHING, RESET, SET_BITS, SET_LANES, SET_COUNTER_BITS, SET_COUNTER, CALL_COUNT,
                     CALL_LANES, CALL_BITS, CALL_REGISTER, SET_COUNT, SET_NORM])
    if rng.random() < 0.3 and chip in HAS_COUNTER:
        op = rng.choice([SET_COUNT, SET_NORM])
    calls = op in (CALL_COUNT, CALL_LANES, CALL_BITS, CALL_REGISTER)
    dtype = rng.choice([INT16, INT32] if calls else [0, HALF, INT32, INT64])
    most = lanes.lanes_per_repeat(WIDTH[TYPES[dtype]])
    a, b = random_number(rng, most), 0
    if op in (SET_BITS, CALL_BITS):
        bits = int.from_bytes(rng.bytes(16), "little") % (1 << most)
        a, b = bits & FULL, bits >> 64
    if op in (SET_LANES, CALL_LANES):
        a = int(rng.integers(0, most + 1))
    return op, dtype, a, b


def random_program(rng, chip):
    op = rng.choice([DUPLICATE, ADD, CAST] if CASTS[chip] else [DUPLICATE, ADD])
    if op == CAST:
        types = number_of(*CASTS[chip][rng.integers(0, len(CASTS[chip]))])
    else:
        types = rng.choice([HALF, INT16, INT32] if chip in WITH_INT16 or op == DUPLICATE
                           else [HALF, INT32])
    case = plain(op, types, *(random_step(rng, chip) for _ in range(STEPS)))
    if rng.random() < 0.5:
        for name in PLACES:
            case |= {name + "_blk": rng.choice([0, 1, 1, 2, 3]),
                     name + "_rep": rng.choice([0, 1, 2, 4, 8, 9, 12])}
        case["dst_blk"] = max(case["dst_blk"], 1) if op == ADD else case["dst_blk"]
    most = lanes.lanes_per_repeat(max(WIDTH[name] for name in MASK.types(case)))
    bits = int.from_bytes(rng.bytes(16), "little") % (1 << most)
    form = rng.choice([BITS, CONTINUOUS])
    return case | {"form": form, "set_mask": rng.random() < 0.25, "repeats": rng.integers(0, 5),
                   "mask0": bits & FULL if form == BITS else random_number(rng, most),
                   "mask1": bits >> 64 if form == BITS else 0, "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", CHIPS)
def test_random_programs(chip):
    check_random(MASK, chip, lambda rng: random_program(rng, chip), 700)


def counter_steps(number, dtype=INT32):
    return (SET_COUNT,), (SET_COUNTER, dtype, number)


@pytest.mark.parametrize("chip", sorted(HAS_COUNTER))
def test_counter_mode_at_its_edges(chip):
    """Nothing, one element, around a whole repeat and several; repeatTime does not matter."""
    cases = []
    for op, types, most in [(ADD, HALF, 128), (ADD, INT32, 64), (DUPLICATE, HALF, 128)] + \
            [(CAST, number_of(*pair), 256 // max(WIDTH[name] for name in pair))
             for pair in CASTS[chip]]:
        for number in (0, 1, 2, most - 1, most, most + 1, 3 * most - 1, 3 * most, 3 * most + 1):
            for repeats in (0, 1, 255):
                cases.append(plain(op, types, *counter_steps(number), repeats=repeats))
            cases.append(plain(op, types, *counter_steps(number), src0_blk=0, src0_rep=9,
                               dst_rep=9 if op != CAST else 12, dst_blk=2))
    check(MASK, chip, [case for case in cases if MASK.legal(case, chip)])


@pytest.mark.parametrize("chip", sorted(HAS_COUNTER))
def test_counter_mode_past_the_tensor(chip):
    case = plain(ADD, HALF, *counter_steps(256), dst_n=256, src0_n=256, src1_n=256)
    check_rule(MASK, chip, case, None)
    for name in PLACES:
        check_refused(MASK, chip, case | {name + "_n": 255}, "V1001")
    for number in (257, 1 << 20, (1 << 31) - 1):
        check_refused(MASK, chip, case | {"a1": number}, "V1001")
    most = (1 << 32) - 1
    check_refused(MASK, chip, case | {"op1": SET_COUNTER_BITS, "a1": most}, "V1001")


SETTERS = [
    ("lanes -1", (SET_LANES, HALF, -1), "V2003"),
    ("lanes 0", (SET_LANES, HALF, 0), None),
    ("lanes 1", (SET_LANES, HALF, 1), None),
    ("lanes 128 of half", (SET_LANES, HALF, 128), None),
    ("lanes 129 of half", (SET_LANES, HALF, 129), "V2003"),
    ("lanes 128 of int8", (SET_LANES, 0, 128), None),
    ("lanes 129 of int8", (SET_LANES, 0, 129), "V2003"),
    ("lanes 64 of int32", (SET_LANES, INT32, 64), None),
    ("lanes 65 of int32", (SET_LANES, INT32, 65), "V2003"),
    ("lanes 32 of int64", (SET_LANES, INT64, 32), None),
    ("lanes 33 of int64", (SET_LANES, INT64, 33), "V2003"),
    ("all bits of half", (SET_BITS, HALF, FULL, FULL), None),
    ("no bit of half", (SET_BITS, HALF, 0, 0), None),
    ("bits low of int32", (SET_BITS, INT32, FULL, 0), None),
    ("bits high of int32", (SET_BITS, INT32, FULL, 1), "V2003"),
    ("32 bits of int64", (SET_BITS, INT64, (1 << 32) - 1, 0), None),
    ("33 bits of int64", (SET_BITS, INT64, 1 << 32, 0), "V2003"),
    ("elements -1", (SET_COUNTER, HALF, -1), "V2001"),
    ("elements 0", (SET_COUNTER, HALF, 0), None),
    ("elements 2^31 - 1", (SET_COUNTER, HALF, (1 << 31) - 1), None),
    ("elements 2^32 - 1", (SET_COUNTER_BITS, HALF, (1 << 32) - 1, 0), None),
    ("elements 2^32", (SET_COUNTER_BITS, HALF, 1 << 32, 0), "V2001"),
    ("elements 2^63", (SET_COUNTER_BITS, HALF, 1 << 63, 0), "V2001"),
    ("maskHigh with a number", (SET_COUNTER_BITS, HALF, 1, 1), "V2003"),
]


@pytest.mark.parametrize("name, step, code", SETTERS, ids=[setter[0] for setter in SETTERS])
def test_what_may_be_set(name, step, code):
    """A mask that is legal is there for the next call; one that is not changes nothing."""
    for chip in CHIPS:
        if code is None:
            # ResetMask stands between, so that the call is legal with each mask.
            case = plain(DUPLICATE, INT32, step, (RESET,))
            check(MASK, chip, [case])
            assert MASK.legal(case, chip)
        else:
            case = plain(DUPLICATE, INT32, (SET_LANES, INT32, 7), step)
            subject = MaskSubject()
            without = case | {"op1": NOTHING}
            subject.untouched = lambda case, chip, before, w=without: MASK.expected(w, chip, before)
            check_refused(subject, chip, case, code)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype, count", [(INT32, 1), (INT32, 63), (INT32, 64), (INT32, 65),
                                          (INT16, 128), (INT16, 129), (INT16, 300), (INT32, 0)])
def test_what_the_count_form_leaves(chip, dtype, count):
    """All lanes, or on the first chips those of the last repeat; nothing changes without one."""
    steps = [(SET_LANES, INT32, 5), (CALL_COUNT, dtype, count)]
    case = plain(DUPLICATE, INT32, *steps)
    check(MASK, chip, [case])
    enabled = len(MASK.run(case, chip, np.zeros(4 * REGION, np.uint8))[0])
    most = lanes.lanes_per_repeat(WIDTH[TYPES[dtype]])
    tail = min(64, count % most or most) if count else 5
    assert enabled == (64 if chip in COUNT_FILLS_MASK else tail)


@pytest.mark.parametrize("chip", sorted(HAS_COUNTER))
def test_the_count_form_ends_counter_mode(chip):
    case = plain(DUPLICATE, INT32, *counter_steps(130), (CALL_COUNT, INT32, 3), repeats=2)
    check(MASK, chip, [case])
    assert [len(repeat) for repeat in MASK.run(case, chip, np.zeros(8192, np.uint8))] == [64, 64]


@pytest.mark.parametrize("chip", CHIPS)
def test_what_the_forms_with_a_mask_leave(chip):
    """Their own mask; a call that does not set it leaves the one before."""
    check(MASK, chip, [
        plain(DUPLICATE, INT32, (CALL_LANES, INT32, 9)),
        plain(DUPLICATE, INT32, (CALL_LANES, INT16, 100)),
        plain(DUPLICATE, HALF, (CALL_BITS, INT16, 0x0F0F, 1 << 63)),
        plain(DUPLICATE, HALF, (SET_LANES, HALF, 77), (CALL_REGISTER, INT16)),
        plain(DUPLICATE, HALF, (CALL_BITS, INT32, 0xF0, 0), (CALL_REGISTER, INT32)),
    ])


@pytest.mark.parametrize("chip", sorted(HAS_COUNTER))
def test_modes_and_masks_do_not_wait_for_each_other(chip):
    """The register holds bits; the mode says how a call reads them, whatever set them."""
    check(MASK, chip, [
        plain(ADD, INT32, (SET_COUNTER, INT32, 70), (SET_COUNT,)),  # the number first
        plain(ADD, INT32, (SET_COUNT,), (SET_BITS, INT32, 70, 0)),  # a number as bits
        plain(ADD, INT32, (SET_COUNTER, INT32, 70), repeats=2),  # lanes 1, 2, 6
        plain(ADD, INT32, (SET_COUNT,), (SET_LANES, INT32, 6)),  # 2^6 - 1 elements
        plain(ADD, INT32, *counter_steps(70), (SET_NORM,)),
        plain(ADD, INT32, *counter_steps(70), (SET_NORM,), (RESET,), repeats=2),
    ])


@pytest.mark.parametrize("chip", sorted(HAS_COUNTER))
def test_counter_mode_with_a_mask_in_the_call(chip):
    """The call's mask is the number of elements; mask[1] does not count."""
    for number in (0, 1, 64, 65, 200):
        check(MASK, chip, [
            plain(ADD, INT32, (SET_COUNT,), set_mask=1, mask0=number, form=CONTINUOUS),
            plain(ADD, INT32, (SET_COUNT,), set_mask=1, mask0=number, mask1=3, form=BITS),
        ])
    for form in (BITS, CONTINUOUS):
        case = plain(ADD, INT32, (SET_COUNT,), set_mask=1, mask0=513, form=form)
        check_refused(MASK, chip, case, "V1001")
        check_refused(MASK, chip, case | {"mask0": 1 << 32}, "V2001")


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("step", [(SET_LANES, HALF, 0), (SET_BITS, HALF, 0, 0),
                                  (SET_BITS, HALF, 0, FULL)])
def test_a_register_without_a_lane(chip, step):
    """Lanes 64 to 127 do not exist for 32-bit elements."""
    check_rule(MASK, chip, plain(ADD, INT32, step), None if chip in HAS_MASK_0 else "V2003")


@pytest.mark.parametrize("chip", ["1000", "1001"])
def test_counter_mode_is_not_on_every_chip(chip):
    check_refused(MASK, chip, plain(ADD, INT32, (SET_COUNT,)), "V6001")
    check_refused(MASK, chip, plain(ADD, INT32, (SET_NORM,)), "V6001")


class PairsSubject(MaskSubject):
    """half to int4 on Atlas A2/A3: two lanes to a byte, so 64 elements to a datablock."""

    def legal(self, case, chip):
        return True

    def expected(self, case, chip, before):
        memory = before.copy()
        repeats = self.run(case | {"types": number_of("half", "half")}, chip, memory)
        nibbles = np.stack([memory & 15, memory >> 4], 1).reshape(-1)
        source = lanes.addresses(case, "src0", 2, repeats)
        for r, enabled in enumerate(repeats):
            halves = before.view(np.float16)[source[r] // 2].astype(np.float64)
            values = np.rint(np.clip(np.nan_to_num(halves, nan=0.0), -8, 7)).astype(int)
            start = case["dst"] + 32 * (r * case["dst_rep"] + enabled // 64 * case["dst_blk"])
            nibbles[2 * start + enabled % 64] = values & 15
        return nibbles[0::2] | nibbles[1::2] << 4


INT4 = TYPES.index("int4") * 100 + HALF
PAIRS = [
    ("odd elements", counter_steps(129), {}, "V2002"),
    ("even elements", counter_steps(130), {}, None),
    ("no element", counter_steps(0), {}, None),
    ("odd lanes", [(SET_LANES, HALF, 7)], {}, "V2003"),
    ("even lanes", [(SET_LANES, HALF, 8)], {"repeats": 2}, None),
    ("pairs of bits", [(SET_BITS, HALF, 0xC3, 0x3 << 62)], {"repeats": 2}, None),
    ("half a pair", [(SET_BITS, HALF, 0xC2, 0)], {}, "V2003"),
    ("half a pair, high", [(SET_BITS, HALF, 3, 1 << 63)], {}, "V2003"),
    ("odd mask", [], {"set_mask": 1, "mask0": 9}, "V2003"),
    ("even mask", [], {"set_mask": 1, "mask0": 10}, None),
    ("odd elements in the call", [(SET_COUNT,)], {"set_mask": 1, "mask0": 9}, "V2002"),
    ("even elements in the call", [(SET_COUNT,)], {"set_mask": 1, "mask0": 300}, None),
    ("half a pair in the call", [], {"set_mask": 1, "form": BITS, "mask0": 1}, "V2003"),
    ("a pair in the call", [], {"set_mask": 1, "form": BITS, "mask0": 0xC, "mask1": 3}, None),
]


@pytest.mark.parametrize("name, steps, changes, code", PAIRS, ids=[pair[0] for pair in PAIRS])
def test_pairs_of_int4(name, steps, changes, code):
    case = plain(CAST, number_of("half", "half"), *steps, dst_n=2 * REGION, dst_rep=2)
    case |= {"types": INT4} | changes
    subject = PairsSubject()
    if code is None:
        check(subject, "2201", [case, case | {"dst_blk": 3, "dst_rep": 7}])
    else:
        check_refused(subject, "2201", case, code)
