"""vinci op --sandbox: host code and kernels that nobody trusts, and their compilers."""

import pathlib
import shutil

import numpy as np
import pytest

import harness

# y = -x; its attribute chooses what host code does beside it.
NEGATE = pathlib.Path(__file__).resolve().parent.parent / "judge" / "package"
SOC = "Ascend910B1"
X = np.arange(8, dtype=np.float32)

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")


def negate(folder, way, *more, package=NEGATE):
    np.save(folder / "x.npy", X)
    return harness.vinci("op", str(package), "--soc", SOC, "--in", f"x={folder / 'x.npy'}", "--out",
                         f"y={folder / 'y.npy'}", "--attr", f"way={way}", *more)


def with_text(folder, file, old, new):
    """A copy of the package with other text in one file."""
    package = folder / "package"
    shutil.copytree(NEGATE, package, dirs_exist_ok=True)
    text = (NEGATE / file).read_text()
    assert old in text
    (package / file).write_text(text.replace(old, new))
    return package


def test_what_asks_for_nothing_is_as_without(tmp_path):
    # Way 1 reads an input without ValueDepend, which is told and no attack.
    for way, told in ((0, ""), (1, "warning[V8006]")):
        run = negate(tmp_path, way, "--sandbox=required")
        assert run.code == 0 and run.stderr.startswith(told), run.stderr
        assert told or not run.stderr
        assert np.array_equal(np.load(tmp_path / "y.npy"), -X)


def test_host_code_and_kernels_open_no_files(tmp_path):
    run = negate(tmp_path, 2, "--sandbox")
    assert run.code == 1 and "[V5009] host code" in run.stderr and "TilingFunc" in run.stderr
    assert negate(tmp_path, 2).code == 0
    package = with_text(tmp_path, "op_kernel/negate.cpp", "  TPipe pipe;",
                        '  if (t.way == 7) fopen("/etc/passwd", "r");\n  TPipe pipe;')
    run = negate(tmp_path, 7, "--sandbox", package=package)
    assert run.code == 1 and "[V5009] negate" in run.stderr
    assert "op_kernel/negate.cpp:14" in run.stderr
    assert "op_kernel/negate.cpp is not device code: calls fopen" in run.stderr
    run = negate(tmp_path, 0, "--strict-device", package=package)
    assert run.code == 3 and "calls fopen" in run.stderr


@pytest.mark.parametrize("file", ["op_host/negate.cpp", "op_kernel/negate.cpp"])
def test_compilers_read_no_files_of_the_host(file, tmp_path):
    first = (NEGATE / file).read_text().partition("\n")[0]
    package = with_text(tmp_path, file, first, f'{first}\n#include "/etc/passwd"')
    run = negate(tmp_path, 0, "--sandbox", package=package)
    assert run.code == 3 and "Permission denied" in run.stderr, run.stderr
