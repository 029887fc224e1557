"""What an output ought to be: a function of numpy arrays, a file, or another kernel."""

import importlib.util
import inspect
import pathlib

import numpy as np

from .draws import as_double, loaded
from .tasks import DTYPES, TaskError, wrong

LEGAL = ('"file.py:function", {"file": "golden.npy"} or {"source": "other.cpp"}')


FAILURES = (Exception, SystemExit)  # it may leave, too


class Function:
    """A Python function. It is called with those of the inputs, values and sizes that it names, by
    name, floats as float64, dynamic ones as lists; it gives an array, a tuple of them, or a dict by
    output."""

    def __init__(self, text, folder):
        path, _, name = text.rpartition(":")
        path = pathlib.Path(folder) / path
        if not path.is_file() or not name:
            raise wrong(f"reference {text!r}", LEGAL)
        spec = importlib.util.spec_from_file_location(f"vinci_reference_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            self.function = getattr(module, name)
        except FAILURES as error:
            raise TaskError(f"reference {text!r}: {type(error).__name__}: {error}") from error

    def __call__(self, case):
        known = {**case.sizes, **case.values}
        for parameter in case.task.parameters:
            if parameter.goes_in:
                array = as_double(case.before[parameter.name], parameter.dtype)
                if parameter.list_name:
                    known.setdefault(parameter.list_name, []).append(array)
                else:
                    known[parameter.name] = array
        named = inspect.signature(self.function).parameters
        takes_all = any(one.kind is one.VAR_KEYWORD for one in named.values())
        missing = [name for name, one in named.items()
                   if name not in known and one.default is one.empty
                   and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
        if missing:
            raise wrong(f"the reference takes {', '.join(missing)}", ", ".join(known))
        taken = known if takes_all else {name: known[name] for name in named if name in known}
        try:
            return by_output(self.function(**taken), case.task)
        except TaskError:
            raise
        except FAILURES as error:
            raise TaskError(f"the reference failed: {type(error).__name__}: {error}") from error


def by_output(result, task):
    """A dict of arrays, by tensor: a dynamic output comes as a list of them."""
    outputs = [parameter for parameter in task.parameters if parameter.comes_out]
    names = list(dict.fromkeys(parameter.called for parameter in outputs))
    if not isinstance(result, dict):
        result = dict(zip(names, result if isinstance(result, tuple) else (result,)))
    if set(result) != set(names):
        raise wrong(f"the reference gave {sorted(result)}", f"outputs {names}")
    arrays = {}
    for name in names:
        tensors = [parameter for parameter in outputs if parameter.called == name]
        given = list(result[name]) if tensors[0].list_name else [result[name]]
        if len(given) != len(tensors):
            raise wrong(f"the reference gave {len(given)} tensors of {name}", f"{len(tensors)}")
        for one, array in zip(tensors, given):
            arrays[one.name] = np.asarray(array)
            if arrays[one.name].dtype.kind not in "biuf":
                raise wrong(f"the reference gave {arrays[one.name].dtype} as {one.name}", "numbers")
    return arrays


class File:
    """Golden files, for tasks whose inputs are files too."""

    def __init__(self, entry, folder, task):
        self.arrays = {}
        for parameter in task.parameters:
            if parameter.comes_out:
                name = entry if isinstance(entry, str) else entry[parameter.name]
                array = loaded(folder, name)
                if array.dtype == DTYPES[parameter.dtype]:
                    array = as_double(array, parameter.dtype)
                self.arrays[parameter.name] = array

    def __call__(self, case):
        return self.arrays


class OtherKernel:
    """Another kernel with the same parameters; `launch` runs it on a case."""

    def __init__(self, launch):
        self.launch = launch

    def __call__(self, case):
        outputs = self.launch(case)
        return {parameter.name: as_double(outputs[parameter.name], parameter.dtype)
                for parameter in case.task.parameters if parameter.comes_out}


def reference_of(task, folder, launch_other):
    """`launch_other(source, kernel)` gives what OtherKernel needs."""
    entry = task.reference
    if isinstance(entry, str):
        return Function(entry, folder)
    if isinstance(entry, dict) and "file" in entry:
        try:
            return File(entry["file"], folder, task)
        except (OSError, TypeError, ValueError, KeyError) as error:
            raise wrong(f"reference {entry!r}: {error}", LEGAL) from error
    if isinstance(entry, dict) and "source" in entry and set(entry) <= {"source", "kernel"}:
        source = pathlib.Path(folder) / str(entry["source"])
        if source.is_file():
            return OtherKernel(launch_other(source, entry.get("kernel", "")))
    raise wrong(f"reference {entry!r}", LEGAL)
