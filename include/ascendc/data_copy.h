// DataCopy between GM, L1 and UB, and from L0C to UB.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/move.h"

namespace vinci::isa {
extern const Instruction data_copy;
extern const Instruction data_copy_l0c;
}  // namespace vinci::isa

namespace AscendC {

// blockCount bursts (0..4095) of blockLen datablocks (0..65535); the strides are gaps in
// datablocks from the end of a burst to the start of the next.
struct DataCopyParams {
  DataCopyParams() = default;
  DataCopyParams(uint16_t count, uint16_t len, uint16_t src_gap, uint16_t dst_gap)
      : blockCount(count), blockLen(len), srcStride(src_gap), dstStride(dst_gap) {}

  uint16_t blockCount = 1;
  uint16_t blockLen = 0;
  union {
    uint16_t srcStride = 0;
    uint16_t srcGap;
  };
  union {
    uint16_t dstStride = 0;
    uint16_t dstGap;
  };
};

enum class BlockMode : uint8_t {
  BLOCK_MODE_NORMAL,
  BLOCK_MODE_MATRIX,
  BLOCK_MODE_VECTOR,
  BLOCK_MODE_SMALL_CHANNEL,
  BLOCK_MODE_DEPTHWISE,
};

enum class DeqScale : uint8_t { DEQ_NONE, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };

enum class pad_t : uint8_t { PAD_NONE };

struct DataCopyEnhancedParams {
  DataCopyEnhancedParams() = default;
  DataCopyEnhancedParams(BlockMode mode, DeqScale scale, uint64_t value, uint8_t store_mode,
                         bool relu, pad_t pad, uint64_t pad_value)
      : blockMode(mode),
        deqScale(scale),
        deqValue(value),
        sidStoreMode(store_mode),
        isRelu(relu),
        padMode(pad),
        padValue(pad_value) {}

  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
  pad_t padMode = pad_t::PAD_NONE;
  uint64_t padValue = 0;
  uint64_t deqTensorAddr = 0;
};

namespace detail {

inline vinci::Bursts bursts(const DataCopyParams& params) {
  return {params.blockCount, params.blockLen, params.srcStride, params.dstStride};
}
inline void copy_count(const vinci::Operand& dst, const vinci::Operand& src, uint32_t count) {
  vinci::issue(vinci::DataCopyRecord{{&vinci::isa::data_copy}, dst, src, true, count, {}});
}
inline void copy_bursts(const vinci::Operand& dst, const vinci::Operand& src,
                        const DataCopyParams& params) {
  vinci::issue(
      vinci::DataCopyRecord{{&vinci::isa::data_copy}, dst, src, false, 0, bursts(params)});
}

}  // namespace detail

// `count` elements; what does not fill a datablock is not copied.
template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count) {
  detail::copy_count(dst.operand(), src.operand(), count);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
  detail::copy_count(dst.operand(), src.operand(), count);
}
template <class T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
  detail::copy_count(dst.operand(), src.operand(), count);
}

template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params) {
  detail::copy_bursts(dst.operand(), src.operand(), params);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params) {
  detail::copy_bursts(dst.operand(), src.operand(), params);
}
template <class T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params) {
  detail::copy_bursts(dst.operand(), src.operand(), params);
}

// From L0C (CO1) to UB (CO2), converting on the way.
template <class T, class U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& params,
              const DataCopyEnhancedParams& enhanced) {
  vinci::issue(vinci::DataCopyL0CRecord{
      {&vinci::isa::data_copy_l0c},
      dst.operand(),
      src.operand(),
      detail::bursts(params),
      {vinci::EnhancedCopy::BlockMode(enhanced.blockMode),
       vinci::EnhancedCopy::Dequant(enhanced.deqScale), enhanced.sidStoreMode, enhanced.isRelu,
       enhanced.deqValue, enhanced.deqTensorAddr}});
}

}  // namespace AscendC
