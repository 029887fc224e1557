#include "tool/unit_flags.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/instruction.h"
#include "tool/is_record.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci {
namespace {

const Region* find(std::span<const Region> regions, Access access) {
  const auto found = std::ranges::find_if(regions, [=](const Region& region) {
    return region.space == Space::kL0C && region.access == access && !region.empty();
  });
  return found == regions.end() ? nullptr : &*found;
}

std::string bytes_of(const Region& region) {
  return fmt::format("bytes {}..{} of L0C", region.first(), region.end() - 1);
}

}  // namespace

void UnitFlags::look(CoreView& core, const Record& record, std::span<const Region> regions) {
  if (is<MmadRecord>(record)) {
    const uint8_t flag = static_cast<const MmadRecord&>(record).unit_flag;
    const Region* dst = find(regions, Access::kWrite);
    if (flag != 0 && dst != nullptr) multiply(core, *dst, flag);
  } else if (is<FixpipeRecord>(record)) {
    const uint8_t flag = static_cast<const FixpipeRecord&>(record).unit_flag;
    const Region* src = find(regions, Access::kRead);
    if (flag != 0 && src != nullptr) take_out(core, *src, flag);
  } else if (is<SetFixPipeConfigRecord>(record)) {
    if (static_cast<const SetFixPipeConfigRecord&>(record).unit_flag) up_.reset();
  }
}

// A part that is down is enough to say nothing: how much the two of a pair cover may differ, as
// where m is not whole fractals.
void UnitFlags::multiply(CoreView& core, const Region& dst, uint8_t flag) {
  bool all = true;
  for (uint64_t unit = dst.first() / kUnit; unit <= (dst.end() - 1) / kUnit; ++unit) {
    all = all && up_.test(unit);
    if (flag == kSets) up_.set(unit);
  }
  if (!all) return;
  core.note(
      Code::kFlagNotSet,
      fmt::format("{}: waits until the unit flags of {} are down, which an earlier product has "
                  "set; the chip would wait for ever",
                  core.who(), bytes_of(dst)),
      "unitFlag 2 for all products into one place but the last, and Fixpipe with 3 after it");
}

void UnitFlags::take_out(CoreView& core, const Region& src, uint8_t flag) {
  bool some = false;
  for (uint64_t unit = src.first() / kUnit; unit <= (src.end() - 1) / kUnit; ++unit) {
    some = some || up_.test(unit);
    if (flag == kSets) up_.reset(unit);
  }
  if (some) return;
  core.note(Code::kFlagNotSet,
            fmt::format("{}: waits until the unit flags of {} are up, and no product has set them; "
                        "the chip would wait for ever",
                        core.who(), bytes_of(src)),
            "unitFlag 3 for the last product before it");
}

}  // namespace vinci
