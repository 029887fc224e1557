"""ContextBuilder and OpTilingRegistry: a program that tests a tiling function of a library."""

import subprocess

import numpy as np
import pytest

import harness

LIBRARY = r"""
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

struct Sizes {
  uint32_t elements, cores;
  float scale;
  int64_t dims[3];
  uint64_t ub;
};
struct Info {
  uint32_t cores;
};

static ge::graphStatus tile(gert::TilingContext* context) {
  auto* sizes = context->GetTilingData<Sizes>();
  if (sizes == nullptr) return ge::GRAPH_FAILED;
  platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
  sizes->elements = uint32_t(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  sizes->cores = context->GetCompileInfo<Info>() != nullptr
                     ? context->GetCompileInfo<Info>()->cores : chip.GetCoreNumAic();
  sizes->scale = *context->GetAttrs()->GetFloat(1);
  for (int i = 0; i < 3; ++i) sizes->dims[i] = context->GetAttrs()->GetListInt(2)->GetData()[i];
  chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, sizes->ub);
  context->SetBlockDim(7);
  context->SetTilingKey(context->GetDynamicInputShape(1, 1)->GetOriginShape().GetDim(0));
  context->GetWorkspaceSizes(1)[0] = 4096;
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus parse(gert::TilingParseContext* context) {
  context->GetCompiledInfo<Info>()->cores =
      platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAic();
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(AddCustom).Tiling(tile).TilingParse<Info>(parse);
"""

PROGRAM = r"""
#include <cstdio>
#include "exe_graph/runtime/storage_shape.h"
#include "tiling/context/context_builder.h"
#include "tiling/tiling_api.h"
using context_ascendc::ContextBuilder;

struct Sizes {
  uint32_t elements, cores;
  float scale;
  int64_t dims[3];
  uint64_t ub;
};

int main(int, char** words) {
  gert::StorageShape x = {{2, 30}, {2, 32}}, y = {{3}, {3}};
  const std::string mode = words[2];
  uint32_t info = 99;
  float values[3] = {1.5f, 65504.0f, 1e-8f};
  int64_t whole[3] = {-1, 0, int64_t(1) << 40};
  auto param = gert::TilingData::CreateCap(4096);
  auto sizes = gert::ContinuousVector::Create<size_t>(16);
  ContextBuilder builder;
  builder.SetOpNameType("node", "AddCustom").NodeIoNum(3, 1).IrInstanceNum({1, 2, 0})
      .AddInputTd(0, ge::DT_FLOAT16, ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ, x)
      .AddInputTd(1, ge::DT_FLOAT16, ge::FORMAT_ND, ge::FORMAT_ND, y, values)
      .AddInputTd(2, ge::DT_INT64, ge::FORMAT_ND, ge::FORMAT_ND, y, whole)
      .AddOutputTd(0, ge::DT_FLOAT, ge::FORMAT_ND, ge::FORMAT_ND, x)
      .AddAttr("axis", 5).AddAttr("scale", 0.25f).AddAttr("dims", std::vector<int64_t>{4, 5, 6})
      .AddAttr("name", "text").AddAttr("on", true).AddAttr("floats", std::vector<float>{1.f, 2.f})
      .AddAttr("flags", std::vector<bool>{false, true})
      .AddAttr("lists", std::vector<std::vector<int64_t>>{{1, 2}, {}, {3}})
      .AddAttr("long", std::string("words"));
  if (mode == "file") builder.AddInputTd(1, ge::DT_BF16, ge::FORMAT_ND, ge::FORMAT_ND, y,
                                         std::string(words[3]));
  if (mode == "info") builder.CompileInfo(&info);
  if (mode == "index") builder.AddInputTd(3, ge::DT_FLOAT, ge::FORMAT_ND, ge::FORMAT_ND, y);
  if (mode == "output") builder.AddOutputTd(1, ge::DT_FLOAT, ge::FORMAT_ND, ge::FORMAT_ND, y);
  if (mode == "twice") builder.AddAttr("axis", 6);
  if (mode == "strings") builder.AddAttr("words", std::vector<std::string>{"a"});
  if (mode == "counts") builder.IrInstanceNum({1, 1});
  if (mode != "bare") builder.TilingData(param.get())
      .Workspace(reinterpret_cast<gert::ContinuousVector*>(sizes.get()));
  builder.AddPlatformInfo(mode == "chip" ? "Ascend999" : mode == "own" ? nullptr : "Ascend910B1");
  auto holder = builder.BuildTilingContext();
  auto* context = holder->GetContext<gert::TilingContext>();

  context_ascendc::OpTilingRegistry registry;
  std::printf("%d %d\n", registry.LoadTilingLibrary("/no/such.so"), registry.LoadTilingLibrary(words[1]));
  std::printf("%d\n", registry.GetTilingFunc("NoSuch") == nullptr);
  context_ascendc::TilingFunc tile = registry.GetTilingFunc("AddCustom");
  if (tile == nullptr) return 3;
  const ge::graphStatus status = tile(context);
  std::printf("status %u\n", status);
  if (status != ge::GRAPH_SUCCESS) return 0;
  auto* data = reinterpret_cast<gert::TilingData*>(param.get());
  const auto* made = static_cast<const Sizes*>(data->GetData());
  std::printf("%zu %u %u %g %ld %ld %ld %lu\n", data->GetDataSize() - sizeof(Sizes), made->elements,
              made->cores, made->scale, long(made->dims[0]), long(made->dims[1]), long(made->dims[2]),
              (unsigned long)made->ub);
  std::printf("%u %lu %zu\n", context->GetBlockDim(), (unsigned long)context->GetTilingKey(),
              reinterpret_cast<gert::TypedContinuousVector<size_t>*>(sizes.get())->GetData()[0]);
  const auto* attrs = context->GetAttrs();
  std::printf("%zu %ld %s %d %g %d %s\n", attrs->GetAttrNum(), long(*attrs->GetInt(0)), attrs->GetStr(3),
              *attrs->GetBool(4), attrs->GetListFloat(5)->GetData()[1],
              attrs->GetAttrPointer<gert::TypedContinuousVector<bool>>(6)->GetData()[1], attrs->GetStr(8));
  const auto* lists = attrs->GetListListInt(7);
  std::printf("%zu %zu %zu %ld\n", lists->GetSize(), lists->Get(0)->GetSize(), lists->Get(1)->GetSize(),
              long(static_cast<const int64_t*>(lists->Get(2)->GetData())[0]));
  const auto* given = context->GetInputTensor(1)->GetData<uint16_t>();
  std::printf("%04x %04x %04x %ld\n", given[0], given[1], given[2],
              long(context->GetInputTensor(2)->GetData<int64_t>()[2]));
  std::printf("%s %s %d %d %d\n", context->GetNodeName(), context->GetNodeType(),
              int(context->GetInputDesc(0)->GetStorageFormat() == ge::FORMAT_FRACTAL_NZ),
              int(context->GetInputDesc(1)->GetDataType()), context->GetOptionalInputShape(2) == nullptr);
  auto* node = holder->MutableComputeNodeInfo();
  std::printf("%zu %zu %zu\n", node->GetInputsNum(), node->GetIrInputsNum(), node->GetOutputsNum());
  uint32_t parsed = 0;
  fe::PlatFormInfos* chip = context->GetPlatformInfo();
  auto other = ContextBuilder().Inputs({nullptr, chip}).Outputs({&parsed}).BuildKernelRunContext();
  auto* parse = other->GetContext<gert::TilingParseContext>();
  *parse->GetCompiledInfo<uint32_t>() = 5;
  std::printf("%u %d %d %d\n", parsed, parse->GetPlatformInfo() == chip,
              *other->GetContext<gert::KernelContext>()->GetOutputPointer<uint32_t*>(0) == &parsed,
              other->GetContext<gert::KernelContext>()->GetOutputPointer<void*>(1) == nullptr);
}
"""


