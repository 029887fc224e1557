// Names from inside the vendor's headers that kernels call all the same.
#pragma once

#include "ascendc/core_kind.h"
#include "ascendc/fixpipe.h"
#include "ascendc/register_intrinsic.h"
#include "ascendc/system.h"

namespace AscendC {

inline int64_t GetBlockIdxImpl() { return GetBlockIdx(); }
inline int64_t GetBlockNumImpl() { return GetBlockNum(); }
inline int64_t GetSubBlockIdxImpl() { return GetSubBlockIdx(); }

// Elements in a row of a fractal, which has 32 bytes.
template <class T>
constexpr int32_t AuxGetC0Size() {
  return std::is_same_v<T, int4b_t> ? 64 : int32_t(32 / sizeof(T));
}

inline void SetNdParaImpl(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
  SetFixpipeNz2ndFlag(ndNum, srcNdStride, dstNdStride);
}
inline void SetNdParaImpl(uint64_t config) { set_nd_para(config); }
template <class T>
void SetFixPipeConfigImpl(const LocalTensor<T>& reluPre, const LocalTensor<T>& quantPre,
                          bool isUnitFlag = false) {
  SetFixPipeConfig(reluPre, quantPre, isUnitFlag);
}
template <class T, bool setRelu = false>
void SetFixPipeConfigImpl(const LocalTensor<T>& preData, bool isUnitFlag = false) {
  SetFixPipeConfig<T, setRelu>(preData, isUnitFlag);
}

// Whether T is one of `Types`, for static_assert.
template <class T, class... Types>
constexpr bool SupportType() {
  return (std::is_same_v<T, Types> || ...);
}

// Each access is checked when it is made.
template <class T>
void OOMCheckAddrRange(const volatile T* /*address*/, uint64_t /*bytes*/) {}

}  // namespace AscendC
