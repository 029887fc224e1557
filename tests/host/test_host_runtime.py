"""Programs with acl/acl.h: what they print, how they end, and what the environment changes."""

import atexit
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile

import pytest

import harness
import sarif_shape

HEADERS = """
#include <cstdio>
#include <cstdlib>
#include "acl/acl.h"
#include "kernel_operator.h"
#include "vinci/host.h"
"""

# `vinci c++` compiles no `<<<>>>`; this is what a launch becomes.
PROGRAM = r"""
#include "headers.h"

[[maybe_unused]] static int launch(void (*kernel)(), int blocks = 1) {
  return vinci::host::enqueue_kernel(nullptr, "kernel", vinci::Grid{blocks}, kernel);
}
[[maybe_unused]] static void good() { AscendC::printf("block %d\n", int(AscendC::GetBlockIdx())); }
[[maybe_unused]] static void bad() {
  AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 0);
  AscendC::Duplicate(local, 7, 17);  // the fault
}
[[maybe_unused]] static void crash() { *(volatile int*)64 = 1; }  // the crash
[[maybe_unused]] static void endless() {
  for (volatile int i = 0;; i = i + 1) {}  // the endless loop
}
#define CHECK(call) \
  do { const int code = call; if (code != 0) std::printf(#call " %d\n", code); } while (0)

int main(int argc, char** argv) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  BODY
}
"""


@functools.cache
def headers_folder():
    """HEADERS, compiled once: that takes two thirds of a program's time."""
    folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
    atexit.register(folder.cleanup)
    header = pathlib.Path(folder.name) / "headers.h"
    header.write_text(HEADERS)
    done = harness.vinci("c++", "-c", "-x", "c++-header", header, "-o", f"{header}.gch")
    assert done.code == 0, done.stderr
    return folder.name


@pytest.fixture(name="program")
def program_of(tmp_path):
    """Compiles a body of main() and returns what runs it, with variables of the environment."""
    def compiled(body, *options):
        text = PROGRAM.replace("BODY", body)
        (tmp_path / "main.cpp").write_text(text)
        done = harness.vinci("c++", *options, "-I", headers_folder(), "main.cpp", "-o", "main",
                             cwd=tmp_path)
        assert done.code == 0, done.stderr

        def run(**variables):
            return subprocess.run([tmp_path / "main"], cwd=tmp_path, capture_output=True, text=True,
                                  timeout=60, check=False, env={**os.environ, **variables})
        run.line = lambda words: 1 + next(
            i for i, line in enumerate(text.splitlines()) if words in line)
        return run
    return compiled


def test_a_launch_prints_its_blocks_in_order_and_the_program_ends_well(program):
    done = program("CHECK(launch(good, 3)); CHECK(aclrtSynchronizeStream(nullptr));"
                   "CHECK(aclrtResetDevice(0)); CHECK(aclFinalize()); return 0;")()
    assert (done.returncode, done.stdout, done.stderr) == (0, "block 0\nblock 1\nblock 2\n", "")


def test_a_program_that_never_initialises_or_synchronises_runs_to_its_end(program):
    run = program("launch(good); launch(bad);")
    done = run()
    assert (done.returncode, done.stdout) == (1, "block 0\n")
    assert f"main.cpp:{run.line('the fault')} in bad" in done.stderr


def test_a_fault_is_told_at_once_and_ends_the_program_with_1(program):
    run = program("CHECK(launch(bad)); CHECK(aclrtSynchronizeStream(nullptr));"
                  "CHECK(aclrtSynchronizeStream(nullptr)); std::puts(aclGetRecentErrMsg()); return 0;")
    done = run()
    assert done.returncode == 1
    assert done.stdout.startswith("aclrtSynchronizeStream(nullptr) 507015\nkernel: error[V1001]")
    assert done.stderr.startswith("error[V1001] Duplicate: ")
    assert f"main.cpp:{run.line('the fault')} in bad" in done.stderr
    own = run(VINCI_EXIT_CODE="program")
    assert own.returncode == 0 and own.stderr == done.stderr


