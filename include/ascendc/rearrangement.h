// Pad, UnPad, Transpose between NZ and ND (older: ConfusionTranspose), TransData.
#pragma once

#include "ascendc/elementwise.h"
#include "ascendc/layout.h"
#include "ascendc/transpose.h"
#include "kernel_tiling/layout_tiling.h"

namespace vinci::isa {
extern const Instruction confusion_transpose, pad, trans_data, un_pad;
}  // namespace vinci::isa

namespace AscendC {

struct PadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
  int32_t padValue = 0;
};
struct UnPadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
};

namespace in_api {

inline void issue_with(vinci::LibraryRecord record, const LocalTensor<uint8_t>* scratch,
                       uint64_t bytes = 0) {
  if (scratch != nullptr) record = with_scratch(record, *scratch, bytes);
  vinci::issue(record);
}

template <class T>
void pad(const LocalTensor<T>& dst, const LocalTensor<T>& src, const PadParams& params,
         const LocalTensor<uint8_t>* scratch, const PadTiling& tiling) {
  constexpr uint32_t kBlock = 32 / sizeof(T);
  auto record = with_scalar(element_record(vinci::isa::pad, 0, dst, src), T(params.padValue));
  const uint32_t sizes[] = {tiling.srcHeight,   tiling.srcWidth,
                            tiling.srcOriWidth, params.leftPad,
                            params.rightPad,    (tiling.srcWidth + kBlock - 1) / kBlock * kBlock};
  for (int i = 0; i < 6; ++i) record.size[i] = sizes[i];
  issue_with(record, scratch);
}
template <class T>
void un_pad(const LocalTensor<T>& dst, const LocalTensor<T>& src, const UnPadParams& params,
            const LocalTensor<uint8_t>* scratch, const UnPadTiling& tiling) {
  auto record = element_record(vinci::isa::un_pad, 0, dst, src);
  record.size[0] = tiling.srcHeight;
  record.size[1] = tiling.srcWidth;
  record.size[2] = params.rightPad < tiling.srcWidth ? tiling.srcWidth - params.rightPad : 0;
  issue_with(record, scratch);
}
template <class T>
void transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<uint8_t>* scratch, TransposeType type,
               const ConfusionTransposeTiling& tiling) {
  auto record = element_record(vinci::isa::confusion_transpose, 0, dst, src);
  record.size[0] = tiling.param0;
  record.size[1] = tiling.param1;
  record.size[2] = tiling.param2;
  record.size[3] = tiling.param3;
  record.size[4] = uint32_t(type);
  issue_with(record, scratch);
}

}  // namespace in_api

template <class T>
void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
         const PadParams& padParams, const LocalTensor<uint8_t>& sharedTmpBuffer,
         const PadTiling& tiling) {
  in_api::pad(dstTensor, srcTensor, padParams, &sharedTmpBuffer, tiling);
}
template <class T>
void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
         const PadParams& padParams, const PadTiling& tiling) {
  in_api::pad(dstTensor, srcTensor, padParams, nullptr, tiling);
}
template <class T>
void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
           const UnPadParams& unPadParams, const LocalTensor<uint8_t>& sharedTmpBuffer,
           const UnPadTiling& tiling) {
  in_api::un_pad(dstTensor, srcTensor, unPadParams, &sharedTmpBuffer, tiling);
}
template <class T>
void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
           const UnPadParams& unPadParams, const UnPadTiling& tiling) {
  in_api::un_pad(dstTensor, srcTensor, unPadParams, nullptr, tiling);
}

#define VINCI_TRANSPOSE(Name)                                                                  \
  template <class T>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                              \
            const LocalTensor<uint8_t>& sharedTmpBuffer, TransposeType transposeType,          \
            const ConfusionTransposeTiling& tiling) {                                          \
    in_api::transpose(dst, src, &sharedTmpBuffer, transposeType, tiling);                      \
  }                                                                                            \
  template <class T>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, TransposeType transposeType, \
            const ConfusionTransposeTiling& tiling) {                                          \
    in_api::transpose(dst, src, nullptr, transposeType, tiling);                               \
  }
VINCI_TRANSPOSE(Transpose)
VINCI_TRANSPOSE(ConfusionTranspose)
#undef VINCI_TRANSPOSE

template <class T, class U>
struct TransDataParams {
  T srcLayout;
  U dstLayout;
};

namespace in_api {

template <size_t dimension, class L>
uint32_t size_in(const L& layout) {
  return uint32_t(std::get<dimension>(layout.GetShape()));
}
// `plain` is the layout of NCDHW, `blocked` the other one.
template <bool z3d, class P, class B>
void set_blocks(vinci::LibraryRecord& record, const P& plain, const B& blocked) {
  constexpr size_t kPlain =
      std::tuple_size_v<std::remove_cv_t<std::remove_reference_t<decltype(plain.GetShape())>>>;
  constexpr size_t kBlocked =
      std::tuple_size_v<std::remove_cv_t<std::remove_reference_t<decltype(blocked.GetShape())>>>;
  static_assert(kPlain == 5, "NCDHW has five dimensions");
  static_assert(kBlocked == (z3d ? 7 : 6), "dimensions as the format has them");
  record.size[0] = size_in<0>(plain);
  record.size[1] = size_in<1>(plain);
  record.size[2] = size_in<2>(plain);
  record.size[3] = size_in<3>(plain) * size_in<4>(plain);
  record.size[5] = size_in < z3d ? 1 : 2 > (blocked);
  if constexpr (z3d) {
    record.size[6] = size_in<6>(blocked);
    record.size[7] = size_in<4>(blocked);
    record.size[8] = size_in<5>(blocked);
  } else {
    record.size[6] = size_in<5>(blocked);
  }
}
template <const TransDataConfig& config, class T, class U, class S>
void trans_data(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                const LocalTensor<uint8_t>* scratch, const TransDataParams<U, S>& params) {
  constexpr bool kFrom = config.dstFormat == DataFormat::NCDHW;
  constexpr DataFormat kOther = kFrom ? config.srcFormat : config.dstFormat;
  constexpr bool kZ3d = kOther == DataFormat::FRACTAL_Z_3D;
  static_assert(
      (kFrom || config.srcFormat == DataFormat::NCDHW) && (kZ3d || kOther == DataFormat::NDC1HWC0),
      "TransData goes between NCDHW and NDC1HWC0 or FRACTAL_Z_3D");
  auto record = element_record(vinci::isa::trans_data, 0, dst, src);
  record.size[4] = (kZ3d ? 0 : 2) + kFrom;
  if constexpr (kFrom) {
    set_blocks<kZ3d>(record, params.dstLayout, params.srcLayout);
  } else {
    set_blocks<kZ3d>(record, params.srcLayout, params.dstLayout);
  }
  issue_with(record, scratch,
             2 * trans_data_scratch(record.size[4], record.size[0], record.size[1], record.size[2],
                                    record.size[3]));
}

}  // namespace in_api

template <const TransDataConfig& config, class T, class U, class S>
void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
               const LocalTensor<uint8_t>& sharedTmpBuffer, const TransDataParams<U, S>& params) {
  in_api::trans_data<config>(dstTensor, srcTensor, &sharedTmpBuffer, params);
}
template <const TransDataConfig& config, class T, class U, class S>
void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
               const TransDataParams<U, S>& params) {
  in_api::trans_data<config>(dstTensor, srcTensor, nullptr, params);
}

}  // namespace AscendC
