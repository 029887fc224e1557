"""Several operators in one repository, whose host code uses the same names for different things."""

import numpy as np
import pytest

import harness

# Fields before `total` make the layouts differ; nothing is static, as people write it.
HOST = """
#include "register/op_def_registry.h"
#include "%(own)s"
#include "shared.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(Inner)
%(inner)s
TILING_DATA_FIELD_DEF(uint32_t, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(%(type)sInner, Inner)
BEGIN_TILING_DATA_DEF(TilingData)
%(fields)s
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
TILING_DATA_FIELD_DEF(uint32_t, total);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(%(type)s, TilingData)
%(static)s ge::graphStatus TilingFunc(gert::TilingContext* context) {
  TilingData tiling;
  tiling.inner.set_last(ADDED);
  tiling.set_total(Elements(context->GetInputShape(0)->GetStorageShape()));
  context->SetBlockDim(1);
  const TilingData copy = tiling;
  TilingData(copy).SaveToBuffer(context->GetRawTilingData()->GetData(),
                                context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling
%(static)s ge::graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
namespace ops {
class %(type)s : public OpDef {
 public:
  explicit %(type)s(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
    this->SetInferShape(InferShape);
    this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
  }
};
OP_ADD(%(type)s);
}  // namespace ops
"""
KERNEL = """
#include "kernel_operator.h"
#include "%(own)s"
static_assert(ADDED == %(add)s);
extern "C" __global__ __aicore__ void %(snake)s(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  AscendC::GlobalTensor<int32_t> from, to;
  from.SetGlobalBuffer((__gm__ int32_t*)x);
  to.SetGlobalBuffer((__gm__ int32_t*)y);
  for (uint32_t i = 0; i < t.total; ++i) to.SetValue(i, from.GetValue(i) + t.inner.last);
}
"""
SHARED = """
#include "shared.h"
int64_t Elements(const gert::Shape& shape) { return shape.GetShapeSize(); }
"""
FIELDS = {"AddOne": ("TILING_DATA_FIELD_DEF(uint64_t, a);", "TILING_DATA_FIELD_DEF(uint64_t, b);", 1),
          "AddTwo": ("", "TILING_DATA_FIELD_DEF_ARR(uint32_t, 7, a);", 2)}
SNAKE = {"AddOne": "add_one", "AddTwo": "add_two"}


def write(folder, kind, static=""):
    """An operator's two files."""
    inner, fields, added = FIELDS[kind]
    words = {"type": kind, "snake": SNAKE[kind], "inner": inner, "fields": fields, "add": added,
             "static": static, "own": f"{SNAKE[kind]}.h" if static else "own.h"}
    for name, text in (("op_host", HOST), ("op_kernel", KERNEL)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / f"{SNAKE[kind]}.cpp").write_text(text % words)
    (folder / "op_host" / words["own"]).write_text(f"#define ADDED {added}\n")


@pytest.fixture(name="repository")
def two_projects(tmp_path):
    """Each in a folder of its own; a function of both in a third."""
    folder = tmp_path / "repository"
    for kind in FIELDS:
        write(folder / SNAKE[kind], kind)
    common = folder / "common" / "include"
    common.mkdir(parents=True)
    (common / "shared.h").write_text('#include "exe_graph/runtime/tiling_context.h"\n'
                                     "int64_t Elements(const gert::Shape& shape);\n")
    shared = folder / "common" / "op_host"
    shared.mkdir(parents=True)
    (shared / "shared.cpp").write_text(SHARED)
    return folder


def run(package, kind, tmp_path, *more):
    """One operator; what it gives."""
    x = np.arange(-3, 7, dtype=np.int32)
    np.save(tmp_path / "x.npy", x)
    done = harness.vinci("op", str(package), "--soc", "Ascend910B1", "--op", kind, "--in",
                         f"x={tmp_path}/x.npy", "--out", f"y={tmp_path}/{kind}.npy", *more)
    assert done.code == 0, done.stdout + done.stderr
    assert np.array_equal(np.load(tmp_path / f"{kind}.npy"), x + FIELDS[kind][2])
    return done


def test_projects_may_use_the_same_names(repository, tmp_path):
    """Classes, functions, and what neither defines itself. Of another project nothing is compiled."""
    (repository / "add_one" / "op_host" / "more.cpp").write_text("no C++\n")
    run(repository, "AddTwo", tmp_path)
    done = harness.vinci("op", str(repository), "--op", "AddOne", "--list")
    assert done.code == 3 and "more.cpp does not compile" in done.stderr


@pytest.mark.whole
def test_all_projects_are_listed(repository, tmp_path):
    """Then each is run."""
    text = harness.vinci("op", str(repository), "--list").stdout
    assert "AddOne\n" in text and "AddTwo\n" in text
    for kind in FIELDS:
        run(repository, kind, tmp_path)


@pytest.mark.whole
def test_functions_may_be_registered_in_another_folder(repository, tmp_path):
    """IMPL_OP_OPTILING beside the projects, for one of them."""
    host = repository / "add_one" / "op_host" / "add_one.cpp"
    text = host.read_text()
    assert ".SetTiling(optiling::TilingFunc)" in text
    host.write_text(text.replace(".SetTiling(optiling::TilingFunc)", ""))
    (repository / "tilings").mkdir()
    (repository / "tilings" / "one.cpp").write_text("""
#include "register/op_impl_registry.h"
namespace optiling { ge::graphStatus TilingFunc(gert::TilingContext*); }
IMPL_OP_OPTILING(AddOne).Tiling(optiling::TilingFunc);
""")
    run(repository, "AddOne", tmp_path)
    run(repository, "AddTwo", tmp_path)


@pytest.mark.whole
def test_operators_of_one_project_may_call_their_classes_the_same(repository, tmp_path):
    """Which the toolkit does not forbid, and linkers do not see."""
    folder = tmp_path / "project"
    for kind in FIELDS:
        write(folder, kind, "static")
    for name in ("op_host/shared.cpp", "include/shared.h"):
        text = (repository / "common" / name).read_text()
        (folder / "op_host" / name.rpartition("/")[2]).write_text(text)
    for kind in FIELDS:
        run(folder, kind, tmp_path)
