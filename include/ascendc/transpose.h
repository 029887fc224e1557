// Transpose and TransDataTo5HD.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
extern const Instruction trans_data_to_5hd, transpose, v4dtrans;
}  // namespace vinci::isa

namespace AscendC {

// 16 x 16 elements of 16 bits: dst[j][i] = src[i][j].
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  vinci::issue(vinci::TransposeRecord{{&vinci::isa::transpose}, dst.operand(), src.operand()});
}

// The first seven go with a tiling: ascendc/rearrangement.h. No chip has the two before
// TRANSPOSE_ND2ND_B16.
enum class TransposeType : uint8_t {
  TRANSPOSE_TYPE_NONE,
  TRANSPOSE_NZ2ND_0213,
  TRANSPOSE_NZ2NZ_0213,
  TRANSPOSE_NZ2NZ_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITHOUT_N,
  TRANSPOSE_NZ2NZ_012_WITHOUT_N,
  TRANSPOSE_ND2ND_ONLY,
  TRANSPOSE_ND_UB_GM,
  TRANSPOSE_GRAD_ND_UB_GM,
  TRANSPOSE_ND2ND_B16,  // 16 x 16 elements
  TRANSPOSE_NCHW2NHWC,
  TRANSPOSE_NHWC2NCHW,
};

struct TransposeParamsExt {
  TransposeParamsExt() = default;
  TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type)
      : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}

  uint16_t nSize = 0;
  uint16_t cSize = 0;
  uint16_t hSize = 0;
  uint16_t wSize = 0;
  TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

namespace in_api {

// Image by image; each lies without gaps.
template <class T>
void transpose_images(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const LocalTensor<uint8_t>& scratch, const TransposeParamsExt& params) {
  const int32_t places = int32_t(params.hSize) * params.wSize;
  if (places > 4095) {
    vinci::bad_argument("Transpose", "hSize * wSize", places, "0..4095");
    return;
  }
  if (places * sizeof(T) % 32 != 0) {
    vinci::bad_argument("Transpose", "hSize * wSize in bytes", int64_t(places * sizeof(T)),
                        "multiples of 32");
    return;
  }
  if (places == 0 || params.cSize == 0) return;
  for (uint32_t n = 0; n < params.nSize; ++n) {
    const uint32_t first = n * uint32_t(places) * params.cSize;
    vinci::issue(
        vinci::ImageTransposeRecord{{&vinci::isa::v4dtrans},
                                    dst[first].operand(),
                                    src[first].operand(),
                                    scratch.operand(),
                                    places,
                                    params.cSize,
                                    params.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC});
  }
}

}  // namespace in_api

// The same square, or images: [N, C, H, W] to [N, H, W, C] and back. Images take what
// sharedTmpBuffer holds on Atlas A2/A3, so many datablocks of 32 bytes, times 16, or 32 for types
// of 8 bits: cSize + 2 to NHWC, cSize * 2 + 1 from it.
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<uint8_t>& sharedTmpBuffer,
               const TransposeParamsExt& transposeParams) {
  switch (transposeParams.transposeType) {
    case TransposeType::TRANSPOSE_TYPE_NONE: return;
    case TransposeType::TRANSPOSE_ND2ND_B16: return Transpose(dst, src);
    case TransposeType::TRANSPOSE_NCHW2NHWC:
    case TransposeType::TRANSPOSE_NHWC2NCHW:
      return in_api::transpose_images(dst, src, sharedTmpBuffer, transposeParams);
    default:
      vinci::bad_argument("Transpose", "transposeType", int64_t(transposeParams.transposeType),
                          "0 (none), 10 (ND2ND_B16), 11 (NCHW2NHWC), 12 (NHWC2NCHW)");
  }
}

inline constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

// Strides in datablocks between repeats; a single repeat starts one stride from the addresses.
struct TransDataTo5HDParams {
  TransDataTo5HDParams() = default;
  TransDataTo5HDParams(bool dst_high, bool src_high, uint16_t repeats, uint16_t dst_stride,
                       uint16_t src_stride)
      : dstHighHalf(dst_high),
        srcHighHalf(src_high),
        repeatTimes(repeats),
        dstRepStride(dst_stride),
        srcRepStride(src_stride) {}

  bool dstHighHalf = false;
  bool srcHighHalf = false;
  uint16_t repeatTimes = 1;
  uint16_t dstRepStride = 0;
  uint16_t srcRepStride = 0;
};

namespace in_api {

// dst_of(i) and src_of(i) are the operands in their lists.
template <class Dst, class Src>
void trans_data(const TransDataTo5HDParams& params, Dst dst_of, Src src_of) {
  vinci::TransposeBlocksRecord record{};
  record.instruction = &vinci::isa::trans_data_to_5hd;
  for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    record.dst[i] = dst_of(i);
    record.src[i] = src_of(i);
  }
  record.repeats = params.repeatTimes;
  record.dst_stride = params.dstRepStride;
  record.src_stride = params.srcRepStride;
  record.dst_high = params.dstHighHalf;
  record.src_high = params.srcHighHalf;
  vinci::issue(record);
}

// A tensor of T where a LocalTensor's GetPhyAddr points.
template <class T>
vinci::Operand tensor_at(uint64_t address) {
  vinci::Operand operand = vinci::ub_tensor(address);
  operand.dtype = vinci::dtype_of<T>;
  return operand;
}

}  // namespace in_api

// Turns the elements of 16 datablocks into 16 others.
template <class T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams) {
  in_api::trans_data(
      nchwconvParams, [&](int i) { return dstList[i].operand(); },
      [&](int i) { return srcList[i].operand(); });
}
// The same with addresses, as GetPhyAddr gives them.
template <class T>
void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                    uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams) {
  in_api::trans_data(
      nchwconvParams, [&](int i) { return in_api::tensor_at<T>(dstList[i]); },
      [&](int i) { return in_api::tensor_at<T>(srcList[i]); });
}
// The same with addresses in UB.
template <class T>
void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                    const TransDataTo5HDParams& nchwconvParams) {
  in_api::trans_data(
      nchwconvParams, [&](int i) { return in_api::tensor_at<T>(dst.GetValue(uint32_t(i))); },
      [&](int i) { return in_api::tensor_at<T>(src.GetValue(uint32_t(i))); });
}

}  // namespace AscendC
