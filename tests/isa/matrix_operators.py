"""What tests of Conv2D and Gemm share: types, the pool of operands, tilings cut anew, launches of cases and
the shrinking of those that fail."""

import dataclasses
import typing

import numpy as np

from cases import FOLDER, shrink
from harness import CHIPS, Out, run_kernel

WITH = ("1001", "2002")
A1, B1, CO1, CO2 = 1, 3, 7, 8
INT8, HALF_TO_FLOAT, HALF = range(3)
C0, SRC, DST = (32, 16, 16), (np.int8, np.float16, np.float16), (np.int32, np.float32, np.float16)
L0, L0C, UB = 65536, 262144, 262144

PLACE = ("pos", "address", "elements")  # of an operand, among a case's fields
READING = "V2012"  # documents and running library differ: told, and tested with each one's rules

SECTION = 640 << 10
INTS8, HALF_INTS, HALF_ONES, HALVES, INTS32, FLOAT_INTS, FLOATS = range(7)


def make_pool():
    """Where operands come from: a section for each kind of numbers."""
    rng = np.random.default_rng(20241122)
    count = SECTION // 2
    parts = [rng.integers(-128, 128, SECTION).astype(np.int8),
             rng.integers(-8, 9, count).astype(np.float16),
             rng.integers(-1, 2, count).astype(np.float16),
             rng.standard_normal(count).astype(np.float16),
             rng.integers(-2**31, 2**31, SECTION // 4).astype(np.int32),
             rng.integers(-99, 100, SECTION // 4).astype(np.float32),
             rng.standard_normal(SECTION // 4).astype(np.float32)]
    return np.concatenate([part.view(np.uint8) for part in parts])


POOL = make_pool()


def part(start, count, dtype):
    return POOL[start:start + count * np.dtype(dtype).itemsize].view(dtype)


def up(value, unit):
    return -(-value // unit) * unit


def sections(types, whole):
    """Of the operands and of what dst holds first: whole numbers, or any."""
    if types == INT8:
        return INTS8, INTS32
    if types == HALF:
        return (HALF_ONES, HALF_ONES) if whole else (HALVES, HALVES)
    return (HALF_INTS, FLOAT_INTS) if whole else (HALVES, FLOATS)


def cut(tiling, m_tile, n_tile, k_tile):
    """The tiling with other tiles."""
    changed = dict(tiling)
    for axis, tile in zip("mnk", (m_tile, n_tile, k_tile)):
        blocks = tiling[axis + "BlockNum"]
        count = up(blocks, tile) // tile
        changed |= {axis + "TileBlock": tile, axis + "IterNum": count,
                    axis + "TailBlock": blocks - (count - 1) * tile}
    return changed


class Wrong(Exception):
    """What differs."""


@dataclasses.dataclass
class MatrixOperator:
    """An operator under test: NAME_cases.cpp has the kernel NAME_cases."""

    name: str
    fields: tuple                # of a case, in the kernel's order
    kept: set                    # of them, what the others follow from
    simplest: dict               # where shrinking goes
    complete: typing.Callable    # case -> case with all fields
    legal: typing.Callable       # case -> bool
    cut: typing.Callable = cut   # case, tiles of M, N, K -> case
    compare: typing.Callable = None  # case, bytes: raises Wrong

    def launch(self, chip, cases, **more):
        """Runs the cases, one block each; run.results has the bytes of each."""
        at = 0
        for case in cases:
            case["result_at"] = at
            at += up(max(case["visible"], 1), 64)
        table = np.array([[1 + len(self.fields), *(case[name] for name in self.fields)]
                          for case in cases], np.int64)
        run = run_kernel(FOLDER / f"{self.name}_cases.cpp", table, POOL, Out("uint8", at, part=True),
                         soc=CHIPS[chip], blocks=len(cases), kernel=f"{self.name}_cases", **more)
        if run.outputs:
            run.results = [run.outputs[0][case["result_at"]:case["result_at"] + case["visible"]]
                           for case in cases]
        return run

    def problem_of(self, chip, cases, judge):
        """(index, text) of a case that fails, or None."""
        run = self.launch(chip, cases)
        if run.report is None:
            return 0, f"exit {run.code}\n{run.stdout}{run.stderr}"
        for fault in run.faults:
            if fault["code"] != READING:
                return max(fault["block"], 0), f"{fault['code']} {fault['message']}"
        for index, (case, got) in enumerate(zip(cases, run.results)):
            try:
                judge(case, got)
            except Wrong as wrong:
                return index, str(wrong)
        return None

    def again(self, case):
        """The case with what follows from the rest computed anew."""
        fresh = self.complete({name: value for name, value in case.items()
                               if name in self.kept or name in self.simplest})
        if case["given"]:
            fresh = self.cut(fresh, *(min(case[axis + "TileBlock"], fresh[axis + "BlockNum"])
                                      for axis in "mnk"))
        return fresh

    def check(self, chip, cases, judge=None, at_once=250):
        """Runs all cases; a failure is shrunk and shown."""
        judge = judge or self.compare
        for start in range(0, len(cases), at_once):
            batch = cases[start:start + at_once]
            found = self.problem_of(chip, batch, judge)
            if found is None:
                continue
            index, text = found
            small = self.again(shrink(
                Shrinking(self), chip, batch[index],
                lambda case: self.problem_of(chip, [self.again(case)], judge) is not None, 60))
            again = self.problem_of(chip, [small], judge)
            raise AssertionError(
                f"{CHIPS[chip]}, case {start + index}: {text}\ncase: {batch[index]}\n"
                f"smallest: {small}\nthen: {again[1] if again else 'passes alone'}")

    def random_tiles(self, case, rng):
        """The case with a tiling of its own, in any loop mode."""
        m = int(rng.integers(1, case["mBlockNum"] + 1))
        n = int(rng.integers(1, case["nBlockNum"] + 1))
        k = int(rng.integers(1, min(case["kBlockNum"], 128 // max(m, n)) + 1))
        return self.cut(case, m, n, k) | {"given": 1, "loop_mode": int(rng.integers(0, 4))}


class Shrinking:
    """What cases.shrink wants to know."""

    def __init__(self, operator):
        self.operator, self.simplest = operator, operator.simplest

    def legal(self, case, _chip):
        return self.operator.legal(case)
