// What a definition says of one input or output, and of one attribute.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/types.h"
#include "vinci/op/json_text.h"
#include "vinci/op/text.h"

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FollowType { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE = 4 };
enum class DependScope { ALL = 0, TILING = 1, INVALID_SCOPE = 2 };
enum class FormatCheckOption { DEFAULT = 0, STRICT = 1 };
enum class CommentSection {
  CATEGORY = 0,
  BRIEF = 1,
  CONSTRAINTS = 2,
  RESTRICTIONS = 3,
  THIRDPARTYFWKCOMPAT = 4,
  SEE = 5,
  SECTION_MAX = 6
};

enum class ScalarType : uint32_t {
  UINT64 = 0,
  INT64 = 1,
  UINT32 = 2,
  INT32 = 3,
  UINT16 = 4,
  INT16 = 5,
  UINT8 = 6,
  INT8 = 7,
  FLOAT32 = 8,
  FLOAT16 = 9,
  INVALID_DTYPE = static_cast<uint32_t>(-1)
};
union ScalarNum {
  uint64_t value_u64;
  int64_t value_i64;
  float value_f32;
  ScalarNum() : value_u64(0) {}
  explicit ScalarNum(uint64_t value) : value_u64(value) {}
  explicit ScalarNum(int64_t value) : value_i64(value) {}
  explicit ScalarNum(float value) : value_f32(value) {}
};
// A value for all elements of an output, with the type that it is written as.
struct ScalarVar {
  ScalarType scalar_type = ScalarType::INVALID_DTYPE;
  ScalarNum scalar_num;

  ScalarVar() = default;
  ScalarVar(ScalarType type, uint64_t value) : scalar_type(type), scalar_num(value) {
    if (is_float()) scalar_num = ScalarNum(static_cast<float>(value));
  }
  ScalarVar(ScalarType type, int64_t value) : scalar_type(type), scalar_num(value) {
    if (is_float()) scalar_num = ScalarNum(static_cast<float>(value));
  }
  ScalarVar(ScalarType type, int value) : ScalarVar(type, int64_t{value}) {}
  ScalarVar(ScalarType type, unsigned value) : ScalarVar(type, uint64_t{value}) {}
  ScalarVar(ScalarType type, float value) : scalar_type(type), scalar_num(value) {
    if (!is_float()) scalar_num = ScalarNum(static_cast<int64_t>(value));
  }
  ScalarVar(ScalarType type, double value) : ScalarVar(type, static_cast<float>(value)) {}

  bool is_float() const {
    return scalar_type == ScalarType::FLOAT32 || scalar_type == ScalarType::FLOAT16;
  }
  bool operator==(const ScalarVar& other) const {
    return scalar_type == other.scalar_type && scalar_num.value_u64 == other.scalar_num.value_u64;
  }
};

class OpParamDef {
 public:
  explicit OpParamDef(const char* name) : name_(name) {}

  OpParamDef& ParamType(Option kind) { return set(kind_, kind); }
  OpParamDef& DataType(std::vector<ge::DataType> list) { return set_list(dtypes_, list, false); }
  OpParamDef& DataTypeList(std::vector<ge::DataType> list) { return set_list(dtypes_, list, true); }
  OpParamDef& Format(std::vector<ge::Format> list) { return set_list(formats_, list, false); }
  OpParamDef& FormatList(std::vector<ge::Format> list) { return set_list(formats_, list, true); }
  OpParamDef& ValueDepend(Option value) { return set(value_depend_, value); }
  OpParamDef& ValueDepend(Option value, DependScope) { return set(value_depend_, value); }
  OpParamDef& AutoContiguous() { return set(auto_contiguous_, true); }
  OpParamDef& IgnoreContiguous() { return set(ignore_contiguous_, true); }
  OpParamDef& Scalar() { return set(scalar_, "scalar"); }
  OpParamDef& ScalarList() { return set(scalar_, "list"); }
  OpParamDef& To(const ge::DataType type) { return set(to_dtype_, int(type)); }
  OpParamDef& To(const char* name) { return set(to_parameter_, vinci::op::Text(name)); }
  OpParamDef& Version(uint32_t version) { return set(version_, version); }
  OpParamDef& InitValue(uint64_t) { return set(zeroed_, true); }
  OpParamDef& InitValue(const ScalarVar& value) {
    return set(init_values_, std::vector<ScalarVar>{value});
  }
  OpParamDef& InitValue(const std::vector<ScalarVar>& values) { return set(init_values_, values); }
  OpParamDef& OutputShapeDependOnCompute() { return set(shape_from_kernel_, true); }
  OpParamDef& Follow(const char* name) { return Follow(name, FollowType::ALL); }
  OpParamDef& Follow(const char* name, FollowType what) {
    follow_ = name;
    return set(follow_type_, what);
  }

  // What says nothing about running the operator here.
  OpParamDef& UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
  OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
  OpParamDef& FormatForBinQuery(std::vector<ge::Format>) { return *this; }
  OpParamDef& Comment(const char*) { return *this; }

