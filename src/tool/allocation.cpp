// Judges regions against the buffers of InitBuffer.
#include "tool/allocation.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/footprint.h"

namespace vinci {

void Allocation::on_reset(CoreView&) {
  for (auto& buffers : buffers_) buffers.clear();
}

void Allocation::on_buffer(CoreView& core, Position position, uint64_t address, uint64_t bytes) {
  buffers_[static_cast<int>(core.space_of(position))].push_back({address, bytes});
}

void Allocation::on_issue(CoreView& core, const Record& record, std::span<const Region> regions) {
  watches_.look(core, record, regions);
  for (const Region& region : regions) judge(core, region);
}

void Allocation::on_scalar_access(CoreView& core, const Region& region) {
  watches_.look_at_scalar(core, region);
  judge(core, region);
}

void Allocation::judge(CoreView& core, const Region& region) {
  const Space space = region.space;
  if (space == Space::kGm || int(space) >= kSpaces) return;
  const auto& buffers = buffers_[static_cast<int>(space)];
  if (buffers.empty()) return;
  const uint64_t first = region.first();
  const uint64_t end = region.end();
  const auto holds = [](const Buffer& buffer, uint64_t from, uint64_t to) {
    return from >= buffer.address && to <= buffer.address + buffer.bytes;
  };
  const bool in_one =
      std::ranges::any_of(buffers, [&](const Buffer& buffer) { return holds(buffer, first, end); });
  // What may leave its tensor may also lie in several buffers; they are handed out upwards from 0.
  if (!region.within_tensor && end <= buffers.back().address + buffers.back().bytes) {
    const uint64_t start = region.operand.address;
    const auto own = std::ranges::find_if(
        buffers, [&](const Buffer& buffer) { return holds(buffer, start, start + 1); });
    if (own == buffers.end() || holds(*own, first, end)) return;
    return core.note(
        Code::kPastTensor,
        fmt::format("{}: {} {} bytes {}..{} of {}, and the tensor's buffer is bytes {}..{}",
                    core.who(), region.name, verb_of(region.access), first, end - 1, name_of(space),
                    own->address, own->address + own->bytes - 1),
        "offsets that stay in the buffer of InitBuffer that holds the tensor");
  }
  if (in_one) return;
  core.note(
      Code::kUnallocated,
      fmt::format("{}: {} {} bytes {}..{} of {}, which lie in no one buffer of InitBuffer",
                  core.who(), region.name, verb_of(region.access), first, end - 1, name_of(space)),
      "bytes of one buffer that InitBuffer gave to a queue or a TBuf");
}

}  // namespace vinci
