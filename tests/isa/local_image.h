// Whole memories of the core between GM and a kernel, by scalar code: for L0A, L0B and L0C,
// which no instruction moves out on every chip.
#pragma once

#include "cases.h"

inline uint8_t* first_byte(TPosition position) {
  return LocalTensor<uint8_t>(position, 0, 0).GetPhyAddr();
}

inline void fill_memory(TPosition position, const GlobalTensor<uint8_t>& from, uint32_t bytes) {
  const __gm__ uint8_t* gm = from.GetPhyAddr();
  uint8_t* memory = first_byte(position);
  for (uint32_t i = 0; i < bytes; ++i) memory[i] = gm[i];
}

inline void save_memory(const GlobalTensor<uint8_t>& to, TPosition position, uint32_t bytes) {
  PipeBarrier<PIPE_ALL>();  // nothing else orders a pointer's reads
  __gm__ uint8_t* gm = to.GetPhyAddr(0);
  const uint8_t* memory = first_byte(position);
  for (uint32_t i = 0; i < bytes; ++i) gm[i] = memory[i];
}
