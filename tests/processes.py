"""What the system says of processes that a test has started. Any of them may end while one looks."""

import os
import pathlib
import time


def wait_until(true, seconds=60):
    """Waits for a condition, and says whether it came."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not true():
        time.sleep(0.02)
    return true()


def fields(process):
    """Its fields in /proc/PID/stat from the state on, or none if it has gone."""
    try:
        text = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.rsplit(") ", 1)[1].split()


def lives(process):
    """Whether a process is more than a name for its parent."""
    return fields(process)[:1] not in ([], ["Z"])


def children_of(process):
    """Processes below `process`, with those below them."""
    below = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (said := fields(name)):
            below.setdefault(int(said[1]), []).append(int(name))
    found, waiting = [], [process]
    while waiting:
        children = below.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


def computes(process, ticks=5):
    """Whether a kernel below `process` has computed for more than `ticks` hundredths of a second."""
    for child in children_of(process):
        said = fields(child)
        if said and int(said[11]) > ticks and name_of(child) == "vinci":
            return True
    return False


def name_of(process):
    """Of its program, or none if it has gone."""
    try:
        return pathlib.Path(f"/proc/{process}/comm").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
