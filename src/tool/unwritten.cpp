#include "tool/unwritten.h"

#include <algorithm>

#include <fmt/format.h>

#include "tool/is_record.h"
#include "vinci/dtype.h"
#include "vinci/record/move.h"

namespace vinci {
namespace {

// So many are enough to say where bytes come from.
constexpr size_t kMostResults = 256;
// Copies move datablocks: behind what counts the last one of them may hold anything.
constexpr uint64_t kDatablock = 32;

// "bytes 0..31 of UB"
std::string text_of(const CoreView& core, Space space, Interval bytes) {
  const bool in_gm = space == Space::kGm;
  const uint64_t start = in_gm ? core.gm_buffer(bytes.first).first : 0;
  return fmt::format("bytes {}..{} of {}", bytes.first - start, bytes.end - start - 1,
                     in_gm ? "a GM buffer" : name_of(space));
}

// Copies that can move any number of bytes have no need to round up; blocks of columns in zN have.
bool writes_exactly(const Record& record) {
  if (is<FixpipeRecord>(record)) return static_cast<const FixpipeRecord&>(record).row_major;
  return is<DataCopyPadRecord>(record);
}

bool intersect(Interval one, Interval other) {
  return one.first < other.end && other.first < one.end;
}

}  // namespace

void Unwritten::on_block_begin(CoreView& core) {
  twin_.begin(core);
  step_ = 0;
  root_.reset();
  results_.clear();
  scalar_write_.reset();
}

// Its bytes are there only when the access is over.
void Unwritten::finish_scalar_write() {
  if (!scalar_write_.has_value()) return;
  twin_.take_over(*scalar_write_);
  scalar_write_.reset();
}

// Nobody sees what a pointer writes.
void Unwritten::on_address(CoreView&, const Region& region) {
  finish_scalar_write();
  twin_.open(region);
}

void Unwritten::on_scalar_access(CoreView& core, const Region& region) {
  finish_scalar_write();
  ++step_;
  if (region.access == Access::kWrite) {
    scalar_write_ = region;
    return;
  }
  const Interval bytes = twin_.first_difference(region);
  if (bytes == Interval{}) return;
  tell(core, fmt::format("{}: reads", core.who()), root_of(core, region, bytes));
  twin_.take_over(region);
}

void Unwritten::before_run(CoreView& core, const Step& step) {
  finish_scalar_write();
  ++step_;
  root_.reset();
  const Region* source = nullptr;  // most of whose bytes are unwritten: there is the mistake
  for (const Region& region : step.regions) {
    if (region.access == Access::kWrite) continue;
    if (!twin_.differs(region)) continue;
    if (region.steers) {
      tell(core, fmt::format("{}: {} reads", core.who(), region.name),
           root_of(core, region, twin_.first_difference(region)));
      twin_.take_over(region);
      continue;
    }
    const bool more = source == nullptr || twin_.share_of_differences(region) >
                                               twin_.share_of_differences(*source);
    if (more) source = &region;
  }
  if (source == nullptr) return;
  root_ = root_of(core, *source, twin_.first_difference(*source));
  std::optional<Memory> memory = twin_.prepare(step);
  if (memory.has_value()) return step.run(*memory);
  root_.reset();
}

void Unwritten::after_run(CoreView& core, const Step& step) {
  if (root_.has_value()) twin_.settle(step.regions);
  for (const Region& region : step.regions) {
    if (region.access == Access::kRead) continue;
    if (!root_.has_value()) {
      twin_.take_over(region);
    } else if (region.space == Space::kGm) {
      judge_leaving(core, region, writes_exactly(step.record));
    } else if (twin_.differs(region)) {
      results_.push_back({region.space, {region.first(), region.end()}, *root_});
      if (results_.size() > kMostResults) results_.pop_front();
    }
  }
}

bool Unwritten::is_known(Interval bytes) const {
  while (bytes.first < bytes.end && !twin_.gm_differs(bytes.first)) ++bytes.first;
  return bytes.first == bytes.end;
}

// Whether elements are known up to somewhere, and none behind that: so ends what was rounded up.
bool Unwritten::is_rounded_up(Interval datablock, uint64_t element) const {
  const auto is_known_at = [&](uint64_t at) {
    return is_known({at, std::min(at + element, datablock.end)});
  };
  if (!is_known_at(datablock.first)) return false;
  bool all_before = true;
  for (uint64_t at = datablock.first; at < datablock.end; at += element) {
    const bool known = is_known_at(at);
    if (known && !all_before) return false;
    all_before = known;
  }
  return true;
}

// Tells of the first datablock that holds what is unknown, and is not just rounded up.
void Unwritten::judge_leaving(CoreView& core, const Region& region, bool exact) {
  const uint64_t element = std::max<uint64_t>(bits_of(region.operand.dtype) / 8, 1);
  Interval found;
  region.for_each_block([&](Interval block) {
    for (uint64_t at = block.first; at < block.end && found == Interval{}; at += kDatablock) {
      const Interval datablock{at, std::min(at + kDatablock, block.end)};
      if (exact ? !is_known(datablock) : !is_rounded_up(datablock, element)) found = datablock;
    }
  });
  if (found == Interval{}) return;
  tell(core,
       fmt::format("{}: {} writes {} that come from", core.who(), region.name,
                   text_of(core, Space::kGm, found)),
       *root_);
}

Unwritten::Root Unwritten::root_of(CoreView& core, const Region& region, Interval bytes) const {
  const auto from = std::find_if(results_.rbegin(), results_.rend(), [&](const Result& result) {
    return result.space == region.space && intersect(result.bytes, bytes);
  });
  if (from != results_.rend()) return from->root;
  return {core.who(), core.origin(), text_of(core, region.space, bytes), step_};
}

void Unwritten::tell(CoreView& core, const std::string& what, const Root& root) const {
  std::string message = fmt::format("{} {}, which nothing has written", what, root.where);
  std::string legal = "what an instruction or SetValue has written before";
  if (root.step == step_) return core.note(Code::kUnwritten, std::move(message), std::move(legal));
  core.note_pair(Code::kUnwritten, std::move(message), std::move(legal),
                 fmt::format("{} reads them", root.who), root.origin);
}

}  // namespace vinci
