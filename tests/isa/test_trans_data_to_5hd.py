"""TransDataTo5HD: 16 datablocks, each at its own address, become 16 others.

  16 bits   dst[e][k] = src[k][e]
  32 bits   dst[2 m][k] = src[k][m], dst[2 m + 1][k] = src[k + 8][m]
  8 bits    dst[e][k + 16 dstHigh] = src[k][e + 16 srcHigh]; in wider ones the halves are no matter

Repeat r starts 32 * stride * r bytes from the addresses; a single repeat 32 * stride bytes.
"""

import pytest

from batches import check_rules
from cases import TYPES, UB_BYTES, WIDTH, Subject, check, check_random, check_refused, random_bytes
from harness import CHIPS
from lanes import POSITIONS, VECCALC

LISTS, ADDRESSES, ADDRESSES_IN_UB = range(3)
NARROW = ["int8", "uint8", "int16", "uint16", "half"]
ALL = NARROW + ["int32", "uint32", "float"]
SUPPORTED = {"1000": NARROW, "1001": NARROW, "2002": ALL, "2002v": ALL, "2201": ALL,
             "3002": ["int8", "uint8", "int16", "half", "int32", "float"]}
DST, SRC = [f"d{i}" for i in range(16)], [f"s{i}" for i in range(16)]


