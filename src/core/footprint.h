// The bytes that one instruction reads and writes, as regions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/state.h"
#include "vinci/fault.h"
#include "vinci/tool.h"

namespace vinci {

class Core;
class Memory;

class Footprint {
 public:
  // `soc` and `registers` are the core's.
  Footprint(Core& core, const Soc& soc, const Registers& registers)
      : core_(core), soc_(soc), registers_(registers) {}

  // Anew. `exact`: somebody looks at single bytes.
  void begin(bool exact) {
    regions_.clear();
    exact_ = exact;
    inside_ = true;
  }
  // Nothing is added for a region without bytes.
  void add(const Region& region) {
    if (region.block_bytes * region.blocks * region.repeats == 0) return;
    regions_.push_back(region);
    Space& space = regions_.back().space;
    if (space == Space::kNone) space = soc_.space_of(region.operand.position);
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
    add({operand, name, access, true, operand.address + offset, bytes, blocks, stride, 1, 0,
         reach});
  }
  // `bytes` bytes of a memory that no tensor lies in: Space::kSparse, Space::kCells.
  Region hidden(Space space, const char* name, Access access, uint64_t address,
                uint64_t bytes) const;
  void add_hidden(Space space, const char* name, Access access, uint64_t address, uint64_t bytes) {
    add(hidden(space, name, access, address, bytes));
  }

  // The span of bytes that lie scattered. If they are read, and nobody looks at single bytes, it is
  // all there is to add, and the answer is false; else it is judged, and true says to add the bytes.
  bool scatters(std::span<const Region> span);
  // Judges what must be there without being touched as a whole; false: it is not, which is told.
  bool judge(std::span<const Region> span);

  const Soc& soc() const { return soc_; }
  const Registers& registers() const { return registers_; }
  FrontEnds front_end() const;

  // Where data decide what else is touched: judges what was added so far, waits for the
  // instructions that still have to write it, and gives the memory to read it in; nullptr if some
  // of it lies where it must not, which has been reported.
  // It is the operand `by`, or all that was read so far, that decides.
  Memory* settle(std::string_view by = "");
  // "<api>: <text>" for what only the data show.
  void fail(Code code, std::string text, std::string legal);

 private:
  Core& core_;
  const Soc& soc_;
  const Registers& registers_;
  std::vector<Region> regions_;
  bool exact_ = false;
  bool inside_ = true;  // false: a region that was judged is not, which has been told
};

// "<instruction>: <operand> reads ..."
constexpr const char* verb_of(Access access) {
  return access == Access::kRead ? "reads" : "writes";
}

}  // namespace vinci
