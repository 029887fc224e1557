// DataCopy from L1 to the bias table (C2) and to the fixed pipe's buffer (C2PIPE2GM), one case a
// block. The image is L1, then what the table holds before; the result is the table.
#include "local_image.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : l1_bytes(values.next()),
        table_bytes(values.next()),
        table(TPosition(values.next())),
        types(values.next()),
        dst(values),
        src(values) {
    params.blockCount = values.next();
    params.blockLen = values.next();
    params.srcStride = values.next();
    params.dstStride = values.next();
    count = values.next();
  }

  uint32_t l1_bytes, table_bytes;  // 0, 0: nothing is filled or saved
  TPosition table;
  int64_t types;
  Place dst, src;
  DataCopyParams params;
  uint32_t count;  // 0: the parameters count
};

template <class Dst, class Src>
void copy(const Call& call) {
  if constexpr (std::is_same_v<Dst, Src>) {
    if (call.count != 0) {
      return DataCopy(call.dst.tensor<Dst>(), call.src.tensor<Src>(), call.count);
    }
  }
  DataCopy(call.dst.tensor<Dst>(), call.src.tensor<Src>(), call.params);
}

// Destination and source, two digits each: the numbers of with_type.
void copy_types(const Call& call) {
  switch (call.types) {
    case 808: return copy<float, float>(call);
    case 606: return copy<int32_t, int32_t>(call);
    case 804: return copy<float, half>(call);
    case 1010: return copy<uint64_t, uint64_t>(call);
    case 404: return copy<half, half>(call);
    case 805: return copy<float, bfloat16_t>(call);
    case 806: return copy<float, int32_t>(call);
    case 604: return copy<int32_t, half>(call);
    case 1008: return copy<uint64_t, float>(call);
    case 909: return copy<int64_t, int64_t>(call);
    default: return copy<uint32_t, uint32_t>(call);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void data_copy_tables_cases(GM_ADDR table, GM_ADDR images,
                                                             GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  if (call.l1_bytes == 0) return copy_types(call);
  fill_memory(TPosition::A1, values.image(), call.l1_bytes);
  fill_memory(call.table, values.image()[call.l1_bytes], call.table_bytes);
  copy_types(call);
  save_memory(values.result(), call.table, call.table_bytes);
}
