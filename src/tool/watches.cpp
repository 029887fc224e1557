#include "tool/watches.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/footprint.h"
#include "tool/is_record.h"

namespace vinci {
namespace {

constexpr uint64_t kWatchedUnit = 32;

bool is_forbidden(const WatchRecord& unit, Access access, Pipe pipe) {
  const bool reads = access == Access::kRead;
  switch (pipe) {
    case Pipe::kV: return reads ? unit.vector_read : unit.vector_write;
    case Pipe::kMte1:
    case Pipe::kMte2:
    case Pipe::kMte3: return reads ? unit.mte_read : unit.mte_write;
    case Pipe::kS: return reads ? unit.scalar_read : unit.scalar_write;
    default: return false;
  }
}

}  // namespace

void Watches::look(CoreView& core, const Record& record, std::span<const Region> regions) {
  if (is<WatchRecord>(record)) {
    const auto& watch = static_cast<const WatchRecord&>(record);
    units_[watch.unit] = watch;
    return;
  }
  if (std::ranges::none_of(units_, &WatchRecord::enabled)) return;
  for (const Region& region : regions) judge(core, region, core.pipe_of(record));
}

void Watches::look_at_scalar(CoreView& core, const Region& region) {
  judge(core, region, Pipe::kS);
}

void Watches::judge(CoreView& core, const Region& region, Pipe pipe) const {
  if (region.space != Space::kUb || region.empty()) return;
  for (const WatchRecord& unit : units_) {
    const uint64_t first = (uint64_t(unit.start) + 1) * kWatchedUnit;
    const uint64_t end = (uint64_t(unit.end) + 1) * kWatchedUnit;
    if (!unit.enabled || region.first() >= end || region.end() <= first ||
        !is_forbidden(unit, region.access, pipe)) {
      continue;
    }
    return core.note(
        Code::kUnallocated,
        fmt::format("{}: {} {} bytes {}..{} of UB; CheckLocalMemoryIA forbids bytes {}..{}",
                    core.who(), region.name, verb_of(region.access), region.first(),
                    region.end() - 1, first, end - 1),
        "other bytes, until CheckLocalMemoryIA with isEnable false");
  }
}

}  // namespace vinci
