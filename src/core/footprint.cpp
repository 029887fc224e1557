// What a footprint asks of its core.
#include "core/footprint.h"

#include <fmt/format.h>

#include "core/core.h"

namespace vinci {

void Footprint::add_hidden(Space space, const char* name, Access access, uint64_t address,
                           uint64_t bytes) {
  const Operand all{0, soc().size_of(space), 0, Position::MAX, DType::kNone};
  add({all, name, access, true, address, bytes, 1, 0, 1, 0, nullptr, space});
}

FrontEnds Footprint::front_end() const { return core_.front_end(); }

bool Footprint::scatters(std::span<const Region> span) {
  const size_t before = regions_.size();
  for (const Region& region : span) add(region);
  if (!exact_) return false;
  const bool inside = core_.within_bounds(std::span(regions_).subspan(before));
  if (inside) regions_.resize(before);
  return inside;
}

Memory* Footprint::settle() { return core_.settle(regions_) ? &core_.memory() : nullptr; }

void Footprint::fail(Code code, std::string text, std::string legal) {
  core_.report(code, fmt::format("{}: {}", core_.who(), text), std::move(legal));
}

}  // namespace vinci
