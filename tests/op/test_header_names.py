"""Headers of host code by the names that projects have for them, macros of their logs, and attributes
that no caller gives."""

import re

import numpy as np

import harness

HOST = """
#include "register/op_impl_registry_base.h"
#include "register/op_def_registry.h"
#include "graph/compiler_def.h"
#include "error/ops_error.h"
#include "err/ops_err.h"
#include "error_log.h"
#include "tiling_base/error_log.h"
#include "tiling/tiling_base.h"
#include "tiling/tiling_templates_registry.h"

#include "fill_limits.h"

static ge::graphStatus Tile(gert::TilingContext* context) {
  OPS_LOG_E_IF_NULL(context, context->GetAttrs(), return ge::GRAPH_FAILED);
  const int64_t* value = context->GetAttrs()->GetInt(0);
  OPS_LOG_E_IF(*value < 0, context, return ge::GRAPH_FAILED, "value is %ld, not 0 or more", *value);
  OP_CHECK_IF(*value == 88, OP_LOGE_FOR_INVALID_VALUE(context, "value", "88", "87"), return ge::GRAPH_FAILED);
  OP_CHECK_IF(*value == 89, OP_LOGE_FOR_INVALID_SHAPEDIM(context, "x", "89", "1"), return ge::GRAPH_FAILED);
  OPS_CHECK(*value > kMostValue, OPS_LOG_E(context->GetNodeName(), "value is too large"), return ge::GRAPH_FAILED);
  OPS_LOG_E_IF_NULL(context, *value == 77 ? nullptr : value, return ge::GRAPH_FAILED);
  auto* tiling = context->GetTilingData<FillTiling>();
  OPS_CHECK_NULL_WITH_CONTEXT(context, tiling);
  tiling->value = static_cast<int32_t>(*value);
  return context->SetBlockDim(1);
}
GE_FUNC_HOST_VISIBILITY ge::graphStatus Infer(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus Parse(gert::TilingParseContext*) { return ge::GRAPH_SUCCESS; }
static ge::graphStatus Select(const ge::Operator&, ge::AscendString&) { return ge::GRAPH_SUCCESS; }
namespace ops {
class FillX : public OpDef {
 public:
  explicit FillX(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Attr("value").AttrType(REQUIRED).Int();
    this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-6f);
    this->AICore().SetTiling(Tile).SetTilingParse(Parse).SetOpSelectFormat(Select).SetCheckSupport(Select);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(FillX, FillCompileInfo);
}  // namespace ops
IMPL_OP_OPTILING(FillX).Tiling(Tile);
IMPL_OP_INFERSHAPE(FillX).InferShape(Infer).PrivateAttr("_debug", int64_t(3));
"""
KERNEL = """
#include "kernel_operator.h"
#include "fill_tiling.h"
extern "C" __global__ __aicore__ void fill_x(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(FillTiling);
  GET_TILING_DATA(data, tiling);
  AscendC::LocalTensor<int32_t> ub(AscendC::TPosition::VECCALC, 0, 8);
  AscendC::GlobalTensor<int32_t> out;
  out.SetGlobalBuffer((__gm__ int32_t*)y);
  AscendC::Duplicate(ub, data.value, 8);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::DataCopy(out, ub, 8);
}
"""
LIMITS = "constexpr int64_t kMostValue = 100;\n"
TILING = "#pragma once\nstruct FillTiling { int32_t value; };\n"


def test_names_of_headers_and_logs(tmp_path):
    """Each check says its words and returns its value."""
    for name, text in (("fill_x/op_host/fill_x.cpp", HOST), ("fill_x/op_kernel/fill_x.cpp", KERNEL),
                       ("common/op_host/fill_limits.h", '#include "fill_tiling.h"\n' + LIMITS),
                       ("common/op_kernel/fill_tiling.h", TILING)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    np.save(tmp_path / "x.npy", np.zeros(8, np.int32))
    done = harness.vinci("op", str(tmp_path / "fill_x"), "--soc", "Ascend910B1", "--list")
    assert re.search(r"epsilon +float += 1e-06\n", done.stdout), done.stdout
    assert "_debug" not in done.stdout
    for value, words in ((7, None), (-3, "value is -3, not 0 or more"), (101, "value is too large"),
                         (77, "is nullptr"), (88, "value is 88; legal: 87"),
                         (89, "x has 89 dimensions; legal: 1")):
        done = harness.vinci("op", str(tmp_path / "fill_x"), "--soc", "Ascend910B1", "--in",
                             f"x={tmp_path / 'x.npy'}", "--attr", f"value={value}", "--out",
                             f"y={tmp_path / 'y.npy'}")
        if words is None:
            assert done.code == 0, done.stderr
            assert np.load(tmp_path / "y.npy").tolist() == [7] * 8
        else:
            assert done.code == 3 and words in done.stderr
            assert "returned GRAPH_FAILED" in done.stderr
