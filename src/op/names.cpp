#include "op/names.h"

#include <cctype>

#include "graph/types.h"
#include "graph/utils/type_utils.h"

namespace vinci::op {
namespace {

bool upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
char to_lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::string without_scope(const std::string& name) { return name.substr(name.rfind(':') + 1); }

std::string lowered(std::string text) {
  for (char& c : text) c = to_lower(c);
  return text;
}

std::string snake(const std::string& name) {
  std::string made;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool word_starts = i != 0 && upper(name[i]) && name[i - 1] != '_' &&
                             (!upper(name[i - 1]) || (i + 1 < name.size() && lower(name[i + 1])));
    if (word_starts) made += '_';
    made += to_lower(name[i]);
  }
  return made;
}

std::string camel(const std::string& name) {
  std::string made;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_' && i + 1 < name.size() && lower(name[i + 1])) {
      made += static_cast<char>(std::toupper(static_cast<unsigned char>(name[++i])));
    } else {
      made += i == 0 ? to_lower(name[i]) : name[i];
    }
  }
  return made;
}

std::string type_constant(int dtype) {
  switch (dtype) {
#define VINCI_TYPE(name, number, bytes) \
  case number: return #name;
    VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
    default: return "";
  }
}

std::string type_name(int dtype) {
  const std::string constant = type_constant(dtype);
  if (constant.empty()) return "type " + std::to_string(dtype);
  return dtype == ge::DT_BF16 ? "bfloat16" : lowered(constant);
}

int type_named(const std::string& name) {
  const std::string bare = lowered(name.rfind("DT_", 0) == 0 ? name.substr(3) : name);
  if (bare == "bfloat16") return ge::DT_BF16;
  if (bare == "half") return ge::DT_FLOAT16;
  if (bare == "float32") return ge::DT_FLOAT;
#define VINCI_TYPE(name, number, bytes) \
  if (bare == lowered(#name)) return number;
  VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
  return -1;
}

std::string format_name(int format) {
  switch (ge::GetPrimaryFormat(format)) {
#define VINCI_FORMAT(name, number) \
  case number: return #name;
    VINCI_GE_FORMATS(VINCI_FORMAT)
#undef VINCI_FORMAT
    default: return "format " + std::to_string(format);
  }
}

int format_named(const std::string& name) {
  const std::string bare = name.rfind("FORMAT_", 0) == 0 ? name.substr(7) : name;
  const ge::Format format = ge::TypeUtils::SerialStringToFormat(bare);
  return format == ge::FORMAT_RESERVED ? -1 : format;
}

int64_t bytes_of(int64_t elements, int dtype) {
  return ge::GetSizeInBytes(elements, static_cast<ge::DataType>(dtype));
}

}  // namespace vinci::op
