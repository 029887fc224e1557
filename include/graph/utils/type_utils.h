// Types and formats as text.
#pragma once

#include <cstring>
#include <string>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {

class TypeUtils {
 public:
  static std::string DataTypeToSerialString(DataType type) { return text_of(type); }
  static AscendString DataTypeToAscendString(const DataType& type) { return text_of(type); }
  static DataType SerialStringToDataType(const std::string& text) {
#define VINCI_TYPE(name, number, bytes) \
  if (text == "DT_" #name) return DT_##name;
    VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
    return DT_UNDEFINED;
  }
  static DataType AscendStringToDataType(const AscendString& text) {
    return SerialStringToDataType(text.GetString());
  }
  static std::string FormatToSerialString(Format format) { return text_of(format); }
  static AscendString FormatToAscendString(const Format& format) { return text_of(format); }
  static Format SerialStringToFormat(const std::string& text) {
#define VINCI_FORMAT(name, number) \
  if (text == #name) return FORMAT_##name;
    VINCI_GE_FORMATS(VINCI_FORMAT)
#undef VINCI_FORMAT
    return FORMAT_RESERVED;
  }
  static Format AscendStringToFormat(const AscendString& text) {
    return SerialStringToFormat(text.GetString());
  }
  static bool IsDataTypeValid(DataType type) {
    return std::strcmp(text_of(type), "UNDEFINED") != 0;
  }
  static bool GetDataTypeLength(DataType type, uint32_t& bytes) {
    const int size = GetSizeByDataType(type);
    if (size < 0) return false;
    bytes = size >= kDataTypeSizeBitOffset ? 1 : static_cast<uint32_t>(size);
    return true;
  }

 private:
  static const char* text_of(DataType type) {
    switch (type) {
#define VINCI_TYPE(name, number, bytes) \
  case DT_##name: return "DT_" #name;
      VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
      default: return "UNDEFINED";
    }
  }
  static const char* text_of(Format format) {
    switch (GetPrimaryFormat(format)) {
#define VINCI_FORMAT(name, number) \
  case FORMAT_##name: return #name;
      VINCI_GE_FORMATS(VINCI_FORMAT)
#undef VINCI_FORMAT
      default: return "RESERVED";
    }
  }
};

}  // namespace ge
