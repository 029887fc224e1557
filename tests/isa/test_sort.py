"""ProposalConcat, ProposalExtract, RpSort16, MrgSort4, Sort32, MrgSort."""

import re

import numpy as np
import pytest

import lanes
from batches import check_rules, check_told
from cases import TYPES, UB_BYTES, WIDTH, Subject, check, check_random, check_refused, verdict
from harness import CHIPS, NUMPY, vinci
from lanes import VECCALC
from reductions import image_of

NAMES = ["ProposalConcat", "ProposalExtract", "RpSort16", "MrgSort4", "Sort32", "MrgSort"]
MERGES = ("MrgSort4", "MrgSort")
PROPOSALS = {"1000": ["half"], "1001": ["half"], "2002": ["half", "float"]}
RECORDS = {"2201": ["half", "float"], "3002": ["half", "float"]}
SUPPORTED = {name: PROPOSALS if name in NAMES[:4] else RECORDS for name in NAMES}
PRESENT = [(name, chip) for name in NAMES for chip in SUPPORTED[name]]
SOURCES = ("src", "src2", "src3", "src4")
IMAGE = 16384


def key(score):
    """NaN, then the largest first; zeros are equal."""
    return (0, 0.0) if np.isnan(score) else (1, -float(score))


def record_of(name, width):
    """Bytes of what is sorted, and from where on its score stands."""
    return (8 * width, 4 * width) if name == "MrgSort4" else (8, 0)


def name_of(case):
    return NAMES[case["op"]]


def width_of(case):
    return WIDTH[TYPES[case["type"]]]


def lengths_of(case):
    """Of the valid queues; the others give nothing."""
    return [case[f"length{i}"] if case["valid"] >> i & 1 else 0 for i in range(4)]


def repeats_together(case):
    """Whether the documents let a merge repeat."""
    size = record_of(name_of(case), width_of(case))[0]
    return case["valid"] == 15 and not case["suspend"] and len(set(lengths_of(case))) == 1 and \
        all(case[name] == case["src"] + i * case["length0"] * size
            for i, name in enumerate(SOURCES))


def times(case):
    if name_of(case) in MERGES and case["repeats"] > 1 and not repeats_together(case):
        return 1
    return case["repeats"]


