// DataCopy between GM, L1 and UB, and from L0C to UB.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/move.h"

namespace vinci::isa {
extern const Instruction data_copy;
extern const Instruction data_copy_bt;
extern const Instruction data_copy_fb;
extern const Instruction data_copy_l0c;
extern const Instruction data_copy_nd2nz;
extern const Instruction data_copy_nd2nz_ub;
extern const Instruction data_copy_nz2nd;
extern const Instruction data_copy_to_l0c;
extern const Instruction data_copy_tscm;
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

// What copy_gm_to_cbuf makes of its bursts.
enum class pad_t : uint8_t {
  PAD_NONE,
  PAD_MODE1,
  PAD_MODE2,
  PAD_MODE3,
  PAD_MODE4,
  PAD_MODE5,
  PAD_MODE6,
  PAD_MODE7,
  PAD_MODE8,
};

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

// ndNum row-major matrices of nValue x dValue in GM to zN in L1 or UB.
struct Nd2NzParams {
  Nd2NzParams() = default;
  Nd2NzParams(uint16_t matrices, uint16_t n, uint16_t d, uint16_t src_matrix, uint16_t src_d,
              uint16_t dst_c0, uint16_t dst_n, uint16_t dst_matrix)
      : ndNum(matrices),
        nValue(n),
        dValue(d),
        srcNdMatrixStride(src_matrix),
        srcDValue(src_d),
        dstNzC0Stride(dst_c0),
        dstNzNStride(dst_n),
        dstNzMatrixStride(dst_matrix) {}

  uint16_t ndNum = 0;
  uint16_t nValue = 0;
  uint16_t dValue = 0;
  uint16_t srcNdMatrixStride = 0;  // elements
  uint16_t srcDValue = 0;          // elements
  uint16_t dstNzC0Stride = 0;      // 32 B
  uint16_t dstNzNStride = 0;       // 32 B
  uint16_t dstNzMatrixStride = 0;  // elements
};

// ndNum matrices of nValue x dValue, zN with fractals of 16 x 16 in UB, to row-major ones in GM.
struct Nz2NdParamsFull {
  Nz2NdParamsFull() = default;
  Nz2NdParamsFull(uint16_t matrices, uint16_t n, uint16_t d, uint16_t src_matrix, uint16_t src_n,
                  uint16_t dst_d, uint16_t dst_matrix)
      : ndNum(matrices),
        nValue(n),
        dValue(d),
        srcNdMatrixStride(src_matrix),
        srcNStride(src_n),
        dstDStride(dst_d),
        dstNdMatrixStride(dst_matrix) {}

  uint16_t ndNum = 1;
  uint16_t nValue = 0;
  uint16_t dValue = 0;
  uint16_t srcNdMatrixStride = 1;  // 256 elements
  uint16_t srcNStride = 0;         // 16 elements, between columns of fractals
  uint16_t dstDStride = 0;         // elements
  uint16_t dstNdMatrixStride = 1;  // elements
};

namespace in_api {

inline vinci::Bursts bursts(const DataCopyParams& params) {
  return {params.blockCount, params.blockLen, params.srcStride, params.dstStride};
}
inline void copy_count(const vinci::Operand& dst, const vinci::Operand& src, uint32_t count,
                       const vinci::Instruction& instruction = vinci::isa::data_copy) {
  vinci::issue(vinci::DataCopyRecord{{&instruction}, dst, src, true, count, {}});
}
// Into the bias table (C2) and the fixed pipe's buffer (C2PIPE2GM) the units are others.
inline const vinci::Instruction& copy_into(TPosition to) {
  return to == TPosition::C2          ? vinci::isa::data_copy_bt
         : to == TPosition::C2PIPE2GM ? vinci::isa::data_copy_fb
                                      : vinci::isa::data_copy;
}
inline void copy_bursts(const vinci::Operand& dst, const vinci::Operand& src,
                        const DataCopyParams& params) {
  vinci::issue(vinci::DataCopyRecord{{&vinci::isa::data_copy}, dst, src, false, 0, bursts(params)});
}

inline vinci::Nd2NzRecord nd2nz(const vinci::Instruction& instruction, const vinci::Operand& dst,
                                const vinci::Operand& src, const Nd2NzParams& params) {
  return {{&instruction},
          dst,
          src,
          params.ndNum,
          params.nValue,
          params.dValue,
          params.srcNdMatrixStride,
          params.srcDValue,
          params.dstNzC0Stride,
          params.dstNzNStride,
          params.dstNzMatrixStride};
}

inline void copy_l0c(const vinci::Instruction& instruction, const vinci::Operand& dst,
                     const vinci::Operand& src, const DataCopyParams& params,
                     const DataCopyEnhancedParams& enhanced) {
  const bool vector = enhanced.deqScale == DeqScale::VDEQ || enhanced.deqScale == DeqScale::VDEQ8 ||
                      enhanced.deqScale == DeqScale::VDEQ16;
  vinci::issue(
      vinci::DataCopyL0CRecord{{&instruction},
                               dst,
                               src,
                               vector ? vinci::ub_tensor(enhanced.deqTensorAddr) : vinci::Operand{},
                               bursts(params),
                               {vinci::EnhancedCopy::BlockMode(enhanced.blockMode),
                                vinci::EnhancedCopy::Dequant(enhanced.deqScale),
                                enhanced.sidStoreMode, enhanced.isRelu, enhanced.deqValue}});
}
inline void copy_normal(const vinci::Operand& dst, const vinci::Operand& src,
                        const DataCopyParams& params, const DataCopyEnhancedParams& enhanced) {
  if (enhanced.blockMode != BlockMode::BLOCK_MODE_NORMAL) {
    vinci::bad_argument("DataCopy", "blockMode between other memories than CO1 and CO2",
                        int64_t(enhanced.blockMode), "BLOCK_MODE_NORMAL (0)");
  } else if (enhanced.deqScale != DeqScale::DEQ_NONE) {
    vinci::bad_argument("DataCopy", "deqScale between other memories than CO1 and CO2",
                        int64_t(enhanced.deqScale), "DEQ_NONE (0)");
  } else if (enhanced.isRelu) {
    vinci::bad_argument("DataCopy", "isRelu between other memories than CO1 and CO2", 1,
                        "false (0)");
  } else {
    copy_bursts(dst, src, params);
  }
}

}  // namespace in_api

// `count` elements; what does not fill a datablock is not copied.
template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count) {
  in_api::copy_count(dst.operand(), src.operand(), count);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
  in_api::copy_count(dst.operand(), src.operand(), count);
}
template <class T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
  in_api::copy_count(dst.operand(), src.operand(), count, in_api::copy_into(dst.operand().position));
}

