"""What the TIK page on vec_conv prints: its 22 examples and two samples, through Cast and
CastDequant, on every chip that has the conversion.

TIK 'round' is CAST_RINT, and 'away-zero' is CAST_ROUND. Misprints, for which the right number
stands here: 1.75 to uint8 'to-zero' is printed as 2; int64 to float has 2**25 for 2**35 in all but
'round'. Sample 2 says that its scale word has bit 46 set, and it has not: the type of dst decides.
"""

import sys

import numpy as np
import pytest

import test_cast
import test_cast_dequant as dequant
from cases import check, verdict
from cast_table import MODES, TABLE
from harness import NUMPY, ROOT

sys.path.insert(0, str(ROOT / "examples" / "vec_conv"))
from printed import printed  # noqa: E402

CHIPS = test_cast.WITH_CAST

# Number on the page, dst, src, value, results by mode; "n" is for pairs without a round mode.
EXAMPLES = [
    (1, "float", "float", 0.5, {"r": 0, "f": 0, "c": 1, "a": 1, "z": 0}),
    (2, "half", "float", 0.5 + 2**-12, {"r": 0.5, "f": 0.5, "c": 0.5 + 2**-11, "a": 0.5 + 2**-11,
                                       "z": 0.5, "o": 0.5 + 2**-11}),
    (3, "int64", "float", 2**22 + 0.5, {"r": 2**22, "f": 2**22, "c": 2**22 + 1, "a": 2**22 + 1,
                                       "z": 2**22}),
    (4, "int32", "float", 2**22 + 0.5, {"r": 2**22, "f": 2**22, "c": 2**22 + 1, "a": 2**22 + 1,
                                       "z": 2**22}),
    (5, "int16", "float", 2**22 + 0.5, dict.fromkeys("rfcaz", 2**15 - 1)),
    (6, "float", "half", 1.5 - 2**-10, {"n": 1.5 - 2**-10}),
    (7, "int32", "half", -1.5, {"r": -2, "f": -2, "c": -1, "a": -2, "z": -1}),
    (8, "int16", "half", 2**7 - 0.5, {"r": 2**7, "f": 2**7 - 1, "c": 2**7, "a": 2**7,
                                     "z": 2**7 - 1}),
    (9, "int8", "half", 2**7 - 0.5, dict.fromkeys("rfcaz", 2**7 - 1)),
    (10, "uint8", "half", 1.75, {"r": 2, "f": 1, "c": 2, "a": 2, "z": 1}),
    (11, "half", "uint8", 1, {"n": 1.0}),
    (12, "half", "int8", -1, {"n": -1.0}),
    (13, "half", "int16", 2**12 + 2, {"r": 2**12, "f": 2**12, "c": 2**12 + 4, "a": 2**12 + 4,
                                     "z": 2**12}),
    (14, "float", "int16", 2**15 - 1, {"n": 2**15 - 1}),
    (17, "float", "int32", 2**25 + 3, {"r": 2**25 + 4, "f": 2**25, "c": 2**25 + 4, "a": 2**25 + 4,
                                      "z": 2**25}),
    (18, "half", "int32", 2**10 + 1, {"n": 2**11 + 2**10 + 4}),
    (19, "int64", "int32", 2**31 - 1, {"n": 2**31 - 1}),
    (20, "int16", "int32", 2**31 - 1, {"n": 2**15 - 1}),
    (21, "int32", "int64", 2**31, {"n": 2**31 - 1}),
    (22, "float", "int64", 2**35 + 2**12 + 2**11,
     {"r": 2**35 + 2**13, "f": 2**35 + 2**12, "c": 2**35 + 2**13, "a": 2**35 + 2**13,
      "z": 2**35 + 2**12}),
]
# Vector scales: number, dst, 16 scale words, 16 results for a src of ones.
DEQUANTS = [
    (15, "int8", [2**46 + 2**31 + (127 + i) * 2**23 for i in range(16)],
     [-1, -2, -4, -8, -16, -32, -64] + 9 * [-128]),
    (16, "uint8", [i * 2**37 + 127 * 2**23 for i in range(16)], range(1, 17)),
]


