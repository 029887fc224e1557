"""SetAippFunctions and LoadImageToLocal: each pixel of the result from the documents' formulas.

Channels are exchanged, the part is cut out, colours are converted, then types, then paddings are added
and channels filled up: all with whole arrays here.
"""

import numpy as np
import pytest

from batches import check_rules, check_told
from cases import TYPES, WIDTH, SubjectInL1, check, check_random, check_refused, launch
from fractals import to_half
from harness import CHIPS

A1, B1, VECIN = 1, 3, 9
YUV420, XRGB, RGB, YUV400 = 0, 1, 4, 9
FORMATS = (YUV420, XRGB, RGB, YUV400)
BYTES = {YUV420: 1, XRGB: 4, RGB: 3, YUV400: 1}
GM_BYTES, L1_BYTES = 16384, 65536
ALL = ["int8", "uint8", "half"]
SUPPORTED = {"2002": ALL, "2201": ["int8", "half"], "3002": ALL}
SATURATES = {"2002"}
PADS = ("top", "bottom", "left", "right")
LOAD = ("width", "height", "column", "row", "src_width", *PADS)
PARAMS = ("pad_mode", "pad0", "pad1", "pad2", "pad3", "swap_rb", "swap_uv", "swap_ax", "single",
          *(name + str(i) for name in ("mean", "min", "var") for i in range(3)), "round", "c_mode",
          "c_value", "csc", *(f"m{i}{j}" for i in range(3) for j in range(3)),
          *(name + str(i) for name in ("in", "out_") for i in range(3)))
ONE = 0x3C00


def halves(case, name):
    return np.array([case[f"{name}{i}"] for i in range(3)], np.uint16).view(np.float16)


def numbers(case, name):
    return np.array([case[f"{name}{i}"] for i in range(3)], np.int64)


def rounded_to_half(exact, saturates):
    """Exact doubles to binary16, once: by way of the float whose last digit is odd."""
    with np.errstate(all="ignore"):
        single = exact.astype(np.float32)
        inexact = np.isfinite(single) & (single.astype(np.float64) != exact)
        even = (single.view(np.int32) & 1) == 0
        up = single.astype(np.float64) < exact
        odd = np.nextafter(single, np.where(up, np.inf, -np.inf).astype(np.float32))
        return to_half(np.where(inexact & even, odd, single), saturates)


