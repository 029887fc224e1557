// DataCopy of slices of tensors with several dimensions.
#pragma once

#include "ascendc/data_copy_pad.h"

namespace AscendC {

// Of one dimension, in elements: from startIndex to endIndex, both included, pieces with `stride`
// between them. In the first dimension a piece is burstLen datablocks, in the others one element.
struct SliceInfo {
  SliceInfo() = default;
  SliceInfo(uint32_t start, uint32_t end, uint32_t gap, uint32_t length, uint32_t shape)
      : startIndex(start), endIndex(end), stride(gap), burstLen(length), shapeValue(shape) {}

  uint32_t startIndex = 0;
  uint32_t endIndex = 0;
  uint32_t stride = 0;
  uint32_t burstLen = 0;
  uint32_t shapeValue = 0;
};

namespace in_api {

// One side of a copy: where its pieces start, from the first to the last.
class SliceWalk {
 public:
  // `piece`: elements of a piece of the first dimension.
  SliceWalk(const SliceInfo* slices, uint32_t dims, uint32_t piece)
      : slices_(slices), dims_(dims), piece_(piece) {
    for (uint32_t i = 0; i < dims && i < 8; ++i) at_[i] = slices[i].startIndex;
  }
  uint64_t element() const {
    uint64_t index = 0;
    for (uint32_t i = dims_; i-- > 0;) index = index * slices_[i].shapeValue + at_[i];
    return index;
  }
  // False after the last.
  bool next() {
    for (uint32_t i = 0; i < dims_; ++i) {
      const uint32_t length = i == 0 ? piece_ : 1;
      at_[i] += length + slices_[i].stride;
      if (uint64_t(at_[i]) + length <= uint64_t(slices_[i].endIndex) + 1) return true;
      at_[i] = slices_[i].startIndex;
    }
    return false;
  }

 private:
  const SliceInfo* slices_;
  uint32_t dims_, piece_;
  uint32_t at_[8] = {};
};

inline bool slices_are_legal(const SliceInfo* slices, uint32_t dims) {
  for (uint32_t i = 0; i < dims; ++i) {
    const SliceInfo& slice = slices[i];
    if (slice.startIndex > slice.endIndex || slice.endIndex >= slice.shapeValue) {
      vinci::bad_argument("DataCopy (slices)", "endIndex", slice.endIndex,
                          "at least startIndex and less than shapeValue");
      return false;
    }
    if (i > 0 && slice.burstLen != 1) {
      vinci::bad_argument("DataCopy (slices)", "burstLen of a further dimension", slice.burstLen,
                          "1");
      return false;
    }
  }
  return true;
}

template <class T, class Dst, class Src>
void copy_slices(const Dst& dst, const Src& src, const SliceInfo dstSlices[],
                 const SliceInfo srcSlices[], uint32_t dims) {
  if (dims < 1 || dims > 8) {
    vinci::bad_argument("DataCopy (slices)", "dimValue", dims, "1..8");
    return;
  }
  if (!slices_are_legal(dstSlices, dims) || !slices_are_legal(srcSlices, dims)) return;
  if (dstSlices[0].burstLen != srcSlices[0].burstLen || dstSlices[0].burstLen == 0) {
    vinci::bad_argument("DataCopy (slices)", "dst's burstLen", dstSlices[0].burstLen,
                        "src's burstLen, at least 1");
    return;
  }
  const uint32_t piece = uint32_t(dstSlices[0].burstLen * 32 / sizeof(T));
  SliceWalk to(dstSlices, dims, piece), from(srcSlices, dims, piece);
  bool more_to = true, more_from = true;
  while (more_to && more_from) {
    DataCopy(dst[to.element()], src[from.element()], piece);
    more_to = to.next();
    more_from = from.next();
  }
  if (more_to != more_from) {
    vinci::bad_argument("DataCopy (slices)", "one side's number of pieces", 0,
                        "as many pieces of dst as of src");
  }
}

}  // namespace in_api

template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[],
              const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) {
  in_api::copy_slices<T>(dst, src, dstSliceInfo, srcSliceInfo, dimValue);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[],
              const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) {
  in_api::copy_slices<T>(dst, src, dstSliceInfo, srcSliceInfo, dimValue);
}

}  // namespace AscendC
