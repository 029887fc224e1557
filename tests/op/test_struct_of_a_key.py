"""GET_TILING_DATA where the operator has a tiling struct for one key and a default: a kernel that names
the key's struct where it reads it means the default, and one that names none means the key's."""

import numpy as np
import pytest

import harness

HOST = """#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
%(classes)s
static ge::graphStatus Tiling(gert::TilingContext* context) {
  const int64_t size = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  context->SetBlockDim(1);
  if (size == 64) {
    context->SetTilingKey(1);
    %(special)s
  } else {
    context->SetTilingKey(2);
    %(usual)s
  }
  return ge::GRAPH_SUCCESS;
}
namespace ops {
class Keyed : public OpDef {
 public:
  explicit Keyed(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->AICore().SetTiling(Tiling).AddConfig("ascend910b");
  }
};
OP_ADD(Keyed);
}
"""
MACRO_CLASSES = """namespace optiling {
BEGIN_TILING_DATA_DEF(KeyedUsual)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(float, add);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Keyed, KeyedUsual)
BEGIN_TILING_DATA_DEF(KeyedSpecial)
TILING_DATA_FIELD_DEF(float, addSpecial);
TILING_DATA_FIELD_DEF(uint32_t, lengthSpecial);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Keyed_1, KeyedSpecial)
}
using namespace optiling;
"""
BY_MACRO = """%(name)s tiling; tiling.set_length%(end)s(size); tiling.set_add%(end)s(%(add)s);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());"""
STRUCTS = """#include <cstdint>
struct KeyedUsual { uint32_t length; float add; };
struct KeyedSpecial { float addSpecial; uint32_t lengthSpecial; };
"""
BY_STRUCT = """auto* tiling = context->GetTilingData<%(name)s>();
    tiling->length%(end)s = size; tiling->add%(end)s = %(add)s;"""
KERNEL = """#include "kernel_operator.h"
%(structs)s
using namespace AscendC;
__aicore__ inline void Run(GM_ADDR x, GM_ADDR y, uint32_t n, float add) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, n * 4);
  pipe.InitBuffer(out, 1, n * 4);
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x);
  to.SetGlobalBuffer((__gm__ float*)y);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, from, n);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, add, n);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(to, b, n);
  out.FreeTensor(b);
}
extern "C" __global__ __aicore__ void keyed(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  %(register)s
  %(body)s
}
"""
NAMED = """if (TILING_KEY_IS(1)) {
    GET_TILING_DATA_WITH_STRUCT(KeyedSpecial, t, tiling);
    Run(x, y, t.lengthSpecial, t.addSpecial);
  } else if (TILING_KEY_IS(2)) {
    GET_TILING_DATA(t, tiling);
    Run(x, y, t.length, t.add);
  }"""
NOT_NAMED = """GET_TILING_DATA(t, tiling);
#if TILING_KEY_VAR == 1
  Run(x, y, t.lengthSpecial, t.addSpecial);
#else
  Run(x, y, t.length, t.add);
#endif"""
REGISTER = """REGISTER_TILING_DEFAULT(KeyedUsual);
  REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", KeyedSpecial);"""


@pytest.mark.parametrize("body", [NAMED, NOT_NAMED], ids=["named", "not named"])
@pytest.mark.parametrize("plain", [False, True], ids=["classes", "structs"])
def test_struct_of_a_key_and_default(tmp_path, plain, body):
    fill = BY_STRUCT if plain else BY_MACRO
    for folder in ("op_host", "op_kernel"):
        (tmp_path / folder).mkdir()
    (tmp_path / "op_host" / "keyed.cpp").write_text(HOST % {
        "classes": STRUCTS if plain else MACRO_CLASSES,
        "special": fill % {"name": "KeyedSpecial", "end": "Special", "add": "5.0f"},
        "usual": fill % {"name": "KeyedUsual", "end": "", "add": "3.0f"}})
    (tmp_path / "op_kernel" / "keyed.cpp").write_text(KERNEL % {
        "structs": STRUCTS if plain else "", "register": REGISTER if plain else "", "body": body})
    for size, add in ((64, 5), (128, 3)):
        x = np.arange(size, dtype=np.float32)
        np.save(tmp_path / "x.npy", x)
        done = harness.vinci("op", ".", "--soc", "Ascend910B1", "--in", "x=x.npy", "--out",
                             f"y=y.npy:float:{size}", cwd=tmp_path)
        assert done.code == 0, done.stderr
        assert (np.load(tmp_path / "y.npy") == x + add).all()
