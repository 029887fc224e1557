// Whether the bytes that instructions and scalar code touch are there.
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/core.h"
#include "core/last_datablock.h"
#include "core/no_address.h"
#include "numeric/dtype.h"
#include "vinci/gm_home.h"

namespace vinci {
namespace {

// Whether a tensor in GM was set to this buffer, or nobody knows to which.
bool is_home(const Operand& operand, const GmBuffer& buffer) {
  return operand.allocation == 0 || operand.allocation == buffer.home();
}

}  // namespace

uint32_t gm_home(const void* address) {
  Core* core = Core::current_or_null();
  const GmBuffer* buffer =
      core == nullptr ? nullptr : core->gm().find(reinterpret_cast<uint64_t>(address));
  return buffer == nullptr ? 0 : buffer->home();
}

uint32_t Core::usable_bytes(Space space) const {
  const Grid& grid = seat_.grid;
  const bool alone = whole_.aiv_per_aic() != 0 && (grid.aic == 0) != (grid.aiv == 0);
  return alone ? soc_.size_of(space) : soc_.usable_bytes(space);
}

bool Core::within_bounds(std::span<const Region> regions) {
  for (const Region& region : regions) {
    if (!is_inside(region) && !within_bounds(region, who())) return false;
  }
  return true;
}

// " (repeatTimes 4, dstGap 1)", where the instruction says it, or a register that the call takes.
std::string Core::reach_of(const Region& region) const {
  if (issuing_ == nullptr) return "";
  if (region.reach != nullptr) return fmt::format(" ({})", region.reach(*issuing_, soc_));
  const MaskRegister& mask = registers_.mask;
  const auto taken = issuing_->instruction->taken;
  if (!mask.counter || taken == nullptr || taken(*issuing_, registers_) != Taken::kMask) return "";
  return fmt::format(" (MASK counts {} elements)", uint32_t(mask.bits[0]));
}

namespace {

// The buffer that a tensor in GM was set to, or else the nearest one.
std::optional<GmBuffer> meant_buffer(const GlobalMemory& gm, const Operand& operand,
                                     uint64_t address) {
  const std::optional<GmBuffer> home =
      operand.allocation == 0 ? std::nullopt : gm.with_home(operand.allocation);
  return home ? home : gm.nearest(address);
}

// The same, unless it is so far away that it was never meant: the host's.
std::optional<GmBuffer> near_buffer(const GlobalMemory& gm, const Operand& operand,
                                    uint64_t address) {
  constexpr uint64_t kFar = uint64_t{1} << 38;
  std::optional<GmBuffer> nearest = meant_buffer(gm, operand, address);
  const uint64_t offset = nearest ? address - nearest->address() : 0;
  if (offset + kFar > 2 * kFar) nearest.reset();
  return nearest;
}

}  // namespace

namespace {

// Of an offset that a uint32_t was too small for: it was counted below 0.
std::string below_zero(int64_t offset, DType dtype) {
  const int64_t width = bits_of(dtype) / 8, wrapped = width << 32;
  if (width == 0 || offset < wrapped / 2 || offset >= wrapped) return "";
  return fmt::format(", by {} elements as a uint32_t", (offset - wrapped) / width);
}

}  // namespace

bool Core::within_gm(const Region& region, std::string_view who) {
  const uint64_t first = region.first();
  const uint64_t end = region.end();
  if (has_no_address(region.operand.address)) {
    report(Code::kOutOfGm,
           fmt::format("{}: {} is a GlobalTensor without an address", who, region.name),
           kGiveAddress);
    return false;
  }
  const GmBuffer* buffer = gm_.find(first);
  // Where constants lie, by chance, when somebody goes astray.
  if (buffer != nullptr && buffer->is_constant && !is_home(region.operand, *buffer))
    buffer = nullptr;
  if (buffer != nullptr && buffer->is_constant && region.access != Access::kRead) {
    report(Code::kOutOfGm, fmt::format("{}: {} writes constants of the program", who, region.name),
           "GM that the kernel is given");
    return false;
  }
  if (buffer != nullptr && end - buffer->address() <= buffer->bytes) {
    if (!is_home(region.operand, *buffer)) {
      report(Code::kOutOfGm,
             fmt::format("{}: {} {} bytes {}..{} of GM buffer {}, by an offset from another buffer",
                         who, region.name, verb_of(region.access), first - buffer->address(),
                         end - buffer->address() - 1, buffer->name),
             "bytes of the buffer that SetGlobalBuffer was given");
      return false;
    }
    // Of other instructions the documents say nothing, or that any byte will do.
    const bool by_elements = issuing_ == nullptr || issuing_->instruction->mnemonic == "data_copy";
    const uint64_t width = by_elements ? bits_of(region.operand.dtype) / 8 : 0;
    if (width < 2 || region.operand.address % width == 0) return true;
    report(Code::kMisaligned,
           fmt::format("{}: {} begins at byte {} of GM buffer {}, where no {} does", who,
                       region.name, region.operand.address - buffer->address(), buffer->name,
                       name_of(region.operand.dtype)),
           fmt::format("a multiple of {}", width));
    return false;
  }
  const std::optional<GmBuffer> nearest =
      buffer == nullptr ? near_buffer(gm_, region.operand, first) : *buffer;
  if (!nearest) {
    const bool has_none = !gm_.nearest(first);
    report(Code::kOutOfGm,
           fmt::format("{}: {} {} GM at {:#x}, {}{}", who, region.name, verb_of(region.access),
                       first, has_none ? "and there is no GM buffer" : "far from all GM buffers",
                       reach_of(region)),
           has_none ? "" : "a pointer to GM; memory of the host is none");
    return false;
  }
  const auto offset = int64_t(first - nearest->address());
  report(
      Code::kOutOfGm,
      fmt::format("{}: {} {} bytes {}..{} of GM buffer {}, which has {}{}{}", who, region.name,
                  verb_of(region.access), offset, offset + int64_t(end - first) - 1, nearest->name,
                  nearest->bytes, below_zero(offset, region.operand.dtype), reach_of(region)),
      nearest->bytes == 0 ? std::string("nothing: the buffer is empty")
                          : fmt::format("bytes 0..{}", nearest->bytes - 1));
  return false;
}

namespace {

// A view that lies nowhere in its tensor has no bytes; where it begins says why.
std::string empty_view(const Region& region, const GlobalMemory& gm) {
  const Operand& operand = region.operand;
  const std::string empty = fmt::format("a tensor of 0 bytes in {}", name_of(operand.position));
  const auto begin = [](int64_t at, std::string_view memory) {
    return fmt::format("a view without elements, which begins at byte {} of {}", at, memory);
  };
  if (region.space == Space::kGm) {
    const std::optional<GmBuffer> meant = meant_buffer(gm, operand, operand.address);
    if (!meant) return empty;
    const auto at = int64_t(operand.address - meant->address());
    return begin(at, "GM buffer " + meant->name) + below_zero(at, operand.dtype);
  }
  // Offsets have 32 bits: a negative one is many elements.
  const uint64_t wrapped = uint64_t(bits_of(operand.dtype)) / 8 << 32;
  const bool negative = operand.address >= wrapped / 2 && wrapped != 0;
  if (!negative) return operand.address == 0 ? empty : empty + ", t[i] behind the elements of t";
  return begin(int64_t(operand.address - wrapped), name_of(region.space)) +
         ", by a negative offset";
}

// "a tensor of 64 bytes in GM", and of which buffer these are the rest.
std::string name_of_tensor(const Region& region, const GlobalMemory& gm) {
  const Operand& operand = region.operand;
  if (operand.bytes == 0) return empty_view(region, gm);
  std::string text =
      fmt::format("a tensor of {} bytes in {}", operand.bytes, name_of(operand.position));
  const GmBuffer* buffer = region.space == Space::kGm ? gm.find(operand.address) : nullptr;
  if (buffer != nullptr && buffer->address() != operand.address) {
    text += fmt::format(", which begins at byte {} of GM buffer {}",
                        operand.address - buffer->address(), buffer->name);
  }
  return text;
}

}  // namespace

// Whether a region of a tensor in a local memory lies in both: the usual case, told without words.
bool Core::is_inside(const Region& region) const {
  const Operand& operand = region.operand;
  const uint64_t first = region.first();
  const uint64_t end = region.end();
  return region.within_tensor && first >= operand.address && first <= end &&
         end - operand.address <= operand.bytes && end <= soc_.size_of(region.space);
}

bool Core::within_bounds(const Region& region, std::string_view who) {
  const Operand& operand = region.operand;
  const Space space = region.space;
  const uint64_t first = region.first();
  const uint64_t end = region.end();
  if (region.within_tensor && operand.bytes != kUnknownExtent &&
      (first < operand.address || end - operand.address > operand.bytes)) {
    if (!stays_allocated(region)) {
      report_outside_tensor(Code::kOutOfTensor, region, who);
      return false;
    }
    // An instruction may be asked more than once, and for each of its pieces.
    if (issuing_ == nullptr || std::exchange(past_tensor_, serial_) != serial_)
      report_outside_tensor(Code::kPastTensor, region, who);
  }
  if (space == Space::kGm) return within_gm(region, who);
  const uint32_t size = soc_.size_of(space);
  if (end <= size && first <= end) return true;
  report(Code::kOutOfBuffer,
         fmt::format("{}: {} {} bytes {}..{} of {}, which has {} on {}{}", who, region.name,
                     verb_of(region.access), first, end - 1, name_of(space), size, soc_.name,
                     reach_of(region)),
         fmt::format("bytes 0..{}", int64_t(size) - 1));
  return false;
}

bool Core::stays_allocated(const Region& region) const {
  if (level_ == CheckLevel::kStrict) return false;
  const uint64_t first = region.first();
  const uint64_t end = region.end();
  if (caller_ != nullptr) {
    return region.space != Space::kGm && region.operand.address <= first && first <= end &&
           ends_in_last_datablock(region);
  }
  if (region.space == Space::kGm) {
    const GmBuffer* buffer = gm_.find(first);
    return buffer != nullptr && is_home(region.operand, *buffer) && first <= end &&
           end - buffer->address() <= buffer->bytes;
  }
  // Nothing is behind a tensor without bytes: it was never given any. What scalar code touches lies
  // in the buffer in which the tensor begins.
  const uint64_t begin = region.operand.address;
  return region.operand.bytes != 0 && first <= end && end <= soc_.size_of(region.space) &&
         buffers_.in_one(region.space, std::min(first, begin), std::max(end, begin));
}

void Core::report_outside_tensor(Code code, const Region& region, std::string_view who) {
  const Operand& operand = region.operand;
  auto offset = int64_t(region.first() - operand.address);
  // Offsets of elements have 32 bits: a negative one is many elements.
  const int64_t wrapped = int64_t(bits_of(operand.dtype)) / 8 << 32;
  if (issuing_ == nullptr && offset >= wrapped / 2) offset -= wrapped;
  report(code,
         fmt::format("{}: {} {} bytes {}..{} of {}{}", who, region.name, verb_of(region.access),
                     offset, offset + int64_t(region.end() - region.first()) - 1,
                     name_of_tensor(region, gm_), reach_of(region)),
         operand.bytes == 0 ? std::string("nothing: the tensor is empty")
                            : fmt::format("bytes 0..{}", operand.bytes - 1));
}

}  // namespace vinci
