// The instructions, from the names of their files.
#include "core/instruction.h"

namespace vinci {

namespace isa {
#define VINCI_INSTRUCTION(mnemonic, folder) extern const Instruction mnemonic;
#include "instructions.inc"
#undef VINCI_INSTRUCTION
}  // namespace isa

std::span<const Instruction* const> all_instructions() {
  static const Instruction* const list[] = {
#define VINCI_INSTRUCTION(mnemonic, folder) &isa::mnemonic,
#include "instructions.inc"
#undef VINCI_INSTRUCTION
  };
  return list;
}

std::string_view folder_of(std::string_view mnemonic) {
  static constexpr std::pair<std::string_view, std::string_view> kFolders[] = {
#define VINCI_INSTRUCTION(mnemonic, folder) {#mnemonic, #folder},
#include "instructions.inc"
#undef VINCI_INSTRUCTION
  };
  const auto* found =
      std::ranges::find(kFolders, mnemonic, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kFolders) ? "" : found->second;
}

}  // namespace vinci
