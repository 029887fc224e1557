// What is named here so that kernels compile in which it stands in a branch that is never taken.
// vinci does not have what it does: who calls it gets V7001. To `vinci list` these names are
// missing.
#pragma once

#ifndef VINCI_LISTING_NAMES

#include "ascendc/fixpipe.h"
#include "ascendc/tensor.h"
#include "vinci/door.h"

namespace AscendC {

// Fixpipe's parameters before FixpipeParamsV220: columns of 16, and blocks of 32 B.
struct QuantParams {
  QuantMode_t quantPre = NoQuant;
  uint64_t deqScalar = 0;
};
struct Nz2NdParams {
  bool nz2ndEn = false;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint16_t dstNdStride = 0;
  uint16_t originalNSize = 0;
};
template <class T>
struct FixpipeParams {
  FixpipeParams() = default;
  FixpipeParams(uint16_t count, uint16_t length, uint16_t src_stride, uint32_t dst_stride)
      : cburstNum(count), burstLen(length), dstStride(dst_stride), srcStride(src_stride) {}

  uint16_t cburstNum = 0;
  uint16_t burstLen = 1;
  uint32_t dstStride = 0;
  uint16_t srcStride = 0;
  QuantParams quantParams;
  bool reluEn = false;
  Nz2NdParams nz2ndParams;
  uint8_t unitFlag = 0;
};

namespace in_api {
inline void lacks_older_fixpipe() {
  vinci::lacks("Fixpipe", "its form with FixpipeParams", "FixpipeParamsV220");
}
}  // namespace in_api

template <class T, class U, class V>
void Fixpipe(const GlobalTensor<T>&, const LocalTensor<U>&, const FixpipeParams<V>&) {
  in_api::lacks_older_fixpipe();
}
template <class T, class U, class V>
void Fixpipe(const LocalTensor<T>&, const LocalTensor<U>&, const FixpipeParams<V>&) {
  in_api::lacks_older_fixpipe();
}
template <class T, class U, class V>
void Fixpipe(const GlobalTensor<T>&, const LocalTensor<U>&, const LocalTensor<uint64_t>&,
             const FixpipeParams<V>&) {
  in_api::lacks_older_fixpipe();
}
template <class T, class U, class V>
void Fixpipe(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<uint64_t>&,
             const FixpipeParams<V>&) {
  in_api::lacks_older_fixpipe();
}

// Weights that the vendor's tool has compressed.
template <class T = int8_t>
void LoadUnzipIndex(const GlobalTensor<T>&, uint32_t) {
  vinci::lacks("LoadUnzipIndex", "compressed weights", "LoadData of weights as they are");
}
template <class T>
void LoadDataUnzip(const LocalTensor<T>&, const GlobalTensor<T>&) {
  vinci::lacks("LoadDataUnzip", "compressed weights", "LoadData of weights as they are");
}

}  // namespace AscendC

#endif
