#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(TilingData)
  TILING_DATA_FIELD_DEF(uint64_t, numRow);
  TILING_DATA_FIELD_DEF(uint64_t, numCol);
  TILING_DATA_FIELD_DEF(uint32_t, blockFactor);
  TILING_DATA_FIELD_DEF(uint32_t, rowFactor);
  TILING_DATA_FIELD_DEF(uint32_t, ubFactor);
  TILING_DATA_FIELD_DEF(float, epsilon);
  TILING_DATA_FIELD_DEF(float, avgFactor);
  TILING_DATA_FIELD_DEF(bool, hasBeta);
  TILING_DATA_FIELD_DEF_ARR(int8_t, 3, kind);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(AddRmsNormCustom, TilingData)
}
