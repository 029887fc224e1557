"""Transpose with TransposeParamsExt: [N, C, H, W] to [N, H, W, C] and back, and its scratch memory."""

import numpy as np
import pytest

from batches import check_rules
from cases import TYPES, WIDTH, Subject, check_random, check_refused, random_bytes
from harness import CHIPS
from lanes import POSITIONS, VECCALC

IMAGE, SRC, SCRATCH = 64 << 10, 16 << 10, 32 << 10
MOVED = ["int8", "uint8", "int16", "uint16", "half", "int32", "uint32", "float"]
TAKE_SCRATCH = {"2201"}
HAVE_IMAGES = ["2002", "2201"]


def scratch_bytes(case, chip):
    """As the vendor's document has it: h0 * w0 * sizeof(type) elements for each of so many channels."""
    width = WIDTH[TYPES[case["type"]]]
    h0, w0 = 32 if width == 1 else 16, 32 // width
    channels = case["c"] + 2 if case["to_places"] else 2 * case["c"] + 1
    return channels * h0 * w0 * width if chip in TAKE_SCRATCH else 0


def bytes_of(case):
    return case["n"] * case["c"] * case["h"] * case["w"] * WIDTH[TYPES[case["type"]]]


class Images(Subject):
    source, kernel = "transpose_cases.cpp", "images_cases"
    fields = ("type", "to_places", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n", "tmp_pos", "tmp",
              "tmp_n", "n", "c", "h", "w", "seed")
    simplest = {"n": 1, "c": 1, "h": 1, "seed": 0}

    def before(self, case, chip):
        return random_bytes(case["seed"], IMAGE)

    def expected(self, case, chip, before):
        memory, size = before.copy(), bytes_of(case)
        src = before[case["src"]:case["src"] + size].view(f"u{WIDTH[TYPES[case['type']]]}")
        n, c, h, w = (case[name] for name in "nchw")
        if case["to_places"]:
            turned = src.reshape(n, c, h, w).transpose(0, 2, 3, 1)
        else:
            turned = src.reshape(n, h, w, c).transpose(0, 3, 1, 2)
        if size:
            memory[case["tmp"]:case["tmp"] + scratch_bytes(case, chip)] = 0xFF
        memory[case["dst"]:case["dst"] + size] = np.ascontiguousarray(turned).view(np.uint8).ravel()
        return memory

    def legal(self, case, chip):
        size, tmp = bytes_of(case), scratch_bytes(case, chip)
        width = WIDTH[TYPES[case["type"]]]
        spans = [(case["dst"], size), (case["src"], size), (case["tmp"], tmp)]
        apart = all(a + length <= b or b + more <= a or not length or not more
                    for i, (a, length) in enumerate(spans) for b, more in spans[i + 1:])
        return (apart and case["h"] * case["w"] <= 4095 and case["h"] * case["w"] * width % 32 == 0
                and TYPES[case["type"]] in MOVED and case["dst_n"] * width >= size
                and case["src_n"] * width >= size and (case["tmp_n"] >= tmp or not size)
                and all(case[name] % 32 == 0 and case[name] + length <= IMAGE and
                        case[name + "_pos"] in POSITIONS
                        for name, (_, length) in zip(("dst", "src", "tmp"), spans) if length))


IMAGES = Images()


def plain(dtype="half", **changes):
    case = {"type": TYPES.index(dtype), "to_places": 1, "dst_pos": VECCALC, "dst": 0, "dst_n": 4096,
            "src_pos": VECCALC, "src": SRC, "src_n": 4096, "tmp_pos": VECCALC, "tmp": SCRATCH,
            "tmp_n": IMAGE - SCRATCH, "n": 1, "c": 3, "h": 4, "w": 8, "seed": 1} | changes
    return case


def least(chip, dtype="half", **changes):
    """A case whose sharedTmpBuffer is as large as it must be, and `less` bytes smaller."""
    less = changes.pop("less", 0)
    case = plain(dtype, **changes)
    return case | {"tmp_n": scratch_bytes(case, chip) - less}


@pytest.mark.parametrize("chip", HAVE_IMAGES)
def test_random(chip):
    def make(rng):
        dtype = rng.choice(MOVED)
        return plain(dtype, to_places=rng.integers(0, 2), n=rng.integers(0, 3), c=rng.integers(0, 12),
                     h=rng.integers(0, 9), w=rng.choice([1, 4, 8, 16, 32]),
                     dst=32 * rng.integers(0, 9), src=SRC + 32 * rng.integers(0, 9),
                     dst_pos=rng.choice(POSITIONS), src_pos=rng.choice(POSITIONS),
                     seed=rng.integers(0, 1 << 20))
    check_random(IMAGES, chip, make, 120)


@pytest.mark.parametrize("dtype", MOVED)
@pytest.mark.parametrize("to_places", [0, 1])
def test_scratch_where_it_is_needed(dtype, to_places):
    shape = {"to_places": to_places, "h": 8, "w": 8}
    size = bytes_of(plain(dtype, **shape))
    inside = {"tmp": size - 32}
    check_rules(IMAGES, "2201", [
        (least("2201", dtype, **shape), None),
        (least("2201", dtype, **shape, less=1), "V1001"),
        (plain(dtype, **shape, tmp_n=0), "V1001"),
        (plain(dtype, **shape, tmp=size), None), (plain(dtype, **shape, **inside), "V1008"),
        (plain(dtype, **shape, tmp=SRC + size), None),
        (plain(dtype, **shape, tmp=SRC + size - 32), "V1008"),
        (plain(dtype, **shape, tmp=SCRATCH + 16), "V1004"), (plain(dtype, **shape, tmp_pos=1), "V1005"),
        (plain(dtype, **shape, c=0, tmp_n=0), None)])


def test_scratch_where_none_is_needed():
    check_rules(IMAGES, "2002", [(plain(tmp_n=0), None), (plain(tmp=0), None), (plain(tmp=SRC + 16), None)])


@pytest.mark.parametrize("chip", HAVE_IMAGES)
def test_rules(chip):
    check_rules(IMAGES, chip, [
        (plain(h=65, w=63), "V2001"), (plain("int8", h=65, w=63), "V2001"),
        (plain(h=1, w=8), "V2001"), (plain(h=1, w=16), None),
        (plain(dst_n=95), "V1001"), (plain(src_n=95), "V1001"), (plain(dst_n=96, src_n=96), None),
        (plain(dst=16), "V1004"), (plain(src=SRC + 16), "V1004"), (plain(dst=SRC), "V1008"),
        (plain(dst=SRC - 160), "V1008"), (plain(dst=SRC - 192), None)])


@pytest.mark.parametrize("chip", [chip for chip in CHIPS if chip not in HAVE_IMAGES])
def test_chips_without_images(chip):
    check_refused(IMAGES, chip, plain(), "V6001")