@pytest.mark.parametrize("soc, code", [("Ascend310P3", 507016),
                                       ("Ascend310P3-VectorCore", 507036)])
def test_a_trap_has_a_code_of_its_own(program, soc, code):
    done = program("launch(trap); CHECK(aclrtSynchronizeStream(nullptr)); return 0;")(VINCI_SOC=soc)
    assert done.returncode == 1 and "error[V5008]" in done.stderr
    assert done.stdout == f"aclrtSynchronizeStream(nullptr) {code}\n"


@pytest.mark.parametrize("code", [3, 77])
def test_a_programs_own_exit_code_stays(program, code):
    done = program(f"launch(bad); aclrtSynchronizeDevice(); return {code};")()
    assert done.returncode == code and "error[V1001]" in done.stderr


def test_what_main_has_printed_is_not_lost(program):
    done = program('launch(bad); aclrtSynchronizeDevice(); std::printf("no newline"); '
                   'std::atexit([] { std::printf(", and the end"); }); return 0;')()
    assert (done.returncode, done.stdout) == (1, "no newline, and the end")


def test_a_wrong_call_has_its_line(program):
    run = program("void* p = nullptr;\n"
                  "aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST);\n"
                  "aclrtFree(p);\n"
                  "CHECK(aclrtFree(p));  // twice\n"
                  "return 0;")
    done = run()
    assert (done.returncode, done.stdout) == (1, "aclrtFree(p) 107000\n")
    assert "error[V8004] aclrtFree: 0x" in done.stderr
    assert "was freed before (returns 107000)" in done.stderr
    assert f"main.cpp:{run.line('// twice')} in main" in done.stderr


def test_a_call_before_a_device_is_set(program):
    run = program("aclrtResetDevice(0); void* p = nullptr;\n"
                  "CHECK(aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));  // early\n"
                  "return 0;")
    done = run()
    assert done.returncode == 1 and done.stdout.endswith(" 107002\n")
    assert f"main.cpp:{run.line('// early')} in main" in done.stderr


def test_a_crash_in_a_kernel_ends_the_program_with_its_line(program, tmp_path):
    run = program("CHECK(launch(crash)); CHECK(aclrtSynchronizeStream(nullptr)); return 0;")
    done = run(VINCI_JSON=str(tmp_path / "report.json"))
    assert done.returncode == 1 and done.stdout == ""
    assert "error[V5001] kernel: " in done.stderr
    assert f"main.cpp:{run.line('the crash')} in crash" in done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert [fault["code"] for fault in report["faults"]] == ["V5001"]


def test_an_exception_in_a_kernel_is_a_fault(program):
    done = program('CHECK(launch([] { throw 1; })); CHECK(aclrtSynchronizeStream(nullptr));')()
    assert done.returncode == 1 and "error[V5005]" in done.stderr


@pytest.mark.parametrize("crash, signal", [("*(volatile int*)64 = 1;", 11), ("std::abort();", 6)])
def test_a_crash_of_the_hosts_own_code_is_the_systems(program, crash, signal):
    run = program(f"launch(good); aclrtSynchronizeDevice(); {crash}")
    done = run(ASAN_OPTIONS="handle_segv=0")  # else it is the sanitizer's, where vinci has one
    assert done.returncode == -signal and "V500" not in done.stderr


def test_a_kernel_without_an_end_is_ended_where_it_is(program):
    run = program("CHECK(launch(endless)); CHECK(aclrtSynchronizeStream(nullptr)); return 0;")
    done = run(VINCI_TIMEOUT="0.3")
    assert done.returncode == 1
    assert "error[V5004] kernel: no end after 0.3 s" in done.stderr
    assert f"main.cpp:{run.line('the endless loop')} in endless" in done.stderr


