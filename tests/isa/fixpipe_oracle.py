"""What Fixpipe must do, from the documents' element formulas.

Source element (i, m, n), i * srcNdStride * 256 + n/16 * srcStride * 16 + m * 16 + n%16, goes to
  row-major           element i * dstNdStride + m * dstStride + n
  NZ                  byte n/16 * dstStride * 32 + (m * 16 + n%16) * width
  NZ of 8 bits        byte n/32 * dstStride * 32 + m * 32 + n%32; m * 16 in an odd last 16 columns
  NZ, channel split   element n/8 * dstStride * 8 + m * 8 + n%8
"""

import itertools

import numpy as np

from atomics import OFF, TYPES_OF, combined
from cases import SEED, WIDTH, Subject, random_bytes, types_of
from fractals import to_half
from requantize import random_elements, random_words, scale_word, shifted, to_bytes

GM, A1, A2, B1, CO1, VECIN = 0, 1, 2, 3, 7, 9
WITH = ("2201", "3002")
L0C_BYTES, L1_BYTES, GM_BYTES = 16384, 9216, 24576
SCALES_BYTES = 1024  # of L1: words; the rest is anything
NO_QUANT, F32_F16, VREQ8, REQ8, VDEQF16, DEQF16, F32_BF16, VQF32_B8, QF32_B8 = \
    0, 1, 8, 9, 10, 11, 16, 23, 24
VECTOR = (VREQ8, VDEQF16, VQF32_B8)
MODES = {("float", "float"): [NO_QUANT], ("int32", "int32"): [NO_QUANT],
         ("half", "float"): [F32_F16], ("bfloat16", "float"): [F32_BF16],
         ("int8", "float"): [QF32_B8, VQF32_B8], ("uint8", "float"): [QF32_B8, VQF32_B8],
         ("half", "int32"): [DEQF16, VDEQF16], ("int8", "int32"): [REQ8, VREQ8],
         ("uint8", "int32"): [REQ8, VREQ8]}


def width_of(case):
    return WIDTH[types_of(case)[0]]


def scaled(values, words, relu):
    """x times the scale, which counts as 0 where x is negative and ReLU is on."""
    scale = (words & np.uint64(0xFFFFE000)).astype(np.uint32).view(np.float32)
    x = values.astype(np.float32)
    with np.errstate(all="ignore"):
        return x * np.where((x < 0) & bool(relu), np.float32(0), scale)


def to_bfloat16(f):
    bits = f.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)
    return np.where(np.isnan(f), 0x7FC0, rounded).astype(np.uint16)


def converted(bits, words, quant, relu, src):
    """The results of elements with these bits; `words` has one for each."""
    values = bits.view(np.float32 if src == "float" else np.int32)
    if quant == NO_QUANT:
        return np.where(values <= 0, values.dtype.type(0), values) if relu else bits
    if quant in (F32_F16, F32_BF16):
        values = np.where((values < 0) & bool(relu), np.float32(0), values)
        return to_half(values, False) if quant == F32_F16 else to_bfloat16(values)
    if quant in (REQ8, VREQ8, DEQF16, VDEQF16):
        values = shifted(values, words)
    f = scaled(values, words, relu)
    return to_half(f, True) if quant in (DEQF16, VDEQF16) else to_bytes(f, words)


