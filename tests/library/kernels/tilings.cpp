// Tilings for as much scratch memory as there is, or, where a launch asks for it, for more.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void tilings(GM_ADDR, GM_ADDR out, int32_t planted) {
  constexpr uint32_t kRows = 8, kColumns = 64, kAll = kRows * kColumns;
  const auto at = [](uint32_t address, uint32_t count) {
    return LocalTensor<float>(TPosition::VECCALC, address, count);
  };
  const LocalTensor<float> x = at(0, kAll), y = at(2048, kAll), sum = at(4096, kAll), most = at(6144, kAll);
  const LocalTensor<float> gamma = at(8192, kColumns), beta = at(8448, kColumns);
  // A row of SoftMax takes 544 bytes, eight rows of LayerNorm 2112.
  const LocalTensor<uint8_t> for_rows(TPosition::VECCALC, 16384, 544 * kRows);
  const LocalTensor<uint8_t> for_most(TPosition::VECCALC, 16384, 544 * (kRows - 1));
  const LocalTensor<uint8_t> for_norm(TPosition::VECCALC, 32768, 2112);
  const LocalTensor<uint8_t> for_less(TPosition::VECCALC, 32768, 2112 - 32);
  Duplicate(x, 1.0f, kAll);
  Duplicate(gamma, 1.0f, kColumns);
  Duplicate(beta, 1.0f, kColumns);
  PipeBarrier<PIPE_ALL>();
  SoftMaxTiling parts{};
  parts.srcM = kRows;
  parts.srcK = kColumns;
  parts.splitM = kRows;
  SoftMax<float>(y, sum, most, x, planted == 1 ? for_most : for_rows, parts);  // HERE 1
  // For another shape the function makes its own.
  SoftMaxShapeInfo half{kRows / 2, kColumns, kRows / 2, kColumns};
  SoftMax<float>(y, sum, most, x, for_most, parts, half);
  LayerNormTiling norm{1, kRows, kColumns, kColumns};
  norm.meanVarRoundSize = kRows;
  LayerNorm(y, sum, most, x, gamma, beta, planted == 2 ? for_less : for_norm, 1e-5f, norm);  // HERE 2
  norm.meanVarRoundSize = kRows - 1;
  LayerNorm(y, sum, most, x, gamma, beta, for_less, 1e-5f, norm);
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<float> to;
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out));
  DataCopy(to, y, kAll);
}
