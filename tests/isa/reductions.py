"""One model of the reductions: trees of neighbours, the first of equals, and what is composed.

A repeat is the values of all its lanes and which of them take part. Sums are taken level by level
on both: of two that take part the rounded sum, of one that one, of none none.
"""

import numpy as np

import lanes
from cases import SATURATES, TYPES, UB_BYTES, WIDTH, Subject, random_bytes
from elementwise import finish, order, special_bits
from harness import NUMPY
from lanes import BITS, CONTINUOUS, COUNT, VECCALC

NAMES = ["WholeReduceSum", "WholeReduceMax", "WholeReduceMin", "BlockReduceSum", "BlockReduceMax",
         "BlockReduceMin", "PairReduceSum", "RepeatReduceSum", "ReduceSum", "ReduceMax",
         "ReduceMin"]
ALL = NAMES[8:]
CHIPS_WITH = {"1000": ["half"], "1001": ["half"], "2002": ["half", "float"],
              "2201": ["half", "float"], "3002": ["half", "float"]}
VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX = range(4)
ORDERS = {"1000": [0], "1001": [0], "2002": [0, 1], "2201": [0, 1, 2, 3], "3002": [0, 2]}
# What the 310B leaves where no lane takes part.
EMPTY = {"Sum": {"half": 0.0, "float": 0.0}, "Max": {"half": -65504.0, "float": -np.inf},
         "Min": {"half": 65504.0, "float": np.inf}}


def kind_of(name):
    return name[-3:]


def has_order(name):
    return name in ("WholeReduceMax", "WholeReduceMin")


def groups_of(name, width):
    """Results of a repeat."""
    if name.startswith("Block"):
        return 8
    return lanes.lanes_per_repeat(width) // 2 if name.startswith("Pair") else 1


def result_bytes(case, width):
    name = NAMES[case["op"]]
    if not has_order(name):
        return width
    return {ONLY_VALUE: width, ONLY_INDEX: 4}.get(case["order"], 2 * width)


def unit_of(case, width):
    return result_bytes(case, width) * groups_of(NAMES[case["op"]], width)


def alignment_of(case, width):
    name = NAMES[case["op"]]
    if name in ALL:
        return width if name == "ReduceSum" else 2 * width
    return min(32, unit_of(case, width))


def rounded_sum(a, b):
    """Exact, and rounded once to the operands' type."""
    wide = np.float64 if a.dtype == np.float16 else np.float32
    with np.errstate(all="ignore"):
        return (a.astype(wide) + b.astype(wide)).astype(a.dtype)


def tree(values, present, size, dtype, saturates):
    """Sums of groups of `size` neighbours, and whether anything took part."""
    while size > 1:
        left, right = values[0::2], values[1::2]
        here, there = present[0::2], present[1::2]
        values = np.where(here & there, rounded_sum(left, right), np.where(here, left, right))
        values = finish(values.astype(NUMPY[dtype]), dtype, saturates)
        present, size = here | there, size // 2
    return values, present


def extreme(values, smallest):
    """Where the largest or smallest is: NaN before all, -0 below +0, the first of equals."""
    if np.isnan(values).any():
        return int(np.flatnonzero(np.isnan(values))[0])
    keys = order(values)
    return int(np.argmin(keys) if smallest else np.argmax(keys))


def reduced(name, values, present, chip, dtype):
    """(value, lane in its group or None, present) for each group of one repeat."""
    groups = groups_of(name, WIDTH[dtype])
    size = len(values) // groups
    saturates = chip in SATURATES
    if kind_of(name) == "Sum":
        sums, there = tree(values, present, size, dtype, saturates)
        return [(value, None, bool(some)) for value, some in zip(sums, there)]
    results = []
    for start in range(0, len(values), size):
        enabled = np.flatnonzero(present[start:start + size])
        if not len(enabled):
            results.append((values.dtype.type(0), 0, False))
            continue
        lane = int(enabled[extreme(values[start:start + size][enabled], kind_of(name) == "Min")])
        value = finish(values[start + lane:start + lane + 1], dtype, saturates)[0]
        results.append((value, lane, True))
    return results


