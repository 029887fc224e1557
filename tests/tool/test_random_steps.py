"""Random programs of copies, sums, flags, barriers: what happens before what in them (V4009).

An oracle that shares nothing with vinci says which steps no wait orders, from the rules of the
documents: each pipe knows of what has ended when it starts its next step.
"""

import dataclasses
import pathlib
import random

import numpy as np
import pytest

from harness import Out, Value, run_kernel, times_more

KERNELS = pathlib.Path(__file__).parent / "kernels" / "random_steps.cpp"
LINES = {line.split("HERE ")[1]: number
         for number, line in enumerate(KERNELS.read_text().splitlines(), 1) if "HERE " in line}
KINDS = ["load", "add", "store", "set", "get", "flag", "barrier"]
PIPES = {"load": "MTE2", "add": "V", "store": "MTE3", "set": "S", "get": "S"}
EVENTS = [("MTE2", "V"), ("V", "MTE2"), ("V", "MTE3"), ("MTE3", "V"), ("MTE2", "MTE3"),
          ("MTE3", "MTE2"), ("V", "S"), ("S", "V"), ("MTE2", "S"), ("S", "MTE2"), ("MTE3", "S"),
          ("S", "MTE3")]
BARRIERS = ["V", "MTE2", "MTE3", "ALL"]
EVERY = ["MTE2", "V", "MTE3", "S"]
PLACES, MOST_STEPS = 12, 24


@dataclasses.dataclass(frozen=True)
class Step:
    """`what` of KINDS; places in datablocks, or event, set (1) or wait (0), and identifier."""

    what: str
    first: int = 0
    second: int = 0
    blocks: int = 1
    identifier: int = 0

    def words(self):
        return KINDS.index(self.what), self.first, self.second, self.blocks, self.identifier

    def reads(self):
        start = {"add": self.second, "store": self.first, "get": self.first}.get(self.what)
        return self.touched(start)

    def writes(self):
        return self.touched(self.first if self.what in ("load", "add", "set") else None)

    def touched(self, start):
        if start is None:
            return set()
        if self.what in ("set", "get"):  # one element
            return {(start, 0)}
        return {(block, at) for block in range(start, start + self.blocks) for at in range(8)}


def make(seed):
    """A program in which each flag is set and then waited for, once; most hand a place on."""
    rng = random.Random(seed)
    steps, waiting = [], []
    pipe, place = "MTE2", 0  # of the last step
    length = rng.randint(4, MOST_STEPS)
    while len(steps) < length:
        what = rng.choices(KINDS, [6, 6, 4, 2, 2, 12, 2])[0]
        if what == "flag":
            if waiting and rng.random() < 0.4:
                steps.append(waiting.pop(rng.randrange(len(waiting))))
                continue
            event, identifier = rng.randrange(len(EVENTS)), rng.randrange(4)
            if any((w.first, w.identifier) == (event, identifier) for w in waiting):
                continue
            hands_on = rng.random() < 0.7
            if hands_on and EVENTS[event][0] != pipe:
                continue
            steps.append(Step("flag", event, 1, 1, identifier))
            waiting.append(Step("flag", event, 0, 1, identifier))
            if hands_on:
                steps.append(waiting.pop())
                pipe = EVENTS[event][1]
        elif what == "barrier":
            steps.append(Step(what, rng.randrange(len(BARRIERS))))
        elif PIPES[what] == pipe or rng.random() < 0.3:
            blocks = rng.randint(1, 3)
            first, second = (rng.randrange(PLACES - blocks + 1) for _ in range(2))
            if rng.random() < 0.6:
                first = min(place, PLACES - blocks)
            if what == "add" and 0 < abs(first - second) < blocks:
                second = first
            steps.append(Step(what, first, second, blocks))
            pipe, place = PIPES[what], first
    return steps + waiting


