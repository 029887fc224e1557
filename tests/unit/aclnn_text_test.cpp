// The C interface that is made of a definition: names and types of the documents' rules.
#include "op/aclnn_text.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace vinci::op {
namespace {

using nlohmann::json;

json parameter(const char* name, const char* kind, json more = json::object()) {
  json made{{"name", name}, {"kind", kind}, {"dtypes", {0}}, {"formats", {2}}};
  made.update(more);
  return made;
}

json attribute(const char* name, const char* type, bool required, json more = json::object()) {
  json made{{"name", name}, {"type", type}, {"required", required}};
  made.update(more);
  return made;
}

json definition(const char* type, json inputs, json attributes, json outputs) {
  return {{"type", type},           {"file", "/p/op_host/x.cpp"}, {"inputs", inputs},
          {"attributes", attributes}, {"outputs", outputs},         {"chips", {{"ascend910b", json::object()}}}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(AclnnText, SnakeNames) {
  EXPECT_EQ(snake_name("AddCustom"), "add_custom");
  EXPECT_EQ(snake_name("Conv2D"), "conv2_d");
  EXPECT_EQ(snake_name("GRUCell"), "gru_cell");
  EXPECT_EQ(snake_name("AddN"), "add_n");
  EXPECT_EQ(snake_name("GatherV2"), "gather_v2");
  EXPECT_EQ(snake_name("TopK"), "top_k");
  EXPECT_EQ(snake_name("Abc_Def"), "abc_def");
}

TEST(AclnnText, CamelNames) {
  EXPECT_EQ(camel_name("negative_slope"), "negativeSlope");
  EXPECT_EQ(camel_name("X"), "x");
  EXPECT_EQ(camel_name("x_1"), "x1");
  EXPECT_EQ(camel_name("keepDims"), "keepDims");
}

TEST(AclnnText, ReferencesOptionalsAndSeveralOutputs) {
  const AclnnText text = aclnn_text(
      definition("Foo",
                 {parameter("x", "required"), parameter("weight", "optional"),
                  parameter("y", "required")},
                 {attribute("eps", "float", false), attribute("mode", "string", false)},
                 {parameter("y", "required"), parameter("mean", "required")}),
      {});
  EXPECT_EQ(text.name, "aclnn_foo");
  EXPECT_TRUE(has(text.header,
                  "aclnnStatus aclnnFooGetWorkspaceSize(const aclTensor* x, "
                  "const aclTensor* weightOptional, aclTensor* yRef, double eps, "
                  "char* modeOptional, const aclTensor* meanOut, uint64_t* workspaceSize, "
                  "aclOpExecutor** executor);"))
      << text.header;
  EXPECT_TRUE(has(text.header,
                  "aclnnStatus aclnnFoo(void* workspace, uint64_t workspaceSize, "
                  "aclOpExecutor* executor, aclrtStream stream);"));
  EXPECT_FALSE(has(text.header, "Tensor" "GetWorkspaceSize"));
}

TEST(AclnnText, OneOutputIsOut) {
  const AclnnText text = aclnn_text(
      definition("AddCustom", {parameter("x", "dynamic")},
                 {attribute("keep_dims", "bool", false), attribute("axes", "list_int", true),
                  attribute("sizes", "list_float", false), attribute("flags", "list_bool", true),
                  attribute("n", "int", false)},
                 {parameter("z", "required")}),
      {});
  EXPECT_EQ(text.name, "aclnn_add_custom");
  EXPECT_TRUE(has(text.header,
                  "(const aclTensorList* x, bool keepDims, const aclIntArray* axes, "
                  "const aclFloatArray* sizesOptional, const aclBoolArray* flags, int64_t n, "
                  "const aclTensor* out, uint64_t*"))
      << text.header;
}

TEST(AclnnText, ValuesAreArraysAndTensorsInAnotherFunction) {
  const json inputs{parameter("shape", "required", {{"value_depend", true}, {"dtypes", {9, 3}}}),
                    parameter("mask", "required", {{"value_depend", true}, {"dtypes", {12, 12}}}),
                    parameter("scale", "optional", {{"value_depend", true}})};
  const AclnnText text =
      aclnn_text(definition("Fill", inputs, json::array(), {parameter("y", "optional")}), {});
  EXPECT_TRUE(has(text.header,
                  "aclnnFillGetWorkspaceSize(const aclIntArray* shape, const aclBoolArray* mask, "
                  "const aclFloatArray* scaleOptional, const aclTensor* outOptional, "))
      << text.header;
  EXPECT_TRUE(has(text.header,
                  "aclnnFillTensorGetWorkspaceSize(const aclTensor* shape, const aclTensor* mask, "
                  "const aclTensor* scaleOptional, const aclTensor* outOptional, "))
      << text.header;
}

TEST(AclnnText, ShapesFromTheKernelMakeTensorsWritable) {
  const AclnnText text = aclnn_text(
      definition("NonZero", {parameter("x", "required"), parameter("l", "dynamic")}, json::array(),
                 {parameter("y", "required", {{"shape_depends_on_compute", true}})}),
      {});
  EXPECT_TRUE(has(text.header, "(aclTensor* x, aclTensorList* l, aclTensor* out, ")) << text.header;
}

TEST(AclnnText, ScalarsOfTheHost) {
  const AclnnText text =
      aclnn_text(definition("Scale",
                            {parameter("a", "required", {{"scalar", "one"}}),
                             parameter("b", "required", {{"scalar", "list"}})},
                            json::array(), {parameter("y", "required")}),
                 {});
  EXPECT_TRUE(has(text.header, "(const aclScalar* a, const aclScalarList* b, const aclTensor* out"))
      << text.header;
}

TEST(AclnnText, VersionsAddParameters) {
  const AclnnText text = aclnn_text(
      definition("Foo",
                 {parameter("x", "required"), parameter("bias", "optional", {{"version", 2}})},
                 {attribute("n", "int", false, {{"version", 3}})}, {parameter("y", "required")}),
      {});
  EXPECT_TRUE(has(text.header, "aclnnFooGetWorkspaceSize(const aclTensor* x, const aclTensor* out"));
  EXPECT_TRUE(has(text.header,
                  "aclnnFooV2GetWorkspaceSize(const aclTensor* x, const aclTensor* biasOptional, "
                  "const aclTensor* out"));
  EXPECT_TRUE(has(text.header,
                  "aclnnFooV3GetWorkspaceSize(const aclTensor* x, const aclTensor* biasOptional, "
                  "int64_t n, const aclTensor* out"));
}

TEST(AclnnText, Prefixes) {
  const AclnnText text =
      aclnn_text(definition("Foo", {parameter("x", "required")}, json::array(),
                            {parameter("y", "required")}),
                 {"mine", "ours", "/p/lib.so"});
  EXPECT_EQ(text.name, "mine_foo");
  EXPECT_TRUE(has(text.header, " oursFooGetWorkspaceSize("));
  EXPECT_TRUE(has(text.source, "#include \"mine_foo.h\""));
  EXPECT_TRUE(has(text.source, "\"/p/lib.so\""));
}

TEST(AclnnText, WhatNoFunctionCanTake) {
  const json y{parameter("y", "required")};
  EXPECT_THROW(aclnn_text(definition("Foo", json::array(),
                                     {attribute("a", "list_list_int", true)}, y),
                          {}),
               std::invalid_argument);
  EXPECT_THROW(
      aclnn_text(definition("Foo",
                            {parameter("x", "required", {{"value_depend", true}, {"dtypes", {0, 9}}})},
                            json::array(), y),
                 {}),
      std::invalid_argument);
}

}  // namespace
}  // namespace vinci::op