def as_bytes(value):
    return np.asarray(value).reshape(1).view(np.uint8)


def result_of(value, lane, order_, dtype):
    """The bytes of one result."""
    index = np.uint16(lane or 0) if WIDTH[dtype] == 2 else np.uint32(lane or 0)
    parts = {VALUE_INDEX: (value, index), INDEX_VALUE: (index, value), ONLY_VALUE: (value,),
             ONLY_INDEX: (np.uint32(lane or 0),)}[order_]
    return np.concatenate([as_bytes(part) for part in parts])


def image_of(kind, seed, size, dtype):
    """Memory of random bits, of numbers of one size, of few different numbers, or of special ones,
    so that ties, roundings and overflows are frequent."""
    rng = np.random.default_rng(seed)
    count = size // WIDTH[dtype]
    if kind == 0:
        return random_bytes(seed, size)
    if kind == 1:
        scale = rng.choice([1, 300, 20000])
        values = np.clip(rng.standard_normal(count) * scale, -65504, 65504)
        return values.astype(NUMPY[dtype]).view(np.uint8)
    if kind == 2:
        return rng.choice(np.array([0.0, -0.0, 1.5, -2.0, 60000.0], NUMPY[dtype]),
                          count).view(np.uint8)
    bits = rng.choice(np.array(special_bits(dtype), np.uint64), count)
    return bits.astype(f"u{WIDTH[dtype]}").view(np.uint8)


