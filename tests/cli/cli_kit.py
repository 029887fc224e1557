"""Calls of `vinci run` as a user types them, in a folder of the test's own."""

import pathlib

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