def test_the_report_has_all_faults_and_whose_they_are(program, tmp_path):
    run = program("launch(good); launch(bad); aclrtSynchronizeDevice(); aclrtFree(&argc); return 0;")
    run(VINCI_JSON=str(tmp_path / "report.json"))
    report = json.loads((tmp_path / "report.json").read_text())
    assert [(fault["code"], fault["kernel"]) for fault in report["faults"]] == [
        ("V1001", "kernel"), ("V8004", "")]
    assert report["faults"][0]["lines"][0]["line"] == run.line("the fault")
    assert {name: report[name] for name in ("soc", "launches", "check", "exit_code")} == {
        "soc": "Ascend310P3", "launches": 2, "check": "full", "exit_code": 1}


def test_the_faults_in_sarif(program, tmp_path):
    run = program("launch(good); launch(bad); aclrtSynchronizeDevice(); aclrtFree(&argc); return 0;")
    run(VINCI_SARIF=str(tmp_path / "report.sarif"))
    log = sarif_shape.check(json.loads((tmp_path / "report.sarif").read_text()))
    assert [(result["ruleId"], result["properties"]["kernel"]) for result in log["results"]] == [
        ("V1001", "kernel"), ("V8004", "")]
    places = [result["locations"][0]["physicalLocation"] for result in log["results"]]
    assert places[0]["region"]["startLine"] == run.line("the fault")
    assert log["invocations"][0]["exitCode"] == 1


def test_known_faults_do_not_count(program, tmp_path):
    run = program('launch(bad); std::printf("%d\\n", aclrtSynchronizeDevice()); return 0;')
    (tmp_path / "known.txt").write_text("V1001 *main.cpp known\nV4009 * no more\n")
    done = run(VINCI_SUPPRESS=str(tmp_path / "known.txt"), VINCI_JSON=str(tmp_path / "report.json"))
    assert (done.returncode, done.stdout) == (0, "0\n")
    assert done.stderr == f"vinci: {tmp_path}/known.txt:2: V4009 * matched nothing\n"
    report = json.loads((tmp_path / "report.json").read_text())
    assert [(fault["code"], fault["suppressed"]) for fault in report["faults"]] == [
        ("V1001", "known")]
    (tmp_path / "known.txt").write_text("V1001 *main.cpp:1 elsewhere\n")
    done = run(VINCI_SUPPRESS=str(tmp_path / "known.txt"))
    assert (done.returncode, done.stdout) == (1, "507015\n") and "error[V1001]" in done.stderr


def test_a_wrong_file_of_suppressions_is_exit_2(program, tmp_path):
    (tmp_path / "known.txt").write_text("V1001 *\n")
    done = program("launch(good); aclrtSynchronizeDevice(); return 0;")(
        VINCI_SUPPRESS=str(tmp_path / "known.txt"))
    assert done.returncode == 2
    assert f"VINCI_SUPPRESS: {tmp_path}/known.txt:1: V1001 * has no reason; legal: " in done.stderr


def test_the_report_of_a_clean_run_is_written_too(program, tmp_path):
    done = program("launch(good); return 5;")(VINCI_JSON=str(tmp_path / "report.json"))
    assert done.returncode == 5
    assert json.loads((tmp_path / "report.json").read_text())["faults"] == []


def test_the_chip_and_the_checks_are_chosen_outside(program):
    run = program('launch(bad); std::printf("%d\\n", aclrtSynchronizeDevice());'
                  "std::puts(aclrtGetSocName()); return 0;", "-DVINCI_TEST")
    assert run(VINCI_SOC="Ascend910B1").stdout.endswith("\nAscend910B1\n")
    off = run(VINCI_CHECK="off")
    assert (off.returncode, off.stdout, off.stderr) == (0, "0\nAscend310P3\n", "")


