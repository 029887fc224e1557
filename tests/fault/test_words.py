"""Messages name what has to be mended."""

import pathlib

import numpy as np
import pytest

from harness import Out, Value, run_kernel

KERNELS = pathlib.Path(__file__).parent / "kernels" / "words.cpp"
ONE = np.zeros(1, np.int8)


def first_fault(kernel, *parameters, soc="Ascend310P3", extra=()):
    return run_kernel(KERNELS, *parameters, soc=soc, kernel=kernel, extra=extra).faults[0]


def test_no_range_is_empty():
    fault = first_fault("empty_rows", ONE)
    assert fault["code"] == "V2001" and "LayerNorm: H 0 is not legal" in fault["message"]
    assert fault["legal"] == "1..4294967295"


@pytest.mark.parametrize("missing, name", enumerate(["A", "B", "bias"]))
def test_matrices_without_an_address_are_called_by_their_names(missing, name):
    fault = first_fault("no_address", np.ones(256, np.float16), Out("float", 256),
                        Value("uint32", missing))
    assert fault["code"] == "V1003"
    assert fault["message"].endswith(f"Matmul: {name} is a GlobalTensor without an address")


@pytest.mark.parametrize("by_address, auto_sync, words", [
    (0, "off", "which nobody sets without auto-sync"),
    (1, "off", "which nobody sets without auto-sync"),
    (1, "on", "which nobody sets for calls that take addresses")])
def test_why_nothing_orders_vector_instructions(by_address, auto_sync, words):
    fault = first_fault("vectors", ONE, Value("uint32", by_address), soc="Ascend910B1",
                        extra=["--auto-sync", auto_sync, "--cores", "aiv"])
    assert fault["code"] == "V4009" and fault["legal"].endswith(words)
