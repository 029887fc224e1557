"""The command line of the judge: python3 -m vinci.judging."""

import argparse
import fcntl
import io
import json
import os
import sys
import time

from .. import _engine
from ..errors import UsageError
from .batches import end_when_interrupted, judge, merge, verdicts_in
from .verdicts import missing_parts


def shard_of(text):
    """"2/8": the second of eight. Without text an array job's own part, or all."""
    if text is None:
        environment = os.environ
        if "SLURM_ARRAY_TASK_ID" not in environment:
            return 1, 1
        given = {name: environment.get(f"SLURM_ARRAY_TASK_{name}", "")
                 for name in ("ID", "MIN", "MAX", "STEP", "COUNT")}
        try:
            number, first, last, step, count = map(int, given.values())
            whole = last - first == (count - 1) * step
            jobs = range(first, last + 1, step)
        except ValueError:
            whole = False
        if not whole or number not in jobs:
            told = ", ".join(f"{name} {value or 'not set'}" for name, value in given.items())
            raise argparse.ArgumentTypeError(
                f"a part of a Slurm array with {told}; legal: one of a range (--array=1-8), or "
                "--shard")
        return jobs.index(number) + 1, count
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError(f"shard {text!r}; legal: I/N with 1 <= I <= N")
    return int(index), int(count)


def opened(path):
    """The file of verdicts with its whole lines kept, and the ids that it has."""
    if path is None:
        return sys.stdout, []
    if os.path.exists(path) and not os.path.isfile(path):
        raise UsageError(f"{path} is no file; legal: one that can be read and written, or none")
    out = open(path, "a+b")  # pylint: disable=consider-using-with
    try:
        fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"{path}: another judge writes to it") from None
    out.seek(0)
    # A line that was cut off goes.
    out.truncate(out.read().rfind(b"\n") + 1)
    return io.TextIOWrapper(out, encoding="utf-8"), [verdict["id"] for verdict in verdicts_in(path)]


def write(out, verdict):
    out.write(json.dumps(verdict, sort_keys=True) + "\n")
    out.flush()


def run(options):
    out, known = opened(options.out)
    counts, start = {}, time.monotonic()
    for verdict in judge(options.tasks, options.jobs, options.shard, known, options.kept,
                         apart=True):
        write(out, verdict)
        counts[verdict["verdict"]] = counts.get(verdict["verdict"], 0) + 1
        if sys.stderr.isatty():
            done = sum(counts.values())
            rate = 60 * done / (time.monotonic() - start)
            print(f"\r{done} judged, {rate:.0f} a minute", end="", file=sys.stderr, flush=True)
    told = ", ".join(f"{count} {word}" for word, count in sorted(counts.items())) or "nothing to do"
    print(("\n" if sys.stderr.isatty() else "") + f"vinci judge: {told}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(prog="vinci judge",
                                     description="Verdicts on kernels that nobody trusts.")
    parser.add_argument("tasks", nargs="+", metavar="TASKS",
                        help="a file of JSON lines or a folder of .json files; "
                             "or: merge VERDICTS...")
    parser.add_argument("--out", help="a file for the verdicts; what it holds is not judged again")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--shard", type=shard_of, metavar="I/N",
                        help="each N-th task from the I-th on (SLURM_ARRAY_TASK_ID by itself)")
    parser.add_argument("--sandbox", choices=("on", "required"), default="on",
                        help="required: nothing is judged where the host lacks a part of it")
    parser.add_argument("--kept", metavar="FOLDER",
                        help="verdicts of other runs, for tasks that are the same; takes new ones")
    options = parser.parse_args()
    end_when_interrupted()
    try:
        if options.tasks == ["merge"]:
            parser.error("merge which files?")
        if options.tasks[0] == "merge":
            out = open(options.out, "w", encoding="utf-8") if options.out else sys.stdout
            for verdict in merge(options.tasks[1:]):
                write(out, verdict)
        elif len(options.tasks) > 1 or options.jobs < 1:
            parser.error("one file or folder of tasks, --jobs 1 or more")
        else:
            options.tasks = options.tasks[0]
            options.shard = options.shard or shard_of(None)
            missing = missing_parts()
            for part in missing:
                print(f"vinci judge: warning: this host has no {part}", file=sys.stderr)
            if missing and options.sandbox == "required":
                parser.error("--sandbox=required, and parts are missing")
            _engine.enter_group(False)  # those that launch get limits beside it
            run(options)
    except (OSError, UsageError, argparse.ArgumentTypeError) as error:
        parser.error(str(error))


main()
