"""Compile errors, and the compiler's options."""

import re
import shutil

import pytest

import harness
from cli_kit import KERNELS, Folder, check_ok, check_usage, load, run


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    return Folder(tmp_path)


def test_a_compile_error_is_exit_3_with_the_compilers_message(folder):
    folder.write("out[0] = no_such_name;")
    done = folder.run()
    assert done.code == 3
    assert "k.cpp:3" in done.stderr and "no_such_name" in done.stderr and "error" in done.stderr
    assert "k.cpp does not compile for Ascend310P3" in done.stderr.splitlines()[-1]
    assert not (folder.path / "o.npy").exists()


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_function_on_vector_registers_is_refused_at_its_line(folder, compiler):
    """Its name means nothing to a compiler; as a plain function it would run lane by lane."""
    folder.write("add_one(out);", before="__simd_vf__ inline void add_one(uint8_t* x) { ++*x; }")
    done = folder.run(env={"CXX": compiler})
    assert done.code == 3
    assert "k.cpp:2" in done.stderr
    assert "__simd_vf__: no chip of vinci list has vector functions" in done.stderr
    # The word itself may stand where nothing is compiled.
    folder.write("out[0] = 1;", before="#if 0\n__simd_vf__ inline void f();\n#endif")
    check_ok(folder.run(env={"CXX": compiler}))


def test_a_failed_compilation_is_not_cached(folder):
    folder.write("out[0] = no_such_name;")
    assert folder.run().code == 3
    assert folder.run().code == 3
    assert folder.compiled() == []
    assert list((folder.path / "cache").iterdir()) == []


def test_an_undefined_symbol_is_exit_3_and_named(folder):
    folder.write("missing_function(out);", before="void missing_function(uint8_t*);")
    done = folder.run()
    assert done.code == 3
    assert "k.cpp cannot be loaded" in done.stderr and "missing_function" in done.stderr


def test_a_compiler_warning_is_shown_in_each_run(folder):
    folder.write("out[0] = 1;", before="#warning look here")
    first = folder.run()
    check_ok(first)
    assert len(re.findall("warning: (?:#warning )?look here", first.stderr)) == 1  # g++, clang
    compiled = folder.compiled()
    for arguments in ([], ["--quiet"], ["--soc", "Ascend910A"]):
        done = folder.run(*arguments)
        assert done.code == 0 and done.stderr == first.stderr
    assert folder.compiled() == compiled


def test_a_warning_that_is_gone_is_not_shown(folder):
    folder.write("out[0] = 1;", before="#warning look here")
    folder.result()
    folder.write("out[0] = 1;")
    assert folder.run().stderr == ""


def test_options_behind_the_dashes_go_to_the_compiler(folder):
    folder.write("out[0] = NUMBER;")
    assert folder.result(options=["-DNUMBER=42"]) == 42


def test_an_option_can_add_an_include_folder(folder):
    (folder.path / "inc").mkdir()
    (folder.path / "inc" / "n.h").write_text("#define NUMBER 6\n")
    folder.write("out[0] = NUMBER;", before='#include "n.h"')
    assert folder.result(options=["-I", str(folder.path / "inc")]) == 6


def test_an_option_can_change_the_language(folder):
    folder.write("out[0] = __cplusplus / 100;", before="")
    assert folder.result(options=["-std=c++20"]) == 202002 // 100 % 256


def test_an_option_that_the_compiler_does_not_know_is_exit_3(folder):
    done = folder.run(options=["-fno-such-option"])
    assert done.code == 3 and "-fno-such-option" in done.stderr


def test_the_compiler_can_be_chosen(folder):
    folder.write("\n#ifdef __clang__\nout[0] = 2;\n#else\nout[0] = 1;\n#endif\n")
    assert folder.result(env={"CXX": "clang++"}) == 2
    assert folder.result(env={"CXX": "g++"}) == 1


@pytest.mark.parametrize("words", ["ccache g++", "  env  A=1 g++ ", "env clang++ -DNUMBER=2"])
def test_the_compiler_may_be_several_words(folder, words):
    folder.write("\n#ifdef NUMBER\nout[0] = NUMBER;\n#else\nout[0] = 1;\n#endif\n")
    if "ccache" in words and shutil.which("ccache") is None:
        (folder.path / "ccache").write_text('#!/bin/sh\nexec "$@"\n')
        (folder.path / "ccache").chmod(0o755)
        words = words.replace("ccache", str(folder.path / "ccache"))
    env = {"CXX": words, "CCACHE_DIR": str(folder.path / "objects")}
    assert folder.result(env=env) == (2 if "NUMBER" in words else 1)
    first = folder.compiled()
    folder.result(env=env)
    assert len(first) == 1 and folder.compiled() == first


