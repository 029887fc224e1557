"""DataCopy out of L0C: Fixpipe with the scales and the matrices in registers.

A case is a program of a few steps: setters, copies, Fixpipe, scales to FB. The oracle runs it on
the image with the registers as a dict; what a copy stores is fixpipe_oracle's.
"""

import itertools

import numpy as np
import pytest

from batches import check_rules
from cases import SEED, Subject, check, check_refused, launch, random_cases, verdict
from fixpipe_oracle import (A1, B1, CO1, DEQF16, F32_F16, GM, GM_BYTES, L0C_BYTES, L1_BYTES, MODES,
                            NO_QUANT, QF32_B8, REQ8, SCALES_BYTES, VDEQF16, VECIN, VECTOR, VQF32_B8,
                            VREQ8, WITH, FixpipeSubject, random_words, scale_word)
from harness import CHIPS
from test_fixpipe import plain, random_call

C2PIPE2GM = 14
FB_BYTES = 2048
STEPS = 6
(NOTHING, CONFIG_PAIR, CONFIG, CONFIG_INT32, CONFIG_WITH_RELU, CONFIG_RELU, PRE_QUANT, NZ2ND, COPY,
 COPY_BY_FIELDS, FIXPIPE, SCALES_TO_FB, CONFIG_FLAG, CLIP, ADDRESS, ADDRESS_OF_FLOAT) = range(16)
CONFIGS = (CONFIG_PAIR, CONFIG, CONFIG_INT32, CONFIG_FLAG)
COPIES = (COPY, COPY_BY_FIELDS)
SCALAR = (REQ8, DEQF16, QF32_B8)
STEP = ("op", "types", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n", "scales_pos", "scales",
        "scales_n", "word", "matrices", "src_matrix", "dst_matrix", "n", "m", "src_stride",
        "dst_stride", "quant", "relu", "split", "row_major", "unit_flag", "sid", "clip", "eltwise")
PIPE = FixpipeSubject()


def program(*steps, **changes):
    """The steps, given as dicts with at least `op`, as one case."""
    steps = [*steps, *[{"op": NOTHING}] * (STEPS - len(steps))]
    case = {"fb": FB_BYTES, "l0c": L0C_BYTES, "l1": L1_BYTES, "steps": STEPS, "seed": 1}
    for i, step in enumerate(steps):
        case |= {f"{name}{i}": step.get(name, 0) for name in STEP}
    return case | changes


def steps_of(case):
    return [{name: case[f"{name}{i}"] for name in STEP} for i in range(STEPS)]


def as_fixpipe(step, matrices, word):
    """The Fixpipe call that stores the same; its scales are given to the oracle by hand."""
    count, src_matrix, dst_matrix = matrices or (1, 0, 0)
    return step | {"form": 3, "vector": int(step["quant"] in VECTOR), "scales_pos": A1, "scales": 0,
                   "scales_n": 4096, "matrices": count, "src_matrix": src_matrix,
                   "dst_matrix": dst_matrix, "word": word or 0, "seed": 0}


class Registers:
    """What a block has set so far: None until then."""

    def __init__(self):
        self.scales = self.word = self.matrices = self.clip = self.element_wise = None

    def set_by(self, step):
        if step["op"] == CONFIG_FLAG and step["scales_pos"] == CO1:
            return  # the unit flags alone
        if step["op"] in CONFIGS:
            width = 4 if step["op"] == CONFIG_INT32 else 8
            self.scales = step["scales"], step["scales_n"] * width
        elif step["op"] == PRE_QUANT:
            self.word = step["word"]
        elif step["op"] == NZ2ND:
            self.matrices = step["matrices"], step["src_matrix"], step["dst_matrix"]
        elif step["op"] == CLIP:
            self.clip = step["word"] % (1 << 16)
        elif step["op"] == ADDRESS:
            self.element_wise = step["scales"], 2 * step["scales_n"], 32 * step["matrices"]


