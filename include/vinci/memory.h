// The bytes that instructions work on: those of a core, or a tool's own picture of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vinci/position.h"
#include "vinci/record.h"

namespace vinci {

struct Soc;
struct Cells;

// Where the bytes of each memory stand on the host.
struct Storage {
  uint8_t* first[kAllSpaces + 1] = {};  // by Space; nullptr: nothing is there. GM's is not used
  ptrdiff_t gm_shift = 0;               // from an address in GM to its byte here
};

class Memory {
 public:
  Memory(const Soc& soc, const Storage& storage);

  // Host memory of an operand's first byte.
  uint8_t* data(const Operand& operand) const {
    const Space space =
        operand.position < Position::MAX ? spaces_[int(operand.position)] : Space::kNone;
    if (space == Space::kGm) return reinterpret_cast<uint8_t*>(operand.address) + storage_.gm_shift;
    return start_of(space) + operand.address;
  }
  uint8_t* start_of(Space space) const { return storage_.first[int(space)]; }
  Cells& cells() const { return *reinterpret_cast<Cells*>(start_of(Space::kCells)); }

 private:
  const Space* spaces_;  // by Position
  Storage storage_;
};

}  // namespace vinci
