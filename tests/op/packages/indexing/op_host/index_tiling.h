#ifndef INDEX_TILING_H
#define INDEX_TILING_H
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(IndexTilingData)
TILING_DATA_FIELD_DEF(uint64_t, count);
TILING_DATA_FIELD_DEF(uint32_t, row);
TILING_DATA_FIELD_DEF(int16_t, perCore);
TILING_DATA_FIELD_DEF(int64_t, rows);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(TakeRows, IndexTilingData)
REGISTER_TILING_DATA_CLASS(AddToRows, IndexTilingData)
}
#endif
