// The instructions, from the names of their files.
#include "core/instruction.h"

namespace vinci {

namespace isa {
#define VINCI_INSTRUCTION(mnemonic, folder, page) extern const Instruction mnemonic;
#include "instructions.inc"
#undef VINCI_INSTRUCTION
}  // namespace isa

std::span<const Instruction* const> all_instructions() {
  static const Instruction* const list[] = {
#define VINCI_INSTRUCTION(mnemonic, folder, page) &isa::mnemonic,
#include "instructions.inc"
#undef VINCI_INSTRUCTION
  };
  return list;
}

namespace {

struct Place {
  std::string_view mnemonic, folder, page;
};
constexpr Place kPlaces[] = {
#define VINCI_INSTRUCTION(mnemonic, folder, page) {#mnemonic, #folder, #page},
#include "instructions.inc"
#undef VINCI_INSTRUCTION
};

Place place_of(std::string_view mnemonic) {
  const auto* found = std::ranges::find(kPlaces, mnemonic, &Place::mnemonic);
  return found == std::end(kPlaces) ? Place{} : *found;
}

}  // namespace

std::string_view folder_of(std::string_view mnemonic) { return place_of(mnemonic).folder; }
std::string_view page_of(std::string_view mnemonic) { return place_of(mnemonic).page; }

}  // namespace vinci
