// Scatter in its three forms, one case a block, on a UB filled with the case's image.
#include "cases.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : type(values.next()),
        form(values.next()),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        repeats(values.next()),
        count(values.next()),
        base(values.next()),
        dst(values),
        src(values),
        offset(values),
        repeat_stride(values.next()) {}

  int64_t type, form;
  uint64_t mask[2];
  int32_t repeats;
  uint32_t count, base;
  Place dst, src, offset;
  uint16_t repeat_stride;
};

template <class T>
void scatter(Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src = call.src.tensor<T>();
  const auto offset = call.offset.tensor<uint32_t>();
  if (call.form == 0) {
    Scatter(dst, src, offset, call.base, call.count);
  } else if (call.form == 1) {
    Scatter(dst, src, offset, call.base, call.mask, call.repeats, call.repeat_stride);
  } else {
    Scatter(dst, src, offset, call.base, call.mask[0], call.repeats, call.repeat_stride);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void scatter_cases(GM_ADDR table, GM_ADDR images,
                                                    GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  with_type(call.type, [&](auto element) { scatter<decltype(element)>(call); });
  save_ub(values);
}
