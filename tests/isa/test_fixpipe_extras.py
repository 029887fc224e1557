"""DataCopy out of L0C with clipReluPre and eltWiseOp, on the 310B: behind the conversion to half and
ReLU the smaller of the result and the clip value, then a half of a tensor in L1 added or subtracted.

Element (m, n) of the tensor lies at byte n / 16 * c0ChStride * 32 + m * 32 + n % 16 * 2.
"""

import itertools

import numpy as np
import pytest

from batches import check_rules
from cases import check, check_refused, launch
from fixpipe_oracle import (A1, B1, CO1, DEQF16, F32_BF16, GM, GM_BYTES, L0C_BYTES, L1_BYTES, MODES,
                            REQ8, VDEQF16, VECIN, scale_word)
from fractals import to_half
from harness import CHIPS
from test_fixpipe import number_of
from test_fixpipe_registers import (ADDRESS, ADDRESS_OF_FLOAT, CLIP, COPY_BY_FIELDS, FB_BYTES, NZ2ND,
                                    NOTHING, SET_MATRICES, SET_SCALES, SET_WORD, RegisterSubject, move, program, steps_of)

C1 = 5
CHIP = "3002"
L1 = FB_BYTES + L0C_BYTES  # of an image
TENSOR = 2048  # of L1: from here on tensors


