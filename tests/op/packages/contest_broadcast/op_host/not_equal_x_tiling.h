
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(NotEqualXTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, size);
  TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(NotEqualX, NotEqualXTilingData)

BEGIN_TILING_DATA_DEF(NotEqualXTilingData_BroadCast)
  TILING_DATA_FIELD_DEF_ARR(int64_t, 64, ss);
  TILING_DATA_FIELD_DEF(int64_t, dim);
  TILING_DATA_FIELD_DEF_ARR(int32_t, 3, numshapes);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(NotEqualX_2, NotEqualXTilingData_BroadCast)
}
