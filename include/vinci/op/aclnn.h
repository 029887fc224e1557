// What the generated functions aclnn<Type>... call (src/op/aclnn_text.h). C++11, and nothing of the
// standard library, as projects compile them with options of their own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aclnn/acl_meta.h"

namespace vinci {
namespace op {

struct AclnnArgument {
  enum Kind {
    kAbsent,
    kTensor,
    kTensors,
    kScalar,
    kScalars,
    kInts,
    kFloats,
    kBools,
    kText,
    kInteger,
    kNumber,
    kBoolean
  };
  Kind kind;
  const void* object;
  int64_t integer;
  double number;
};

inline AclnnArgument absent() { return {AclnnArgument::kAbsent, nullptr, 0, 0}; }
inline AclnnArgument argument(const aclTensor* value) {
  return {AclnnArgument::kTensor, value, 0, 0};
}
inline AclnnArgument argument(const aclTensorList* value) {
  return {AclnnArgument::kTensors, value, 0, 0};
}
inline AclnnArgument argument(const aclScalar* value) {
  return {AclnnArgument::kScalar, value, 0, 0};
}
inline AclnnArgument argument(const aclScalarList* value) {
  return {AclnnArgument::kScalars, value, 0, 0};
}
inline AclnnArgument argument(const aclIntArray* value) {
  return {AclnnArgument::kInts, value, 0, 0};
}
inline AclnnArgument argument(const aclFloatArray* value) {
  return {AclnnArgument::kFloats, value, 0, 0};
}
inline AclnnArgument argument(const aclBoolArray* value) {
  return {AclnnArgument::kBools, value, 0, 0};
}
inline AclnnArgument argument(const char* value) { return {AclnnArgument::kText, value, 0, 0}; }
inline AclnnArgument argument(int64_t value) {
  return {AclnnArgument::kInteger, nullptr, value, 0};
}
inline AclnnArgument argument(double value) { return {AclnnArgument::kNumber, nullptr, 0, value}; }
inline AclnnArgument argument(bool value) {
  return {AclnnArgument::kBoolean, nullptr, value ? 1 : 0, 0};
}

// What a generated file knows of its operator.
struct AclnnOperator {
  const char* type;
  const char* library;  // that the definition was read from; loaded if nothing else has defined it
  const char* chips;    // of the definition, with blanks between
};

}  // namespace op
}  // namespace vinci

extern "C" {

// The chips that an operator of the program is for: said before main().
void vinci_aclnn_chips(const char* chips);
// The two phases. Arguments: all inputs, attributes, and outputs that are no inputs as well, as
// declared; those that a version of the function leaves out are absent.
aclnnStatus vinci_aclnn_prepare(const vinci::op::AclnnOperator* op, const char* api,
                                const vinci::op::AclnnArgument* arguments, size_t count,
                                uint64_t* workspace_size, aclOpExecutor** executor);
aclnnStatus vinci_aclnn_run(const char* api, void* workspace, uint64_t workspace_size,
                            aclOpExecutor* executor, aclrtStream stream);
}