class Sorting(Subject):
    """kind, seed: see image_of; sorted: the queues of a merge are."""

    source = "sort_cases.cpp"
    fields = ("op", "type", "repeats", "mode", "suspend", "valid", "dst_pos", "dst", "dst_n",
              "src_pos", "src", "src_n", "src2_pos", "src2", "src2_n", "src3_pos", "src3", "src3_n",
              "src4_pos", "src4", "src4_n", "length0", "length1", "length2", "length3", "seed",
              "kind", "sorted")
    simplest = {"repeats": 1, "mode": 0, "length3": 0, "length2": 0, "length1": 1, "length0": 1,
                "seed": 0, "kind": 1, "sorted": 1}

    def __init__(self, image=IMAGE):
        self.image = image

    def before(self, case, chip):
        memory = image_of(case["kind"], case["seed"], self.image, TYPES[case["type"]]).copy()
        if name_of(case) in MERGES and case["sorted"]:
            size, offset = record_of(name_of(case), width_of(case))
            for queue, name in enumerate(SOURCES):
                count = lengths_of(case)[queue]
                for repeat in range(max(times(case), 0)):
                    at = case[name] + repeat * sum(lengths_of(case)) * size
                    part = memory[at:at + count * size].reshape(-1, size)
                    part[:] = part[self.sorted_rows(part, offset, case)]
        return memory

    def sorted_rows(self, rows, offset, case):
        scores = np.ascontiguousarray(rows[:, offset:offset + width_of(case)]).view(
            NUMPY[TYPES[case["type"]]])[:, 0]
        return sorted(range(len(rows)), key=lambda i: key(scores[i]))

    def untouched(self, case, chip, before):
        """The kernel stores the counts of a merge all the same."""
        if name_of(case) not in MERGES:
            return before
        after = before.copy()
        after[:16] = 0
        return after

    def expected(self, case, chip, before):
        after = before.copy()
        {"ProposalConcat": self.concat, "ProposalExtract": self.extract,
         "RpSort16": self.rp_sort, "Sort32": self.sort32}.get(
             name_of(case), self.merge)(case, after)
        return after

    def concat(self, case, memory):
        width = width_of(case)
        elements = memory.view(f"u{width}")
        for repeat in range(case["repeats"]):
            src, dst = case["src"] // width + 16 * repeat, case["dst"] // width + 128 * repeat
            elements[dst + case["mode"]:dst + 128:8] = elements[src:src + 16].copy()

    def extract(self, case, memory):
        width = width_of(case)
        elements = memory.view(f"u{width}")
        for repeat in range(case["repeats"]):
            src, dst = case["src"] // width + 128 * repeat, case["dst"] // width + 16 * repeat
            elements[dst:dst + 16] = elements[src + case["mode"]:src + 128:8].copy()

    def rp_sort(self, case, memory):
        size = 8 * width_of(case)
        for repeat in range(case["repeats"]):
            src, dst = case["src"] + 16 * size * repeat, case["dst"] + 16 * size * repeat
            rows = memory[src:src + 16 * size].reshape(16, size).copy()
            memory[dst:dst + 16 * size] = rows[self.sorted_rows(rows, size // 2, case)].ravel()

    def sort32(self, case, memory):
        width = width_of(case)
        for repeat in range(case["repeats"]):
            src, other = case["src"] + 32 * width * repeat, case["src2"] + 128 * repeat
            rows = np.zeros((32, 8), np.uint8)
            rows[:, :width] = memory[src:src + 32 * width].reshape(32, width)
            rows[:, 4:] = memory[other:other + 128].reshape(32, 4)
            dst = case["dst"] + 256 * repeat
            memory[dst:dst + 256] = rows[self.sorted_rows(rows, 0, case)].ravel()

    def merge(self, case, memory):
        merged, counts = self.merged(case, memory)
        memory[case["dst"]:case["dst"] + merged.size] = merged
        memory[:16].view(np.int32)[:] = counts

    def merged(self, case, memory):
        """The bytes of the merged queues, and how many records of each were taken at last."""
        size, offset = record_of(name_of(case), width_of(case))
        records, counts = [], [0] * 4
        for repeat in range(times(case)):
            queues, counts = [], [0] * 4
            for name, length in zip(SOURCES, lengths_of(case)):
                at = case[name] + repeat * sum(lengths_of(case)) * size
                rows = memory[at:at + length * size].reshape(-1, size).copy()
                scores = np.ascontiguousarray(rows[:, offset:offset + width_of(case)]).view(
                    NUMPY[TYPES[case["type"]]])[:, 0] if length else []
                queues.append((rows, [key(score) for score in scores]))
            while any(counts[i] < len(queues[i][1]) for i in range(4)):
                best = min((i for i in range(4) if counts[i] < len(queues[i][1])),
                           key=lambda i: queues[i][1][counts[i]])
                records.append(queues[best][0][counts[best]])
                counts[best] += 1
                if case["suspend"] and counts[best] == len(queues[best][1]):
                    break
        return np.array(records, np.uint8).ravel(), counts

    def spans(self, case):
        """Bytes of a repeat of dst and of each source."""
        width = width_of(case)
        return {"ProposalConcat": (128 * width, [16 * width]),
                "ProposalExtract": (16 * width, [128 * width]),
                "RpSort16": (128 * width, [128 * width]),
                "Sort32": (256, [32 * width, 128])}[name_of(case)]

    def inside(self, case, chip, operand, bytes_, align):
        """A tensor of so many bytes is in UB, long enough, and where it should be."""
        own = 4 if name_of(case) == "Sort32" and operand == "src2" else width_of(case)
        return case[operand + "_pos"] in lanes.POSITIONS and case[operand] % align == 0 and \
            bytes_ <= case[operand + "_n"] * own and \
            case[operand] + bytes_ <= min(self.image, UB_BYTES[chip])

    def legal(self, case, chip):
        name = name_of(case)
        if TYPES[case["type"]] not in SUPPORTED[name].get(chip, []):
            return False
        if not (1 if name == "MrgSort4" else 0) <= case["repeats"] <= 255:
            return False
        return self.legal_merge(case, chip) if name in MERGES else self.legal_sort(case, chip)

    def legal_sort(self, case, chip):
        name, repeats, width = name_of(case), case["repeats"], width_of(case)
        if name in NAMES[:2] and not 0 <= case["mode"] <= 5:
            return False
        to, sources = self.spans(case)
        need = {"dst": repeats * to, **{SOURCES[i]: repeats * size
                                        for i, size in enumerate(sources)}}
        if repeats and name in NAMES[:2]:  # of the last proposal nothing behind the field
            need["dst" if name == "ProposalConcat" else "src"] -= (7 - case["mode"]) * width
        if not all(self.inside(case, chip, operand, bytes_, 32)
                   for operand, bytes_ in need.items()):
            return False
        return "V1008" not in self.overlaps(case)

    def overlaps(self, case):
        """The code of the first repeat that is in the way of each source, if there is one: of its
        own, or of a later repeat's."""
        to, sources = self.spans(case)
        codes = set()
        for operand, size in zip(SOURCES, sources):
            for repeat in range(case["repeats"]):
                at, start = case["dst"] + repeat * to, case[operand] + repeat * size
                own = at != start and at < start + size and start < at + to
                rest = case[operand] + case["repeats"] * size
                if own or repeat + 1 < case["repeats"] and at < rest and start + size < at + to:
                    codes.add("V1008" if own else "V1012")
                    break
        return codes

    def legal_merge(self, case, chip):
        if case["valid"] not in (3, 7, 15):
            return False
        width, lengths, repeats = width_of(case), lengths_of(case), times(case)
        size = record_of(name_of(case), width)[0]
        aligned = (size, size) if name_of(case) == "MrgSort4" else (32, 8)
        if not all(0 <= length <= 4095 for length in lengths):
            return False
        for queue, operand in enumerate(SOURCES):
            if not case["valid"] >> queue & 1:
                continue
            bytes_ = ((repeats - 1) * sum(lengths) + lengths[queue]) * size \
                if repeats and lengths[queue] else 0
            if not self.inside(case, chip, operand, bytes_, aligned[1]):
                return False
            whole = repeats * sum(lengths) * size
            if bytes_ and case["dst"] < case[operand] + bytes_ and \
                    case[operand] < case["dst"] + whole:
                return False
        results = self.merged(case, self.before(case, chip))[0].size
        return self.inside(case, chip, "dst", results, aligned[0])


SORTING = Sorting()


def plain(name, dtype, **changes):
    """Two repeats (a merge: one) from 512, dst at 8192; queues of 5, 4, 3, 2 records."""
    width = WIDTH[dtype]
    size = record_of(name, width)[0]
    starts = (512, 512 + 16 * size, 512 + 32 * size, 512 + 48 * size)
    case = {"op": NAMES.index(name), "type": TYPES.index(dtype), "mode": 4, "suspend": 0,
            "repeats": 1 if name in MERGES else 2, "valid": 15, "seed": 1, "kind": 1, "sorted": 1,
            "length0": 5, "length1": 4, "length2": 3, "length3": 2, "dst_pos": VECCALC,
            "dst": 8192, "dst_n": 8192 // width}
    for operand, start in zip(SOURCES, starts):
        case |= {operand: start, operand + "_pos": VECCALC, operand + "_n": (8192 - start) // width}
    if name == "Sort32":
        case |= {"src2": 4096, "src2_n": 1024}
    return case | changes


def random_call(rng, name, chip):
    case = plain(name, rng.choice(SUPPORTED[name][chip]))
    case |= {"seed": rng.integers(0, 1 << 20), "kind": rng.integers(0, 4),
             "mode": rng.integers(0, 6), "repeats": rng.integers(0, 9)}
    if name in MERGES:
        return random_merge(rng, case)
    align = 32
    place = {"src": align * rng.integers(0, 60), "dst": 8192 + align * rng.integers(0, 60)}
    if rng.integers(0, 3) == 0:
        place["dst"] = place["src"]
    width = width_of(case)
    case |= place | {"src_n": (IMAGE - place["src"]) // width,
                     "dst_n": (IMAGE - place["dst"]) // width}
    if name == "Sort32":
        case |= {"src2": 2048 + 32 * rng.integers(0, 90), "src2_n": 2000}
    return case


def random_merge(rng, case):
    size = record_of(name_of(case), width_of(case))[0]
    case |= {"valid": rng.choice([3, 7, 15, 15]), "suspend": rng.integers(0, 2),
             "repeats": 1, "dst": 8192 + 32 * rng.integers(0, 9)}
    case |= {f"length{i}": rng.integers(0, rng.choice([2, 8, 40])) for i in range(4)}
    if rng.integers(0, 3) == 0:  # contiguous, several times
        length = int(rng.integers(0, 12))
        start = int(case["src"])
        case |= {"valid": 15, "suspend": 0, "repeats": rng.integers(1, 5),
                 **{f"length{i}": length for i in range(4)},
                 **{name: start + i * length * size for i, name in enumerate(SOURCES)}}
    else:
        case |= {name: size * rng.integers(1, 8192 // size - 50) for name in SOURCES}
    return case | {name + "_n": 8192 // width_of(case) for name in SOURCES} | \
        {"dst_n": (IMAGE - case["dst"]) // width_of(case)}


@pytest.mark.parametrize("name, chip", PRESENT)
def test_random(name, chip):
    allowed = ["V2020" if name in MERGES else "V1012"]  # of queues that share bytes, one is not sorted
    check_random(SORTING, chip, lambda rng: random_call(rng, name, chip), 150, name,
                 allowed=allowed)


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    listed = vinci("list", "--soc", CHIPS[chip]).stdout
    for name in NAMES:
        types = re.search(rf"^{name} \(\w+\)\n  .*?  +(.*)$", listed, re.M).group(1)
        assert types.split() == SUPPORTED[name].get(chip, ["none"])
        for dtype in {"float", "int32"} - set(SUPPORTED[name].get(chip, [])):
            check_refused(SORTING, chip, plain(name, dtype),
                          "V6002" if chip in SUPPORTED[name] else "V6001")


class Given(Sorting):
    """Numbers at src."""

    given = np.zeros(0, np.uint8)

    def before(self, case, chip):
        memory = np.zeros(self.image, np.uint8)
        memory[case["src"]:case["src"] + self.given.nbytes] = self.given.ravel().view(np.uint8)
        return memory


def test_printed():
    """The documents' first 32 numbers, as scores of proposals, sorted 16 by 16."""
    subject = Given()
    scores = np.array([-1.624, -42.3, -54.12, 91.25, -99.4, 36.72, 67.44, -66.3, -52.53, 3.377,
                       -62.47, -15.85, -31.47, 3.143, 58.47, -83.75, 21.58, 63.47, 7.234, 35.16,
                       -39.72, 37.8, 73.06, -98.7, 44.1, -77.2, 67.2, 19.62, -87.9, -14.875, 15.86,
                       -77.75], np.float16)
    subject.given = np.zeros((32, 8), np.float16)
    subject.given[:, 4] = scores
    case = plain("RpSort16", "half")
    want = subject.expected(case, "2002", subject.before(case, "2002"))[8192:8704].view(np.float16)
    assert want[4::8][:5].tolist() == np.array([91.25, 67.44, 58.47, 36.72, 3.377],
                                               np.float16).tolist()
    check(subject, "2002", [case, case | {"dst": 512}])
    assert (want[4::8] == np.concatenate([np.sort(scores[:16])[::-1],
                                          np.sort(scores[16:])[::-1]])).all()


@pytest.mark.parametrize("chip", ["2002", "2201"])
def test_equal_scores_keep_their_order(chip):
    subject = Given()
    if chip == "2002":
        subject.given = np.zeros((16, 8), np.float16)
        subject.given[:, 0] = np.arange(16)
        subject.given[:, 4] = [0.0, -0.0, 1, np.nan] * 4
        case = plain("RpSort16", "half", repeats=1)
        got = subject.expected(case, chip, subject.before(case, chip))[8192:8448].view(np.float16)
        assert got[::8].tolist() == [3, 7, 11, 15, 2, 6, 10, 14, 0, 1, 4, 5, 8, 9, 12, 13]
    else:
        subject.given = np.repeat(np.array([2.5, 2.5, -1, np.inf], np.float32), 8)
        case = plain("Sort32", "float", repeats=1)
    check(subject, chip, [case])


def merge_rules(name, dtype, size):
    """Limits of the merges, on both sides."""
    dst_aligned, src_aligned = (size, size) if name == "MrgSort4" else (32, 8)
    behind = 8192 + -(-14 * size // 32) * 32  # what is merged at 8192
    rules = [({"valid": valid}, None if valid in (3, 7, 15) else "V2001")
             for valid in (0, 1, 2, 3, 5, 7, 8, 15, 16)]
    rules += [
        ({"repeats": 0}, "V2001" if name == "MrgSort4" else None),
        ({"repeats": 256}, "V2001"), ({"length0": 4096}, "V2001"), ({"length3": 4096}, "V2001"),
        ({"length3": 4096, "valid": 7}, None), ({"length0": 0}, None),
        ({"length0": 0, "length1": 0, "length2": 0, "length3": 0}, None),
        ({"dst": 8192 + dst_aligned}, None), ({"dst": 8192 + dst_aligned // 2}, "V1004"),
        ({"src2": 4096 + src_aligned}, None), ({"src2": 4096 + src_aligned // 2}, "V1004"),
        ({"src4": 4, "valid": 7}, None), ({"src4_pos": 0}, "V1005"),
        ({"src4_pos": 0, "valid": 7}, None), ({"dst_pos": 1}, "V1005"),
        ({"dst": 512}, "V1008"), ({"src": behind, "src_n": 5 * size // WIDTH[dtype]}, None),
        ({"src": behind - 32, "src_n": 5 * size // WIDTH[dtype]}, "V1008"),
        ({"dst_n": 14 * size // WIDTH[dtype]}, None),
        ({"dst_n": 14 * size // WIDTH[dtype] - 1}, "V1001"),
        ({"src_n": 5 * size // WIDTH[dtype]}, None),
        ({"src_n": 5 * size // WIDTH[dtype] - 1}, "V1001"),
        ({"suspend": 1}, None), ({"suspend": 1, "length2": 0}, None),
    ]
    return rules


def sort_rules(name, dtype):
    width = WIDTH[dtype]
    to, sources = SORTING.spans(plain(name, dtype))
    rules = [
        ({"repeats": 0}, None), ({"repeats": -1}, "V2001"), ({"repeats": 256}, "V2001"),
        ({"dst": 8192 + 32}, None), ({"dst": 8192 + 16}, "V1004"), ({"src": 528}, "V1004"),
        ({"dst_pos": 0}, "V1005"), ({"src_pos": 1}, "V1005"),
        ({"dst": 512, "repeats": 1}, None), ({"dst": 544, "repeats": 1}, "V1008" if sources[0] > 32 else None),
    ]
    if name in NAMES[:2]:
        rules += [({"mode": mode}, None if 0 <= mode <= 5 else "V2001")
                  for mode in (-1, 0, 1, 2, 3, 4, 5, 6)]
    exact = {"mode": 5, "repeats": 1}
    for operand, size in (("dst", to), ("src", sources[0])):
        least = size // width - (2 if size == 128 * width and name in NAMES[:2] else 0)
        rules += [(exact | {operand + "_n": least}, None),
                  (exact | {operand + "_n": least - 1}, "V1001")]
    if name == "Sort32":
        rules += [({"src2": 4112}, "V1004"), ({"src2_pos": 0}, "V1005"), ({"src2_n": 64}, None),
                  ({"src2_n": 63}, "V1001"), ({"dst": 4096, "repeats": 1}, None),
                  ({"dst": 4096 - 256}, "V1008")]
    return rules


@pytest.mark.parametrize("name, chip", PRESENT)
def test_rules(name, chip):
    for dtype in SUPPORTED[name][chip]:
        rules = merge_rules(name, dtype, record_of(name, WIDTH[dtype])[0]) \
            if name in MERGES else sort_rules(name, dtype)
        check_rules(SORTING, chip, [(plain(name, dtype, **changes), code)
                                    for changes, code in rules])


@pytest.mark.parametrize("name, chip", [pair for pair in PRESENT if pair[0] not in MERGES])
def test_repeats_that_feed_the_next(name, chip):
    """Repeats run in order: what one writes the next one reads. It is told, and done."""
    for dtype in SUPPORTED[name][chip]:
        to, sources = SORTING.spans(plain(name, dtype))
        behind = plain(name, dtype, repeats=5, dst=512 + sources[0])
        in_place = plain(name, dtype, repeats=3, dst=512)
        told = [case for case in (behind, in_place) if SORTING.overlaps(case)]
        assert behind in told and (in_place in told) == (to > sources[0])
        check_told(SORTING, chip, told, "V1012")
        check(SORTING, chip, [in_place | {"dst": 512 + 3 * sources[0]},
                              in_place | {"src": 512 + 3 * to}])
        if sources[0] > 32:
            check_refused(SORTING, chip, in_place | {"dst": 544}, "V1008")
    if name == "Sort32":
        check_told(SORTING, chip, [plain(name, "float", dst=4096)], "V1012")


@pytest.mark.parametrize("name, chip", [pair for pair in PRESENT if pair[0] in MERGES])
def test_repeats_without_effect(name, chip):
    """Queues that are not alike, apart, not four, or suspended are merged once, with a warning."""
    size = record_of(name, 2)[0]
    alike = {"repeats": 3, **{f"length{i}": 4 for i in range(4)},
             **{operand: 512 + 4 * i * size for i, operand in enumerate(SOURCES)}}
    case = plain(name, "half", **alike)
    check(SORTING, chip, [case])
    for change in ({"length1": 3}, {"src2": 4096}, {"valid": 7}, {"suspend": 1}):
        assert verdict(SORTING, chip, case | change).codes == ["V2008"]
        check(SORTING, chip, [case | change], allowed=["V2008"])


@pytest.mark.parametrize("name, chip", [pair for pair in PRESENT if pair[0] in MERGES])
def test_queues_that_are_not_sorted(name, chip):
    """They are merged from head to head, and told."""
    for dtype in SUPPORTED[name][chip]:
        told = []
        for seed in range(8):
            case = plain(name, dtype, sorted=seed // 6, seed=seed, kind=seed % 4, suspend=seed % 2)
            size, offset = record_of(name, WIDTH[dtype])
            merged = SORTING.merged(case, SORTING.before(case, chip))[0].reshape(-1, size)
            order = SORTING.sorted_rows(merged, offset, case)
            codes = [] if (order == np.arange(len(merged))).all() else ["V2020"]
            assert verdict(SORTING, chip, case).codes == codes
            check(SORTING, chip, [case], allowed=["V2020"])
            told += codes
        assert 3 < len(told) < 7


@pytest.mark.parametrize("name, chip", [pair for pair in PRESENT if pair[0] in MERGES])
def test_long_queues(name, chip):
    """4095 records, the documents' most, as far as UB holds them."""
    size = record_of(name, 2)[0]
    large = Sorting(UB_BYTES[chip])
    dst = large.image // 2
    case = plain(name, "half", valid=3, length0=4095, length1=16, src=32, src2=32 + 4095 * size,
                 src_n=dst // 2, src2_n=1024, dst=dst, dst_n=dst // 2)
    check(large, chip, [case, case | {"length0": 16, "length1": 4095, "src2": 32, "src": 32,
                                      "src2_n": dst // 2}])
