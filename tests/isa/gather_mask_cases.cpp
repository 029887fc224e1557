// GatherMask with both kinds of pattern, one case a block, on a UB filled with the case's image.
// The count goes to the last 8 bytes; a Duplicate shows the MASK register and its mode.
#include "cases.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : type(values.next()),
        pattern_type(values.next()),
        fixed(values.next()),
        reduce(values.next()),
        mask(values.next()),
        counter(values.next()),
        dst(values),
        src(values),
        pattern(values),
        params{uint8_t(values.next()), uint16_t(values.next()), uint16_t(values.next()),
               uint8_t(values.next())},
        probe(values.next()) {}

  int64_t type, pattern_type, fixed;
  bool reduce;
  uint32_t mask;
  bool counter;
  Place dst, src, pattern;
  GatherMaskParams params;
  int64_t probe;
};

// The number of elements that were kept. fixed < 0: the pattern is a tensor.
template <class T>
uint64_t gather(const Call& call) {
  uint64_t kept = 0;
  const auto dst = call.dst.tensor<T>(), src = call.src.tensor<T>();
  if (call.fixed >= 0) {
    GatherMask(dst, src, uint8_t(call.fixed), call.reduce, call.mask, call.params, kept);
  } else if (call.pattern_type == 3) {
    GatherMask(dst, src, call.pattern.tensor<uint16_t>(), call.reduce, call.mask, call.params,
               kept);
  } else {
    GatherMask(dst, src, call.pattern.tensor<uint32_t>(), call.reduce, call.mask, call.params,
               kept);
  }
  return kept;
}

}  // namespace

extern "C" __global__ __aicore__ void gather_mask_cases(GM_ADDR table, GM_ADDR images,
                                                        GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  fill_ub(values);
  if (call.probe >= 0) SetVectorMask<uint16_t>(0, 7);
  if (call.counter) SetMaskCount();
  uint64_t kept = 0;
  with_type(call.type, [&](auto element) {
    using T = decltype(element);
    if constexpr (!std::is_same_v<T, int4b_t>) kept = gather<T>(call);
  });
  if (call.probe >= 0) {
    const LocalTensor<uint16_t> probe(TPosition::VECCALC, call.probe, 128);
    Duplicate<uint16_t, false>(probe, 0xABCD, MASK_PLACEHOLDER, 1, 1, 8);
    LocalTensor<int64_t>(TPosition::VECCALC, values.image_bytes - 8, 1).SetValue(0, kept);
  }
  save_ub(values);
}
