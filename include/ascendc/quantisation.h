// AscendDequant, AscendQuant, AscendAntiQuant.
#pragma once

#include "ascendc/elementwise.h"

namespace vinci::isa {
extern const Instruction ascend_anti_quant, ascend_dequant, ascend_quant;
}  // namespace vinci::isa

namespace AscendC {

enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW, DEQUANT_WITH_MULTI_ROW };
struct DequantParams {
  uint32_t m;
  uint32_t n;
  uint32_t calCount;
};

namespace in_api {

template <DeQuantMode mode, class T>
vinci::LibraryRecord dequant_record(const LocalTensor<T>& dst, const LocalTensor<int32_t>& src,
                                    DequantParams params) {
  constexpr uint32_t kBlock = 32 / sizeof(T);
  // One row counts as several of calCount, where that fits.
  if (mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW && params.m == 1 && params.calCount != 0 &&
      params.calCount % kBlock == 0 && params.n % params.calCount == 0) {
    params = {params.n / params.calCount, params.calCount, params.calCount};
  }
  auto record = element_record(vinci::isa::ascend_dequant, 0, dst, src);
  record.size[0] = params.m;
  record.size[1] = params.n;
  record.size[2] = params.calCount;
  record.size[3] = (params.n + kBlock - 1) / kBlock * kBlock;
  return record;
}
template <class S>
vinci::LibraryRecord with_scale(vinci::LibraryRecord record, const LocalTensor<S>& scale) {
  record.src[1] = scale.operand();
  return record;
}
// The scalar's type is one that the tensors of scales may have.
template <class S>
vinci::LibraryRecord with_scale(vinci::LibraryRecord record, const S& scale) {
  if constexpr (sizeof(S) == 8) {
    const auto low = uint32_t(scale);
    __builtin_memcpy(&record.number[0], &low, 4);
  } else {
    record.number[0] = float(scale);
  }
  return record;
}

}  // namespace in_api

// dst = src * scale: `Scale` is a tensor with one for each column, or a number.
#define VINCI_DEQUANT(Scale)                                                                       \
  template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>     \
  void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,    \
                     Scale deqScale, const LocalTensor<uint8_t>& sharedTmpBuffer,                  \
                     DequantParams params) {                                                       \
    vinci::issue(in_api::with_scratch(                                                             \
        in_api::with_scale(in_api::dequant_record<mode>(dstTensor, srcTensor, params), deqScale),  \
        sharedTmpBuffer, 0));                                                                      \
  }                                                                                                \
  template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>     \
  void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,    \
                     Scale deqScale, DequantParams params) {                                       \
    vinci::issue(                                                                                  \
        in_api::with_scale(in_api::dequant_record<mode>(dstTensor, srcTensor, params), deqScale)); \
  }
VINCI_DEQUANT(const LocalTensor<scaleT>&)
VINCI_DEQUANT(const scaleT)
#undef VINCI_DEQUANT

// The forms without a shape: one row of the whole scale, as often as src has it.
template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                   const LocalTensor<scaleT>& deqScale, const LocalTensor<uint8_t>& sharedTmpBuffer,
                   const uint32_t calCount) {
  AscendDequant<dstT, scaleT, mode>(dstTensor, srcTensor, deqScale, sharedTmpBuffer,
                                    DequantParams{1, srcTensor.GetSize(), calCount});
}
template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                   const LocalTensor<scaleT>& deqScale,
                   const LocalTensor<uint8_t>& sharedTmpBuffer) {
  AscendDequant<dstT, scaleT, mode>(dstTensor, srcTensor, deqScale, sharedTmpBuffer,
                                    deqScale.GetSize());
}
template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                   const LocalTensor<scaleT>& deqScale, const uint32_t calCount) {
  AscendDequant<dstT, scaleT, mode>(dstTensor, srcTensor, deqScale,
                                    DequantParams{1, srcTensor.GetSize(), calCount});
}
template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                   const LocalTensor<scaleT>& deqScale) {
  AscendDequant<dstT, scaleT, mode>(dstTensor, srcTensor, deqScale, deqScale.GetSize());
}

struct AscendQuantConfig {
  uint32_t calcCount = 0, offsetCount = 0, scaleCount = 0, workLocalSize = 0;
};
constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG{};

