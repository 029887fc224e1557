"""The 64-bit scale word of results that leave L0C, and what it does to them, in numpy.

Bits: 31..0 scale (a float), 35..32 shift - 1, 36 shift enabled, 45..37 signed offset, 46 signed
result, 47 ReLU.
"""

import numpy as np

CORNERS_OF_FLOAT = np.array(
    [0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 254.5, 255, 255.5, 256, -256, -256.5, 65504, 65519, 65520,
     -65520, 1e-7, 3e-8, -1e-40, 1e38, -3e38, np.inf, -np.inf, np.nan], np.float32).view(np.uint32)
CORNERS_OF_INT = np.array([0, 1, -1, 7, 127, 128, -128, -129, 255, 256, -256, 32767, 32768, -32768,
                           -32769, 40000, 16777217, 2**31 - 1, -2**31], np.int64).astype(np.uint32)
SCALES = np.array([1, 0.5, 0.1, -0.25, 2, 3.75, 0, 1e-3, 1e20, 1e-40], np.float32).view(np.uint32)


def scale_word(scale, shift=0, offset=0, signed=True):
    """A word; shift 0 leaves it disabled."""
    bits = int(np.float32(scale).view(np.uint32))
    return bits | (((shift - 1) | 16) << 32 if shift else 0) | (offset & 511) << 37 | signed << 46


def random_words(rng, count, scales=SCALES, unread=13):
    """Words of all kinds; the bits without a meaning, with `unread` low ones, are random too."""
    known, wild = rng.choice(scales, count), rng.integers(0, 1 << 32, count, np.uint32)
    low = np.where(rng.integers(0, 4, count) > 0, known, wild).astype(np.uint64)
    low ^= rng.integers(0, 1 << unread, count).astype(np.uint64)
    return low | rng.integers(0, 1 << 32, count).astype(np.uint64) << np.uint64(32)


def random_elements(rng, count, src):
    """Elements as bits, four kinds mixed: corners, anything, small numbers, large numbers."""
    wild = rng.integers(0, 1 << 32, count, np.uint32)
    if src == "float":
        kinds = [rng.choice(CORNERS_OF_FLOAT, count), wild,
                 (rng.integers(-600, 601, count) / 2).astype(np.float32).view(np.uint32),
                 (rng.normal(size=count) * 2.0 ** rng.integers(-20, 17, count)).astype(np.float32)
                 .view(np.uint32)]
    else:
        kinds = [rng.choice(CORNERS_OF_INT, count), wild,
                 rng.integers(-300, 301, count).astype(np.uint32),
                 rng.integers(-70000, 70001, count).astype(np.uint32)]
    return np.choose(rng.integers(0, 4, count), kinds).astype(np.uint32)


def shifts_of(words):
    """Enabled or not."""
    return (words >> np.uint64(32) & np.uint64(15)).astype(np.int64) + 1


def shifted(values, words):
    on = (words >> np.uint64(36) & np.uint64(1)).astype(bool)
    short = np.clip(values.astype(np.int64) >> shifts_of(words), -32768, 32767)
    return np.where(on, short, values)


def to_bytes(f, words):
    offset = (words >> np.uint64(37) & np.uint64(511)).astype(np.int64)
    offset = np.where(offset >= 256, offset - 512, offset)
    signed = (words >> np.uint64(46) & np.uint64(1)).astype(bool)
    whole = np.rint(np.clip(np.where(np.isnan(f), 0, f), -256, 255)).astype(np.int64) + offset
    return np.where(signed, np.clip(whole, -128, 127), np.clip(whole, 0, 255)).astype(np.uint8)
