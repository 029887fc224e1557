#include "tool/scalar_cache.h"

#include <algorithm>
#include <bit>
#include <string>

#include <fmt/format.h>

#include "core/footprint.h"
#include "core/instruction.h"
#include "soc/soc.h"

namespace vinci {

namespace isa {
extern const Instruction data_cache_clean_and_invalid;
}

namespace {

constexpr const char* kRemedy = "DataCacheCleanAndInvalid between them";

std::string text_of_line(const CoreView& core, uint64_t line, uint64_t bytes) {
  const uint64_t first = line + uint64_t(std::countr_zero(bytes));
  const uint64_t end = line + 64 - uint64_t(std::countl_zero(bytes));
  return core.text_of(Space::kGm, {first, end});
}

}  // namespace

void ScalarCache::begin(const CoreView& core) {
  lines_.clear();
  const Soc* soc = find_soc(core.chip());
  is_there_ = soc != nullptr &&
              std::ranges::any_of(
                  isa::data_cache_clean_and_invalid.support,
                  [&](const Support& support) { return support.covers(soc->arch->bit, kAscendC); });
}

ScalarCache::Bytes ScalarCache::touched(uint64_t line, const Region& region) {
  Bytes bytes = 0;
  region.for_each_block([&](Interval block) {
    const uint64_t first = std::max(block.first, line), end = std::min(block.end, line + kLine);
    if (first >= end) return;
    const Bytes count = ~Bytes{0} >> (kLine - (end - first));
    bytes |= count << (first - line);
  });
  return bytes;
}

void ScalarCache::look(CoreView& core, std::span<const Region> regions) {
  if (lines_.empty()) return;
  for (const Region& region : regions) {
    if (region.space != Space::kGm || region.empty()) continue;
    const uint64_t end = region.end();
    auto at = lines_.lower_bound(region.first() / kLine * kLine);
    for (; at != lines_.end() && at->first < end; ++at) {
      look_at(core, at->first, at->second, region);
    }
  }
}

void ScalarCache::look_at(CoreView& core, uint64_t line, Line& kept, const Region& region) {
  const Bytes bytes = touched(line, region);
  if (bytes == 0) return;
  const bool writes = region.access == Access::kWrite;
  const Bytes concerned = writes ? bytes : bytes & kept.dirty;
  if (kept.dirty != 0 && concerned != 0) {
    const char* what = writes ? "in a line of the scalar cache that will be written over them"
                              : "whose new value is still in the scalar cache";
    core.note_pair(Code::kScalarCache,
                   fmt::format("{}: {} {} {}, {}", core.who(), region.name, verb_of(region.access),
                               text_of_line(core, line, concerned), what),
                   kRemedy, "SetValue wrote the line", kept.written);
    kept.dirty = 0;  // once is enough
  }
  if (!writes) return;
  kept.overtaken |= bytes;
  kept.overtaker = core.origin();
  kept.who = core.who();
}

void ScalarCache::access(CoreView& core, const Region& region, const Origin* origin) {
  if (!is_there_ || region.space != Space::kGm || region.operand.dtype == DType::kNone) return;
  for (uint64_t line = region.first() / kLine * kLine; line < region.end(); line += kLine) {
    const auto [at, is_new] = lines_.try_emplace(line);
    Line& kept = at->second;
    const Bytes bytes = touched(line, region);
    const bool writes = region.access == Access::kWrite;
    const Bytes concerned = writes ? kept.overtaken & ~bytes : kept.overtaken & bytes;
    if (concerned != 0) {
      Fault fault = core.pair_here(
          Code::kScalarCache,
          writes ? fmt::format("SetValue: in its line of the scalar cache, which is older than {}, "
                               "and will be written over them",
                               text_of_line(core, line, concerned))
                 : fmt::format("GetValue: reads {} as the scalar cache has them, which is older",
                               text_of_line(core, line, concerned)),
          kRemedy, fmt::format("{} wrote them", kept.who), kept.overtaker);
      if (origin != nullptr) fault.frames.assign(origin->begin(), origin->end());
      core.tell(fault);
      kept.overtaken = 0;
    }
    if (!writes) continue;
    kept.dirty |= bytes;
    kept.written = origin != nullptr ? *origin : core.origin();
  }
}

}  // namespace vinci
