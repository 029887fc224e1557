// Fixpipe: results out of L0C to GM or L1, converted and re-ordered on the way.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/move.h"

namespace vinci::isa {
extern const Instruction fixpipe;
}  // namespace vinci::isa

// Conversions, named as the documents name them; V... take one scale for each column.
enum QuantMode_t : uint8_t {
  NoQuant = 0,
  F322F16 = 1,
  VREQ8 = 8,
  REQ8 = 9,
  VDEQF16 = 10,
  DEQF16 = 11,
  F322BF16 = 16,
  VQF322B8_PRE = 23,
  QF322B8_PRE = 24,
};

namespace AscendC {

enum class CO2Layout : uint8_t { NZ, ROW_MAJOR };

struct FixpipeConfig {
  CO2Layout format;
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

// srcStride counts 16 elements; dstStride counts elements (row-major) or 32 B (NZ).
struct FixpipeParamsV220 {
  FixpipeParamsV220() = default;
  FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src_stride, uint32_t dst_stride, bool relu)
      : nSize(n), mSize(m), srcStride(src_stride), dstStride(dst_stride), reluEn(relu) {}
  FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src_stride, uint32_t dst_stride, bool relu,
                    QuantMode_t quant, int64_t scalar, uint16_t matrices, uint16_t src_matrix,
                    uint16_t dst_matrix, uint8_t unit_flag)
      : FixpipeParamsV220(n, m, src_stride, dst_stride, relu) {
    quantPre = quant;
    deqScalar = uint64_t(scalar);
    ndNum = matrices;
    srcNdStride = src_matrix;
    dstNdStride = dst_matrix;
    unitFlag = unit_flag;
  }
  FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src_stride, uint32_t dst_stride, bool relu,
                    QuantMode_t quant, int64_t scalar, uint16_t matrices, uint16_t src_matrix,
                    uint16_t dst_matrix, uint8_t unit_flag, bool channel_split)
      : FixpipeParamsV220(n, m, src_stride, dst_stride, relu, quant, scalar, matrices, src_matrix,
                          dst_matrix, unit_flag) {
    isChannelSplit = channel_split;
  }

  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = NoQuant;
  uint64_t deqScalar = 0;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint16_t dstNdStride = 0;
  bool reluEn = false;
  uint8_t unitFlag = 0;  // orders Mmad and Fixpipe on the chip; nothing to do here
  bool isChannelSplit = false;
};
using FixpipeParamsM300 = FixpipeParamsV220;

namespace detail {

inline void fixpipe(const vinci::Operand& dst, const vinci::Operand& src,
                    const vinci::Operand& scales, const FixpipeParamsV220& params, bool row_major) {
  vinci::issue(vinci::FixpipeRecord{{&vinci::isa::fixpipe},
                                    dst,
                                    src,
                                    scales,
                                    params.nSize,
                                    params.mSize,
                                    params.srcStride,
                                    params.dstStride,
                                    vinci::FixpipeRecord::Quant(params.quantPre),
                                    row_major,
                                    params.reluEn,
                                    params.isChannelSplit,
                                    params.deqScalar,
                                    params.ndNum,
                                    params.srcNdStride,
                                    params.dstNdStride});
}

}  // namespace detail

template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
             const FixpipeParamsV220& params) {
  detail::fixpipe(dst.operand(), src.operand(), {}, params, config.format == CO2Layout::ROW_MAJOR);
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
             const FixpipeParamsV220& params) {
  detail::fixpipe(dst.operand(), src.operand(), {}, params, config.format == CO2Layout::ROW_MAJOR);
}
// With the vector modes' scales in L1.
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
             const LocalTensor<uint64_t>& scales, const FixpipeParamsV220& params) {
  detail::fixpipe(dst.operand(), src.operand(), scales.operand(), params,
                  config.format == CO2Layout::ROW_MAJOR);
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
             const LocalTensor<uint64_t>& scales, const FixpipeParamsV220& params) {
  detail::fixpipe(dst.operand(), src.operand(), scales.operand(), params,
                  config.format == CO2Layout::ROW_MAJOR);
}

}  // namespace AscendC
