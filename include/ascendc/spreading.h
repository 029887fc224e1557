// Broadcast, Select by bytes.
#pragma once

#include "ascendc/compare.h"
#include "ascendc/elementwise.h"

namespace vinci::isa {
extern const Instruction broadcast, select_by_bytes;
}  // namespace vinci::isa

namespace AscendC {

namespace in_api {

template <int32_t dim, int32_t axis, class T>
vinci::LibraryRecord broadcast_record(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                      const uint32_t dst_shape[], const uint32_t src_shape[]) {
  static_assert(dim == 1 || dim == 2, "Broadcast takes one or two axes");
  static_assert(axis == 0 || axis == 1, "Broadcast's axis is 0 or 1");
  auto record = element_record(vinci::isa::broadcast, 0, dst, src);
  record.size[0] = dim == 2 ? dst_shape[0] : 1;
  record.size[1] = dst_shape[dim - 1];
  record.size[2] = dim == 2 ? src_shape[0] : 1;
  record.size[3] = src_shape[dim - 1];
  record.size[4] = dim == 2 ? axis : 2;
  return record;
}

}  // namespace in_api

#define VINCI_BROADCAST(Name)                                                                  \
  template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>                    \
  void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,                    \
            const uint32_t dstShape[dim], const uint32_t srcShape[dim],                        \
            const LocalTensor<uint8_t>& sharedTmpBuffer) {                                     \
    vinci::issue(in_api::with_scratch(                                                         \
        in_api::broadcast_record<dim, axis>(dstLocal, srcLocal, dstShape, srcShape),           \
        sharedTmpBuffer, 0));                                                                  \
  }                                                                                            \
  template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>                    \
  void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,                    \
            const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {                      \
    vinci::issue(in_api::broadcast_record<dim, axis>(dstLocal, srcLocal, dstShape, srcShape)); \
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

namespace in_api {

template <class T, class U>
vinci::LibraryRecord select_record(const LocalTensor<T>& dst, const LocalTensor<T>& src, T scalar,
                                   const LocalTensor<U>& mask,
                                   const SelectWithBytesMaskShapeInfo& info, bool scalar_first,
                                   bool reuse_mask) {
  auto record = with_scalar(element_record(vinci::isa::select_by_bytes, 0, dst, src, mask), scalar);
  record.size[0] = info.firstAxis;
  record.size[1] = info.srcLastAxis;
  record.size[2] = info.maskLastAxis;
  record.size[3] = scalar_first;
  record.size[4] = reuse_mask && info.srcLastAxis != info.maskLastAxis;
  return record;
}

}  // namespace in_api

// mask 0: src0, else src1; one of them is a scalar.
#define VINCI_SELECT(Name)                                                                         \
  template <class T, class U, bool isReuseMask = true>                                             \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, in_api::as_is<T> src1,          \
            const LocalTensor<U>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer,               \
            const SelectWithBytesMaskShapeInfo& info) {                                            \
    vinci::issue(in_api::with_scratch(                                                             \
        in_api::select_record<T>(dst, src0, src1, mask, info, false, isReuseMask),                 \
        sharedTmpBuffer, 0));                                                                      \
  }                                                                                                \
  template <class T, class U, bool isReuseMask = true>                                             \
  void Name(const LocalTensor<T>& dst, in_api::as_is<T> src0, const LocalTensor<T>& src1,          \
            const LocalTensor<U>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer,               \
            const SelectWithBytesMaskShapeInfo& info) {                                            \
    vinci::issue(in_api::with_scratch(                                                             \
        in_api::select_record<T>(dst, src1, src0, mask, info, true, isReuseMask), sharedTmpBuffer, \
        0));                                                                                       \
  }
VINCI_SELECT(Select)
VINCI_SELECT(SelectWithBytesMask)
#undef VINCI_SELECT

}  // namespace AscendC
