"""Operators that compute and communicate: one rank."""

import pathlib

import numpy as np
import pytest

import harness

PACKAGE = pathlib.Path(__file__).resolve().parent / "packages" / "matmul_all_reduce"


def run(package, a, b, folder, *more):
    """The command, and what it leaves as c."""
    for name, values in (("a", a), ("b", b)):
        np.save(folder / f"{name}.npy", values)
    done = harness.vinci("op", str(package), "--soc", "Ascend910B1", "--check", "full",
                         "--in", f"a={folder / 'a.npy'}", "--in", f"b={folder / 'b.npy'}",
                         "--out", f"c={folder / 'c.npy'}", *more)
    return done, np.load(folder / "c.npy") if done.code == 0 else None


@pytest.mark.parametrize("more", [(), ("--attr", "group=hccl_world_group")])
def test_a_product_that_is_reduced(tmp_path, more):
    """Whether the caller names the group or not."""
    rng = np.random.default_rng(7)
    a = rng.integers(-3, 4, (96, 64)).astype(np.float16)
    b = rng.integers(-3, 4, (64, 160)).astype(np.float16)
    done, c = run(PACKAGE, a, b, tmp_path, *more)
    assert done.code == 0, done.stderr
    assert np.array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


def changed(tmp_path, file, before, after):
    """A copy of the package with one text replaced."""
    for path in PACKAGE.rglob("*.*"):
        to = tmp_path / "package" / path.relative_to(PACKAGE)
        to.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text()
        assert path.name != file or before in text
        to.write_text(text.replace(before, after) if path.name == file else text)
    return tmp_path / "package"


def test_cores_that_have_not_written_when_the_first_sends(tmp_path):
    """The barrier between the matmul and Commit is left out."""
    package = changed(tmp_path, "matmul_all_reduce_custom.cpp", "    CrossCoreWaitFlag(3);\n", "")
    a = np.ones((96, 64), np.float16)
    done, _ = run(package, a, np.ones((64, 160), np.float16), tmp_path)
    assert done.code == 1 and "V4010" in done.stderr


def test_a_group_without_an_attribute(tmp_path):
    package = changed(tmp_path, "matmul_all_reduce.cpp", 'HcclGroup("group")', 'HcclGroup("ring")')
    a = np.ones((16, 16), np.float16)
    done, _ = run(package, a, a, tmp_path)
    assert done.code != 0 and 'HcclGroup("ring") names no attribute' in done.stderr
