// What the kernels of the matrix path share: filling L0A and L0B, and making them and L0C visible.
//
// Nothing moves L0A or L0B out. A product with the identity does, for finite halves other than -0:
// each fractal becomes 16x16 floats of L0C.
#pragma once

#include "cases.h"

constexpr uint32_t kFractal = 512;
constexpr uint32_t kFractalOfC = 1024;

inline bool is_b(TPosition position) { return position == TPosition::B2; }

// `bytes` from GM to the start of A2 or B2.
inline void fill_l0(TPosition position, const GlobalTensor<uint8_t>& from, uint32_t bytes) {
  const LocalTensor<uint8_t> to(position, 0, bytes);
  LoadData(to, from, LoadData2DParams(0, uint8_t(bytes / kFractal), 1, 0, 0, false, 0));
  PipeBarrier<PIPE_ALL>();
}

inline void fill_l1(const GlobalTensor<uint8_t>& from, uint32_t bytes) {
  DataCopy(LocalTensor<uint8_t>(TPosition::A1, 0, bytes), from, whole(bytes));
  PipeBarrier<PIPE_ALL>();
}

// The first `fractals` fractals of L0C, each of `bytes` bytes, to UB and GM.
template <class T>
void save_l0c(const GlobalTensor<uint8_t>& to, uint32_t fractals) {
  const uint32_t bytes = fractals * 256 * sizeof(T);
  const LocalTensor<T> ub(TPosition::VECCALC, 0, bytes / sizeof(T));
  const LocalTensor<T> c(TPosition::CO1, 0, bytes / sizeof(T));
  DataCopyEnhancedParams enhanced;
  enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  DataCopy(ub, c, DataCopyParams(1, uint16_t(fractals), 0, 0), enhanced);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, ub.template ReinterpretCast<uint8_t>(), whole(bytes));
}

// The first `fractals` fractals of A2 or B2 as floats in GM; the other one gets the identity.
inline void save_l0(TPosition position, const GlobalTensor<uint8_t>& identity,
                    const GlobalTensor<uint8_t>& to, uint32_t fractals) {
  PipeBarrier<PIPE_ALL>();
  fill_l0(is_b(position) ? TPosition::A2 : TPosition::B2, identity, kFractal);
  const uint16_t side = uint16_t(fractals * 16);
  const LocalTensor<float> c(TPosition::CO1, 0, fractals * 256);
  const LocalTensor<half> a(TPosition::A2, 0, is_b(position) ? 256 : fractals * 256);
  const LocalTensor<half> b(TPosition::B2, 0, is_b(position) ? fractals * 256 : 256);
  const uint16_t m = is_b(position) ? 16 : side;
  const uint16_t n = is_b(position) ? side : 16;
  Mmad(c, a, b, MmadParams(m, n, 16, 0, false, true));
  PipeBarrier<PIPE_ALL>();
  save_l0c<float>(to, fractals);
}
