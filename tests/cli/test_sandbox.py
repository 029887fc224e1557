"""vinci run --sandbox: kernels that ask the system for anything are ended, with the line."""

import pathlib
import platform
import subprocess
import tempfile

import numpy as np
import pytest

import harness
from harness import Out, Value

ATTACKS = pathlib.Path(__file__).resolve().parent / "kernels" / "attacks.cpp"
SOC = "Ascend310P3"
TAMPER = (1, 2, 3)
CALLS = {4: "openat", 5: "openat", 6: "unlink", 7: "rename", 8: "mkdir", 9: "chmod", 10: "getppid",
         11: "kill", 12: "clone", 13: "execve", 15: "socket", 16: "ptrace", 17: "process_vm_readv",
         18: "openat", 19: "truncate", 20: "symlink"}
# By their numbers, without the C library.
RAW = {23: "io_uring_setup", 24: "memfd_create", 25: "bpf", 26: "mount", 27: "chroot", 28: "setuid",
       29: "prlimit64", 30: "unshare", 31: "perf_event_open", 32: "userfaultfd", 33: "pidfd_open",
       34: "shmget", 35: "keyctl", 36: "linkat", 37: "mknodat", 38: "utimensat",
       39: "setpriority", 40: "personality"}

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    (tmp_path / "target").write_text("golden")
    yield tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["target"], "a kernel left something"
    target = tmp_path / "target"
    assert target.read_text() == "golden" and target.stat().st_mode & 0o777 != 0o777


def attack(number, folder, *extra):
    return harness.run_kernel(ATTACKS, Out("int32", 1), Value("int32", number), soc=SOC,
                              check="off", extra=extra or ("--sandbox=required",), cwd=folder)


def test_a_kernel_that_keeps_to_its_memory_runs(folder):
    run = attack(0, folder)
    harness.check_clean(run)
    assert run.outputs[0][0] == 1


# What runs while the kernel's file is loaded, and then, it may be, opens one: the call that is told.
EARLY = {
    "a constructor": ("", "[[gnu::constructor]] void early() { read(); }", "openat"),
    "a variable": ("", "int early = read();", "openat"),
    "a handler of its own": ("", """[[gnu::constructor]] void early() {
        signal(SIGSYS, [](int) {});
        read();
      }""", "rt_sigaction"),
    "a look at its size": ("", """[[gnu::constructor]] void early() {
        struct stat size;
        stat("/etc/passwd", &size);
      }""", "newfstatat"),
    "a choice of functions": (
        "x86_64", """extern "C" {
        int one() { return 1; }
        void* choose() {  // before the library's own functions can be called
          long got = 2;
          asm volatile("syscall" : "+a"(got) : "D"("/etc/passwd"), "S"(0) : "rcx", "r11", "memory");
          return reinterpret_cast<void*>(one);
        }
        int chosen() __attribute__((ifunc("choose")));
        int (*early)() = chosen;
      }""", "open")}


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=() if name == "a constructor" else pytest.mark.whole)
    for name in EARLY])
def test_what_runs_before_the_kernel_opens_no_files(name, tmp_path):
    needs, text, call = EARLY[name]
    if needs and platform.machine() not in needs:
        pytest.skip("for another kind of host")
    source = tmp_path / "k.cpp"
    source.write_text(f"""
        #include <fcntl.h>
        #include <signal.h>
        #include <sys/stat.h>
        #include "kernel_operator.h"
        int read() {{ return open("/etc/passwd", O_RDONLY); }}
        {text}
        extern "C" __global__ __aicore__ void k(GM_ADDR out) {{
          AscendC::GlobalTensor<int32_t> to;
          to.SetGlobalBuffer((__gm__ int32_t*)out, 1);
          to.SetValue(0, 1);
        }}""")
    assert harness.run_kernel(source, Out("int32", 1), soc=SOC).code == 0
    run = harness.run_kernel(source, Out("int32", 1), soc=SOC, extra=("--sandbox=required",))
    assert run.code == 1 and run.codes == ["V5009"], run.stderr
    assert f"the system is called for {call}\n" in run.stderr


@pytest.mark.parametrize("number", TAMPER)
def test_what_a_kernel_tells_in_vincis_place_is_not_believed(number, folder):
    for extra in ("--sandbox", "--sandbox=off"):
        run = attack(number, folder, extra)
        assert run.code == 1 and run.codes == ["V5010"], run.stderr


@pytest.mark.parametrize("number", [*CALLS, *(
    pytest.param(number, marks=() if number == 23 else pytest.mark.whole) for number in RAW)])
def test_calls_of_the_system_end_the_kernel_at_their_line(number, folder):
    run = attack(number, folder)
    assert run.code == 1 and run.codes == ["V5009"], run.stderr
    assert f"the system is called for {(CALLS | RAW)[number]}\n" in run.stderr
    line = next(at for at, text in enumerate(ATTACKS.read_text().splitlines(), 1)
                if (f"case {number}:" if number != 17 else "process_vm_readv(") in text)
    assert f"attacks.cpp:{line}" in run.stderr
    assert run.outputs[0][0] == 1  # what was written before