def races(steps, auto_sync):
    """(earlier, later, who shows it) of steps that touch the same bytes, of which one writes, in no order.

    Two writes of one pipe show to who reads such bytes, before others are written; else the later step does.
    """
    issued = {pipe: set() for pipe in EVERY}
    known = {pipe: set() for pipe in EVERY}  # has ended when the pipe starts what it gets next
    ended = {}  # has, when a step has
    flags, found = {}, []
    unread = []  # (earlier, later, bytes)

    def learn(pipe, more):
        for other in EVERY if pipe == "S" else [pipe]:  # who makes scalar code wait, waits for all
            known[other] |= more

    for number, step in enumerate(steps):
        if step.what == "flag":
            source, target = EVENTS[step.first]
            if step.second == 1:
                flags[step.first, step.identifier] = issued[source] | known[source]
            else:
                learn(target, flags.pop((step.first, step.identifier)))
        elif step.what == "barrier":
            name = BARRIERS[step.first]
            if name == "ALL":
                learn("S", set(range(number)))
            else:
                learn(name, set(issued[name]))
        else:
            pipe = PIPES[step.what]
            found += [(*pair, number) for *pair, both in unread if both & step.reads()]
            unread = [(*pair, both - step.writes()) for *pair, both in unread if not both & step.reads()]
            for before in range(number):
                other = steps[before]
                if other.what in ("flag", "barrier") or before in known[pipe]:
                    continue
                pair = {pipe, PIPES[other.what]}
                if pair == {"S"} or (auto_sync and pair == {"V"}):
                    continue
                if not (step.writes() & (other.reads() | other.writes())
                        or step.reads() & other.writes()):
                    continue
                if auto_sync and "S" in pair:  # the compiler has the one wait
                    learn(pipe, ended[before])
                elif pipe == PIPES[other.what] and not (step.writes() & other.reads()
                                                        or step.reads() & other.writes()):
                    unread.append((before, number, step.writes() & other.writes()))
                else:
                    found.append((before, number, number))
            issued[pipe].add(number)
            ended[number] = issued[pipe] | known[pipe]
    return found


def run(steps, auto_sync, schedule="eager"):
    words = np.array([step.words() for step in steps], np.int32).reshape(-1)
    data = np.random.default_rng(5).standard_normal(64 * len(steps) + 8 * PLACES).astype(np.float32)
    return run_kernel(KERNELS, data, words, Out("float", 64 * len(steps), part=True),
                      Value("int32", len(steps)), soc="Ascend910B1", check="race",
                      kernel="random_steps",
                      extra=["--auto-sync", "on" if auto_sync else "off", "--schedule", schedule])


def told(done):
    """Lines of the two steps of each finding."""
    assert done.report is not None and set(done.codes) <= {"V4009"}, done.stderr
    return {(fault["other"]["lines"][0]["line"], fault["lines"][0]["line"])
            for fault in done.faults}


def disagreement(steps, auto_sync):
    """What is wrong with what vinci tells of a program, or None.

    One fault for each pair of lines, and who has been told to wait counts as having waited: so that
    not all pairs are told, but the first one is, and none that is in order.
    """
    pairs = races(steps, auto_sync)

    def lines(*of):
        return {(LINES[steps[one].what], LINES[steps[other].what]) for one, other, _ in of}

    found = told(run(steps, auto_sync))
    if not found <= lines(*pairs):
        return f"told, but in order: {found - lines(*pairs)}"
    first = min((shows for *_, shows in pairs), default=None)
    if first is not None and not found & lines(*(pair for pair in pairs if pair[2] == first)):
        return f"not told: what step {first} shows"
    return None


def shrink(steps, is_wrong):
    """The fewest steps, without one or a flag's two, of which something is still wrong."""
    smaller = True
    while smaller:
        smaller = False
        for step in list(dict.fromkeys(steps)):
            same = (lambda other: other == step) if step.what != "flag" else (
                lambda other: (other.what, other.first, other.identifier)
                == (step.what, step.first, step.identifier))
            without = [other for other in steps if not same(other)]
            if len(without) < len(steps) and is_wrong(without):
                steps, smaller = without, True
                break
    return steps


@pytest.mark.parametrize("auto_sync", [True, False])
@pytest.mark.parametrize("seed", range(times_more(60)))
def test_what_is_told_is_what_nothing_orders(seed, auto_sync):
    steps = make(seed)
    if disagreement(steps, auto_sync) is None:
        return
    least = shrink(steps, lambda fewer: disagreement(fewer, auto_sync) is not None)
    program = "\n".join(f"  {number}: {step}" for number, step in enumerate(least))
    pytest.fail(f"seed {seed}: {disagreement(least, auto_sync)}\n{program}")


@pytest.mark.parametrize("auto_sync", [True, False])
def test_the_programs_are_of_both_kinds(auto_sync):
    clean = [not races(make(seed), auto_sync) for seed in range(200)]
    assert 20 < sum(clean) < 180


def ordered(seed, auto_sync):
    """A random program with PipeBarrier<PIPE_ALL> where the oracle wants something."""
    steps = make(seed)
    while found := races(steps, auto_sync):
        steps.insert(found[0][1], Step("barrier", BARRIERS.index("ALL")))
    return steps


@pytest.mark.parametrize("seed", range(times_more(6)))
def test_programs_in_order_give_the_same_under_every_schedule(seed):
    steps = ordered(seed, auto_sync=False)
    first = run(steps, False)
    assert told(first) == set()
    for schedule in ("lazy", "random:1", "random:2"):
        again = run(steps, False, schedule)
        assert told(again) == set()
        assert again.outputs[0].tobytes() == first.outputs[0].tobytes(), f"seed {seed}, {schedule}"