class ExtrasSubject(RegisterSubject):
    """Halves in L1, and small numbers in L0C, so that conversions do not all saturate."""

    def before(self, case, chip):
        image = super().before(case, chip)
        rng = np.random.default_rng([case["seed"], 7])
        halves = (rng.standard_normal((L1_BYTES - TENSOR) // 2) * 50).astype(np.float16)
        halves[rng.integers(0, len(halves), 40)] = np.array([np.inf, -np.inf, np.nan, 65504, -0.0] * 8,
                                                            np.float16)
        image[L1 + TENSOR:L1 + L1_BYTES] = halves.view(np.uint8)
        small = rng.integers(-200, 200, L0C_BYTES // 8)
        types = [step["types"] for step in steps_of(case) if step["op"] == COPY_BY_FIELDS]
        is_float = number_of("half", "float") in types
        image[FB_BYTES:FB_BYTES + L0C_BYTES // 2] = \
            small.astype(np.float32 if is_float else np.int32).view(np.uint8)
        return image

    def finish(self, step, registers, memory):
        if not step["clip"] and not step["eltwise"]:
            return None

        def finished(results):
            _, m, n = np.ogrid[:1, :step["m"], :step["n"]]
            values = results.astype(np.float32)
            with np.errstate(all="ignore"):
                if step["clip"]:
                    most = np.uint16(registers.clip).view(np.float16).astype(np.float32)
                    values = np.where(values > most, most, values)
                if step["eltwise"]:
                    at, _, pitch = registers.element_wise
                    places = L1 + at + n // 16 * pitch + m * 32 + n % 16 * 2
                    bits = memory[places[..., None] + np.arange(2)]
                    tensor = np.ascontiguousarray(bits).view(np.float16)[..., 0].astype(np.float32)
                    values = values + (tensor if step["eltwise"] == 1 else -tensor)
            return to_half(values, False)
        return finished

    def step_is_legal(self, step, registers, chip):
        if step["op"] == CLIP:
            return 0 < step["word"] % (1 << 16) < 0x7C00
        if step["op"] == ADDRESS:
            return step["scales_pos"] in (A1, B1, C1) and step["scales"] % 32 == 0
        return step["op"] != ADDRESS_OF_FLOAT and super().step_is_legal(step, registers, chip)

    def extras_are_legal(self, step, registers, chip):
        if not step["clip"] and not step["eltwise"]:
            return True
        if chip != CHIP or step["clip"] > 1 or step["eltwise"] > 2 or \
                step["types"] not in (number_of("half", "float"), number_of("half", "int32")) or \
                (step["clip"] and registers.clip is None):
            return False
        return not step["eltwise"] or self.tensor_is_legal(step, registers)

    def tensor_is_legal(self, step, registers):
        if registers.element_wise is None or \
                (step["row_major"] and (registers.matrices or (1,))[0] > 1):
            return False
        if step["m"] == 0 or step["n"] == 0:
            return True
        at, room, pitch = registers.element_wise
        last = (step["n"] - 1) % 16 if step["n"] % 16 else 15
        end = (step["n"] - 1) // 16 * pitch + (step["m"] - 1) * 32 + 2 * last + 2
        if step["n"] % 16 and step["n"] > 16:
            end = max(end, (step["n"] // 16 - 1) * pitch + step["m"] * 32)
        return end <= min(room, L1_BYTES - at)


EXTRAS = ExtrasSubject()
NONE = {"op": NOTHING}
SET_CLIP = {"op": CLIP, "word": 0x5640}  # 100
SET_TENSOR = {"op": ADDRESS, "scales_pos": A1, "scales": TENSOR, "scales_n": 3000, "matrices": 40}


def scaled(clip=SET_CLIP, tensor=SET_TENSOR, **changes):
    """From int32 with a scalar, row-major; clip and eltwise are 1 unless changed. The copy is step 4."""
    step = move("half", "int32", op=COPY_BY_FIELDS, **({"clip": 1, "eltwise": 1} | changes))
    return program(SET_WORD, clip or NONE, tensor or NONE, SET_MATRICES, step)


def test_every_combination():
    """Modes, layouts, destinations, ReLU, clipping and sums."""
    cases = []
    layouts = [{"row_major": 1, "n": 37, "m": 7, "dst_stride": 40}, {"row_major": 1, "n": 5, "m": 20,
                                                                     "src_stride": 32},
               {"row_major": 0, "n": 48, "m": 9}, {"row_major": 0, "n": 16, "m": 3, "dst_pos": B1}]
    sources = [("float", quant) for quant in MODES["half", "float"]] + \
        [("int32", quant) for quant in MODES["half", "int32"]]
    for (src, quant), layout, relu, clip, eltwise in itertools.product(
            sources, layouts, (0, 1), (0, 1), (0, 1, 2)):
        step = move("half", src, op=COPY_BY_FIELDS, quant=quant, relu=relu, clip=clip,
                    eltwise=eltwise, **layout)
        setter = SET_SCALES if quant == VDEQF16 else SET_WORD | {"word": scale_word(0.75)}
        cases.append(program(setter, SET_MATRICES, SET_CLIP, SET_TENSOR, step, seed=len(cases)))
    check(EXTRAS, CHIP, cases)


@pytest.mark.parametrize("clip, eltwise, wanted", [
    (1, 0, [-8, 0, 50, 100]), (0, 1, [-6, 3, 54, 155]), (0, 2, [-10, -3, 46, 145]),
    (1, 1, [-6, 3, 54, 105]), (1, 2, [-10, -3, 46, 95])])
def test_by_hand(clip, eltwise, wanted):
    """-16, 0, 100, 300 times 0.5; 100 at most; then 2, 3, 4, 5."""
    image = np.zeros(L1 + L1_BYTES + GM_BYTES, np.uint8)
    image[FB_BYTES:].view(np.int32)[:4] = [-16, 0, 100, 300]
    image[L1 + TENSOR:].view(np.float16)[:4] = [2, 3, 4, 5]
    subject = ExtrasSubject()
    subject.before = lambda case, chip: image
    run = launch(subject, CHIP, [scaled(m=1, n=4) | {"clip4": clip, "eltwise4": eltwise}])
    assert run.codes == [], run.stderr
    got = run.outputs[0][0][L1 + L1_BYTES:][:8].view(np.float16).tolist()
    assert got == wanted


RULES = [
    (scaled(), None), (scaled(clip=None), "V2004"), (scaled(tensor=None), "V2004"),
    (scaled(m=0, tensor=None), "V2004"),
    (program(SET_WORD, SET_CLIP, SET_TENSOR, SET_MATRICES | {"matrices": 2, "src_matrix": 1,
                                                             "dst_matrix": 500},
             move("half", "int32", op=COPY_BY_FIELDS, clip=1)), None),
]


def test_rules():
    check_rules(EXTRAS, CHIP, RULES)
    for name, most in (("clip4", 1), ("eltwise4", 2)):
        check_rules(EXTRAS, CHIP, [(scaled() | {name: most}, None), (scaled() | {name: most + 1}, "V2001")])
    n = 37
    whole = (n // 16) * 640 + 2 * 16 + 5  # elements: two blocks of 16 columns, then a part of a third
    for count, code in ((whole, None), (whole - 1, "V1001")):
        tensor = SET_TENSOR | {"scales_n": count}
        check_rules(EXTRAS, CHIP, [(scaled(tensor=tensor, n=n, m=3), code)])


@pytest.mark.parametrize("word, code", [
    (1, None), (0x7BFF, None), (0x3C00 | 1 << 16, None), (0, "V2001"), (0x7C00, "V2001"),
    (0x7E00, "V2001"), (0x8001, "V2001"), (0xBC00, "V2001"), (1 << 16, "V2001")])
def test_clip_values(word, code):
    check_rules(EXTRAS, CHIP, [(program({"op": CLIP, "word": word}), code)])


@pytest.mark.parametrize("changes, code", [
    ({}, None), ({"scales_pos": B1}, None), ({"scales_pos": C1}, None), ({"scales_pos": VECIN}, "V1005"),
    ({"scales_pos": CO1}, "V1005"), ({"scales_pos": GM}, "V1005"), ({"scales": 32}, None),
    ({"scales": 16}, "V1004"), ({"op": ADDRESS_OF_FLOAT}, "V6002")])
def test_tensors(changes, code):
    check_rules(EXTRAS, CHIP, [(program(SET_TENSOR | changes), code)])


def test_results_that_have_none():
    """Without a conversion, and to bfloat16; of 8 bits no source says what they do."""
    for dst, src, quant, code in (("float", "float", 0, "V2004"), ("bfloat16", "float", F32_BF16, "V2004"),
                                  ("int8", "int32", REQ8, "V7001")):
        for extra in ({"clip": 1}, {"eltwise": 2}):
            step = move(dst, src, op=COPY_BY_FIELDS, quant=quant, row_major=0, **extra)
            check_refused(EXTRAS, CHIP, program(SET_WORD, SET_CLIP, SET_TENSOR, step), code)
    several = {"op": NZ2ND, "matrices": 2, "src_matrix": 1, "dst_matrix": 500}
    step = move("half", "int32", op=COPY_BY_FIELDS, quant=DEQF16, eltwise=1)
    check_refused(EXTRAS, CHIP, program(SET_WORD, SET_TENSOR, several, step), "V7001")


def test_registers_are_of_one_block():
    for missing in ({"clip": None}, {"tensor": None}):
        run = launch(EXTRAS, CHIP, [scaled(), scaled(**missing)])
        assert [(fault["code"], fault["block"]) for fault in run.faults] == [("V2004", 1)]


@pytest.mark.parametrize("extra", [{"clip": 1}, {"eltwise": 1}])
def test_atlas_a2_has_neither(extra):
    step = move("half", "int32", op=COPY_BY_FIELDS, row_major=0, **extra)
    check_refused(EXTRAS, "2201", program(SET_WORD, step), "V2001")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - {CHIP}))
@pytest.mark.parametrize("step", [SET_CLIP, SET_TENSOR])
def test_chips_without_it(chip, step):
    subject = ExtrasSubject()
    subject.compared = lambda case, got, want: got != got
    check_refused(subject, chip, program(step, fb=0, l0c=0, l1=0), "V6001")
