// DataCopy from NZ in UB to row-major matrices in GM, one case a block. The image is what UB holds,
// then the piece of GM before; the result is the piece of GM.
#include "cases.h"

namespace {

constexpr uint32_t kThrough = 131072;  // where UB is free for the piece of GM

struct Call {
  explicit Call(Case& values)
      : ub_bytes(values.next()),
        by_fields(values.next()),
        adds(values.next()),
        type(values.next()),
        src(values),
        dst_address(values.next()),
        dst_elements(values.next()),
        matrices(values.next()),
        rows(values.next()),
        columns(values.next()),
        src_matrix(values.next()),
        src_column(values.next()),
        dst_row(values.next()),
        dst_matrix(values.next()) {}

  Nz2NdParamsFull params() const {
    if (!by_fields) return {matrices, rows, columns, src_matrix, src_column, dst_row, dst_matrix};
    Nz2NdParamsFull fields;
    fields.ndNum = matrices;
    fields.nValue = rows;
    fields.dValue = columns;
    fields.srcNdMatrixStride = src_matrix;
    fields.srcNStride = src_column;
    fields.dstDStride = dst_row;
    fields.dstNdMatrixStride = dst_matrix;
    return fields;
  }

  uint32_t ub_bytes;
  bool by_fields, adds;
  int64_t type;
  Place src;
  uint32_t dst_address, dst_elements;
  uint16_t matrices, rows, columns, src_matrix, src_column, dst_row, dst_matrix;
};

template <class T>
void copy(Case& values, const Call& call) {
  GlobalTensor<T> dst;
  dst.SetGlobalBuffer((__gm__ T*)values.result().GetPhyAddr(call.dst_address), call.dst_elements);
  if (call.adds) SetAtomicAdd<T>();
  DataCopy(dst, call.src.tensor<T>(), call.params());
  if (call.adds) DisableDmaAtomic();
}

}  // namespace

extern "C" __global__ __aicore__ void data_copy_nz2nd_cases(GM_ADDR table, GM_ADDR images,
                                                            GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  const LocalTensor<uint8_t> through(TPosition::VECCALC, kThrough, values.result_bytes);
  DataCopy(bytes_of(TPosition::VECCALC, call.ub_bytes), values.image(), whole(call.ub_bytes));
  DataCopy(through, values.image()[call.ub_bytes], whole(values.result_bytes));
  PipeBarrier<PIPE_ALL>();
  DataCopy(values.result(), through, whole(values.result_bytes));
  PipeBarrier<PIPE_ALL>();
  with_type(call.type, [&](auto element) { copy<decltype(element)>(values, call); });
}
