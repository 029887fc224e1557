// What the parts of MatmulObject share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/core.h"
#include "vinci/record.h"

namespace vinci {

inline bool is_set(const Operand& operand) { return operand.dtype != DType::kNone; }

inline bool is_aiv(const Core& core) { return core.kind() == CoreKind::kAiv; }

inline Operand from_byte(Operand operand, uint64_t bytes) {
  operand.address += bytes;
  if (operand.bytes != kUnknownExtent) operand.bytes -= std::min(operand.bytes, bytes);
  return operand;
}
inline Operand from_element(const Operand& operand, uint64_t element) {
  return from_byte(operand, bytes_of(operand.dtype, element));
}

// Copies of the object's are its method's, in messages.
class ActingAs {
 public:
  explicit ActingAs(std::string_view api) : before_(Core::current().act_as(api)) {}
  ActingAs(const ActingAs&) = delete;
  ActingAs& operator=(const ActingAs&) = delete;
  ~ActingAs() { Core::current().act_as(before_); }

 private:
  std::string_view before_;
};

inline void wrong(std::string text, std::string legal) {
  Core::current().report(Code::kCombination, std::move(text), std::move(legal));
}

}  // namespace vinci
