// The instructions, from the names of their files.
#include "core/instruction.h"

namespace vinci {

namespace isa {
#define VINCI_INSTRUCTION(mnemonic) extern const Instruction mnemonic;
#include "instructions.inc"
#undef VINCI_INSTRUCTION
}  // namespace isa

std::span<const Instruction* const> all_instructions() {
  static const Instruction* const list[] = {
#define VINCI_INSTRUCTION(mnemonic) &isa::mnemonic,
#include "instructions.inc"
#undef VINCI_INSTRUCTION
  };
  return list;
}

}  // namespace vinci
