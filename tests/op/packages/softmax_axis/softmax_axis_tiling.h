#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(SoftmaxAxisTilingData)
  TILING_DATA_FIELD_DEF(int32_t, outer);
  TILING_DATA_FIELD_DEF(int32_t, length);
  TILING_DATA_FIELD_DEF(int32_t, inner);
  TILING_DATA_FIELD_DEF(int32_t, padded);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SoftmaxAxis, SoftmaxAxisTilingData)
}
