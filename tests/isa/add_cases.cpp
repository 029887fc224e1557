// Add in its three forms, one case a block, on a UB filled with the case's image.
#include "cases.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : type(values.next()),
        form(values.next()),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        repeats(values.next()),
        count(values.next()),
        set_mask(values.next()),
        dst(values),
        src0(values),
        src1(values) {
    params.dstBlkStride = values.next();
    params.dstRepStride = values.next();
    params.src0BlkStride = values.next();
    params.src0RepStride = values.next();
    params.src1BlkStride = values.next();
    params.src1RepStride = values.next();
  }

  int64_t type, form;
  uint64_t mask[2];
  uint8_t repeats;
  int32_t count;
  bool set_mask;
  Place dst, src0, src1;
  BinaryRepeatParams params;
};

template <class T>
void add(Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src0 = call.src0.tensor<T>();
  const auto src1 = call.src1.tensor<T>();
  if (call.form == 0) {
    Add(dst, src0, src1, call.count);
  } else if (call.form == 1 && call.set_mask) {
    Add(dst, src0, src1, call.mask, call.repeats, call.params);
  } else if (call.form == 1) {
    Add<T, false>(dst, src0, src1, call.mask, call.repeats, call.params);
  } else if (call.set_mask) {
    Add(dst, src0, src1, call.mask[0], call.repeats, call.params);
  } else {
    Add<T, false>(dst, src0, src1, call.mask[0], call.repeats, call.params);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void add_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  with_type(call.type, [&](auto element) { add<decltype(element)>(call); });
  save_ub(values);
}
