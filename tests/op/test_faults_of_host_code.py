"""What goes wrong in a package's functions is told with their lines, and in their words."""

import numpy as np
import pytest

import harness

HOST = """
#include "register/op_def_registry.h"
static ge::graphStatus Tile(gert::TilingContext* context) {  // tiling
  const int64_t mistake = *context->GetAttrs()->GetInt(0);
  context->SetBlockDim(1);
  size_t* sizes = context->GetWorkspaceSizes(1);
  switch (mistake) {
    case 1: return ge::GRAPH_FAILED;
    case 2: context->GetRawTilingData()->SetDataSize(1 << 20); break;  // much
    case 3: sizes[2] = 64; break;
    case 4: context->SetBlockDim(context->GetInputShape(0)->GetStorageShape().GetDim(3)); break;  // beyond
    case 5: context->GetInputShape(7)->GetStorageShape(); context->GetInputShape(7)->GetStorageShape().GetDim(0); break;  // null
    default: break;
  }
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus Shapes(gert::InferShapeContext* context) {  // shapes
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return *context->GetAttrs()->GetInt(0) == 6 ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
}
static ge::graphStatus Types(gert::InferDataTypeContext* context) {  // types
  return *context->GetAttrs()->GetInt(0) == 7 ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
}
namespace ops {
class Faulty : public OpDef {
 public:
  explicit Faulty(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Attr("mistake").Int();
    this->Attr("list").AttrType(OPTIONAL).ListInt({1, 2});
    this->SetInferShape(Shapes).SetInferDataType(Types);
    this->AICore().SetTiling(Tile).AddConfig("ascend910b");
  }
};
OP_ADD(Faulty);
}  // namespace ops
"""
KERNEL = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void faulty(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
}
"""


@pytest.fixture(name="call", scope="module")
def faulty_package(tmp_path_factory):
    """Calls the operator with a mistake."""
    folder = tmp_path_factory.mktemp("faulty")
    for name, text in (("op_host", HOST), ("op_kernel", KERNEL)):
        (folder / name).mkdir()
        (folder / name / "faulty.cpp").write_text(text)
    np.save(folder / "x.npy", np.arange(8, dtype=np.int32))

    def call(mistake, *more):
        return harness.vinci("op", str(folder), "--soc", "Ascend910B1", "--in", f"x={folder}/x.npy",
                             "--attr", f"mistake={mistake}", *more)
    return call


def place(words):
    """Of the line of the host code that says so."""
    line = next(i for i, text in enumerate(HOST.splitlines(), 1) if f"// {words}" in text)
    return f"op_host/faulty.cpp:{line}"


@pytest.mark.parametrize("mistake, words, where", [
    (1, "the tiling function of Faulty returned GRAPH_FAILED", "tiling"),
    (3, "wrote more sizes of workspaces than GetWorkspaceSizes(1)", "tiling"),
    (6, "the InferShape function of Faulty returned GRAPH_FAILED", "shapes"),
    (7, "the InferDataType function of Faulty returned GRAPH_FAILED", "types")])
def test_a_function_that_fails_is_told_with_its_line(call, mistake, words, where):
    run = call(mistake)
    assert run.code == 3 and words in run.stderr and place(where) in run.stderr, run.stderr


@pytest.mark.parametrize("mistake, words, where", [
    (2, "SetDataSize says more bytes of tiling data than there is room for", "much"),
    (4, "GetDim beyond the rank", "beyond"), (5, "V5001", "null")])
def test_a_wrong_call_is_told_at_its_line(call, mistake, words, where):
    """And host code has no blocks."""
    run = call(mistake)
    assert run.code == 1 and words in run.stderr and place(where) in run.stderr, run.stderr
    assert "      block" not in run.stderr and "AI Core" not in run.stderr


def test_the_missing_struct_is_named(call):
    """An empty list is one."""
    run = call(0, "--attr", "list=")
    assert run.code == 3 and "GET_TILING_DATA: no struct is registered" in run.stderr, run.stderr
    assert "REGISTER_TILING_DATA_CLASS(Faulty, Class)" in run.stderr


def test_archives_are_not_unpacked(tmp_path):
    (tmp_path / "package.zip").write_bytes(b"PK")
    run = harness.vinci("op", str(tmp_path / "package.zip"), "--list")
    assert run.code == 2 and "package.zip is an archive" in run.stderr
