"""Mistakes of tiling functions are told at their line, and a definition's at its name."""

import os
import pathlib
import subprocess

import pytest

from harness import ROOT, VINCI, preloaded

LIBRARY = pathlib.Path(VINCI).resolve().parent.parent / "lib"

SOURCE = r"""
#include <cstdio>
#include <cstdlib>
#include "op/error.h"
#include "op/tile.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(Data)
TILING_DATA_FIELD_DEF(uint32_t, total);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Wrong, Data)
static int mistake;
static ge::graphStatus tile(gert::TilingContext* context) {
  Data data;
  switch (mistake) {
    case 0: return context->SetBlockDim(0);        // no blocks
    case 1: context->SetBlockDim(9); break;        // many blocks
    case 2: data.SaveToBuffer(&data, 4); break;    // little memory
    case 3: context->GetAttrs()->GetFloat(0); break;  // no float
    case 4: context->GetInputTensor(0)->GetData<float>(); break;  // undeclared
    case 5: platform_ascendc::PlatformAscendC(static_cast<fe::PlatFormInfos*>(nullptr)); break;
    default: break;
  }
  return context->SetBlockDim(1);
}
}  // namespace optiling

namespace ops {
class Wrong : public OpDef {
 public:
  explicit Wrong(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("y").ParamType(REQUIRED).Follow("x");
    this->Attr("axis").AttrType(OPTIONAL).Int(3);
    this->AICore().SetTiling(optiling::tile);
    this->AICore().AddConfig("ascend310b");
  }
};
OP_ADD(Wrong);
}  // namespace ops

int main(int, char** arguments) {
  optiling::mistake = std::atoi(arguments[1]);
  vinci::op::Call call;
  call.soc = "Ascend310B1";
  vinci::op::Tensor x;
  x.dtype = 0;
  x.shape = {4, 5};
  call.inputs.push_back(std::vector<vinci::op::Tensor>{x});
  try {
    const auto op = vinci::op::find_operator("Wrong");
    const auto inferred = vinci::op::infer(op, call);
    std::printf("y %zu %ld\n", inferred.outputs[0]->front().shape.size(),
                inferred.outputs[0]->front().shape[1]);
    call.outputs = inferred.outputs;
    std::printf("%u blocks\n", vinci::op::tile(op, call).blocks);
  } catch (const vinci::op::Error& error) {
    std::printf("%s\n", error.what());
  }
}
"""


@pytest.fixture(name="run", scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    (folder / "wrong.cpp").write_text(SOURCE)
    subprocess.run(["g++", "-std=c++20", "-g", "-w", f"-I{ROOT}/include", f"-I{ROOT}/src",
                    "wrong.cpp", "-o", "wrong", f"-L{LIBRARY}", "-lvinci", "-lfmt",
                    f"-Wl,-rpath,{LIBRARY}"], cwd=folder, check=True)

    def run(mistake):
        return subprocess.run([folder / "wrong", str(mistake)], capture_output=True, text=True,
                              timeout=60, check=False, env={**os.environ, **preloaded()})
    return run


@pytest.mark.parametrize("mistake, code, words, end", [
    (0, "V8005", "no blocks", 1), (1, "V8006", "many blocks", 0),
    (2, "V8005", "little memory", 1), (3, "V8005", "no float", 1),
    (4, "V8006", "undeclared", 0)])
def test_a_mistake_is_told_at_its_line(run, mistake, code, words, end):
    done = run(mistake)
    line = 1 + next(i for i, text in enumerate(SOURCE.splitlines()) if f"// {words}" in text)
    assert f"{'error' if end else 'warning'}[{code}]" in done.stderr
    assert f"wrong.cpp:{line}" in done.stderr, done.stderr
    assert done.stderr.count("[V80") == 1
    assert done.returncode == end
    assert done.stdout.startswith("y 2 5\n")  # which follows x


def test_a_null_pointer_for_the_chip_is_told(run):
    done = run(5)
    assert done.returncode < 0
    assert "PlatformAscendC gets a null pointer" in done.stderr


def test_without_a_mistake_nothing_is_told(run):
    done = run(6)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "y 2 5\n1 blocks\n")
