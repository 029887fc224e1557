// dcci: DataCacheCleanAndInvalid on a pointer.
//
// Sources and decisions: docs/spec/dcci.md.
#include "isa/sync/cache_lines.h"

namespace vinci::isa {

extern constinit const Instruction dcci = sync::cache_instruction("dcci", "dcci");

}  // namespace vinci::isa