def test_what_no_chip_has_is_told(folder, tmp_path_factory):
    told = attack(0, folder, "--sandbox").stderr
    assert "not device code: " in told and "; calls _exit; calls abort; calls chmod" in told
    assert "constructors" in told and "inline assembly" not in told
    assert "device code" not in attack(0, folder, "--sandbox=off").stderr
    run = attack(0, folder, "--strict-device")
    assert run.code == 3 and "attacks.cpp is not device code: calls " in run.stderr
    source = tmp_path_factory.mktemp("strict") / "k.cpp"
    for before, inside, words in (
            ("", "", None), ("", 'asm volatile("nop");', "inline assembly"),
            ("long syscall(long, ...);", "syscall(39);", "calls syscall"),
            ('#pragma GCC optimize("fast-math")', "", "#pragma of the host's compiler"),
            ('#pragma GCC diagnostic ignored "-Wshadow"', "", None),
            ("#include <algorithm>\nint some[99];",
             "std::sort(some, some + 9 * AscendC::GetBlockNum());", "std::"),
            ("#include <vector>", "std::vector<int> v(AscendC::GetBlockNum()); v[0] = 1;",
             "calls operator new"),
            ("#include <algorithm>\n#include <type_traits>",
             "static_assert(std::is_same_v<int, int>); (void)std::min(1, 2);", None),
            ("", "// asm, fopen\n", None), ("int first = getpid();", "", "constructors")):
        source.write_text(f"""
            #include <unistd.h>
            #include "kernel_operator.h"
            {before}
            extern "C" __global__ __aicore__ void k(GM_ADDR out) {{
              {inside}
              AscendC::GlobalTensor<int32_t> to;
              to.SetGlobalBuffer((__gm__ int32_t*)out, 1);
              to.SetValue(0, 1);
            }}""")
        run = harness.run_kernel(source, Out("int32", 1), soc=SOC, extra=("--strict-device",))
        assert run.code == (3 if words else 0) and (words or "") in run.stderr, run.stderr


def test_children_by_the_library_are_none(folder):
    run = attack(14, folder)
    assert run.code == 1 and run.codes in (["V5007"], ["V5009"])


def test_memory_is_limited(folder):
    run = attack(21, folder)
    assert run.code == 1 and run.codes == ["V5005"]


def test_what_a_kernel_says_of_itself_does_not_reach_the_terminal(folder):
    run = attack(41, folder)
    assert run.codes == ["V5005"] and "\\x1b[2J\\x1b]0;owned\\x07" in run.stderr
    assert "\033" not in run.stderr and "\a" not in run.stderr


@pytest.mark.whole
def test_standard_input_and_output_are_not_the_kernels(folder):
    """It reads nothing, goes nowhere in a file, and fills no disk."""
    assert attack(42, folder).code == 0
    with open(folder.parent / "printed", "w+b") as printed:
        done = subprocess.run([harness.VINCI, "run", ATTACKS, "--soc", SOC, "--check", "off", "--arg",
                               f"out:{folder.parent}/out.npy:int32:1", "--arg", "value:int32:43",
                               "--sandbox=required"], stdout=printed, stderr=subprocess.PIPE,
                              check=False, cwd=folder)
        assert done.returncode == 1 and b"V5007" in done.stderr, done.stderr
        assert 0 <= printed.seek(0, 2) - (1 << 29) < 1000  # and what vinci says
    (folder.parent / "printed").unlink()


def test_an_early_end_is_no_clean_one(folder):
    run = attack(22, folder)
    assert run.code == 1 and run.codes == ["V5006"]


def test_threads_and_prints_of_a_kernel_work(tmp_path):
    source = tmp_path / "prints.cpp"
    source.write_text("""
        #include "kernel_operator.h"
        extern "C" __global__ __aicore__ void prints(GM_ADDR out) {
          AscendC::GlobalTensor<int32_t> to;
          to.SetGlobalBuffer((__gm__ int32_t*)out, 512);
          for (int i = 0; i < 200; ++i) AscendC::printf("line %d\\n", i);
          to.SetValue(16 * AscendC::GetBlockIdx(), 1);
        }""")
    run = harness.run_kernel(source, Out("int32", 512, part=True), soc=SOC, blocks=32,
                             extra=("--sandbox", "--threads", "4"))
    harness.check_clean(run)
    assert run.stdout.count("line ") == 32 * 200
    assert np.count_nonzero(run.outputs[0] == 1) == 32


def test_unknown_words_are_refused():
    run = harness.vinci("run", ATTACKS, "--sandbox=maybe")
    assert run.code == 2 and "required" in run.stderr


def test_as_a_user_without_power():
    """Landlock and seccomp need no root."""
    probe = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", "test", "-x",
                            harness.VINCI], check=False)
    if probe.returncode != 0:
        pytest.skip("setpriv is not there, or another user cannot reach the program")
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        home = pathlib.Path(name)
        home.chmod(0o777)
        (home / "attacks.cpp").write_text(ATTACKS.read_text())
        run = subprocess.run(
            ["setpriv", "--reuid=65534", "--clear-groups", harness.VINCI, "run",
             home / "attacks.cpp", "--arg", f"out:{home}/out.npy:int32:1",
             "--arg", "value:int32:15", "--sandbox=required", "--no-cache"],
            cwd=home, text=True, capture_output=True, check=False,
            env={"PATH": "/usr/bin:/bin", "TMPDIR": str(home)})
    assert run.returncode == 1 and "V5009" in run.stderr and "socket" in run.stderr
