"""vinci says which names of Ascend C it does not have."""

import shutil

import pytest

import harness

COMPILERS = [name for name in ("g++", "clang++-14") if shutil.which(name)]
SENTENCE = "{} is part of Ascend C, but vinci does not have it yet"
KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void k(GM_ADDR x) {{
  AscendC::LocalTensor<float> a(AscendC::TPosition::VECCALC, 0, 64);
  {}
}}
"""
STATEMENTS = [
    ("AscendC::vreduce(a); AscendC::copy_matrix_cbuf_to_cc(a);",
     ["copy_matrix_cbuf_to_cc", "vreduce"]),
    ("using namespace AscendC; vreduce(a, a, 64); vreduce(a, a);",
     ["vreduce"]),
    ("Add(a, a, a, 64); AscendC::Ad(a, a); Duplicat(a, 0.0f, 64);", []),
    ("int vreduce = nothing;", []),
]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("command, statement, names",
                         [("run", *STATEMENTS[0])] + [("c++", *row) for row in STATEMENTS])
def test_a_name_that_vinci_lacks_is_told(tmp_path, compiler, command, statement, names):
    (tmp_path / "k.cpp").write_text(KERNEL.format(statement))
    words = ["run", "k.cpp", "--soc", "Ascend910B1"] if command == "run" else ["c++", "-c", "k.cpp"]
    done = harness.vinci(*words, cwd=tmp_path, env={"CXX": compiler})
    said = sorted(line.strip().removeprefix("vinci: ") for line in done.stderr.splitlines()
                  if "is part of Ascend C" in line)
    assert said == [SENTENCE.format(name) for name in names]
    assert done.code != 0 and "error:" in done.stderr


def test_a_name_of_newer_chips_is_told_as_such(tmp_path):
    (tmp_path / "k.cpp").write_text(KERNEL.format("AscendC::MakeFrameLayout();"))
    done = harness.vinci("c++", "-c", "k.cpp", cwd=tmp_path)
    assert ("vinci: MakeFrameLayout is part of Ascend C for newer chips than those that vinci has"
            in done.stderr.splitlines())


@pytest.mark.parametrize("compiler", COMPILERS)
def test_functions_of_the_host_runtime_that_vinci_lacks_are_told(tmp_path, compiler):
    """By groups; a name that is only misspelt, or that vinci has, is not."""
    (tmp_path / "main.cpp").write_text("""#include "acl/acl.h"
int main() {
  aclrtLabel label = nullptr;
  aclrtCreateLabel(nullptr);
  aclmdlExecute(1, nullptr, nullptr);
  aclmdlExecute(2, nullptr, nullptr);
  aclrtMaloc(nullptr, 1);
  return aclrtStreamNothing + aclrtSetDevice(nothing);
}
""")
    done = harness.vinci("c++", "-c", "main.cpp", cwd=tmp_path, env={"CXX": compiler})
    said = [line for line in done.stderr.splitlines() if line.startswith("vinci: acl")]
    assert said == [f"vinci: {name} is part of the toolkit's host runtime ({group}): vinci does not "
                    "have it" for name, group in [("aclrtLabel", "labels of streams"),
                                                  ("aclrtCreateLabel", "labels of streams"),
                                                  ("aclmdlExecute", "models")]]
    assert done.code != 0


def test_templates_are_found_by_the_namespace_of_their_arguments(tmp_path):
    """With explicit arguments too, which takes C++20."""
    (tmp_path / "k.cpp").write_text(KERNEL.format("WholeReduceSum<float>(a, a, 64, 1, 1, 1, 8);"))
    for compiler in COMPILERS:
        done = harness.vinci("c++", "-fsyntax-only", "-Wall", "-Werror", "k.cpp", cwd=tmp_path,
                             env={"CXX": compiler})
        assert done.code == 0, done.stderr


@pytest.mark.parametrize("command, compiler", [*[("run", compiler) for compiler in COMPILERS],
                                               ("c++", "g++"), ("bisheng", "g++")])
def test_what_an_operators_host_code_says_is_told_as_such(tmp_path, command, compiler):
    """A kernel of a package that is taken alone; with what is said there it compiles."""
    kernel = """#include "kernel_operator.h"
struct Tiling { int count; };
STRUCT
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  AscendC::LocalTensor<DTYPE_X> a(AscendC::TPosition::VECCALC, 0, data.count);
}
"""
    words = {"run": ["--soc", "Ascend910B1", "--arg", "zeros:float:64", "--arg", "zeros:float:64",
                     "--arg", "zeros:float:64"],
             "c++": ["-c"], "bisheng": ["-fsyntax-only", "--asc-aicore-lang"]}[command]
    (tmp_path / "k.cpp").write_text(kernel.replace("STRUCT", ""))
    done = harness.vinci(command, "k.cpp", *words, cwd=tmp_path, env={"CXX": compiler})
    assert done.code != 0
    assert "GET_TILING_DATA takes the struct that an operator's host code registers" in done.stderr
    assert "DTYPE_X is of a parameter of an operator, which its host code defines" in done.stderr
    (tmp_path / "k.cpp").write_text(kernel.replace("STRUCT", "#define DTYPE_X float\n").replace(
        "GM_ADDR tiling) {", "GM_ADDR tiling) {\n  REGISTER_TILING_DEFAULT(Tiling);"))
    done = harness.vinci(command, "k.cpp", *words, cwd=tmp_path, env={"CXX": compiler})
    assert done.code == 0, done.stderr
