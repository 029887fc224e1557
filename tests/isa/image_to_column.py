"""LoadData 3D v2: the block X[m0:m0+M, k0:k0+K] of the image-to-column matrix, as Mmad's operand.

Column k is channel c0 of block c1 at filter point (kh, kw): k = ((c1 * Kh + kh) * Kw + kw) * C0 +
c0. Channels that fill no block of C0 follow, cx to a point. Row m is window (m / Wo, m % Wo).

SetLoadDataRepeat makes the block of several, SetLoadDataBoundary makes a ring of L1's first bytes.
"""

import numpy as np

from cases import TYPES, WIDTH, Subject, random_bytes
from fractals import FRACTAL, packed, unpacked

A1, A2, B1, B2 = 1, 2, 3, 4
WITH = ("2002", "2201", "3002")
NARROW = ["uint8", "int8", "half"]
SUPPORTED = {"2002": NARROW, "2201": NARROW + ["bfloat16", "uint32", "int32", "float", "int4"]}
SUPPORTED["3002"] = SUPPORTED["2201"]
ALL = 3  # isSetPadding is bit 0, isSetFMatrix bit 1
SET_LEFT, SET_RIGHT, SET_PADDING, SET_BY_V1, SET_REPEAT, SET_BOUNDARY = 1, 2, 4, 8, 16, 32
PRO = 3  # the first form of LoadData3DParamsV2Pro

SIDES = ("left", "right", "top", "bottom")
MAP = SIDES + ("h", "w")
GEOMETRY = ("stride_w", "stride_h", "filter_w", "filter_h", "dilation_w", "dilation_h")
BLOCK = ("channels", "k_ext", "m_ext", "k_start", "m_start")
FLAGS = ("transpose", "small_k", "size_w", "size_h", "right_map")
REPEAT = ("repeat_stride", "repeat_time", "repeat_mode")


def prefixed(prefix):
    return tuple(prefix + name for name in MAP)


def bits_of(case):
    name = TYPES[case["type"]]
    return 4 if name == "int4" else 8 * WIDTH[name]


def c0_of(case):
    return 256 // bits_of(case)


def rests_of(case):
    """Channels that may be left over after whole blocks of C0."""
    return {4: (0, 8, 16, 32), 8: (0, 4, 8, 16), 16: (0, 4, 8), 32: (0, 4)}[bits_of(case)]