class ImageSubject(SubjectInL1):
    source = "load_image_cases.cpp"
    gm_bytes, l1_bytes = GM_BYTES, L1_BYTES
    fields = ("gm", "l1", "sets", "planes", "format", "src0", "src0_n", "src1", "src1_n", "out",
              "type", "dst_pos", "dst", "dst_n", *PARAMS, *LOAD)
    simplest = {"width": 2, "height": 2, "column": 0, "row": 0, **dict.fromkeys(PADS, 0), "single": 0,
                "csc": 0, "pad_mode": 0, "c_mode": 0, "dst": 0, "swap_rb": 0, "swap_uv": 0,
                "swap_ax": 0}

    def sizes(self, case):
        height = 1 if case["single"] else case["height"]
        width = WIDTH[TYPES[case["type"]]]
        channels = 4 if case["c_mode"] else 32 // width
        return height, (case["top"] + height + case["bottom"],
                        case["left"] + case["width"] + case["right"], channels), width

    def part(self, case, before):
        """[height, width, channels] of the image, those exchanged that are to be."""
        height, _, _ = self.sizes(case)
        y = case["row"] + np.arange(height)[:, None]
        x = case["column"] + np.arange(case["width"])
        at = case["src0"] + (y * case["src_width"] + x) * BYTES[case["format"]]
        if case["format"] == YUV400:
            return before[at][..., None].astype(np.int64)
        if case["format"] == YUV420:
            uv = case["src1"] + y // 2 * case["src_width"] + x // 2 * 2
            order = (uv + 1, uv) if case["swap_uv"] else (uv, uv + 1)
            return np.stack([before[place] for place in (at, *order)], -1).astype(np.int64)
        first = 1 if case["format"] == XRGB and case["swap_ax"] else 0
        pixels = before[at[..., None] + first + np.arange(3)].astype(np.int64)
        return pixels[..., ::-1] if case["swap_rb"] else pixels

    def coloured(self, case, pixels):
        if not case["csc"]:
            return pixels
        matrix = np.array([[case[f"m{i}{j}"] for j in range(3)] for i in range(3)])
        if case["format"] == YUV420:
            made = (pixels - numbers(case, "out_")) @ matrix.T // 256
        else:
            made = pixels @ matrix.T // 256 + numbers(case, "in")
        return made.clip(0, 255)

    def typed(self, case, chip, pixels):
        """As elements of the result's type."""
        count = pixels.shape[-1]
        if TYPES[case["out"]] == "uint8":
            return pixels.astype(np.uint8)
        centred = pixels - numbers(case, "mean")[:count]
        if TYPES[case["out"]] == "int8":
            return centred.clip(-128, 127).astype(np.int8)
        with np.errstate(all="ignore"):
            exact = (centred - halves(case, "min").astype(np.float64)[:count]) * \
                halves(case, "var").astype(np.float64)[:count]
        return rounded_to_half(exact, chip in SATURATES)

    def padded(self, case, pixels):
        sides = ((case["top"], case["bottom"]), (case["left"], case["right"]), (0, 0))
        if case["pad_mode"] == 1:
            return np.pad(pixels, sides, "edge")
        if case["pad_mode"] == 3:
            return np.pad(pixels, sides, "symmetric")
        if case["pad_mode"] == 2:
            for axis, (before, after) in enumerate(sides[:2]):
                count = pixels.shape[axis]
                pixels = np.concatenate([np.take(pixels, range(before), axis), pixels,
                                         np.take(pixels, range(count - after, count), axis)], axis)
            return pixels
        bits = np.array([case[f"pad{i}"] for i in range(pixels.shape[-1])], np.int64)
        value = bits.astype(f"u{pixels.dtype.itemsize}").view(pixels.dtype)
        left, right = (np.broadcast_to(value, (len(pixels), case[side], len(value)))
                       for side in ("left", "right"))
        return np.concatenate([left, pixels, right], 1)

    def expected(self, case, chip, before):
        _, shape, width = self.sizes(case)
        pixels = self.coloured(case, self.part(case, before))
        pixels = self.padded(case, self.typed(case, chip, pixels))
        whole = np.full(shape, case["c_value"], np.int64).astype(f"u{width}")
        whole[..., :pixels.shape[-1]] = np.ascontiguousarray(pixels).view(f"u{width}")
        memory = before[GM_BYTES:].copy()
        memory[case["dst"]:case["dst"] + whole.nbytes] = whole.view(np.uint8).ravel()
        return memory

    def legal(self, case, chip):
        if chip not in SUPPORTED or not case["sets"] or case["format"] not in FORMATS or \
                TYPES[case["out"]] not in SUPPORTED[chip] or case["out"] != case["type"] or \
                case["dst_pos"] not in (A1, B1) or case["dst"] % 32:
            return False
        if case["planes"] == 3 or case["format"] == YUV420 and case["planes"] != 2:
            return False
        align = {YUV420: 2, XRGB: 4}.get(case["format"], 1)
        if case["src0"] % align or (case["format"] == YUV420 and case["src1"] % 2):
            return False
        if not (0 <= case["pad_mode"] <= 3 and 0 <= case["c_mode"] <= 1) or \
                not 0 <= case["round"] <= (chip == "3002") or \
                (chip == "3002" and halves(case, "min").any()) or \
                (case["csc"] and case["format"] == YUV400):
            return False
        return self.load_is_legal(case)

    def load_is_legal(self, case):
        sizes = [case["width"], case["src_width"], *([] if case["single"] else [case["height"]])]
        height, shape, width = self.sizes(case)
        if not all(2 <= size <= 4095 for size in sizes) or case["row"] > 4095 or \
                case["column"] > 4095 or any(case[pad] > 32 for pad in PADS) or \
                case["column"] % 2 or case["column"] + case["width"] > case["src_width"]:
            return False
        if case["format"] == YUV420 and (case["row"] % 2 or case["src_width"] % 2):
            return False
        if case["pad_mode"] == 0 and (case["top"] or case["bottom"]) or case["pad_mode"] >= 2 and \
                (max(case["left"], case["right"]) > case["width"] or
                 max(case["top"], case["bottom"]) > height):
            return False
        last = case["row"] + height - 1
        end = (last * case["src_width"] + case["column"] + case["width"]) * BYTES[case["format"]]
        ends = last // 2 * case["src_width"] + case["column"] + -(-case["width"] // 2) * 2
        bytes_ = int(np.prod(shape)) * width
        return end <= min(case["src0_n"], GM_BYTES - case["src0"]) and \
            (case["format"] != YUV420 or ends <= min(case["src1_n"], GM_BYTES - case["src1"])) and \
            bytes_ <= min(case["dst_n"] * width, L1_BYTES - case["dst"])