def on_image(subject, image):
    """The subject, with this image in place of random ones."""
    subject.before = lambda case, chip: image
    return subject


def bytes_of(values, dtype):
    return np.array(values).astype(NUMPY[dtype]).view(np.uint8)


@pytest.mark.parametrize("number, dst, src, value, results", EXAMPLES,
                         ids=[example[0] for example in EXAMPLES])
def test_example(number, dst, src, value, results):
    image = np.full(8192, 0xA5, np.uint8)
    source = bytes_of([value], src)
    assert source.view(NUMPY[src])[0] == value
    image[4096:4096 + len(source)] = source
    runs = 0
    for chip in CHIPS:
        for letter, result in results.items():
            if letter not in TABLE[chip].get((dst, src), "") or (number == 18 and chip == "3002"):
                continue
            case = test_cast.plain(dst, src, MODES[letter], count=1,
                                   scale=0x4200 if number == 18 else -1)
            subject = on_image(test_cast.CastSubject(), image)
            wanted = image.copy()
            wanted[:len(bytes_of([result], dst))] = bytes_of([result], dst)
            subject.expected = lambda case, chip, before, wanted=wanted: wanted
            check(subject, chip, [case])
            runs += 1
    assert runs >= len(results)


@pytest.mark.parametrize("number, dst, words, results", DEQUANTS, ids=[15, 16])
def test_example_with_a_table(number, dst, words, results):
    image = np.zeros(8192, np.uint8)
    image[dequant.WORDS:dequant.WORDS + 128] = np.array(words, np.uint64).view(np.uint8)
    image[4096:4128] = np.ones(16, np.int16).view(np.uint8)
    for chip in dequant.SUPPORTED:
        for kind in (dequant.TABLE, dequant.RAW):
            case = dequant.plain(dst, "int16", kind, count=16, high=0)
            run = verdict(on_image(dequant.DequantSubject(), image), chip, case)
            assert run.codes == []
            assert (run.outputs[0][0][:16].view(NUMPY[dst]) == list(results)).all()


@pytest.mark.parametrize("chip", CHIPS)
def test_sample_1(chip):
    """Halfs to int32 'round', 64 lanes of 128 in each of two repeats."""
    src, dst = printed(1)
    assert (len(src), len(dst)) == (256, 192)
    image = np.zeros(8192, np.uint8)
    image[4096:4096 + 512] = bytes_of(np.array(src, float), "half")
    case = test_cast.plain("int32", "half", MODES["r"], form=test_cast.CONTINUOUS, mask0=64,
                           repeats=2, dst_n=192, src_n=256, dst_rep=16, src_rep=8)
    run = verdict(on_image(test_cast.CastSubject(), image), chip, case)
    assert run.codes == []
    assert (run.outputs[0][0][:768].view(np.int32) == np.array(dst, int)).all()


@pytest.mark.parametrize("chip", dequant.SUPPORTED)
@pytest.mark.parametrize("kind", [dequant.WORD, dequant.RAW])
def test_sample_2(chip, kind):
    """The word 2**46 - 1: the scale is NaN, the offset -1. The second repeat writes blocks 4 to 11,
    the first one 0 to 7."""
    src, dst = printed(2)
    assert (len(src), len(dst)) == (256, 384)
    image = np.zeros(8192, np.uint8)
    image[dequant.WORDS:dequant.WORDS + 128] = np.full(16, 2**46 - 1, np.uint64).view(np.uint8)
    image[4096:4096 + 512] = bytes_of(np.array(src, int), "int16")
    case = dequant.plain("int8", "int16", kind, form=test_cast.CONTINUOUS, mask0=128, repeats=2,
                         dst=1024, dst_n=384, src_n=256, dst_rep=4, src_rep=8, scale=0xFFFFFFFF,
                         offset=-1, sign=0)
    run = verdict(on_image(dequant.DequantSubject(), image), chip, case)
    assert run.codes == ["V2008"] and run.code == 0
    assert (run.outputs[0][0][1024:1408].view(np.int8) == np.array(dst, int)).all()


def test_the_examples_are_all_there():
    assert [row[0] for row in EXAMPLES] + [row[0] for row in DEQUANTS] == \
        [*range(1, 15), *range(17, 23), 15, 16]
