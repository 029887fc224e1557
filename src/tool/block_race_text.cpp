#include "tool/block_race_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/cores/core_name.h"
#include "core/footprint.h"
#include "core/instruction.h"
#include "core/memory.h"
#include "soc/soc.h"

namespace vinci {
namespace {

std::string_view verb(const GmUse& use) {
  return verb_of(use.writes() ? Access::kWrite : Access::kRead);
}

Fault::Place place_of(const GmTrace::Site& site, std::string what) {
  return {std::move(what), site.fault.frames, site.fault.file, site.fault.line};
}

std::string what(const GmUse& use) {
  const std::string_view operand = use.site().operand;
  return fmt::format("{}{}{}", operand, operand.empty() ? "" : " ", verb(use));
}

}  // namespace

Fault BlockRaceText::fault_of(const GmPair& finding) const {
  const std::string who = other_of(finding);
  Fault fault = finding.here.site().fault;
  fault.message = fmt::format("{}: {} bytes {}, which {} {}, and nothing orders the two",
                              finding.here.site().who, what(finding.here),
                              gm_.text_of(finding.where), who, verb(finding.there));
  fault.legal = remedy(finding);
  fault.count = finding.cores.size();
  fault.other = place_of(finding.there.site(), who);
  return fault;
}

Fault BlockRaceText::fault_of_line(const GmPair& finding, bool own) const {
  const GmTrace::Site& here = finding.here.site();
  const std::string who = other_of(finding);
  Fault fault = here.fault;
  fault.code = own ? Code::kScalarLinesOwn : Code::kScalarLines;
  fault.message =
      fmt::format("{}: writes bytes {}, in one cache line of {} bytes with those that {} writes",
                  here.who, gm_.text_of(finding.where), kScalarCacheLine, who);
  if (own) fault.message += "; each core reads back its own";
  fault.legal = "a line for each core, or DataCopy";
  if (can_clean()) {
    fault.legal += ", or DataCacheCleanAndInvalid after the writes of each";
  }
  fault.count = finding.cores.size();
  fault.other = place_of(finding.there.site(), who);
  return fault;
}

Fault BlockRaceText::fault_of_cache(const GmPair& finding, const std::string& why,
                                    std::string legal) const {
  const GmTrace::Site& here = finding.here.site();
  Fault fault = here.fault;
  fault.code = Code::kScalarCache;
  fault.message = fmt::format("{}: {} bytes {}{}", here.who, what(finding.here),
                              gm_.text_of(finding.where), why);
  fault.legal = std::move(legal);
  fault.count = finding.cores.size();
  fault.other = place_of(finding.there.site(), other_of(finding));
  return fault;
}

Fault BlockRaceText::fault_of_word(const GmPair& finding) const {
  return fault_of_cache(
      finding,
      fmt::format(", whose new value, by {}, is still in that core's scalar cache",
                  other_of(finding)),
      "DataCacheCleanAndInvalid behind the SetValue, before the other core is told");
}

Fault BlockRaceText::fault_of_stale(const GmPair& finding) const {
  return fault_of_cache(
      finding,
      fmt::format(" as the scalar cache has them since an earlier GetValue, which "
                  "is older than what {} wrote",
                  other_of(finding)),
      "DataCacheCleanAndInvalid of this core between them");
}

// "DataCopy of AIV of block 0"
std::string BlockRaceText::other_of(const GmPair& finding) const {
  return fmt::format("{} of {}", finding.there.site().who,
                     name_of_core(grid_, finding.there.core()));
}

bool BlockRaceText::has(std::string_view mnemonic) const {
  for (const Instruction* instruction : all_instructions()) {
    if (instruction->mnemonic != mnemonic) continue;
    return std::ranges::any_of(instruction->support, [&](const Support& row) {
      return row.covers(soc_.arch->bit, kAscendC);
    });
  }
  return false;
}

std::string BlockRaceText::orders(int64_t one, int64_t other) const {
  if (pipes_in_order_) return "block_barrier between the two";
  const bool has_aic =
      grid_.kind_of(one) == CoreKind::kAic || grid_.kind_of(other) == CoreKind::kAic;
  if (has_aic) return "CrossCoreSetFlag after the one and CrossCoreWaitFlag before the other";
  if (has("sync_all"))
    return "SyncAll() between the two, or IBSet after the one and IBWait before the other";
  if (has("sync_all_workspace")) return "SyncAll(gmWorkspace, ubWorkspace) between the two";
  return "";
}

std::string BlockRaceText::remedy(const GmPair& finding) const {
  if (finding.untold != Pipe::kNone) {
    return fmt::format(
        "CrossCoreSetFlag<modeId, PIPE_{0}> after the one, or PipeBarrier<PIPE_ALL>"
        "() before the flag that is set",
        name_of(finding.untold));
  }
  const std::string orders = this->orders(finding.here.core(), finding.there.core());
  if (!finding.here.writes()) return orders.empty() ? "bytes that no other core writes" : orders;
  return "bytes of its own for each core" + (orders.empty() ? "" : ", or " + orders);
}

}  // namespace vinci
