#ifndef SHIFT_CUSTOM_TILING_H
#define SHIFT_CUSTOM_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(TilingData)
  TILING_DATA_FIELD_DEF(uint32_t, length);
  TILING_DATA_FIELD_DEF(int32_t, by);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ShiftCustom, TilingData)
}
#endif
