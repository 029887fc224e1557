// Names of the element types.
#include "numeric/dtype.h"

#include <iterator>

namespace vinci {
namespace {

constexpr std::string_view kNames[] = {"int4",  "int8",     "uint8", "int16",  "uint16",
                                       "half",  "bfloat16", "int32", "uint32", "float",
                                       "int64", "uint64",   "other"};

}  // namespace

std::string_view name_of(DType type) { return kNames[static_cast<int>(type)]; }

std::optional<DType> dtype_named(std::string_view name) {
  if (name == "float16") return DType::kHalf;
  if (name == "float32") return DType::kFloat;
  for (int i = 0; i < static_cast<int>(DType::kNone); ++i) {
    if (kNames[i] == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

std::string_view all_dtype_names() {
  return "half, bfloat16, float, int4, int8, uint8, int16, uint16, int32, uint32, int64, uint64";
}

}  // namespace vinci