template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params) {
  in_api::copy_bursts(dst.operand(), src.operand(), params);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params) {
  in_api::copy_bursts(dst.operand(), src.operand(), params);
}
// The bias table also takes half and keeps float.
template <class T, class U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& params) {
  vinci::issue(vinci::DataCopyRecord{{&in_api::copy_into(dst.operand().position)},
                                     dst.operand(),
                                     src.operand(),
                                     false,
                                     0,
                                     in_api::bursts(params)});
}

template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& params) {
  const TPosition to = dst.operand().position;
  const bool to_ub = to == TPosition::VECIN || to == TPosition::VECOUT ||
                     to == TPosition::VECCALC || to == TPosition::CO2;
  const vinci::Instruction& instruction =
      to_ub ? vinci::isa::data_copy_nd2nz_ub : vinci::isa::data_copy_nd2nz;
  vinci::issue(in_api::nd2nz(instruction, dst.operand(), src.operand(), params));
}

// From UB to TSCM, on an AIV with a Matmul object.
template <class T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Nd2NzParams& params) {
  vinci::issue(vinci::CopyToTscmRecord{
      in_api::nd2nz(vinci::isa::data_copy_tscm, dst.operand(), src.operand(), params)});
}

template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
              const Nz2NdParamsFull& params) {
  vinci::issue(vinci::Nz2NdRecord{{&vinci::isa::data_copy_nz2nd},
                                  dst.operand(),
                                  src.operand(),
                                  params.ndNum,
                                  params.nValue,
                                  params.dValue,
                                  params.srcNdMatrixStride,
                                  params.srcNStride,
                                  params.dstDStride,
                                  params.dstNdMatrixStride});
}

// From L0C (CO1) to UB (CO2), converting on the way, and back. On other routes only the plain
// copy exists: BLOCK_MODE_NORMAL without a conversion.
template <class T, class U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& params,
              const DataCopyEnhancedParams& enhanced) {
  const bool out = src.operand().position == TPosition::CO1;
  if (out || dst.operand().position == TPosition::CO1) {
    in_api::copy_l0c(out ? vinci::isa::data_copy_l0c : vinci::isa::data_copy_to_l0c, dst.operand(),
                     src.operand(), params, enhanced);
  } else {
    in_api::copy_normal(dst.operand(), src.operand(), params, enhanced);
  }
}
template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params,
              const DataCopyEnhancedParams& enhanced) {
  in_api::copy_normal(dst.operand(), src.operand(), params, enhanced);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params,
              const DataCopyEnhancedParams& enhanced) {
  in_api::copy_normal(dst.operand(), src.operand(), params, enhanced);
}

}  // namespace AscendC