def test_the_compilers_path_may_have_blanks(folder):
    program = folder.path / "my compiler" / "g++ 1"
    program.parent.mkdir()
    program.symlink_to(shutil.which("g++"))
    assert folder.result(env={"CXX": str(program)}) == 1


def test_the_first_word_of_a_compiler_that_does_not_exist_is_named(folder):
    done = folder.run(env={"CXX": "no-such-cache g++"})
    assert done.code == 3 and "the compiler no-such-cache cannot be started" in done.stderr


@pytest.mark.parametrize("option, compiler", [
    ("-E", "g++"), ("-c", "g++"), ("-S", "g++"), ("-M", "g++"), ("-fsyntax-only", "g++"),
    ("--version", "g++"), ("-###", "g++"), ("-E", "clang++"), ("-fsyntax-only", "clang++")])
def test_an_option_that_makes_nothing_to_run_is_told(folder, option, compiler):
    done = folder.run(options=["-DNUMBER=1", option], env={"CXX": compiler})
    check_usage(done, "the compiler made no shared object of ", "k.cpp",
                f"its options were -DNUMBER=1 {option}; legal: options with which it compiles")
    assert folder.compiled() == []


def test_a_compiler_that_does_not_exist_is_exit_3_and_named(folder):
    done = folder.run(env={"CXX": "no-such-compiler"})
    assert done.code == 3
    assert "the compiler no-such-compiler cannot be started" in done.stderr


@pytest.mark.parametrize("path, phrase", [("none.cpp", "none.cpp does not exist"),
                                          (".", ". is a folder")])
def test_a_file_that_is_none_is_refused(tmp_path, path, phrase):
    check_usage(harness.vinci("run", path, cwd=tmp_path), phrase)


def test_a_kernel_may_come_through_a_symbolic_link(folder):
    (folder.path / "link.cpp").symlink_to(KERNELS / "blocks.cpp")
    check_ok(run(folder.path / "link.cpp", "nothing", cwd=folder.path))


SPECIALISED = """
#define DEVICE __forceinline__ [aicore]
struct Store {
  template <class T, int kKind> DEVICE void operator()(T* at);
  template <> DEVICE void operator()<uint8_t, 0>(uint8_t* at) { *at = 1; }
  template <> DEVICE void operator()<uint8_t, 1>(uint8_t* at) { *at = 200; }
};
"""
INSTANCE = """
template <class T> __global__ __aicore__ void of_type(__gm__ T* to) { to[0] = T(1); }
template __global__ __aicore__ void of_type<float>(__gm__ float* to);
"""
NAMED_TWICE = "struct Tile { int n; };\nstruct Job { Tile a{200}; int Tile = a.n; };"

FIRST = "__aicore__ inline uint8_t first(const uint8_t* list) { return list[1]; }"
REORDERED = "struct Pair { uint8_t first, second; };"
NESTED = REORDERED + " struct Box { Pair inner; uint8_t list[2]; };"
TWICE_INLINE = "#define DEVICE inline __aicore__\n__aicore__ inline DEVICE int two_hundred() { return 200; }"
ITSELF = """
__attribute__((always_inline)) inline __aicore__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
"""
STATIC = """
template <class T> static __aicore__ inline int number_of() { return 1; }
template <> static __aicore__ inline int number_of<float>() { return 200; }
"""


@pytest.mark.parametrize("before, statement", [
    (SPECIALISED, "Store().operator()<uint8_t, 1>((__gm__ uint8_t*)out);"),
    (INSTANCE, "out[0] = 200;"),
    (NAMED_TWICE, "out[0] = Job().Tile;"),
    (FIRST, "out[0] = first((uint8_t[]){out == nullptr, 200});"),
    (REORDERED, "out[0] = Pair{.second = 1, .first = 200}.first;"),
    (REORDERED, "out[0] = Pair{.first = 200, 1}.first;"),
    (NESTED, "out[0] = Box{.inner.second = 200, .list = {1, 2}}.inner.second;"),
    (NESTED, "out[0] = Box{.inner.second = 200}.inner.second;"),
    (NESTED, "const Box box = {.inner.first = 1, .list[1] = 200}; out[0] = box.list[1];"),
    ("", "out[0] = (const uint8_t[2]){[1] = 200}[1];"),
    (TWICE_INLINE, "out[0] = two_hundred();"),
    (ITSELF, "out[0] = fibonacci(10 + out[0] / 255) + 111;"),
    (STATIC, "out[0] = number_of<float>();")])
