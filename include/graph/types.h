// Types and formats of tensors. The numbers are those of aclDataType and aclFormat.
#pragma once

#include <cstdint>
#include <limits>

#include "graph/ge_error_codes.h"
#include "vinci/op/names.h"

namespace ge {

enum DataType {
#define VINCI_TYPE(name, number, bytes) DT_##name = number,
  VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
      DT_MAX
};

enum Format {
#define VINCI_FORMAT(name, number) FORMAT_##name = number,
  VINCI_GE_FORMATS(VINCI_FORMAT)
#undef VINCI_FORMAT
};

constexpr int kDataTypeSizeBitOffset = 1000;

// Bytes of an element; 1000 + bits of one smaller than a byte; -1: it has no size.
inline int GetSizeByDataType(DataType type) {
  switch (type) {
#define VINCI_TYPE(name, number, bytes) \
  case DT_##name: return bytes;
    VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
    default: return -1;
  }
}

// Bytes of so many elements, rounded up; -1: there is no such size.
inline int64_t GetSizeInBytes(int64_t count, DataType type) {
  const int size = GetSizeByDataType(type);
  if (count < 0 || size < 0) return -1;
  if (size < kDataTypeSizeBitOffset) {
    return count > std::numeric_limits<int64_t>::max() / size ? -1 : count * size;
  }
  const int bits = size - kDataTypeSizeBitOffset;
  return count > (std::numeric_limits<int64_t>::max() - 7) / bits ? -1 : (count * bits + 7) / 8;
}

// A format's number: the format in bits 0-7, a sub-format in 8-23, a code of C0 in 24-27.
inline int32_t GetPrimaryFormat(int32_t format) { return format & 0xff; }
inline int32_t GetSubFormat(int32_t format) { return (format >> 8) & 0xffff; }
inline bool HasSubFormat(int32_t format) { return GetSubFormat(format) > 0; }
inline int64_t GetC0Value(int32_t format) {
  const int code = (format >> 24) & 0xf;
  return code == 0 ? -1 : int64_t{1} << (code - 1);
}
inline bool HasC0Format(int32_t format) { return GetC0Value(format) > 0; }
inline int32_t GetFormatFromSub(int32_t format, int32_t sub) {
  return (format & 0xff) | ((sub & 0xffff) << 8);
}
inline int32_t GetFormatFromC0(int32_t format, int32_t code) {
  return (format & 0xffffff) | ((code & 0xf) << 24);
}
inline int32_t GetFormatFromSubAndC0(int32_t format, int32_t sub, int32_t code) {
  return GetFormatFromC0(GetFormatFromSub(format, sub), code);
}

}  // namespace ge
