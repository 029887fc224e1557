"""vinci c++: the host compiler with vinci's headers, definitions and library."""

import subprocess

import pytest

import harness
from cli_kit import KERNELS, check_ok

MACROS = {
    "Ascend310": {"__CCE_AICORE__": "100", "__DAV_M100__": "1"},
    "Ascend910A": {"__NPU_ARCH__": "1001", "__CCE_AICORE__": "100", "__DAV_C100__": "1"},
    "Ascend310P3": {"__NPU_ARCH__": "2002", "__CCE_AICORE__": "200", "__DAV_M200__": "1"},
    "Ascend310P3-VectorCore": {"__NPU_ARCH__": "2002", "__CCE_AICORE__": "200",
                               "__DAV_M200_VEC__": "1"},
    "Ascend910B1": {"__NPU_ARCH__": "2201", "__CCE_AICORE__": "220", "__DAV_C220__": "1"},
    "Ascend310B1": {"__NPU_ARCH__": "3002", "__CCE_AICORE__": "300", "__DAV_M300__": "1"},
}

HALF_MAIN = r"""
#include <cstdio>
#include "kernel_operator.h"
int main() {
  const half sum = half(1.5f) + half(0.25f);
  std::printf("%g %x\n", float(sum), unsigned(half(65520.0f).bits));
}
"""


def cxx(*arguments, cwd=None):
    return harness.vinci("c++", *arguments, cwd=cwd)


def macros(*arguments):
    """The macros that a file sees."""
    done = cxx(*arguments, "-dM", "-E", "-x", "c++", "/dev/null")
    check_ok(done)
    return dict(line.split(" ", 2)[1:] for line in done.stdout.splitlines() if line.count(" ") >= 2)


@pytest.mark.parametrize("soc", MACROS)
def test_each_chip_has_its_definitions(soc):
    got = macros("--soc", soc)
    wanted = {"ASCENDC_CPU_DEBUG": "1", "__CCE_KT_TEST__": "1", **MACROS[soc]}
    assert {name: got.get(name) for name in wanted} == wanted
    assert ("__NPU_ARCH__" in got) == (soc != "Ascend310")


def test_the_chip_is_ascend310p3_unless_told():
    assert macros()["__NPU_ARCH__"] == "2002"


@pytest.mark.parametrize("kernel", ["values.cpp", "copy.cpp", "blocks.cpp"])
def test_a_kernel_file_compiles_to_an_object(tmp_path, kernel):
    check_ok(cxx("-c", KERNELS / kernel, "-o", tmp_path / "k.o"))
    assert (tmp_path / "k.o").read_bytes()[:4] == b"\x7fELF"


@pytest.mark.parametrize("soc", MACROS)
def test_a_kernel_file_is_correct_on_every_generation(soc):
    check_ok(cxx("--soc", soc, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", KERNELS / "blocks.cpp"))


@pytest.mark.parametrize("header, pedantic", [
    ("kernel_operator.h", ["-Wpedantic"]),
    ("lib/matmul_intf.h", []), ("register/op_def_registry.h", []),
    ("tiling/tiling_api.h", [])])  # they assert with one argument
@pytest.mark.parametrize("standard", ["c++17", "c++20", "gnu++20"])
def test_the_headers_are_clean_in_every_standard_and_alone(tmp_path, standard, header, pedantic):
    (tmp_path / "k.cpp").write_text(f'#include "{header}"\n')
    check_ok(cxx("-fsyntax-only", f"-std={standard}", "-Wall", "-Wextra", *pedantic, "-Werror",
                 "k.cpp", cwd=tmp_path))


def test_a_program_of_its_own_links_and_runs(tmp_path):
    (tmp_path / "main.cpp").write_text(HALF_MAIN)
    check_ok(cxx("main.cpp", "-o", "main", cwd=tmp_path))
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout == "1.75 7c00\n"


def test_two_steps_give_the_same_program(tmp_path):
    (tmp_path / "main.cpp").write_text(HALF_MAIN)
    check_ok(cxx("-c", "main.cpp", cwd=tmp_path))
    check_ok(cxx("main.o", "-o", "main", cwd=tmp_path))
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout == "1.75 7c00\n"


def test_the_compilers_exit_code_and_message_come_through(tmp_path):
    (tmp_path / "bad.cpp").write_text("int main() { return no_such_name; }\n")
    done = cxx("bad.cpp", cwd=tmp_path)
    assert done.code == 1 and "no_such_name" in done.stderr


def test_a_missing_compiler_is_exit_3():
    done = harness.vinci("c++", "-c", "x.cpp", env={"CXX": "no-such-compiler"})
    assert done.code == 3 and "the compiler no-such-compiler cannot be started" in done.stderr


def test_an_instruction_outside_a_launch_is_said(tmp_path):
    (tmp_path / "main.cpp").write_text('#include "kernel_operator.h"\n'
                                       "int main() { AscendC::GetBlockIdx(); }\n")
    check_ok(cxx("main.cpp", "-o", "main", cwd=tmp_path))
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode != 0
    assert "called outside a kernel launch" in done.stderr


PRINTING_MAIN = r"""
#include <cstdio>
#include "tikicpulib.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void speak(GM_ADDR) { printf("block %d\n", int(GetBlockIdx())); }
int main() {
  int length = printf("%d %s %5.2f %c %lld\n", 7, "seven", 7.0f, '7', 7LL);
  uint8_t* memory = (uint8_t*)GmAlloc(32);
  ICPU_RUN_KF(speak, 2, memory);
  length += printf("half %g, no arguments%%: ", half(0.5f));
  return printf("%d\n", length) == 3 ? 0 : 1;
}
"""


def test_plain_printf_of_a_main_is_the_hosts(tmp_path):
    """Under `using namespace AscendC` too, before and after a kernel."""
    (tmp_path / "main.cpp").write_text(PRINTING_MAIN)
    check_ok(cxx("main.cpp", "-o", "main", cwd=tmp_path))
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=20,
                          check=False)
    first, second = "7 seven  7.00 7 7\n", "half 0.5, no arguments%: "
    assert (done.returncode, done.stdout) == \
        (0, f"{first}block 0\nblock 1\n{second}{len(first) + len(second)}\n"), done.stderr


ON_A_CHIP = r"""
#include "tikicpulib.h"
static __global__ __aicore__ void gather(GM_ADDR) {
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::QuePosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  AscendC::LocalTensor<uint32_t> local = buffer.Get<uint32_t>();
  AscendC::Duplicate(local, uint32_t(0), 64);
  AscendC::Gather(local[32], local, local, 0u, 8u);
}
void NAME() {
  void* memory = AscendC::GmAlloc(64);
  ICPU_RUN_KF(gather, 1, (uint8_t*)memory);
  AscendC::GmFree(memory);
}
"""
TWO_CHIPS_MAIN = r"""
#include <cstdio>
void on_310p();
void on_910();
int main() {
  on_310p();
  std::puts("gathered");
  std::fflush(stdout);
  on_910();
}
"""


def test_each_file_runs_on_its_own_chip(tmp_path):
    """One of two files is for a chip that has Gather."""
    (tmp_path / "main.cpp").write_text(TWO_CHIPS_MAIN)
    for name, soc in (("on_310p", "Ascend310P3"), ("on_910", "Ascend910A")):
        (tmp_path / f"{name}.cpp").write_text(ON_A_CHIP.replace("NAME", name))
        check_ok(cxx("--soc", soc, "-c", f"{name}.cpp", cwd=tmp_path))
    check_ok(cxx("main.cpp", "on_310p.o", "on_910.o", "-o", "main", cwd=tmp_path))
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=20,
                          check=False)
    assert (done.returncode, done.stdout) == (4, "gathered\n")
    assert done.stderr.startswith("error[V6001] Gather: Ascend910A does not have it\n")


