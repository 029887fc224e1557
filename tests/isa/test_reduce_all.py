"""ReduceSum, ReduceMax, ReduceMin: all repeats to one value, by way of a work tensor."""

import numpy as np
import pytest

import lanes
from batches import check_rules
from cases import SATURATES, TYPES, UB_BYTES, WIDTH, check, check_random, check_refused, launch
from elementwise import finish
from harness import NUMPY
from lanes import BITS, CONTINUOUS, COUNT, FULL
from reductions import (ALL, CHIPS_WITH, NAMES, ReduceSubject, alignment_of, extreme, kind_of,
                        plain, reduced, rounded_sum, tree)

WITHOUT_COUNTER = ("1000", "1001")


def padded(values, size):
    """Values to whole repeats, and which of them take part."""
    count = -(-len(values) // size) * size
    present = np.arange(count) < len(values)
    return np.concatenate([values, np.zeros(count - len(values), values.dtype)]), present


def sum_of(values, chip, dtype, in_order):
    """The sum of the repeats' sums."""
    saturates, most = chip in SATURATES, lanes.lanes_per_repeat(WIDTH[dtype])
    if in_order:
        total = values[:1]
        for value in values[1:]:
            total = finish(rounded_sum(total, np.array([value])), dtype, saturates)
        return total[0]
    while len(values) > 1:
        values = tree(*padded(values, most), most, dtype, saturates)[0]
    return values[0]


def pick_of(values, indices, dtype, name):
    """The extreme value and its index, by repeats of half as many pairs as a repeat has lanes."""
    pairs = lanes.lanes_per_repeat(WIDTH[dtype]) // 2
    while len(values) > 1:
        best = [start + extreme(values[start:start + pairs], kind_of(name) == "Min")
                for start in range(0, len(values), pairs)]
        values, indices = values[best], indices[best]
    return values[0], indices[0]


def work_elements(name, dtype, repeats, with_index):
    """The documents' algorithm."""
    width = WIDTH[dtype]
    block, most = 32 // width, 256 // width

    def up(count):
        return -(-count // block) * block
    if name == "ReduceSum":
        return up(repeats)
    count = 2 * repeats
    total = up(count)
    while with_index and count > 2:
        count = 2 * -(-count // most)
        total += up(count)
    return total


class ReduceAllSubject(ReduceSubject):
    """What work holds afterwards is not compared."""

    def __init__(self, image=16384):
        super().__init__(image)

    def results(self, case, chip, memory):
        """The value of each repeat, and its index."""
        dtype, name = TYPES[case["type"]], NAMES[case["op"]]
        width = WIDTH[dtype]
        values, indices = [], []
        for repeat, enabled in enumerate(self.lanes_of(case, width)):
            part = self.values_of(case, memory, repeat, enabled)
            value, lane, _ = reduced("Whole" + name, *part, chip, dtype)[0]
            values.append(value)
            indices.append(repeat * lanes.lanes_per_repeat(width) + (lane or 0))
        return np.array(values, NUMPY[dtype]), np.array(indices)

    def expected(self, case, chip, before):
        dtype, name = TYPES[case["type"]], NAMES[case["op"]]
        width = WIDTH[dtype]
        values, indices = self.results(case, chip, before)
        memory = before.copy()
        if not len(values):
            return memory
        at = case["dst"] // width
        if name == "ReduceSum":
            in_order = chip == "2201" and case["form"] == COUNT
            memory.view(NUMPY[dtype])[at] = sum_of(values, chip, dtype, in_order)
            return memory
        value, index = pick_of(values, indices, dtype, name)
        memory.view(NUMPY[dtype])[at] = finish(np.array([value]), dtype, False)[0]
        if case["order"]:
            memory.view(f"u{width}")[at + 1] = index
        return memory

    def work_bytes(self, case):
        dtype, name = TYPES[case["type"]], NAMES[case["op"]]
        repeats = len(self.lanes_of(case, WIDTH[dtype]))
        return WIDTH[dtype] * work_elements(name, dtype, repeats, case["order"]) if repeats else 0

    def compared(self, case, got, want):
        kept = np.ones(len(want), bool)
        kept[case["work"]:case["work"] + self.work_bytes(case)] = False
        width = WIDTH[TYPES[case["type"]]]
        kept[case["dst"]:case["dst"] + width * (2 if case["order"] else 1)] = True
        return kept

    def legal_repeats(self, case, chip):
        width = WIDTH[TYPES[case["type"]]]
        repeats = self.lanes_of(case, width)
        if case["order"] and width == 2 and repeats and \
                (len(repeats) - 1) * 128 + int(repeats[-1].max()) > 65535:
            return False
        return 0 <= case["repeats"] < 1 << 31

    def fits_dst(self, case, chip):
        width, name = WIDTH[TYPES[case["type"]]], NAMES[case["op"]]
        each = width if name == "ReduceSum" else 2 * width
        wants = {"dst": width * (2 if case["order"] else 1), "work": self.work_bytes(case)}
        for operand, bytes_ in wants.items():
            room = case[operand + "_n"] * width if self.work_bytes(case) else 1 << 20
            if case[operand + "_pos"] not in lanes.POSITIONS or bytes_ > room or \
                    case[operand] + bytes_ > min(self.image, UB_BYTES[chip]):
                return False
        return case["dst"] % alignment_of(case, width) == 0 and case["work"] % 32 == 0 and \
            not self.overlaps(case, width, case["work"], each, each)


REDUCE_ALL = ReduceAllSubject()


def whole(name, dtype, **changes):
    """`plain` with room for many repeats: src at 0, work at 12288, dst at 14336."""
    width = WIDTH[dtype]
    places = {"src_n": 12288 // width, "work": 12288, "work_n": 2048 // width, "dst": 14336,
              "dst_n": 2048 // width}
    return plain(name, dtype) | places | changes


def random_call(rng, name, chip):
    dtype = rng.choice(CHIPS_WITH[chip])
    width = WIDTH[dtype]
    case = whole(name, dtype) | lanes.random_lanes(rng, width, 12288 // width, 48)
    case |= {"set_mask": name != "ReduceSum" or rng.integers(0, 8) > 0,
             "order": name != "ReduceSum" and rng.integers(0, 2),
             "src_rep": rng.choice([0, 1, 2, 4, 8, 8]), "seed": rng.integers(0, 1 << 20),
             "kind": rng.integers(0, 4), "counter": -1 if chip in WITHOUT_COUNTER else
             rng.choice([-1, -1, -1, 0, 1, 100, rng.integers(0, 3000)])}
    if case["form"] == CONTINUOUS:
        case |= {"mask0": min(case["mask0"], lanes.lanes_per_repeat(width)), "mask1": 0}
    if case["counter"] >= 0:
        case |= {"mask0": rng.integers(0, 3000), "mask1": 0}
    kind = rng.integers(0, 4)
    step = alignment_of(case, width)
    if kind == 0:  # work is src
        case |= {"work": 0}
    elif kind == 1:  # dst in work
        case |= {"dst": 12288 + step * rng.integers(0, 9)}
    elif kind == 2:  # dst in src
        case |= {"dst": step * rng.integers(0, 99)}
    return case


@pytest.mark.parametrize("chip", CHIPS_WITH)
@pytest.mark.parametrize("name", ALL)
def test_random(name, chip):
    check_random(REDUCE_ALL, chip, lambda rng: random_call(rng, name, chip), 150, name)


# The documents' examples: type, what the call has, bytes of work.
SIZES = [
    ("half", {"repeats": 65, "mask0": 128, "order": 1}, 352),
    ("half", {"repeats": 255, "mask0": 128, "order": 1}, 1088),
    ("half", {"form": COUNT, "count": 65408, "order": 1}, 2112),
    ("half", {"repeats": 4, "mask0": 128, "order": 1}, 64),
    ("half", {"form": COUNT, "count": 65408}, 2048),
    ("float", {"repeats": 130, "mask0": 64, "order": 1}, 1152),
    # And where theirs leave something open.
    ("half", {"repeats": 1, "mask0": 128, "order": 1}, 32),
    ("float", {"repeats": 256, "mask0": 64, "src_rep": 1, "order": 1}, 2048 + 64 + 32),
    ("half", {"form": COUNT, "count": 129, "order": 1}, 64),
]


@pytest.mark.parametrize("dtype, changes, size", SIZES)
def test_size_of_work(dtype, changes, size):
    """Enough, and a datablock too little."""
    large = ReduceAllSubject(180 << 10)
    width = WIDTH[dtype]
    for name in ("ReduceMax", "ReduceMin"):
        case = whole(name, dtype, src_n=70000 * 2 // width, work=160 << 10, work_n=size // width,
                     dst=170 << 10, **changes)
        assert large.work_bytes(case) == size
        check(large, "2201", [case, case | {"kind": 2}])
        check_refused(large, "2201", case | {"work_n": size // width - 1}, "V1001")


def test_printed():
    """The documents' pictures: an index through one level, and through two."""
    for repeats, at, of in ((4, 198, 512), (128, 8124, 128 * 128)):
        large = ReduceAllSubject(64 << 10)
        values = np.zeros(of, np.float16)
        values[at], values[-1] = 300, 200
        large.before = lambda case, chip, numbers=values: np.concatenate(
            [numbers.view(np.uint8), np.zeros((64 << 10) - numbers.nbytes, np.uint8)])
        case = whole("ReduceMax", "half", mask0=128, repeats=repeats, order=1, src_n=of,
                     work=40 << 10, dst=44 << 10)
        check(large, "2201", [case])
        got = launch(large, "2201", [case]).outputs[0][0][44 << 10:].view(np.uint16)[:2]
        assert got.tolist() == [np.float16(300).view(np.uint16), at]


def test_sums_in_order():
    """On 2201 the count form adds the repeats one by one: the documents' 255 ones and the lowest
    number, and small sums that a tree would keep."""
    values = np.ones(256, np.float16)
    values[255] = -np.float16(65504)
    few = np.zeros(128 * 9, np.float16)
    few[0], few[128::128] = 2048, 1
    for numbers, in_order, by_tree in ((values, -65248.0, -65248.0), (few, 2048.0, 2056.0)):
        subject = ReduceAllSubject()
        subject.before = lambda case, chip, numbers=numbers: np.concatenate(
            [numbers.view(np.uint8), np.zeros(16384 - numbers.nbytes, np.uint8)])
        case = whole("ReduceSum", "half", form=COUNT, count=len(numbers), mask0=128,
                     repeats=len(numbers) // 128)
        for chip, form, want in (("2201", COUNT, in_order), ("2201", CONTINUOUS, by_tree),
                                 ("2002", COUNT, by_tree)):
            check(subject, chip, [case | {"form": form}])
            got = launch(subject, chip, [case | {"form": form}]).outputs[0][0]
            assert got[14336:14338].view(np.float16)[0] == want


def rules_of(name, dtype, chip):
    width = WIDTH[dtype]
    most, step = lanes.lanes_per_repeat(width), width if name == "ReduceSum" else 2 * width
    count = {"form": COUNT}
    rules = [
        (count | {"count": 0}, None), (count | {"count": 1}, None), (count | {"count": -1}, "V2001"),
        (count | {"count": most, "src_n": most}, None),
        (count | {"count": most, "src_n": most - 1}, "V1001"),
        ({"mask0": 1}, None), ({"mask0": most}, None), ({"mask0": most + 1}, "V2003"),
        ({"mask0": 0}, None if chip == "2201" else "V2003"),
        ({"form": BITS, "mask0": FULL, "mask1": 1}, None if most > 64 else "V2003"),
        ({"repeats": 0}, None), ({"repeats": -1}, "V2001"),
        ({"repeats": 300, "src_rep": 1, "work_n": 4096 // width, "dst": 16380 // step * step},
         None),
        ({"src_rep": -1}, "V2001"), ({"src_rep": 65536, "repeats": 1}, "V2001"),
        ({"src_rep": 65535, "repeats": 1}, None),
        ({"dst": 14336 + step}, None), ({"dst": 14336 + step // 2}, "V1004"),
        ({"dst_n": 1}, None), ({"dst_n": 0}, "V1001"), ({"dst": 12288}, None), ({"dst": 64}, None),
        ({"src": 16}, "V1004"), ({"work": 12288 + 16}, "V1004"), ({"dst_pos": 0}, "V1005"),
        ({"src_pos": 1}, "V1005"), ({"work_pos": 0}, "V1005"),
        ({"work": 0}, None), ({"work": 32, "mask0": 64}, "V1008"),
        ({"work": 224, "mask0": most, "repeats": 1}, "V1008"),
        ({"work": 0, "src_rep": 0}, "V1008"), ({"work": 256, "mask0": 64}, "V1008"),
        ({"work_n": 32 // width}, None), ({"work_n": 32 // width - 1}, "V1001"),
    ]
    if name != "ReduceSum":
        rules += [({"order": 1, "dst_n": 2}, None), ({"order": 1, "dst_n": 1}, "V1001")]
    else:
        rules += [({"set_mask": 0}, None)]
    return rules


@pytest.mark.parametrize("chip", CHIPS_WITH)
def test_rules(chip):
    for name in ALL:
        for dtype in CHIPS_WITH[chip]:
            check_rules(REDUCE_ALL, chip, [(whole(name, dtype, **changes), code)
                                           for changes, code in rules_of(name, dtype, chip)])


@pytest.mark.parametrize("chip", CHIPS_WITH)
def test_index_in_half(chip):
    """Up to 65535; floats hold any."""
    large = ReduceAllSubject(180 << 10)
    case = whole("ReduceMin", "half", form=COUNT, count=65536, order=1, src_n=70000, work=140 << 10,
                 work_n=4096, dst=170 << 10)
    check(large, chip, [case])
    check_refused(large, chip, case | {"count": 65537}, "V2001")
    check(large, chip, [case | {"count": 65537, "order": 0}])
    many = case | {"form": CONTINUOUS, "mask0": 128, "repeats": 512, "src_rep": 1}
    check(large, chip, [many, many | {"mask0": 5}])
    check_refused(large, chip, many | {"repeats": 513}, "V2001")


@pytest.mark.parametrize("name", ALL)
def test_more_repeats_than_memory(name):
    """The documents' largest number: refused for its work tensor, at once."""
    run = launch(REDUCE_ALL, "2201", [whole(name, "float", repeats=(1 << 31) - 1, src_rep=0)])
    assert run.codes == ["V1001"]
