// GetValue, SetValue and t(i), and pointers to tensors: what scalar code sees of the memories.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "core/footprint.h"
#include "core/cores/round_writes.h"

namespace vinci {

void* Core::harmless(size_t bytes) {
  const size_t lines = (bytes + sizeof(HarmlessLine) - 1) / sizeof(HarmlessLine);
  auto& cell = harmless_[lines];
  cell.resize(lines);
  return cell.data();
}

void* Core::scalar_access(const Operand& tensor, uint64_t offset, uint32_t bytes, Access access,
                          bool by_reference) {
  begin_step();
  schedule_.scalar_access();
  const std::string_view who = caller_ != nullptr        ? caller_->api
                               : access == Access::kRead ? "GetValue"
                                                         : "SetValue";
  if (is_foreign(tensor.position)) {
    leave_out(who);
    return zeros(bytes);
  }
  const Space space = soc_.space_of(tensor.position);
  const bool beside_others = space == Space::kGm && is_beside_others();
  if (level_ != CheckLevel::kOff) {
    const Region region{tensor, "the tensor", access, true, tensor.address + offset, bytes, 1, 0, 1,
                        0,      nullptr,      space};
    if (space == Space::kNone || (space != Space::kGm && local_.data(space) == nullptr)) {
      report(
          Code::kSocPosition,
          fmt::format("{}: {} has no memory behind {}", who, soc_.name, name_of(tensor.position)),
          "");
      return harmless(bytes);
    }
    if (!within_bounds(region, who)) return harmless(bytes);
    if (caller_ == nullptr && buffers_.in_gap(space, region.first(), region.end())) [[unlikely]] {
      note(Code::kPastTensor,
           fmt::format("{}: the tensor {} bytes {}..{} of {}, of a buffer whose bytes before them "
                       "are all that InitBuffer was asked for",
                       who, verb_of(access), region.first(), region.end() - 1, name_of(space)),
           "so many bytes as InitBuffer was given; the rest of their last datablock is for copies");
    }
    // Before tools look at what is there: to them what changes from then on is a write.
    if (by_reference && beside_others) look_by_reference(data(tensor) + offset, bytes);
    const auto hook = by_reference ? &Tool::on_scalar_reference : &Tool::on_scalar_access;
    for (Tool* tool : tools_) (tool->*hook)(*this, region);
    if (stop_requested_) stop();
  }
  uint8_t* place = data(tensor) + offset;
  if (!beside_others) return place;
  if (by_reference) {
    if (level_ == CheckLevel::kOff) look_by_reference(place, bytes);
    return place;
  }
  if (access == Access::kRead) return read_beside_others(place, bytes);
  looks_.act();
  seat_.writes->before_write(seat_.core, place, bytes);
  return place;
}

void Core::forget(Position position, Interval bytes) {
  const Space space = soc_.space_of(position);
  if (bytes.first == bytes.end || local_.data(space) == nullptr) return;
  schedule_.drain();
  const uint64_t count = bytes.end - bytes.first;
  std::memset(local_.data(space) + bytes.first, kPoison, count);
  const Operand tensor{.address = bytes.first, .bytes = count, .position = position};
  const Region region{tensor, "the tensor", Access::kWrite, true, bytes.first, count, 1, 0, 1,
                      0,      nullptr,      space};
  for (Tool* tool : tools_) tool->on_forgotten(*this, region);
}

void* Core::address_of(const Operand& tensor) {
  const Space space = soc_.space_of(tensor.position);
  if (space == Space::kNone) return nullptr;  // the chip lacks it: tools have nothing to look at
  const uint64_t size = local_.bytes(space), first = std::min(tensor.address, size);
  // Of a tensor without elements the pointer is what counts.
  const uint64_t bytes = tensor.bytes == 0 ? size - first : std::min(tensor.bytes, size - first);
  const Region region{tensor, "the tensor", Access::kWrite, true, first, bytes, 1, 0, 1,
                      0,      nullptr,      space};
  for (Tool* tool : tools_) tool->on_address(*this, region);
  return data(tensor);
}

}  // namespace vinci
