// The bytes that one instruction reads and writes, as regions.
#pragma once

#include <span>
#include <vector>

#include "vinci/tool.h"

namespace vinci {

class Footprint {
 public:
  void clear() { regions_.clear(); }
  // Nothing is added for a region without bytes.
  void add(const Region& region) {
    if (region.block_bytes * region.blocks * region.repeats != 0) regions_.push_back(region);
  }
  std::span<const Region> regions() const { return regions_; }

  // `bytes` contiguous bytes from `offset` bytes into the operand.
  void add_bytes(const Operand& operand, const char* name, Access access, uint64_t offset,
                 uint64_t bytes, decltype(Region::reach) reach = nullptr) {
    add_blocks(operand, name, access, offset, bytes, 1, 0, reach);
  }
  // `blocks` blocks of `bytes`, `stride` bytes from start to start.
  void add_blocks(const Operand& operand, const char* name, Access access, uint64_t offset,
                  uint64_t bytes, uint64_t blocks, int64_t stride,
                  decltype(Region::reach) reach = nullptr) {
    add({&operand, name, access, true, operand.address + offset, bytes, blocks, stride, 1, 0,
         reach});
  }

 private:
  std::vector<Region> regions_;
};

// "<instruction>: <operand> reads ..."
constexpr const char* verb_of(Access access) {
  return access == Access::kRead ? "reads" : "writes";
}

inline uint64_t Region::first() const {
  const int64_t block_span = int64_t(blocks - 1) * block_stride;
  const int64_t repeat_span = int64_t(repeats - 1) * repeat_stride;
  return address +
         uint64_t((block_span < 0 ? block_span : 0) + (repeat_span < 0 ? repeat_span : 0));
}

inline uint64_t Region::end() const {
  const int64_t block_span = int64_t(blocks - 1) * block_stride;
  const int64_t repeat_span = int64_t(repeats - 1) * repeat_stride;
  return address + block_bytes +
         uint64_t((block_span > 0 ? block_span : 0) + (repeat_span > 0 ? repeat_span : 0));
}

}  // namespace vinci
