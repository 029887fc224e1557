"""Tiling data in plain structs, which host and kernel each declare for themselves."""

import numpy as np
import pytest

import harness

HOST = """
#include <cstring>
#include "register/op_def_registry.h"
namespace optiling {
namespace {
struct Part { uint32_t start; int16_t step; };
struct ShiftTiling { uint32_t total; Part parts[2]; int64_t by; };
struct OtherTiling { int64_t by; uint32_t total; };
}
static ge::graphStatus Tile(gert::TilingContext* context) {
  const uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  FILL
  context->SetTilingKey(KEY);
  return context->SetBlockDim(1);
}
static ge::graphStatus Infer(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling
namespace ops {
class Shift : public OpDef {
 public:
  explicit Shift(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32});
    this->SetInferShape(optiling::Infer);
    this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b");
  }
};
OP_ADD(Shift);
}  // namespace ops
"""
FILL = """
  auto* t = context->GetTilingData<TYPE>();
  t->total = total;
  t->by = 7;
"""
COPIED = """
  ShiftTiling t{};
  t.total = total;
  t.by = 7;
  std::memcpy(context->GetRawTilingData()->GetData(), &t, sizeof(t));
  context->GetRawTilingData()->SetDataSize(sizeof(t));
"""
KERNEL = """
#include "kernel_operator.h"
struct Part { uint32_t start; int16_t step; };
struct ShiftTiling { MEMBERS };
struct OtherTiling { int64_t by; uint32_t total; };
template <class T>
__aicore__ inline void run(GM_ADDR x, GM_ADDR y, const T& t) {
  AscendC::GlobalTensor<int32_t> from, to;
  from.SetGlobalBuffer((__gm__ int32_t*)x);
  to.SetGlobalBuffer((__gm__ int32_t*)y);
  for (uint32_t i = 0; i < t.total; ++i) to.SetValue(i, from.GetValue(i) + t.by);
}
extern "C" __global__ __aicore__ void shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  READ
}
"""
SAME = "uint32_t total; Part parts[2]; int64_t by;"
DEFAULT = "REGISTER_TILING_DEFAULT(ShiftTiling); GET_TILING_DATA(t, tiling); run(x, y, t);"
NAMED = "GET_TILING_DATA_WITH_STRUCT(ShiftTiling, t, tiling); run(x, y, t);"
BY_KEY = """
  if (TILING_KEY_IS(1)) {
    GET_TILING_DATA_WITH_STRUCT(ShiftTiling, t, tiling);
    run(x, y, t);
  } else if (TILING_KEY_IS(2)) {
    GET_TILING_DATA_WITH_STRUCT(OtherTiling, t, tiling);
    run(x, y, t);
  }
"""


def call(folder, members, read=DEFAULT, fill=FILL, kind="ShiftTiling", key=0):
    """What the operator said; the kernel's line that reads the struct."""
    for name in ("op_host", "op_kernel"):
        (folder / name).mkdir()
    (folder / "op_host" / "shift.cpp").write_text(
        HOST.replace("FILL", fill).replace("TYPE", kind).replace("KEY", str(key)))
    text = KERNEL.replace("MEMBERS", members).replace("READ", read)
    (folder / "op_kernel" / "shift.cpp").write_text(text)
    x = np.arange(40, dtype=np.int32)
    np.save(folder / "x.npy", x)
    run = harness.vinci("op", str(folder), "--soc", "Ascend910B1", "--in", f"x={folder}/x.npy",
                        "--out", f"y={folder}/y.npy")
    if run.code == 0:
        assert np.array_equal(np.load(folder / "y.npy"), x + 7)
    line = next(i for i, words in enumerate(text.splitlines(), 1) if "GET_TILING_DATA" in words)
    return run, f"op_kernel/shift.cpp:{line}:"


def test_a_member_elsewhere_is_told_at_the_kernels_line(tmp_path):
    run, line = call(tmp_path, "int64_t by; Part parts[2]; uint32_t total;")
    assert run.code == 3 and line in run.stderr, run.stderr
    assert "ShiftTiling has total at byte 0, the kernel's struct elsewhere" in run.stderr
    assert "ShiftTiling has by at byte 24, the kernel's struct elsewhere" in run.stderr


@pytest.mark.whole
def test_a_member_of_another_size(tmp_path):
    """Nothing moves, and what was 7 is no more."""
    run, line = call(tmp_path, "uint32_t total; Part parts[2]; int32_t by; int32_t more;", NAMED)
    assert run.code == 3 and line in run.stderr, run.stderr
    assert "by has another size in the host's optiling::" in run.stderr


@pytest.mark.whole
def test_a_member_of_a_member_elsewhere(tmp_path):
    run, line = call(tmp_path, "uint32_t total; struct { int32_t step; uint32_t start; } parts[2]; "
                     "int64_t by;")
    assert run.code == 3 and line in run.stderr, run.stderr
    assert "has parts[1].start at byte 12" in run.stderr
    assert "parts[0].step has another size" in run.stderr


@pytest.mark.whole
def test_a_copied_struct_of_the_same_name(tmp_path):
    """Whose type no call says."""
    run, line = call(tmp_path, "int64_t by; Part parts[2]; uint32_t total;", fill=COPIED)
    assert run.code == 3 and line in run.stderr and "has total at byte 0" in run.stderr, run.stderr


@pytest.mark.whole
@pytest.mark.parametrize("key, kind", [(1, "ShiftTiling"), (2, "OtherTiling")])
def test_a_struct_of_another_key_is_another(tmp_path, key, kind):
    run, _ = call(tmp_path, SAME, BY_KEY, kind=kind, key=key)
    assert run.code == 0, run.stderr


@pytest.mark.whole
def test_the_same_struct_twice(tmp_path):
    run, _ = call(tmp_path, SAME)
    assert run.code == 0, run.stderr
