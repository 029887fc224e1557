// TCubeTiling as host code fills it: a class that may be a part of its own classes of tiling data.
#pragma once

#include "ascendc/matmul/tiling_data.h"
#include "register/tilingdata_base.h"

namespace optiling {

#define VINCI_FIELD(name) TILING_DATA_FIELD_DEF(int32_t, name)
BEGIN_TILING_DATA_DEF(TCubeTiling)
VINCI_MATMUL_TILING_FIELDS(VINCI_FIELD)
END_TILING_DATA_DEF;
#undef VINCI_FIELD

}  // namespace optiling
