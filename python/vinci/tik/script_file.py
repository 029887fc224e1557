"""A script as a user starts it: as __main__; one of a package that imports from beside itself
(`from .helper import x`) as the module of the package that it is."""

import ast
import os
import runpy
import sys

from .error import is_beside


def extend_path(script, *more):
    """What a script may import from: its own folder and `more` first; last, as they may hide
    nothing, the folders that packages lie in which it names and lies in itself, as impl."""
    folder = os.path.dirname(os.path.abspath(script))
    sys.path[:0] = [folder, *more]
    names = _imported(script) | {"impl"}
    while os.path.basename(folder):
        folder, name = os.path.split(folder)
        if name in names:
            sys.path.append(folder)


def print_exception(kind, error, traceback):
    """For sys.excepthook: Python's own words, without the calls that led to the script."""
    while traceback is not None and is_beside(traceback.tb_frame.f_code.co_filename):
        traceback = traceback.tb_next
    sys.__excepthook__(kind, error.with_traceback(traceback), traceback)


def run(script):
    """Runs it; the names that it leaves."""
    if not _imports_from_its_package(script):
        return runpy.run_path(script, run_name="__main__")
    root, name = _place_of(script)
    sys.path.append(root)
    return runpy.run_module(name, run_name="__main__", alter_sys=True)


def _nodes(script):
    """Its syntax tree, flat; nothing where it is broken: to run it says what is wrong."""
    try:
        with open(script, "rb") as file:
            return list(ast.walk(ast.parse(file.read(), script)))
    except (SyntaxError, ValueError):
        return []


def _imports_from_its_package(script):
    return any(isinstance(node, ast.ImportFrom) and node.level > 0 for node in _nodes(script))


def _imported(script):
    """The outermost packages that it names."""
    names = set()
    for node in _nodes(script):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name.partition(".")[0] for name in names}


def _place_of(script):
    """(The folder that its outermost package lies in, its name there)."""
    folder, name = os.path.split(os.path.abspath(script))
    names = [name.removesuffix(".py")]
    while os.path.isfile(os.path.join(folder, "__init__.py")) or len(names) == 1:
        folder, name = os.path.split(folder)
        names.insert(0, name)
    return folder, ".".join(names)
