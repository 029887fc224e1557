// The way of matrices under the small names that kernels of older style call: on pointers into L1,
// L0A, L0B, L0C and FB, which GetPhyAddr gave, or offsets. Each is the call of Ascend C that takes
// the same numbers; `sid` has no effect.
#pragma once

#include "ascendc/data_copy.h"
#include "ascendc/fill.h"
#include "ascendc/fixpipe.h"
#include "ascendc/intrinsic.h"
#include "ascendc/load_data.h"
#include "ascendc/mmad.h"
#include "vinci/debug.h"
#include "vinci/record/padded_copy.h"

// How the address of a load goes on from repeat to repeat.
enum addr_cal_mode_t : uint8_t { inc = 0, dec = 1 };
namespace __cce_scalar {
using ::addr_cal_mode_t;
using ::dec;
using ::inc;
}  // namespace __cce_scalar
using AscendC::pad_t;
inline constexpr pad_t PAD_NONE = pad_t::PAD_NONE, PAD_MODE1 = pad_t::PAD_MODE1;
inline constexpr pad_t PAD_MODE2 = pad_t::PAD_MODE2, PAD_MODE3 = pad_t::PAD_MODE3;
inline constexpr pad_t PAD_MODE4 = pad_t::PAD_MODE4, PAD_MODE5 = pad_t::PAD_MODE5;
inline constexpr pad_t PAD_MODE6 = pad_t::PAD_MODE6, PAD_MODE7 = pad_t::PAD_MODE7;
inline constexpr pad_t PAD_MODE8 = pad_t::PAD_MODE8;

namespace vinci::isa {
extern const Instruction padded_copy;
}  // namespace vinci::isa

namespace AscendC::in_api {

template <class T>
vinci::Operand at(TPosition position, const T* pointer) {
  return vinci::tensor_at(pointer, position, vinci::dtype_of<T>);
}
inline vinci::Operand at(TPosition position, const void* pointer) {
  return at(position, static_cast<const uint8_t*>(pointer));
}

// Where such a number points in a memory: it is a pointer, or one divided by `unit`, or counts
// bytes.
inline vinci::Operand in_memory(TPosition position, uint64_t address, uint64_t unit,
                                vinci::DType type) {
  const vinci::Operand direct = vinci::tensor_at(reinterpret_cast<void*>(address), position, type);
  if (direct.address != address) return direct;
  const vinci::Operand scaled =
      vinci::tensor_at(reinterpret_cast<void*>(address * unit), position, type);
  return scaled.address != address * unit ? scaled : direct;
}

}  // namespace AscendC::in_api

// Bursts of datablocks; the gaps are datablocks too. With a padding mode a burst is a few bytes,
// and what set_padding said behind them.
inline void copy_gm_to_cbuf(__cbuf__ void* dst, __gm__ void* src, uint8_t, uint16_t bursts,
                            uint16_t blocks, uint16_t srcGap, uint16_t dstGap, pad_t mode) {
  using namespace AscendC;
  const vinci::Operand to = in_api::at(TPosition::A1, dst);
  const vinci::Operand from = in_api::gm_at(src, vinci::DType::kUint8);
  if (mode == PAD_NONE) {
    in_api::copy_bursts(to, from, {bursts, blocks, srcGap, dstGap});
    return;
  }
  vinci::issue(vinci::PaddedCopyRecord{
      {&vinci::isa::padded_copy}, to, from, uint8_t(mode), bursts, blocks, srcGap, dstGap});
}