def test_what_clang_takes_and_gcc_refuses_is_compiled_by_clang(folder, before, statement):
    """As the vendor's compiler, which is a clang."""
    folder.write(statement, before=before)
    for _ in range(2):
        done = folder.run("--kernel", "k", env={"CXX": "g++"})
        check_ok(done)
        # Of a storage class clang warns, and has no option not to.
        assert done.stderr == "" or before == STATIC and "storage class" in done.stderr
        assert load(folder.path / "o.npy")[0] == 200
    assert len(folder.compiled()) == 1
    folder.write(statement.replace(";", "; no_such_name;"), before=before)
    done = folder.run(env={"CXX": "g++"})
    assert done.code == 3 and "no_such_name" in done.stderr


def test_without_clang_it_is_said_what_is_missing(folder, tmp_path):
    folder.write("out[0] = 1;", before=SPECIALISED)
    (tmp_path / "bin").mkdir()
    for program in ("g++", "ld", "as", "collect2"):
        if shutil.which(program):
            (tmp_path / "bin" / program).symlink_to(shutil.which(program))
    done = folder.run(env={"CXX": "g++", "PATH": str(tmp_path / "bin")})
    assert done.code == 3
    assert "explicit specialization in non-namespace scope" in done.stderr
    assert "it is not installed (Debian: clang)" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("to_ub", ["false", "true"])
def test_a_way_from_l0c_to_ub_is_refused_where_no_chip_has_it(tmp_path, to_ub):
    """Sources for several chips name it in their configurations."""
    (tmp_path / "k.cpp").write_text(f"""#include "kernel_operator.h"
using namespace AscendC;
constexpr FixpipeConfig kConfig = {{CO2Layout::NZ, {to_ub}}};
extern "C" __global__ __aicore__ void k(GM_ADDR x) {{
  LocalTensor<half> to(TPosition::A1, 0, 256);
  LocalTensor<float> from(TPosition::CO1, 0, 256);
  if (block_idx > 0) Fixpipe<half, float, kConfig>(to, from, FixpipeParamsV220(16, 16, 16, 16, false));
}}
""")
    done = harness.vinci("run", "k.cpp", "--soc", "Ascend910B1", "--arg", "zeros:half:16", cwd=tmp_path)
    assert done.code == (3 if to_ub == "true" else 0), done.stderr
    assert ("no chip of vinci list copies from L0C to UB" in done.stderr) == (to_ub == "true")


@pytest.mark.parametrize("name", ["hypot", *(pytest.param(name, marks=pytest.mark.whole)
                                             for name in ("select", "exp", "round"))])
def test_a_kernel_may_be_called_as_a_function_of_the_c_library(tmp_path, name):
    """Of a device there is none. The report knows it by its own name."""
    source = tmp_path / "k.cpp"
    source.write_text(f"""#include "kernel_operator.h"
struct Own {{ int {name} = 6; }};
extern "C" __global__ __aicore__ void {name}(GM_ADDR out) {{
  AscendC::GlobalTensor<int32_t> to;
  to.SetGlobalBuffer((__gm__ int32_t*)out, 8);
  to.SetValue(0, int32_t(std::exp(0.0f)) + Own().{name});
  AscendC::printf("{name} %d\\n", 5);
  to.SetValue(8, 1);
}}
""")
    run = harness.run_kernel(source, harness.Out("int32", 8, part=True), soc="Ascend310P3")
    assert run.codes == ["V1001"] and run.outputs[0][0] == 7, run.stderr
    assert f"{name} 5" in run.stdout and f"k.cpp:8 in {name}\n" in run.stderr
    assert f"{name} on Ascend310P3" in run.stdout + run.stderr
    assert harness.run_kernel(source, harness.Out("int32", 8, part=True), soc="Ascend310P3",
                              kernel=name).codes == ["V1001"]


def test_macros_of_vincis_headers_may_be_defined_anew(tmp_path):
    """Without a word; g++ goes on to tell it of a source's own macros, and all else."""
    (tmp_path / "own.h").write_text("#define GET_TILING_DATA(name, from) int name = 0\n"
                                    "#define OWN 1\n#define OWN 2\n")
    (tmp_path / "k.cpp").write_text(
        '#include "kernel_operator.h"\n#include "own.h"\n#define TILING_KEY_IS(key) true\n'
        '#warning look here\nextern "C" __global__ __aicore__ void k(GM_ADDR) {}\n')
    done = harness.vinci("run", str(tmp_path / "k.cpp"), "--arg", "zeros:float:8",
                         env={"CXX": "g++"})
    assert done.code == 0, done.stderr
    assert re.findall("warning: (.*)", done.stderr) == ['"OWN" redefined',
                                                        '#warning look here [-Wcpp]']
    assert "ascendc" not in done.stderr
