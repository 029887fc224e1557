"""The same bits on every host: the builds for the levels of x86-64 that this machine has, against each
other."""

import pathlib
import subprocess

import numpy as np
import pytest

import elementwise
import test_reduce
import test_reduce_all
from cases import check_random, launch, random_cases
from harness import VINCI, Out, check_clean, run_kernel
from test_cast import CAST, random_cast
from test_cast_dequant import DEQUANT, random_dequant
from test_compare import COMPARE, COMPARISON
from test_compare import random_call as random_comparison
from test_data_copy_nd2nz import COPY, random_copy
from test_data_copy_nd2nz import SUPPORTED as COPIED
from test_load_data_3d_v2 import LOAD as COLUMNS
from test_load_data_3d_v2 import random_load as random_columns
from test_load_data_with_transpose import LOAD as SQUARES
from test_load_data_with_transpose import SUPPORTED as TURNED
from test_load_data_with_transpose import random_load as random_squares
from test_mmad_types import EVERYWHERE, MMAD, random_product

pytestmark = pytest.mark.levels
KERNEL = pathlib.Path(__file__).with_name("levels.cpp")
LOADER = subprocess.run(["/lib64/ld-linux-x86-64.so.2", "--help"], capture_output=True, text=True,
                        check=False).stdout
# What hides the higher levels from the loader.
LEVELS = {level: hidden for level, hidden in
          (("v4", ""), ("v3", "-AVX512F"), ("v2", "-AVX512F,-AVX2"))
          if level == "v2" or f"x86-64-{level} (supported" in LOADER}
HIGHER = [level for level in LEVELS if level != "v2"]


def special(bits_type, float_type, size, seed):
    """Random bit patterns: NaNs of all payloads, infinities, subnormals, zeros of both signs."""
    random = np.random.default_rng(seed)
    limit = np.iinfo(bits_type).max
    values = random.integers(0, limit, size, dtype=bits_type, endpoint=True).view(float_type)
    ordinary = random.normal(0, 3, size).astype(float_type)
    mixed = np.where(random.random(size) < 0.5, values, ordinary)
    mixed[::97], mixed[::101] = np.inf, -np.inf
    return mixed


def use(level, monkeypatch):
    monkeypatch.setenv("GLIBC_TUNABLES", f"glibc.cpu.hwcaps={LEVELS[level]}")


def run_at(level, monkeypatch):
    use(level, monkeypatch)
    halves = special(np.uint16, np.float16, 4096, 1)
    floats = special(np.uint32, np.float32, 4096, 2)
    run = run_kernel(KERNEL, halves, floats, Out("half", 2048), Out("float", 2048),
                     Out("float", 1536), Out("half", 1536), soc="Ascend310P3")
    check_clean(run)
    return [output.tobytes() for output in run.outputs], halves


@pytest.mark.parametrize("level", HIGHER)
def test_the_level_is_built(level):
    library = pathlib.Path(VINCI).resolve().parents[1] / "lib"
    assert (library / "glibc-hwcaps" / f"x86-64-{level}" / "libvinci.so").exists()


@pytest.mark.parametrize("level", HIGHER)
def test_bits_equal_those_of_the_plainest_build(level, monkeypatch):
    plain, _ = run_at("v2", monkeypatch)
    other, _ = run_at(level, monkeypatch)
    assert plain == other


def test_the_inputs_hold_every_kind_of_number(monkeypatch):
    _, halves = run_at("v2", monkeypatch)
    assert np.isnan(halves).any() and np.isinf(halves).any()
    assert ((halves != 0) & (abs(halves) < 2.0 ** -14)).any()


@pytest.mark.parametrize("chip, types", EVERYWHERE)
def test_products_equal_those_of_the_plainest_build(chip, types, monkeypatch):
    """Mmad on all types, with any m, n and k, from any bits."""
    cases = random_cases(MMAD, chip, lambda rng: random_product(rng, chip, types), 160, "levels",
                         *types)
    results = {}
    for level in LEVELS:
        use(level, monkeypatch)
        results[level] = launch(MMAD, chip, cases).outputs[0]
    assert {case["m"] == 1 for case in cases} == {True, False}
    assert {case["k"] % 2 for case in cases} == ({0} if "int4" in types else {0, 1})
    for level in HIGHER:
        different = (results[level] != results["v2"]).any(axis=1)
        assert not different.any(), cases[int(np.flatnonzero(different)[0])]


@pytest.mark.parametrize("level", LEVELS)
def test_loads_are_right_at_every_level(level, monkeypatch):
    """They copy and transpose in vector registers: each level against the oracles."""
    use(level, monkeypatch)
    for dtype in TURNED:
        check_random(SQUARES, "2201", lambda rng: random_squares(rng, dtype), 100, "levels", dtype,
                     allowed=("V2008", "V2009"))
    for dtype in COPIED["2201"]:
        check_random(COPY, "2201", lambda rng: random_copy(rng, dtype), 100, "levels", dtype)
    check_random(COLUMNS, "2201", lambda rng: random_columns(rng, "2201"), 200, "levels",
                 allowed=("V2008", "V2011"))


@pytest.mark.parametrize("chip", ["2002", "2201"])
@pytest.mark.parametrize("level", LEVELS)
def test_conversions_are_right_at_every_level(level, chip, monkeypatch):
    """Each level against the oracles, where half results saturate and where they do not."""
    use(level, monkeypatch)
    check_random(CAST, chip, lambda rng: random_cast(rng, chip), 400, "levels")
    check_random(DEQUANT, chip, lambda rng: random_dequant(rng, chip), 200, "levels")


@pytest.mark.parametrize("chip", ["2002", "2201"])
@pytest.mark.parametrize("level", LEVELS)
def test_arithmetic_is_right_at_every_level(level, chip, monkeypatch):
    """Vectors of floats and of halves: every element-wise instruction against its oracle, two in
    five of the cases on NaN, infinities, zeros of both signs and subnormals."""
    use(level, monkeypatch)
    for name, operation in elementwise.OPERATIONS.items():
        if operation.pairs(chip):
            check_random(elementwise.ELEMENTWISE, chip,
                         lambda rng: elementwise.random_call(rng, name, chip), 60, "levels", name)


@pytest.mark.parametrize("chip", ["2002", "2201"])
@pytest.mark.parametrize("level", LEVELS)
def test_reductions_are_right_at_every_level(level, chip, monkeypatch):
    """Trees of sums in vectors, and the first of equals."""
    use(level, monkeypatch)
    for tests, subject, names in ((test_reduce, test_reduce.REDUCE, test_reduce.PARTS),
                                  (test_reduce_all, test_reduce_all.REDUCE_ALL,
                                   test_reduce_all.ALL)):
        for name in names:
            check_random(subject, chip, lambda rng: tests.random_call(rng, name, chip), 40,
                         "levels", name)


@pytest.mark.parametrize("level", LEVELS)
def test_comparisons_are_right_at_every_level(level, monkeypatch):
    use(level, monkeypatch)
    check_random(COMPARISON, "2201", lambda rng: random_comparison(rng, COMPARE, "2201"), 200,
                 "levels")
