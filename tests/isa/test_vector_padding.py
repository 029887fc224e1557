"""VectorPadding: each datablock of dst is what stands beside that of src, were it continued."""

import numpy as np
import pytest

import lanes
from batches import check_rules
from cases import TYPES, WIDTH, check, check_random, check_refused
from copies import CopySubject, plain
from harness import CHIPS
from lanes import BITS, CONTINUOUS, COUNT

ALL = ["int16", "uint16", "half", "int32", "uint32", "float"]


def beside(block, mode, right):
    """What continues abc...nop to the left or to the right."""
    last = len(block) - 1
    if mode == 0:
        return np.full(len(block), block[last if right else 0])
    turned = [block[last - i] for i in range(len(block))]
    if mode == 2:
        turned = turned[1:] + [0] if right else [0] + turned[:-1]
    return np.array(turned, block.dtype)


class PaddingCase(CopySubject):
    kernel = "vector_padding_cases"
    supported = {"2002": ALL}

    def repeats_of(self, case):
        return lanes.repeats_of(case | {"count": case["mask0"]}, self.width(case))

    def expected(self, case, chip, before):
        width = self.width(case)
        most, memory = 32 // width, before.copy()
        new, old = memory.view(f"u{width}"), before.view(f"u{width}")
        strides = (1, 8, 1, 8) if case["form"] == COUNT else \
            (max(case["dst_blk"], 1), case["dst_rep"], case["src_blk"], case["src_rep"])
        for r, enabled in enumerate(self.repeats_of(case)):
            for lane in enabled:
                to = case["dst"] + 32 * (r * strides[1] + lane // most * strides[0])
                at = case["src"] + 32 * (r * strides[3] + lane // most * strides[2])
                block = old[at // width:at // width + most]
                new[to // width + lane % most] = \
                    beside(block, case["pad"], case["right"])[lane % most]
        return memory

    def legal(self, case, chip):
        width = self.width(case)
        repeats = self.repeats_of(case)
        for name in ("dst", "src"):
            blk, rep = (1, 8) if case["form"] == COUNT else (case[name + "_blk"],
                                                             case[name + "_rep"])
            blk = max(blk, 1) if name == "dst" else blk
            needed = 0
            for r, enabled in enumerate(repeats):
                last = int(enabled.max()) // (32 // width)
                tail = 32 if name == "src" else (int(enabled.max()) % (32 // width) + 1) * width
                needed = max(needed, 32 * (r * rep + last * blk) + tail)
            if not self.placed(case, name, width, needed, chip):
                return False
        return self.on_chip(case, chip) and 0 <= case["pad"] <= 2 and case["set_mask"] == 1


PADDING = PaddingCase()


def random_padding(rng, chip):
    dtype = rng.choice(ALL)
    width = WIDTH[dtype]
    most = lanes.lanes_per_repeat(width)
    form = int(rng.choice([COUNT, BITS, CONTINUOUS]))
    mask = {COUNT: [rng.integers(1, 700), 0], CONTINUOUS: [rng.integers(1, most + 1), 0],
            BITS: [rng.integers(1, 1 << 62), rng.integers(0, 1 << 62) if width == 2 else 0]}[form]
    changes = {"form": form, "mask0": mask[0], "mask1": mask[1], "repeats": rng.integers(1, 5),
               "pad": rng.integers(3), "right": rng.integers(2), "src": 4096, "dst": 0,
               "src_n": 4096 // width, "dst_n": 4096 // width, "seed": rng.integers(0, 1 << 20),
               "dst_blk": rng.choice([0, 1, 1, 2]), "dst_rep": rng.choice([16, 17, 8]),
               "src_blk": rng.choice([0, 1, 1, 2]), "src_rep": rng.choice([0, 8, 9])}
    return plain(dtype, **changes)


def test_random():
    check_random(PADDING, "2002", lambda rng: random_padding(rng, "2002"), 300)


@pytest.mark.parametrize("mode, right, wanted", [
    (0, 0, "aaaaaaaaaaaaaaaa"), (0, 1, "pppppppppppppppp"), (1, 0, "ponmlkjihgfedcba"),
    (1, 1, "ponmlkjihgfedcba"), (2, 0, "0ponmlkjihgfedcb"), (2, 1, "onmlkjihgfedcba0")])
def test_the_documents_letters(mode, right, wanted):
    """cba|abc, nop|pon, xcb|abc, nop|onx: of a whole datablock a to p."""
    letters = np.frombuffer(b"abcdefghijklmnop", np.uint8).astype(np.uint16)
    subject = PaddingCase()
    image = np.zeros(8192, np.uint8)
    image[3072:3104] = letters.view(np.uint8)
    subject.before = lambda case, chip: image
    case = plain("uint16", repeats=1, pad=mode, right=right)
    got = subject.expected(case, "2002", image)[:32].view(np.uint16)
    assert "".join(chr(x) if x else "0" for x in got) == wanted
    check(subject, "2002", [case])


@pytest.mark.parametrize("chip", CHIPS)
def test_types_of_a_chip(chip):
    for dtype in TYPES[:-1] if chip == "2002" else ["half"]:
        if dtype not in PADDING.supported.get(chip, []):
            check_refused(PADDING, chip, plain(dtype), "V6002" if chip == "2002" else "V6001")


def test_rules():
    """Sources are read in whole datablocks, however few lanes are enabled."""
    one = {"mask0": 1, "repeats": 1}
    check_rules(PADDING, "2002", [(plain("half", **changes), code) for changes, code in [
        ({"pad": 2}, None), ({"pad": 3}, "V2001"),
        (one | {"dst_n": 1}, None), (one | {"src_n": 16}, None), (one | {"src_n": 15}, "V1001"),
        ({"mask0": 17, "dst_n": 145}, None), ({"mask0": 17, "dst_n": 144}, "V1001"),
        ({"dst": 16}, "V1004"), ({"src": 3074}, "V1004"), ({"dst_pos": 0}, "V1005"),
        ({"src_pos": 0}, "V1005")]])
