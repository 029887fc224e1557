// Broadcast, Select by bytes, AscendDequant, AscendQuant.
#pragma once

#include "ascendc/compare.h"
#include "ascendc/elementwise.h"

namespace vinci::isa {
extern const Instruction broadcast, select_by_bytes, ascend_dequant, ascend_quant;
}  // namespace vinci::isa

namespace AscendC {

namespace detail {

template <int32_t dim, class T>
vinci::LibraryRecord broadcast_record(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                      const uint32_t dst_shape[], const uint32_t src_shape[]) {
  static_assert(dim == 1 || dim == 2, "Broadcast takes one or two axes");
  auto record = element_record(vinci::isa::broadcast, 0, dst, src);
  record.size[0] = dim == 2 ? dst_shape[0] : 1;
  record.size[1] = dst_shape[dim - 1];
  record.size[2] = dim == 2 ? src_shape[0] : 1;
  record.size[3] = src_shape[dim - 1];
  return record;
}

}  // namespace detail

#define VINCI_BROADCAST(Name)                                                                   \
  template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>                     \
  void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,                     \
            const uint32_t dstShape[dim], const uint32_t srcShape[dim],                         \
            const LocalTensor<uint8_t>& sharedTmpBuffer) {                                      \
    vinci::issue(detail::with_scratch(                                                          \
        detail::broadcast_record<dim>(dstLocal, srcLocal, dstShape, srcShape), sharedTmpBuffer, \
        0));                                                                                    \
  }                                                                                             \
  template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>                     \
  void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,                     \
            const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {                       \
    vinci::issue(detail::broadcast_record<dim>(dstLocal, srcLocal, dstShape, srcShape));        \
  }
VINCI_BROADCAST(Broadcast)
VINCI_BROADCAST(BroadCast)
#undef VINCI_BROADCAST

struct SelectWithBytesMaskShapeInfo {
  SelectWithBytesMaskShapeInfo() {}
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};

namespace detail {

template <class T, class U>
vinci::LibraryRecord select_record(const LocalTensor<T>& dst, const LocalTensor<T>& src, T scalar,
                                   const LocalTensor<U>& mask,
                                   const SelectWithBytesMaskShapeInfo& info, bool scalar_first) {
  auto record = with_scalar(element_record(vinci::isa::select_by_bytes, 0, dst, src, mask), scalar);
  record.size[0] = info.firstAxis;
  record.size[1] = info.srcLastAxis;
  record.size[2] = info.maskLastAxis;
  record.size[3] = scalar_first;
  return record;
}

}  // namespace detail

// mask 0: src0, else src1; one of them is a scalar.
#define VINCI_SELECT(Name)                                                                         \
  template <class T, class U, bool isReuseMask = true>                                             \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, detail::as_is<T> src1,          \
            const LocalTensor<U>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer,               \
            const SelectWithBytesMaskShapeInfo& info) {                                            \
    vinci::issue(detail::with_scratch(                                                             \
        detail::select_record<T>(dst, src0, src1, mask, info, false), sharedTmpBuffer, 0));        \
  }                                                                                                \
  template <class T, class U, bool isReuseMask = true>                                             \
  void Name(const LocalTensor<T>& dst, detail::as_is<T> src0, const LocalTensor<T>& src1,          \
            const LocalTensor<U>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer,               \
            const SelectWithBytesMaskShapeInfo& info) {                                            \
    vinci::issue(detail::with_scratch(detail::select_record<T>(dst, src1, src0, mask, info, true), \
                                      sharedTmpBuffer, 0));                                        \
  }
VINCI_SELECT(Select)
VINCI_SELECT(SelectWithBytesMask)
#undef VINCI_SELECT

enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW, DEQUANT_WITH_MULTI_ROW };
struct DequantParams {
  uint32_t m;
  uint32_t n;
  uint32_t calCount;
};

namespace detail {

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

}  // namespace detail

// dst = src * scale: `Scale` is a tensor with one for each column, or a number.
#define VINCI_DEQUANT(Scale)                                                                       \
  template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>     \
  void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,    \
                     Scale deqScale, const LocalTensor<uint8_t>& sharedTmpBuffer,                  \
                     DequantParams params) {                                                       \
    vinci::issue(detail::with_scratch(                                                             \
        detail::with_scale(detail::dequant_record<mode>(dstTensor, srcTensor, params), deqScale),  \
        sharedTmpBuffer, 0));                                                                      \
  }                                                                                                \
  template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>     \
  void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,    \
                     Scale deqScale, DequantParams params) {                                       \
    vinci::issue(                                                                                  \
        detail::with_scale(detail::dequant_record<mode>(dstTensor, srcTensor, params), deqScale)); \
  }
VINCI_DEQUANT(const LocalTensor<scaleT>&)
VINCI_DEQUANT(const scaleT)
#undef VINCI_DEQUANT

namespace detail {

inline vinci::LibraryRecord quant_record(vinci::LibraryRecord record, float scale, float offset) {
  record.number[0] = scale;
  record.number[1] = offset;
  return record;
}

}  // namespace detail

struct AscendQuantConfig {
  uint32_t calcCount = 0, offsetCount = 0, scaleCount = 0, workLocalSize = 0;
};
constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG{};

// int8 of src * scale + offset, all steps in half.
template <class T, bool isReuseSource = false,
          const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                 const LocalTensor<uint8_t>& sharedTmpBuffer, const float scale, const float offset,
                 const uint32_t calCount) {
  vinci::issue(detail::with_scratch(
      detail::quant_record(
          detail::element_record(vinci::isa::ascend_quant, calCount, dstTensor, srcTensor), scale,
          offset),
      sharedTmpBuffer, 512));
}
template <class T, bool isReuseSource = false,
          const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                 const LocalTensor<uint8_t>& sharedTmpBuffer, const float scale,
                 const float offset) {
  AscendQuant<T>(dstTensor, srcTensor, sharedTmpBuffer, scale, offset, srcTensor.GetSize());
}
template <class T, bool isReuseSource = false,
          const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                 const float scale, const float offset, const uint32_t calCount) {
  vinci::issue(detail::quant_record(
      detail::element_record(vinci::isa::ascend_quant, calCount, dstTensor, srcTensor), scale,
      offset));
}
template <class T, bool isReuseSource = false,
          const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                 const float scale, const float offset) {
  AscendQuant<T>(dstTensor, srcTensor, scale, offset, srcTensor.GetSize());
}

}  // namespace AscendC
