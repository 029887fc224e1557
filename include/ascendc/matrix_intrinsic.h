// The way of matrices under the small names that kernels of older style call: on pointers into L1,
// L0A, L0B, L0C and FB, which GetPhyAddr gave, or offsets. Each is the call of Ascend C that takes
// the same numbers; `sid` has no effect.
#pragma once

#include "ascendc/data_copy.h"
#include "ascendc/fixpipe.h"
#include "ascendc/intrinsic.h"
#include "ascendc/load_data.h"
#include "ascendc/mmad.h"
#include "vinci/debug.h"

// How the address of a load goes on from repeat to repeat.
enum addr_cal_mode_t : uint8_t { inc = 0, dec = 1 };
using AscendC::pad_t;
inline constexpr pad_t PAD_NONE = pad_t::PAD_NONE;

namespace AscendC::in_api {

template <class T>
vinci::Operand at(TPosition position, const T* pointer) {
  return vinci::tensor_at(pointer, position, vinci::dtype_of<T>);
}
inline vinci::Operand at(TPosition position, const void* pointer) {
  return at(position, static_cast<const uint8_t*>(pointer));
}

}  // namespace AscendC::in_api

// Bursts of datablocks; the gaps are datablocks too.
inline void copy_gm_to_cbuf(__cbuf__ void* dst, __gm__ void* src, uint8_t, uint16_t bursts,
                            uint16_t blocks, uint16_t srcGap, uint16_t dstGap, pad_t) {
  using namespace AscendC;
  in_api::copy_bursts(in_api::at(TPosition::A1, dst), in_api::gm_at(src, vinci::DType::kUint8),
                      {bursts, blocks, srcGap, dstGap});
}

// Row-major matrices to zN, as DataCopy with Nd2NzParams.
#define VINCI_ND2NZ(suffix)                                                                      \
  template <class T>                                                                             \
  void copy_gm_to_cbuf_multi_nd2nz_##suffix(                                                     \
      __cbuf__ T* dst, __gm__ T* src, uint8_t, uint16_t ndNum, uint16_t nValue, uint16_t dValue, \
      uint16_t srcNdMatrixStride, uint16_t srcDValue, uint16_t dstNzC0Stride,                    \
      uint16_t dstNzNStride, uint16_t dstNzMatrixStride) {                                       \
    using namespace AscendC;                                                                     \
    vinci::issue(vinci::Nd2NzRecord{{&vinci::isa::data_copy_nd2nz},                              \
                                    in_api::at(TPosition::A1, dst),                              \
                                    in_api::gm_at(src, vinci::dtype_of<T>),                      \
                                    ndNum,                                                       \
                                    nValue,                                                      \
                                    dValue,                                                      \
                                    srcNdMatrixStride,                                           \
                                    srcDValue,                                                   \
                                    dstNzC0Stride,                                               \
                                    dstNzNStride,                                                \
                                    dstNzMatrixStride});                                         \
  }
VINCI_ND2NZ(b8)
VINCI_ND2NZ(b16)
VINCI_ND2NZ(b32s)
#undef VINCI_ND2NZ

// Fractals of 512 bytes, as LoadData with LoadData2DParams.
#define VINCI_LOAD_FRACTALS(name, space, to, from)                                               \
  template <class T>                                                                             \
  void name(space T* dst, __cbuf__ T* src, uint16_t baseIdx, uint8_t repeat, uint16_t srcStride, \
            uint16_t dstStride, uint8_t, bool transpose, addr_cal_mode_t mode) {                 \
    using namespace AscendC;                                                                     \
    in_api::load_2d(in_api::at(TPosition::to, dst), in_api::at(TPosition::from, src),            \
                    {baseIdx, repeat, srcStride, 0, dstStride, transpose, mode});                \
  }
VINCI_LOAD_FRACTALS(load_cbuf_to_ca, __ca__, A2, A1)
VINCI_LOAD_FRACTALS(load_cbuf_to_cb, __cb__, B2, B1)
#undef VINCI_LOAD_FRACTALS

// Squares, each transposed, as LoadDataWithTranspose.
template <class T>
void load_cbuf_to_cb_transpose(__cb__ T* dst, __cbuf__ T* src, uint16_t indexID, uint8_t repeat,
                               uint16_t srcStride, uint16_t dstStride, addr_cal_mode_t,
                               uint16_t dstFracStride) {
  using namespace AscendC;
  vinci::issue(vinci::LoadDataTransposeRecord{{&vinci::isa::load_data_with_transpose},
                                              in_api::at(TPosition::B2, dst),
                                              in_api::at(TPosition::B1, src),
                                              indexID,
                                              srcStride,
                                              dstStride,
                                              dstFracStride,
                                              repeat});
}

// As Mmad; note the order m, k, n.
template <class T, class U, class S>
void mad(__cc__ T* c, __ca__ U* a, __cb__ S* b, uint16_t m, uint16_t k, uint16_t n,
         uint8_t unitFlag, bool kDirectionAlign, bool cmatrixSource, bool cmatrixInitVal) {
  using namespace AscendC;
  MmadParams params(m, n, k, unitFlag, cmatrixSource, cmatrixInitVal);
  params.kDirectionAlign = kDirectionAlign;
  Mmad(LocalTensor<T>(in_api::at(TPosition::CO1, c)), LocalTensor<U>(in_api::at(TPosition::A2, a)),
       LocalTensor<S>(in_api::at(TPosition::B2, b)), params);
}

// As DataCopy with DataCopyCO12DstParams: several matrices, and scales, as set_nd_para,
// set_quant_pre and set_fpc said before.
template <class T, class U>
void copy_matrix_cc_to_gm(__gm__ T* dst, __cc__ U* src, uint8_t, uint16_t nSize, uint16_t mSize,
                          uint32_t dstStride, uint16_t srcStride, uint8_t unitFlag,
                          QuantMode_t quantPre, uint8_t reluPre, bool channelSplit, bool nz2nd) {
  using namespace AscendC;
  DataCopyCO12DstParams params(nSize, mSize, dstStride, srcStride, quantPre, reluPre, channelSplit,
                               nz2nd);
  params.unitFlag = unitFlag;
  in_api::copy_out(in_api::gm_at(dst, vinci::dtype_of<T>), in_api::at(TPosition::CO1, src), params);
}

// From L1 to FB: bursts, and gaps in FB, of 128 bytes, as DataCopy to C2PIPE2GM has them.
inline void copy_cbuf_to_fbuf(__fbuf__ void* dst, __cbuf__ void* src, uint16_t bursts,
                              uint16_t blocks, uint16_t srcGap, uint16_t dstGap) {
  using namespace AscendC;
  const auto scales = static_cast<const uint64_t*>(src);
  DataCopy(
      LocalTensor<uint64_t>(in_api::at(TPosition::C2PIPE2GM, static_cast<const uint64_t*>(dst))),
      LocalTensor<uint64_t>(in_api::at(TPosition::A1, scales)),
      DataCopyParams(bursts, blocks, srcGap, dstGap));
}

// Bits 8 to 15: where in FB the scales of columns are, in units of 128 bytes; bit 63: unit flags.
inline void set_fpc(uint64_t config) {
  using namespace AscendC;
  const vinci::Operand scales{(config >> 8 & 0xFF) << 7, vinci::kUnknownExtent, 0,
                              TPosition::C2PIPE2GM, vinci::DType::kUint64};
  vinci::issue(vinci::SetFixPipeConfigRecord{
      {&vinci::isa::set_fix_pipe_config}, {}, scales, (config >> 63) != 0});
}
