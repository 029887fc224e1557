"""What the tasks of the tests are judged by."""

import ctypes
import os
import sys
import time

import numpy as np


def add(x, y):
    return x + y


def fail(x, y):
    raise RuntimeError(f"no sum of {x.size} and {y.size} elements")


def ends(x, y):
    os._exit(0)


def crashes(x, y):
    ctypes.string_at(0)


def leaves(x, y):
    sys.exit(0)


def interrupts(x, y):
    raise KeyboardInterrupt


def prints(x, y):
    print('{"verdict": "right"}')
    os.write(1, b'{"verdict": "right"}\n')
    return x + y


def lasts(x, y):
    time.sleep(600)


def text(x):
    return "a sum"


def nothing(x):
    return None


def one(x):
    return x[:1]


def same(x):
    return x


def negative(x):
    return -x


def one_more(x):
    return 1 - x


def one_input(x, y):
    return x


def twice(x):
    return 2 * x


def flat(x):
    """All tensors of a list behind each other."""
    return np.concatenate([each.ravel() for each in x])


def scaled(x, scalar):
    return [each * scalar[0] for each in x]


def scaled_but_one(x, scalar):
    return [each * scalar[0] for each in x[:-1]] + [x[-1]]


def scaled_in_part(x, scalar):
    return [x[0] * scalar[0]]
