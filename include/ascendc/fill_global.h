// Fill (InitGlobalMemory, InitOutput) of GM: one value in all elements.
#pragma once

#include <algorithm>

#include "ascendc/data_copy.h"
#include "ascendc/duplicate.h"
#include "ascendc/pipe.h"

namespace AscendC {

// By way of all of UB that InitBuffer has not handed out. All pipes have ended before and after.
template <class T>
void Fill(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
  constexpr uint64_t kBlock = 32 / sizeof(T);
  LocalTensor<T> values;
  PopStackBuffer<T, TPosition::VECCALC>(values);
  const uint64_t chunk = std::min<uint64_t>({size / kBlock * kBlock, values.GetSize(), 8192});
  uint64_t done = 0;
  PipeBarrier<PIPE_ALL>();
  if (chunk != 0) {
    Duplicate(values, value, int32_t(chunk));
    PipeBarrier<PIPE_ALL>();
    for (; done + kBlock <= size; done += std::min(chunk, (size - done) / kBlock * kBlock)) {
      DataCopy(gmWorkspaceAddr[done], values,
               uint32_t(std::min(chunk, (size - done) / kBlock * kBlock)));
    }
  }
  for (; done < size; ++done) {
    in_api::store_past_cache(gmWorkspaceAddr.operand(), done, value);
  }
  PipeBarrier<PIPE_ALL>();
}
// The older names.
template <class T>
void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
  Fill(gmWorkspaceAddr, size, value);
}
template <class T>
void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = T(0)) {
  Fill(gmWorkspaceAddr, size, value);
}

}  // namespace AscendC
