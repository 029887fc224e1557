"""What the instruction tests share: many cases in one launch, comparison, shrinking.

A case is a dict of integers. Each block of a launch runs one case: the kernel fills a memory with
the case's image, makes the call, and stores the whole memory, so that bytes which must stay as they
are get compared too. VINCI_SEED sets the seed of the random cases; VINCI_MORE multiplies their
number (`make check-random`), also by a fraction (`make check-asan`).
"""

import os
import pathlib

import numpy as np
import pytest

from harness import CHIPS, Out, run_kernel, times_more

FOLDER = pathlib.Path(__file__).resolve().parent
SEED = int(os.environ.get("VINCI_SEED", "20241121"))
MOST_IN_A_LAUNCH = 500

# The AI Cores whose half arithmetic saturates: inf becomes +-65504, NaN becomes +0.
SATURATES = {"1000", "1001", "2002"}
UB_BYTES = {"1000": 248 << 10, "1001": 256 << 10, "2002": 256 << 10, "2002v": 256 << 10,
            "2201": 192 << 10, "3002": 248 << 10}
WIDTH = {"int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "half": 2, "bfloat16": 2, "int32": 4,
         "uint32": 4, "float": 4, "int64": 8, "uint64": 8}
# Number of each type in the kernels' switch.
TYPES = ["int8", "uint8", "int16", "uint16", "half", "bfloat16", "int32", "uint32", "float",
         "int64", "uint64", "int4"]


# Where types are two numbers in one field, that of a destination and of a source.
def number_of(dst, src):
    return TYPES.index(dst) * 100 + TYPES.index(src)


