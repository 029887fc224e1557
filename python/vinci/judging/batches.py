"""Many tasks: in their order, on several processes, in shards, resumed and merged."""

import collections
import concurrent.futures
import contextlib
import json
import multiprocessing.util
import os
import signal
from concurrent.futures.process import BrokenProcessPool

from .. import _engine
from ..errors import UsageError
from . import elsewhere, files
from .tasks import read_lines
from .verdicts import judged


def pairs_of(tasks):
    """Fields and folder of each task: from a path, or from an iterable of objects."""
    if isinstance(tasks, (str, os.PathLike)):
        return read_lines(tasks)
    return ((task, os.getcwd()) for task in tasks)


def judge(tasks, jobs=1, shard=(1, 1), known=(), kept=None, apart=False):
    """Iterates the verdicts on tasks, in their order: a file of JSON lines, a folder of .json
    files, or dicts. `jobs` processes judge them; `shard` (i, n) takes each n-th from the i-th on; tasks
    whose ids are `known` are left out, as many of one id as are known. `kept` is a folder of verdicts that are not found anew, and
    takes new ones. `apart`: another process judges, even if it is only one: whatever a reference
    does, the rest is judged."""
    kept = files.Kept(kept) if kept else None
    index, count = shard
    wanted, known = [], collections.Counter(known)
    for number, (fields, folder) in enumerate(pairs_of(tasks)):
        if number % count != index - 1:
            continue
        fields = named(fields, f"task {number + 1}")
        if known[fields["id"]] > 0:
            known[fields["id"]] -= 1
        else:
            wanted.append((number, fields, str(folder), kept))
    if jobs == 1 and not apart:
        try:
            for task in wanted:
                yield numbered(task)
        finally:
            elsewhere.close()
        return
    yield from on_processes(wanted, jobs)


def named(fields, place):
    """With an id that is text; what cannot be is a task that says so."""
    if not isinstance(fields, dict):
        return {"id": place, "broken": f"task {fields!r}; legal: an object"}
    if not isinstance(fields.get("id", place), str):
        return {"id": place, "broken": f"id {fields['id']!r}; legal: text"}
    return {"id": place, **fields}


def numbered(task):
    number, fields, folder, kept = task
    return {**judged(fields, folder, kept), "number": number}


def pool_of(jobs):
    return concurrent.futures.ProcessPoolExecutor(jobs, initializer=begin_process)


def begin_process():
    """Ends with the one that asks, and waits for those that launch, so that their time is its own.
    What a reference prints is no verdict: stdout is the other's."""
    _engine.end_with_parent()
    multiprocessing.util.Finalize(None, elsewhere.close, exitpriority=0)
    end_when_interrupted()
    os.dup2(2, 1)


def end_when_interrupted():
    """At once: nothing is waited for, and whole lines are written already."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def numbered_apart(task):
    """In such a process, which a real interrupt ends."""
    try:
        return numbered(task)
    except KeyboardInterrupt:
        return broken(task, "the reference failed: KeyboardInterrupt")


def on_processes(wanted, jobs):
    """Like numbered() of each. A process that ends takes no verdict along but its own."""
    waiting = collections.deque(wanted)
    while waiting:
        with pool_of(min(jobs, len(waiting))) as pool:
            running = collections.deque()
            while waiting or running:
                while waiting and len(running) < 2 * jobs:
                    running.append((waiting[0], pool.submit(numbered_apart, waiting.popleft())))
                task, future = running.popleft()
                try:
                    yield future.result()
                except BrokenProcessPool:
                    yield alone(task)
                    waiting.extendleft(task for task, _ in reversed(running))
                    break


def alone(task):
    """In a process of its own, as one of several has ended, nobody knows by which."""
    with pool_of(1) as pool:
        try:
            return pool.submit(numbered_apart, task).result()
        except BrokenProcessPool:
            return broken(task, "the process that judged it ended: its reference, or out of memory")


def broken(task, problem):
    number, fields, *_ = task
    return {"id": fields["id"], "verdict": "broken task", "number": number, "problem": problem}


def merge(files):
    """The verdicts of several files, in the order of the tasks, each task once: the last counts."""
    verdicts = {}
    for file in files:
        for verdict in verdicts_in(file):
            verdicts[verdict["number"], verdict["id"]] = verdict
    return sorted(verdicts.values(), key=lambda verdict: verdict["number"])


def is_verdict(one):
    """Whether it has what merging and going on look at."""
    return isinstance(one, dict) and isinstance(one.get("number"), int) and \
        isinstance(one.get("id"), str) and isinstance(one.get("verdict"), str)


def verdicts_in(file):
    """Those of a file that may have been cut off in its last line."""
    with open(file, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if not line.endswith("\n"):
                continue
            verdict = None
            with contextlib.suppress(ValueError, RecursionError):
                verdict = json.loads(line)
            if not is_verdict(verdict):
                raise UsageError(f"{file}: {line[:80]!r} is no verdict")
            yield verdict
