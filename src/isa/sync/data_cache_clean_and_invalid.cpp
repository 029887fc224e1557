// data_cache_clean_and_invalid: the scalar unit's cache gives back what it holds. There is none
// here.
//
// Sources and decisions: docs/spec/data_cache_clean_and_invalid.md.
#include "isa/sync/cache_lines.h"

namespace vinci::isa {

extern constinit const Instruction data_cache_clean_and_invalid =
    sync::cache_instruction("data_cache_clean_and_invalid", "DataCacheCleanAndInvalid");

}  // namespace vinci::isa
