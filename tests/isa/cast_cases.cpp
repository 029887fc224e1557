// Cast in its three forms, one case a block, on a UB filled with the case's image.
#include "cases.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : types(values.next()),
        mode(RoundMode(values.next())),
        form(values.next()),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        repeats(values.next()),
        count(values.next()),
        scale(values.next()),
        dst(values),
        src(values),
        params(unary_params(values)) {}

  int64_t types;  // dst * 100 + src
  RoundMode mode;
  int64_t form;
  uint64_t mask[2];
  uint8_t repeats;
  int32_t count;
  int64_t scale;  // a half's bits for SetDeqScale, below 0: none
  Place dst, src;
  UnaryRepeatParams params;
};

template <class T, class U>
void cast(Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src = call.src.tensor<U>();
  if (call.form == 0) {
    Cast(dst, src, call.mode, call.count);
  } else if (call.form == 1) {
    Cast(dst, src, call.mode, call.mask, call.repeats, call.params);
  } else {
    Cast(dst, src, call.mode, call.mask[0], call.repeats, call.params);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void cast_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  if (call.scale >= 0) SetDeqScale(element_of<half>(call.scale));
  with_type(call.types / 100, [&](auto to) {
    with_type(call.types % 100, [&](auto from) { cast<decltype(to), decltype(from)>(call); });
  });
  save_ub(values);
}
