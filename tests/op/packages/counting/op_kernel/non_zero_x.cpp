#include "kernel_operator.h"

extern "C" __global__ __aicore__ void non_zero_x(GM_ADDR x, GM_ADDR values, GM_ADDR places, GM_ADDR count,
                                                 GM_ADDR shapeOut, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  constexpr uint64_t UINT64_SHAPE_FLAG = 0x0000000080000000ULL;
  constexpr uint32_t SHAPE_SLOT_SIZE = 9;
  AscendC::GlobalTensor<DTYPE_X> xGm;
  AscendC::GlobalTensor<DTYPE_VALUES> valuesGm;
  AscendC::GlobalTensor<int64_t> placesGm;
  AscendC::GlobalTensor<int32_t> countGm;
  AscendC::GlobalTensor<uint64_t> shapeGm;
  xGm.SetGlobalBuffer((__gm__ DTYPE_X*)x, t.count);
  valuesGm.SetGlobalBuffer((__gm__ DTYPE_VALUES*)values, t.count);
  placesGm.SetGlobalBuffer((__gm__ int64_t*)places, t.count * t.rank);
  countGm.SetGlobalBuffer((__gm__ int32_t*)count, 1);
  shapeGm.SetGlobalBuffer((__gm__ uint64_t*)shapeOut, 2 * SHAPE_SLOT_SIZE);
  uint64_t found = 0;
  for (uint32_t i = 0; i < t.count; ++i) {
    const DTYPE_X value = xGm.GetValue(i);
    if (value == 0) continue;
    valuesGm.SetValue(found, value);
    uint32_t rest = i;
    for (uint32_t k = t.rank; k-- > 0; rest /= t.dims[k]) {
      placesGm.SetValue(found * t.rank + k, rest % t.dims[k]);
    }
    ++found;
  }
  countGm.SetValue(0, found);
  shapeGm.SetValue(0, 1);
  shapeGm.SetValue(1, found);
  shapeGm.SetValue(SHAPE_SLOT_SIZE, UINT64_SHAPE_FLAG | 2);
  shapeGm.SetValue(SHAPE_SLOT_SIZE + 1, found);
  shapeGm.SetValue(SHAPE_SLOT_SIZE + 2, t.rank);
}