class Lists(Subject):
    source, kernel = "transpose_cases.cpp", "lists_cases"
    fields = ("type", "form", "dst_high", "src_high", "repeats", "dst_step", "src_step", "bytes",
              "dst_pos", "src_pos", *DST, *SRC, "seed")
    simplest = {"form": LISTS, "dst_high": 0, "src_high": 0, "repeats": 1, "dst_step": 0,
                "src_step": 0, "seed": 0}

    def __init__(self, image=16384):
        self.image = image

    def before(self, case, chip):
        return random_bytes(case["seed"], self.image)

    def starts(self, case, names, step):
        """Byte addresses of the 16 datablocks in each repeat."""
        repeats = [1] if case["repeats"] == 1 else range(case["repeats"])
        return [[case[name] + 32 * case[step] * r for name in names] for r in repeats]

    def expected(self, case, chip, before):
        memory, width = before.copy(), WIDTH[TYPES[case["type"]]]
        for dst, src in zip(self.starts(case, DST, "dst_step"), self.starts(case, SRC, "src_step")):
            blocks = [memory[at:at + 32].copy().reshape(-1, width) for at in src]
            for e, at in enumerate(dst):
                block = memory[at:at + 32].reshape(-1, width)
                for k in range(8 if width == 4 else 16):
                    if width == 4:
                        block[k] = blocks[k + 8 * (e % 2)][e // 2]
                    elif width == 2:
                        block[k] = blocks[k][e]
                    else:
                        block[k + 16 * case["dst_high"]] = blocks[k][e + 16 * case["src_high"]]
        return memory

    def legal(self, case, chip):
        width = WIDTH[TYPES[case["type"]]]
        if TYPES[case["type"]] not in SUPPORTED[chip] or not 0 <= case["repeats"] <= 255:
            return False
        if any(case[name] % 32 for name in DST + SRC):
            return False
        writes, reads = self.starts(case, DST, "dst_step"), self.starts(case, SRC, "src_step")
        apart = width == 1 and case["dst_high"] != case["src_high"]
        if not apart and any(set(to) & set(later) for number, to in enumerate(writes)
                             for later in reads[number + 1:]):
            return False
        ends = [at + (32 if width > 1 or case[high] else 16)
                for starts, high in ((writes, "dst_high"), (reads, "src_high"))
                for repeat in starts for at in repeat]
        return max(ends, default=0) <= min(self.image, case["bytes"] if case["form"] == LISTS
                                           else self.image) and \
            (case["form"] != LISTS or
             case["dst_pos"] in POSITIONS and case["src_pos"] in POSITIONS)


TURN = Lists()


def plain(dtype, subject=TURN, **changes):
    """Dense blocks, src at 0 and dst at 2048."""
    case = {"type": TYPES.index(dtype), "form": LISTS, "dst_high": 0, "src_high": 0, "repeats": 1,
            "dst_step": 0, "src_step": 0, "bytes": subject.image, "dst_pos": VECCALC,
            "src_pos": VECCALC, "seed": 1}
    case |= {name: 2048 + 32 * i for i, name in enumerate(DST)}
    return case | {name: 32 * i for i, name in enumerate(SRC)} | changes


def random_call(rng, chip):
    dtype = rng.choice(SUPPORTED[chip])
    case = plain(dtype, form=rng.integers(0, 3), repeats=rng.choice([0, 1, 1, 2, 3, 6]),
                 dst_step=rng.choice([0, 1, 16, rng.integers(0, 30)]),
                 src_step=rng.choice([0, 1, 16, rng.integers(0, 30)]),
                 dst_pos=rng.choice(POSITIONS), src_pos=rng.choice(POSITIONS),
                 dst_high=rng.integers(0, 2), src_high=rng.integers(0, 2),
                 seed=rng.integers(0, 1 << 20))
    blocks = rng.permutation(300)
    if rng.random() < 0.3:  # any addresses, each perhaps more than once
        blocks = rng.integers(0, 300, 32)
    if rng.random() < 0.2:  # in place, in some order
        blocks[16:32] = rng.permutation(blocks[:16])
    return case | dict(zip(DST + SRC, (32 * blocks[:32]).tolist()))


@pytest.mark.parametrize("chip", CHIPS)
def test_random(chip):
    check_random(TURN, chip, lambda rng: random_call(rng, chip), 400)


@pytest.mark.parametrize("chip", CHIPS)
def test_every_type_and_half(chip):
    check(TURN, chip, [
        plain(dtype, form=form, dst_high=high >> 1, src_high=high & 1)
        for dtype in SUPPORTED[chip] for form in range(3)
        for high in range(4)])


def test_one_repeat_starts_a_stride_away():
    """And two repeats start at the addresses."""
    one = plain("half", src_step=16, dst_step=32)
    assert TURN.starts(one, SRC, "src_step")[0][0] == 512
    assert TURN.starts(one | {"repeats": 2}, DST, "dst_step") == [
        [2048 + 32 * i + 1024 * r for i in range(16)] for r in range(2)]
    for chip in CHIPS:
        check(TURN, chip, [one, one | {"repeats": 2}, one | {"repeats": 0}])


@pytest.mark.parametrize("chip", CHIPS)
def test_rules(chip):
    rules = []
    for dtype in SUPPORTED[chip]:
        narrow = WIDTH[dtype] == 1
        ends = {"bytes": 2048 + 512 - (16 if narrow else 0)}
        rules += [(plain(dtype, **changes), code) for changes, code in [
            (ends, None), ({"bytes": ends["bytes"] - WIDTH[dtype]}, "V1001"),
            ({"d7": 2048 + 16}, "V1004"), ({"s15": 8}, "V1004"),
            ({"dst_pos": 0}, "V1005"), ({"src_pos": 0}, "V1005"),
            ({"dst_high": 1}, None), ({"src_high": 1}, None),
            # A later repeat reads what an earlier one wrote.
            ({"repeats": 2, "src_step": 64}, "V1008"), ({"repeats": 2, "src_step": 48}, None),
            ({"repeats": 2, "src_step": 65}, "V1008"), ({"repeats": 2, "src_step": 80}, None),
            ({"repeats": 3, "src_step": 32, "dst_step": 0}, "V1008"),
            ({"repeats": 3, "src_step": 32, "dst_step": 32}, "V1008"),
            ({"repeats": 3, "src_step": 48, "dst_step": 48}, None),
            ({"repeats": 2, "src_step": 32, "dst_step": 0}, None),
            ({"repeats": 2, "d3": 32 * 17, "src_step": 16}, "V1008"),
            ({"repeats": 2, "d3": 32 * 17, "src_step": 16, "src_high": 1},
             None if narrow else "V1008"),
            ({"repeats": 2, "d3": 32 * 4, "src_step": 16}, None),
            ({"d3": 32 * 4}, None), ({"d3": 2048}, None), ({"repeats": 255}, None),
            ({"repeats": 255, "dst_step": 8}, "V1001")]]
    # Rules of all types in one launch: it ends at its twentieth place with a fault.
    for start in range(0, len(rules), 40):
        check_rules(TURN, chip, rules[start:start + 40])


@pytest.mark.parametrize("chip", CHIPS)
def test_type_not_on_chip(chip):
    for dtype in ALL + ["bfloat16"]:
        if dtype not in SUPPORTED[chip]:
            check_refused(TURN, chip, plain(dtype), "V6002")


@pytest.mark.parametrize("chip", CHIPS)
def test_strides_and_the_end_of_ub(chip):
    large = Lists(UB_BYTES[chip])
    most = (UB_BYTES[chip] - 4096) // 32 // 254 // 16 * 16
    case = plain("half", large, repeats=255, dst_step=most, src_step=0)
    check(large, chip, [case])
    room = (UB_BYTES[chip] - 2048 - 512) // 32
    check(large, chip, [plain("half", large, dst_step=room)])
    check_refused(large, chip, plain("half", large, dst_step=room + 1, form=ADDRESSES), "V1002")
    check_refused(large, chip, plain("half", large, src_step=65535, form=ADDRESSES), "V1002")


def test_addresses_that_are_none():
    """An address outside UB is no crash."""
    for form in (ADDRESSES, ADDRESSES_IN_UB):
        check_refused(TURN, "2002", plain("half", form=form, d5=1 << 20), "V1002")
