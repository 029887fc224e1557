// Checks and footprint of the library's vector functions.
#include "isa/library/frame.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/memory.h"

namespace vinci::library {
namespace {

bool meet(const Part& a, const Part& b) {
  return vector::overlap(a.begin(), a.end(), b.begin(), b.end());
}

// An operand that reaches further than its tensor does: that is how it comes to overlap.
std::string name_with_reach(const Part& part) {
  const uint64_t reach = part.end() - part.operand->address;
  if (reach <= part.operand->bytes) return part.name;
  return fmt::format("{} (bytes 0..{} of a tensor of {})", part.name, reach - 1,
                     part.operand->bytes);
}

std::string text_of_overlap(const Part& one, const Part& other) {
  return fmt::format("{} and {} overlap", name_with_reach(one), name_with_reach(other));
}

Part scratch_of(const Call& call) {
  return {"sharedTmpBuffer", &call.tmp, Access::kWrite, call.tmp_bytes};
}

void check_scratch(const Call& call, const Parts& parts, Check& check) {
  const Part scratch = scratch_of(call);
  vector::check_operand(scratch.name, call.tmp, check);
  if (call.tmp.bytes < call.tmp_bytes) {
    check.fail(
        Code::kOutOfTensor, fmt::format("sharedTmpBuffer has {} bytes", call.tmp.bytes),
        fmt::format("{} bytes or more; the Get...MaxMinTmpSize of the function says how many",
                    call.tmp_bytes));
    return;
  }
  for (const Part& part : parts.all()) {
    if (!meet(scratch, part)) continue;
    check.fail(Code::kOverlap, text_of_overlap(scratch, part),
               "memory of its own for sharedTmpBuffer");
    return;
  }
}

// A source that is used up, and that no result takes the place of.
bool is_used_up(const Call& call, const Parts& parts, const Part& part) {
  const ptrdiff_t source = part.operand - call.src;
  const auto is_in_place = [&](const Part& other) {
    return other.access == Access::kWrite && meet(other, part);
  };
  return part.access == Access::kRead && (call.used_up >> source & 1) != 0 &&
         std::ranges::none_of(parts.all(), is_in_place);
}

bool may_be_one(const Call& call, const Operand& written, const Operand& read, Overlaps overlaps) {
  const ptrdiff_t result = &written - call.dst, source = &read - call.src;
  switch (overlaps) {
    case Overlaps::kNever: return false;
    case Overlaps::kFirst: return result == 0 && source == 0;
    case Overlaps::kPairs: return result == source || (result == 4 && source == 3);
    case Overlaps::kSame: return true;
  }
  return false;
}

}  // namespace

void check_parts(const Call& call, const Parts& parts, Overlaps overlaps, Check& check) {
  for (const Part& part : parts.all()) vector::check_operand(part.name, *part.operand, check);
  if (!check.ok()) return;
  for (const Part& written : parts.all()) {
    if (written.access != Access::kWrite) continue;
    for (const Part& read : parts.all()) {
      if (read.operand == written.operand || !meet(written, read)) continue;
      if (read.access == Access::kWrite && &read > &written) continue;
      const bool may = may_be_one(call, *written.operand, *read.operand, overlaps);
      const bool same = written.begin() == read.begin() && read.access == Access::kRead;
      if (same && may) continue;
      check.fail(Code::kOverlap, text_of_overlap(written, read),
                 may ? "the same start, or no overlap" : "no overlap");
      return;
    }
  }
  if (given(call.tmp) && call.tmp_bytes != 0) check_scratch(call, parts, check);
}

void add_parts(const Call& call, const Parts& parts, Footprint& footprint) {
  for (const Part& part : parts.all()) {
    footprint.add_blocks(*part.operand, part.name, part.access, part.offset, part.bytes, part.rows,
                         int64_t(part.pitch));
  }
  for (const Part& part : parts.all()) {
    if (!is_used_up(call, parts, part)) continue;
    footprint.add_blocks(*part.operand, part.name, Access::kWrite, part.offset, part.bytes,
                         part.rows, int64_t(part.pitch));
  }
  if (given(call.tmp)) {
    const Part scratch = scratch_of(call);
    footprint.add_bytes(call.tmp, scratch.name, Access::kWrite, 0, scratch.bytes);
  }
}

void spoil_scratch(const Call& call, Memory& memory) {
  if (given(call.tmp)) std::memset(memory.data(call.tmp), kPoison, call.tmp_bytes);
}

void spoil_sources(const Call& call, const Parts& parts, Memory& memory) {
  for (const Part& part : parts.all()) {
    if (!is_used_up(call, parts, part)) continue;
    uint8_t* const first = memory.data(*part.operand) + part.offset;
    for (uint64_t row = 0; row < part.rows; ++row) {
      std::memset(first + row * part.pitch, kPoison, part.bytes);
    }
  }
}

void reset_mask(const Call&, const Soc&, Registers& registers) { registers.mask = {}; }

}  // namespace vinci::library