class ReduceSubject(Subject):
    """Image: see image_of."""

    source = "reduce_cases.cpp"
    fields = ("op", "type", "form", "mask0", "mask1", "repeats", "count", "set_mask", "counter",
              "order", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n", "work_pos", "work",
              "work_n", "dst_rep", "src_blk", "src_rep", "seed", "kind")
    simplest = {"form": CONTINUOUS, "repeats": 1, "count": 1, "mask0": 1, "mask1": 0,
                "set_mask": 1, "counter": -1, "order": 0, "dst_rep": 1, "src_blk": 1, "src_rep": 8,
                "src": 0, "dst": 4096, "seed": 0, "kind": 1}

    def __init__(self, image=8192):
        self.image = image

    def before(self, case, chip):
        return image_of(case["kind"], case["seed"], self.image, TYPES[case["type"]])

    def lanes_of(self, case, width):
        """The enabled lanes of each repeat."""
        if case["counter"] >= 0 and case["form"] != COUNT:
            count = case["counter"] if not case["set_mask"] else case["mask0"]
            return lanes.repeats_of({"form": COUNT, "count": count}, width)
        return lanes.repeats_of(lanes.as_called(case, width), width)

    def values_of(self, case, memory, repeat, enabled):
        """A repeat's lanes, the others whatever is there, and which take part."""
        dtype = TYPES[case["type"]]
        width = WIDTH[dtype]
        at = lanes.addresses(case | {"src": case["src"] + 32 * repeat * self.step(case, width)},
                             "src", width, [enabled])[0]
        values = np.zeros(lanes.lanes_per_repeat(width), NUMPY[dtype])
        values[enabled] = memory.view(NUMPY[dtype])[at // width]
        present = np.zeros(len(values), bool)
        present[enabled] = True
        return values, present

    def step(self, case, width):
        return lanes.strides_of(case, "src", width)[1]

    def expected(self, case, chip, before):
        dtype = TYPES[case["type"]]
        width, name = WIDTH[dtype], NAMES[case["op"]]
        memory = before.copy()
        order_ = case["order"] if has_order(name) else ONLY_VALUE
        unit, each = unit_of(case, width), result_bytes(case, width)
        for repeat, enabled in enumerate(self.lanes_of(case, width)):
            values, present = self.values_of(case, memory, repeat, enabled)
            to = case["dst"] + repeat * case["dst_rep"] * unit
            for value, lane, some in reduced(name, values, present, chip, dtype):
                if not some and chip == "3002":
                    value, some = NUMPY[dtype](EMPTY[kind_of(name)][dtype]), True
                if some:
                    memory[to:to + each] = result_of(value, lane, order_, dtype)
                to += each
        return memory

    def overlaps(self, case, width, dst, bytes_, step):
        """Whether a repeat writes in part what it reads, or what a later one reads."""
        repeats = self.lanes_of(case, width)
        per_block, block = 32 // width, lanes.strides_of(case, "src", width)[0]

        def meets(repeat, begin):
            start = case["src"] + 32 * repeat * self.step(case, width)
            blocks = [start + 32 * block * b
                      for b in range(int(repeats[repeat].max()) // per_block + 1)]
            return any(begin < at + 32 and at < begin + bytes_ for at in blocks), begin == start
        for repeat in range(len(repeats)):
            begin = dst + repeat * step
            meet, same = meets(repeat, begin)
            if meet and not same:
                return True
            if any(meets(later, begin)[0] for later in range(repeat + 1, len(repeats))):
                return True
        return False

    def legal(self, case, chip):
        return self.legal_call(case, chip) and self.legal_repeats(case, chip) and \
            self.fits_dst(case, chip)

    def legal_call(self, case, chip):
        dtype, name = TYPES[case["type"]], NAMES[case["op"]]
        if dtype not in CHIPS_WITH.get(chip, []) or (case["form"] == COUNT) and name not in ALL:
            return False
        if name == "RepeatReduceSum" and case["form"] != CONTINUOUS:
            return False
        width = WIDTH[dtype]
        called = lanes.as_called(case, width)
        if case["counter"] >= 0 and case["form"] != COUNT:
            mask_ok = not case["set_mask"] or case["form"] == BITS or 0 <= case["mask0"] < 1 << 31
        else:
            mask_ok = lanes.mask_is_legal(called | {"repeats": min(max(case["repeats"], 0), 255)},
                                          width, chip == "2201")
        return mask_ok and lanes.fits(case, ["src"], width, chip, self.image,
                                      self.lanes_of(case, width)) and \
            all(0 <= case[field] <= 65535 for field in ("src_blk", "src_rep", "dst_rep"))

    def legal_repeats(self, case, chip):
        width, name = WIDTH[TYPES[case["type"]]], NAMES[case["op"]]
        if not 0 <= case["repeats"] <= 255:
            return False
        if has_order(name) and case["order"] not in ORDERS[chip]:
            return False
        return chip != "1001" or case["dst_rep"] > 0 or len(self.lanes_of(case, width)) < 2

    def fits_dst(self, case, chip):
        width = WIDTH[TYPES[case["type"]]]
        unit = unit_of(case, width)
        if case["dst_pos"] not in lanes.POSITIONS or case["dst"] % alignment_of(case, width):
            return False
        repeats = self.lanes_of(case, width)
        need = 0
        for repeat, enabled in enumerate(repeats):
            groups = groups_of(NAMES[case["op"]], width)
            last = groups - 1 if chip == "3002" else \
                int(enabled.max()) * groups // lanes.lanes_per_repeat(width)
            need = max(need, repeat * case["dst_rep"] * unit +
                       (last + 1) * result_bytes(case, width))
        return need <= case["dst_n"] * width and \
            case["dst"] + case["dst_n"] * width <= min(self.image, UB_BYTES[chip]) and \
            not self.overlaps(case, width, case["dst"], unit, case["dst_rep"] * unit)


def plain(name, dtype, **changes):
    """Three repeats of 16 lanes from 0, dst at 4096; changed as said."""
    width = WIDTH[dtype]
    case = {"op": NAMES.index(name), "type": TYPES.index(dtype), "form": CONTINUOUS, "mask0": 16,
            "mask1": 0, "repeats": 3, "count": 64, "set_mask": 1, "counter": -1, "order": 0,
            "dst_rep": 1, "src_blk": 1, "src_rep": 8, "seed": 1, "kind": 1,
            "src_pos": VECCALC, "src": 0, "src_n": 4096 // width,
            "dst_pos": VECCALC, "dst": 4096, "dst_n": 2048 // width,
            "work_pos": VECCALC, "work": 6144, "work_n": 2048 // width}
    return case | changes
