// What the kernels of test_fixpipe.py and test_fixpipe_registers.py share.
#pragma once

#include "local_image.h"

// A destination in GM: its place counts from the start of `gm`.
template <class T>
GlobalTensor<T> gm_tensor(const GlobalTensor<uint8_t>& gm, const Place& place) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer((__gm__ T*)gm.GetPhyAddr(place.address), place.elements);
  return tensor;
}

inline void fill_gm(const GlobalTensor<uint8_t>& gm, const GlobalTensor<uint8_t>& from,
                    uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) *gm.GetPhyAddr(i) = *from.GetPhyAddr(i);
}

// Calls f with values of destination and source type, two digits each: the numbers of with_type.
template <class F>
void with_fixpipe_types(int64_t types, F f) {
  switch (types) {
    case 808: return f(float(), float());
    case 408: return f(half(), float());
    case 508: return f(bfloat16_t(), float());
    case 8: return f(int8_t(), float());
    case 108: return f(uint8_t(), float());
    case 606: return f(int32_t(), int32_t());
    case 406: return f(half(), int32_t());
    case 6: return f(int8_t(), int32_t());
    case 106: return f(uint8_t(), int32_t());
    case 608: return f(int32_t(), float());
    case 806: return f(float(), int32_t());
    case 506: return f(bfloat16_t(), int32_t());
    case 404: return f(half(), half());
    case 206: return f(int16_t(), int32_t());
    default: return f(uint32_t(), uint32_t());
  }
}
