// The C interface that is made of a definition: names and types of the documents' rules.
#include "op/aclnn_text.h"

#include <gtest/gtest.h>

#include <utility>

#include "op/error.h"

namespace vinci::op {
namespace {

using Change = void (*)(Parameter&);

Parameter parameter(const char* name, Kind kind = Kind::kRequired, Change change = nullptr) {
  Parameter made;
  made.name = name;
  made.kind = kind;
  made.dtypes = {0};
  made.formats = {2};
  if (change != nullptr) change(made);
  return made;
}

Attribute attribute(const char* name, const char* type, bool required, uint32_t version = 0) {
  Attribute made;
  made.name = name;
  made.type = type;
  made.required = required;
  made.version = version;
  return made;
}

using Parameters = std::vector<Parameter>;

Definition definition(const char* type, Parameters inputs, std::vector<Attribute> attributes,
                      Parameters outputs) {
  Definition made;
  made.type = type;
  made.attributes = std::move(attributes);
  Chip chip;
  chip.inputs = std::move(inputs);
  chip.outputs = std::move(outputs);
  made.chips["ascend910b"] = chip;
  return made;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(AclnnText, ReferencesOptionalsAndSeveralOutputs) {
  const AclnnText text = aclnn_text(
      definition("Foo", {parameter("x"), parameter("weight", Kind::kOptional), parameter("y")},
                 {attribute("eps", "float", false), attribute("mode", "string", false)},
                 {parameter("y"), parameter("mean")}),
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
  EXPECT_FALSE(has(text.header,
                   "Tensor"
                   "GetWorkspaceSize"));
}

TEST(AclnnText, OneOutputIsOut) {
  const AclnnText text = aclnn_text(
      definition("AddCustom", {parameter("x", Kind::kDynamic)},
                 {attribute("keep_dims", "bool", false), attribute("axes", "list_int", true),
                  attribute("sizes", "list_float", false), attribute("flags", "list_bool", true),
                  attribute("n", "int", false)},
                 {parameter("z")}),
      {});
  EXPECT_EQ(text.name, "aclnn_add_custom");
  EXPECT_TRUE(has(text.header,
                  "(const aclTensorList* x, bool keepDims, const aclIntArray* axes, "
                  "const aclFloatArray* sizesOptional, const aclBoolArray* flags, int64_t n, "
                  "const aclTensor* out, uint64_t*"))
      << text.header;
}

TEST(AclnnText, ValuesAreArraysAndTensorsInAnotherFunction) {
  const Parameters inputs{
      parameter("shape", Kind::kRequired,
                [](Parameter& p) {
                  p.value_depend = true;
                  p.dtypes = {9, 3};
                }),
      parameter("mask", Kind::kRequired,
                [](Parameter& p) {
                  p.value_depend = true;
                  p.dtypes = {12, 12};
                }),
      parameter("scale", Kind::kOptional, [](Parameter& p) { p.value_depend = true; })};
  const AclnnText text =
      aclnn_text(definition("Fill", inputs, {}, {parameter("y", Kind::kOptional)}), {});
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
      definition(
          "NonZero", {parameter("x"), parameter("l", Kind::kDynamic)}, {},
          {parameter("y", Kind::kRequired, [](Parameter& p) { p.shape_from_kernel = true; })}),
      {});
  EXPECT_TRUE(has(text.header, "(aclTensor* x, aclTensorList* l, aclTensor* out, ")) << text.header;
}

TEST(AclnnText, ScalarsOfTheHost) {
  const AclnnText text = aclnn_text(
      definition("Scale",
                 {parameter("a", Kind::kRequired, [](Parameter& p) { p.scalar = "scalar"; }),
                  parameter("b", Kind::kRequired, [](Parameter& p) { p.scalar = "list"; })},
                 {}, {parameter("y")}),
      {});
  EXPECT_TRUE(has(text.header, "(const aclScalar* a, const aclScalarList* b, const aclTensor* out"))
      << text.header;
}

TEST(AclnnText, VersionsAddParameters) {
  const AclnnText text = aclnn_text(
      definition(
          "Foo",
          {parameter("x"), parameter("bias", Kind::kOptional, [](Parameter& p) { p.version = 2; })},
          {attribute("n", "int", false, 3)}, {parameter("y")}),
      {});
  EXPECT_TRUE(
      has(text.header, "aclnnFooGetWorkspaceSize(const aclTensor* x, const aclTensor* out"));
  EXPECT_TRUE(has(text.header,
                  "aclnnFooV2GetWorkspaceSize(const aclTensor* x, const aclTensor* biasOptional, "
                  "const aclTensor* out"));
  EXPECT_TRUE(has(text.header,
                  "aclnnFooV3GetWorkspaceSize(const aclTensor* x, const aclTensor* biasOptional, "
                  "int64_t n, const aclTensor* out"));
}

TEST(AclnnText, Prefixes) {
  const AclnnText text = aclnn_text(definition("Foo", {parameter("x")}, {}, {parameter("y")}),
                                    {"mine", "ours", "/p/lib.so"});
  EXPECT_EQ(text.name, "mine_foo");
  EXPECT_TRUE(has(text.header, " oursFooGetWorkspaceSize("));
  EXPECT_TRUE(has(text.source, "#include \"mine_foo.h\""));
  EXPECT_TRUE(has(text.source, "\"/p/lib.so\""));
}

TEST(AclnnText, WhatNoFunctionCanTake) {
  const Parameters y{parameter("y")};
  EXPECT_THROW(aclnn_text(definition("Foo", {}, {attribute("a", "list_list_int", true)}, y), {}),
               Error);
  EXPECT_THROW(aclnn_text(definition("Foo",
                                     {parameter("x", Kind::kRequired,
                                                [](Parameter& p) {
                                                  p.value_depend = true;
                                                  p.dtypes = {0, 9};
                                                })},
                                     {}, y),
                          {}),
               Error);
}

}  // namespace
}  // namespace vinci::op
