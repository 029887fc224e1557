// The order of scores, and the merge of sorted queues.
#include "isa/family/sort.h"

#include <fmt/format.h>

namespace vinci::vector {
namespace {

int32_t key_at(const uint8_t* score, DType dtype) {
  if (dtype == DType::kHalf) {
    uint16_t bits;
    std::memcpy(&bits, score, sizeof(bits));
    return score_key(bits);
  }
  uint32_t bits;
  std::memcpy(&bits, score, sizeof(bits));
  return score_key(bits);
}

constexpr unsigned kQueues = 4;

bool valid(const MergeSortRecord& record, unsigned queue) {
  return (record.valid >> queue & 1) != 0;
}

uint64_t length_of(const MergeSortRecord& record, unsigned queue) {
  return valid(record, queue) ? record.lengths[queue] : 0;
}

uint64_t total_of(const MergeSortRecord& record) {
  uint64_t total = 0;
  for (unsigned queue = 0; queue < kQueues; ++queue) total += length_of(record, queue);
  return total;
}

// Repeats take effect only for four queues of one length that follow each other, all merged whole.
bool may_repeat(const MergeSortRecord& record, const MergeLayout& layout) {
  if (record.valid != 15 || record.stop_when_one_is_empty) return false;
  const uint64_t bytes = uint64_t(record.lengths[0]) * layout.record_bytes;
  for (unsigned queue = 1; queue < kQueues; ++queue) {
    if (record.lengths[queue] != record.lengths[0] ||
        record.src[queue].address != record.src[0].address + queue * bytes) {
      return false;
    }
  }
  return true;
}

uint64_t repeats_of(const MergeSortRecord& record, const MergeLayout& layout) {
  return record.repeats > 1 && !may_repeat(record, layout) ? 1 : uint64_t(record.repeats);
}

// How many elements of each queue a merge took.
struct MergeCounts {
  uint16_t taken[kQueues] = {};
};

// One merge: take(record's address) in order.
template <class Take>
MergeCounts merge(const MergeSortRecord& record, const MergeLayout& layout, const Memory& memory,
                  uint64_t offset, Take take) {
  MergeCounts counts;
  const uint8_t* head[kQueues] = {};
  int32_t keys[kQueues] = {};
  uint64_t left[kQueues];
  const auto read_key = [&](unsigned queue) {
    if (left[queue] != 0) keys[queue] = key_at(head[queue] + layout.score_offset, record.dst.dtype);
  };
  for (unsigned queue = 0; queue < kQueues; ++queue) {
    left[queue] = length_of(record, queue);
    if (left[queue] != 0) head[queue] = memory.data(record.src[queue]) + offset;
    read_key(queue);
  }
  for (uint64_t count = total_of(record); count > 0; --count) {
    unsigned best = kQueues;
    for (unsigned queue = 0; queue < kQueues; ++queue) {
      if (left[queue] != 0 && (best == kQueues || keys[queue] > keys[best])) best = queue;
    }
    take(head[best]);
    head[best] += layout.record_bytes;
    ++counts.taken[best];
    if (--left[best] == 0 && record.stop_when_one_is_empty) break;
    read_key(best);
  }
  return counts;
}

// A repeat's result is a later one's source. TIK refuses it.
void tell_of_later(std::string text, Check& check) {
  if (check.in_tik()) {
    check.fail(Code::kOverlap, std::move(text), kNoLaterSource);
  } else {
    check.warn(Code::kRepeatFeedsNext, std::move(text), kNoLaterSource);
  }
}

constexpr const char* kQueueNames[kQueues] = {"src1", "src2", "src3", "src4"};

}  // namespace

void sort_scores(const uint8_t* scores, DType dtype, uint64_t step, unsigned count,
                 uint8_t* numbers) {
  // A score and, below it, how far from the end it stands: all different.
  int64_t keys[kMostLanes];
  for (unsigned i = 0; i < count; ++i) {
    keys[i] = int64_t(key_at(scores + i * step, dtype)) * 256 + (255 - int64_t(i));
  }
  std::sort(keys, keys + count, std::greater<>());
  for (unsigned i = 0; i < count; ++i) numbers[i] = uint8_t(255 - (keys[i] & 255));
}

void check_repeats(const Repeated& dst, const Repeated& src, int32_t repeats, Check& check) {
  if (!check.ok()) return;
  for (int32_t repeat = 0; repeat < repeats; ++repeat) {
    const uint64_t to = dst.operand->address + uint64_t(repeat) * dst.bytes;
    const uint64_t from = src.operand->address + uint64_t(repeat) * src.bytes;
    if (to != from && overlap(to, to + dst.bytes, from, from + src.bytes)) {
      check.fail(Code::kOverlap,
                 fmt::format("{} and {} overlap in part in repeat {}", dst.name, src.name, repeat),
                 "the same start, or no overlap");
      return;
    }
    const RepeatedReads reads{src.operand->address, src.bytes, src.bytes, uint64_t(repeats) - 1,
                              check.in_tik()};
    const auto reader = int32_t(
        later_reader(reads, uint64_t(repeat), {to, to + dst.bytes}, [](uint64_t) { return true; }));
    if (reader != repeat) {
      // What comes behind works on results of this call, and is not looked at.
      tell_of_later(fmt::format("{} of repeat {} overwrites {} of repeat {}", dst.name, repeat,
                                src.name, reader),
                    check);
      return;
    }
  }
}

void check_merge(const MergeSortRecord& record, const MergeLayout& layout, Check& check) {
  check.range("repeatTimes", record.repeats, layout.least_repeats, 255);
  if (record.valid != 3 && record.valid != 7 && record.valid != 15) {
    check.fail(Code::kRange,
               fmt::format("validBit {} is not legal on {}", record.valid, check.soc().name),
               "3, 7, 15");
  }
  const auto check_place = [&](const char* name, const Operand& operand, unsigned alignment) {
    check.in_space(name, operand, Space::kUb);
    if (check.ok()) check.aligned(name, operand, alignment);
  };
  check_place("dst", record.dst, layout.dst_alignment);
  for (unsigned queue = 0; queue < kQueues; ++queue) {
    if (!valid(record, queue)) continue;
    check_place(kQueueNames[queue], record.src[queue], layout.src_alignment);
    check.range(fmt::format("elementLengths[{}]", queue), record.lengths[queue], 0, 4095);
  }
  if (!check.ok()) return;
  const uint64_t repeats = repeats_of(record, layout);
  if (repeats < uint64_t(record.repeats)) {
    check.warn(
        Code::kNoEffect,
        fmt::format("repeatTimes {} has no effect: the queues are merged once", record.repeats),
        "four queues of equal lengths that follow each other, validBit 15, "
        "ifExhaustedSuspension false");
  }
  const uint64_t dst_bytes = repeats * total_of(record) * layout.record_bytes;
  for (unsigned queue = 0; queue < kQueues; ++queue) {
    const uint64_t length = length_of(record, queue);
    if (length == 0 || repeats == 0) continue;
    const uint64_t bytes = ((repeats - 1) * total_of(record) + length) * layout.record_bytes;
    const uint64_t dst = record.dst.address, src = record.src[queue].address;
    if (!overlap(dst, dst + dst_bytes, src, src + bytes)) continue;
    check.fail(Code::kOverlap, fmt::format("dst and {} overlap", kQueueNames[queue]), "no overlap");
    return;
  }
}

void add_merge(const MergeSortRecord& record, const MergeLayout& layout, Footprint& footprint) {
  const uint64_t repeats = repeats_of(record, layout);
  const uint64_t total = total_of(record);
  const int64_t step = int64_t(total * layout.record_bytes);
  for (unsigned queue = 0; queue < kQueues; ++queue) {
    const uint64_t bytes = length_of(record, queue) * layout.record_bytes;
    footprint.add_blocks(record.src[queue], kQueueNames[queue], Access::kRead, 0, bytes, repeats,
                         step);
  }
  uint64_t results = repeats * total;
  if (record.stop_when_one_is_empty && repeats != 0) {
    // Where it stops depends on the scores.
    const Memory* memory = footprint.settle();
    if (memory == nullptr) return;
    results = 0;
    merge(record, layout, *memory, 0, [&](const uint8_t*) { ++results; });
  }
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0, results * layout.record_bytes);
  if (repeats != 0) {
    footprint.add_hidden(Space::kCells, "the merge counts", Access::kWrite, offsetof(Cells, merged),
                         sizeof(Cells::merged));
  }
}

