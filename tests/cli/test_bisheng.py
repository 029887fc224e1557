"""vinci bisheng: the vendor's compiler driver, from its command line to what comes out of it. Whole
programs that it builds are in tests/program."""

import os
import subprocess

import numpy as np
import pytest

import harness
from cli_kit import check_ok, check_usage

KERNEL = """#include "kernel_operator.h"
template <int N>
__global__ __vector__ void where(GM_ADDR out) {
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)out);
  gm.SetValue(16 * AscendC::GetBlockIdx(), N + ARCH);
}
void start(uint32_t blocks, void* stream, uint8_t* out) { where<40><<<blocks, 0, stream>>>(out); }
"""
MAIN = """#include <cstdint>
#include <cstdio>
#include "acl/acl.h"
void start(uint32_t blocks, void* stream, uint8_t* out);
int main() {
  aclrtSetDevice(0);
  void* out = nullptr;
  aclrtMalloc(&out, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
  start(3, nullptr, (uint8_t*)out);
  const int code = aclrtSynchronizeStream(nullptr);
  int32_t host[48];
  aclrtMemcpy(host, sizeof(host), out, sizeof(host), ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%d: %d %d %d on %s\\n", code, host[0], host[16], host[32], aclrtGetSocName());
}
"""


def bisheng(folder, *words):
    return harness.vinci("bisheng", *words, cwd=folder)


@pytest.fixture(name="sources")
def fixture_sources(tmp_path):
    (tmp_path / "kernel.asc").write_text(KERNEL)
    (tmp_path / "main.cpp").write_text(MAIN)
    return tmp_path


