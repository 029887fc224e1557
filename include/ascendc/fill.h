// Fill (InitConstValue) and BroadCastVecToMM: values into L1, L0A, L0B and L0C.
#pragma once

#include "ascendc/tensor.h"
#include "ascendc/tensor_trait.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
extern const Instruction broadcast_vec_to_mm;
extern const Instruction fill;
}  // namespace vinci::isa

namespace AscendC {

// On the 910 and the 310P only repeatTimes counts, in 512 B.
template <class T>
struct InitConstValueParams {
  InitConstValueParams() = default;
  InitConstValueParams(uint16_t repeat, uint16_t blocks, uint16_t gap, T value)
      : repeatTimes(repeat), blockNum(blocks), dstGap(gap), initValue(value) {}
  InitConstValueParams(uint16_t repeat, T value) : repeatTimes(repeat), initValue(value) {}

  uint16_t repeatTimes = 0;
  uint16_t blockNum = 0;
  uint16_t dstGap = 0;
  T initValue = T(0);
};

// U has a default for parameters in braces.
template <class T, class U = PrimT<T>>
void Fill(const LocalTensor<T>& dst, const InitConstValueParams<U>& params) {
  using Value = PrimT<T>;
  const Value value = Value(params.initValue);
  vinci::FillRecord record{{&vinci::isa::fill}, dst.operand(), params.repeatTimes,
                           params.blockNum,     params.dstGap, 0};
  __builtin_memcpy(&record.value, &value,
                   sizeof(Value) < sizeof(record.value) ? sizeof(Value) : sizeof(record.value));
  vinci::issue(record);
}

// The older name of Fill.
template <class T, class U = PrimT<T>>
void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<U>& params) {
  Fill(dst, params);
}

// blockCount blocks of blockLen vectors of 16 elements; the gaps count 32 B and 256 elements.
template <class T, class U>
void BroadCastVecToMM(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                      const int32_t blockCount, const uint8_t blockLen, const uint8_t srcGap,
                      const uint8_t dstGap) {
  vinci::issue(vinci::BroadcastRecord{{&vinci::isa::broadcast_vec_to_mm},
                                      dst.operand(),
                                      src.operand(),
                                      blockCount,
                                      blockLen,
                                      srcGap,
                                      dstGap});
}

}  // namespace AscendC
