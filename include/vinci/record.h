// What crosses the door: an instruction and its parameters as plain data.
#pragma once

#include <cstdint>

#include "vinci/dtype.h"
#include "vinci/position.h"

namespace vinci {

struct Instruction;  // defined by src/isa/<group>/<mnemonic>.cpp

// The extent of a GlobalTensor whose SetGlobalBuffer gave no size.
inline constexpr uint64_t kUnknownExtent = ~uint64_t{0};

// A tensor as an instruction sees it.
struct Operand {
  uint64_t address = 0;     // GM: the host address; elsewhere: bytes from the start of the buffer
  uint64_t bytes = 0;       // the tensor's extent, or kUnknownExtent
  uint32_t allocation = 0;  // serial number of the AllocTensor behind it, 0 if there is none
  Position position = Position::GM;
  DType dtype = DType::kNone;
};

// Base of every record. The derived structs in record/ add operands and fields; they are trivially
// copyable, so that a tool may keep a record and run it later.
struct Record {
  const Instruction* instruction = nullptr;
};

// On functions whose call a kernel's line is known by: calls of them are not merged.
#if defined(__clang__)
#define VINCI_OWN_LINE __attribute__((nomerge))
#else
#define VINCI_OWN_LINE
#endif

// The door. Checks `record`, shows it to the tools and executes it on the calling thread's core.
// What the kernel did wrong becomes a fault; a faulty instruction writes nothing.
VINCI_OWN_LINE void issue(const Record& record);

}  // namespace vinci
