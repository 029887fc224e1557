// What synchronisation by way of GM has in common: places of 32 bytes in a workspace. The words in
// them are those that the chip would have; what is written is seen by others from the next round
// on.
#pragma once

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::sync {

inline constexpr uint64_t kPlaceBytes = 32;
inline constexpr Support kWorkspaceChips[] = {
    {kArch1001 | kArch2002 | kArch2201, setter::kNoElements, true, kAscendC}};
inline constexpr Support kOrderChips[] = {
    {kArch2002 | kArch2201, setter::kNoElements, true, kAscendC}};

// An AIC takes no part in what is between vector cores.
inline bool takes_part(const Core& core) { return core.kind() != CoreKind::kAic; }
inline bool takes_part(const Check& check) { return check.soc().size_of(Space::kUb) != 0; }

inline void check_places(const Operand& gm, const Operand& ub, Check& check) {
  if (!takes_part(check)) return;
  check.in_space("gmWorkspace", gm, Space::kGm);
  check.in_space("ubWorkspace", ub, Space::kUb);
  check.aligned("gmWorkspace", gm, sizeof(int32_t));
}

// Whether a workspace has `bytes`; told if not.
inline bool has_room(Core& core, std::string_view name, const Operand& tensor, uint64_t bytes) {
  if (tensor.bytes != kUnknownExtent && tensor.bytes < bytes) {
    core.report(Code::kRange, fmt::format("{}: {} has {} bytes", core.who(), name, tensor.bytes),
                fmt::format("at least {} bytes", bytes));
    return false;
  }
  if (tensor.position != Position::GM) return true;
  const Region all{tensor, name.data(), Access::kRead, false,     tensor.address, bytes, 1, 0,
                   1,      0,           nullptr,       Space::kGm};
  return core.within_bounds({&all, 1});
}

inline int32_t* place_of(const Operand& gm, uint64_t index) {
  return reinterpret_cast<int32_t*>(gm.address + index * kPlaceBytes);
}
inline int32_t load(const int32_t* word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
// Where somebody keeps a copy of what instructions write, there, too.
inline void store(Core& core, int32_t* word, int32_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
  uint8_t* copy = core.gm_copy(reinterpret_cast<uint64_t>(word));
  if (copy != nullptr) __atomic_store_n(reinterpret_cast<int32_t*>(copy), value, __ATOMIC_RELAXED);
}

// Whether a word is one that these functions leave; told if not.
inline bool is_count(Core& core, const int32_t* word, int32_t most) {
  const int32_t value = load(word);
  if (value >= 0 && value <= most) return true;
  core.report(Code::kRange, fmt::format("{}: the workspace holds {}", core.who(), value),
              "zeros in GM before its first use");
  return false;
}

}  // namespace vinci::sync
