"""What DataCopy between L0C and UB must do, from the documents' element formulas.

Unit u of burst b is 16 x 16 elements (MATRIX), or the first row of them (VECTOR):
  L0C   fractal b * (blockLen + gap) + u
  UB    byte b * (blockLen * unit + gap * 32) + u * unit; a row of 8-bit results takes the first or
        the second half of a datablock (sidStoreMode 0, 1), or 16 bytes (2)
"""

import numpy as np

from cases import SEED, WIDTH, Subject, number_of, random_bytes, types_of
from fractals import NAN16, NAN32, to_half
from requantize import SCALES, random_elements, random_words, scale_word, shifted, shifts_of, \
    to_bytes

GM, A1, A2, B1, CO1, CO2, VECIN, VECOUT, VECCALC = 0, 1, 2, 3, 7, 8, 9, 10, 11
IN_UB = (CO2, VECIN, VECOUT, VECCALC)
WITH = ("1001", "2002")
MATRIX, VECTOR = 1, 2
NONE, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 = range(7)
OF_VECTORS = (VDEQ, VDEQ8, VDEQ16)
# The modes of each pair of destination and source.
OUTWARDS = {("half", "half"): [NONE, DEQ], ("float", "float"): [NONE], ("half", "float"): [NONE],
            ("int32", "int32"): [NONE], ("uint32", "uint32"): [NONE],
            ("half", "int32"): [DEQ, VDEQ, DEQ16, VDEQ16], ("int16", "int32"): [DEQ16, VDEQ16],
            ("int8", "int32"): [DEQ8, VDEQ8], ("uint8", "int32"): [DEQ8, VDEQ8]}
INWARDS = [("half", "half"), ("float", "float"), ("int32", "int32"), ("uint32", "uint32"),
           ("float", "half")]
L0C_BYTES, UB_BYTES = 12288, 12288
SCALES_BYTES = 1024  # of UB, where the cases put them
ALL_SCALES = np.append(SCALES, np.array([-1, -0.0, np.inf, -np.inf, np.nan], np.float32)
                       .view(np.uint32))
HALF_SCALES = np.array([1, 0.5, 0.1, -0.25, 2, 3.75, 0, -0.0, 65504, -65504, 6e-8, np.inf, -np.inf,
                        np.nan], np.float16).view(np.uint16)
CORNERS_OF_HALF = np.array([0, 0x8000, 1, 0x8001, 0x3C00, 0xBC00, 0x3C01, 0x7BFF, 0xFBFF, 0x7C00,
                            0xFC00, 0x7E00, 0xFE01, 0x7C01], np.uint16)
NUMBERS = {"int8": np.uint8, "uint8": np.uint8, "int16": np.int16, "half": np.float16,
           "int32": np.int32, "uint32": np.uint32, "float": np.float32}


def width_at(case, end):
    """Bytes of the elements of "dst" or "src"."""
    return WIDTH[types_of(case)[("dst", "src").index(end)]]


def random_scales(rng, count, mode):
    """Scale words for a mode; DEQ and VDEQ read 16 bits of them, and the rest is random."""
    words = random_words(rng, count, ALL_SCALES, unread=0)
    if mode not in (DEQ, VDEQ):
        return words
    halves = np.where(rng.integers(0, 4, count) > 0, rng.choice(HALF_SCALES, count),
                      rng.integers(0, 1 << 16, count, np.uint16))
    return words & ~np.uint64(0xFFFF) | halves.astype(np.uint64)


def elements_of(rng, count, dtype):
    """Random elements: corners, anything, ordinary numbers."""
    if dtype != "half":
        return random_elements(rng, count, dtype)
    kinds = [rng.choice(CORNERS_OF_HALF, count), rng.integers(0, 1 << 16, count, np.uint16),
             rng.normal(0, 50, count).astype(np.float16).view(np.uint16)]
    return np.choose(rng.integers(0, 3, count), kinds)


def relu(values):
    """max(x, 0), where NaN is the one NaN."""
    if values.dtype.kind != "f":
        return np.maximum(values, 0)
    nan = NAN32 if values.dtype == np.float32 else NAN16
    return np.where(np.isnan(values), nan, np.where(values > 0, values, values.dtype.type(0)))


def plainly(values, dst, wants_relu):
    if wants_relu and values.dtype != np.uint32:
        values = relu(values)
    return to_half(values, True) if (dst, values.dtype) == ("half", np.float32) else values


