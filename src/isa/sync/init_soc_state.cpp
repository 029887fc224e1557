// init_soc_state: the state that kernels before this one may have left behind, as at the start.
//
// Sources and decisions: docs/spec/init_soc_state.md.
#include "core/setter.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2002 | kArch2002Vector | kArch2201, setter::kNoElements}};

void advance(const Record&, const Soc& soc, Registers& registers) {
  registers.atomic = {};
  if (!soc.has(Feature::kInitsMasks)) return;
  registers.mask = {};
  registers.padding = 0;
  registers.load_boundary = 0;
}

constexpr Functions<Record> kFunctions{
    .signature = setter::no_elements<Record>, .pipe = Pipe::kS, .advance = advance};

}  // namespace

extern constinit const Instruction init_soc_state =
    make_instruction<kFunctions>("init_soc_state", "InitSocState", "InitSocState", kSupport);

}  // namespace vinci::isa
