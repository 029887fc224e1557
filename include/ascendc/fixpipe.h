// Fixpipe, and its older form DataCopy with registers: results out of L0C to GM or L1, converted
// and re-ordered on the way.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/move.h"

namespace vinci::isa {
extern const Instruction fixpipe;
extern const Instruction set_fix_pipe_addr;
extern const Instruction set_fix_pipe_clip_relu;
extern const Instruction set_fix_pipe_config;
extern const Instruction set_fixpipe_nz2nd_flag;
extern const Instruction set_fixpipe_pre_quant_flag;
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
  bool isToUB = false;  // of chips whose L0C has a way to UB
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
  uint8_t unitFlag = 0;  // 2, 3: waits for, and sets, the flags of Mmad's blocks
  bool isChannelSplit = false;
};
using FixpipeParamsM300 = FixpipeParamsV220;

namespace in_api {

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
                                    params.dstNdStride,
                                    params.unitFlag});
}

}  // namespace in_api

template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
             const FixpipeParamsV220& params) {
  in_api::fixpipe(dst.operand(), src.operand(), {}, params, config.format == CO2Layout::ROW_MAJOR);
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
             const FixpipeParamsV220& params) {
  static_assert(!config.isToUB, "Fixpipe: no chip of vinci list copies from L0C to UB by it");
  in_api::fixpipe(dst.operand(), src.operand(), {}, params, config.format == CO2Layout::ROW_MAJOR);
}
// With the vector modes' scales in L1.
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
             const LocalTensor<uint64_t>& scales, const FixpipeParamsV220& params) {
  in_api::fixpipe(dst.operand(), src.operand(), scales.operand(), params,
                  config.format == CO2Layout::ROW_MAJOR);
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
             const LocalTensor<uint64_t>& scales, const FixpipeParamsV220& params) {
  static_assert(!config.isToUB, "Fixpipe: no chip of vinci list copies from L0C to UB by it");
  in_api::fixpipe(dst.operand(), src.operand(), scales.operand(), params,
                  config.format == CO2Layout::ROW_MAJOR);
}

// The same by DataCopy: the scales and the numbers of the matrices come from the registers below.
// With channelSplit a column block has 8 columns, else 16.
struct DataCopyCO12DstParams {
  DataCopyCO12DstParams() = default;
  DataCopyCO12DstParams(uint16_t n, uint16_t m, uint32_t dst_stride, uint16_t src_stride,
                        QuantMode_t quant, uint8_t relu, bool channel_split, bool nz2nd)
      : nSize(n),
        mSize(m),
        dstStride(dst_stride),
        srcStride(src_stride),
        quantPre(quant),
        reluPre(relu),
        channelSplit(channel_split),
        nz2ndEn(nz2nd) {}

  uint8_t sid = 0;
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint32_t dstStride = 0;
  uint16_t srcStride = 0;
  uint8_t unitFlag = 0;
  uint8_t clipReluPre = 0;  // 1: no result is more than SetFixPipeClipRelu's
  uint8_t eltWiseOp = 0;    // 1: SetFixPipeAddr's tensor is added, 2: subtracted
  QuantMode_t quantPre = NoQuant;
  uint8_t reluPre = 0;  // 0: none, 1: ReLU
  bool channelSplit = false;
  bool nz2ndEn = false;
};

namespace in_api {

inline void copy_out(const vinci::Operand& dst, const vinci::Operand& src,
                     const DataCopyCO12DstParams& params) {
  if (params.reluPre > 1) {
    vinci::bad_argument("DataCopy", "reluPre", params.reluPre, "0 (none), 1 (ReLU)");
    return;
  }
  vinci::FixpipeRecord record;
  record.instruction = &vinci::isa::fixpipe;
  record.dst = dst;
  record.src = src;
  record.n = params.nSize;
  record.m = params.mSize;
  record.src_stride = params.srcStride;
  record.dst_stride = params.dstStride;
  record.quant = vinci::FixpipeRecord::Quant(params.quantPre);
  record.row_major = params.nz2ndEn;
  record.relu = params.reluPre == 1;
  record.channel_split = params.channelSplit;
  record.unit_flag = params.unitFlag;
  record.from_registers = true;
  record.clip_relu = params.clipReluPre;
  record.element_wise = params.eltWiseOp;
  vinci::issue(record);
}

}  // namespace in_api

template <class T, class U>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
              const DataCopyCO12DstParams& params) {
  in_api::copy_out(dst.operand(), src.operand(), params);
}
template <class T, class U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
              const DataCopyCO12DstParams& params) {
  in_api::copy_out(dst.operand(), src.operand(), params);
}

// Scales in C2PIPE2GM for the V... modes of later DataCopy calls; reluPre must be empty.
template <class T>
void SetFixPipeConfig(const LocalTensor<T>& reluPre, const LocalTensor<T>& quantPre,
                      bool isUnitFlag = false) {
  vinci::issue(vinci::SetFixPipeConfigRecord{
      {&vinci::isa::set_fix_pipe_config}, reluPre.operand(), quantPre.operand(), isUnitFlag});
}
template <class T, bool setRelu = false>
void SetFixPipeConfig(const LocalTensor<T>& preData, bool isUnitFlag = false) {
  vinci::issue(vinci::SetFixPipeConfigRecord{{&vinci::isa::set_fix_pipe_config},
                                             setRelu ? preData.operand() : vinci::Operand{},
                                             setRelu ? vinci::Operand{} : preData.operand(),
                                             isUnitFlag});
}

// The scale word of the scalar modes, for later DataCopy calls.
inline void SetFixpipePreQuantFlag(uint64_t config) {
  vinci::issue(vinci::SetFixpipePreQuantRecord{{&vinci::isa::set_fixpipe_pre_quant_flag}, config});
}

// The largest result of later DataCopy calls with clipReluPre, a half above 0 in bits 0 to 15.
inline void SetFixPipeClipRelu(uint64_t config) {
  vinci::issue(vinci::SetFixPipeClipReluRecord{{&vinci::isa::set_fix_pipe_clip_relu}, config});
}

// The tensor in A1, B1 or C1 that later DataCopy calls with eltWiseOp add or subtract: of 16
// columns each row is 32 bytes, and c0ChStride counts 32 bytes from 16 columns to the next.
template <class T>
void SetFixPipeAddr(const LocalTensor<T>& eleWiseData, uint16_t c0ChStride) {
  vinci::issue(vinci::SetFixPipeAddrRecord{
      {&vinci::isa::set_fix_pipe_addr}, eleWiseData.operand(), c0ChStride});
}

// The matrices of later row-major DataCopy calls; the strides count 256 elements and elements.
inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
  vinci::issue(vinci::SetFixpipeNz2ndRecord{
      {&vinci::isa::set_fixpipe_nz2nd_flag}, ndNum, srcNdStride, dstNdStride});
}

}  // namespace AscendC
