"""make install: a tree that is used from elsewhere, and knows nothing of where it was built."""

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from python_kit import BUILD, TESTS

ROOT = TESTS.parent


@pytest.fixture(name="tree", scope="module")
def fixture_tree(tmp_path_factory):
    """An installation, staged by DESTDIR for /opt/vinci and then moved: neither is where it is."""
    folder = tmp_path_factory.mktemp("install")
    done = subprocess.run(["cmake", "--install", BUILD, "--prefix", "/opt/vinci"], check=True,
                          env={**os.environ, "DESTDIR": str(folder / "stage")}, text=True,
                          stderr=subprocess.PIPE)
    packages = pathlib.Path(done.stderr.strip().rpartition("PYTHONPATH=")[2])
    prefix = folder / "stage" / "opt" / "vinci"
    assert packages.relative_to(prefix).parts[0] == "lib" and (packages / "vinci").is_dir()
    (folder / "else where").mkdir()
    prefix.rename(folder / "else where" / "vinci")
    yield folder / "else where" / "vinci", folder / "else where" / "vinci" / packages.relative_to(prefix)
    shutil.rmtree(folder)


def call(tree, folder, *words, python=False, code=0):
    """Runs the installed program, or Python with the installed package, and gives its stdout."""
    kept = {name: os.environ[name] for name in ("LD_PRELOAD", "ASAN_OPTIONS", "CXX")
            if name in os.environ}
    environment = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(folder), **kept}
    if python:
        environment["PYTHONPATH"] = str(tree[1])
    program = sys.executable if python else tree[0] / "bin" / "vinci"
    done = subprocess.run([program, *words], cwd=folder, env=environment, text=True, timeout=120,
                          capture_output=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + (done.stderr if code else "")


def foreign(text):
    """Lines that name a file of the build or of the sources."""
    return [line for line in text.splitlines() if f"{BUILD}/" in line or f"{ROOT}/" in line]


def test_no_part_is_looked_for_in_the_build_or_the_sources(tree, tmp_path):
    """Debug information, which names sources, is stripped before the search."""
    binaries = [path for path in tree[0].rglob("*") if path.is_file() and
                path.read_bytes()[:4] == b"\x7fELF"]
    assert {"vinci", "libvinci.so", "libvinci_launch.so"} < {path.name for path in binaries}
    places = [f"{BUILD}/{part}" for part in ("bin", "include", "lib", "python")]
    places += [f"{ROOT}/{part}" for part in ("docs", "python")]
    for path in binaries:
        subprocess.run(["strip", "-g", "-o", tmp_path / "stripped", path], check=True)
        text = (tmp_path / "stripped").read_bytes()
        assert [place for place in places if place.encode() in text] == [], path
    for path in tree[0].rglob("*"):
        if path.is_symlink():
            assert not os.path.isabs(os.readlink(path)) and path.exists(), path
    assert list(tree[0].rglob("__pycache__")) == []


def test_it_runs_a_kernel(tree, tmp_path):
    shutil.copy(ROOT / "examples/gather/gather.cpp", tmp_path)
    np.save(tmp_path / "src.npy", np.arange(128, dtype=np.float16))
    np.save(tmp_path / "offset.npy", np.arange(254, -2, -2).astype(np.uint32))
    words = ["run", "gather.cpp", "--arg", "out:dst.npy:half:128", "--arg", "in:src.npy", "--arg",
             "in:offset.npy"]
    assert "kernel_gather on Ascend310P3, 1 block(s): clean" in call(tree, tmp_path, *words)
    np.testing.assert_array_equal(np.load(tmp_path / "dst.npy"), np.arange(127, -1, -1))
    broken = call(tree, tmp_path, *words, "--soc", "Ascend910A", code=4)
    assert "error[V6001] Gather: Ascend910A does not have it\n  --> gather.cpp:38 in " in broken


OWN_MAIN = r"""
#include <cstdio>
#include "tikicpulib.h"
extern "C" __global__ __aicore__ void answer(GM_ADDR out) { out[0] = 42; }
int main() {
  auto* out = (uint8_t*)AscendC::GmAlloc(32);
  ICPU_RUN_KF(answer, 1, out);
  std::printf("%d\n", out[0]);
  FILE* maps = std::fopen("/proc/self/maps", "r");
  for (int c; (c = std::fgetc(maps)) != EOF;) std::putchar(c);
}
"""


def test_its_compiler_makes_a_program_that_uses_its_library(tree, tmp_path):
    (tmp_path / "main.cpp").write_text(OWN_MAIN)
    call(tree, tmp_path, "c++", "main.cpp", "-o", "main")
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.startswith("42\n") and foreign(done.stdout) == []
    assert f"{tree[0]}/lib/" in done.stdout
    seen = call(tree, tmp_path, "c++", "-E", "main.cpp")
    assert f'"{tree[0]}/include/tikicpulib.h"' in seen and foreign(seen) == []


def test_it_explains(tree, tmp_path):
    for topic, page in (("V1003", "fault/V1003.md"), ("Gather", "spec/gather.md")):
        assert (ROOT / "docs" / page).read_text() in call(tree, tmp_path, "explain", topic)


LAUNCH = """
import numpy as np
import vinci

out = np.zeros(4, np.uint8)
vinci.kernel("copy.cpp")(np.arange(4, dtype=np.uint8), out, 4)
print(out.tolist(), vinci.__file__)
print(open("/proc/self/maps").read())
"""
SCRIPT = """
import numpy as np
from tbe import tik

t = tik.Tik(disable_debug=False)
x = t.Tensor("int32", (8,), name="x", scope=tik.scope_gm)
ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
t.data_move(ub, x, 0, 1, 1, 0, 0)
t.data_move(x, ub, 0, 1, 1, 0, 0)
t.BuildCCE(kernel_name="k", inputs=[x], outputs=[x])
got, = t.tikdb.start_debug({"x": np.arange(8, dtype=np.int32)}, interactive=False)
print(got.tolist())
"""


def test_its_python_package_launches_and_runs_tik(tree, tmp_path):
    shutil.copy(TESTS / "cli/kernels/copy.cpp", tmp_path)
    (tmp_path / "script.py").write_text(SCRIPT)
    said = call(tree, tmp_path, "-c", LAUNCH, python=True)
    assert said.startswith(f"[0, 1, 2, 3] {tree[1]}/vinci/__init__.py\n") and foreign(said) == []
    assert f"{tree[0]}/lib/" in said
    assert call(tree, tmp_path, "-m", "vinci.tik", "script.py", python=True) == \
        "[0, 1, 2, 3, 4, 5, 6, 7]\n"
