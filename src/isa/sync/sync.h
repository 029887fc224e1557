// Instructions that make a pipe or a core wait: no elements, no memory, and they act on the core
// itself, in program order. Whoever waits, the scalar unit issues them.
#pragma once

#include "core/setter.h"

namespace vinci::sync {

inline constexpr ArchSet kAllArchs =
    kArch1000 | kArch1001 | kArch2002 | kArch2002Vector | kArch2201 | kArch3002;
inline constexpr Support kAllChips[] = {{kAllArchs, setter::kNoElements}};
inline constexpr Support kOfAscendC[] = {{kAllArchs, setter::kNoElements, true, kAscendC}};
inline constexpr Support kSplitChips[] = {{kArch2201, setter::kNoElements}};

template <class R, auto act, auto check, auto pipe>
inline constexpr Functions<R> kFunctions{
    .signature = setter::no_elements<R>, .pipe = pipe, .check = check, .synchronise = act};

// From act(record, core) and, if there are any, its rules and the pipe that it is given to.
template <class R, auto act, auto check = setter::no_rules<R>, auto pipe = Pipe::kS>
constexpr Instruction sync_instruction(std::string_view mnemonic, std::string_view api,
                                       std::span<const Support> support = kAllChips) {
  return make_instruction<kFunctions<R, act, check, pipe>>(mnemonic, api, api, support);
}

}  // namespace vinci::sync
