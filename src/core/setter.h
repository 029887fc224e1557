// Instructions that only write registers for later ones: no elements, no memory, the scalar pipe.
#pragma once

#include "core/instruction.h"

namespace vinci::setter {

inline constexpr Signature kNoElements[] = {Signature()};

template <class R>
void no_rules(const R&, Check&) {}

template <class R>
Signature no_elements(const R&) {
  return {};
}
template <class R>
Signature dtype_signature(const R& record) {
  return record.dtype;
}

template <class R, auto write, auto check, auto signature>
inline constexpr Functions<R> kFunctions{
    .signature = signature,
    .pipe = Pipe::kS,
    .check = check,
    .advance = [](const R& record, const Soc&, Registers& registers) { write(record, registers); }};

// From write(record, registers) and, if there are any, check(record, check) and the types.
template <class R, auto write, auto check = no_rules<R>, auto signature = no_elements<R>>
constexpr Instruction setter_instruction(std::string_view mnemonic, std::string_view api,
                                         std::span<const Support> support) {
  return make_instruction<kFunctions<R, write, check, signature>>(mnemonic, api, api, support);
}

}  // namespace vinci::setter
