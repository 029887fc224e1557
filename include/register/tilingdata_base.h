// Tiling data written field by field: BEGIN_TILING_DATA_DEF and its relatives. The bytes that a
// class lays out are those of the struct that its kernel reads: docs/spec/tiling_data.md. All is
// inlined, as two operators in one library may have called their classes the same.
#pragma once

#include "vinci/op/host_names.h"
#include "vinci/op/tiling_class.h"

#define BEGIN_TILING_DATA_DEF(class_name)                                                       \
  class class_name : public ::optiling::TilingDef {                                             \
   public:                                                                                      \
    [[gnu::always_inline]] class_name() : ::optiling::TilingDef(#class_name) {}                 \
    [[gnu::always_inline]] explicit class_name(void* data) : class_name() { SetDataPtr(data); } \
    [[gnu::always_inline]] class_name(const class_name&) = default;                             \
    [[gnu::always_inline]] class_name& operator=(const class_name&) = default;                  \
    [[gnu::always_inline]] ~class_name() = default;

#define TILING_DATA_FIELD_DEF(data_type, field_name)                                       \
 private:                                                                                  \
  ::vinci::op::TilingField<data_type> field_name##_field_{*this, #data_type, #field_name}; \
                                                                                           \
 public:                                                                                   \
  [[gnu::always_inline]] void set_##field_name(data_type value) {                          \
    field_name##_field_.set(*this, value);                                                 \
  }                                                                                        \
  [[gnu::always_inline]] data_type get_##field_name() const { return field_name##_field_.get(); }

#define TILING_DATA_FIELD_DEF_ARR(arr_type, arr_size, field_name)                                  \
 private:                                                                                          \
  ::vinci::op::TilingArray<arr_type> field_name##_field_{*this, #arr_type, #field_name, arr_size}; \
                                                                                                   \
 public:                                                                                           \
  [[gnu::always_inline]] void set_##field_name(const arr_type* values) {                           \
    field_name##_field_.set(*this, values);                                                        \
  }                                                                                                \
  [[gnu::always_inline]] arr_type* get_##field_name() { return field_name##_field_.get(*this); }

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) \
 public:                                                      \
  ::vinci::op::TilingPart<struct_type> field_name{*this, #struct_type, #field_name};

#define END_TILING_DATA_DEF                 \
 private:                                   \
  ::vinci::op::TilingEnd vinci_end_{*this}; \
  }

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                   \
  __attribute__((unused)) static const bool g_##op_type##class_name##_tiling_class = [] { \
    class_name example;                                                                   \
    example.add_class(#op_type);                                                          \
    return true;                                                                          \
  }();
