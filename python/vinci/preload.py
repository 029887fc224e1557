"""Loads modules of Python's, and numpy, before the working directory can stand for them:
`python3 -m vinci.tik` looks there first, and an operator may be called select.py or copy.py."""

import importlib
import sys

MODULES = ("ast", "concurrent.futures.thread", "copy", "dataclasses", "inspect", "json", "pathlib",
           "random", "runpy", "select", "subprocess", "tempfile", "traceback", "numpy")


def load():
    """Does nothing where Python was not started so, or with -P as well."""
    is_command = sys.argv[:1] == ["-m"] and "vinci.tik" in sys.orig_argv
    if not is_command or getattr(sys.flags, "safe_path", False):
        return
    first = sys.path.pop(0)
    try:
        for name in MODULES:
            importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != "numpy":  # who needs it says so
            raise
    finally:
        sys.path.insert(0, first)
