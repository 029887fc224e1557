// DropOut: keeps what a mask of bytes or bits says, over the probability of keeping.
#pragma once

#include "ascendc/elementwise.h"

namespace vinci::isa {
extern const Instruction drop_out;
}  // namespace vinci::isa

namespace AscendC {

struct DropOutShapeInfo {
  DropOutShapeInfo() {}
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};

// What DropOut's dropOutMode says of the mask: bytes or bits, in padded rows or not; 0: as the
// shapes tell.
inline constexpr uint32_t DROPOUT_MODE_BYTE_MISALIGN = 1;
inline constexpr uint32_t DROPOUT_MODE_BYTE_ALIGN = 2;
inline constexpr uint32_t DROPOUT_MODE_BIT_ALIGN = 3;
inline constexpr uint32_t DROPOUT_MODE_BIT_MISALIGN = 4;

namespace in_api {

constexpr uint32_t drop_out_mode(uint32_t mode, uint32_t src, uint32_t mask) {
  if (mode != 0) return mode;
  if (mask >= src) return mask == src ? DROPOUT_MODE_BYTE_ALIGN : DROPOUT_MODE_BYTE_MISALIGN;
  return uint64_t(mask) * 8 == src ? DROPOUT_MODE_BIT_ALIGN : DROPOUT_MODE_BIT_MISALIGN;
}
template <class T>
vinci::LibraryRecord drop_out_record(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                     const LocalTensor<uint8_t>& mask, float keep_prob,
                                     const DropOutShapeInfo& info, uint32_t mode) {
  auto record = element_record(vinci::isa::drop_out, 0, dst, src, mask);
  record.size[0] = info.firstAxis;
  record.size[1] = info.srcLastAxis;
  record.size[2] = info.maskLastAxis;
  record.size[3] = drop_out_mode(mode, info.srcLastAxis, info.maskLastAxis);
  record.number[0] = keep_prob;
  return record;
}

}  // namespace in_api

template <class T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
             const LocalTensor<uint8_t>& maskLocal, const LocalTensor<uint8_t>& sharedTmpBuffer,
             const float keepProb, const DropOutShapeInfo& info) {
  vinci::issue(in_api::with_scratch(
      in_api::drop_out_record(dstLocal, srcLocal, maskLocal, keepProb, info, dropOutMode),
      sharedTmpBuffer, 0));
}
template <class T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
             const LocalTensor<uint8_t>& maskLocal, const float keepProb,
             const DropOutShapeInfo& info) {
  vinci::issue(in_api::drop_out_record(dstLocal, srcLocal, maskLocal, keepProb, info, dropOutMode));
}

}  // namespace AscendC
