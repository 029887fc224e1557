"""Runs vinci as a user does: a command line, .npy files, a JSON report.

Oracles in the tests are written from the documents' element formulas with numpy; nothing here or
there calls vinci's own arithmetic.
"""

import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
VINCI = os.environ.get("VINCI", str(ROOT / "build" / "bin" / "vinci"))
CACHE = pathlib.Path(VINCI).resolve().parent.parent / "test-cache"

# One chip of each generation.
CHIPS = {
    "1000": "Ascend310",
    "1001": "Ascend910A",
    "2002": "Ascend310P3",
    "2002v": "Ascend310P3-VectorCore",
    "2201": "Ascend910B1",
    "3002": "Ascend310B1",
}

# What .npy holds for each of vinci's types; bfloat16 is its bits, int4 two to a byte.
NUMPY = {
    "half": np.float16, "bfloat16": np.uint16, "float": np.float32, "int4": np.uint8,
    "int8": np.int8, "uint8": np.uint8, "int16": np.int16, "uint16": np.uint16,
    "int32": np.int32, "uint32": np.uint32, "int64": np.int64, "uint64": np.uint64,
}


@dataclasses.dataclass
class Run:
    """What one call of vinci did."""

    code: int
    stdout: str
    stderr: str
    report: dict | None = None
    outputs: list = dataclasses.field(default_factory=list)

    @property
    def faults(self):
        return self.report["faults"]

    @property
    def codes(self):
        return [fault["code"] for fault in self.faults]


def vinci(*arguments, cwd=None, env=None, timeout=120):
    """Calls vinci with these arguments."""
    environment = dict(os.environ, VINCI_CACHE=str(CACHE), **(env or {}))
    done = subprocess.run([VINCI, *map(str, arguments)], cwd=cwd, env=environment, timeout=timeout,
                          capture_output=True, text=True, errors="replace", check=False)
    return Run(done.returncode, done.stdout, done.stderr)


class Out:
    """An output buffer: its type and shape, as `out:FILE:DTYPE:SHAPE`."""

    def __init__(self, dtype, *shape):
        self.dtype, self.shape = dtype, shape


class Value:
    """A parameter passed by value, as `value:DTYPE:NUMBER`."""

    def __init__(self, dtype, number):
        self.dtype, self.number = dtype, number


def run_kernel(source, *parameters, soc, blocks=1, kernel=None, check="full", options=(),
               extra=(), timeout=120):
    """Runs a kernel file on arrays (inputs), Out (outputs) and Value, in the kernel's order.

    The Run's `outputs` holds one array per Out. `options` go to the compiler, `extra` to vinci.
    """
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["run", source, "--soc", soc, "--blocks", blocks, "--check", check,
                     "--json", f"{folder}/report.json", *extra]
        if kernel:
            arguments += ["--kernel", kernel]
        outputs = []
        for number, parameter in enumerate(parameters):
            path = f"{folder}/{number}.npy"
            if isinstance(parameter, Value):
                arguments += ["--arg", f"value:{parameter.dtype}:{parameter.number}"]
            elif isinstance(parameter, Out):
                shape = "x".join(map(str, parameter.shape))
                arguments += ["--arg", f"out:{path}:{parameter.dtype}:{shape}"]
                outputs.append(path)
            else:
                np.save(path, parameter)
                arguments += ["--arg", f"in:{path}"]
        run = vinci(*arguments, *(["--", *options] if options else []), timeout=timeout)
        report = pathlib.Path(folder) / "report.json"
        if report.exists():
            run.report = json.loads(report.read_text())
            run.outputs = [np.load(path) for path in outputs]
        return run


def check_clean(run):
    """The run found nothing; shows what it said if it did."""
    assert run.code == 0 and run.report is not None, f"exit {run.code}\n{run.stdout}\n{run.stderr}"
    assert run.faults == [], run.stderr
