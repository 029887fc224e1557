"""Packages are for the chip: what kernels leave out of the CPU twin, what lies in workspaces, and host code
for newer chips."""

import numpy as np
import pytest

import harness

HOST = """
#include "register/op_def_registry.h"
namespace optiling {
static ge::graphStatus Tile(gert::TilingContext* context) {
  context->GetWorkspaceSizes(1)[0] = 16 * 1024 * 1024 + 4096;
  return context->SetBlockDim(2);
}
static ge::graphStatus Infer(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling
namespace ops {
class Hand : public OpDef {
 public:
  explicit Hand(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->SetInferShape(optiling::Infer);
    this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b");
  }
};
OP_ADD(Hand);
}  // namespace ops
"""
# Each block hands its half to the other by way of the workspace.
KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
__aicore__ inline void meet() {
#ifndef __CCE_KT_TEST__
  SyncAll();
#endif
}
extern "C" __global__ __aicore__ void hand(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
#ifdef ASCENDC_CPU_DEBUG
  return;
#endif
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GlobalTensor<float> from, to, own, other;
  const auto mine = GetBlockIdx(), others = 1 - GetBlockIdx();
  auto* scratch = reinterpret_cast<__gm__ float*>(GetUserWorkspace(workspace));
  from.SetGlobalBuffer((__gm__ float*)x + mine * 40, 40);
  to.SetGlobalBuffer((__gm__ float*)y + mine * 40, 40);
  own.SetGlobalBuffer(scratch + mine * 64, 64);
  other.SetGlobalBuffer(scratch + others * 64, 64);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopy(t, from, 40);
  PipeBarrier<PIPE_ALL>();
  Adds(t, t, 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(own, t, {1, 64 * 4, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  meet();
  DataCopy(t, other, 64);
  PipeBarrier<PIPE_ALL>();
  Muls(t, t, 2.0f, 64);
  PipeBarrier<PIPE_ALL>();
  LAST
}
#ifndef __CCE_KT_TEST__
void hand_do(uint32_t blocks, void* control, void* stream, uint8_t* x, uint8_t* y, uint8_t* workspace,
             uint8_t* tiling) {
  hand<<<blocks, control, stream>>>(x, y, workspace, tiling);
}
#endif
"""
KNOWN = "DataCopy(to, t, 40);"
SHIFTED = "DataCopy(to, t[24], 40);  // HERE"


def call(folder, last, host=HOST):
    for name, text in (("op_host", host), ("op_kernel", KERNEL.replace("LAST", last))):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "hand.cpp").write_text(text)
    x = np.arange(80, dtype=np.float32)
    np.save(folder / "x.npy", x)
    run = harness.vinci("op", str(folder), "--soc", "Ascend910B1", "--in", f"x={folder}/x.npy",
                        "--out", f"y={folder}/y.npy")
    return run, x


def test_the_twins_code_is_left_out_and_tails_in_workspaces_are_no_fault(tmp_path):
    run, x = call(tmp_path, KNOWN)
    assert run.code == 0 and "clean" in run.stdout, run.stdout + run.stderr
    assert np.array_equal(np.load(tmp_path / "y.npy"), np.roll((x + 1) * 2, 40))


@pytest.mark.whole
def test_who_depends_on_such_a_tail_is_told(tmp_path):
    run, _ = call(tmp_path, SHIFTED)
    line = next(i for i, words in enumerate(KERNEL.splitlines(), 1) if "LAST" in words)
    assert run.code == 1 and "error[V1013] DataCopy: dst writes" in run.stderr, run.stderr
    assert f"op_kernel/hand.cpp:{line} " in run.stderr


NEWER = """
#include "atvoss/elewise/elewise_tiling.h"
#include "register/op_def_registry.h"
namespace optiling { ge::graphStatus TileForNewer(gert::TilingContext*) { return ge::GRAPH_FAILED; } }
"""


@pytest.mark.parametrize("name", ["arch35/hand_tiling.cpp",
                                  pytest.param("hand_tiling_arch35.cpp", marks=pytest.mark.whole)])
def test_host_code_for_newer_chips_that_does_not_compile_is_left_out(tmp_path, name):
    """What calls it is never reached here."""
    (tmp_path / "op_host" / "arch35").mkdir(parents=True)
    (tmp_path / "op_host" / name).write_text(NEWER)
    host = HOST.replace("static ge::graphStatus Tile(gert::TilingContext* context) {", """
ge::graphStatus TileForNewer(gert::TilingContext*);
static ge::graphStatus Tile(gert::TilingContext* context) {
  if (context->GetInputShape(0)->GetStorageShape().GetDimNum() > 8) return TileForNewer(context);""")
    run, x = call(tmp_path, KNOWN, host)
    assert run.code == 0 and f"{name}, for newer chips, does not compile here and is left out" in run.stderr
    assert np.array_equal(np.load(tmp_path / "y.npy"), np.roll((x + 1) * 2, 40))


@pytest.mark.whole
def test_other_host_code_must_compile(tmp_path):
    (tmp_path / "op_host" / "search35").mkdir(parents=True)
    (tmp_path / "op_host" / "search35" / "hand_tiling.cpp").write_text(NEWER)
    run, _ = call(tmp_path, KNOWN)
    assert run.code == 3 and "hand_tiling.cpp does not compile" in run.stderr