  ge::AscendString GetParamName() const { return name_.c_str(); }
  const char* name() const { return name_.c_str(); }
  void write(vinci::op::JsonText& json) const {
    constexpr const char* kKinds[] = {"ignore", "optional", "required", "dynamic", "virtual"};
    json.open('{').member("name", name()).member("kind", kKinds[kind_]);
    json.member("dtypes", dtypes_.values).member("formats", formats_.values);
    json.member("dtype_list", dtypes_.free).member("format_list", formats_.free);
    json.member("value_depend", value_depend_ != IGNORE);
    json.member("auto_contiguous", auto_contiguous_);
    json.member("ignore_contiguous", ignore_contiguous_);
    json.member("scalar", scalar_).member("to_dtype", to_dtype_);
    json.member("to_parameter", to_parameter_.c_str()).member("version", version_);
    json.member("shape_from_kernel", shape_from_kernel_).member("zeroed", zeroed_);
    json.member("follow", follow_.c_str()).member("follow_type", int(follow_type_));
    json.key("init_values").open('[');
    for (const ScalarVar& value : init_values_) {
      json.open('{').member("type", uint32_t(value.scalar_type)).key("value");
      value.is_float() ? json.value(value.scalar_num.value_f32)
                       : json.value(value.scalar_num.value_i64);
      json.close('}');
    }
    json.close(']').close('}');
  }

 private:
  // One value for each row of the definition, or free: for all rows.
  struct List {
    std::vector<int> values;
    bool free = false;
  };

  template <typename T, typename Value>
  OpParamDef& set(T& member, const Value& value) {
    member = value;
    return *this;
  }
  template <typename T>
  OpParamDef& set_list(List& list, const std::vector<T>& values, bool free) {
    list.values.assign(values.begin(), values.end());
    list.free = free;
    return *this;
  }

  vinci::op::Text name_;
  Option kind_ = REQUIRED;
  List dtypes_, formats_;
  Option value_depend_ = IGNORE;
  bool auto_contiguous_ = false, ignore_contiguous_ = false;
  const char* scalar_ = "";
  int to_dtype_ = ge::DT_UNDEFINED;
  vinci::op::Text to_parameter_;
  uint32_t version_ = 0;
  bool zeroed_ = false;
  std::vector<ScalarVar> init_values_;
  bool shape_from_kernel_ = false;
  vinci::op::Text follow_;
  FollowType follow_type_ = FollowType::ALL;
};

class OpAttrDef {
 public:
  explicit OpAttrDef(const char* name) : name_(name) {}

  // REQUIRED behind OPTIONAL changes nothing: the toolkit's rule.
  OpAttrDef& AttrType(Option kind) {
    if (kind == OPTIONAL) required_ = false;
    return *this;
  }
  OpAttrDef& Bool(bool value) { return set("bool", value); }
  OpAttrDef& Int(int64_t value) { return set("int", value); }
  OpAttrDef& Float(float value) { return set("float", value); }
  OpAttrDef& String(const char* value) { return set("string", value); }
  OpAttrDef& ListBool(std::vector<bool> value) { return set("list_bool", value); }
  OpAttrDef& ListInt(std::vector<int64_t> value) { return set("list_int", value); }
  OpAttrDef& ListFloat(std::vector<float> value) { return set("list_float", value); }
  OpAttrDef& ListListInt(std::vector<std::vector<int64_t>> value) {
    return set("list_list_int", value);
  }
  OpAttrDef& Bool() { return Bool(false); }
  OpAttrDef& Int() { return Int(0); }
  OpAttrDef& Float() { return Float(0); }
  OpAttrDef& String() { return String(""); }
  OpAttrDef& ListBool() { return ListBool({}); }
  OpAttrDef& ListInt() { return ListInt({}); }
  OpAttrDef& ListFloat() { return ListFloat({}); }
  OpAttrDef& ListListInt() { return ListListInt({}); }
  OpAttrDef& Version(uint32_t version) {
    version_ = version;
    return *this;
  }
  OpAttrDef& Comment(const char*) { return *this; }

  const ge::AscendString& GetName() const { return name_; }
  bool IsRequired() const { return required_; }
  void write(vinci::op::JsonText& json) const {
    vinci::op::JsonText value = default_;
    json.open('{').member("name", name_.GetString()).member("type", type_);
    json.member("required", required_).member("version", version_);
    json.key("default").raw(*type_ == '\0' ? "null" : value.text()).close('}');
  }

 private:
  template <typename T>
  OpAttrDef& set(const char* type, const T& value) {
    type_ = type;
    default_ = vinci::op::JsonText();
    default_.value(value);
    return *this;
  }

  ge::AscendString name_;
  const char* type_ = "";
  bool required_ = true;
  vinci::op::JsonText default_;
  uint32_t version_ = 0;
};

}  // namespace ops
