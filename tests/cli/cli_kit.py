"""Calls of `vinci run` as a user types them, in a folder of the test's own."""

import pathlib
from unittest import mock

import numpy as np

import harness

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"


def run(file, kernel, *arguments, cwd=None, args=(), expect=(), env=None, options=(), timeout=60):
    """vinci run FILE --kernel KERNEL ARGUMENTS --arg ... --expect ... -- OPTIONS"""
    words = ["run", KERNELS / file] + (["--kernel", kernel] if kernel else [])
    words += list(arguments)
    for arg in args:
        words += ["--arg", arg]
    for expectation in expect:
        words += ["--expect", expectation]
    if options:
        words += ["--", *options]
    return harness.vinci(*words, cwd=cwd, env=env, timeout=timeout)


def compile_first(file, *options):
    """Compiles a file of several kernels, so that a short --timeout is the kernel's alone."""
    assert run(file, None, *options).code == 2  # which of them is not said


def copy(cwd, *args, count=0, expect=(), extra=()):
    """The copy kernel with its two buffers; copies `count` bytes."""
    return run("copy.cpp", None, *extra, cwd=cwd, args=[*args, f"value:uint32:{count}"],
               expect=expect)


def check_usage(done, *phrases):
    """The call was refused with exit 2 and one message that has all phrases."""
    assert done.code == 2, f"exit {done.code}\n{done.stdout}{done.stderr}"
    for phrase in phrases:
        assert phrase in done.stderr
    assert "internal error" not in done.stderr


def check_ok(done):
    assert done.code == 0, f"exit {done.code}\n{done.stdout}{done.stderr}"


def load(path):
    return np.load(path, allow_pickle=False)


K = 'extern "C" __global__ __aicore__ void k(GM_ADDR out) '


def forget_orders(monkeypatch):
    """The environment says nothing of the order of instructions."""
    for name in ("VINCI_SCHEDULE", "VINCI_AUTO_SYNC"):
        monkeypatch.delenv(name, raising=False)


class Folder:
    """A folder with a kernel k.cpp, which writes 1 at first, and a cache of its own."""

    def __init__(self, path):
        self.path = path
        self.write("out[0] = 1;")

    def write(self, body, before="", name="k.cpp"):
        # The words of device code alone: all of Ascend C takes a compiler longer than anything else.
        (self.path / name).write_text(f'#include "ascendc/keyword.h"\n{before}\n{K}{{ {body} }}\n')

    def run(self, *arguments, options=(), env=None, cache=None, cwd=None):
        with mock.patch.object(harness, "CACHE", self.path / "cache" if cache is None else cache):
            return run(self.path / "k.cpp", None, *arguments, cwd=cwd or self.path, options=options,
                       args=[f"out:{self.path}/o.npy:uint8:2"], env=env)

    def result(self, *arguments, **more):
        """The number that the kernel wrote."""
        check_ok(self.run(*arguments, **more))
        return load(self.path / "o.npy")[0]

    def compiled(self):
        """When each entry of the cache was compiled."""
        return sorted((path.parent.name, path.stat().st_mtime_ns)
                      for path in (self.path / "cache").glob("*/kernel.so"))
