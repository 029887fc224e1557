#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
using namespace AscendC;

__aicore__ inline float number(float value) { return value; }
__aicore__ inline float number(bfloat16_t value) { return ToFloat(value); }
template <class T>
__aicore__ inline T element(float value) {
  if constexpr (sizeof(T) == 2) {
    return ToBfloat16(value);
  } else {
    return value;
  }
}

extern "C" __global__ __aicore__ void gather_sum(GM_ADDR tables, GM_ADDR indices, GM_ADDR repeat,
                                                 GM_ADDR bias, GM_ADDR y, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(t, tiling);
  ListTensorDesc list((__gm__ void*)tables);
  GlobalTensor<int64_t> index;
  GlobalTensor<float> sums, biases;
  GlobalTensor<DTYPE_Y> to;
  index.SetGlobalBuffer((__gm__ int64_t*)indices, t.count);
  sums.SetGlobalBuffer((__gm__ float*)GetUserWorkspace(workspace), t.count);
  to.SetGlobalBuffer((__gm__ DTYPE_Y*)y, t.count * t.repeat);
  if (t.hasBias) biases.SetGlobalBuffer((__gm__ float*)bias, t.count);
  for (uint32_t i = 0; i < t.count; ++i) {
    float sum = t.hasBias ? biases.GetValue(i) : 0.0f;
    for (uint32_t k = 0; k < t.tables; ++k) {
      GlobalTensor<DTYPE_TABLES> table;
      table.SetGlobalBuffer(list.GetDataPtr<DTYPE_TABLES>(k));
      sum += number(table.GetValue(index.GetValue(i)));
    }
    sums.SetValue(i, sum);
    for (uint64_t r = 0; r < t.repeat; ++r) {
      to.SetValue(i * t.repeat + r, element<DTYPE_Y>(sums.GetValue(i)));
    }
  }
}