WRONG_CALLS_MAIN = r"""
#include <cstdio>
#include <cstdlib>
#include "tikicpulib.h"
__global__ __aicore__ void one(GM_ADDR x) { x[AscendC::GetBlockIdx()] = 1; }
int main(int, char** words) {
  uint8_t* memory = (uint8_t*)AscendC::GmAlloc(65536);
  uint8_t own[8];
  long long blocks = atoll(words[2]);
  switch (words[1][0]) {
    case 'r': ICPU_RUN_KF(one, blocks, memory); break;                          // HERE run
    case 's': ICPU_RUN_KF(one, (uint16_t)blocks, memory); break;
    case 't': AscendC::GmFree(memory); AscendC::GmFree(memory); break;          // HERE twice
    case 'o': AscendC::GmFree(own); break;                                      // HERE own
    case 'i': AscendC::GmFree(memory + 32); break;                              // HERE inside
    case 'n': AscendC::GmFree(nullptr); break;
    case 'b': AscendC::GmFree(memory); memory = (uint8_t*)AscendC::GmAlloc(65536); break;
  }
  if (words[1][0] != 't') AscendC::GmFree(memory);
  std::puts("went on");
}
"""


@pytest.fixture(name="wrong_calls", scope="module")
def fixture_wrong_calls(tmp_path_factory):
    """A program that calls what its first argument says, with so many blocks; and its lines."""
    folder = tmp_path_factory.mktemp("wrong_calls")
    (folder / "main.cpp").write_text(WRONG_CALLS_MAIN)
    check_ok(cxx("main.cpp", "-o", "main", cwd=folder))

    def call(which, blocks=1):
        return subprocess.run([folder / "main", which, str(blocks)], cwd=folder, timeout=60,
                              capture_output=True, text=True, check=False)

    return call


def line_of_wrong_call(mark):
    lines = WRONG_CALLS_MAIN.splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.endswith(f"// HERE {mark}"))


@pytest.mark.parametrize("blocks", [0, -1, 65536, (1 << 32) + 1, -(1 << 40)])
def test_a_number_of_blocks_that_is_none_is_a_fault(wrong_calls, blocks):
    done = wrong_calls("run", blocks)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error[V8004] ICPU_RUN_KF: one with {blocks} blocks\n"
                                  f"  --> main.cpp:{line_of_wrong_call('run')} in main\n")
    assert "= legal: 1..65535\n" in done.stderr


@pytest.mark.parametrize("which, blocks", [("run", 1), ("run", 65535), ("short", 3), ("null", 1),
                                           ("back", 1)])
def test_right_calls_are_no_faults(wrong_calls, which, blocks):
    done = wrong_calls(which, blocks)
    assert (done.returncode, done.stdout, done.stderr) == (0, "went on\n", "")


@pytest.mark.parametrize("which, what", [("twice", "was freed before"),
                                         ("own", "is no memory of the runtime's"),
                                         ("inside", "lies 32 bytes inside a buffer")])
def test_gm_that_is_not_to_be_freed_is_a_fault_and_the_program_goes_on(wrong_calls, which, what):
    done = wrong_calls(which)
    assert (done.returncode, done.stdout) == (1, "went on\n")
    assert done.stderr.startswith("error[V8004] GmFree: 0x") and done.stderr.count("error[") == 1
    assert f" {what}\n  --> main.cpp:{line_of_wrong_call(which)} in main\n" in done.stderr
    assert "= legal: what GmAlloc gave, once\n" in done.stderr
