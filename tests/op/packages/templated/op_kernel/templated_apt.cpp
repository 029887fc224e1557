// y = x * TIMES + shift, with the types and numbers of the template's arguments.
#include "kernel_operator.h"
#include "templated_keys.h"
#include "templated_tiling.h"
using namespace AscendC;

template <typename TYPE, int TIMES, bool SHIFTED>
__global__ __aicore__ void times_and_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(TemplatedTilingData);
  GET_TILING_DATA(t, tiling);
  static_assert(sizeof(TYPE) == sizeof(DTYPE_X));
#if ORIG_DTYPE_X == DT_FLOAT16
  static_assert(sizeof(TYPE) == 2);
#elif ORIG_DTYPE_X == DT_INT32 && FORMAT_X == FORMAT_ND
  static_assert(sizeof(TYPE) == 4);
#else
#error "another row"
#endif
  GlobalTensor<TYPE> from, to;
  from.SetGlobalBuffer((__gm__ TYPE*)x, t.length);
  to.SetGlobalBuffer((__gm__ TYPE*)y, t.length);
  for (uint32_t i = 0; i < t.length; ++i) {
    const float value = float(from.GetValue(i)) * TIMES;
    to.SetValue(i, TYPE(value + (SHIFTED ? float(t.shift) : 0.0f)));
  }
}
