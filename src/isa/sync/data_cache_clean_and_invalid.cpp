// data_cache_clean_and_invalid: the scalar unit's cache gives back what it holds. There is none
// here.
//
// Sources and decisions: docs/spec/data_cache_clean_and_invalid.md.
#include "isa/sync/sync.h"
#include "core/core.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch2002 | kArch2201 | kArch3002, setter::kNoElements, true, kAscendC}};

void check(const CacheRecord& record, Check& check) {
  check.range("the number of lines", record.lines, 0, 1);
  if (record.target == CacheRecord::kNoTarget) return;
  if (check.soc().arch->bit == kArch2002) {
    check.fail(Code::kSocInstruction, "a DcciDst is not legal here", "the form without DcciDst");
  }
  check.range("DcciDst", record.target, 0, 2);
}

void act(const CacheRecord&, Core& core) { core.clean_cache(); }

}  // namespace

extern constinit const Instruction data_cache_clean_and_invalid =
    sync::sync_instruction<CacheRecord, act, check>("data_cache_clean_and_invalid",
                                                    "DataCacheCleanAndInvalid", kSupport);

}  // namespace vinci::isa
