"""Select, and CMPMASK with Compare into it, SetCmpMask and GetCmpMask: dst[i] is src0[i] where bit i
of selMask is set, else src1[i]. Bits are the same for each repeat (mode 0) or follow each other."""

import numpy as np
import pytest

import lanes
from batches import check_rules, check_told
from cases import (TYPES, UB_BYTES, WIDTH, Subject, check, check_random, check_refused, check_rule,
                   random_bytes)
from harness import CHIPS, NUMPY
from lanes import BITS, CONTINUOUS, COUNT, FULL, VECCALC

REGISTER = 3  # a form, besides those of lanes.py
ONE_REPEAT, SCALAR, TENSOR = range(3)
NOTHING, BYTES, POINTER, LOW_32, OFFSET, COMPARE = range(6)
FLOATS = ["half", "float"]
TYPES_OF = {"1000": ["half"], "1001": FLOATS, "2002": FLOATS, "2201": FLOATS, "3002": FLOATS}
MODES = {"1000": [0], "1001": [0], "2002": [0, 1, 2], "2201": [0, 1, 2], "3002": [0, 1, 2]}
HAS_REGISTER = {"2002", "2201"}
HAS_COUNTER = {"2002", "2201", "3002"}
SEL_TYPES = ["uint8", "uint16", "uint32", "uint64"]
# Taken by their size, and told.
OTHER_SEL_TYPES = ["int8"]
OLD_INTEGERS = ["int16", "uint16", "int32", "uint32"]
BY_SIZE = {"1000": [], "1001": OLD_INTEGERS, "2002": OLD_INTEGERS,
           "2201": OLD_INTEGERS + ["bfloat16"], "3002": OLD_INTEGERS + ["bfloat16"]}


def width_of(case):
    return WIDTH[TYPES[case["type"]]]


def lanes_of(case):
    return lanes.lanes_per_repeat(width_of(case))


def mask_during(case):
    """The register while Select runs."""
    mask = lanes.MASK_AT_START
    if case["load"] == COMPARE:
        mask = lanes.mask_during(mask, BITS, case["cmp0"], case["cmp1"])
    mask = mask._replace(counter=bool(case["counter"]))
    if case["form"] == REGISTER:
        return mask._replace(bits=case["mask0"] | case["mask1"] << 64)
    return lanes.mask_during(mask, case["form"], case["mask0"], case["mask1"], case["set_mask"])


def repeats_of(case):
    """The lanes of each repeat."""
    if case["form"] == COUNT:
        return lanes.repeats_of(case, width_of(case))
    return lanes.repeats_by(mask_during(case), width_of(case), case["repeats"])


def strided(case, name):
    """The case with the strides that count: none in the count form, and for a scalar call a
    destination block stride of at least 1."""
    blk, rep = case[name + "_blk"], case[name + "_rep"]
    if name == "dst" and case["mode"] == SCALAR:
        blk = max(blk, 1)
    if case["form"] == COUNT:
        blk, rep = 1, 8
    return {"form": CONTINUOUS, name: case[name], name + "_blk": blk, name + "_rep": rep}


def addresses(case, name):
    return lanes.addresses(strided(case, name), name, width_of(case), repeats_of(case))


def bits_used(case):
    """The address of each repeat's first bit, in bits; None: they are in CMPMASK."""
    if case["mode"] == ONE_REPEAT and case["form"] == REGISTER:
        return None
    step = 0 if case["mode"] == ONE_REPEAT else lanes_of(case)
    return [8 * case["sel"] + r * step for r in range(len(repeats_of(case)))]


