// Which axis is reduced: host and kernels name it.
#pragma once

#include <cstdint>

namespace AscendC {

enum class ReducePattern : uint32_t { AR = 0, RA = 1 };

}  // namespace AscendC
