// Copy, VectorPadding, Brcb and Gatherb, one case a block, on a UB filled with the case's image. A Duplicate
// before sets the MASK register to the first 3 lanes, one after shows it.
#include "cases.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : type(values.next()),
        form(values.next()),
        bits(form == 1),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        set_mask(values.next()),
        counter(values.next()),
        repeats(values.next()),
        dst(values),
        src(values),
        offset(values),
        dst_blk(values.next()),
        dst_rep(values.next()),
        src_blk(values.next()),
        src_rep(values.next()),
        probe(values.next()),
        pad(values.next()),
        right(values.next()) {}

  int64_t type, form;
  bool bits;
  uint64_t mask[2];
  bool set_mask, counter;
  uint8_t repeats;
  Place dst, src, offset;
  uint16_t dst_blk, dst_rep, src_blk, src_rep;
  int64_t probe;
  uint8_t pad;
  bool right;
};

template <class T>
void copy(const Call& call) {
  const auto dst = call.dst.tensor<T>(), src = call.src.tensor<T>();
  const CopyRepeatParams params(call.dst_blk, call.src_blk, call.dst_rep, call.src_rep);
  if (call.bits) {
    call.set_mask ? Copy(dst, src, call.mask, call.repeats, params)
                  : Copy<T, false>(dst, src, MASK_PLACEHOLDER_LIST, call.repeats, params);
  } else {
    call.set_mask ? Copy(dst, src, call.mask[0], call.repeats, params)
                  : Copy<T, false>(dst, src, MASK_PLACEHOLDER, call.repeats, params);
  }
}

void fill_probe(const Call& call, uint16_t value) {
  if (call.probe < 0) return;
  const LocalTensor<uint16_t> probe(TPosition::VECCALC, call.probe, 128);
  Duplicate<uint16_t, false>(probe, value, MASK_PLACEHOLDER, 1, 1, 8);
}

// Fills UB, has `run` called with a value of the element's type, and saves UB.
template <class F>
void with_case(GM_ADDR table, GM_ADDR images, GM_ADDR results, F run) {
  Case values(table, images, results);
  const Call call(values);
  fill_ub(values);
  if (call.probe >= 0) SetVectorMask<uint16_t>(0, 7);
  if (call.counter) SetMaskCount();
  with_type(call.type, [&](auto element) {
    if constexpr (!std::is_same_v<decltype(element), int4b_t>) run(call, element);
  });
  fill_probe(call, 0xABCD);
  save_ub(values);
}

}  // namespace

extern "C" __global__ __aicore__ void copy_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  with_case(table, images, results,
            [](const Call& call, auto element) { copy<decltype(element)>(call); });
}

extern "C" __global__ __aicore__ void vector_padding_cases(GM_ADDR table, GM_ADDR images,
                                                           GM_ADDR results) {
  with_case(table, images, results, [](const Call& call, auto element) {
    using T = decltype(element);
    const auto dst = call.dst.tensor<T>(), src = call.src.tensor<T>();
    const UnaryRepeatParams params(call.dst_blk, call.src_blk, call.dst_rep, call.src_rep);
    const uint64_t mask = call.mask[0];
    if (call.form == 0) {
      VectorPadding(dst, src, call.pad, call.right, uint32_t(mask));
    } else if (call.bits) {
      call.set_mask ? VectorPadding(dst, src, call.pad, call.right, call.mask, call.repeats, params)
                    : VectorPadding<T, false>(dst, src, call.pad, call.right,
                                              MASK_PLACEHOLDER_LIST, call.repeats, params);
    } else {
      call.set_mask ? VectorPadding(dst, src, call.pad, call.right, mask, call.repeats, params)
                    : VectorPadding<T, false>(dst, src, call.pad, call.right, MASK_PLACEHOLDER,
                                              call.repeats, params);
    }
  });
}

extern "C" __global__ __aicore__ void brcb_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  with_case(table, images, results, [](const Call& call, auto element) {
    using T = decltype(element);
    Brcb(call.dst.tensor<T>(), call.src.tensor<T>(), call.repeats, {call.dst_blk, call.dst_rep});
  });
}

extern "C" __global__ __aicore__ void gatherb_cases(GM_ADDR table, GM_ADDR images,
                                                    GM_ADDR results) {
  with_case(table, images, results, [](const Call& call, auto element) {
    using T = decltype(element);
    Gatherb(call.dst.tensor<T>(), call.src.tensor<T>(), call.offset.tensor<uint32_t>(),
            call.repeats, {uint8_t(call.dst_blk), uint8_t(call.dst_rep)});
  });
}
