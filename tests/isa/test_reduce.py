"""WholeReduceSum, WholeReduceMax, WholeReduceMin, BlockReduceSum, BlockReduceMax, BlockReduceMin,
PairReduceSum, RepeatReduceSum."""

import re

import numpy as np
import pytest

import lanes
from batches import check_rules
from cases import UB_BYTES, WIDTH, check, check_random, check_refused
from elementwise import special_bits
from harness import CHIPS, NUMPY, vinci
from lanes import BITS, CONTINUOUS, FULL
from reductions import (CHIPS_WITH, NAMES, ONLY_INDEX, ONLY_VALUE, ORDERS, ReduceSubject,
                        alignment_of, has_order, plain, unit_of)

PARTS = NAMES[:8]
REDUCE = ReduceSubject()
WITHOUT_COUNTER = ("1000", "1001")


def random_call(rng, name, chip):
    dtype = rng.choice(CHIPS_WITH[chip])
    width = WIDTH[dtype]
    case = plain(name, dtype) | lanes.random_lanes(rng, width, 1)
    case |= {"form": rng.choice([BITS, CONTINUOUS]), "set_mask": rng.integers(0, 8) > 0,
             "order": rng.choice(ORDERS[chip]), "dst_rep": rng.choice([0, 1, 1, 1, 2, 5]),
             "src_blk": rng.choice([0, 1, 1, 1, 2, 3]), "src_rep": rng.choice([0, 1, 4, 8, 8, 20]),
             "seed": rng.integers(0, 1 << 20), "kind": rng.integers(0, 4),
             "counter": -1 if chip in WITHOUT_COUNTER else
             rng.choice([-1, -1, -1, 0, 1, 100, rng.integers(0, 600)])}
    if case["form"] == CONTINUOUS:
        case |= {"mask0": min(case["mask0"], lanes.lanes_per_repeat(width)), "mask1": 0}
    if case["counter"] >= 0:
        case |= {"mask0": rng.integers(0, 600), "mask1": 0}
    case |= {"src": 32 * rng.integers(0, 20)}
    case |= {"src_n": (8192 - case["src"]) // width}
    case["dst"] = case["src"] if rng.integers(0, 4) == 0 else \
        int(rng.integers(4000, 5000)) // alignment_of(case, width) * alignment_of(case, width)
    return case | {"dst_n": (8192 - case["dst"]) // width}


@pytest.mark.parametrize("chip", CHIPS_WITH)
@pytest.mark.parametrize("name", PARTS)
def test_random(name, chip):
    check_random(REDUCE, chip, lambda rng: random_call(rng, name, chip), 150, name)


class Given(ReduceSubject):
    """Numbers at src: `given`, by the case's seed."""

    given = []

    def before(self, case, chip):
        memory = np.zeros(self.image, np.uint8)
        values = self.given[case["seed"]].view(np.uint8)
        memory[case["src"]:case["src"] + values.size] = values
        return memory


@pytest.mark.parametrize("chip", CHIPS_WITH)
def test_every_pair_of_special_values(chip):
    """In turn beside each other, and with a NaN, an infinity or zeros in a repeat of ones."""
    for dtype in CHIPS_WITH[chip]:
        subject, width = Given(30720), WIDTH[dtype]
        most = lanes.lanes_per_repeat(width)
        bits = np.array(special_bits(dtype), np.uint64).astype(f"u{width}")
        pairs = np.stack([np.repeat(bits, len(bits)), np.tile(bits, len(bits))], 1).ravel()
        one = np.array([1.0], NUMPY[dtype]).view(bits.dtype)
        beside = np.repeat(one, most * len(bits)).reshape(len(bits), most)
        beside[:, 5] = bits
        beside[:, 70 % most] = bits[::-1]
        subject.given = [pairs, beside.ravel()]
        repeats = (pairs.size + most - 1) // most
        places = {"dst": 20480, "dst_n": 10240 // width, "src_n": 20480 // width}
        cases = [plain(name, dtype, mask0=most, repeats=count, seed=seed, order=order, **places)
                 for name in PARTS for seed, count in ((0, repeats), (1, len(bits)))
                 for order in (ORDERS[chip] if has_order(name) else [0])]
        check(subject, chip, cases)


def test_printed():
    """What the documents print: sums that tell the tree from others, and a lost one."""
    subject = Given()
    ones = np.ones(128, np.float16)
    wide = np.array([60000, 60000, -30000, 100], np.float16)
    none = np.full(128, -0.0, np.float16)
    inf = ones.copy()
    inf[:3] = np.inf, -np.inf, np.nan
    subject.given = [ones, wide, none, inf]
    for chip, seed, mask, want in (("2201", 0, 128, 128.0), ("2002", 1, 4, 35584.0),
                                   ("2201", 2, 128, -0.0), ("2002", 3, 128, 124.0)):
        case = plain("WholeReduceSum", "half", mask0=mask, repeats=1, seed=seed)
        before = subject.before(case, chip)
        got = subject.expected(case, chip, before)[4096:4098].view(np.float16)[0]
        assert got == want and np.signbit(got) == np.signbit(want)
        check(subject, chip, [case])


@pytest.mark.parametrize("chip", ["2002", "2201"])
def test_the_first_of_equals(chip):
    subject = Given()
    values = np.full(128, 3, np.float16)
    values[[0, 17]] = 2, 7
    values[99] = 7
    subject.given = [values]
    case = plain("WholeReduceMax", "half", mask0=128, repeats=1, seed=0)
    check(subject, chip, [case, case | {"op": NAMES.index("WholeReduceMin")}])
    got = subject.expected(case, chip, subject.before(case, chip))[4096:4100].view(np.uint16)
    assert got.tolist() == [np.float16(7).view(np.uint16), 17]


@pytest.mark.parametrize("chip", CHIPS_WITH)
def test_blocks_and_pairs_without_lanes(chip):
    masks = [(1, 0), (1 << 63, 0), (0x00FF00000000FFFF, 0), (2, 0), (0xF0F0F0F000000000, 0)]
    cases = []
    for dtype in CHIPS_WITH[chip]:
        for low, high in masks + ([(0, 1 << 63), (0, 3)] if dtype == "half" else []):
            cases += [plain(name, dtype, form=BITS, mask0=low, mask1=high, kind=kind)
                      for name in PARTS[3:7] for kind in (0, 1)]
    check(REDUCE, chip, cases)


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    """What `vinci list` prints is the table by which calls are refused."""
    listed = vinci("list", "--soc", CHIPS[chip]).stdout
    for name in NAMES:
        # The library's function of that name comes first.
        types = re.findall(rf"^{name} \(\w+\)\n  .*?  +(.*)$", listed, re.M)[-1]
        assert types.split() == CHIPS_WITH.get(chip, ["none"])


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", NAMES)
def test_type_not_on_chip(name, chip):
    missing = [dtype for dtype in ("float", "int32") if dtype not in CHIPS_WITH.get(chip, [])]
    for dtype in missing:
        check_refused(REDUCE, chip, plain(name, dtype), "V6002" if chip in CHIPS_WITH else "V6001")


REGISTER = {"set_mask": 0, "mask0": 1, "repeats": 2}


def rules_of(name, dtype, chip):
    """Limits on both sides."""
    width = WIDTH[dtype]
    most = lanes.lanes_per_repeat(width)
    unit, aligned = unit_of(plain(name, dtype), width), alignment_of(plain(name, dtype), width)
    full = {"mask0": most, "repeats": 1}
    rules = [
        ({"mask0": 1}, None), ({"mask0": most}, None), (full | {"mask0": most + 1}, "V2003"),
        ({"mask0": 0}, None if chip == "2201" else "V2003"), ({"mask0": -1}, "V2003"),
        ({"repeats": 0}, None), ({"repeats": -1}, "V2001"), ({"repeats": 256}, "V2001"),
        ({"repeats": 255, "src_rep": 0, "dst_n": 4096 // width} |
         ({} if unit < 8 else {"dst_rep": 0} if chip != "1001" else {"repeats": 1}), None),
        ({"dst_rep": 0}, "V2001" if chip == "1001" else None),
        ({"dst_rep": 0, "repeats": 1}, None), ({"dst_rep": -1}, "V2001"),
        ({"dst_rep": 65535, "repeats": 1}, None), ({"dst_rep": 65536, "repeats": 1}, "V2001"),
        ({"src_rep": -1}, "V2001"), ({"src_rep": 65536, "repeats": 1}, "V2001"),
        ({"src_rep": 65535, "repeats": 1}, None),
        ({"src_blk": -1}, "V2001"), ({"src_blk": 65536, "mask0": 1}, "V2001"),
        ({"src_blk": 65535, "mask0": 32 // width}, None), ({"src_blk": 0}, None),
        (full | {"src_n": most}, None), (full | {"src_n": most - 1}, "V1001"),
        (full | {"dst_n": unit // width}, None), (full | {"dst_n": unit // width - 1}, "V1001"),
        (full | {"dst": 4096 + aligned}, None),
        (full | {"dst": 4096 + aligned // 2}, "V1004"),
        (full | {"src": 16}, "V1004"), ({"dst_pos": 0}, "V1005"), ({"src_pos": 1}, "V1005"),
        (REGISTER, None),
        (full | {"dst": 0}, None), (full | {"dst": 32}, "V1008"), (full | {"dst": 224}, "V1008"),
        ({"dst": 256, "mask0": most, "repeats": 2}, "V1008"),
        (full | {"dst": 256}, None), (full | {"src": 4096 + unit - unit % 32 + 32, "src_n": most}, None),
    ]
    if name != "RepeatReduceSum":
        rules += [({"form": BITS, "mask0": 0, "mask1": 0}, None if chip == "2201" else "V2003"),
                  ({"form": BITS, "mask0": FULL, "mask1": 1}, None if most > 64 else "V2003"),
                  (REGISTER | {"form": BITS}, None)]
    if has_order(name):
        rules += [({"order": order}, None if order in ORDERS[chip] else "V2001")
                  for order in (0, 1, 2, 3, 4)]
    return rules


@pytest.mark.parametrize("chip", CHIPS_WITH)
def test_rules(chip):
    for name in PARTS:
        for dtype in CHIPS_WITH[chip]:
            rules = [(plain(name, dtype, **changes), code)
                     for changes, code in rules_of(name, dtype, chip)]
            check_rules(REDUCE, chip, rules)


def test_alignment_of_the_orders():
    """dst starts at a multiple of what the order leaves."""
    for dtype in ("half", "float"):
        for order in range(4):
            case = plain("WholeReduceMax", dtype, repeats=2, order=order)
            unit = unit_of(case, WIDTH[dtype])
            check(REDUCE, "2201", [case | {"dst": 4096 + unit}])
            wrong = 4096 + unit // 2
            check_refused(REDUCE, "2201", case | {"dst": wrong}, "V1004")
    assert unit_of(plain("WholeReduceMax", "float", order=ONLY_INDEX), 4) == 4
    assert unit_of(plain("WholeReduceMax", "half", order=ONLY_VALUE), 2) == 2


@pytest.mark.parametrize("chip", CHIPS_WITH)
def test_whole_ub(chip):
    """The last bytes of UB are usable, the ones behind are not; strides reach far."""
    large = ReduceSubject(UB_BYTES[chip])
    end = UB_BYTES[chip]
    case = plain("WholeReduceSum", "half", mask0=128, repeats=1, src=end - 256, src_n=128)
    check(large, chip, [case, case | {"dst": end - 2, "dst_n": 1, "src": 0},
                        case | {"src": 0, "src_n": (end - 4096) // 2, "dst": end - 2, "dst_n": 1,
                                "src_rep": 5000, "repeats": 2, "dst_rep": 0, "mask0": 20}
                        if chip != "1001" else case])
    check_refused(large, chip, case | {"src_n": 256, "repeats": 2}, "V1002")

