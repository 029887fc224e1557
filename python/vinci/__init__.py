"""Runs kernels for the Da Vinci AI Core on this computer: docs/guide/python.md.

    add = vinci.kernel("add.cpp", soc="Ascend910B1")
    add[8](x, y, out)

and operators of packages: docs/guide/operators.md.

    op = vinci.op("path/to/package", soc="Ascend910B1")
    z = op.AddCustom(x, y)

`vinci.tik` runs TIK scripts. What launches is loaded when it is first asked for.
"""

from . import preload

preload.load()  # before anything else is imported

import importlib  # noqa: E402

from .errors import (CompileError, CompilerWarning, Error, Fault, InternalError, KernelError,
                     KernelTimeout, KernelWarning, LacksError, UsageError)  # noqa: E402

__all__ = ["CompileError", "CompilerWarning", "Error", "Fault", "InternalError", "Kernel",
           "KernelError", "KernelTimeout", "KernelWarning", "LacksError", "Run", "UsageError",
           "int4", "judge", "kernel", "op", "report", "socs", "stored", "sweep"]

LATER = {"Kernel": "launching", "Run": "launching", "int4": "operators", "judge": "judging",
         "kernel": "launching", "op": "operators", "report": "launching", "socs": "launching",
         "stored": "operators", "sweep": "sweeping"}


def __getattr__(name):
    if name in LATER:
        return getattr(importlib.import_module(f"vinci.{LATER[name]}"), name)
    raise AttributeError(f"module 'vinci' has no attribute {name!r}")