namespace in_api {

// scale and offset are numbers, or tensors that repeat along src.
template <class T>
void set_scale(vinci::LibraryRecord& record, float scale, T offset) {
  record.number[0] = scale;
  record.number[1] = float(offset);
}
template <class T>
void set_scale(vinci::LibraryRecord& record, const LocalTensor<T>& scale, as_is<T> offset,
               uint32_t scale_count) {
  record.src[1] = scale.operand();
  record.size[0] = scale_count;
  record.number[1] = float(offset);
}
template <class T>
void set_scale(vinci::LibraryRecord& record, const LocalTensor<T>& scale,
               const LocalTensor<T>& offset, uint32_t scale_count, uint32_t offset_count) {
  record.src[1] = scale.operand();
  record.src[2] = offset.operand();
  record.size[0] = scale_count;
  record.size[1] = offset_count;
}
template <class T, class... Scales>
void quant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
           const LocalTensor<uint8_t>* scratch, uint32_t count, const Scales&... scales) {
  auto record = element_record(vinci::isa::ascend_quant, count, dst, src);
  set_scale(record, scales...);
  if (scratch != nullptr) record = with_scratch(record, *scratch, 512);
  vinci::issue(record);
}

}  // namespace in_api

// int8 of src * scale + offset, all steps in half.
#define VINCI_QUANT_FORM(parameters, ...)                                                 \
  template <class T, bool isReuseSource = false,                                          \
            const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>                   \
  void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, \
                   __VA_ARGS__ VINCI_LIST_OF parameters)
#define VINCI_LIST_OF(...) __VA_ARGS__
#define VINCI_QUANT(parameter, scratch)                                                           \
  VINCI_QUANT_FORM((const float scale, const float offset, const uint32_t calCount), parameter) { \
    in_api::quant(dstTensor, srcTensor, scratch, calCount, scale, offset);                        \
  }                                                                                               \
  VINCI_QUANT_FORM((const float scale, const float offset), parameter) {                          \
    in_api::quant(dstTensor, srcTensor, scratch, srcTensor.GetSize(), scale, offset);             \
  }                                                                                               \
  VINCI_QUANT_FORM((const LocalTensor<T>& scaleTensor, const in_api::as_is<T> offset,             \
                    const uint32_t scaleCount, const uint32_t calCount),                          \
                   parameter) {                                                                   \
    in_api::quant(dstTensor, srcTensor, scratch, calCount, scaleTensor, offset, scaleCount);      \
  }                                                                                               \
  VINCI_QUANT_FORM(                                                                               \
      (const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor,                     \
       const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount),           \
      parameter) {                                                                                \
    in_api::quant(dstTensor, srcTensor, scratch, calCount, scaleTensor, offsetTensor, scaleCount, \
                  offsetCount);                                                                   \
  }                                                                                               \
  VINCI_QUANT_FORM((const LocalTensor<T>& scaleTensor, const in_api::as_is<T> offset),            \
                   parameter) {                                                                   \
    in_api::quant(dstTensor, srcTensor, scratch, srcTensor.GetSize(), scaleTensor, offset,        \
                  scaleTensor.GetSize());                                                         \
  }                                                                                               \
  VINCI_QUANT_FORM((const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor),       \
                   parameter) {                                                                   \
    in_api::quant(dstTensor, srcTensor, scratch, srcTensor.GetSize(), scaleTensor, offsetTensor,  \
                  scaleTensor.GetSize(), offsetTensor.GetSize());                                 \
  }
VINCI_BOTH_SCRATCHES(VINCI_QUANT)
#undef VINCI_QUANT
#undef VINCI_QUANT_FORM

// Zeros: as the tensors' ShapeInfo says.
struct AntiQuantShapeInfo {
  uint32_t offsetHeight{0};
  uint32_t offsetWidth{0};
  uint32_t scaleHeight{0};
  uint32_t scaleWidth{0};
};