class FixpipeSubject(Subject):
    source = "fixpipe_cases.cpp"
    fields = ("l0c", "l1", "form", "types", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n",
              "vector", "scales_pos", "scales", "scales_n", "row_major", "n", "m", "src_stride",
              "dst_stride", "quant", "word", "matrices", "src_matrix", "dst_matrix", "relu",
              "unit_flag", "split", "atomic", "seed")
    simplest = {"form": 3, "relu": 0, "matrices": 1, "n": 16, "m": 1, "src_stride": 16,
                "dst_stride": 64, "src_matrix": 0, "dst_matrix": 0, "unit_flag": 0, "atomic": 0,
                "src": 0, "dst": 0, "word": scale_word(1), "seed": 0}

    def before(self, case, chip):
        rng = np.random.default_rng([SEED, case["seed"]])
        elements = random_elements(rng, L0C_BYTES // 4, types_of(case)[1])
        words = random_words(rng, SCALES_BYTES // 8)
        rest = random_bytes(case["seed"], L1_BYTES - SCALES_BYTES + GM_BYTES)
        return np.concatenate([elements.view(np.uint8), words.view(np.uint8), rest])

    def places(self, case):
        """(elements of the source, bytes of the destination) from the operands' starts."""
        count = case["matrices"] if case["row_major"] else 1
        i, m, n = np.ogrid[:count, :case["m"], :case["n"]]
        width, pitch = width_of(case), case["dst_stride"] * 32
        source = i * case["src_matrix"] * 256 + n // 16 * case["src_stride"] * 16 + m * 16 + n % 16
        if case["row_major"]:
            target = (i * case["dst_matrix"] + m * case["dst_stride"] + n) * width
        elif case["split"]:
            target = n // 8 * pitch + (m * 8 + n % 8) * 4 + 0 * i
        elif width == 1:
            alone = n >= case["n"] // 32 * 32
            target = n // 32 * pitch + m * np.where(alone, 16, 32) + n % 32 + 0 * i
        else:
            target = n // 16 * pitch + (m * 16 + n % 16) * width + 0 * i
        return source, target

    def expected(self, case, chip, before):
        at = L0C_BYTES + case["scales"]
        words = before[at:at + case["n"] * 8].view(np.uint64) if case["vector"] else \
            np.uint64(case["word"] % (1 << 64))
        return self.stored(case, before, words)

    def stored(self, case, before, words, finished=None):
        """`words`: one for all columns, or one for each. Column blocks are written in turn, each
        with all its rows: that decides where targets overlap. `finished` changes the results."""
        memory = before.copy()
        source, target = self.places(case)
        if source.size == 0:
            return memory
        bits = before[case["src"]:L0C_BYTES].view(np.uint32)[source]
        results = converted(bits, np.broadcast_to(words, source.shape), case["quant"],
                            case["relu"], types_of(case)[1])
        if finished is not None:
            results = finished(results)
        pieces = np.ascontiguousarray(results).view(np.uint8).reshape(*source.shape, -1)
        target = target[..., None] + np.arange(width_of(case)) + case["dst"] + L0C_BYTES + \
            (L1_BYTES if case["dst_pos"] == GM else 0)
        step = 8 if case["split"] else 16
        for i, first in itertools.product(range(len(source)), range(0, case["n"], step)):
            block = np.s_[i, :, first:first + step]
            old, new = memory[target[block]], pieces[block]
            memory[target[block]] = combined(case.get("atomic", OFF), types_of(case)[0], old, new,
                                             WITH[0]).reshape(new.shape)
        return memory

    def legal(self, case, chip):
        dst, src = types_of(case)
        to_gm = case["dst_pos"] == GM
        if chip not in WITH or (dst, src) not in MODES or case["src_pos"] != CO1 or \
                case["dst_pos"] not in (GM, A1, B1) or case["src"] % 64 or \
                case["quant"] not in MODES[dst, src] or \
                case["vector"] != (case["quant"] in VECTOR):
            return False
        if case["vector"] and (case["scales_pos"] not in (A1, B1) or case["scales"] % 32):
            return False
        if case["dst"] % (width_of(case) if to_gm and case["row_major"] else 32) or \
                (not to_gm and (case["row_major"] or dst == src)) or \
                (case["split"] and (case["row_major"] or dst != "float")):
            return False
        if case["form"] < 2 and case["split"] or case["form"] == 0 and \
                (case["quant"] or case["matrices"] != 1):
            return False  # not the same call through that constructor
        source, target = self.places(case)
        op = case.get("atomic", OFF)
        if op != OFF and (dst not in TYPES_OF[op][chip] or np.unique(target).size < target.size):
            return False  # rows on each other: not for an oracle that works on arrays
        if source.size == 0:
            return True
        return self.sizes_are_legal(case) and self.within(case, source, target)

    def sizes_are_legal(self, case):
        step = 1 if case["row_major"] else 8 if case["split"] else 16
        return case["n"] <= 4095 and case["n"] % step == 0 and case["src_stride"] % 16 == 0 and \
            case["src_stride"] >= case["m"] and case["dst_stride"] >= 1 and \
            (not case["row_major"] or (case["m"] <= 8192 and case["src_matrix"] <= 512))

    def within(self, case, source, target):
        """Whole groups of 16 columns are read."""
        read = (int(source.max()) // 16 + 1) * 64
        written = int(target.max()) + width_of(case)
        room = GM_BYTES if case["dst_pos"] == GM else L1_BYTES
        return read <= min(case["src_n"] * 4, L0C_BYTES - case["src"]) and \
            written <= min(case["dst_n"] * width_of(case), room - case["dst"]) and \
            (not case["vector"] or case["n"] <= case["scales_n"]) and \
            (not case["vector"] or case["scales"] + case["n"] * 8 <= SCALES_BYTES)
