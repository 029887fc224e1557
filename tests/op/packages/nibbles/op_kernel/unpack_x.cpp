#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void unpack_x(GM_ADDR x, GM_ADDR values, GM_ADDR copied, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  constexpr bool kIsInt4 = IsSameType<DTYPE_X, int4b_t>::value;
  const uint32_t bytes = kIsInt4 ? (data.count + 1) / 2 : data.count;
  const uint32_t padded = (data.count + 63) / 64 * 64;
  TPipe pipe;
  TQue<TPosition::VECIN, 1> words;
  TQue<TPosition::VECOUT, 1> numbers;
  pipe.InitBuffer(words, 1, padded);
  pipe.InitBuffer(numbers, 1, padded * sizeof(half));
  GlobalTensor<int8_t> from, to;
  GlobalTensor<half> out;
  from.SetGlobalBuffer((__gm__ int8_t*)x);
  to.SetGlobalBuffer((__gm__ int8_t*)copied);
  out.SetGlobalBuffer((__gm__ half*)values);
  DataCopyExtParams row{1, bytes, 0, 0, 0};
  auto in = words.AllocTensor<int8_t>();
  DataCopyPad(in, from, row, {false, 0, 0, 0});
  words.EnQue(in);
  in = words.DeQue<int8_t>();
  auto numbersOf = numbers.AllocTensor<half>();
  if constexpr (kIsInt4) {
    Cast(numbersOf, in.ReinterpretCast<int4b_t>(), RoundMode::CAST_NONE, (data.count + 1) / 2 * 2);
  } else {
    Cast(numbersOf, in, RoundMode::CAST_NONE, data.count);
  }
  numbers.EnQue(numbersOf);
  numbersOf = numbers.DeQue<half>();
  DataCopyPad(to, in, row);
  row.blockLen = data.count * sizeof(half);
  DataCopyPad(out, numbersOf, row);
  numbers.FreeTensor(numbersOf);
  words.FreeTensor(in);
}