def scaled(values, words, mode, dst, wants_relu):
    """The results of elements; `words` has a scale word for each of them."""
    if mode in (DEQ, VDEQ):
        scale = (words & np.uint64(0xFFFF)).astype(np.uint16).view(np.float16).astype(np.float32)
        cut = np.full(words.shape, wants_relu and values.dtype == np.int32)
    else:
        scale = (words & np.uint64(0xFFFFFFFF)).astype(np.uint32).view(np.float32)
        cut = (words >> np.uint64(47) & np.uint64(1)).astype(bool) | wants_relu
        if dst == "int16":
            short = np.clip(values.astype(np.int64) >> shifts_of(words), -32768, 32767)
            return np.where(cut, np.maximum(short, 0), short).astype(np.int16)
        values = shifted(values, words)
    with np.errstate(all="ignore"):
        f = values.astype(np.float32) * scale
    f = np.where(cut, relu(f), f)
    if dst == "half":
        return to_half(f, True)
    return to_bytes(f, words | np.uint64((mode == DEQ8 and dst == "int8") << 46))


class L0CSubject(Subject):
    """Both ways; the subclasses say which end is which."""

    source = "data_copy_l0c_cases.cpp"
    fields = ("l0c", "ub", "types", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n", "blocks",
              "length", "src_gap", "dst_gap", "mode", "dequant", "word", "store", "relu", "scales",
              "pointed", "seed")
    simplest = {"relu": 0, "word": scale_word(1), "mode": MATRIX, "blocks": 1, "length": 1,
                "src_gap": 0, "dst_gap": 0, "store": 0, "src": 0, "dst": 0, "pointed": 0, "seed": 0}
    l0c_end, ub_end = "", ""

    def __init__(self, l0c=L0C_BYTES, ub=UB_BYTES):
        self.l0c, self.ub = l0c, ub

    def random_l0c(self, case, rng):
        raise NotImplementedError

    def before(self, case, chip):
        rng = np.random.default_rng([SEED, case["seed"]])
        l0c = self.random_l0c(case, rng)
        image = np.concatenate([l0c, random_bytes(case["seed"], self.ub)])
        at = self.l0c + case["scales"]
        if case["dequant"] in OF_VECTORS and case["scales"] < self.ub:
            words = random_scales(rng, 16 * max(case["blocks"], 1), case["dequant"])
            scales = (words.astype(np.uint16) if case["dequant"] == VDEQ else words).view(np.uint8)
            image[at:at + len(scales)] = scales[:len(image) - at]
        return image

    def store_of(self, case):
        """Bytes from row to row in UB, and where in them a row starts."""
        width = width_at(case, self.ub_end)
        if width > 1 or case["store"] == 2:
            return 16 * width, 0
        return 32, 16 * case["store"]

    def places(self, case):
        """(burst, byte from L0C's operand on, byte from UB's on) of each row of 16 elements."""
        rows = 16 if case["mode"] == MATRIX else 1
        wide = 16 * width_at(case, self.l0c_end)
        pitch, start = self.store_of(case)
        b, u, r = np.ogrid[:case["blocks"], :case["length"], :rows]
        l0c_gap, ub_gap = case[self.l0c_end + "_gap"], case[self.ub_end + "_gap"]
        l0c = ((b * (case["length"] + l0c_gap) + u) * 16 + r) * wide
        ub = b * (case["length"] * rows * pitch + ub_gap * 32) + (u * rows + r) * pitch + start
        return [part.ravel() for part in np.broadcast_arrays(b, l0c, ub)]

    def converted(self, case, before, values, bursts):
        """Rows of 16 values of the source in the destination's type."""
        raise NotImplementedError

    def expected(self, case, chip, before):
        memory = before.copy()
        bursts, l0c, ub = self.places(case)
        if len(bursts) == 0:
            return memory
        at = {self.l0c_end: l0c, self.ub_end: self.l0c + ub}
        dst, src = types_of(case)
        from_bytes = case["src"] + at["src"][:, None] + np.arange(16 * WIDTH[src])
        result = self.converted(case, before, before[from_bytes].view(NUMBERS[src]), bursts)
        to_bytes_ = case["dst"] + at["dst"][:, None] + np.arange(16 * WIDTH[dst])
        memory[to_bytes_] = np.ascontiguousarray(result, NUMBERS[dst]).view(np.uint8)
        return memory

    def legal_mode(self, case):
        raise NotImplementedError

    def legal(self, case, chip):
        if chip not in WITH or case["mode"] not in (MATRIX, VECTOR) or case["store"] > 2 or \
                case["blocks"] > 4095 or not self.legal_mode(case):
            return False
        wide = width_at(case, self.l0c_end)
        if case[self.l0c_end + "_pos"] != CO1 or case[self.ub_end + "_pos"] not in IN_UB or \
                case[self.l0c_end] % (256 * wide) or case[self.ub_end] % 32:
            return False
        _, l0c, ub = self.places(case)
        narrow = width_at(case, self.ub_end)
        return len(l0c) == 0 or (
            self.fits(case, self.l0c_end, int(l0c.max()) + 16 * wide, wide, self.l0c) and
            self.fits(case, self.ub_end, int(ub.max()) + 16 * narrow, narrow, self.ub))

    @staticmethod
    def fits(case, end, extent, width, room):
        return extent <= min(case[end + "_n"] * width, room - case[end])