def types_of(case):
    return TYPES[case["types"] // 100], TYPES[case["types"] % 100]


class Subject:
    """One instruction under test. Subclasses say how a case is run and what must come out.

    source: the kernel file; kernel: which of its kernels; fields: the order of a case's values in
    the kernel's table; simplest: for each field, the value at which a failing case is simplest.
    options: for the compiler; kernels that hold every form of every type take g++ thrice as long
    with -O2, and a quarter more to follow variables that nobody looks at; each fault reads them.
    """

    source = ""
    kernel = None  # its name, if the file holds several
    fields = ()
    simplest = {}
    options = ("-O1", "-fno-var-tracking")

    def before(self, case, chip):
        """The bytes that the kernel fills memory with."""
        raise NotImplementedError

    def expected(self, case, chip, before):
        """The bytes that must be found afterwards, from the documents' element formula."""
        raise NotImplementedError

    def untouched(self, case, chip, before):
        """The bytes that must be found when the call is refused."""
        return before

    def result_bytes(self, case, image):
        """How many bytes the kernel stores."""
        return len(image)

    def legal(self, case, chip):
        """Whether the documents allow the case: a shrunk case must stay legal."""
        raise NotImplementedError

    def compared(self, case, got, want):
        """A mask of the bytes that the documents determine; all of them unless overridden."""
        return np.ones(len(want), bool)


class Generator(np.random.Generator):
    """numpy's, which takes long to choose from a short list."""

    def choice(self, a, *more, **how):
        """One of a list, or what numpy does."""
        if isinstance(a, (list, tuple)) and not more and not how:
            return a[self.integers(0, len(a))]
        return super().choice(a, *more, **how)


def rng_for(*names):
    """A random generator that depends on the seed and the test's own names only."""
    words = [SEED, *(byte for name in names for byte in str(name).encode())]
    return Generator(np.random.PCG64(words))


def random_bytes(seed, count):
    return np.random.default_rng([SEED, seed]).integers(0, 256, count, np.uint8)


class SubjectInL1(Subject):
    """What reads from GM, whose bytes an image begins with, and writes to L1. The field l1 says whether
    the kernel can bring L1 back on the chip: else there is nothing to compare."""

    gm_bytes, l1_bytes = 0, 0

    def before(self, case, chip):
        return random_bytes(case["seed"], self.gm_bytes + self.l1_bytes)

    def result_bytes(self, case, image):
        return self.l1_bytes

    def untouched(self, case, chip, before):
        return before[self.gm_bytes:]

    def compared(self, case, got, want):
        return np.full(len(want), case["l1"] > 0)


def finite_halves(seed, count):
    """Bytes of random binary16 that are finite and not -0: a product with 1 keeps them."""
    bits = np.random.default_rng([SEED, seed]).integers(0, 1 << 16, count // 2, np.uint16)
    bits[(bits & 0x7C00) == 0x7C00] ^= 0x4000
    bits[bits == 0x8000] = 1
    return bits.view(np.uint8)


def as_int64(value):
    """The 64 bits of `value`, as the table holds them."""
    return np.array(int(value) % (1 << 64), np.uint64).view(np.int64)


def launch(subject, chip, cases, check="strict"):
    """Runs the cases, one block each; outputs[0] has a row of bytes for each case."""
    images = np.stack([subject.before(case, chip) for case in cases])
    wanted = subject.result_bytes(cases[0], images[0])
    head = [3 + len(subject.fields), images.shape[1], wanted]
    table = np.array([head + [as_int64(case[field]) for field in subject.fields] for case in cases])
    run = run_kernel(FOLDER / subject.source, table, images, Out("uint8", len(cases), wanted, part=True),
                     soc=CHIPS[chip], blocks=len(cases), check=check, kernel=subject.kernel,
                     options=subject.options)
    if run.report:  # cases leave registers as they like, and lose repeats: tests/tool has rules
        run.report["faults"] = [fault for fault in run.faults if fault["code"] != "V4013" and
                                "with a dst repeat stride of 0" not in fault["message"]]
    run.images = images
    return run


def difference(subject, chip, case, image, got):
    """What is wrong with one case's bytes, or None."""
    want = subject.expected(case, chip, image)
    wrong = (got != want) & subject.compared(case, got, want)
    if not wrong.any():
        return None
    at = int(np.flatnonzero(wrong)[0])
    part = slice(at // 4 * 4, at // 4 * 4 + 8)
    return (f"{int(wrong.sum())} bytes differ, the first at byte {at}: "
            f"got {got[part].tobytes().hex(' ')} instead of {want[part].tobytes().hex(' ')}")


def problem_of(subject, chip, cases, allowed=()):
    """(index, text) of a case that fails, or None. `allowed` are codes that may be reported."""
    run = launch(subject, chip, cases)
    if run.report is None:
        return 0, f"exit {run.code}\n{run.stdout}{run.stderr}"
    for fault in run.faults:
        if fault["code"] not in allowed:
            return max(fault["block"], 0), f"{fault['code']} {fault['message']}"
    if run.code != int(any(fault["severity"] == "error" for fault in run.faults)):
        return 0, f"exit {run.code} with no fault that is not allowed"
    for index, case in enumerate(cases):
        text = difference(subject, chip, case, run.images[index], run.outputs[0][index])
        if text:
            return index, text
    return None


def towards(value, target):
    """Simpler values to try instead of `value`, the simplest first."""
    step = (target > value) - (target < value)
    tries = [target, (value + target) // 2, value + step]
    return [x for x in dict.fromkeys(tries) if x != value]


def shrink(subject, chip, case, fails, tries=150):
    """The simplest case that still fails, found greedily field by field."""
    best, moved = dict(case), True
    while moved and tries > 0:
        moved = False
        for field, target in subject.simplest.items():
            for value in towards(best[field], target):
                candidate = {**best, field: value}
                if not subject.legal(candidate, chip):
                    continue
                tries -= 1
                if fails(candidate):
                    best, moved = candidate, True
                    break
                if tries <= 0:
                    return best
    return best


def check(subject, chip, cases, allowed=()):
    """Runs all cases, many to a launch; a failure is shrunk and shown."""
    for case in cases:
        assert subject.legal(case, chip), f"the test made a case that is not legal: {case}"
    check_legal(subject, chip, cases, allowed)


def check_legal(subject, chip, cases, allowed=()):
    """Runs cases that `legal` has accepted."""
    for start in range(0, len(cases), MOST_IN_A_LAUNCH):
        check_launch(subject, chip, cases[start:start + MOST_IN_A_LAUNCH], allowed)


def check_launch(subject, chip, cases, allowed):
    """Runs all cases in one launch."""
    found = problem_of(subject, chip, cases, allowed)
    if found is None:
        return
    index, text = found
    small = shrink(subject, chip, cases[index],
                   lambda candidate: problem_of(subject, chip, [candidate], allowed) is not None)
    again = problem_of(subject, chip, [small], allowed)
    pytest.fail(f"{CHIPS[chip]}, VINCI_SEED={SEED}, case {index} of {len(cases)}: {text}\n"
                f"case: {cases[index]}\nsmallest: {small}\n"
                f"then: {again[1] if again else 'passes alone: needs the cases before it'}")


def random_cases(subject, chip, make, count, *names):
    """`count` times VINCI_MORE legal cases made by make(rng)."""
    rng = rng_for(subject.source, chip, *names)
    count, cases = times_more(count), []
    for _ in range(count * 200):
        case = {field: int(value) for field, value in make(rng).items()}
        if subject.legal(case, chip):
            cases.append(case)
        if len(cases) == count:
            return cases
    raise AssertionError(f"only {len(cases)} of {count} random cases are legal")


def some(items, *names):
    """Of cases that take a launch each: a quarter, drawn by names, or all with VINCI_MORE=1."""
    items = list(items)
    count = min(len(items), max(-(-len(items) // 4), times_more(len(items))))
    return [items[int(i)] for i in sorted(rng_for(*names).permutation(len(items))[:count])]


def check_random(subject, chip, make, count, *names, allowed=()):
    """Runs random_cases(...)."""
    check_legal(subject, chip, random_cases(subject, chip, make, count, *names), allowed)


def verdict(subject, chip, case):
    """The codes that one case is reported with, in order, and what vinci exits with."""
    run = launch(subject, chip, [case])
    assert run.report is not None, f"exit {run.code}\n{run.stdout}{run.stderr}"
    return run


def check_refused(subject, chip, case, code):
    """The call is refused with `code` alone, whatever it is warned of; a wrong kernel goes on with
    memory as it was."""
    run = verdict(subject, chip, case)
    assert [fault["code"] for fault in run.errors] == [code], f"{CHIPS[chip]} {case}: {run.codes} instead of {code}\n{run.stderr}"
    assert run.code == (4 if code[1] in "67" else 1)
    if run.code == 1:
        want, got = subject.untouched(case, chip, run.images[0]), run.outputs[0][0]
        wrong = (got != want) & subject.compared(case, got, want)
        assert not wrong.any(), f"{CHIPS[chip]} {case}: {code} and written"
    return run


def check_rule(subject, chip, case, code):
    """One side of a limit: the call is clean and right (`code` None), or refused with `code`."""
    if code is None:
        check(subject, chip, [case])
    else:
        assert not subject.legal(case, chip), f"the oracle calls this legal: {case}"
        check_refused(subject, chip, case, code)