inline void copy_cbuf_to_gm(__gm__ void* dst, __cbuf__ void* src, uint8_t, uint16_t bursts,
                            uint16_t blocks, uint16_t srcGap, uint16_t dstGap) {
  using namespace AscendC;
  in_api::copy_bursts(in_api::combined(in_api::gm_at(dst, vinci::DType::kUint8)),
                      in_api::combined(in_api::at(TPosition::A1, src)),
                      {bursts, blocks, srcGap, dstGap});
}
inline void copy_ubuf_to_cbuf(__cbuf__ void* dst, __ubuf__ void* src, uint8_t, uint16_t bursts,
                              uint16_t blocks, uint16_t srcGap, uint16_t dstGap) {
  using namespace AscendC;
  in_api::copy_bursts(in_api::at(TPosition::A1, dst), in_api::ub_at(src),
                      {bursts, blocks, srcGap, dstGap});
}
inline void copy_cbuf_to_ubuf(__ubuf__ void* dst, __cbuf__ void* src, uint8_t, uint16_t bursts,
                              uint16_t blocks, uint16_t srcGap, uint16_t dstGap) {
  using namespace AscendC;
  in_api::copy_bursts(in_api::ub_at(dst), in_api::at(TPosition::A1, src),
                      {bursts, blocks, srcGap, dstGap});
}
// Bias to BT, whose address counts 16 bytes where it is made of a pointer: words unchanged, or half
// to float. Bursts, and gaps in BT, of 64 bytes.
inline void copy_cbuf_to_bt(uint64_t dst, __cbuf__ void* src, uint16_t convControl, uint16_t bursts,
                            uint16_t blocks, uint16_t srcGap, uint16_t dstGap) {
  using namespace AscendC;
  vinci::issue(
      vinci::DataCopyRecord{{&vinci::isa::data_copy_bt},
                            in_api::in_memory(TPosition::C2, dst, 16, vinci::DType::kFloat),
                            convControl != 0 ? in_api::at(TPosition::A1, static_cast<half*>(src))
                                             : in_api::at(TPosition::A1, static_cast<float*>(src)),
                            false,
                            0,
                            in_api::bursts({bursts, blocks, srcGap, dstGap})});
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
#define VINCI_LOAD_FROM_GM(name, space, to)                                                    \
  template <class T>                                                                           \
  void name(space T* dst, __gm__ T* src, uint16_t baseIdx, uint8_t repeat, uint16_t srcStride, \
            uint16_t dstStride, uint8_t, addr_cal_mode_t mode) {                               \
    using namespace AscendC;                                                                   \
    in_api::load_2d(in_api::at(TPosition::to, dst), in_api::gm_at(src, vinci::dtype_of<T>),    \
                    {baseIdx, repeat, srcStride, 0, dstStride, false, mode});                  \
  }
VINCI_LOAD_FROM_GM(load_gm_to_ca, __ca__, A2)
VINCI_LOAD_FROM_GM(load_gm_to_cb, __cb__, B2)
VINCI_LOAD_FROM_GM(load_gm_to_cbuf, __cbuf__, A1)
#undef VINCI_LOAD_FROM_GM

// Squares, each transposed, as LoadDataWithTranspose. Addresses only go up.
namespace AscendC::in_api {

inline void load_squares(const char* api, const vinci::Operand& dst, const vinci::Operand& src,
                         bool down, const LoadData2dTransposeParams& params) {
  if (down) {
    vinci::bad_argument(api, "the address mode", 1, "inc (0)");
    return;
  }
  vinci::issue(vinci::LoadDataTransposeRecord{{&vinci::isa::load_data_with_transpose},
                                              dst,
                                              src,
                                              params.startIndex,
                                              params.srcStride,
                                              params.dstGap,
                                              params.dstFracGap,
                                              params.repeatTimes});
}

}  // namespace AscendC::in_api

#define VINCI_LOAD_SQUARES(name, space, to, from)                                                 \
  template <class T>                                                                              \
  void name(space T* dst, __cbuf__ T* src, uint16_t indexID, uint8_t repeat, uint16_t srcStride,  \
            uint16_t dstStride, bool down, uint16_t dstFracStride) {                              \
    using namespace AscendC;                                                                      \
    in_api::load_squares(#name, in_api::at(TPosition::to, dst), in_api::at(TPosition::from, src), \
                         down, {indexID, repeat, srcStride, dstStride, dstFracStride});           \
  }
VINCI_LOAD_SQUARES(load_cbuf_to_ca_transpose, __ca__, A2, A1)
VINCI_LOAD_SQUARES(load_cbuf_to_cb_transpose, __cb__, B2, B1)
#undef VINCI_LOAD_SQUARES

// Windows of a feature map, as LoadData with LoadData3DParamsV2; the feature map, the padding and
// the repeats are in registers.
#define VINCI_LOAD_WINDOWS(name, space, to, from)                                                 \
  template <class T>                                                                              \
  void name(space T* dst, __cbuf__ T* src, uint16_t stepK, uint16_t stepM, uint16_t posK,         \
            uint16_t posM, uint8_t strideW, uint8_t strideH, uint8_t Wk, uint8_t Hk,              \
            uint8_t dilationW, uint8_t dilationH, bool filterW, bool filterH, bool transpose,     \
            bool fmatrixCtrl, uint16_t sizeChannel) {                                             \
    using namespace AscendC;                                                                      \
    const auto part = [](uint64_t value, int bit) { return value << bit; };                       \
    LoadData(                                                                                     \
        LocalTensor<T>(in_api::at(TPosition::to, dst)),                                           \
        LocalTensor<T>(in_api::at(TPosition::from, src)),                                         \
        LoadData3DParamsV2Pro(sizeChannel, transpose, false, filterW, filterH, fmatrixCtrl,       \
                              part(stepK, 0) | part(stepM, 16) | part(posK, 32) | part(posM, 48), \
                              part(strideW, 0) | part(strideH, 8) | part(Wk, 16) | part(Hk, 24) | \
                                  part(dilationW, 32) | part(dilationH, 40)));                    \
  }
VINCI_LOAD_WINDOWS(img2colv2_cbuf_to_ca, __ca__, A2, A1)
VINCI_LOAD_WINDOWS(img2colv2_cbuf_to_cb, __cb__, B2, B1)
#undef VINCI_LOAD_WINDOWS
// From bit 0: height and width, 16 bits each; padding left, right, at the top and at the bottom.
namespace AscendC::in_api {

inline void set_feature_map(uint64_t config, FmatrixMode mode) {
  uint8_t padding[4];
  for (int i = 0; i < 4; ++i) padding[i] = uint8_t(config >> (32 + 8 * i));
  SetFmatrix(uint16_t(config), uint16_t(config >> 16), padding, mode);
}

}  // namespace AscendC::in_api
inline void set_fmatrix(uint64_t config) {
  AscendC::in_api::set_feature_map(config, AscendC::FmatrixMode::FMATRIX_LEFT);
}
inline void set_fmatrix_b(uint64_t config) {
  AscendC::in_api::set_feature_map(config, AscendC::FmatrixMode::FMATRIX_RIGHT);
}
// Bits 0..15: the stride, 16..23: how many, 24: the mode.
inline void set_l3d_rpt(uint64_t config) {
  AscendC::SetLoadDataRepeat(
      {uint16_t(config), uint16_t(config >> 16 & 255), uint8_t(config >> 24 & 1)});
}

// 4:2 compressed weights and their indices, as LoadDataWithSparse.
inline void load_cbuf_to_cb_sp(__cb__ int8_t* dst, __cbuf__ int8_t* src, __cbuf__ int8_t* index,
                               uint16_t startIndex, uint16_t repeat) {
  using namespace AscendC;
  LoadDataWithSparse(
      LocalTensor<int8_t>(in_api::at(TPosition::B2, dst)),
      LocalTensor<int8_t>(in_api::at(TPosition::B1, src)),
      LocalTensor<uint8_t>(in_api::at(TPosition::B1, reinterpret_cast<uint8_t*>(index))),
      LoadData2DParams(startIndex, repeat, 0, 0, 0, false, 0));
}

// A value in 16 or 32 bits, again and again, as Fill. From bit 0 of config, 15 bits each: how many
// times, in which unit, and from bit 32 the gap.
#define VINCI_FILL(name, space, position)                                                  \
  template <class T>                                                                       \
  void name(space void* dst, int64_t config, T value) {                                    \
    using namespace AscendC;                                                               \
    constexpr auto kBits = 0x7FFF;                                                         \
    Fill(LocalTensor<T>(in_api::at(TPosition::position, static_cast<T*>(dst))),            \
         InitConstValueParams<T>(uint16_t(config & kBits), uint16_t(config >> 16 & kBits), \
                                 uint16_t(config >> 32 & kBits), value));                  \
  }
VINCI_FILL(create_ca_matrix, __ca__, A2)
VINCI_FILL(create_cb_matrix, __cb__, B2)
VINCI_FILL(create_cbuf_matrix, __cbuf__, A1)
#undef VINCI_FILL

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

// 4:2 compressed weights, as MmadWithSparse.
template <class T, class U>
void mad_sp(__cc__ T* c, __ca__ U* a, __cb__ U* b, uint16_t m, uint16_t k, uint16_t n,
            uint8_t unitFlag, bool cmatrixSource, bool cmatrixInitVal) {
  using namespace AscendC;
  MmadWithSparse(LocalTensor<T>(in_api::at(TPosition::CO1, c)),
                 LocalTensor<U>(in_api::at(TPosition::A2, a)),
                 LocalTensor<U>(in_api::at(TPosition::B2, b)),
                 MmadParams(m, n, k, unitFlag, cmatrixSource, cmatrixInitVal));
}

// As DataCopy with DataCopyCO12DstParams: several matrices, and scales, as set_nd_para,
// set_quant_pre and set_fpc said before.
namespace AscendC::in_api {

template <class U>
void copy_matrix_out(const vinci::Operand& dst, __cc__ U* src, uint8_t unit_flag,
                     DataCopyCO12DstParams params) {
  params.unitFlag = unit_flag;
  copy_out(dst, at(TPosition::CO1, src), params);
}

}  // namespace AscendC::in_api
template <class T, class U>
void copy_matrix_cc_to_gm(__gm__ T* dst, __cc__ U* src, uint8_t, uint16_t nSize, uint16_t mSize,
                          uint32_t dstStride, uint16_t srcStride, uint8_t unitFlag,
                          uint64_t quantPre, uint8_t reluPre, bool channelSplit, bool nz2nd) {
  using namespace AscendC;
  in_api::copy_matrix_out(
      in_api::gm_at(dst, vinci::dtype_of<T>), src, unitFlag,
      {nSize, mSize, dstStride, srcStride, QuantMode_t(quantPre), reluPre, channelSplit, nz2nd});
}
template <class T, class U>
void copy_matrix_cc_to_cbuf(__cbuf__ T* dst, __cc__ U* src, uint8_t, uint16_t nSize, uint16_t mSize,
                            uint32_t dstStride, uint16_t srcStride, uint8_t unitFlag,
                            uint64_t quantPre, uint8_t reluPre, bool channelSplit, bool nz2nd) {
  using namespace AscendC;
  in_api::copy_matrix_out(
      in_api::at(TPosition::A1, dst), src, unitFlag,
      {nSize, mSize, dstStride, srcStride, QuantMode_t(quantPre), reluPre, channelSplit, nz2nd});
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
