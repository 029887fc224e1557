"""Where vinci's package lies, the kernels that tests launch, and what is left open by a launch."""

import functools
import os
import pathlib

import harness
from processes import children_of, lives

TESTS = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(harness.VINCI).resolve().parent.parent
PACKAGES = str(BUILD / "python")
FOLDERS = {"structs": "python", "arrays": "python", "copy": "cli", "values": "cli",
           "cores": "cli", "orders": "cli", "checks": "cli",
           "blocks": "cli", "wrecks": "fault"}


def use_cache():
    """The cache of the other tests."""
    os.environ["VINCI_CACHE"] = str(harness.CACHE)


@functools.lru_cache(maxsize=None)
def kernel(file, name=None, soc="Ascend310P3", **more):
    """A kernel of the tests, compiled once."""
    import vinci  # pylint: disable=import-outside-toplevel
    return vinci.kernel(TESTS / FOLDERS[file] / "kernels" / f"{file}.cpp", soc, name, **more)


MOST_ENDING = 4  # launches whose processes have nothing left to do but to end; a later one reaps them


def is_process(descriptor):
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}") == "anon_inode:[pidfd]"
    except OSError:
        return False


def descriptors():
    """What this process has open, but for the handles of processes that are ending."""
    names = os.listdir("/proc/self/fd")
    assert sum(map(is_process, names)) <= MOST_ENDING
    return sum(not is_process(name) for name in names)


def children():
    """The processes that this one has started and that still live, with those below them."""
    below = children_of(os.getpid())
    assert sum(not lives(process) for process in below) <= MOST_ENDING
    return sorted(filter(lives, below))
