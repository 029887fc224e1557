"""Random classes of tiling data as a kernel sees them: each field is read where the host has put it.

The bytes are those of test_tiling_classes.py's oracle, which has the rules for C structs; the kernel
says what it finds in each field, and numpy what belongs there.
"""

import random

import numpy as np
import pytest

import harness
from test_tiling_classes import Class, random_class, random_values

HOST = """#include "register/op_def_registry.h"
namespace optiling {
%s
static ge::graphStatus tile(gert::TilingContext* context) {
  context->GetRawTilingData()->SetDataSize(8);
  return context->SetBlockDim(1);
}
}  // namespace optiling
namespace ops {
class ReadAll : public OpDef {
 public:
  explicit ReadAll(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_UINT8});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_UINT8});
    this->AICore().SetTiling(optiling::tile).AddConfig("ascend910b");
  }
};
OP_ADD(ReadAll);
}  // namespace ops
"""
KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
struct Writer {
  GlobalTensor<uint8_t> to;
  uint64_t at = 0;
  template <class T>
  __aicore__ inline void operator()(const T& field) {
    const uint8_t* bytes = reinterpret_cast<const uint8_t*>(&field);
    for (uint64_t i = 0; i < sizeof(T); ++i) to.SetValue(at++, bytes[i]);
  }
};
extern "C" __global__ __aicore__ void read_all(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  Writer write;
  write.to.SetGlobalBuffer((__gm__ uint8_t*)y, %d);
%s}
"""


def leaves(made, values, path):
    """Expressions of the fields, and the bytes of their values."""
    for field in made.fields:
        own = values[field.name]
        if isinstance(field.kind, Class):
            yield from leaves(field.kind, own, f"{path}.{field.name}")
        else:
            yield f"{path}.{field.name}", own.tobytes()


def check(seed, count, folder):
    """All classes in one kernel."""
    rng = random.Random(seed)
    classes = []
    for i in range(count):
        classes.append(random_class(rng, f"Class{i}", classes[i // 4 * 4:]))
    data, wanted, statements = b"", b"", []
    for i, made in enumerate(classes):
        values = random_values(rng, made)
        statements.append(f"  {{ GET_TILING_DATA_WITH_STRUCT({made.name}, t, x + {len(data)});")
        for path, own in leaves(made, values, "t"):
            statements.append(f"    write({path});")
            wanted += own
        statements.append("  }\n")
        data += made.place(values)[0]
        assert len(data) % 8 == 0, i
    for side, name, text in [
            ("op_host", "read_all.cpp", HOST % "\n".join(made.text() for made in classes)),
            ("op_kernel", "read_all.cpp", KERNEL % (len(wanted), "\n".join(statements)))]:
        (folder / side).mkdir()
        (folder / side / name).write_text(text)
    np.save(folder / "x.npy", np.frombuffer(data, np.uint8))
    run = harness.vinci("op", str(folder), "--soc", "Ascend910B1", "--in", f"x={folder / 'x.npy'}",
                        "--out", f"y={folder / 'y.npy'}:uint8:{len(wanted)}", "--check", "basic")
    assert run.code == 0, run.stderr
    assert np.load(folder / "y.npy").tobytes() == wanted


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(harness.times_more(1)))
def test_kernels_read_what_hosts_write(tmp_path, seed):
    """A hundred classes; a thousand with MORE=10."""
    check(500 + seed, 100, tmp_path)
