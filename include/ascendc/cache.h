// Hints to the caches of data and instructions, and to the order in which Mmad makes its results:
// nothing that a kernel can see.
#pragma once

#include "ascendc/tensor.h"

namespace AscendC {

// Fetches a cache line that begins `cacheOffset` bytes behind src.
template <class T>
void DataCachePreload(const GlobalTensor<uint64_t>&, const T) {
  static_assert(std::is_integral_v<T>, "DataCachePreload: an offset in bytes");
}
inline void ICachePreLoad(const int64_t) {}
// 0: the last ICachePreLoad is over.
inline int64_t GetICachePreloadStatus() { return 0; }

inline void SetMMColumnMajor() {}
inline void SetMMRowMajor() {}
inline void SetMMLayoutTransform(bool /*rowMajor*/) {}  // their older name

}  // namespace AscendC