class Selection(Subject):
    source = "select_cases.cpp"
    fields = ("type", "sel_type", "mode", "form", "mask0", "mask1", "set_mask", "counter",
              "repeats", "count", "scalar_given", "scalar", "load", "load_at", "load_n", "cmp0",
              "cmp1", "dst_pos", "dst", "dst_n", "sel_pos", "sel", "sel_n", "src0_pos", "src0",
              "src0_n", "src1_pos", "src1", "src1_n", "dst_blk", "src0_blk", "src1_blk", "dst_rep",
              "src0_rep", "src1_rep", "get_at", "get_n", "probe", "seed")
    simplest = {"counter": 0, "set_mask": 1, "get_at": -1, "probe": -1, "repeats": 1, "count": 1,
                "mask0": 1, "mask1": 0, "sel_type": 1, "scalar": 0, "dst_blk": 1, "src0_blk": 1,
                "src1_blk": 1, "dst_rep": 8, "src0_rep": 8, "src1_rep": 8, "dst": 0, "src0": 0,
                "src1": 0, "sel": 0, "seed": 0}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        return random_bytes(case["seed"], self.image)

    def cmp_mask(self, case, memory):
        """CMPMASK when Select begins, as 128 bits; `memory` gets what the kernel stores before."""
        bits = np.zeros(128, np.uint8)
        if case["load"] == OFFSET:
            memory[case["load_at"]:case["load_at"] + 8].view(np.int64)[0] = case["sel"]
        if case["load"] in (BYTES, OFFSET, COMPARE):
            loaded = memory[case["load_at"]:case["load_at"] + 16]
            bits = np.unpackbits(loaded, bitorder="little")
        if case["load"] == COMPARE:
            dtype, most = NUMPY[TYPES[case["type"]]], lanes_of(case)
            a, b = (memory[case[name]:].view(dtype)[:most] for name in ("src0", "src1"))
            enabled = np.array([(case["cmp0"] | case["cmp1"] << 64) >> i & 1
                                for i in range(most)], bool)
            bits[:most][enabled] = (a < b)[enabled]
        return bits

    def expected(self, case, chip, before):
        memory = before.copy()
        held = self.cmp_mask(case, memory)
        width = width_of(case)
        elements = memory.view(f"u{width}")
        scalar = case["scalar"] % (1 << 8 * width)
        if case["form"] == REGISTER:
            scalar = np.packbits(held, bitorder="little")[:width].view(f"u{width}")[0]
        used = bits_used(case)
        for r, enabled in enumerate(repeats_of(case)):
            at = enabled if used is None else used[r] + enabled
            bits = held[at] if used is None else memory[at // 8] >> (at % 8).astype(np.uint8) & 1
            yes = elements[addresses(case, "src0")[r] // width]
            no = scalar if case["mode"] == SCALAR else \
                elements[addresses(case, "src1")[r] // width]
            elements[addresses(case, "dst")[r] // width] = np.where(bits == 1, yes, no)
        if case["get_at"] >= 0:
            memory[case["get_at"]:case["get_at"] + 16] = np.packbits(held, bitorder="little")
        if case["probe"] >= 0:
            mask = mask_during(case)
            if case["form"] == COUNT:
                mask = lanes.mask_after_count(mask, case["count"], width, chip)
            probed = memory[case["probe"]:case["probe"] + 256].view(np.uint16)
            for enabled in lanes.repeats_by(mask, 2, 1):
                probed[enabled] = 0xABCD
        return memory

    def untouched(self, case, chip, before):
        memory = before.copy()
        if case["load"] == OFFSET:
            self.cmp_mask(case, memory)
        return memory

    def compared(self, case, got, want):
        """Host pointers differ from run to run."""
        compared = np.ones(len(want), bool)
        if case["load"] in (POINTER, LOW_32):
            compared[case["load_at"]:case["load_at"] + 8] = False
        return compared

    def legal(self, case, chip):
        if TYPES[case["type"]] not in TYPES_OF.get(chip, []) + BY_SIZE.get(chip, []) or \
                TYPES[case["sel_type"]] not in SEL_TYPES + OTHER_SEL_TYPES * (chip != "1000") or \
                case["mode"] not in MODES[chip] or case["probe"] > 0 and case["probe"] % 32:
            return False
        uses_register = case["form"] == REGISTER or case["load"] or case["get_at"] >= 0
        if uses_register and chip not in HAS_REGISTER:
            return False
        if case["form"] != REGISTER and (case["mode"] == SCALAR) != bool(case["scalar_given"]):
            return False
        if case["form"] == REGISTER and case["mode"] == TENSOR and \
                case["load"] not in (POINTER, LOW_32, OFFSET):
            return False
        if case["load"] in (POINTER, LOW_32) and case["form"] == REGISTER and \
                case["mode"] != TENSOR:
            return False
        return self.legal_mask(case, chip) and self.legal_places(case, chip)

    @staticmethod
    def legal_mask(case, chip):
        most, none = lanes_of(case), chip == "2201"
        compared = case["cmp0"] | case["cmp1"] << 64
        if case["load"] == COMPARE and not 0 < compared < 1 << most:
            return False
        if case["form"] == COUNT:
            return case["count"] >= 0
        if case["counter"]:
            number = mask_during(case).bits
            return chip in HAS_COUNTER and case["probe"] < 0 and number <= 4096
        if case["form"] == REGISTER or not case["set_mask"]:
            bits = mask_during(case).bits
            within = case["form"] != REGISTER or bits < 1 << most
            return within and (none or bits % (1 << most) != 0)
        return lanes.mask_is_legal(case, width_of(case), none)

    def legal_places(self, case, chip):
        width, limit = width_of(case), min(self.image, UB_BYTES[chip])
        repeats = repeats_of(case)
        sources = ["src0"] if case["mode"] == SCALAR else ["src0", "src1"]
        for name in ["dst"] + sources:
            if not lanes.fits(strided(case, name) | {key: case[key] for key in
                                                     (name + "_n", name + "_pos")} |
                              {"set_mask": 1, "repeats": 0, "mask0": 1, "mask1": 0},
                              [name], width, chip, limit, repeats):
                return False
        if not all(self.may_overlap(case, name) for name in sources):
            return False
        if case["load"] == COMPARE and not lanes.fits(
                case | {"form": CONTINUOUS, "src0_blk": 1, "src0_rep": 8, "src1_blk": 1,
                        "src1_rep": 8}, ["src0", "src1"], width, chip, limit,
                [np.arange((case["cmp0"] | case["cmp1"] << 64).bit_length())]):
            return False
        return self.legal_bits(case, repeats, limit)

    @staticmethod
    def may_overlap(case, name):
        """As lanes.may_overlap has it, for the lanes of this case."""
        width, ends = width_of(case), []
        for which in ("dst", name):
            rep = strided(case, which)[which + "_rep"]
            ends.append([(case[which] + 32 * r * rep, int(at.max()) + width)
                         for r, at in enumerate(addresses(case, which))])
        same = strided(case, "dst")["dst_blk"] == strided(case, name)[name + "_blk"]
        for r, (begin, end) in enumerate(ends[0]):
            for near in range(r, len(ends[1])):
                if near == r and same and begin == ends[1][r][0]:
                    continue
                if begin < ends[1][near][1] and ends[1][near][0] < end:
                    return False
        return True

    @staticmethod
    def legal_bits(case, repeats, limit):
        used = bits_used(case)
        if used is None or not repeats:
            return True
        end = max(first + int(enabled.max()) for first, enabled in zip(used, repeats)) // 8 + 1
        sel_width = WIDTH[TYPES[case["sel_type"]]]
        size = limit - case["sel"] if case["form"] == REGISTER and case["mode"] == TENSOR else \
            case["sel_n"] * sel_width
        dst_end = max(int(at.max()) // 32 * 32 + 32 for at in addresses(case, "dst"))
        return case["sel_pos"] in lanes.POSITIONS and case["sel"] % 32 == 0 and \
            end <= case["sel"] + size <= limit and \
            not (case["dst"] < end and case["sel"] < dst_end)


SELECTION = Selection()


def plain(dtype, mode=TENSOR, bits="uint8", **changes):
    """A count-form call on separate tensors, changed as said; the last 512 bytes are for CMPMASK
    and MASK."""
    width = WIDTH[dtype]
    case = {"type": TYPES.index(dtype), "sel_type": TYPES.index(bits), "mode": mode, "form": COUNT,
            "mask0": 64, "mask1": 0, "set_mask": 1, "counter": 0, "repeats": 2, "count": 200,
            "scalar_given": mode == SCALAR, "scalar": 0x12345678, "load": NOTHING, "load_at": 7680,
            "load_n": 128, "cmp0": FULL, "cmp1": FULL if width == 2 else 0, "sel_pos": VECCALC,
            "sel": 7168, "sel_n": 512 // WIDTH[bits], "get_at": -1, "get_n": 128, "probe": -1,
            "seed": 1}
    for index, name in enumerate(("dst", "src0", "src1")):
        case |= {name: 2048 * index, name + "_pos": VECCALC, name + "_n": 2048 // width,
                 name + "_blk": 1, name + "_rep": 8}
    return case | changes


def random_call(rng, chip):
    dtype, sel = rng.choice(TYPES_OF[chip]), rng.choice(SEL_TYPES)
    width = WIDTH[dtype]
    case = plain(dtype, int(rng.choice(MODES[chip])), sel) | lanes.random_lanes(rng, width, 900, 7)
    if chip in HAS_REGISTER and rng.random() < 0.5:
        load = rng.choice([NOTHING, BYTES, POINTER, LOW_32, OFFSET, COMPARE])
        cmp0, cmp1 = (int(word) for word in rng.integers(0, 1 << 64, 2, np.uint64))
        case |= {"load": load, "cmp0": cmp0, "cmp1": cmp1 if width == 2 else 0}
        if rng.random() < 0.6:
            case |= {"form": REGISTER}
        if load not in (POINTER, LOW_32):
            case |= {"get_at": 7680 + 16 * rng.integers(0, 9)}
    if case["form"] == CONTINUOUS and rng.random() < 0.3 or case["form"] == REGISTER and \
            not case["mask0"] | case["mask1"]:
        case |= {"mask0": 5, "mask1": 0}
    places = [32 * int(block) for block in rng.integers(0, 200, 3)]
    if rng.random() < 0.8:
        places = [places[0] % 900, 2048 + places[1] % 900, 4096 + places[2] % 1400]
    if rng.random() < 0.2:
        places[0] = places[rng.integers(1, 3)]
    for name, place in zip(("dst", "src0", "src1"), places):
        case |= {name: place, name + "_n": (7168 - place) // width,
                 name + "_pos": rng.choice(lanes.POSITIONS),
                 name + "_blk": rng.choice([0, 1, 1, 1, 2]),
                 name + "_rep": rng.choice([0, 1, 4, 8, 8, 8, 9])}
    if case["mode"] != SCALAR:
        case["dst_blk"] = max(case["dst_blk"], 1)
    case |= {"set_mask": case["form"] == COUNT or rng.random() < 0.8,
             "scalar": rng.integers(0, 1 << 32), "seed": rng.integers(0, 1 << 20)}
    if case["form"] != COUNT and chip in HAS_COUNTER and rng.random() < 0.2:
        return case | {"counter": 1, "mask0": rng.integers(0, 900), "mask1": 0, "set_mask": 1}
    if rng.random() < 0.3:
        case |= {"probe": 7936}
    return case


@pytest.mark.parametrize("chip", TYPES_OF)
def test_random(chip):
    check_random(SELECTION, chip, lambda rng: random_call(rng, chip), 500)


@pytest.mark.parametrize("chip", TYPES_OF)
def test_the_documents_example(chip):
    """selMask picks, then the mask filters: 9..12, 5..8 and the old content."""
    subject = Selection()
    image = np.zeros(8192, np.uint8)
    for at, numbers in ((0, range(101, 109)), (2048, range(1, 9)), (4096, range(9, 17))):
        image[at:at + 16] = np.array(numbers, np.float16).view(np.uint8)
    image[7168] = 0xF0
    subject.before = lambda case, chip: image
    case = plain("half", ONE_REPEAT, form=BITS, mask0=0x0F, repeats=1)
    want = subject.expected(case, chip, image)[:16].view(np.float16)
    assert want.tolist() == [9, 10, 11, 12, 105, 106, 107, 108]
    check(subject, chip, [case, case | {"mask0": 0xFF}])


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    here = TYPES_OF.get(chip, [])
    if not here:
        check_refused(SELECTION, chip, plain("half", ONE_REPEAT), "V6001")
        return
    for dtype in TYPES[:-1]:
        if dtype not in here + BY_SIZE[chip]:
            check_refused(SELECTION, chip, plain(dtype, ONE_REPEAT), "V6002")
    check_refused(SELECTION, chip, plain("half", ONE_REPEAT, "half"), "V6002")
    for mode in {SCALAR, TENSOR} - set(MODES[chip]):
        check_refused(SELECTION, chip, plain("half", mode), "V6001")


@pytest.mark.parametrize("chip", sorted(set(BY_SIZE) - {"1000"}))
def test_types_by_size(chip):
    """Elements are moved and bits looked at, whatever the documents call them: told, and done."""
    cases = [plain(dtype, mode) for dtype in BY_SIZE[chip] for mode in MODES[chip]]
    check_told(SELECTION, chip, cases, "V2013")
    check_told(SELECTION, chip, [plain("half", mode, "int8") for mode in MODES[chip]], "V2013")
    if chip in HAS_REGISTER:
        register = {"form": REGISTER, "load": BYTES, "mask0": FULL >> 3, "mask1": 0}
        check_told(SELECTION, chip, [plain(dtype, ONE_REPEAT, **register)
                                     for dtype in BY_SIZE[chip]], "V2013")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - HAS_REGISTER))
@pytest.mark.parametrize("changes", [{"load": BYTES}, {"load": COMPARE}, {"get_at": 7680}])
def test_chips_without_the_register(chip, changes):
    if chip != "2002v":
        check_refused(SELECTION, chip, plain("half", ONE_REPEAT, **changes), "V6001")


MASKED = {"form": CONTINUOUS, "mask0": 16, "repeats": 2}


def rules_of(dtype, mode, chip):
    width = WIDTH[dtype]
    most = lanes.lanes_per_repeat(width)
    step = 0 if mode == ONE_REPEAT else most // 8
    short = {"sel_n": step + 2}
    rules = [
        ({"count": 0}, None), ({"count": 1, "sel_n": 1}, None), ({"count": 1, "sel_n": 0}, "V1001"),
        ({"count": 8, "sel_n": 1}, None), ({"count": 9, "sel_n": 1}, "V1001"),
        ({"count": 9, "sel_n": 2}, None),
        (MASKED | short, None), (MASKED | {"sel_n": step + 1}, "V1001"),
        (MASKED | {"mask0": most + 1}, "V2003"), (MASKED | {"mask0": most}, None),
        (MASKED | {"mask0": 0}, None if chip == "2201" else "V2003"),
        (MASKED | {"repeats": 0, "sel_n": 0}, None),
        (MASKED | {"dst": 2048}, None), (MASKED | {"dst": 2048 + 32, "mask0": 32}, "V1008"),
        (MASKED | {"dst": 7168, "dst_n": 64}, "V1008"), (MASKED | {"sel": 7168 + 16}, "V1004"),
        ({"sel_pos": 0}, "V1005"), ({"dst": 16}, "V1004"), ({"src0": 2048 + width}, "V1004"),
        ({"src0_pos": 0}, "V1005"), ({"count": 65, "dst_n": 64}, "V1001"),
        ({"count": 65, "src0_n": 64}, "V1001"),
        ({"mode": 3}, "V2001"),
        ({"scalar_given": int(mode != SCALAR)}, "V2004"),
    ]
    if mode == SCALAR:
        rules += [(MASKED | {"dst_blk": 0, "mask0": most}, None)]
    else:
        rules += [({"src1": 4096 + 16}, "V1004"), ({"src1_pos": 0}, "V1005"),
                  ({"count": 65, "src1_n": 64}, "V1001"), (MASKED | {"dst": 4096}, None)]
    return rules


@pytest.mark.parametrize("chip, mode", [(chip, mode) for chip in MODES for mode in MODES[chip]])
def test_rules(chip, mode):
    for dtype in TYPES_OF[chip]:
        check_rules(SELECTION, chip, [(plain(dtype, mode) | changes, code)
                                      for changes, code in rules_of(dtype, mode, chip)])


@pytest.mark.parametrize("chip", sorted(HAS_REGISTER))
def test_rules_of_the_register(chip):
    by_register = plain("float", ONE_REPEAT, form=REGISTER, load=BYTES)
    rules = [
        (by_register, None), (by_register | {"load": NOTHING}, None),
        (by_register | {"load_n": 16}, None), (by_register | {"load_at": 7696}, None),
        (by_register | {"mode": SCALAR}, None),
        (by_register | {"mode": TENSOR, "load": OFFSET}, None),
        (by_register | {"mode": TENSOR, "load": NOTHING}, "V2004"),
        (by_register | {"mode": TENSOR, "load": COMPARE}, "V2004"),
        (by_register | {"mode": TENSOR, "load": OFFSET, "sel": 7184}, "V1004"),
        (by_register | {"mode": TENSOR, "load": OFFSET, "sel": 0}, "V1008"),
        (by_register | {"get_at": 7680, "get_n": 16}, None),
    ]
    check_rules(SELECTION, chip, rules)


@pytest.mark.parametrize("chip", sorted(HAS_REGISTER))
@pytest.mark.parametrize("changes, code", [
    ({"load": BYTES, "load_n": 15}, "V1001"), ({"load": BYTES, "load_at": 7688}, "V1004"),
    ({"get_at": 7680, "get_n": 15}, "V1001"), ({"get_at": 7688}, "V1004")])
def test_the_register_and_memory(chip, changes, code):
    """The calls beside Select: the others of the case still run."""
    subject = Selection()
    case = plain("half", ONE_REPEAT, **changes)
    want = case | {"load": NOTHING, "get_at": -1}
    subject.untouched = lambda case, chip, before: SELECTION.expected(want, chip, before)
    check_refused(subject, chip, case, code)


@pytest.mark.parametrize("chip", sorted(HAS_REGISTER))
def test_bits_of_a_comparison_stay_where_the_mask_is_zero(chip):
    """SetCmpMask, then a Compare of some lanes: GetCmpMask has the others as they were."""
    cases = [plain("half", ONE_REPEAT, load=COMPARE, cmp0=cmp0, cmp1=cmp1, get_at=7680,
                   form=REGISTER, mask0=FULL, mask1=FULL, seed=seed)
             for seed, (cmp0, cmp1) in enumerate([(FULL, FULL), (0xF0F0, 0), (0, 1 << 63), (1, 1)])]
    check(SELECTION, chip, cases)


@pytest.mark.parametrize("chip", TYPES_OF)
def test_255_repeats_and_the_end_of_ub(chip):
    end = 70 << 10
    large = Selection(end)
    for mode in MODES[chip]:
        case = plain("float", mode, form=CONTINUOUS, mask0=64, repeats=255, dst=0, dst_n=255 * 64,
                     src0=255 * 256, src0_n=64, src0_rep=0, src1=255 * 256 + 512, src1_n=64,
                     src1_rep=0, sel=end - 2048, sel_n=2048)
        if "float" in TYPES_OF[chip]:
            check(large, chip, [case])
            check_rule(large, chip, case | {"dst_n": 255 * 64 - 1}, "V1001")
    large, end = Selection(UB_BYTES[chip]), UB_BYTES[chip]
    if TENSOR in MODES[chip]:
        last = plain("half", TENSOR, count=256, sel=end - 32, sel_n=32)
        check_rule(large, chip, last, None)
        check_rule(large, chip, last | {"count": 257, "sel_n": 64}, "V1002")
