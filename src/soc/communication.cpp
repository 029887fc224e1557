#include "soc/communication.h"

namespace vinci {

bool is_atlas_a3(const Soc& soc) { return soc.name.starts_with("Ascend910_93"); }

}  // namespace vinci
