"""SetAtomicAdd, SetAtomicMax, SetAtomicMin, SetAtomicType, DisableDmaAtomic: copies into GM write
op(GM, data)."""

import re

import numpy as np
import pytest

from atomics import (ADD, ADDS, ALL_TYPES, COMPARES, MAX, MIN, NAMES, OFF, TYPES_OF, combined)
from batches import check_rules
from cases import (SATURATES, TYPES, WIDTH, Subject, check, check_refused, random_bytes,
                   random_cases)
from elementwise import of_bits, special_bits
from harness import CHIPS, vinci
from lanes import VECOUT

UB_BYTES, GM_BYTES = 4096, 8192
WITH = [chip for chip in CHIPS if ADDS[chip]]
OPS = {chip: [op for op in (ADD, MAX, MIN) if TYPES_OF[op][chip]] for chip in CHIPS}
RETYPES = ["2002", "2201", "3002"]
# The chips with AscendCUtils::SetOverflow.
SWITCHES = ["2002", "2201", "3002"]


def special_values(dtype):
    if dtype == "bfloat16":
        return np.unique(np.array(special_bits("float"), np.uint64) >> np.uint64(16)).astype(
            np.uint16)
    return of_bits(special_bits(dtype), dtype)


class Atomic(Subject):
    """Copies of one UB tensor to one GM tensor, one after the other."""

    source = "atomic_cases.cpp"
    fields = ("op", "before", "mode", "retyped", "cleared", "saturate", "times", "type", "by_count",
              "count", "blocks", "length", "src_gap", "dst_gap", "src_pos", "src", "src_n",
              "dst_pos", "dst", "dst_n", "special", "seed")
    simplest = {"before": OFF, "retyped": 0, "saturate": -1, "times": 1, "blocks": 1, "length": 1,
                "src_gap": 0, "dst_gap": 0, "src": 0, "dst": 0, "special": 0, "seed": 0}

    def before(self, case, chip):
        if not case["special"]:
            return random_bytes(case["seed"], UB_BYTES + GM_BYTES)
        pool = special_values(TYPES[case["type"]])
        return np.random.default_rng(case["seed"]).choice(
            pool, (UB_BYTES + GM_BYTES) // pool.itemsize).view(np.uint8)

    def bursts(self, case):
        """(bytes, source offset, destination offset)."""
        if case["by_count"]:
            return [(case["count"] * WIDTH[TYPES[case["type"]]] // 32 * 32, 0, 0)]
        return [(32 * case["length"], 32 * b * (case["length"] + case["src_gap"]),
                 32 * b * (case["length"] + case["dst_gap"])) for b in range(case["blocks"])]

    def expected(self, case, chip, before):
        memory = before.copy()
        op = OFF if case["cleared"] else case["op"]
        # A mode of the core's: half of the oracle's chips saturate at the start.
        as_chip = chip if case["saturate"] < 0 else "2002" if case["saturate"] else "2201"
        for _ in range(case["times"]):
            for size, source, target in self.bursts(case):
                old = memory[UB_BYTES + case["dst"] + target:][:size]
                new = memory[case["src"] + source:][:size]
                old[:] = combined(op, TYPES[case["type"]], old, new, as_chip)
        return memory

    def legal(self, case, chip):
        dtype, op = TYPES[case["type"]], OFF if case["cleared"] else case["op"]
        if case["op"] != OFF and TYPES[case["mode"]] not in TYPES_OF[case["op"]][chip]:
            return False
        if case["before"] != OFF and TYPES[case["mode"]] not in TYPES_OF[case["before"]][chip]:
            return False
        if case["retyped"] and chip not in RETYPES or case["saturate"] >= 0 and \
                (chip not in SWITCHES or dtype.startswith("int")):
            return False
        if chip not in WITH and (case["before"] or case["op"] or case["cleared"]):
            return False
        if case["dst"] % WIDTH[dtype] or op != OFF and case["type"] != case["mode"]:
            return False
        reads = max((source + size for size, source, _ in self.bursts(case)), default=0)
        writes = max((target + size for size, _, target in self.bursts(case)), default=0)
        return reads <= case["src_n"] * WIDTH[dtype] and case["src"] % 32 == 0 and \
            writes <= case["dst_n"] * WIDTH[dtype] and case["src"] + reads <= UB_BYTES and \
            case["dst"] + writes <= GM_BYTES


ATOMIC = Atomic()


def plain(dtype, op=ADD, **changes):
    """Three bursts of two datablocks."""
    number = TYPES.index(dtype)
    case = {"op": op, "before": OFF, "mode": number, "retyped": 0, "cleared": 0, "saturate": -1,
            "times": 1, "type": number, "by_count": 0, "count": 96 // WIDTH[dtype], "blocks": 3,
            "length": 2, "src_gap": 1, "dst_gap": 2, "src_pos": VECOUT, "src": 64, "dst_pos": 0,
            "dst": 256, "special": 0, "seed": 1, "src_n": 1024 // WIDTH[dtype],
            "dst_n": 1024 // WIDTH[dtype]}
    return case | changes


def random_call(rng, chip):
    op = int(rng.choice(OPS[chip]))
    dtype = rng.choice(TYPES_OF[op][chip])
    src, dst = 32 * int(rng.integers(0, 50)), WIDTH[dtype] * int(rng.integers(0, 1000))
    return plain(dtype, op, before=rng.choice([OFF, *OPS[chip]]), retyped=rng.random() < 0.3,
                 cleared=rng.random() < 0.1, saturate=rng.choice([-1, -1, 0, 1]),
                 times=rng.choice([0, 1, 1, 2, 4]), by_count=rng.random() < 0.3,
                 count=rng.integers(0, 30) * 32 // WIDTH[dtype], blocks=rng.choice([0, 1, 2, 3, 9]),
                 length=rng.choice([0, 1, 2, 7]), src_gap=rng.choice([0, 1, 4]),
                 dst_gap=rng.choice([0, 1, 4]), src=src, dst=dst,
                 src_n=(UB_BYTES - src) // WIDTH[dtype], dst_n=(GM_BYTES - dst) // WIDTH[dtype],
                 special=rng.random() < 0.4, seed=rng.integers(0, 1 << 20))


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check(ATOMIC, chip, random_cases(ATOMIC, chip, lambda rng: random_call(rng, chip), 400))


@pytest.mark.parametrize("chip", WITH)
def test_special_values_of_each_type(chip):
    whole = {"by_count": 1, "src": 0, "dst": 0, "special": 1}
    cases = [plain(dtype, op, count=4096 // WIDTH[dtype], src_n=4096 // WIDTH[dtype],
                   dst_n=8192 // WIDTH[dtype], seed=seed, saturate=saturate, **whole)
             for op in OPS[chip] for dtype in TYPES_OF[op][chip] for seed in range(3)
             for saturate in (-1, 0, 1)]
    check(ATOMIC, chip, [case for case in cases if ATOMIC.legal(case, chip)])


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    listed = vinci("list", "--soc", CHIPS[chip]).stdout
    tables = list(zip(NAMES[1:], TYPES_OF[1:])) + [("SetAtomicType", {
        other: ADDS[other] if other in RETYPES else [] for other in CHIPS})]
    for name, types in tables:
        found = re.search(rf"^{name} \(\w+\)\n  .*?  +(.*)$", listed, re.M).group(1)
        assert found.split() == (types[chip] or ["none"])


@pytest.mark.parametrize("chip", CHIPS)
def test_type_not_on_chip(chip):
    for op in (ADD, MAX, MIN):
        for dtype in ["uint8", "int64", *ALL_TYPES]:
            if dtype not in TYPES_OF[op][chip]:
                code = "V6002" if TYPES_OF[op][chip] else "V6001"
                check_refused(ATOMIC, chip, plain(dtype, op), code)


def test_set_atomic_type_is_not_on_the_910():
    check_refused(ATOMIC, "1001", plain("float", retyped=1), "V6001")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chips_without_it(chip):
    check_refused(ATOMIC, chip, plain("float", OFF, cleared=1), "V6001")
    check(ATOMIC, chip, [plain("float", OFF)])


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    """The copy is of the mode's type, and starts at an element; what is behind the end is read."""
    number, rules = TYPES.index, []
    for dtype in ADDS[chip]:
        case = plain(dtype)
        other = "int32" if dtype == "float" else "float"
        rules += [(case, None), (case | {"type": number(other)}, "V2004"),
                  (case | {"type": number("uint32")}, "V2004"),
                  (case | {"type": number(other), "cleared": 1}, None),
                  (case | {"dst": 256 + WIDTH[dtype]}, None),
                  (case | {"dst_n": 10 * 32 // WIDTH[dtype]}, None),
                  (case | {"dst_n": 10 * 32 // WIDTH[dtype] - 1}, "V1001"),
                  (case | {"dst": GM_BYTES - 320}, None),
                  (case | {"blocks": 0}, None), (case | {"length": 0}, None)]
        if WIDTH[dtype] > 1:
            rules += [(case | {"dst": 257}, "V1004"), (case | {"dst": 257, "cleared": 1}, "V1004")]
    check_rules(ATOMIC, chip, rules)


def test_the_documents_sample():
    """Three times 256 ones are added to zeros."""
    class Ones(Atomic):
        def before(self, case, chip):
            return np.concatenate([np.ones(1024, np.float32), np.zeros(2048, np.float32)]).view(
                np.uint8)

    case = plain("float", by_count=1, count=256, times=3, dst_n=2048)
    want = Ones().expected(case, "1001", Ones().before(case, "1001"))[UB_BYTES:].view(np.float32)
    assert want[64:320].tolist() == [3] * 256 and want.sum() == 768
    for chip in WITH:
        check(Ones(), chip, [case])


@pytest.mark.parametrize("bits, added, wanted", [
    (0x7F7F, 0x7F7F, 0x7F7F), (0xFF7F, 0xFF7F, 0xFF7F), (0x7F80, 0xFF80, 0), (0x7FC0, 0x3F80, 0),
    (0x3F80, 0x3B80, 0x3F80), (0x3F80, 0x3C00, 0x3F81), (0x3F81, 0x3B80, 0x3F82)])
def test_bfloat16_always_saturates(bits, added, wanted):
    """Rounded to nearest even; whatever the core's mode is."""
    one, other = (np.array([x], np.uint16).view(np.uint8) for x in (bits, added))
    assert combined(ADD, "bfloat16", one, other, "2201").view(np.uint16)[0] == wanted

    class Given(Atomic):
        def before(self, case, chip):
            return np.repeat(np.array([added, bits], np.uint16), [2048, 4096]).view(np.uint8)

    check(Given(), "2201", [plain("bfloat16", saturate=mode) for mode in (-1, 0, 1)])


def test_half_saturates_where_the_core_does():
    assert COMPARES["2201"] == ALL_TYPES and "2201" not in SATURATES
    most = np.array([65504], np.float16).view(np.uint8)
    assert combined(ADD, "half", most, most, "2002").view(np.float16)[0] == 65504
    assert combined(ADD, "half", most, most, "2201").view(np.float16)[0] == np.inf
