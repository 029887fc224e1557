// What DataCacheCleanAndInvalid and dcci share: the rules of the scalar unit's cache, of which
// there is none here.
#pragma once

#include "isa/sync/sync.h"
#include "core/core.h"
#include "vinci/record/sync.h"

namespace vinci::sync {

inline constexpr Support kWithScalarCache[] = {
    {kArch2002 | kArch2201 | kArch3002, setter::kNoElements, true, kAscendC}};

inline void check_cache(const CacheRecord& record, Check& check) {
  check.range("the number of lines", record.lines, 0, 1);
  if (record.target == CacheRecord::kNoTarget) return;
  if (check.soc().arch->bit == kArch2002) {
    check.fail(Code::kSocInstruction, "a DcciDst is not legal here", "the form without DcciDst");
  }
  check.range("DcciDst", record.target, 0, 2);
}

inline void clean_cache(const CacheRecord&, Core& core) { core.clean_cache(); }

constexpr Instruction cache_instruction(std::string_view mnemonic, std::string_view api) {
  return sync_instruction<CacheRecord, clean_cache, check_cache>(mnemonic, api, kWithScalarCache);
}

}  // namespace vinci::sync