IMAGE = ImageSubject()


def plain(out="int8", format_=RGB, **changes):
    """6 x 8 pixels of an image that is 20 wide."""
    case = {"gm": GM_BYTES, "l1": L1_BYTES, "sets": 1, "planes": 2 if format_ == YUV420 else 1,
            "format": format_, "src0": 0, "src1": 8192, "out": TYPES.index(out), "dst_pos": A1,
            "dst": 0, **dict.fromkeys(PARAMS, 0), **dict.fromkeys(("var0", "var1", "var2"), ONE),
            "width": 8, "height": 6, "column": 2, "row": 2, "src_width": 20,
            **dict.fromkeys(PADS, 0), "seed": 1} | changes
    width = WIDTH[TYPES[case["out"]]]
    return {"type": case["out"], "src0_n": GM_BYTES - case["src0"],
            "src1_n": GM_BYTES - case["src1"], "dst_n": (L1_BYTES - case["dst"]) // width} | case


def some_half(rng):
    kind = rng.integers(0, 8)
    if kind == 0:
        return int(rng.integers(0, 1 << 16))
    return int(np.float16(rng.normal() * 10.0 ** rng.integers(-4, 3)).view(np.uint16))


def random_image(rng, chip, out, format_):
    mode = int(rng.integers(0, 4))
    changes = {"pad_mode": mode, "width": rng.integers(2, 24), "height": rng.integers(2, 12),
               "column": 2 * rng.integers(0, 8), "row": rng.integers(0, 9), "single": rng.random() < 0.1,
               "src_width": rng.integers(4, 60), "c_mode": rng.integers(0, 2),
               "c_value": rng.integers(0, 1 << 8 * WIDTH[out]), "dst": 32 * rng.integers(0, 40),
               "dst_pos": rng.choice([A1, B1]), "csc": format_ != YUV400 and rng.integers(0, 2),
               "seed": rng.integers(0, 1 << 20)}
    changes |= {name: rng.integers(0, 9) if mode or name in ("left", "right") else 0
                for name in PADS}
    changes |= {f"pad{i}": rng.integers(0, 1 << 8 * WIDTH[out]) for i in range(4)}
    if format_ == YUV420:
        changes["swap_uv"] = rng.integers(0, 2)
        changes |= {f"out_{i}": rng.integers(0, 256) for i in range(3)}
    elif format_ != YUV400:
        changes |= {"swap_rb": rng.integers(0, 2),
                    "swap_ax": format_ == XRGB and rng.integers(0, 2)}
        changes |= {f"in{i}": rng.integers(0, 256) for i in range(3)}
    wide = rng.random() < 0.3
    changes |= {f"m{i}{j}": rng.integers(-32768, 32768) if wide else rng.integers(-300, 300)
                for i in range(3) for j in range(3)}
    changes |= {f"mean{i}": rng.integers(0, 256) for i in range(3)}
    changes |= {f"var{i}": some_half(rng) for i in range(3)}
    if chip == "3002":
        changes["round"] = rng.integers(0, 2)
    else:
        changes |= {f"min{i}": some_half(rng) for i in range(3)}
    if not changes["csc"]:
        changes |= dict.fromkeys(("in0", "in1", "in2", "out_0", "out_1", "out_2"), 0)
    changes["src0"] = int(rng.integers(0, 50)) * {YUV420: 2, XRGB: 4}.get(format_, 1)
    return plain(out, format_, **{name: int(value) for name, value in changes.items()})


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("chip, out", [(chip, out) for chip, outs in SUPPORTED.items() for out in outs])
def test_random(chip, out, format_):
    check_random(IMAGE, chip, lambda rng: random_image(rng, chip, out, format_), 60, out, format_)


def test_every_padding():
    """Each mode with each number of pixels at each side, one after the other."""
    cases = []
    for mode in range(4):
        for pad in PADS[2 * (mode == 0):]:
            cases += [plain("int8", pad_mode=mode, width=32, height=33, src_width=40, column=0, row=0,
                            **{pad: count}, pad0=1, pad1=2, pad2=3, c_mode=1)
                      for count in (1, 2, 31, 32)]
    check(IMAGE, "2002", cases)


@pytest.mark.parametrize("mode, row", [(1, "aaabcdddd"), (2, "ababcdbcd"), (3, "baabcddcb")])
def test_what_the_modes_mean(mode, row):
    """The row a b c d with two pixels before it and three behind it."""
    case = plain("uint8", YUV400, pad_mode=mode, left=2, right=3, width=4, height=2, column=0, row=0,
                 src_width=4, c_mode=1)
    run = launch(IMAGE, "2002", [case])
    pixels = dict(zip("abcd", run.images[0][:4]))
    got = run.outputs[0][0].reshape(-1, 4)[:9, 0]
    assert run.codes == [] and list(got) == [pixels[letter] for letter in row]


def test_documented_colours():
    """JPEG's matrix from YUV420SP to RGB, and to YUV of a grey: Y is the grey, U and V 128."""
    matrix = dict(zip((f"m{i}{j}" for i in range(3) for j in range(3)),
                      (256, 0, 359, 256, -88, -183, 256, 454, 0)))
    case = plain("uint8", YUV420, csc=1, **matrix, out_1=128, out_2=128)
    check(IMAGE, "3002", [case])
    to_yuv = dict(zip((f"m{i}{j}" for i in range(3) for j in range(3)),
                      (77, 150, 29, -43, -85, 128, 128, -107, -21)))
    subject = ImageSubject()
    subject.before = lambda case, chip: np.full(GM_BYTES + L1_BYTES, 100, np.uint8)
    run = launch(subject, "2002", [plain("uint8", RGB, csc=1, **to_yuv, in1=128, in2=128)])
    assert run.codes == [] and list(run.outputs[0][0][:3]) == [100, 128, 128]


RULES = [
    *(({name: value}, code) for name in ("width", "height") for value, code in
      ((2, None), (1, "V2001"), (0, "V2001"), (4096, "V2001"))),
    ({"width": 18}, None), ({"width": 19}, "V2004"), ({"height": 1, "single": 1}, None),
    ({"column": 0}, None), ({"column": 1}, "V2002"), ({"column": 4096}, "V2001"),
    ({"column": 14}, "V2004"), ({"row": 4096}, "V2001"), ({"row": 3}, None),
    ({"src_width": 10}, None), ({"src_width": 9}, "V2004"), ({"src_width": 4096}, "V2001"),
    ({"src_width": 1, "width": 2, "column": 0}, "V2001"), ({"src_width": 11}, None),
    *(({pad: value, "pad_mode": 1}, code) for pad in PADS for value, code in ((32, None), (33, "V2001"))),
    *(({pad: 1}, code) for pad, code in zip(PADS, ("V2004", "V2004", None, None))),
    *(({"pad_mode": mode, pad: value}, code) for mode in (2, 3) for pad, most in zip(PADS, (6, 6, 8, 8))
      for value, code in ((most, None), (most + 1, "V2004"))),
    ({"pad_mode": 2, "single": 1, "top": 1}, None), ({"pad_mode": 2, "single": 1, "top": 2}, "V2004"),
    ({"dst": 32}, None), ({"dst": 16}, "V1004"), ({"dst_pos": B1}, None), ({"dst_pos": VECIN}, "V1005"),
    ({"dst_n": 6 * 8 * 32}, None), ({"dst_n": 6 * 8 * 32 - 1}, "V1001"),
    ({"dst_n": 6 * 8 * 4, "c_mode": 1}, None), ({"dst_n": 6 * 8 * 4 - 1, "c_mode": 1}, "V1001"),
    ({"src0_n": 3 * (7 * 20 + 10)}, None), ({"src0_n": 3 * (7 * 20 + 10) - 1}, "V1001"),
    ({"type": 1}, "V2004"), ({"type": 4}, "V2004"), ({"sets": 0}, "V2004"),
    ({"src0": 1}, None),
]
PLANES = [
    ({"row": 3}, "V2002"), ({"row": 4}, None), ({"src_width": 21}, "V2002"), ({"src_width": 22}, None),
    ({"src0": 2}, None), ({"src1": 8194}, None),
    ({"src1_n": 3 * 20 + 10}, None), ({"src1_n": 3 * 20 + 9}, "V1001"), ({"width": 7}, None),
    ({"src0_n": 7 * 20 + 10}, None), ({"src0_n": 7 * 20 + 9}, "V1001"),
]
SETTERS = [
    ({"pad_mode": 4}, "V2001"), ({"c_mode": 2}, "V2001"), ({"format": 2}, "V2001"),
    ({"format": 10}, "V2001"), ({"round": 1}, "V2001"), ({"format": XRGB, "src0": 2}, "V1004"),
    ({"format": YUV420, "planes": 2, "src0": 1}, "V1004"),
    ({"format": YUV420, "planes": 2, "src1": 8193}, "V1004"),
]


@pytest.mark.parametrize("chip", ["2002", "2201"])
def test_rules(chip):
    rules = [(plain(**changes), code) for changes, code in RULES if changes.get("type") != 1 or
             chip == "2002"]
    rules += [(plain(format_=YUV420, **changes), code) for changes, code in PLANES]
    rules += [(plain(format_=XRGB, src0=4), None), (plain(format_=YUV400), None)]
    if chip == "2201":  # AIVs leave the load out, where it lies in UB, too
        rules = [rule for rule in rules if rule[0]["dst_pos"] != VECIN]
    check_rules(IMAGE, chip, rules)


@pytest.mark.parametrize("changes, codes", [
    *((changes, [code, "V2004"]) for changes, code in SETTERS),
    ({"format": YUV400, "csc": 1}, ["V2004", "V2004"]), ({"format": YUV420}, ["V2004", "V2004"])])
def test_what_is_not_set_leaves_nothing_to_load(changes, codes):
    run = launch(IMAGE, "2002", [plain(**changes)])
    assert run.codes == codes, run.stderr
    assert (run.outputs[0][0] == run.images[0][GM_BYTES:]).all()


def test_of_the_310b():
    """dtcRoundMode, and no dtcMin."""
    check(IMAGE, "3002", [plain(round=1), plain("half", round=1, var0=0x3555)])
    for changes in ({"round": 2}, {"min1": ONE}):
        assert launch(IMAGE, "3002", [plain(**changes)]).codes == ["V2001", "V2004"]


@pytest.mark.parametrize("changes", [
    {"planes": 2}, {"swap_uv": 1}, {"swap_ax": 1}, {"format": YUV400, "swap_rb": 1},
    {"csc": 1, "out_0": 3}, {"format": YUV420, "planes": 2, "csc": 1, "in2": 3}])
def test_what_the_format_does_not_have_is_told(changes):
    check_told(IMAGE, "2002", [plain(**changes)], "V2008")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_types(chip):
    check_refused(IMAGE, chip, plain(planes=3), "V6002")
    for out in ("int16", "float", "bfloat16"):
        check_refused(IMAGE, chip, plain(out), "V6002")
    if chip == "2201":
        check_refused(IMAGE, chip, plain("uint8"), "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(SUPPORTED)))
@pytest.mark.parametrize("sets", (0, 1))
def test_chips_without_it(chip, sets):
    check_refused(IMAGE, chip, plain(sets=sets, l1=0), "V6001")