@pytest.fixture(scope="module", name="built")
def built_once(tmp_path_factory):
    """The library and the program, each with the standard library's layout of its own."""
    folder = tmp_path_factory.mktemp("tiling")
    (folder / "lib.cpp").write_text(LIBRARY)
    (folder / "main.cpp").write_text(PROGRAM)
    done = harness.vinci("c++", folder / "lib.cpp", "-shared", "-fPIC", "-D_GLIBCXX_USE_CXX11_ABI=0",
                         "-o", folder / "liboptiling.so")
    assert done.code == 0, done.stderr
    done = harness.vinci("c++", folder / "main.cpp", "-o", folder / "main", "-ldl")
    assert done.code == 0, done.stderr
    return folder


def run(folder, mode, *more):
    return subprocess.run([folder / "main", folder / "liboptiling.so", mode, *more],
                          capture_output=True, text=True, check=False)


LINES = ["0 1", "1", "status 0", "0 64 24 0.25 4 5 6 196352", "7 3 4096", "9 5 text 1 2 1 words",
         "3 2 0 3", "3e00 7bff 0000 1099511627776", "node AddCustom 1 1 1", "3 3 1", "5 1 1 1"]


def test_a_tiling_function(built):
    done = run(built, "plain")
    assert done.returncode == 0 and done.stdout.splitlines() == LINES, done.stdout + done.stderr
    assert "no/such.so" in done.stderr


def test_compile_info_and_values_of_a_file(built, tmp_path):
    assert run(built, "info").stdout.splitlines()[3].split()[2] == "99"
    np.array([1.0, -2.0, 3.5], np.float32).view(np.uint16)[1::2].tofile(tmp_path / "y.bin")
    lines = run(built, "file", tmp_path / "y.bin").stdout.splitlines()
    assert lines[7] == "3f80 c000 4060 1099511627776"


def test_without_room_for_a_tiling(built):
    done = run(built, "bare")
    assert done.returncode == 0 and done.stdout.splitlines()[2:] == [f"status {2**32 - 1}"], done.stderr


@pytest.mark.parametrize("mode, words", [
    ("index", "AddInputTd: there is no tensor 3"), ("output", "AddOutputTd: there is no tensor 1"),
    ("twice", "AddAttr: axis is there already"), ("strings", "words is a list of strings"),
    ("counts", "IrInstanceNum: as many numbers as NodeIoNum"),
    ("chip", "AddPlatformInfo: there is no such chip")])
def test_mistakes_are_told(built, mode, words):
    done = run(built, mode)
    assert "error[V8005]" in done.stderr and words in done.stderr, done.stderr


def test_a_file_that_is_too_short(built, tmp_path):
    (tmp_path / "y.bin").write_bytes(b"12345")
    done = run(built, "file", tmp_path / "y.bin")
    assert "error[V8005]" in done.stderr and "has fewer bytes than the tensor" in done.stderr
