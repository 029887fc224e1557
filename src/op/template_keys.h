// What the host's code has told of template kernels' keys.
#pragma once

#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

namespace vinci::op {

// {"arguments": "half, 8, 1", "names": "D_T_X=1, TILE_NUM=8, IS_SPLIT=1", "selected": true,
//  "kernel_type": "AIV_ONLY" or "", "tiling_struct": "" or a name}, of a key that this thread made.
std::optional<nlohmann::json> template_key(uint64_t key);

}  // namespace vinci::op