class RegisterSubject(Subject):
    source = "fixpipe_registers_cases.cpp"
    fields = ("fb", "l0c", "l1", "steps", *(f"{name}{i}" for i in range(STEPS) for name in STEP))
    simplest = {f"{name}{i}": value for i in range(STEPS)
                for name, value in (("op", NOTHING), ("relu", 0), ("m", 1), ("n", 16))}

    def before(self, case, chip):
        types = max(step["types"] for step in steps_of(case))
        words = random_words(np.random.default_rng([SEED, case["seed"], 1]), FB_BYTES // 8)
        rest = PIPE.before({"types": types, "seed": case["seed"]}, chip)
        return np.concatenate([words.view(np.uint8), rest])

    def expected(self, case, chip, before):
        memory, registers = before.copy(), Registers()
        for step in steps_of(case):
            registers.set_by(step)
            if step["op"] == SCALES_TO_FB:
                at, count = FB_BYTES + L0C_BYTES + step["src"], 128 * step["n"]
                memory[step["scales"]:step["scales"] + count] = memory[at:at + count]
            elif step["op"] == FIXPIPE:
                fixpipe = step | {"vector": int(step["quant"] in VECTOR)}
                memory[FB_BYTES:] = PIPE.expected(fixpipe, chip, memory[FB_BYTES:])
            elif step["op"] in COPIES:
                memory[FB_BYTES:] = self.copied(step, registers, memory)
        return memory

    def copied(self, step, registers, memory):
        words = np.uint64((registers.word or 0) % (1 << 64))
        if step["quant"] in VECTOR:
            words = memory[registers.scales[0]:][:8 * step["n"]].view(np.uint64)
        fixpipe = as_fixpipe(step, registers.matrices, registers.word)
        return PIPE.stored(fixpipe, memory[FB_BYTES:], words, self.finish(step, registers, memory))

    def finish(self, step, registers, memory):
        """What becomes of converted results before they are stored: nothing here."""
        return None

    def legal(self, case, chip):
        registers = Registers()
        for step in steps_of(case):
            if chip not in WITH or not self.step_is_legal(step, registers, chip):
                return False
            registers.set_by(step)
        return True

    def step_is_legal(self, step, registers, chip):
        op = step["op"]
        if op in COPIES:
            return self.copy_is_legal(step, registers, chip)
        if op == FIXPIPE:
            vector = int(step["quant"] in VECTOR)
            return (step["scales_n"] > 0) == vector and step["sid"] == 0 and \
                PIPE.legal(step | {"form": 3, "vector": vector}, chip)
        if op == NZ2ND:
            least = int(step["matrices"] != 1)
            return step["matrices"] >= 1 and least <= step["src_matrix"] <= 512 and \
                step["dst_matrix"] >= least
        if op == SCALES_TO_FB:
            return chip == "2201" and step["scales"] % 128 == 0 and step["src"] % 32 == 0 and \
                step["scales"] + 128 * step["n"] <= FB_BYTES
        if op in CONFIGS:
            if op == CONFIG_FLAG and step["scales_pos"] == CO1:
                return True
            return step["scales_pos"] == C2PIPE2GM and step["scales"] % 64 == 0
        return op in (NOTHING, PRE_QUANT)

    def copy_is_legal(self, step, registers, chip):
        quant, size = step["quant"], 8 * step["n"]
        if step["relu"] > 1 or not self.extras_are_legal(step, registers, chip) or \
                (step["row_major"] and registers.matrices is None) or \
                (quant in SCALAR and registers.word is None) or \
                (quant in VECTOR and registers.scales is None):
            return False
        if quant in VECTOR and step["m"] and (
                size > registers.scales[1] or registers.scales[0] + size > FB_BYTES):
            return False
        fixpipe = as_fixpipe(step, registers.matrices, registers.word)
        return PIPE.legal(fixpipe, chip)


    def extras_are_legal(self, step, registers, chip):
        return not step["clip"] and not step["eltwise"]


COPIER = RegisterSubject()


def config(rng):
    op, at = int(rng.choice(CONFIGS)), 64 * int(rng.integers(0, 16))
    return {"op": op, "scales_pos": C2PIPE2GM, "scales": at,
            "scales_n": (FB_BYTES - at) // (4 if op == CONFIG_INT32 else 8)}


def pre_quant(rng):
    return {"op": PRE_QUANT, "word": int(random_words(rng, 1)[0])}


def nz2nd(rng):
    matrices = rng.integers(1, 4)
    return {"op": NZ2ND, "matrices": matrices, "src_matrix": rng.integers(matrices > 1, 6),
            "dst_matrix": rng.integers(matrices > 1, 1500)}


def scales_to_fb(rng):
    at = 128 * int(rng.integers(0, 10))
    return {"op": SCALES_TO_FB, "src_pos": A1, "src": 32 * int(rng.integers(0, 8)), "src_n": 128,
            "scales_pos": C2PIPE2GM, "scales": at, "scales_n": 128, "n": rng.integers(0, 5)}


def copy(rng, dst, src, op):
    call = random_call(rng, dst, src)
    step = {name: call[name] for name in STEP if name in call} | {"op": op}
    if op == FIXPIPE:
        return step | {"scales_n": step["scales_n"] if step["quant"] in VECTOR else 0}
    return step | {"sid": rng.integers(0, 256) if op == COPY_BY_FIELDS else 0}


def random_program(rng, chip, dst, src):
    """Setters, some of them missing, in any order; a copy; anything; a copy."""
    setters = [config, pre_quant, nz2nd]
    first = [make(rng) if rng.integers(0, 5) else {"op": NOTHING}
             for make in rng.permutation(setters)]
    pair = [*MODES][rng.integers(0, len(MODES))]
    extra = [make(rng) for make in setters] + [copy(rng, *pair, int(rng.choice([FIXPIPE, *COPIES])))
                                               for _ in range(2)]
    if chip == "2201":
        extra.append(scales_to_fb(rng))
    last = copy(rng, dst, src, int(rng.choice(COPIES)))
    return program(*first, copy(rng, dst, src, int(rng.choice(COPIES))),
                   extra[rng.integers(0, len(extra))], last, seed=rng.integers(0, 1 << 20))


def some(chip, dst, src):
    return random_cases(COPIER, chip, lambda rng: random_program(rng, chip, dst, src), 40, dst, src)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", MODES)
def test_random(chip, dst, src):
    check(COPIER, chip, some(chip, dst, src), allowed=("V2009",))


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst, src", MODES)
def test_the_random_cases_reach_everything(chip, dst, src):
    cases = some(chip, dst, src)
    assert {case["quant5"] for case in cases} == {*MODES[dst, src]}
    assert {case["row_major5"] for case in cases} == {0, 1}


# One matrix of 3 x 16 of L0C to GM, and the setters that modes and layouts need.
SET_SCALES = {"op": CONFIG, "scales_pos": C2PIPE2GM, "scales": 256, "scales_n": 128}
SET_WORD = {"op": PRE_QUANT, "word": scale_word(0.5)}
SET_MATRICES = {"op": NZ2ND, "matrices": 1, "src_matrix": 1, "dst_matrix": 1}


def move(dst="float", src="float", /, op=COPY, **changes):
    call = plain(dst, src, **changes)
    return {name: call[name] for name in STEP if name in call} | {"op": op} | \
        ({} if op == FIXPIPE and call["quant"] in VECTOR else {"scales_n": 0}) | \
        {name: changes[name] for name in ("sid", "clip", "eltwise") if name in changes}


class SameScales(RegisterSubject):
    """FB holds from byte 256 on what L1 holds from its start: Fixpipe takes the scales there."""

    def before(self, case, chip):
        image = super().before(case, chip)
        l1 = FB_BYTES + L0C_BYTES
        image[256:256 + SCALES_BYTES] = image[l1:l1 + SCALES_BYTES]
        return image


LAYOUTS = [{"row_major": 1, "n": 37},
           {"row_major": 1, "n": 40, "m": 33, "src_stride": 48, "dst_stride": 71},
           {"row_major": 0, "n": 48}, {"row_major": 0, "n": 64, "m": 20, "src_stride": 32}]


@pytest.mark.parametrize("chip", WITH)
def test_the_same_as_fixpipe(chip):
    """Every mode and layout, with and without ReLU, one and three matrices: equal bits."""
    pairs = []
    for dst, src in MODES:
        layouts = LAYOUTS + [{"row_major": 0, "split": 1, "n": 24}] * (dst == "float") + \
            [{"row_major": 0, "n": 32, "dst_pos": B1, "dst": 2048}] * (dst != src)
        every = itertools.product(MODES[dst, src], layouts, (0, 1), (1, 3))
        for quant, layout, relu, count in every:
            call = layout | {"quant": quant, "relu": relu, "matrices": count, "src_matrix": 2,
                             "dst_matrix": 1111, "word": scale_word(0.3, 3, -7)}
            matrices = {"op": NZ2ND, "matrices": count, "src_matrix": 2, "dst_matrix": 1111}
            pairs.append([
                program(move(dst, src, op=FIXPIPE, **call)),
                program(SET_SCALES, {"op": PRE_QUANT, "word": call["word"]}, matrices,
                        move(dst, src, **call))])
    subject = SameScales()
    run = launch(subject, chip, [case for pair in pairs for case in pair])
    assert run.codes == [], run.stderr
    for index, pair in enumerate(pairs):
        fixpipe, copied = run.outputs[0][2 * index:2 * index + 2]
        assert (fixpipe != run.images[2 * index]).any()
        assert (fixpipe == copied).all(), f"{chip} {steps_of(pair[1])[3]}"


def results_of(case, places, dtype, values=(10, 20, 30)):
    """What the program makes of these elements of L0C, at bytes of GM. FB holds scales 0..15 again
    and again, L1 the scale 5."""
    l1 = FB_BYTES + L0C_BYTES
    image = np.zeros(l1 + L1_BYTES + GM_BYTES, np.uint8)
    image[:FB_BYTES].view(np.uint64)[:] = [scale_word(i % 16) for i in range(FB_BYTES // 8)]
    image[FB_BYTES:].view(np.int32)[:len(values)] = values
    image[l1:l1 + SCALES_BYTES].view(np.uint64)[:] = scale_word(5)
    subject = RegisterSubject()
    subject.before = lambda case, chip: image
    run = launch(subject, "2201", [case])
    assert run.codes == [], run.stderr
    gm = run.outputs[0][0][l1 + L1_BYTES:]
    return [gm[at:at + len(values) * np.dtype(dtype).itemsize].view(dtype).tolist()
            for at in places]


def test_registers_keep_their_content():
    """Copies leave them as they are, and so does Fixpipe; a setter counts for what comes later."""
    row = {"m": 1, "n": 3, "quant": DEQF16}
    twice = program({"op": PRE_QUANT, "word": scale_word(2)}, SET_MATRICES,
                    move("half", "int32", **row),
                    move("half", "int32", **row, op=FIXPIPE, dst=64, word=scale_word(7)),
                    move("half", "int32", **row, dst=128))
    assert results_of(twice, (0, 64, 128), np.float16) == [[20, 40, 60], [70, 140, 210],
                                                          [20, 40, 60]]
    again = program({"op": PRE_QUANT, "word": scale_word(2)}, SET_MATRICES,
                    {"op": PRE_QUANT, "word": scale_word(3)}, move("half", "int32", **row),
                    {"op": PRE_QUANT, "word": scale_word(4)}, move("half", "int32", **row, dst=64))
    assert results_of(again, (0, 64), np.float16) == [[30, 60, 90], [40, 80, 120]]
    row["quant"] = VDEQF16
    columns = program(SET_SCALES | {"scales": 128}, SET_SCALES | {"scales": 64}, SET_MATRICES,
                      move("half", "int32", **row), SET_SCALES | {"scales": 128},
                      move("half", "int32", **row, dst=64))
    assert results_of(columns, (0, 64), np.float16) == [[80, 180, 300], [0, 20, 60]]


def test_the_flag_alone_leaves_the_scales():
    """SetFixPipeConfig(a tensor in CO1, true) between the scales and the copy that takes them."""
    case = program(SET_SCALES | {"scales": 128}, SET_MATRICES,
                   {"op": CONFIG_FLAG, "scales_pos": CO1, "scales": 0, "scales_n": 16},
                   move("half", "int32", m=1, n=3, quant=VDEQF16))
    assert results_of(case, (0,), np.float16) == [[0, 20, 60]]


def test_fb_is_read_when_the_copy_runs():
    """Scales that come to FB after SetFixPipeConfig count."""
    step = {"op": SCALES_TO_FB, "src_pos": A1, "src": 0, "src_n": 16, "scales_pos": C2PIPE2GM,
            "scales": 0, "scales_n": 16, "n": 1}
    case = program(SET_SCALES | {"scales": 0}, SET_MATRICES, step,
                   move("half", "int32", m=1, n=3, quant=VDEQF16))
    assert results_of(case, (0,), np.float16) == [[50, 100, 150]]


NEEDS = [(SET_WORD, move("int8", "int32", quant=REQ8)), (SET_WORD, move("half", "int32")),
         (SET_WORD, move("uint8", "float")), (SET_SCALES, move("int8", "int32", quant=VREQ8)),
         (SET_SCALES, move("half", "int32", quant=VDEQF16)),
         (SET_SCALES, move("uint8", "float", quant=VQF32_B8)), (SET_MATRICES, move()),
         (SET_MATRICES, move("half", "float"))]


@pytest.mark.parametrize("chip", WITH)
def test_what_is_missing_is_a_fault(chip):
    """All the other registers are set; then none is; a copy of nothing needs them too."""
    everything = [SET_WORD, SET_SCALES, SET_MATRICES]
    rules = []
    for needed, step in NEEDS:
        others = [setter for setter in everything if setter is not needed]
        alone = step if needed is SET_MATRICES else step | {"row_major": 0}
        rules += [(program(*everything, step), None), (program(*others, step), "V2004"),
                  (program(alone), "V2004"), (program(*others, step, needed), "V2004"),
                  (program(*others, step | {"m": 0}), "V2004")]
    rules += [(program(move(row_major=0)), None), (program(move("half", row_major=0)), None)]
    check_rules(COPIER, chip, rules)


@pytest.mark.parametrize("chip", WITH)
def test_registers_are_of_one_block(chip):
    """Block 0 sets what block 1 does not."""
    for needed, step in NEEDS:
        others = [setter for setter in (SET_WORD, SET_SCALES, SET_MATRICES) if setter is not needed]
        run = launch(COPIER, chip, [program(needed, *others, step), program(*others, step)])
        assert [(fault["code"], fault["block"]) for fault in run.faults] == [("V2004", 1)]
        assert (run.outputs[0][1] == run.images[1]).all()


SETTERS = [
    (SET_MATRICES | {"matrices": 0}, "V2001"), (SET_MATRICES | {"matrices": 65535}, None),
    (SET_MATRICES | {"src_matrix": 512}, None), (SET_MATRICES | {"src_matrix": 513}, "V2001"),
    (SET_MATRICES | {"src_matrix": 0, "dst_matrix": 0}, None),
    (SET_MATRICES | {"matrices": 2, "src_matrix": 0}, "V2001"),
    (SET_MATRICES | {"matrices": 2, "dst_matrix": 0}, "V2001"),
    (SET_MATRICES | {"dst_matrix": 65535}, None),
    (SET_SCALES | {"op": CONFIG_PAIR}, None), (SET_SCALES | {"op": CONFIG_INT32}, None),
    (SET_SCALES | {"op": CONFIG_WITH_RELU}, "V2004"), (SET_SCALES | {"op": CONFIG_RELU}, "V2004"),
    *[(SET_SCALES | {"op": op, "scales_pos": position},
       None if (op, position) == (CONFIG_FLAG, CO1) else "V1005")
      for op in CONFIGS for position in (A1, B1, VECIN, CO1, GM)],
    *[(SET_SCALES | {"op": op, "scales": at}, code)
      for op in CONFIGS for at, code in ((64, None), (32, "V1004"), (8, "V1004"))],
    (SET_WORD | {"word": (1 << 64) - 1}, None), (SET_WORD | {"word": 0}, None),
]


@pytest.mark.parametrize("chip", WITH)
def test_setters(chip):
    check_rules(COPIER, chip, [(program(setter), code) for setter, code in SETTERS])


NZ = {"row_major": 0}
TO_L1 = {"row_major": 0, "dst_pos": A1, "dst": 1024}
COPY_RULES = [
    (move(relu=1), None), (move(relu=2), "V2001"), (move(relu=255, op=COPY_BY_FIELDS), "V2001"),
    (move(relu=2, m=0), "V2001"), (move(sid=255, op=COPY_BY_FIELDS), None),
    (move("half", **TO_L1), None), (move("half", **TO_L1 | {"dst_pos": B1}), None),
    (move("half", **TO_L1 | {"row_major": 1}), "V2004"), (move(**TO_L1), "V2004"),
    (move(split=1, **NZ), None), (move(split=1), "V2004"), (move("half", split=1, **NZ), "V2004"),
    (move(n=17), None), (move(n=17, **NZ), "V2002"), (move(n=24, split=1, **NZ), None),
    (move(n=20, split=1, **NZ), "V2002"), (move(n=4096), "V2001"), (move(n=4096, m=0), None),
    (move(m=8193, src_stride=8208), "V2001"), (move(src_stride=17), "V2002"),
    (move(m=17), "V2001"), (move(dst_stride=0), "V2001"), (move(dst_stride=0, n=0), None),
    (move(src=64), None), (move(src=32), "V1004"), (move(dst=4), None), (move(dst=2), "V1004"),
    (move(dst=4, **NZ), "V1004"), (move(src_pos=A1), "V1005"), (move(dst_pos=VECIN), "V1005"),
    (move(src_n=48), None), (move(src_n=47), "V1001"), (move(dst_n=144), None),
    (move(dst_n=143), "V1001"), (move("int32", "int32", quant=F32_F16), "V2004"),
    (move("half", quant=NO_QUANT), "V2004"),
]
MATRICES = {"op": NZ2ND, "matrices": 3, "src_matrix": 2, "dst_matrix": 500}
MATRICES_RULES = [
    (move(dst_n=1000 + 144), None), (move(dst_n=1000 + 143), "V1001"),
    (move(src_n=1024 + 48), None), (move(src_n=1024 + 47), "V1001"),
    (move(src_n=48, dst_n=64 * 8 + 48, n=16, **NZ), None),
]
SCALES_RULES = [
    ({"scales_n": 16}, None), ({"scales_n": 15}, "V1001"),
    ({"op": CONFIG_INT32, "scales_n": 32}, None), ({"op": CONFIG_INT32, "scales_n": 31}, "V1001"),
    ({"scales": FB_BYTES - 128}, None),
]


@pytest.mark.parametrize("chip", WITH)
def test_copies(chip):
    scaled = move("int8", "int32", quant=VREQ8)
    rules = [(program(SET_SCALES, SET_WORD, SET_MATRICES, step), code) for step, code in COPY_RULES]
    rules += [(program(MATRICES, step), code) for step, code in MATRICES_RULES]
    rules += [(program(SET_SCALES | changes, SET_MATRICES, scaled), code)
              for changes, code in SCALES_RULES]
    fb = (7 if chip == "2201" else 6) << 10
    rules += [(program(SET_SCALES | {"scales": fb - 64}, SET_MATRICES, scaled), "V1002")]
    check_rules(COPIER, chip, rules)
    last = program(SET_SCALES | {"scales": fb - 128}, SET_MATRICES, scaled)
    assert verdict(COPIER, chip, last).codes == []


@pytest.mark.parametrize("chip", WITH)
def test_modes_of_each_pair(chip):
    """All pairs of types by all modes, and a number that is no mode."""
    every = [*{mode for modes in MODES.values() for mode in modes}, 7]
    check_rules(COPIER, chip, [
        (program(SET_SCALES, SET_WORD, SET_MATRICES, move(dst, src, quant=quant)),
         None if quant in MODES[dst, src] else "V2004") for dst, src in MODES for quant in every])


@pytest.mark.parametrize("chip", WITH)
def test_types(chip):
    for dst, src in (("int32", "float"), ("float", "int32"), ("half", "half"), ("int16", "int32")):
        check_refused(COPIER, chip, program(SET_MATRICES, move(dst, src, quant=NO_QUANT)), "V6002")


class Unfilled(RegisterSubject):
    """The chip may lack the memories, so nothing is filled and nothing is compared."""

    def compared(self, case, got, want):
        return got != got


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
@pytest.mark.parametrize("step", [SET_SCALES, SET_WORD, SET_MATRICES, move()])
def test_chip_without_it(chip, step):
    check_refused(Unfilled(), chip, program(step, fb=0, l0c=0, l1=0), "V6001")
