"""What packages build on and vinci does not have is named."""

import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import harness

SOURCE = """
#include "register/op_def_registry.h"
static ge::graphStatus infer(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
namespace ops {
class OnCpu : public OpDef {
 public:
  explicit OnCpu(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->SetInferShape(infer);
    this->AICPU();
  }
};
OP_ADD(OnCpu);
class Calls : public OpDef {
 public:
  explicit Calls(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->SetInferShape(infer);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(Calls);
}  // namespace ops
static ge::graphStatus execute(gert::TilingContext*) { return ge::GRAPH_SUCCESS; }
IMPL_OP(Calls).OpExecuteFunc(execute);
"""


def run(package, *more, env=None):
    """The command."""
    return harness.vinci("op", str(package), "--soc", "Ascend910B1", *more, env=env)


def test_operators_of_other_processors(tmp_path):
    """Of the AI CPU, and those that call others."""
    (tmp_path / "op_host").mkdir()
    (tmp_path / "op_host" / "two.cpp").write_text(SOURCE)
    np.save(tmp_path / "x.npy", np.ones(8, np.float32))
    given = ["--in", f"x={tmp_path / 'x.npy'}"]
    done = run(tmp_path, "--op", "OnCpu", *given)
    assert done.code != 0 and "OnCpu runs on the AI CPU or the host" in done.stderr
    done = run(tmp_path, "--op", "Calls", *given)
    assert done.code == 4
    assert "Calls is made of calls of other operators (OpExecuteFunc)" in done.stderr


def test_headers_of_libraries(tmp_path):
    """Host code that does not compile for want of one."""
    (tmp_path / "op_host").mkdir()
    (tmp_path / "op_host" / "one.cpp").write_text(
        SOURCE.replace('#include "register', '#include "atvoss/elewise/elewise_tiling.h"\n'
                       '#include "register'))
    done = run(tmp_path, "--list")
    assert done.code == 3
    assert "atvoss/elewise/elewise_tiling.h is part of atvoss, templates that" in done.stderr
    (tmp_path / "kernel.cpp").write_text('#include "kernel_operator.h"\n#include "atvoss/dag.h"\n'
                                         'extern "C" __global__ __aicore__ void k() {}\n')
    done = harness.vinci("run", str(tmp_path / "kernel.cpp"), "--soc", "Ascend910B1")
    assert done.code == 3 and "atvoss/dag.h is part of atvoss, templates that" in done.stderr
    for name in ("opdev/op_executor.h", "opdev/make_op_executor.h", "aclnn_kernels/contiguous.h"):
        (tmp_path / "op_host" / "one.cpp").write_text(f'#include "{name}"\n{SOURCE}')
        done = run(tmp_path, "--list")
        assert done.code == 3
        assert f"{name} is part of the toolkit's functions for op_api, which call other" in done.stderr
    (tmp_path / "op_host" / "one.cpp").write_text(
        SOURCE.replace('#include "register', '#include "atvoss/elewise/elewise_tiling.h"\n'
                       '#include "register'))
    # A package that has the library with it.
    (tmp_path / "atvoss" / "elewise").mkdir(parents=True)
    (tmp_path / "atvoss" / "elewise" / "elewise_tiling.h").write_text("")
    done = run(tmp_path, "--list")
    assert done.code == 0 and "Calls" in done.stdout


def test_host_code_in_later_standards(tmp_path):
    """It is C++17 at first; and its own words count last."""
    (tmp_path / "op_host").mkdir()
    (tmp_path / "op_host" / "later.cpp").write_text("#include <span>\nstd::span<int> none;\n" + SOURCE)
    done = run(tmp_path, "--list")
    assert done.code == 0 and "Calls" in done.stdout and done.stderr == "", done.stderr
    done = run(tmp_path, "--list", "--", "-std=c++14")
    assert done.code == 3 and "span" in done.stderr, done.stderr


@pytest.mark.skipif(shutil.which("clang++") is None, reason="clang is not installed")
def test_host_code_that_clang_takes_and_gcc_refuses(tmp_path):
    """As the vendor's compiler, which is a clang."""
    (tmp_path / "op_host").mkdir()
    source = tmp_path / "op_host" / "two.cpp"
    only_clang = "struct Pair { int first, second; };\nconst Pair pair = {.second = 1, .first = 2};\n"
    source.write_text(only_clang + SOURCE)
    for more in ([], ["--sandbox"]):
        done = run(tmp_path, "--list", *more, env={"CXX": "g++"})
        assert done.code == 0 and "Calls" in done.stdout and done.stderr == "", done.stderr
    source.write_text(only_clang + SOURCE + "int wrong = no_such_name;\n")
    done = run(tmp_path, "--list", env={"CXX": "g++"})
    assert done.code == 3 and "two.cpp does not compile" in done.stderr
    assert "no_such_name" in done.stderr and "designator order" not in done.stderr


def test_without_clang_it_is_said_what_host_code_lacks(tmp_path):
    (tmp_path / "op_host").mkdir()
    (tmp_path / "op_host" / "two.cpp").write_text(
        "struct Pair { int first, second; };\nconst Pair pair = {.second = 1, .first = 2};\n" + SOURCE)
    (tmp_path / "bin").mkdir()
    for program in ("g++", "ld", "as", "collect2", "ar"):
        if shutil.which(program):
            (tmp_path / "bin" / program).symlink_to(shutil.which(program))
    done = run(tmp_path, "--list", env={"CXX": "g++", "PATH": str(tmp_path / "bin")})
    assert done.code == 3
    assert "it is not installed (Debian: clang)" in done.stderr.splitlines()[-1]


def test_compilers_of_older_projects(tmp_path):
    """opc writes files for those that look for them, else says what to build instead."""
    tree = pathlib.Path(harness.VINCI).resolve().parent.parent / "share" / "vinci" / "cann"
    words = [tree / "bin" / "opc", "add_custom.py", "--main_func=add_custom"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "ENABLE_BINARY_PACKAGE False in CMakePresets.json" in done.stderr
    (tmp_path / "said.json").write_text('{"op_list": [{"bin_filename": "AddCustom_0"}]}')
    words += [f"--input_param={tmp_path}/said.json", "--output", tmp_path / "out"]
    assert subprocess.run(words, check=False).returncode == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"AddCustom_0.json", "AddCustom_0.o"}