def said_by(folder, program="demo"):
    done = subprocess.run([folder / program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("words, chip", [
    (["--npu-soc=ascend310p1", "--npu-arch=dav-2201"], "Ascend310P1"), ([], "Ascend910B1"),
    *[pytest.param(*choice, marks=pytest.mark.whole) for choice in [
        (["--npu-arch=dav-2201"], "Ascend910B1"), (["--npu-arch", "dav-2002"], "Ascend310P3"),
        (["--cce-aicore-arch=dav-c100"], "Ascend910A"), (["--npu-soc=Ascend910B3"], "Ascend910B3"),
        (["--npu-soc=Ascend910B"], "Ascend910B-C100")]],
])
def test_options_choose_the_chip(sources, words, chip):
    """--npu-soc before --npu-arch; a kernel's template argument and the command's macro arrive."""
    check_ok(bisheng(sources, "kernel.asc", "main.cpp", "-DARCH=2", "-o", "demo", *words))
    assert said_by(sources) == f"0: 42 42 42 on {chip}\n"


def test_what_tunes_a_device_is_taken_silently(sources):
    done = bisheng(sources, "kernel.asc", "main.cpp", "-DARCH=1", "-o", "demo", "--npu-arch=dav-2201",
                   "--cce-auto-sync=off", "-mllvm", "-cce-aicore-stack-size=0x8000", "-O3",
                   "--cce-auto-sync-log=log", "-std=c++17", "--sanitizer", "-lruntime", "-ltiling_api",
                   "--target=aarch64-linux-gnu", "-Xaicore-start", "-no-such", "-Xaicore-end",
                   "-Xhost-start", "-ftrapping-math", "-Xhost-end")
    check_ok(done)
    assert done.stderr == ""
    assert said_by(sources) == "0: 41 41 41 on Ascend910B1\n"


@pytest.mark.whole
def test_templates_that_only_clang_takes_with_qualifiers_in_brackets(sources):
    """All passes are clang's then: the host finds a launch by names that compilers choose."""
    (sources / "kernel.asc").write_text("""#include "kernel_operator.h"
struct Job {
  GM_ADDR out;
  __forceinline__ [host, aicore] Job(GM_ADDR where) : out(where) {}
};
struct Store {
  template <int32_t kCore = g_coreType> __forceinline__ [aicore] void operator()(const Job& job);
  template <> __forceinline__ [aicore] void operator()<AscendC::AIC>(const Job& job) {}
  template <> __forceinline__ [aicore] void operator()<AscendC::AIV>(const Job& job) {
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)job.out);
    gm.SetValue(16 * AscendC::GetBlockIdx(), 40 + ARCH);
  }
};
template <class Operation> __global__ [aicore] void run(Job job) { Operation()(job); }
void start(uint32_t blocks, void* stream, uint8_t* out) { run<Store><<<blocks, 0, stream>>>(Job(out)); }
""")
    check_ok(bisheng(sources, "kernel.asc", "main.cpp", "-DARCH=2", "-o", "demo", "--npu-arch=dav-2201"))
    assert said_by(sources) == "0: 42 42 42 on Ascend910B1\n"


def test_what_no_chip_has_is_named_once(sources):
    done = bisheng(sources, "-c", "kernel.asc", "-DARCH=1", "-o", "k.o", "--enable-simt")
    check_ok(done)
    assert done.stderr == "vinci: --enable-simt: no chip of vinci has SIMT cores\n"


def test_dependencies_are_those_of_the_source(sources):
    check_ok(bisheng(sources, "-c", "kernel.asc", "-DARCH=1", "-o", "k.o", "-MD", "-MT", "k.o", "-MF",
                     "k.d"))
    text = (sources / "k.d").read_text()
    assert text.startswith("k.o:")
    assert "kernel.asc" in text and "ascendc/tensor.h" in text


def test_what_is_only_looked_at_leaves_nothing(sources):
    """Also a mistake that only the kernels' pass sees is told; no object comes of it, nor a program."""
    check_ok(bisheng(sources, "-fsyntax-only", "kernel.asc", "main.cpp", "-DARCH=0"))
    assert sorted(path.name for path in sources.iterdir()) == ["kernel.asc", "main.cpp"]
    wrong = bisheng(sources, "-fsyntax-only", "-c", "kernel.asc", "-o", "kernel.o", "-DARCH=missing")
    assert wrong.code == 3 and "'missing' was not declared" in wrong.stderr
    assert not (sources / "kernel.o").exists()


def test_preprocessing_is_the_host_s(sources):
    (sources / "kernel.asc").write_text("#ifdef __NPU_ARCH__\ndevice\n#else\nhost ARCH\n#endif\n")
    done = bisheng(sources, "-E", "kernel.asc", "-DARCH=7")
    check_ok(done)
    assert done.stdout.splitlines()[-1] == "host 7"


def test_each_pass_has_its_own_macros_and_functions(tmp_path):
    """A function that differs between the passes stays three; the host's is called by the host."""
    (tmp_path / "passes.asc").write_text("""#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
inline int pass() {
  static int calls = 0;
  ++calls;
#if defined(__DAV_C220_CUBE__)
  return 10 + calls;
#elif defined(__DAV_C220_VEC__)
  return 20 + calls;
#else
  return 30 + calls;
#endif
}
__global__ __mix__(1, 1) void which(GM_ADDR out) {
  AscendC::GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)out);
  gm.SetValue(AscendC::g_coreType == AscendC::AIV ? 16 : 0, pass());
}
int main() {
  aclrtSetDevice(0);
  void* out = nullptr;
  aclrtMalloc(&out, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
  which<<<1>>>((uint8_t*)out);
  aclrtSynchronizeStream(nullptr);
  int32_t host[24];
  aclrtMemcpy(host, sizeof(host), out, sizeof(host), ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%d %d %d\\n", host[0], host[16], pass());
}
""")
    check_ok(bisheng(tmp_path, "passes.asc", "-o", "demo", "--npu-arch=dav-2201"))
    assert said_by(tmp_path) == "11 21 31\n"


@pytest.mark.parametrize("text, message", [
    ("__global__ __vector__ void k(GM_ADDR x) { nonsense(x); }\n", "k.asc:2:"),
    ("__global__ __vector__ void k(GM_ADDR x) { AscendC::vreduce(x); }\n",
     "vreduce is part of Ascend C, but vinci does not have it yet"),
    ("__global__ __vector__ void k(GM_ADDR x) {}\nint main() { k<<<1>>>(1, 2); }\n", "k.asc:3:"),
    ("__global__ __vector__ void k(GM_ADDR x) {}\n"
     "void start() {\n  auto* one = k;\n  one<<<1>>>(nullptr);\n}\n",
     "a launch names its kernel: a pointer to one, or what only the function around it knows, is none"),
    ("#if defined(__DAV_C220_VEC__)\n#error only for them\n#endif\n", "as code of its AIVs"),
    ("__global__ __mix__(2, 1) void k(GM_ADDR x) {}\n", "__mix__(2,1) is no kind of kernel"),
    ("SK_BIND(k, 16, k_sk);\n", "SK_BIND: capabilities; legal: 0..15"),
])
def test_what_does_not_compile_is_told_at_its_line(tmp_path, text, message):
    (tmp_path / "k.asc").write_text('#include "kernel_operator.h"\n' + text)
    done = bisheng(tmp_path, "-c", "k.asc", "-o", "k.o")
    assert done.code == 3
    assert message in done.stderr
    assert not (tmp_path / "k.o").exists()


CALLS = """#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
struct Size { uint32_t n; float scale; };
__global__ __vector__ void one(GM_ADDR out, GM_ADDR bias, Size size, int64_t more = 7) {
  *(__gm__ int32_t*)out = bias == nullptr ? int32_t(size.n * size.scale) + int32_t(more) : -1;
}
template <class T>
__global__ __vector__ void made(GM_ADDR out, T size) { *(__gm__ int32_t*)out = int32_t(size.n); }
__global__ __vector__ void twice(GM_ADDR out, float x) { *(__gm__ int32_t*)out = int32_t(x * 2); }
__global__ __vector__ void twice(GM_ADDR out, Size x) { *(__gm__ int32_t*)out = int32_t(x.n * 3); }
int main() {
  aclrtSetDevice(0);
  uint8_t* out = nullptr;
  aclrtMalloc((void**)&out, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  const auto show = [&] {
    aclrtSynchronizeStream(nullptr);
    std::printf("%d ", *(int32_t*)out);
  };
  one<<<1>>>(out, NULL, {4, 0.5f}, 'a'); show();
  one<<<1>>>(out, 0, {.n = 6, .scale = 0.5f}, {}); show();
  one<<<1>>>(out, nullptr, Size{8, 1}); show();
  made<Size><<<1>>>(out, {5}); show();
  made<<<1>>>(out, Size{6, 0}); show();
  twice<<<1>>>(out, 4.5f); show();
  twice<<<1>>>(out, Size{4, 0}); show();
}
"""


@pytest.mark.parametrize("standard", ["-std=c++17", "-std=c++20"])
def test_arguments_of_launches_convert_as_in_a_call(tmp_path, standard):
    """Braces, NULL, defaults; templates and overloads, whose parameters nobody knows, as they are."""
    (tmp_path / "k.asc").write_text(CALLS)
    check_ok(bisheng(tmp_path, "k.asc", "-o", "demo", standard))
    assert said_by(tmp_path) == "99 3 15 5 6 9 12 "


@pytest.mark.parametrize("kind", ["__vector__", "__mix__(1, 2)"])
def test_functions_for_a_superkernel_are_compiled_and_not_launched(sources, kind):
    (sources / "kernel.asc").write_text(KERNEL + f"""
struct Arguments {{ GM_ADDR out; }};
template <int N>
__sk__ {kind} void bound(const Arguments* arguments, sk::SkSystemArgs* system) {{
  *(__gm__ uint32_t*)arguments->out = system->skNumBlocks + system->SkGetNumBlocks() + N;
}}
__sk__ {kind} void bound_without(const Arguments* arguments) {{ *arguments->out = 1; }}
SK_BIND(start, 8 | 7, bound<0>, bound<1>, bound_without);
""")
    assert bisheng(sources, "kernel.asc", "main.cpp", "-o", "demo", "-DARCH=1").code == 0
    assert said_by(sources) == "0: 41 41 41 on Ascend910B1\n"


LOOKS = """#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
using namespace AscendC;
// 6 where scalar code sees what V was given, which the vendor's compiler orders; else 5.
__global__ __vector__ void looks(GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 512);
  LocalTensor<float> tensor = buffer.Get<float>();
  Duplicate(tensor, 5.0f, 128);
  PipeBarrier<PIPE_ALL>();
  Adds(tensor, tensor, 1.0f, 128);
  *(__gm__ float*)y = tensor.GetValue(0);
}
int main() {
  aclrtSetDevice(0);
  float* y = nullptr;
  aclrtMalloc((void**)&y, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  LAUNCH;
  const int code = aclrtSynchronizeStream(nullptr);
  std::printf("%d %g\\n", code, double(*y));
}
"""
BY_NAME = """void* arguments[] = {&y}; aclrtLaunchKernelWithArgsArray((void*)looks, 1, nullptr, nullptr,
      arguments)"""


@pytest.mark.parametrize("launch", [
    "looks<<<1, nullptr, nullptr>>>((uint8_t*)y)",
    pytest.param(BY_NAME, marks=pytest.mark.whole)])
def test_kernels_without_what_the_compiler_orders(tmp_path, launch):
    (tmp_path / "looks.asc").write_text(LOOKS.replace("LAUNCH", launch))
    programs = {"on": ["--cce-auto-sync=off", "--cce-auto-sync=on"], "off": ["--cce-auto-sync=off"]}
    for name, words in programs.items():
        check_ok(bisheng(tmp_path, "looks.asc", "-o", name, "--npu-arch=dav-2201", *words))

    def said(name, **environment):
        done = subprocess.run([tmp_path / name], capture_output=True, text=True, check=False,
                              timeout=60, env={**os.environ, "VINCI_SCHEDULE": "lazy",
                                               "VINCI_AUTO_SYNC": "", **environment})
        assert ("V4009" in done.stderr) == (not done.stdout.endswith(" 6\n")), done.stderr
        return done.stdout

    assert said("on") == said("off", VINCI_AUTO_SYNC="on") == "0 6\n"
    assert said("off") == said("on", VINCI_AUTO_SYNC="off") == "507035 5\n"


def test_wrong_command_lines(sources):
    check_usage(bisheng(sources, "-c", "kernel.asc", "--cce-auto-sync=no"), "--cce-auto-sync=no; legal")
    check_usage(bisheng(sources), "no input files")
    check_usage(bisheng(sources, "-o"), "-o wants a value")
    check_usage(bisheng(sources, "-c", "kernel.asc", "--npu-soc=Ascend999"), "unknown chip Ascend999")
    check_usage(bisheng(sources, "-c", "kernel.asc", "--run-mode=gpu"), "legal are npu, cpu, sim")
    check_usage(bisheng(sources, "-c", "kernel.asc", "main.cpp", "-o", "x.o"), "-o with -c wants one")
    done = bisheng(sources, "-c", "kernel.asc", "--npu-arch=dav-3510")
    assert done.code == 4
    assert "no chip of the architecture dav-3510; it has: dav-2201 dav-2002" in done.stderr


CCE = """#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
#include <stdint.h>
extern "C" __global__ __aicore__ void where(__gm__ int32_t* out) {
#ifdef __DAV_C220_VEC__
  auto numbers = (__ubuf__ int32_t*)get_imm(0);
  set_mask_norm();
  set_vector_mask((uint64_t)-1, (uint64_t)-1);
  vector_dup(numbers, 7, 1, 1, 1, 8, 0);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  copy_ubuf_to_gm(out + 16 * get_block_idx(), numbers, 0, 1, 2, 0, 0);
  pipe_barrier(PIPE_ALL);
#endif
}
"""


def test_sources_in_cce_need_no_header(sources, tmp_path):
    """The vendor's compiler knows its functions and types by itself."""
    start = "void start(uint32_t blocks, void* stream, uint8_t* out) { " \
            "where<<<blocks, nullptr, stream>>>((int32_t*)out); }\n"
    (sources / "kernel.cce").write_text(CCE + start)
    check_ok(bisheng(sources, "-xcce", "kernel.cce", "main.cpp", "-o", "demo", "--cce-aicore-arch=dav-c220"))
    assert said_by(sources) == "0: 7 7 7 on Ascend910B1\n"
    for text in (CCE + start, CCE.split("#endif\n", 1)[1].replace("__aicore__", "[aicore]")):
        (sources / "kernel.cpp").write_text(text)
        done = harness.vinci("run", "kernel.cpp", "--soc", "Ascend910B1", "--blocks", "2", "--arg",
                             "out:o.npy:int32:32", cwd=tmp_path)
        check_ok(done)
        assert (np.load(tmp_path / "o.npy") == 7).all()


def test_kernel_files_may_launch(sources, tmp_path):
    """`vinci run` takes a file whose host code launches its kernels."""
    text = KERNEL.replace("template <int N>\n", 'extern "C" ').replace("where<40>", "where")
    (sources / "kernel.cpp").write_text(text.replace("N + ARCH", "5"))
    done = harness.vinci("run", "kernel.cpp", "--soc", "Ascend910B1", "--blocks", "2", "--arg",
                         "zeros:int32:32", cwd=tmp_path)
    check_ok(done)
    assert "where on Ascend910B1, 2 block(s) of 1 AIV: clean" in done.stdout


@pytest.mark.parametrize("values", ["3", "3, 0", "3, nullptr, stream", "3, 64, 0, stream"])
def test_launches_have_one_to_four_values(sources, values):
    (sources / "kernel.asc").write_text(KERNEL.replace("blocks, 0, stream", values))
    check_ok(bisheng(sources, "kernel.asc", "main.cpp", "-DARCH=2", "-o", "demo"))
    assert said_by(sources) == "0: 42 42 42 on Ascend910B1\n"


def test_nothing_is_left_of_a_compilation(sources):
    """Neither of one that went well nor of one that did not."""
    (sources / "scratch").mkdir()
    for words, code in ((["-DARCH=1"], 0), ([], 3)):
        done = harness.vinci("bisheng", "kernel.asc", "main.cpp", "-o", "demo", *words, cwd=sources,
                             env={"TMPDIR": str(sources / "scratch")})
        assert done.code == code
        assert list((sources / "scratch").iterdir()) == []
    done = harness.vinci("bisheng", "kernel.asc", "-o", "demo", cwd=sources, env={"TMPDIR": "/proc/no"})
    assert done.code == 3
    assert done.stderr.startswith("vinci: cannot write to the folder /proc/no: ")
    assert done.stderr.endswith("(set TMPDIR)\n")


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_fault_names_the_function_that_launches(tmp_path, compiler):
    (tmp_path / "k.asc").write_text("""#include "kernel_operator.h"
#include "acl/acl.h"
template <class T>
__global__ __vector__ void k(GM_ADDR) {
  AscendC::LocalTensor<T> local(AscendC::TPosition::VECCALC, 0, 8);
  AscendC::Duplicate(local, T(1), 17);
}
void start(void* stream, uint8_t* x) { k<float><<<1, nullptr, stream>>>(x); }
int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  start(nullptr, nullptr);
  aclrtSynchronizeStream(nullptr);
}
""")
    done = harness.vinci("bisheng", "k.asc", "-o", "demo", cwd=tmp_path, env={"CXX": compiler})
    assert done.code == 0, done.stderr
    ran = subprocess.run([tmp_path / "demo"], capture_output=True, text=True, check=False, timeout=60)
    frames = [line.split()[-1] for line in ran.stderr.splitlines() if line.split()[:1] in (["-->"], ["called"])]
    assert frames == ["k<float>", "start"], ran.stderr
