"""LoadData 3D v1: repeat i writes 16 window positions of one filter point as a fractal.

Row r of window (h, w) and filter point (c1, kh, kw) is fm[c1, h + kh * dilationH, w + kw *
dilationW, all of C0], or the pad value outside the map.
"""

import numpy as np
import pytest

from batches import check_told
from cases import (TYPES, WIDTH, Subject, check, check_random, check_refused, check_rule,
                   finite_halves, verdict)
from fractals import FRACTAL, IDENTITY, seen_through_identity
from harness import CHIPS

GM, A1, A2, B1, B2, CO1, VECIN = 0, 1, 2, 3, 4, 7, 9
WITH = ("1001", "2002")
SUPPORTED = ["uint8", "int8", "half"]
ALL = 3  # isSetFMatrix and isSetPadding
MAP = ("left", "right", "top", "bottom", "h", "w", "value")
EARLIER = tuple("earlier_" + name for name in MAP)
GEOMETRY = ("stride_w", "stride_h", "filter_w", "filter_h", "dilation_w", "dilation_h")


class Load3DSubject(Subject):
    source = "load_data_3d_v1_cases.cpp"
    kernel = "load_data_3d_v1_cases"
    fields = ("visible", "earlier", "sets", "type", "dst_pos", "dst", "dst_n", "src_pos", "src",
              "src_n", *EARLIER, *MAP, *GEOMETRY, "c1", "fetch_w", "fetch_h", "left_top_w",
              "left_top_h", "jump", "mode", "repeats", "c_size", "boundary", "seed")
    simplest = {"mode": 0, "repeats": 1, "jump": 1, "sets": ALL, "earlier": 0, "c1": 0,
                "fetch_w": 0, "fetch_h": 0, "filter_w": 1, "filter_h": 1, "dilation_w": 1,
                "dilation_h": 1, "stride_w": 1, "stride_h": 1, "left": 0, "right": 0, "top": 0,
                "bottom": 0, "h": 1, "w": 1, "left_top_w": 0, "left_top_h": 0, "dst": 0, "src": 0,
                "value": 0, "seed": 0}

    def __init__(self, dst_fractals=12, src_bytes=16384):
        self.dst_bytes, self.src_bytes = dst_fractals * FRACTAL, src_bytes

    def before(self, case, chip):
        size = self.dst_bytes + self.src_bytes
        return np.concatenate([IDENTITY, finite_halves(case["seed"], size)])

    def result_bytes(self, case, image):
        return 2 * self.dst_bytes

    def registers(self, case):
        """The map and the pad value that the load works with."""
        names = ["earlier_" + name if not case["sets"] & (1 if name == "value" else 2) else name
                 for name in MAP]
        return {name: case[of] for name, of in zip(MAP, names)}

    def windows(self, case, first, count):
        """Corners (h, w) of `count` windows from number `first` on, counted from leftTop."""
        fm = self.registers(case)
        last = fm["w"] + fm["right"] - (case["filter_w"] - 1) * case["dilation_w"] - 1
        in_first_row = max((last - case["left_top_w"]) // case["stride_w"] + 1, 1)
        in_a_row = (last + fm["left"]) // case["stride_w"] + 1
        number = np.arange(first, first + count)
        behind = number - in_first_row
        row = np.where(behind < 0, 0, 1 + behind // in_a_row)
        w = np.where(behind < 0, case["left_top_w"] + number * case["stride_w"],
                     behind % in_a_row * case["stride_w"] - fm["left"])
        return case["left_top_h"] + row * case["stride_h"], w

    def sources(self, case):
        """For each repeat, the byte offsets of its 16 rows in the feature map; -1 is the pad."""
        fm, result = self.registers(case), []
        size = case["filter_h"] * case["filter_w"]
        start = case["c1"] * size + case["fetch_h"] * case["filter_w"] + case["fetch_w"]
        for i in range(case["repeats"]):
            point = start + (i if case["mode"] == 0 else 0)
            h, w = self.windows(case, 16 * i if case["mode"] == 1 else 0, 16)
            y = h + point % size // case["filter_w"] * case["dilation_h"]
            x = w + point % case["filter_w"] * case["dilation_w"]
            inside = (y >= 0) & (y < fm["h"]) & (x >= 0) & (x < fm["w"])
            result.append(np.where(inside, ((point // size * fm["h"] + y) * fm["w"] + x) * 32, -1))
        return result

    def pad_row(self, case):
        width = WIDTH[TYPES[case["type"]]]
        return np.full(32 // width, self.registers(case)["value"], f"u{width}").view(np.uint8)

    def write(self, case, memory, at, rows):
        """A fractal of 16 rows of 32 bytes; in B2 transposed."""
        if case["dst_pos"] == B2:
            rows = np.ascontiguousarray(rows.view(np.uint16).reshape(16, 16).T).view(np.uint8)
        memory[at:at + FRACTAL] = rows.ravel()

    def rows(self, case, source, offsets):
        address = case["src"] + np.maximum(offsets, 0)[:, None] + np.arange(32)
        if case["boundary"] > 0:  # in datablocks
            address %= 32 * case["boundary"]
        return np.where(offsets[:, None] < 0, self.pad_row(case), source[address])

    def expected(self, case, chip, before):
        memory = before[FRACTAL:FRACTAL + self.dst_bytes].copy()
        source = before[FRACTAL + self.dst_bytes:]
        if case["earlier"]:
            one = {name: case["earlier_" + name] for name in MAP} | dict.fromkeys(
                GEOMETRY + ("repeats",), 1) | dict.fromkeys(
                    ("c1", "fetch_w", "fetch_h", "left_top_w", "left_top_h", "mode"), 0)
            one = case | one | {"sets": ALL}
            self.write(case, memory, self.dst_bytes - FRACTAL,
                       self.rows(one, source, self.sources(one)[0]))
        step = case["jump"] if case["mode"] == 1 else 1
        for i, offsets in enumerate(self.sources(case)):
            self.write(case, memory, case["dst"] + i * step * FRACTAL,
                       self.rows(case, source, offsets))
        return seen_through_identity(memory, case["dst_pos"] == B2)

    def untouched(self, case, chip, before):
        memory = before[FRACTAL:FRACTAL + self.dst_bytes]
        return seen_through_identity(memory, case["dst_pos"] == B2)

    def compared(self, case, got, want):
        return np.full(len(want), bool(case["visible"]))

    def legal_values(self, case):
        fm = self.registers(case)
        ranges = [(case["c1"], 0, 4095), (case["mode"], 0, 1), (case["c_size"], 0, 0),
                  (fm["h"], 1, 32767), (fm["w"], 1, 32767),
                  (case["jump"], case["mode"], 127), (case["repeats"], 0, 255)]
        for side in "wh":
            ranges += [(case["stride_" + side], 1, 63), (case["filter_" + side], 1, 255),
                       (case["dilation_" + side], 1, 255), (case["fetch_" + side], 0, 254),
                       (case["left_top_" + side], -255, 32767),
                       (case["fetch_" + side], 0, case["filter_" + side] - 1)]
        ranges += [(fm[side], 0, 255) for side in ("left", "right", "top", "bottom")]
        reach = (case["filter_w"] - 1) * case["dilation_w"] + 1
        return all(low <= value <= high for value, low, high in ranges) and \
            reach <= fm["w"] + fm["left"] + fm["right"]

    def legal(self, case, chip):
        dtype = TYPES[case["type"]]
        if chip not in WITH or dtype not in SUPPORTED or not self.legal_values(case) or \
                case["src_pos"] not in (A1, B1) or case["dst_pos"] not in (A2, B2) or \
                (case["dst_pos"] == B2 and dtype != "half") or \
                case["dst"] % 512 or case["src"] % 32:
            return False
        if case["sets"] != ALL and not case["earlier"]:
            return False
        width = WIDTH[dtype]
        for value in (case["value"], case["earlier_value"]):
            pattern = value if width == 2 else value << 8 | value
            if value >> 8 * width or pattern & 0x7C00 == 0x7C00 or pattern == 0x8000:
                return False
        starts = [int(offsets.max()) for offsets in self.sources(case) if offsets.max() >= 0]
        last, ring = max(starts, default=-32) + 32, 32 * max(case["boundary"], 0)
        if case["boundary"] >= 0 and chip != "2002" or 0 < ring < 512 or \
                ring and case["src"] >= ring:
            return False
        wraps = ring and case["src"] + last > ring
        step = case["jump"] if case["mode"] == 1 else 1
        written = ((case["repeats"] - 1) * step + 1) * FRACTAL if case["repeats"] else 0
        room = self.dst_bytes - FRACTAL * bool(case["earlier"])
        return (ring <= self.src_bytes if wraps else
                last <= min(case["src_n"] * width, self.src_bytes - case["src"])) and \
            written <= min(case["dst_n"] * width, room - case["dst"]) and \
            (not case["earlier"] or case["earlier_h"] * case["earlier_w"] * 32 <=
             min(case["src_n"] * width, self.src_bytes - case["src"]))


LOAD = Load3DSubject()


def plain(chip="2002", dtype="half", subject=LOAD, **changes):
    """The documents' 6x6 map with a 3x3 filter, pads of 1, two blocks of channels."""
    case = {"visible": chip in WITH, "earlier": 0, "sets": ALL, "type": TYPES.index(dtype),
            "dst_pos": A2, "dst": 0, "dst_n": subject.dst_bytes // WIDTH[dtype], "src_pos": A1,
            "src": 0, "src_n": subject.src_bytes // WIDTH[dtype], "left": 1, "right": 1, "top": 1,
            "bottom": 1, "h": 6, "w": 6, "value": 7, "stride_w": 1, "stride_h": 1, "filter_w": 3,
            "filter_h": 3, "dilation_w": 1, "dilation_h": 1, "c1": 0, "fetch_w": 0, "fetch_h": 0,
            "left_top_w": -1, "left_top_h": -1, "jump": 2, "mode": 1, "repeats": 3, "c_size": 0,
            "boundary": -1, "seed": 1}
    case |= {"earlier_" + name: case[name] for name in MAP}
    return case | changes


def random_map(rng, width, prefix=""):
    sides = {prefix + side: rng.choice([0, 0, 1, 2, 3, 5])
             for side in ("left", "right", "top", "bottom")}
    wide = rng.random() < 0.3  # lines of more than a fractal
    return sides | {prefix + "h": rng.integers(1, 5 if wide else 10),
                    prefix + "w": rng.integers(16, 50) if wide else rng.integers(1, 10),
                    prefix + "value": rng.integers(0, 1 << 8 * width)}


def random_load(rng, chip, dtype=None):
    dtype = dtype or rng.choice(SUPPORTED)
    earlier = rng.random() < 0.3
    case = plain(chip, dtype) | random_map(rng, WIDTH[dtype])
    case |= random_map(rng, WIDTH[dtype], "earlier_")
    for side in "wh":
        filter_size = rng.integers(1, 5)
        case |= {"stride_" + side: rng.integers(1, 4), "filter_" + side: filter_size,
                 "dilation_" + side: rng.choice([1, 1, 2, 3]),
                 "fetch_" + side: rng.integers(0, filter_size)}
    aligned = rng.random() < 0.6
    case |= {"left_top_w": -case["left"] if aligned else rng.integers(-6, 12),
             "left_top_h": -case["top"] if aligned else rng.integers(-6, 12)}
    src = int(rng.integers(0, 20)) * 32
    return case | {"mode": rng.integers(0, 2), "repeats": rng.integers(0, 9),
                   "jump": rng.integers(0, 5), "c1": rng.integers(0, 3), "src": src,
                   "src_n": (LOAD.src_bytes - src) // WIDTH[dtype],
                   "dst": 512 * rng.integers(0, 4), "dst_pos": rng.choice([A2, B2]),
                   "src_pos": rng.choice([A1, B1]), "earlier": earlier,
                   "sets": rng.integers(0, 4) if earlier else ALL, "seed": rng.integers(0, 1 << 20)}


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dtype", SUPPORTED)
def test_random(chip, dtype):
    check_random(LOAD, chip, lambda rng: random_load(rng, chip, dtype), 1000, dtype,
                 allowed=("V2008",))


def shown(subject, chip, case):
    """Column 0 of each destination fractal."""
    fractals = verdict(subject, chip, case).outputs[0][0].view(np.float32).reshape(-1, 16, 16)
    return fractals[:, :, 0].astype(int).tolist()


@pytest.mark.parametrize("chip", WITH)
def test_the_documents_examples(chip):
    """A map of 6y + x + 1, the second block of channels 100 more."""
    fm = np.arange(1, 37)[None, :, None] + np.array([0, 100])[:, None, None] + np.zeros(16)
    subject = Load3DSubject(5, 2 * 36 * 32)
    image = np.concatenate([IDENTITY, np.zeros(5 * 512, np.uint8),
                            fm.astype(np.float16).view(np.uint8).ravel()])
    subject.before = lambda case, chip: image
    got = shown(subject, chip, plain(chip, subject=subject, value=0))
    assert got[0] == [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 0, 7, 8, 9]
    assert got[2] == [10, 11, 0, 13, 14, 15, 16, 17, 0, 19, 20, 21, 22, 23, 0, 25]
    assert got[4] == [26, 27, 28, 29, 0, 31, 32, 33, 34, 35, 0, 0, 0, 0, 0, 0]
    got = shown(subject, chip, plain(chip, subject=subject, value=0, mode=0, fetch_h=2, fetch_w=1))
    assert got[0] == [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]
    assert got[1] == [8, 9, 10, 11, 12, 0, 14, 15, 16, 17, 18, 0, 20, 21, 22, 23]
    assert got[2] == [0, 0, 0, 0, 0, 0, 0, 101, 102, 103, 104, 105, 0, 107, 108, 109]


# A filter of one point on a map of one pixel: what does not fit elsewhere fits here.
SMALL = {"h": 1, "w": 1, "filter_w": 1, "filter_h": 1, "left_top_w": 0, "left_top_h": 0,
         "repeats": 1, "jump": 1, "left": 0, "right": 0, "top": 0, "bottom": 0}
WIDE = SMALL | {"left": 255, "right": 255, "w": 1}
RULES = [
    ("h 0", {"h": 0}, "V2001"), ("h 1", {"h": 1}, None),
    ("h 32767", SMALL | {"h": 32767}, None), ("h 32768", SMALL | {"h": 32768}, "V2001"),
    ("w 0", {"w": 0}, "V2001"), ("w 1", {"w": 1}, None),
    ("w 32767", SMALL | {"w": 32767}, None), ("w 32768", SMALL | {"w": 32768}, "V2001"),
    ("c1Index 4095", SMALL | {"c1": 4095, "left_top_h": 1}, None),
    ("c1Index 4096", SMALL | {"c1": 4096, "left_top_h": 1}, "V2001"),
    ("fetchFilterW 254", WIDE | {"filter_w": 255, "fetch_w": 254}, None),
    ("fetchFilterW 255", WIDE | {"filter_w": 255, "fetch_w": 255}, "V2001"),
    ("fetchFilterH 254", SMALL | {"filter_h": 255, "fetch_h": 254}, None),
    ("fetchFilterH 255", SMALL | {"filter_h": 255, "fetch_h": 255}, "V2001"),
    ("fetchFilterW the last", {"fetch_w": 2}, None),
    ("fetchFilterW past the filter", {"fetch_w": 3}, "V2004"),
    ("fetchFilterH the last", {"fetch_h": 2}, None),
    ("fetchFilterH past the filter", {"fetch_h": 3}, "V2004"),
    ("leftTopW -255", {"left_top_w": -255}, None), ("leftTopW -256", {"left_top_w": -256}, "V2001"),
    ("leftTopH -255", {"left_top_h": -255}, None), ("leftTopH -256", {"left_top_h": -256}, "V2001"),
    ("leftTopW 32767", {"left_top_w": 32767}, None),
    ("leftTopH 32767", {"left_top_h": 32767}, None),
    ("strideW 0", {"stride_w": 0}, "V2001"), ("strideW 1", {"stride_w": 1}, None),
    ("strideW 63", {"stride_w": 63}, None), ("strideW 64", {"stride_w": 64}, "V2001"),
    ("strideH 0", {"stride_h": 0}, "V2001"), ("strideH 1", {"stride_h": 1}, None),
    ("strideH 63", {"stride_h": 63}, None), ("strideH 64", {"stride_h": 64}, "V2001"),
    ("filterW 0", {"filter_w": 0}, "V2001"), ("filterW 1", {"filter_w": 1}, None),
    ("filterH 0", {"filter_h": 0}, "V2001"), ("filterH 255", {"filter_h": 255}, None),
    ("filterW 255", WIDE | {"filter_w": 255, "left_top_w": -255}, None),
    ("filterW as wide as the padded map", {"filter_w": 8}, None),
    ("filterW wider than the padded map", {"filter_w": 9}, "V2004"),
    ("filterW dilated as wide", {"filter_w": 3, "dilation_w": 3, "w": 5}, None),
    ("filterW dilated wider", {"filter_w": 3, "dilation_w": 4, "w": 5}, "V2004"),
    ("dilationFilterW 0", {"dilation_w": 0}, "V2001"),
    ("dilationFilterW 255", WIDE | {"filter_w": 2, "dilation_w": 255}, None),
    ("dilationFilterH 0", {"dilation_h": 0}, "V2001"),
    ("dilationFilterH 255", {"dilation_h": 255}, None),
    ("jumpStride 0 in mode 1", {"jump": 0}, "V2001"),
    ("jumpStride 1 in mode 0", {"jump": 1, "mode": 0}, None),
    ("jumpStride 127", {"jump": 127, "repeats": 1}, None),
    ("jumpStride 127 in mode 0", {"jump": 127, "mode": 0}, None),
    ("jumpStride 128", {"jump": 128, "repeats": 1}, "V2001"),
    ("jumpStride 128 in mode 0", {"jump": 128, "mode": 0}, "V2001"),
    ("repeatMode 2", {"mode": 2}, "V2001"), ("repeatTime 1", {"repeats": 1}, None),
    ("cSize 1", {"c_size": 1}, "V7001"), ("cSize 2", {"c_size": 2}, "V2001"),
    ("pads 255", {"left": 255, "right": 255, "top": 255, "bottom": 255, "left_top_w": -255}, None),
    ("dst just enough, mode 1", {"dst_n": 5 * 256}, None),
    ("dst one short, mode 1", {"dst_n": 5 * 256 - 1}, "V1001"),
    ("dst just enough, mode 0", {"mode": 0, "dst_n": 3 * 256}, None),
    ("dst one short, mode 0", {"mode": 0, "dst_n": 3 * 256 - 1}, "V1001"),
    ("src just enough", {"fetch_h": 2, "fetch_w": 2, "src_n": 36 * 16}, None),
    ("src one short", {"fetch_h": 2, "fetch_w": 2, "src_n": 36 * 16 - 1}, "V1001"),
    ("src of c1Index 1 just enough", {"fetch_h": 2, "fetch_w": 2, "c1": 1, "src_n": 72 * 16}, None),
    ("src of c1Index 1 one short", {"fetch_h": 2, "fetch_w": 2, "c1": 1, "src_n": 72 * 16 - 1},
     "V1001"),
    ("windows past Ho * Wo", {"repeats": 6}, None),
    ("only the pad", {"left_top_h": 200, "src_n": 0}, None),
    ("dst misaligned", {"dst": 256}, "V1004"), ("dst aligned", {"dst": 512}, None),
    ("src misaligned", {"src": 16, "src_n": 4096}, "V1004"),
    ("src aligned", {"src": 32, "src_n": 4096}, None),
    ("src in UB", {"src_pos": VECIN}, "V1005"), ("src in GM", {"src_pos": GM}, "V1005"),
    ("dst in UB", {"dst_pos": VECIN, "visible": 0}, "V1005"),
    ("dst in L1", {"dst_pos": B1, "visible": 0}, "V1005"),
    ("bytes to A2", {"type": 0}, None),
    ("bytes to B2", {"type": 0, "dst_pos": B2}, "V7001"),
]


@pytest.mark.parametrize("name, changes, code", RULES, ids=[rule[0] for rule in RULES])
def test_rule(name, changes, code):
    for chip in WITH:
        check_rule(LOAD, chip, plain(chip, **changes), code)


@pytest.mark.parametrize("chip", WITH)
def test_what_is_ignored_is_told(chip):
    """No repeats, in both modes; a jumpStride of 0 where none is used."""
    check_told(LOAD, chip, [plain(chip, repeats=0, mode=mode, jump=mode) for mode in (0, 1)] +
               [plain(chip, jump=0, mode=0)], "V2008")


@pytest.mark.parametrize("chip", WITH)
def test_what_is_legal_is_said(chip):
    """cSize 1 is refused, so that 0 alone is legal; bytes to B2 have no known order."""
    for changes, code, legal in (({"c_size": 1}, "V7001", "0"), ({"c_size": 2}, "V2001", "0"),
                                 ({"type": 0, "dst_pos": B2}, "V7001",
                                  "half to B2, or int8 to A2")):
        assert check_refused(LOAD, chip, plain(chip, **changes), code).faults[0]["legal"] == legal


@pytest.mark.parametrize("chip", WITH)
def test_extent_faults_name_the_parameters(chip):
    for mode, reach in ((0, "repeatMode 0, repeatTime 3"),
                        (1, "repeatMode 1, repeatTime 3, jumpStride 2")):
        run = verdict(LOAD, chip, plain(chip, mode=mode, dst_n=256))
        assert run.codes == ["V1001"] and run.faults[0]["message"].endswith(f" ({reach})")
    run = verdict(LOAD, chip, plain(chip, src_n=16))
    assert run.faults[0]["message"].endswith(
        " (c1Index 0, leftTopH -1, leftTopW -1, repeatMode 1, repeatTime 3)")


@pytest.mark.parametrize("chip", WITH)
def test_the_last_block_of_channels(chip):
    """c1Index 4095 reads its pixel."""
    large = Load3DSubject(2, 4096 * 32)
    check(large, chip, [plain(chip, subject=large, **SMALL) | {"c1": 4095}])


@pytest.mark.parametrize("chip", WITH)
def test_all_of_l0(chip):
    """128 fractals of L0A or L0B; another one is too much."""
    full = Load3DSubject(128, 16384)
    for place in (A2, B2):
        case = plain(chip, subject=full, dst_pos=place, mode=0, repeats=128, h=3, w=3, filter_w=4,
                     filter_h=4, dst_n=1 << 16)
        check(full, chip, [case, case | {"mode": 1, "jump": 1}])
        check_refused(full, chip, case | {"repeats": 129}, "V1002")
        check_refused(full, chip, case | {"mode": 1, "jump": 127, "repeats": 3}, "V1002")


@pytest.mark.parametrize("chip", WITH)
def test_the_end_of_l1(chip):
    case = plain(chip, **SMALL, visible=0, src_n=16)
    assert verdict(LOAD, chip, case | {"src": (1 << 20) - 32}).codes == []
    check_refused(LOAD, chip, case | {"src": 1 << 20}, "V1002")


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("sets", range(4))
def test_registers_of_an_earlier_load(chip, sets):
    """What a load does not set comes from the load before it."""
    other = {"earlier_h": 4, "earlier_w": 5, "earlier_left": 2, "earlier_right": 0,
             "earlier_top": 1, "earlier_value": 99}
    cases = [plain(chip, dtype, earlier=1, sets=sets, mode=mode, jump=1, **other)
             for dtype in SUPPORTED for mode in (0, 1)]
    check(LOAD, chip, cases)
    images = [LOAD.expected(case | {"sets": kind}, chip, LOAD.before(case, chip)).tobytes()
              for case in cases[-1:] for kind in range(4)]
    assert len(set(images)) == 4


@pytest.mark.parametrize("chip", WITH)
def test_registers_that_nobody_wrote(chip):
    run = verdict(LOAD, chip, plain(chip, sets=0))
    assert run.codes == ["V2001"] and run.code == 1
    assert "nothing in this block has described the feature map" in run.faults[0]["message"]


@pytest.mark.parametrize("chip", WITH)
def test_types(chip):
    for dtype in TYPES:
        if dtype not in SUPPORTED:
            case = plain(chip, visible=0) | {"type": TYPES.index(dtype)}
            check_refused(LOAD, chip, case, "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_3d_v1(chip):
    check_refused(LOAD, chip, plain(chip), "V6001")
