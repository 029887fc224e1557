#include "tool/unwritten.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/instruction.h"
#include "core/registers.h"
#include "core/written_bytes.h"
#include "tool/is_record.h"
#include "vinci/dtype.h"
#include "vinci/record/move.h"

namespace vinci {
namespace {

// So many are enough to say where bytes come from.
constexpr size_t kMostResults = 256;
constexpr size_t kMostWrites = 256;
constexpr size_t kMostAddresses = 64;
// Copies move datablocks: behind what counts the last one of them may hold anything.
constexpr uint64_t kDatablock = 32;

// Copies that can move any number of bytes have no need to round up; blocks of columns in zN have.
bool writes_exactly(const Record& record) {
  if (is<FixpipeRecord>(record)) return static_cast<const FixpipeRecord&>(record).row_major;
  return is<DataCopyPadRecord>(record);
}

// Whether it fills up with a padding that nobody has set: the documents speak of random values.
bool takes_unset_padding(const Step& step) {
  return step.record.instruction->taken(step.record, step.registers) == Taken::kCopyPadding &&
         !step.registers.copy_padding_is_set;
}

// With another padding.
void run_padded(const Step& step, Memory& memory) {
  Registers registers = step.registers;
  registers.copy_padding = 0x48C94ACB494AC8CA;  // as bytes that somebody else might have left
  Step{step.record, step.plan, step.soc, registers, step.regions}.run(memory);
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
  writes_.clear();
  writes_ever_ = 0;
  scalar_write_.reset();
  loads_.clear();
  addresses_.clear();
  quiet_ = false;
}

// While instructions are held back, some that read an earlier tensor may still have to run.
void Unwritten::on_queue(CoreView& core, const QueueEvent& event) {
  if (event.step != QueueStep::kAlloc || event.filled_by != Pipe::kMte2) return;
  if (!core.runs_at_once()) return;
  finish_scalar_write();
  loads_.hand_out(core.space_of(event.position), event,
                  [&](Space space, const ByteSet& bytes) { spoil(space, bytes); });
}

// What an earlier copy has left is not what a kernel wants now.
void Unwritten::spoil(Space space, const ByteSet& bytes) {
  twin_.spoil(space, bytes);
  for (const Interval& interval : bytes.intervals()) drop_notes(space, interval);
}

void Unwritten::on_block_end(CoreView& core) {
  finish_scalar_write();
  tell_strays(core);
}

// What a pointer wrote far outside of its tensor, where nothing else was written.
void Unwritten::tell_strays(CoreView& core) const {
  for (int i = 1; i < kSpaces; ++i) {
    if (std::ranges::find(addresses_, Space(i), &Address::space) == addresses_.end()) continue;
    const Interval found = twin_.first_stray(Space(i));
    if (found == Interval{}) continue;
    const Address* nearest = nullptr;
    for (const Address& address : addresses_) {
      if (address.space != Space(i) || address.bytes.first > found.first) continue;
      if (nearest == nullptr || nearest->bytes.first <= address.bytes.first) nearest = &address;
    }
    if (nearest == nullptr) continue;
    core.note(Code::kLocalOverrun,
              fmt::format("GetPhyAddr: {} were written by no instruction, and lie in no tensor "
                          "whose address was asked for; the nearest has {}",
                          core.text_of(Space(i), found), core.text_of(Space(i), nearest->bytes)),
              "writes inside of the tensor", &nearest->origin);
  }
}

// What it should have written counts as written, lest each that reads it is told, too.
void Unwritten::on_left_out(CoreView& core, const Record&, std::span<const Region> regions) {
  finish_scalar_write();
  bool known = false;
  for (const Region& region : regions) {
    if (region.access == Access::kRead) continue;
    const Interval memory = region.space == Space::kGm
                                ? core.gm_buffer(region.first())
                                : Interval{0, core.bytes_of(region.space).size()};
    known = memory.first <= region.first() && region.first() < region.end() &&
            region.end() <= memory.end;
    if (!known) break;
    twin_.take_over(region);
  }
  quiet_ |= !known;
}

// Its bytes are there only when the access is over.
void Unwritten::finish_scalar_write() {
  if (!scalar_write_.has_value()) return;
  twin_.take_over(*scalar_write_);
  loads_.forget(*scalar_write_);
  scalar_write_.reset();
}

// Nobody sees what a pointer writes.
void Unwritten::on_address(CoreView& core, const Region& region) {
  finish_scalar_write();
  twin_.open(region);
  const Interval bytes{region.first(), region.end()};
  const bool known = std::ranges::any_of(addresses_, [&](const Address& address) {
    return address.space == region.space && address.bytes == bytes;
  });
  if (known || addresses_.size() == kMostAddresses) return;
  addresses_.push_back({region.space, bytes, core.origin()});
}

// What is remembered of bytes that hold nothing any more.
void Unwritten::drop_notes(Space space, Interval bytes) {
  const auto is_there = [&](Space where, Interval other) {
    return where == space && intersect(bytes, other);
  };
  std::erase_if(results_, [&](const Result& one) { return is_there(one.space, one.bytes); });
  for (Write& write : writes_) {
    if (is_there(write.space, write.bytes)) write.bytes = {};
  }
}

void Unwritten::on_forgotten(CoreView&, const Region& region) {
  finish_scalar_write();
  twin_.forget(region);
  loads_.forget(region);
  drop_notes(region.space, {region.first(), region.end()});
}

void Unwritten::on_scalar_access(CoreView& core, const Region& region) {
  finish_scalar_write();
  ++step_;
  if (region.access == Access::kWrite) {
    scalar_write_ = region;
    return;
  }
  loads_.look_at(region);
  if (quiet_) return;
  const Interval bytes = twin_.first_difference(region);
  if (bytes == Interval{}) return;
  tell(core, fmt::format("{}: reads", core.who()), root_of(core, region, bytes));
  twin_.take_over(region);
}

// Places that an earlier copy has left are places: in lanes that go nowhere they do no harm.
void Unwritten::tell_of_places(CoreView& core, const Region& region) {
  const Root root = root_of(core, region, twin_.first_difference(region));
  if (root.code != Code::kLeftBehind) {
    tell(core, fmt::format("{}: {} reads", core.who(), region.name), root);
  }
  twin_.take_over(region);
}

void Unwritten::before_run(CoreView& core, const Step& step) {
  finish_scalar_write();
  ++step_;
  root_.reset();
  if (quiet_) return;
  const Region* source = nullptr;  // most of whose bytes are unwritten: there is the mistake
  for (const Region& region : step.regions) {
    if (region.access == Access::kWrite) continue;
    if (!twin_.differs(region)) continue;
    if (region.steers) {
      tell_of_places(core, region);
      continue;
    }
    const bool more = source == nullptr ||
                      twin_.share_of_differences(region) > twin_.share_of_differences(*source);
    if (more) source = &region;
  }
  const bool pads = takes_unset_padding(step);
  if (source == nullptr && !pads) return;
  if (source != nullptr) {
    root_ = root_of(core, *source, twin_.first_difference(*source));
  } else {
    root_ = Root{.who = core.who(),
                 .origin = core.origin(),
                 .where = "padding of isPad = false",
                 .step = step_,
                 .is_padding = true};
  }
  std::optional<Memory> memory = twin_.prepare(step);
  if (!memory.has_value()) return root_.reset();
  pads ? run_padded(step, *memory) : step.run(*memory);
}

void Unwritten::after_run(CoreView& core, const Step& step) {
  if (root_.has_value()) twin_.settle(step.regions);
  for (const Region& region : step.regions) {
    if (region.access == Access::kRead) continue;
    if (!root_.has_value()) {
      take_over(core, region);
    } else if (region.space == Space::kGm) {
      judge_leaving(core, region, writes_exactly(step.record));
    } else if (twin_.differs(region)) {
      keep_result(region);
    }
  }
  if (loads_.concerns(step.regions)) follow_loads(core, step);
}

void Unwritten::follow_loads(CoreView& core, const Step& step) {
  if (!core.runs_at_once()) return;
  loads_.follow(core, step, [&](const Region& region, const ByteSet& bytes) {
    spoil(region.space, bytes);
    remember_write(core, region);
  });
}

void Unwritten::keep_result(const Region& region) {
  results_.push_back({region.space, {region.first(), region.end()}, *root_});
  if (results_.size() > kMostResults) results_.pop_front();
}

// Remembers who wrote beside what nobody has: later that is who wrote too little.
void Unwritten::take_over(CoreView& core, const Region& region) {
  if (!twin_.take_over(region)) return;
  const Interval bytes{region.first(), region.end()};
  const bool beside = twin_.differs(region.space, bytes.end) ||
                      (bytes.first > 0 && twin_.differs(region.space, bytes.first - 1));
  if (beside || !region.is_contiguous()) remember_write(core, region);
}

void Unwritten::remember_write(CoreView& core, const Region& region) {
  const Interval bytes{region.first(), region.end()};
  writes_.push_back({region.space, bytes, core.who(), core.origin()});
  ++writes_ever_;
  if (writes_.size() > kMostWrites) writes_.pop_front();
}

// Among those to the tensor that was read.
uint64_t Unwritten::nearest_write(const Region& region, Interval bytes) const {
  const Interval tensor{region.operand.address, region.operand.address + region.operand.bytes};
  uint64_t nearest = 0, least = UINT64_MAX;
  for (uint64_t number = writes_ever_; number > writes_ever_ - writes_.size(); --number) {
    const Write& write = writes_[writes_.size() - 1 - (writes_ever_ - number)];
    if (write.space != region.space || !intersect(write.bytes, tensor)) continue;
    // Those that end too early, first.
    uint64_t distance = 0;
    if (write.bytes.end <= bytes.first) distance = 2 * (bytes.first - write.bytes.end);
    if (bytes.end <= write.bytes.first) distance = 2 * (write.bytes.first - bytes.end) + 1;
    if (distance >= least) continue;
    least = distance;
    nearest = number;
  }
  return nearest;
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

// Tells of the first datablock that holds what is unknown, and is not just rounded up: what is
// stays unwritten, for who reads it back, and for the buffer's user, but at its end: there is no
// other way to write it. If a buffer is no whole datablocks, all of it is meant.
void Unwritten::judge_leaving(CoreView& core, const Region& region, bool exact) {
  WrittenBytes* written = core.written_bytes(region.first());
  // Workspaces have tails as buffers have: what of them matters shows where it is read.
  if (written != nullptr && written->is_scratch()) return keep_result(region);
  const uint64_t element = std::max<uint64_t>(bits_of(region.operand.dtype) / 8, 1);
  const uint64_t end = written == nullptr ? UINT64_MAX : written->end();
  const Interval buffer = core.gm_buffer(region.first());
  const bool has_end = (std::min(buffer.end, end) - buffer.first) % kDatablock == 0;
  const uint64_t last = has_end ? buffer.end - kDatablock : UINT64_MAX;
  Interval found;
  region.for_each_block([&](Interval block) {
    block.end = std::min(block.end, end);
    for (uint64_t at = block.first; at < block.end && found == Interval{}; at += kDatablock) {
      const Interval datablock{at, std::min(at + kDatablock, block.end)};
      if (exact ? !is_known(datablock) : !is_rounded_up(datablock, element)) found = datablock;
      if (written == nullptr || at < last || is_known(datablock)) continue;
      while (is_known({at, at + 1})) ++at;
      written->set_rounded_up(at);
    }
  });
  // On the chip they are the same each time.
  if (found != Interval{} || root_->code == Code::kLeftBehind) twin_.take_over(region);
  if (found == Interval{}) return;
  tell(core,
       fmt::format("{}: {} writes {} that come from", core.who(), region.name,
                   core.text_of(Space::kGm, found)),
       *root_);
}

Unwritten::Root Unwritten::root_of(CoreView& core, const Region& region, Interval bytes) const {
  const auto from = std::find_if(results_.rbegin(), results_.rend(), [&](const Result& result) {
    return result.space == region.space && intersect(result.bytes, bytes);
  });
  if (from != results_.rend()) return from->root;
  const bool in_gm = region.space == Space::kGm;
  return {core.who(),
          core.origin(),
          core.text_of(region.space, bytes),
          in_gm                                 ? core.written_bytes(bytes.first)->code()
          : loads_.is_over(region.space, bytes) ? Code::kLeftBehind
                                                : Code::kUnwritten,
          step_,
          in_gm ? 0 : nearest_write(region, bytes)};
}

void Unwritten::tell(CoreView& core, const std::string& what, const Root& root) const {
  const bool is_left = root.code == Code::kLeftBehind;
  std::string message = fmt::format("{} {}, which {}", what, root.where,
                                    is_left           ? "an earlier copy has left there"
                                    : root.is_padding ? "nothing has set"
                                                      : "nothing has written");
  std::string legal = root.is_padding ? "isPad = true, or SetPadValue before"
                      : is_left       ? "what this round of the kernel has written"
                      : root.code == Code::kUnwrittenOnDevice
                          ? "what the host has copied or set there, or a kernel has written"
                          : "what an instruction or SetValue has written before";
  std::vector<Fault::Place> also;
  if (root.nearest + writes_.size() > writes_ever_) {
    const Write& write = writes_[writes_.size() - 1 - (writes_ever_ - root.nearest)];
    also.push_back(core.place_of(fmt::format("{} writes {}, the nearest to them", write.who,
                                             core.text_of(write.space, write.bytes)),
                                 write.origin));
  }
  const bool here = root.step == step_;
  core.note_pair(
      root.code, std::move(message), std::move(legal),
      here ? "" : fmt::format("{} {} them", root.who, root.is_padding ? "wrote" : "reads"),
      root.origin, std::move(also));
}

}  // namespace vinci