@pytest.mark.parametrize("name, value, words", [
    ("VINCI_SOC", "Ascend999", "unknown chip Ascend999"),
    ("VINCI_CHECK", "some", "VINCI_CHECK is some; legal: strict, full, basic, off"),
    ("VINCI_CHECK", "race,some", "VINCI_CHECK is race,some; legal: strict, full, basic, off, or a list of"),
    ("VINCI_SCHEDULE", "slow", "VINCI_SCHEDULE is slow; legal: eager, lazy, random:SEED"),
    ("VINCI_AUTO_SYNC", "no", "VINCI_AUTO_SYNC is no; legal: on, off"),
    ("VINCI_TIMEOUT", "-1", "VINCI_TIMEOUT is -1; legal: seconds"),
    ("VINCI_TIMEOUT", "soon", "VINCI_TIMEOUT is soon; legal: seconds"),
])
def test_a_wrong_variable_is_exit_2(program, name, value, words):
    done = program('std::printf("begun, "); launch(good); aclrtSynchronizeDevice(); return 0;')(
        **{name: value, "VINCI_JSON": "report.json"})
    assert (done.returncode, done.stdout) == (2, "begun, ") and words in done.stderr


def test_memory_is_zeros_unless_poison_is_asked_for(program):
    run = program("unsigned char* p = nullptr; aclrtMalloc((void**)&p, 8, ACL_MEM_MALLOC_HUGE_FIRST);"
                  'std::printf("%d %d\\n", p[0], p[7]); return 0;')
    assert run().stdout == "0 0\n"
    assert run(VINCI_POISON="0").stdout == "0 0\n"
    assert run(VINCI_POISON="1").stdout == "255 255\n"


def test_kernels_read_what_nobody_wrote_as_zeros_or_poison(program):
    run = program("void* p = nullptr; CHECK(aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));"
                  "static int32_t* place; place = static_cast<int32_t*>(p);"
                  "CHECK(launch([] { AscendC::GlobalTensor<int32_t> gm; gm.SetGlobalBuffer(place, 16);"
                  '  AscendC::printf("%d\\n", gm.GetValue(7)); }));'
                  "CHECK(aclrtSynchronizeStream(nullptr)); return 0;")
    for poison, value in (("0", 0), ("1", -1)):
        done = run(VINCI_POISON=poison)
        assert (done.returncode, done.stdout) == (0, f"{value}\n"), done.stderr


# y[i] = x[i] + 1 for 64 floats, in one block.
ADD_ONE = r"""
static float *x, *y;
static auto add_one = [] {
  using namespace AscendC;
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer(x, 64);
  to.SetGlobalBuffer(y, 64);
  LocalTensor<float> in(TPosition::VECIN, 0, 64), out(TPosition::VECOUT, 256, 64);
  DataCopy(in, from, 64);
  PipeBarrier<PIPE_ALL>();
  Adds(out, in, 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, out, 64);  // the output
};
float host[64] = {};
CHECK(aclrtMalloc((void**)&x, 256, ACL_MEM_MALLOC_HUGE_FIRST));
CHECK(aclrtMalloc((void**)&y, 256, ACL_MEM_MALLOC_HUGE_FIRST));
BEFORE
CHECK(launch(add_one)); CHECK(aclrtSynchronizeStream(nullptr));
AFTER
CHECK(aclrtMemcpy(host, 256, y, 256, ACL_MEMCPY_DEVICE_TO_HOST));
std::printf("%g %g\n", host[0], host[63]);
return 0;
"""


@pytest.mark.parametrize("before, told", [
    ("", "bytes 0..255"),
    ("CHECK(aclrtMemset(x, 256, 0, 256));", ""),
    ("CHECK(aclrtMemset(x + 1, 252, 0, 252));", "bytes 0..3"),
    ("CHECK(aclrtMemsetAsync(x, 256, 0, 256, nullptr));", ""),
    ("CHECK(aclrtMemcpy(x, 256, host, 256, ACL_MEMCPY_HOST_TO_DEVICE));", ""),
    ("CHECK(aclrtMemcpyAsync(x, 256, host, 256, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));", ""),
    ("CHECK(aclrtMemcpy(x, 128, host, 128, ACL_MEMCPY_HOST_TO_DEVICE));", "bytes 128..255"),
    # Every other row of 8 bytes.
    ("CHECK(aclrtMemcpy2d(x, 16, host, 8, 8, 16, ACL_MEMCPY_HOST_TO_DEVICE));", "bytes 8..15"),
    ("CHECK(aclrtReduceAsync(x, y, 256, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, nullptr, nullptr));", ""),
])
def test_device_memory_that_nobody_wrote_is_a_warning(program, before, told):
    run = program(ADD_ONE.replace("BEFORE", before).replace("AFTER", ""))
    done = run()
    assert (done.returncode, done.stdout) == (0, "1 1\n"), done.stderr
    if not told:
        assert done.stderr == ""
        return
    assert re.findall(r"warning.(V\d+). DataCopy: dst writes ", done.stderr) == ["V1017"]
    assert f"that come from {told} of GM buffer aclrtMalloc 1, which nothing has written" in done.stderr
    assert f"main.cpp:{run.line('the output')} in" in done.stderr
    strict = run(VINCI_CHECK="strict")
    assert strict.returncode == 1 and "error[V1013] DataCopy: dst writes " in strict.stderr
    assert run(VINCI_CHECK="basic").stderr == ""


