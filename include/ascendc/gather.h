// Gather.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
extern const Instruction gather;
}  // namespace vinci::isa

namespace AscendC {

// dst[i] = the element of src at srcBaseAddr + srcOffset[i] bytes.
template <class T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
            const uint32_t count) {
  vinci::issue(vinci::GatherRecord{{&vinci::isa::gather},
                                   dst.operand(),
                                   src.operand(),
                                   srcOffset.operand(),
                                   srcBaseAddr,
                                   vinci::lanes_count(count),
                                   {}});
}
template <class T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
            const uint64_t mask[], const uint8_t repeatTimes, const uint16_t dstRepStride) {
  vinci::issue(vinci::GatherRecord{{&vinci::isa::gather},
                                   dst.operand(),
                                   src.operand(),
                                   srcOffset.operand(),
                                   srcBaseAddr,
                                   vinci::lanes_bits(mask, repeatTimes),
                                   {1, dstRepStride}});
}
template <class T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr, const uint64_t mask,
            const uint8_t repeatTimes, const uint16_t dstRepStride) {
  vinci::issue(vinci::GatherRecord{{&vinci::isa::gather},
                                   dst.operand(),
                                   src.operand(),
                                   srcOffset.operand(),
                                   srcBaseAddr,
                                   vinci::lanes_continuous(mask, repeatTimes),
                                   {1, dstRepStride}});
}

}  // namespace AscendC
