// Duplicate in its three forms, one case a block, on a UB filled with the case's image.
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
        scalar(values.next()),
        dst(values),
        block(values.next()),
        repeat(values.next()) {}

  int64_t type, form;
  uint64_t mask[2];
  uint8_t repeats;
  int32_t count;
  bool set_mask;
  int64_t scalar;
  Place dst;
  uint16_t block;
  uint8_t repeat;
};

template <class T>
void duplicate(Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto scalar = element_of<T>(call.scalar);
  if (call.form == 0) {
    Duplicate(dst, scalar, call.count);
  } else if (call.form == 1 && call.set_mask) {
    Duplicate(dst, scalar, call.mask, call.repeats, call.block, call.repeat);
  } else if (call.form == 1) {
    Duplicate<T, false>(dst, scalar, call.mask, call.repeats, call.block, call.repeat);
  } else if (call.set_mask) {
    Duplicate(dst, scalar, call.mask[0], call.repeats, call.block, call.repeat);
  } else {
    Duplicate<T, false>(dst, scalar, call.mask[0], call.repeats, call.block, call.repeat);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void duplicate_cases(GM_ADDR table, GM_ADDR images,
                                                      GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  with_type(call.type, [&](auto element) { duplicate<decltype(element)>(call); });
  save_ub(values);
}
