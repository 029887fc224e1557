"""Lets the tests import vinci from the build, from any folder; compiled kernels are those of the
other tests."""

import sys

import python_kit

sys.path[:0] = [python_kit.PACKAGES]


def pytest_configure():
    """Before a kernel is compiled."""
    python_kit.use_cache()