@pytest.mark.parametrize("before, told", [("", True), ("CHECK(aclrtMemset(y, 256, 0, 256));", False)])
def test_adding_to_device_memory_that_nobody_wrote_is_a_warning(program, before, told):
    text = ADD_ONE.replace("DataCopy(to, out, 64);", "SetAtomicAdd<float>(); DataCopy(to, out, 64); "
                           "SetAtomicNone();").replace("AFTER", "")
    done = program(text.replace("BEFORE", "CHECK(aclrtMemset(x, 256, 0, 256));" + before))()
    assert (done.returncode, done.stdout) == (0, "1 1\n"), done.stderr
    assert re.findall(r"\[(V\d+)\]", done.stderr) == ["V1017"] * told


def test_what_a_kernel_wrote_another_may_read(program):
    run = program(ADD_ONE.replace("BEFORE", "CHECK(aclrtMemset(x, 256, 0, 256));").replace(
        "AFTER", "std::swap(x, y); CHECK(launch(add_one)); CHECK(aclrtSynchronizeStream(nullptr));"))
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 2\n", "")


def test_poisoned_device_memory_is_told_too(program):
    done = program(ADD_ONE.replace("BEFORE", "").replace("AFTER", ""))(VINCI_POISON="1")
    assert (done.returncode, done.stdout.replace("-", "")) == (0, "nan nan\n")
    assert "warning[V1017]" in done.stderr


def test_a_stream_that_waits_for_ever_is_told_when_the_program_ends(program):
    """A wait for what comes in the end is none of them."""
    for times, code in ((1, 0), (2, 1)):
        waits = "CHECK(aclrtWaitAndResetNotify(notify, nullptr, 0));" * times
        done = program("aclrtNotify notify; aclrtStream other;"
                       "CHECK(aclrtCreateNotify(&notify, 0)); CHECK(aclrtCreateStream(&other));"
                       f"{waits} CHECK(aclrtRecordNotify(notify, other)); return 0;")()
        assert (done.returncode, done.stdout) == (code, ""), done.stderr
        assert ("error[V8004] the program has ended, while streams wait" in done.stderr) == bool(code)


def test_the_headers_are_those_of_c_too(tmp_path):
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "acl/acl.h"\n#include "acl/acl_prof.h"\n'
        "int main(void) { void* p = NULL;\n"
        "  int code = aclrtSetDevice(0) + aclrtMalloc(&p, 64, ACL_MEM_MALLOC_NORMAL_ONLY);\n"
        '  printf("%d %s\\n", code, aclrtGetSocName()); return aclrtFree(p) + aclprofFinalize(); }\n')
    subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                    '-DVINCI_SOC="Ascend910B1"', "-I", harness.ROOT / "include", "-c", "main.c"],
                   cwd=tmp_path, check=True, timeout=60)
    done = harness.vinci("c++", "main.o", "-o", "main", cwd=tmp_path)
    assert done.code == 0, done.stderr
    ran = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=20, check=False)
    assert (ran.returncode, ran.stdout) == (0, "0 Ascend910B1\n"), ran.stderr
