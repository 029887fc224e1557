"""The engine that runs statements: the module vinci._engine, loaded when it is first needed."""

import importlib
import pathlib
import sys


def load():
    """The module; RuntimeError where it is not built, or for another Python."""
    try:
        return importlib.import_module("vinci._engine")
    except ModuleNotFoundError as error:
        if error.name != "vinci._engine":
            raise
        folders = [pathlib.Path(one) for one in sys.modules["vinci"].__path__]
        built = [file.name for folder in folders for file in folder.glob("_engine.*.so")]
        why = (f"there is {built[0]}, and this is {sys.executable}, Python "
               f"{sys.version.split()[0]}: use the Python that vinci was built for, Debian's"
               if built else
               "build the target vinci_engine, and put build/python on PYTHONPATH")
        raise RuntimeError(f"vinci._engine is not there: {why}") from error
