"""Where vinci's package lies, the kernels that tests launch, and what is left open by a launch."""

import functools
import os
import pathlib

import harness
from processes import children_of

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


def descriptors():
    """What this process has open."""
    return len(os.listdir("/proc/self/fd"))


def children():
    """The processes that this one has started and not waited for, with those below them."""
    return sorted(children_of(os.getpid()))
