#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kC0 = 16;

extern "C" __global__ __aicore__ void unfold_weight(GM_ADDR weight, GM_ADDR rows, GM_ADDR seen, GM_ADDR workspace,
                                                    GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> lines;
  TQue<TPosition::VECOUT, 1> words;
  pipe.InitBuffer(lines, 1, 4096);
  pipe.InitBuffer(words, 1, 64);
  GlobalTensor<half> from, to;
  GlobalTensor<int32_t> out;
  from.SetGlobalBuffer((__gm__ half*)weight);
  to.SetGlobalBuffer((__gm__ half*)rows);
  out.SetGlobalBuffer((__gm__ int32_t*)seen);
#if FORMAT_WEIGHT == FORMAT_FRACTAL_NZ
  const uint32_t high = (data.rows + kC0 - 1) / kC0 * kC0;
  for (uint32_t column = 0; column < data.columns; column += kC0) {
    const uint32_t width = data.columns - column < kC0 ? data.columns - column : kC0;
    for (uint32_t row = 0; row < data.rows; ++row) {
      const DataCopyExtParams one{1, static_cast<uint32_t>(width * sizeof(half)), 0, 0, 0};
      auto line = lines.AllocTensor<half>();
      DataCopyPad(line, from[column * high + row * kC0], one, {false, 0, 0, 0});
      lines.EnQue(line);
      line = lines.DeQue<half>();
      DataCopyPad(to[row * data.columns + column], line, one);
      lines.FreeTensor(line);
    }
  }
#else
  for (uint32_t row = 0; row < data.rows; ++row) {
    const DataCopyExtParams one{1, static_cast<uint32_t>(data.columns * sizeof(half)), 0, 0, 0};
    auto line = lines.AllocTensor<half>();
    DataCopyPad(line, from[row * data.columns], one, {false, 0, 0, 0});
    lines.EnQue(line);
    line = lines.DeQue<half>();
    DataCopyPad(to[row * data.columns], line, one);
    lines.FreeTensor(line);
  }
#endif
  auto word = words.AllocTensor<int32_t>();
  for (uint32_t i = 0; i < 16; ++i) word.SetValue(i, data.seen[i]);
  words.EnQue(word);
  word = words.DeQue<int32_t>();
  DataCopy(out, word, 16);
  words.FreeTensor(word);
}