class OutSubject(L0CSubject):
    """L0C to UB."""

    l0c_end, ub_end = "src", "dst"

    def random_l0c(self, case, rng):
        src = types_of(case)[1]
        return elements_of(rng, self.l0c // WIDTH[src], src).view(np.uint8)

    def converted(self, case, before, values, bursts):
        dst, _ = types_of(case)
        mode = case["dequant"]
        if mode == NONE:
            return plainly(values, dst, case["relu"])
        words = np.full(values.shape, case["word"] % (1 << 64), np.uint64)
        if mode in OF_VECTORS:
            at = self.l0c + case["scales"]
            table = before[at:at + case["blocks"] * self.scales_of(case)]
            words = table.view(np.uint16 if mode == VDEQ else np.uint64).reshape(-1, 16)[bursts]
        return scaled(values, words.astype(np.uint64), mode, dst, bool(case["relu"]))

    def legal_mode(self, case):
        if case["dequant"] not in OUTWARDS.get(types_of(case), ()):
            return False
        if case["dequant"] not in OF_VECTORS:
            return True
        if case["scales"] % 32 or case["pointed"] not in (GM, *IN_UB):
            return False
        end = case["scales"] + case["blocks"] * self.scales_of(case)
        return len(self.places(case)[2]) == 0 or end <= self.ub

    @staticmethod
    def scales_of(case):
        """Bytes of the scales of a burst."""
        return 32 if case["dequant"] == VDEQ else 128


class InSubject(L0CSubject):
    """UB to L0C."""

    l0c_end, ub_end = "dst", "src"

    def random_l0c(self, case, rng):
        return rng.integers(0, 256, self.l0c, np.uint8)

    def converted(self, case, before, values, bursts):
        dst, src = types_of(case)
        if dst == src:
            return values
        wide = values.astype(np.float32)
        return np.where(np.isnan(wide), NAN32, wide)

    def legal_mode(self, case):
        return types_of(case) in INWARDS and case["dequant"] == NONE and not case["relu"]


class Given:
    """With OutSubject or InSubject: what L0C and UB hold is given."""

    def __init__(self, l0c, ub):
        super().__init__(l0c.nbytes, ub.nbytes)
        self.image = np.concatenate([l0c.view(np.uint8).ravel(), ub.view(np.uint8).ravel()])

    def before(self, case, chip):
        return self.image


class GivenOutSubject(Given, OutSubject):
    pass


class GivenInSubject(Given, InSubject):
    pass


def plain(subject, dst="half", src="float", /, **changes):
    """Two bursts of two units, after the scales of UB."""
    case = {"l0c": subject.l0c, "ub": subject.ub, "types": number_of(dst, src), "blocks": 2,
            "length": 2, "src_gap": 1, "dst_gap": 1, "mode": MATRIX,
            "dequant": OUTWARDS.get((dst, src), [NONE])[0] if subject.ub_end == "dst" else NONE,
            "word": scale_word(0.5), "store": 0, "relu": 0, "scales": 0, "pointed": GM, "seed": 1,
            subject.l0c_end: 0, subject.l0c_end + "_pos": CO1, subject.ub_end: SCALES_BYTES,
            subject.ub_end + "_pos": CO2} | changes
    room = {subject.l0c_end: subject.l0c, subject.ub_end: subject.ub}
    sizes = {end + "_n": max(room[end] - case[end], 0) // WIDTH[dtype]
             for end, dtype in (("dst", dst), ("src", src))}
    return sizes | case


def random_copy(rng, subject, dst, src, mode=NONE):
    """Legal but for its extents, most of the time."""
    fractal = 256 * WIDTH[dst if subject.l0c_end == "dst" else src]
    return plain(subject, dst, src, **{
        "mode": rng.choice([MATRIX, VECTOR]), "dequant": mode,
        "word": int(random_scales(rng, 1, mode)[0]), "store": rng.integers(0, 3),
        "relu": rng.random() < 0.4 and subject.ub_end == "dst",
        "blocks": rng.choice([0, 1, 2, 3, 5, 6]), "length": rng.choice([0, 1, 2, 3, 4, 6]),
        "src_gap": rng.choice([0, 1, 2, 3]), "dst_gap": rng.choice([0, 1, 2, 3]),
        subject.l0c_end: int(rng.integers(0, 4)) * fractal,
        subject.ub_end: SCALES_BYTES + 32 * int(rng.integers(0, 40)),
        subject.ub_end + "_pos": rng.choice(IN_UB), "scales": 32 * int(rng.integers(0, 8)),
        "pointed": rng.choice([GM, *IN_UB]) if mode in OF_VECTORS else GM,
        "seed": rng.integers(0, 1 << 20)})
