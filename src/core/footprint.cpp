// What a footprint asks of its core.
#include "core/footprint.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/core.h"

namespace vinci {

Region Footprint::hidden(Space space, const char* name, Access access, uint64_t address,
                         uint64_t bytes) const {
  const Operand all{0, soc().size_of(space), 0, Position::MAX, DType::kNone};
  return {all, name, access, true, address, bytes, 1, 0, 1, 0, nullptr, space};
}

FrontEnds Footprint::front_end() const { return core_.front_end(); }

bool Footprint::scatters(std::span<const Region> span) {
  const auto is_written = [](const Region& region) { return region.access != Access::kRead; };
  if (exact_ || std::ranges::any_of(span, is_written)) return judge(span);
  for (const Region& region : span) add(region);
  return false;
}

bool Footprint::judge(std::span<const Region> span) {
  const size_t before = regions_.size();
  for (const Region& region : span) add(region);
  if (!inside_) return false;
  // In order with those before, as the door judges them if nobody looks at single bytes.
  inside_ = core_.within_bounds(regions_);
  if (inside_) regions_.resize(before);
  return inside_;
}

Memory* Footprint::settle(std::string_view by) {
  for (Region& region : regions_) {
    region.steers = region.access == Access::kRead && (by.empty() || by == region.name);
  }
  inside_ = inside_ && core_.settle(regions_);
  return inside_ ? &core_.memory() : nullptr;
}

void Footprint::fail(Code code, std::string text, std::string legal) {
  core_.report(code, fmt::format("{}: {}", core_.who(), text), std::move(legal));
}

}  // namespace vinci
