// Expressions over a tiling key, as REGISTER_TILING_FOR_TILINGKEY has them in a string.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vinci::op {

// The value of an expression of C with integers, parentheses, the operators of C but assignment and
// ?:, and TILING_KEY_VAR, which is `key`. Nothing if it is none.
std::optional<uint64_t> value_of_key_expression(std::string_view text, uint64_t key);

}  // namespace vinci::op
