// DataCopy from row-major matrices in GM to NZ in L1 or UB, one case a block. The image is the piece of
// GM, then what that memory holds before; the result is the memory.
#include "local_image.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : gm_bytes(values.next()),
        l1_bytes(values.next()),
        by_fields(values.next()),
        type(values.next()),
        dst(values),
        src_address(values.next()),
        src_elements(values.next()),
        matrices(values.next()),
        rows(values.next()),
        columns(values.next()),
        src_matrix(values.next()),
        src_row(values.next()),
        dst_c0(values.next()),
        dst_row(values.next()),
        dst_matrix(values.next()) {}

  Nd2NzParams params() const {
    if (!by_fields) {
      return {matrices, rows, columns, src_matrix, src_row, dst_c0, dst_row, dst_matrix};
    }
    Nd2NzParams fields;
    fields.ndNum = matrices;
    fields.nValue = rows;
    fields.dValue = columns;
    fields.srcNdMatrixStride = src_matrix;
    fields.srcDValue = src_row;
    fields.dstNzC0Stride = dst_c0;
    fields.dstNzNStride = dst_row;
    fields.dstNzMatrixStride = dst_matrix;
    return fields;
  }

  uint32_t gm_bytes, l1_bytes;  // l1_bytes 0: the memory is neither filled nor saved
  bool by_fields;
  int64_t type;
  Place dst;
  uint32_t src_address, src_elements;
  uint16_t matrices, rows, columns, src_matrix, src_row, dst_c0, dst_row, dst_matrix;
};

}  // namespace

extern "C" __global__ __aicore__ void data_copy_nd2nz_cases(GM_ADDR table, GM_ADDR images,
                                                            GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  const TPosition to = call.dst.position == TPosition::VECIN ? TPosition::VECIN : TPosition::A1;
  fill_memory(to, values.image()[call.gm_bytes], call.l1_bytes);
  with_type(call.type, [&](auto element) {
    using T = decltype(element);
    GlobalTensor<T> src;
    src.SetGlobalBuffer((__gm__ T*)values.image().GetPhyAddr(call.src_address), call.src_elements);
    DataCopy(call.dst.tensor<T>(), src, call.params());
  });
  save_memory(values.result(), to, call.l1_bytes);
}
