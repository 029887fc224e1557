// Operators: definitions to rows, contexts, tiling and inference, and what is told of mistakes.
#include <gtest/gtest.h>

#include <cmath>

#include "graph/utils/type_utils.h"
#include "op/definitions.h"
#include "op/error.h"
#include "op/names.h"
#include "op/tensor_list.h"
#include "op/tile.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(UnitInner)
TILING_DATA_FIELD_DEF(uint8_t, small);
TILING_DATA_FIELD_DEF_ARR(int16_t, 3, list);
TILING_DATA_FIELD_DEF(double, wide);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(UnitInnerOp, UnitInner)

BEGIN_TILING_DATA_DEF(UnitTiling)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF_STRUCT(UnitInner, inner)
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(UnitAdd, UnitTiling)

static int parses = 0;
struct UnitInfo {
  uint32_t cores = 0;
};

static ge::graphStatus tile_add(gert::TilingContext* context) {
  UnitTiling tiling;
  tiling.set_total(uint32_t(context->GetInputShape(0)->GetStorageShape().GetShapeSize()));
  tiling.inner.set_small(uint8_t(context->GetInputDesc(0)->GetDataType()));
  tiling.set_scale(*context->GetAttrs()->GetFloat(0));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(context->GetCompileInfo<UnitInfo>()->cores);
  context->SetTilingKey(context->GetOptionalInputShape(2) == nullptr ? 1 : 2);
  context->GetWorkspaceSizes(1)[0] = 4096;
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus parse_add(gert::TilingParseContext* context) {
  ++parses;
  const platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
  context->GetCompiledInfo<UnitInfo>()->cores = chip.GetCoreNumAiv();
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(UnitAdd).Tiling(tile_add).TilingParse<UnitInfo>(parse_add);

// What each test wants.
static ge::graphStatus (*wanted)(gert::TilingContext*) = nullptr;
static ge::graphStatus tile_lists(gert::TilingContext* context) { return wanted(context); }

}  // namespace optiling

namespace ops {

static ge::graphStatus same_shape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
static ge::graphStatus same_type(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}

class UnitAdd : public OpDef {
 public:
  explicit UnitAdd(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
    this->Input("y").ParamType(REQUIRED).DataTypeList({ge::DT_INT32, ge::DT_INT64});
    this->Input("bias").ParamType(OPTIONAL).Follow("x");
    this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
    this->Attr("scale").AttrType(OPTIONAL).Float(1.5F);
    this->SetInferShape(same_shape).SetInferDataType(same_type);
    OpAICoreConfig config;
    config.Input("x").ParamType(REQUIRED).DataType({ge::DT_INT8, ge::DT_FLOAT});
    config.ExtendCfgInfo("opFile.value", "unit_add_apt");
    this->AICore().AddConfig("ascend910b").AddConfig("ascend310p", config);
  }
};
OP_ADD(UnitAdd);

class UnitLists : public OpDef {
 public:
  explicit UnitLists(const char* name) : OpDef(name) {
    this->Input("first").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Input("index").ParamType(REQUIRED).DataType({ge::DT_INT64}).ValueDepend(OPTIONAL);
    this->Output("out").ParamType(DYNAMIC).Follow("first");
    this->Attr("axes").AttrType(REQUIRED).ListInt();
    this->Attr("mode").AttrType(OPTIONAL).String("sum");
    this->Attr("flags").AttrType(OPTIONAL).ListBool({true, false, true});
    this->Attr("pairs").AttrType(OPTIONAL).ListListInt({{1, 2}, {}, {3}});
    this->Attr("on").AttrType(OPTIONAL).Bool(true);
    this->Attr("limit").AttrType(OPTIONAL).Float(INFINITY);
    this->AICore().SetTiling(optiling::tile_lists).AddConfig("ascend910b");
  }
};
OP_ADD(UnitLists);

class UnitCrooked : public OpDef {
 public:
  explicit UnitCrooked(const char* name) : OpDef(name) {
    this->Input("x").DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(UnitCrooked);

}  // namespace ops

namespace vinci::op {
namespace {

using nlohmann::json;

Tensor tensor(int dtype, std::vector<int64_t> shape) {
  Tensor made;
  made.dtype = dtype;
  made.shape = std::move(shape);
  return made;
}
std::optional<std::vector<Tensor>> one(int dtype, std::vector<int64_t> shape) {
  return std::vector<Tensor>{tensor(dtype, std::move(shape))};
}

Call add_call() {
  Call call;
  call.soc = "Ascend910B1";
  call.inputs = {one(ge::DT_FLOAT, {3, 5}), one(ge::DT_INT64, {1}), std::nullopt};
  call.outputs = {one(ge::DT_FLOAT, {3, 5})};
  return call;
}

Call lists_call() {
  Call call;
  call.soc = "Ascend910B1";
  static int64_t index[2] = {7, 9};
  call.inputs = {std::vector<Tensor>{tensor(ge::DT_FLOAT, {2}), tensor(ge::DT_FLOAT, {3, 4})},
                 one(ge::DT_INT64, {2})};
  call.inputs[1]->front().data = index;
  call.outputs = {call.inputs[0]};
  call.attributes = {json({4, -1})};
  return call;
}

// What calling gave as an error; "" if it went well.
std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Runs tiling of UnitLists with this function, and gives what it told.
std::vector<std::string> told(ge::graphStatus (*function)(gert::TilingContext*)) {
  std::vector<std::string> texts;
  set_teller([&](const Fault& fault) { texts.push_back(fault.message); });
  optiling::wanted = function;
  const std::string error = error_of([] { tile(find_operator("UnitLists"), lists_call()); });
  set_teller(nullptr);
  if (!error.empty()) texts.push_back(error);
  return texts;
}

TEST(OpDefinition, CrossesFreeListsWithRows) {
  const Operator add = find_operator("UnitAdd");
  const Chip& chip = add.definition.on("Ascend910B3");
  EXPECT_EQ(chip.rows, 4);
  EXPECT_EQ(chip.inputs[0].dtypes, (std::vector<int>{1, 1, 0, 0}));
  EXPECT_EQ(chip.inputs[1].dtypes, (std::vector<int>{3, 9, 3, 9}));
  EXPECT_EQ(chip.inputs[2].dtypes, chip.inputs[0].dtypes);  // which it follows
  EXPECT_EQ(chip.inputs[0].formats, (std::vector<int>{2, 2, 2, 2}));
}

TEST(OpDefinition, ReplacesParametersOnAChip) {
  const Definition add = find_operator("UnitAdd").definition;
  const Chip& chip = add.on("Ascend310P3");
  EXPECT_EQ(chip.inputs[0].dtypes, (std::vector<int>{2, 2, 0, 0}));
  EXPECT_EQ(chip.option("opFile.value"), "unit_add_apt");
  EXPECT_FALSE(add.has("Ascend910A"));
  EXPECT_NE(error_of([&] { add.on("Ascend910A"); }).find("ascend310p, ascend910b"),
            std::string::npos);
}

TEST(OpDefinition, KnowsAChipsFamily) {
  EXPECT_EQ(family_of("Ascend910B4-1"), "ascend910b");
  EXPECT_EQ(family_of("Ascend910_9362"), "ascend910_93");
  EXPECT_EQ(family_of("Ascend910A"), "ascend910");
  EXPECT_EQ(family_of("Ascend910B-C100"), "ascend910");
  EXPECT_EQ(family_of("Ascend310P3"), "ascend310p");
  EXPECT_EQ(family_of("Ascend310B1"), "ascend310b");
}

TEST(OpDefinition, TellsListsOfUnequalLength) {
  const std::string error = error_of([] { find_operator("UnitCrooked"); });
  EXPECT_NE(error.find("not aligned: DataType of 'x' has 2, Format of 'x' has 1"),
            std::string::npos)
      << error;
}

TEST(OpDefinition, SurvivesAsJson) {
  const json made = registry_json();
  for (const json& one : made.at("definitions")) {
    if (one.at("type") != "UnitLists") continue;
    const Definition read = definition_of(one);
    EXPECT_EQ(read.attributes.size(), 6u);
    EXPECT_EQ(read.attributes[3].value, json({{1, 2}, json::array(), {3}}));
    return;
  }
  FAIL() << made;
}

TEST(OpRow, IsTheOneOfTheTypes) {
  const Definition add = find_operator("UnitAdd").definition;
  EXPECT_EQ(row_of(add, add_call()).index, 3);
  Call call = add_call();
  call.inputs[0]->front().dtype = ge::DT_INT8;
  const std::string error = error_of([&] { row_of(add, call); });
  EXPECT_NE(error.find("does not take x int8, y int64, z float; it takes\n"
                       "  x float16, y int32, bias float16, z float16\n"),
            std::string::npos)
      << error;
  call = add_call();
  call.inputs[1] = std::nullopt;
  EXPECT_EQ(error_of([&] { row_of(add, call); }), "the input 'y' is missing");
}

TEST(OpTile, CallsParseOnceAndTiling) {
  const Operator add = find_operator("UnitAdd");
  const Tiled tiled = tile(add, add_call());
  tile(add, add_call());
  EXPECT_EQ(optiling::parses, 1);
  EXPECT_EQ(tiled.blocks, 48u);
  EXPECT_EQ(tiled.key, 1u);
  EXPECT_EQ(tiled.workspace_bytes(), 4096u);
  ASSERT_EQ(tiled.data.size(), 32u);  // 4 + 4, 16, 4 + 4
  float scale = 0;
  std::memcpy(&scale, &tiled.data[24], 4);
  EXPECT_EQ(tiled.data[0], 15);
  EXPECT_EQ(scale, 1.5F);
  Call call = add_call();
  call.attributes = {json(2.25)};
  call.inputs[2] = one(ge::DT_FLOAT, {5});
  const Tiled second = tile(add, call);
  std::memcpy(&scale, &second.data[24], 4);
  EXPECT_EQ(scale, 2.25F);
  EXPECT_EQ(second.key, 2u);
}

TEST(OpTile, NeedsAFunction) {
  Operator add = find_operator("UnitAdd");
  add.functions.tiling = nullptr;
  EXPECT_NE(error_of([&] { tile(add, add_call()); }).find("has no tiling function"),
            std::string::npos);
}

// Expectations inside tiling functions.
TEST(OpTile, ShowsListsAttributesAndValues) {
  EXPECT_EQ(
      told([](gert::TilingContext* context) {
        EXPECT_EQ(context->GetComputeNodeInputNum(), 3u);
        EXPECT_EQ(context->GetIrInputInstanceInfo(0)->GetInstanceNum(), 2u);
        EXPECT_EQ(context->GetIrInputInstanceInfo(1)->GetInstanceStart(), 2u);
        EXPECT_EQ(context->GetDynamicInputShape(0, 1)->GetShape().GetDim(1), 4);
        EXPECT_EQ(context->GetDynamicInputShape(0, 2), nullptr);
        EXPECT_EQ(context->GetInputShape(3), nullptr);
        EXPECT_STREQ(last_null(), "GetInputShape: there are not so many tensors");
        EXPECT_EQ(context->GetInputTensor(2)->GetData<int64_t>()[1], 9);
        const gert::RuntimeAttrs* attrs = context->GetAttrs();
        EXPECT_EQ(attrs->GetAttrNum(), 6u);
        EXPECT_EQ(attrs->GetListInt(0)->GetSize(), 2u);
        EXPECT_EQ(attrs->GetListInt(0)->GetData()[1], -1);
        EXPECT_STREQ(attrs->GetStr(1), "sum");
        EXPECT_FALSE(attrs->GetAttrPointer<gert::TypedContinuousVector<bool>>(2)->GetData()[1]);
        const auto* pairs = attrs->GetListListInt(3);
        EXPECT_EQ(pairs->GetSize(), 3u);
        EXPECT_EQ(pairs->Get(1)->GetSize(), 0u);
        EXPECT_EQ(*static_cast<const int64_t*>(pairs->Get(2)->GetData()), 3);
        EXPECT_TRUE(*attrs->GetBool(4));
        EXPECT_EQ(*attrs->GetFloat(5), INFINITY);
        EXPECT_EQ(attrs->GetInt(6), nullptr);
        return context->SetBlockDim(1);
      }),
      std::vector<std::string>{});
}

TEST(OpTile, TellsMistakes) {
  EXPECT_EQ(told([](gert::TilingContext* context) { return context->SetBlockDim(0); }),
            (std::vector<std::string>{
                "the number of blocks is 0, or more than 65535",
                "the tiling function of UnitLists called SetBlockDim(0); a launch has 1 to 65535 "
                "blocks"}));
  EXPECT_EQ(told([](gert::TilingContext*) { return ge::GRAPH_SUCCESS; }),
            (std::vector<std::string>{"the tiling function of UnitLists never called SetBlockDim: "
                                      "the kernel has no blocks"}));
  EXPECT_EQ(told([](gert::TilingContext*) { return ge::GRAPH_FAILED; }),
            (std::vector<std::string>{"the tiling function of UnitLists returned GRAPH_FAILED"}));
  EXPECT_EQ(told([](gert::TilingContext* context) {
              struct Large {
                char bytes[70000];
              };
              EXPECT_EQ(context->GetTilingData<Large>(), nullptr);
              return context->SetBlockDim(1);
            }),
            (std::vector<std::string>{"the tiling struct is larger than the tiling data can be"}));
  EXPECT_EQ(told([](gert::TilingContext* context) {
              optiling::UnitTiling tiling;
              tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), 31);
              context->GetWorkspaceSizes(21);
              return context->SetBlockDim(1);
            }),
            (std::vector<std::string>{
                "SaveToBuffer gets less memory than the class has bytes: nothing is saved",
                "an operator has not so many workspaces"}));
}

TEST(OpTile, DoubtsWhatADeviceDoesNotBear) {
  EXPECT_EQ(told([](gert::TilingContext* context) {
              context->SetBlockDim(48);
              return context->SetBlockDim(49);
            }).size(),
            1u);
  EXPECT_EQ(told([](gert::TilingContext* context) {
              context->GetInputTensor(0)->GetData<float>();
              return context->SetBlockDim(1);
            }).size(),
            1u);
  EXPECT_EQ(told([](gert::TilingContext* context) {
              *context->GetTilingData<int>() = 5;
              context->GetRawTilingData()->SetDataSize(0);
              return context->SetBlockDim(1);
            }).size(),
            1u);
  EXPECT_EQ(told([](gert::TilingContext* context) {
              context->GetAttrs()->GetInt(1);
              return context->SetBlockDim(1);
            }),
            std::vector<std::string>{"an attribute is read as int64_t, which is not its type"});
}

TEST(OpInfer, AsksTheFunctions) {
  Call call = add_call();
  call.outputs.clear();
  const Inferred inferred = infer(find_operator("UnitAdd"), call);
  EXPECT_TRUE(inferred.shapes_known);
  EXPECT_EQ(inferred.outputs[0]->front().shape, (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(inferred.outputs[0]->front().dtype, ge::DT_FLOAT);
}

TEST(OpAttributes, AreCheckedByType) {
  const Definition lists = find_operator("UnitLists").definition;
  Call call = lists_call();
  call.attributes[0] = std::nullopt;
  EXPECT_EQ(error_of([&] { attribute_values(lists, call); }), "the attribute 'axes' is required");
  call.attributes[0] = json(2.5);
  EXPECT_EQ(error_of([&] { attribute_values(lists, call); }),
            "the attribute 'axes' is of type list_int, not 2.5");
}

TEST(OpTilingClass, CopiesStandAlone) {
  optiling::UnitTiling first;
  first.inner.set_small(1);
  const int16_t list[] = {4, 5, 6};
  first.inner.set_list(list);
  optiling::UnitTiling second = first;
  second.inner.set_small(2);
  EXPECT_EQ(first.data()[8], 1);
  EXPECT_EQ(second.data()[8], 2);
  EXPECT_EQ(second.inner.get_list()[2], 6);
  optiling::UnitInner alone = second.inner;
  alone.set_small(3);
  EXPECT_EQ(second.data()[8], 2);
  first.inner = alone;
  EXPECT_EQ(first.data()[8], 3);
  first = second;
  EXPECT_EQ(first.data()[8], 2);
  EXPECT_EQ(first.inner.get_small(), 2);
  uint64_t memory[4] = {};
  first.SetDataPtr(memory);
  first.set_total(77);
  EXPECT_EQ(memory[0], 77u);
}

TEST(OpNames, FollowTheRules) {
  for (const auto& [type, name] :
       std::vector<std::pair<std::string, std::string>>{{"Conv2D", "conv2_d"},
                                                        {"GRUCell", "gru_cell"},
                                                        {"AddN", "add_n"},
                                                        {"GatherV2", "gather_v2"},
                                                        {"TopK", "top_k"},
                                                        {"AddCustom", "add_custom"},
                                                        {"Foo_BarBaz", "foo_bar_baz"}}) {
    EXPECT_EQ(snake(type), name);
  }
  EXPECT_EQ(camel("X_one_two"), "xOneTwo");
  EXPECT_EQ(type_named("DT_BF16"), 27);
  EXPECT_EQ(type_name(27), "bfloat16");
  EXPECT_EQ(bytes_of(3, ge::DT_INT4), 2);
}

TEST(OpTensorList, HasHeadersThenPointers) {
  std::vector<Tensor> tensors = {tensor(0, {2, 3}), tensor(0, {4, 5})};
  tensors[1].data = &tensors;
  EXPECT_EQ(tensor_list(tensors),
            (std::vector<uint64_t>{56, (uint64_t{1} << 32) + 2, 2, 3, (uint64_t{1} << 32) + 2, 4, 5,
                                   0, reinterpret_cast<uint64_t>(&tensors)}));
}

TEST(OpShape, HasTheDocumentsQuirks) {
  gert::Shape shape{2, 3};
  std::string doubt;
  set_teller([&](const Fault& fault) { doubt = to_string(fault.code); });
  shape.SetDim(4, 7);
  set_teller(nullptr);
  EXPECT_EQ(doubt, "V8006");
  EXPECT_EQ(shape.GetDimNum(), 4u);
  EXPECT_EQ(shape.GetDim(4), 7);
  EXPECT_EQ(shape.GetDim(25), gert::Shape::kInvalidDimValue);
  EXPECT_EQ(gert::Shape().GetShapeSize(), 1);
  EXPECT_EQ((gert::Shape{int64_t{1} << 40, int64_t{1} << 40}).GetShapeSize(),
            gert::Shape::kInvalidDimValue);
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_INT4), 1004);
  EXPECT_EQ(ge::TypeUtils::DataTypeToSerialString(ge::DT_FLOAT16), "DT_FLOAT16");
}

TEST(OpPlatform, GivesAllResourcesOfALabel) {
  std::map<std::string, std::string> all;
  EXPECT_TRUE(fe::PlatFormInfos(platform("Ascend910B3")).GetPlatformResWithLock("AICoreSpec", all));
  EXPECT_EQ(all.size(), 9u);
  EXPECT_EQ(all["cube_freq"], "1800");
  EXPECT_EQ(all["l1_size"], "524288");
  fe::PlatFormInfos older(platform("Ascend310P5"));
  EXPECT_TRUE(older.GetPlatformResWithLock("AICoreSpec", all));
  EXPECT_EQ(all["cube_freq"], "800");
  EXPECT_FALSE(older.GetPlatformResWithLock("AICoreSpe", all));
  EXPECT_TRUE(all.empty());
  EXPECT_FALSE(fe::PlatFormInfos().GetPlatformResWithLock("AICoreSpec", all));
}

TEST(OpPlatform, GivesResourcesByName) {
  fe::PlatFormInfos infos(platform("Ascend910B1"));
  std::string value;
  EXPECT_TRUE(infos.GetPlatformRes("version", "Short_SoC_version", value));
  EXPECT_EQ(value, "Ascend910B");
  EXPECT_TRUE(infos.GetPlatformRes("AICoreSpec", "ub_size", value));
  EXPECT_EQ(value, "196608");
  EXPECT_FALSE(infos.GetPlatformRes("AICoreSpec", "no_such_size", value));
  EXPECT_TRUE(infos.GetPlatformRes("SoCInfo", "cube_vector_combine", value));
  EXPECT_EQ(value, "split");
  EXPECT_TRUE(infos.GetPlatformRes("AICoreMemoryRates", "ddr_rate", value));
  EXPECT_EQ(value, "32");
  const char* ways = "AICoreintrinsicDtypeMap";
  EXPECT_TRUE(infos.GetPlatformRes(ways, "Intrinsic_fix_pipe_l0c2out", value));
  EXPECT_NE(value.find("f322f16"), std::string::npos);
  EXPECT_TRUE(infos.GetPlatformRes(ways, "Intrinsic_data_move_l12bt", value));
  EXPECT_EQ(value.find("bf16"), std::string::npos);
  fe::PlatFormInfos older(platform("Ascend310P3"));
  EXPECT_FALSE(older.GetPlatformRes(ways, "Intrinsic_fix_pipe_l0c2out", value));
  EXPECT_FALSE(older.GetPlatformRes(ways, "Intrinsic_data_move_l12bt", value));
  EXPECT_FALSE(older.GetPlatformRes(ways, "Intrinsic_data_move_out2l1_nd2nz", value));
  EXPECT_TRUE(infos.GetPlatformRes(ways, "Intrinsic_data_move_out2l1_nd2nz", value));
  EXPECT_TRUE(infos.GetPlatformRes(ways, "Intrinsic_mmad", value));
  EXPECT_EQ(value.find("s4"), std::string::npos);
  EXPECT_TRUE(older.GetPlatformRes(ways, "Intrinsic_mmad", value));
  EXPECT_NE(value.find("s32s4s4"), std::string::npos);
  uint64_t bytes = 0;
  platform_ascendc::PlatformAscendC(&infos).GetCoreMemSize(platform_ascendc::CoreMemType::UB,
                                                           bytes);
  EXPECT_EQ(bytes, 196352u);
}

}  // namespace
}  // namespace vinci::op
