// What kernels that test products of whole matrices in L1 share: the ways of operands and results.
#pragma once

#include "cases.h"

constexpr uint32_t kPiece = 64 << 10;  // a multiple of every unit

inline GlobalTensor<uint8_t> bytes_at(GM_ADDR memory, uint64_t offset, uint32_t bytes) {
  GlobalTensor<uint8_t> tensor;
  tensor.SetGlobalBuffer(memory + offset, bytes);
  return tensor;
}

inline void load_l1(uint32_t address, uint32_t bytes, GM_ADDR pool, uint64_t from) {
  DataCopy(LocalTensor<uint8_t>(TPosition::A1, address, bytes), bytes_at(pool, from, bytes),
           whole(bytes));
  PipeBarrier<PIPE_ALL>();
}

// Between GM and what is seen of the memory of `dst`: `visible` bytes from the tensor's start.
template <class T>
void move_result(const Place& dst, uint32_t visible, const GlobalTensor<uint8_t>& gm, bool out) {
  DataCopyEnhancedParams matrix;
  matrix.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  PipeBarrier<PIPE_ALL>();
  if (dst.position == TPosition::CO2) {
    const LocalTensor<uint8_t> ub(TPosition::CO2, dst.address, visible);
    out ? DataCopy(gm, ub, whole(visible)) : DataCopy(ub, gm, whole(visible));
    PipeBarrier<PIPE_ALL>();
    return;
  }
  for (uint32_t at = 0; at < visible; at += kPiece) {
    const uint32_t bytes = visible - at < kPiece ? visible - at : kPiece;
    const LocalTensor<T> c(TPosition::CO1, dst.address + at, bytes / sizeof(T));
    const LocalTensor<T> ub(TPosition::CO2, 0, bytes / sizeof(T));
    const LocalTensor<uint8_t> plain(TPosition::CO2, 0, bytes);
    const DataCopyParams fractals(1, uint16_t(bytes / (256 * sizeof(T))), 0, 0);
    if (out) {
      DataCopy(ub, c, fractals, matrix);
      PipeBarrier<PIPE_ALL>();
      DataCopy(gm[at], plain, whole(bytes));
    } else {
      DataCopy(plain, gm[at], whole(bytes));
      PipeBarrier<PIPE_ALL>();
      DataCopy(c, ub, fractals, matrix);
    }
    PipeBarrier<PIPE_ALL>();
  }
}