void inspect_merge(const MergeSortRecord& record, const MergeLayout& layout, const Memory& memory,
                   std::vector<Finding>& findings) {
  const uint64_t step = total_of(record) * layout.record_bytes;
  const auto key_of = [&](const uint8_t* from) {
    return key_at(from + layout.score_offset, record.dst.dtype);
  };
  for (uint64_t repeat = 0; repeat < repeats_of(record, layout); ++repeat) {
    const MergeCounts counts = merge(record, layout, memory, repeat * step, [](const uint8_t*) {});
    for (unsigned queue = 0; queue < kQueues; ++queue) {
      if (counts.taken[queue] == 0) continue;
      const uint8_t* at = memory.data(record.src[queue]) + repeat * step;
      for (unsigned i = 1; i < counts.taken[queue]; ++i, at += layout.record_bytes) {
        if (key_of(at) >= key_of(at + layout.record_bytes)) continue;
        findings.push_back({Code::kUnsorted,
                            fmt::format("{} is not sorted: the score of its record {} is larger "
                                        "than that of record {}{}",
                                        kQueueNames[queue], i, i - 1,
                                        repeat == 0 ? "" : fmt::format(", in repeat {}", repeat)),
                            "the largest score first"});
        return;
      }
    }
  }
}

void run_merge(const MergeSortRecord& record, const MergeLayout& layout, Memory& memory) {
  uint8_t* dst = memory.data(record.dst);
  const uint64_t step = total_of(record) * layout.record_bytes;
  const uint64_t repeats = repeats_of(record, layout);
  for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
    const MergeCounts counts =
        merge(record, layout, memory, repeat * step, [&](const uint8_t* from) {
          std::memcpy(dst, from, layout.record_bytes);
          dst += layout.record_bytes;
        });
    std::ranges::copy(counts.taken, memory.cells().merged);
  }
}

}  // namespace vinci::vector