def up(value, unit):
    return -(-value // unit) * unit


class Registers:
    """What the load finds in the registers, after it has written its own share of them."""

    def __init__(self, case):
        self.maps, self.pad = [dict.fromkeys(MAP, 0), dict.fromkeys(MAP, 0)], 0
        for bit, number, prefix in ((SET_BY_V1, 0, "l_"), (SET_LEFT, 0, "l_"),
                                    (SET_RIGHT, 1, "r_")):
            if case["setup"] & bit:
                self.maps[number] = {name: case[prefix + name] for name in MAP}
        if case["setup"] & (SET_PADDING | SET_BY_V1):
            self.pad = case["earlier_value"]
        if case["form"] < PRO and case["sets"] & 2:
            self.maps[case["right_map"]] = {name: case[name] for name in MAP}
        if case["form"] < PRO and case["sets"] & 1:
            self.pad = case["value"]
        self.map = self.maps[case["right_map"]]
        self.boundary = case["boundary"] if case["setup"] & SET_BOUNDARY else 0


def filter_of(case):
    """Kh, Kw."""
    return (case["filter_h"] + 256 * case["size_h"], case["filter_w"] + 256 * case["size_w"])


def output_of(case, fm):
    """Ho, Wo; less than 1 where the filter does not fit."""
    kh, kw = filter_of(case)
    tall = fm["h"] + fm["top"] + fm["bottom"] - (kh - 1) * case["dilation_h"] - 1
    wide = fm["w"] + fm["left"] + fm["right"] - (kw - 1) * case["dilation_w"] - 1
    return tall // case["stride_h"] + 1, wide // case["stride_w"] + 1


def width_of(case):
    """Columns of X, up to whole fractals."""
    kh, kw = filter_of(case)
    rest = case["channels"] % c0_of(case)
    return (case["channels"] - rest) * kh * kw + up(rest * kh * kw, c0_of(case))


class Repeats:
    """The blocks that one load takes: how many, how far apart in X, and which way."""

    def __init__(self, case, chip):
        stride, times, mode = (case[name] for name in REPEAT) if case["setup"] & SET_REPEAT else \
            (0, 1, 0)
        self.times = times
        self.down, self.along = (times, 1) if mode == 0 else (1, times)
        self.row_stride = 16 * stride
        self.column_stride = (2 if chip == "3002" else 1) * c0_of(case) * stride
        self.mode = mode

    def whole(self, case):
        """The case of the one bigger block."""
        return case | {"m_ext": self.down * case["m_ext"], "k_ext": self.along * case["k_ext"]}

    def in_x(self, case, m, k):
        """Row and column numbers of X for those of the bigger block."""
        if self.down > 1:
            m = m // case["m_ext"] * self.row_stride + m % case["m_ext"]
        if self.along > 1:
            k = k // case["k_ext"] * self.column_stride + k % case["k_ext"]
        return case["m_start"] + m, case["k_start"] + k

    def legal(self, case):
        return self.mode in (0, 1) and \
            (self.down <= 1 or case["m_ext"] % 16 == 0 and case["m_ext"] <= self.row_stride) and \
            (self.along <= 1 or
             case["k_ext"] % c0_of(case) == 0 and case["k_ext"] <= self.column_stride)


def is_nop(case):
    return bool(case["setup"] & SET_REPEAT and case["repeat_time"] == 0)


def ends_in_a_fractal(case, chip):
    """Rows that start or end inside a fractal, and end above the matrix's last one."""
    repeats = Repeats(case, chip)
    ho, wo = output_of(case, Registers(case).map)
    end = case["m_start"] + (repeats.down - 1) * repeats.row_stride + case["m_ext"]
    return not is_nop(case) and end <= up(ho * wo, 16) - 16 and \
        (case["m_start"] % 16 != 0 or case["m_ext"] % 16 != 0)


def sources(case, fm, rows, columns):
    """For X[rows, columns] the element's number in L1; -1: the pad value, -2: no such column."""
    kh, kw = filter_of(case)
    c0, rest = c0_of(case), case["channels"] % c0_of(case)
    whole = (case["channels"] - rest) * kh * kw
    behind = columns - whole
    step = np.where(behind < 0, c0, rest or 1)
    point = np.where(behind < 0, columns // c0 % (kh * kw), behind // step)
    channel = np.where(behind < 0, columns % c0, behind % step)
    plane = np.where(behind < 0, columns // (c0 * kh * kw), case["channels"] // c0)
    wo = output_of(case, fm)[1]
    y = (rows // wo * case["stride_h"] - fm["top"])[:, None] + point // kw * case["dilation_h"]
    x = (rows % wo * case["stride_w"] - fm["left"])[:, None] + point % kw * case["dilation_w"]
    inside = (y >= 0) & (y < fm["h"]) & (x >= 0) & (x < fm["w"])
    element = plane * fm["h"] * fm["w"] * c0 + (y * fm["w"] + x) * step + channel
    return np.where(point >= kh * kw, -2, np.where(inside, element, -1))


def places(case, m, k):
    """Where X's element (m, k) of the block lies in the destination, in elements."""
    bits, c0 = bits_of(case), c0_of(case)
    if case["dst_pos"] == B2:
        run = 8 if bits == 32 else 16
        return (m // run * -(-case["k_ext"] // 16) + k // 16) * 16 * run + k % 16 * run + m % run
    if not case["transpose"]:
        return (m // 16 * -(-case["k_ext"] // c0) + k // c0) * 16 * c0 + m % 16 * c0 + k % c0
    high = up(case["m_ext"], 16) // 16
    if bits == 32:
        return (k // 16 * 2 * high + m // 8) * 128 + k % 16 * 8 + m % 8
    return (k // 16 * high + m // 16) * 256 + k % 16 * 16 + m % 16


def row_unit(case):
    """Rows come in these steps."""
    return 8 if case["dst_pos"] == B2 and bits_of(case) == 32 else 16


def written_bytes(case):
    m, k = up(case["m_ext"], row_unit(case)), case["k_ext"]
    stays = case["dst_pos"] == A2 and not case["transpose"]
    return m * up(k, c0_of(case) if stays else 16) * bits_of(case) // 8


class ImageToColumn(Subject):
    source = "load_data_3d_v2_cases.cpp"
    kernel = "load_data_3d_v2_cases"
    fields = ("visible", "form", "sets", "setup", "again", "type", "dst_pos", "dst", "dst_n",
              "src_pos", "src", "src_n", *MAP, "value", *prefixed("l_"), *prefixed("r_"),
              "earlier_value", *BLOCK, *GEOMETRY, *FLAGS, *REPEAT, "boundary", "seed")
    simplest = {"again": 0, "form": 2, "sets": ALL, "setup": 0, "transpose": 0, "small_k": 0,
                "right_map": 0, "m_start": 0, "k_start": 0, "m_ext": 1, "k_ext": 16, "channels": 16,
                **dict.fromkeys(GEOMETRY, 1), **dict.fromkeys(SIDES, 0), "h": 1, "w": 1, "dst": 0,
                "src": 0, "value": 0, "repeat_time": 1, "repeat_mode": 0, "boundary": 0, "seed": 0}

    def __init__(self, dst_fractals=24, src_bytes=16384):
        self.dst_bytes, self.src_bytes = dst_fractals * FRACTAL, src_bytes

    def before(self, case, chip):
        return random_bytes(case["seed"], self.dst_bytes + self.src_bytes)

    def result_bytes(self, case, image):
        return self.dst_bytes

    def untouched(self, case, chip, before):
        return before[:self.dst_bytes]

    def compared(self, case, got, want):
        return np.full(len(want), bool(case["visible"]))

    def block(self, case, chip, fm):
        """Row and column numbers of the block in whole column blocks, and their sources."""
        repeats = Repeats(case, chip)
        whole = repeats.whole(case)
        m = np.arange(up(whole["m_ext"], row_unit(case)))
        k = np.arange(up(whole["k_ext"], c0_of(case)))
        return m, k, sources(case, fm, *repeats.in_x(case, m, k))

    def written(self, case, chip, fm):
        """The same of what is written."""
        m, k, source = self.block(case, chip, fm)
        stays = case["dst_pos"] == A2 and not case["transpose"]
        columns = len(k) if stays else Repeats(case, chip).whole(case)["k_ext"]
        return m, k[:columns], source[:, :columns]

    def elements_at(self, case, l1, element, boundary):
        """Elements of the source by number; addresses count from the start of L1."""
        bits = bits_of(case)
        first = np.maximum(element, 0) * bits // 8 + case["src"]
        address = first[..., None] + np.arange(max(bits // 8, 1))
        if boundary:
            address = address % boundary
        found = l1[address]
        if bits == 4:
            return found[..., 0] >> 4 * (np.maximum(element, 0) % 2) & 15
        return np.ascontiguousarray(found).view(f"u{bits // 8}")[..., 0]

    def expected(self, case, chip, before):
        registers, bits = Registers(case), bits_of(case)
        if is_nop(case):
            return before[:self.dst_bytes]
        memory = unpacked(before[:self.dst_bytes], bits)
        m, k, source = self.written(case, chip, registers.map)
        found = self.elements_at(case, before[self.dst_bytes:], source, registers.boundary)
        values = np.where(source < 0, registers.pad % (1 << bits), found)
        offsets = places(Repeats(case, chip).whole(case), m[:, None], k[None, :])
        for start in [case["dst"]] + [case["again"]] * bool(case["again"]):
            memory[start * 8 // bits + offsets[source > -2]] = values[source > -2]
        return packed(memory, bits)

    def legal_types(self, case, chip):
        if chip not in WITH or TYPES[case["type"]] not in SUPPORTED[chip]:
            return False
        wide = bits_of(case) >= 16
        return case["src_pos"] in (A1, B1) and (case["dst_pos"] == B2 and wide or
                                                case["dst_pos"] == A2 and
                                                (wide or not case["transpose"]))

    def legal_values(self, case, chip, fm):
        ranges = [(fm["h"], 1, 32767), (fm["w"], 1, 32767)]
        ranges += [(case[size], 1, 65535) for size in ("channels", "m_ext", "k_ext")]
        for size, side in zip(filter_of(case), "hw"):
            ranges += [(case["stride_" + side], 1, 63), (size, 1, 511),
                       (case["dilation_" + side], 1, 255)]
        if not all(low <= value <= high for value, low, high in ranges):
            return False
        if case["channels"] % c0_of(case) not in rests_of(case) or \
                case["k_start"] % c0_of(case):
            return False
        if is_nop(case):
            return True
        ho, wo = output_of(case, fm)
        repeats = Repeats(case, chip)
        k_end = case["k_start"] + (repeats.along - 1) * repeats.column_stride + case["k_ext"]
        m_end = case["m_start"] + (repeats.down - 1) * repeats.row_stride + case["m_ext"]
        return ho > 0 and wo > 0 and repeats.legal(case) and k_end <= width_of(case) and \
            (case["k_ext"] % c0_of(case) == 0 or k_end > width_of(case) - c0_of(case)) and \
            m_end <= up(ho * wo, 16)

    def legal_source(self, case, source, boundary):
        """What is read lies in the tensor, or what the test fills of the ring."""
        end = up((int(source.max()) + 1) * bits_of(case), 8) // 8
        if boundary and (boundary < 1024 or case["src"] >= boundary):
            return False
        if boundary and case["src"] + end > boundary:
            return boundary <= self.src_bytes
        return end <= min(case["src_n"] * bits_of(case) // 8, self.src_bytes - case["src"])

    def legal(self, case, chip):
        if not self.legal_types(case, chip) or case["dst"] % 512 or case["src"] % 32 or \
                case["again"] % 512 or (case["form"] == 0 and
                                        (case["size_w"] or case["size_h"] or case["right_map"])):
            return False
        if case["setup"] & SET_BY_V1 and (chip != "2002" or not case["l_h"] * case["l_w"]):
            return False
        for bit, prefix in ((SET_LEFT, "l_"), (SET_RIGHT, "r_")):
            if case["setup"] & bit and not all(1 <= case[prefix + side] <= 32767 for side in "hw"):
                return False
        if case["setup"] & SET_REPEAT and (chip == "2002" or case["repeat_mode"] > 1) or \
                case["setup"] & SET_BOUNDARY and (chip == "3002" or 0 < case["boundary"] < 16):
            return False
        registers = Registers(case)
        if not self.legal_values(case, chip, registers.map):
            return False
        if is_nop(case):
            return True
        bytes_written = written_bytes(Repeats(case, chip).whole(case))
        starts = [case["dst"]] + [case["again"]] * bool(case["again"])
        if bytes_written > case["dst_n"] * bits_of(case) // 8 or \
                any(start + bytes_written > self.dst_bytes for start in starts):
            return False
        source = self.block(case, chip, registers.map)[2]
        return self.legal_source(case, source, registers.boundary)
