"""A script as a user starts it: as __main__; one of a package that imports from beside itself
(`from .helper import x`) as the module of the package that it is."""

import ast
import os
import runpy
import sys


def folders(script):
    """What a script may import from: its own folder, and the one that its package `impl` lies in."""
    own = os.path.dirname(os.path.abspath(script))
    found, folder = [own], own
    while os.path.basename(folder):
        folder, name = os.path.split(folder)
        if name == "impl":
            found.append(folder)
    return found


def run(script):
    """Runs it; the names that it leaves."""
    if not _imports_from_its_package(script):
        return runpy.run_path(script, run_name="__main__")
    root, name = _place_of(script)
    sys.path.append(root)
    return runpy.run_module(name, run_name="__main__", alter_sys=True)


def _imports_from_its_package(script):
    try:
        with open(script, "rb") as file:
            tree = ast.parse(file.read(), script)
    except (SyntaxError, ValueError):
        return False  # to run it says what is wrong
    return any(isinstance(node, ast.ImportFrom) and node.level > 0 for node in ast.walk(tree))


def _place_of(script):
    """(The folder that its outermost package lies in, its name there)."""
    folder, name = os.path.split(os.path.abspath(script))
    names = [name.removesuffix(".py")]
    while os.path.isfile(os.path.join(folder, "__init__.py")) or len(names) == 1:
        folder, name = os.path.split(folder)
        names.insert(0, name)
    return folder, ".".join(names)
