"""vinci run --sandbox shuts the compiler in, too: what a source wants of it beyond compiling."""

import os
import pathlib
import subprocess
import sys

import pytest

import harness
from harness import Out

SOC = "Ascend310P3"
KERNEL = """
#include "kernel_operator.h"
%s
extern "C" __global__ __aicore__ void k(GM_ADDR out) {
  AscendC::GlobalTensor<int32_t> to;
  to.SetGlobalBuffer((__gm__ int32_t*)out, 1);
  to.SetValue(0, %s);
}
"""
# What stands before the kernel, and what the compiler says.
ATTACKS = {
    "a file of the system": ('#include "/etc/passwd"', "Permission denied"),
    "through the process": ('#include "/proc/self/environ"', "Permission denied"),
    "the golden data, as text": ('#include "golden.npy"', "Permission denied"),
    "the golden data, as bytes": ('asm(".data\\n.incbin \\"golden.npy\\"\\n");', "golden.npy"),
    "another kernel's, by its path": ('asm(".data\\n.incbin \\"{folder}/golden.npy\\"\\n");',
                                      "golden.npy"),
    "a disk's space": ('asm(".data\\n.fill 40000000000, 1, 7\\n");', "wanted more"),
    "lines of files without end": ('# 1 "/proc/kcore" 1\n# 2 "/dev/zero" 1', ""),
    "a device that gives nothing": ('#include "/dev/tty"', "")}
SAMPLE = ("a file of the system", "the golden data, as bytes", "a disk's space")

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")


def run(folder, before="", value="7", options=()):
    (folder / "golden.npy").write_bytes(b"1, 2, 3")
    (folder / "k.cpp").write_text(KERNEL % (before.replace("{folder}", str(folder)), value))
    return harness.run_kernel(folder / "k.cpp", Out("int32", 1), soc=SOC, cwd=folder,
                              options=options, extra=("--sandbox",))


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=() if name in SAMPLE else pytest.mark.whole) for name in ATTACKS])
def test_a_source_gets_nothing_but_its_own(name, tmp_path):
    before, words = ATTACKS[name]
    done = run(tmp_path, before)
    if words:
        assert done.code == 3 and words in done.stderr, done.stderr
    else:
        assert done.code in (0, 3), done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["golden.npy", "k.cpp"]


def test_headers_beside_it_and_of_its_folders_are_its_own(tmp_path):
    (tmp_path / "parts" / "deep").mkdir(parents=True)
    (tmp_path / "parts" / "deep" / "two.h").write_text("constexpr int kTwo = 2;\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "five.hpp").write_text("constexpr int kFive = 5;\n")
    folder = tmp_path / "parts"
    done = run(folder, '#include "deep/two.h"\n#include "five.hpp"', "kTwo + kFive",
               [f"-I{elsewhere}"])
    harness.check_clean(done)
    assert done.outputs[0][0] == 7


LIMITS = """
import sys
sys.path.insert(0, sys.argv[1])
import vinci
for file in ("time.cpp", "right.cpp"):
    try:
        kernel = vinci.kernel(file, "Ascend310P3", sandbox=6)
        print("compiled")
    except vinci.CompileError as error:
        print("6 seconds" in str(error) and "wanted more" in str(error), flush=True)
for sandbox in (-1, 86401, "x"):
    try:
        vinci.kernel("right.cpp", sandbox=sandbox)
    except vinci.UsageError as error:
        print("0..86400" in str(error))
"""
# Each doubles the work of the one before.
ENDLESS = """
template <unsigned long A, unsigned long B> struct P {
  static constexpr unsigned long v = P<A - 1, 2 * B>::v + P<A - 1, 2 * B + 1>::v;
};
template <unsigned long B> struct P<0, B> { static constexpr unsigned long v = B; };
static_assert(P<40, 1>::v > 0);
"""


@pytest.mark.whole
def test_time_of_the_compiler_is_limited(tmp_path):
    (tmp_path / "time.cpp").write_text(KERNEL % (ENDLESS, "7"))
    (tmp_path / "right.cpp").write_text(KERNEL % ("", "7"))
    engine = os.environ.get("VINCI_ENGINE",
                            str(pathlib.Path(harness.VINCI).parent.parent / "python"))
    done = subprocess.run([sys.executable, "-c", LIMITS, engine], cwd=tmp_path, text=True,
                          capture_output=True, check=False,
                          env={**os.environ, "VINCI_CACHE": str(harness.CACHE)})
    assert done.stdout.split() == ["True", "compiled", "True", "True", "True"], done.stderr