namespace in_api {

template <class To, class From>
vinci::LibraryRecord anti_quant_record(const LocalTensor<To>& dst, const LocalTensor<From>& src,
                                       uint32_t k, bool transposed) {
  auto record = element_record(vinci::isa::ascend_anti_quant, 0, dst, src);
  record.size[0] = k;
  record.size[1] = k == 0 ? 0 : src.GetSize() / k;
  record.size[6] = transposed;
  record.size[7] = 1;
  return record;
}
// The operand at `place`, 1 offset and 2 scale, with rows and columns as said or as it knows them;
// else scale has those of offset, or as many groups as it has room for.
template <class T>
void set_groups(vinci::LibraryRecord& record, int place, const LocalTensor<T>& tensor,
                uint32_t height, uint32_t width) {
  const ShapeInfo info = tensor.GetShapeInfo();
  if (height == 0 && width == 0 && info.shapeDim >= 2) {
    height = info.shape[info.shapeDim - 2];
    width = info.shape[info.shapeDim - 1];
  }
  if (height == 0 && width == 0 && place == 2) {
    height = record.size[2];
    width = record.size[3];
  }
  if (height == 0 && width == 0 && record.size[1] != 0) {
    const uint32_t groups = tensor.GetSize() / record.size[1];
    height = record.size[6] != 0 ? record.size[1] : groups;
    width = record.size[6] != 0 ? groups : record.size[1];
  }
  record.src[place] = tensor.operand();
  record.size[2 * place] = height;
  record.size[2 * place + 1] = width;
  if (place == 1) record.size[7] = 0;
}
inline void issue_anti_quant(vinci::LibraryRecord record, const LocalTensor<uint8_t>* scratch) {
  if (scratch != nullptr) record = with_scratch(record, *scratch, 0);
  vinci::issue(record);
}

}  // namespace in_api

// (src + offset) * scale, of numbers or of tensors.
#define VINCI_ANTI_QUANT_FORM(parameters, ...)                                          \
  template <class InputDataType, class OutputDataType, bool isTranspose>                \
  void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,                          \
                       const LocalTensor<InputDataType>& src, VINCI_LIST_OF parameters, \
                       __VA_ARGS__ const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {})
#define VINCI_ANTI_QUANT(parameter, scratch)                                                   \
  VINCI_ANTI_QUANT_FORM(                                                                       \
      (const LocalTensor<OutputDataType>& offset, const LocalTensor<OutputDataType>& scale),   \
      parameter) {                                                                             \
    auto record = in_api::anti_quant_record(dst, src, k, isTranspose);                         \
    in_api::set_groups(record, 1, offset, shapeInfo.offsetHeight, shapeInfo.offsetWidth);      \
    in_api::set_groups(record, 2, scale, shapeInfo.scaleHeight, shapeInfo.scaleWidth);         \
    in_api::issue_anti_quant(record, scratch);                                                 \
  }                                                                                            \
  VINCI_ANTI_QUANT_FORM((const LocalTensor<OutputDataType>& scale), parameter) {               \
    auto record = in_api::anti_quant_record(dst, src, k, isTranspose);                         \
    in_api::set_groups(record, 2, scale, shapeInfo.scaleHeight, shapeInfo.scaleWidth);         \
    in_api::issue_anti_quant(record, scratch);                                                 \
  }                                                                                            \
  VINCI_ANTI_QUANT_FORM(                                                                       \
      (const in_api::as_is<OutputDataType> offset, const in_api::as_is<OutputDataType> scale), \
      parameter) {                                                                             \
    (void)shapeInfo;                                                                           \
    auto record = in_api::anti_quant_record(dst, src, k, isTranspose);                         \
    record.number[0] = float(scale);                                                           \
    record.number[1] = float(offset);                                                          \
    record.size[7] = 0;                                                                        \
    in_api::issue_anti_quant(record, scratch);                                                 \
  }                                                                                            \
  VINCI_ANTI_QUANT_FORM((const in_api::as_is<OutputDataType> scale), parameter) {              \
    (void)shapeInfo;                                                                           \
    auto record = in_api::anti_quant_record(dst, src, k, isTranspose);                         \
    record.number[0] = float(scale);                                                           \
    in_api::issue_anti_quant(record, scratch);                                                 \
  }
VINCI_BOTH_SCRATCHES(VINCI_ANTI_QUANT)
#undef VINCI_ANTI_QUANT
#undef VINCI_ANTI_QUANT_FORM
#undef VINCI_LIST_OF

}  // namespace AscendC
