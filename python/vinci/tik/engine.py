"""The engine that runs statements: the module vinci._engine, loaded when it is first needed."""

import importlib


def load():
    """The module; RuntimeError where it is not built."""
    try:
        return importlib.import_module("vinci._engine")
    except ModuleNotFoundError as error:
        if error.name != "vinci._engine":
            raise
        raise RuntimeError("vinci._engine is not there: build the target vinci_engine, and put "
                           "build/python on PYTHONPATH") from error
