"""Operators of packages from Python: what a call costs beside its kernel, a first call with nothing
compiled before, and a sweep. As a script it measures; rows() starts it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

PACKAGES = pathlib.Path(__file__).resolve().parent.parent / "tests" / "op" / "packages"
CALLS = 200
CALL_MILLISECONDS, FIRST_SECONDS, SWEEP_SECONDS = 2, 4, 60


def call_milliseconds(vinci):
    """By the clock, beside the kernel's own time, each call in a process of its own: the median."""
    add, x = vinci.op(PACKAGES / "add_custom", soc="Ascend910B1").AddCustom, np.ones(64, np.float32)
    add(x, x)
    times = []
    for _ in range(CALLS):
        begin = time.monotonic()
        add(x, x)
        times.append(time.monotonic() - begin - vinci.report()["seconds"])
    return sorted(times)[CALLS // 2] * 1e3


def first_seconds(vinci):
    """A package of 300 lines: its host code, and the first call, which compiles the kernel."""
    begin = time.monotonic()
    op = vinci.op(PACKAGES / "moe" / "gating_top_k_softmax", soc="Ascend910B1")
    host = time.monotonic()
    op.GatingTopKSoftmax(np.ones((3, 64), np.float32), k=6)
    return host - begin, time.monotonic() - host


def sweep_seconds(vinci):
    """200 shapes of three types, with the compilation of each."""
    op = vinci.op(PACKAGES / "norm" / "layer_norm_rows", soc="Ascend910B1")

    def test(shape, dtype):
        x = np.arange(np.prod(shape)).reshape(shape).astype(np.float32)
        if dtype == "bfloat16":
            x = (x.view(np.uint32) >> 16).astype(np.uint16)
        else:
            x = x.astype(dtype)
        assert op.LayerNormRows(x)[0].shape == shape

    cases = [((1 + i % 20, 1 + 37 * i % 1000), dtype)
             for dtype in ("float16", "float32", "bfloat16") for i in range(200)]
    begin = time.monotonic()
    wrong = vinci.sweep(test, cases)
    assert wrong == [], wrong[0]
    return time.monotonic() - begin


def rows(build):
    """As bench/run.py prints them."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, __file__], check=True, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(build / "python"), "VINCI_CACHE": cache}).stdout
    call, host, first, sweep = json.loads(done)
    yield ("op_call", f"{call:.2f} ms", f"<= {CALL_MILLISECONDS} ms", call <= CALL_MILLISECONDS)
    yield "op_host_code", f"{host:.2f} s", "-", True
    yield "op_first_call", f"{first:.2f} s", f"<= {FIRST_SECONDS} s", first <= FIRST_SECONDS
    yield "op_sweep_600", f"{sweep:.1f} s", f"<= {SWEEP_SECONDS} s", sweep <= SWEEP_SECONDS


if __name__ == "__main__":
    import vinci as installed
    print(json.dumps([call_milliseconds(installed), *first_seconds(installed),
                      sweep_seconds(installed)]))
