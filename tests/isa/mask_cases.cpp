// The MASK register: a few calls that write it or use it, then a vector call that works with what
// they left.
#include "cases.h"

namespace {

enum Op {
  kNothing,
  kCount,
  kNorm,
  kReset,
  kBits,
  kLanes,
  kCounterBits,
  kCounter,
  kCallCount,
  kCallLanes,
  kCallBits,
  kCallRegister
};

constexpr int kSteps = 5;
constexpr uint32_t kScratchBytes = 2048;

// A step works on the first bytes of UB.
template <class T>
void take(int64_t op, int64_t a, int64_t b, int64_t number) {
  const LocalTensor<T> scratch(TPosition::VECCALC, 0, kScratchBytes / sizeof(T));
  const auto scalar = element_of<T>(0x2222 + number);
  const uint64_t bits[] = {uint64_t(a), uint64_t(b)};
  switch (op) {
    case kCount: return SetMaskCount();
    case kNorm: return SetMaskNorm();
    case kReset: return ResetMask();
    case kBits: return SetVectorMask<T>(uint64_t(b), uint64_t(a));
    case kLanes: return SetVectorMask<T>(int32_t(a));
    case kCounterBits: return SetVectorMask<T, MaskMode::COUNTER>(uint64_t(b), uint64_t(a));
    case kCounter: return SetVectorMask<T, MaskMode::COUNTER>(int32_t(a));
    case kCallCount: return Duplicate(scratch, scalar, int32_t(a));
    case kCallLanes: return Duplicate(scratch, scalar, bits[0], 1, 1, 8);
    case kCallBits: return Duplicate(scratch, scalar, bits, 1, 1, 8);
    case kCallRegister: return Duplicate<T, false>(scratch, scalar, MASK_PLACEHOLDER, 1, 1, 8);
  }
}

struct Call {
  explicit Call(Case& values)
      : op(values.next()),
        types(values.next()),
        form(values.next()),
        set_mask(values.next()),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        repeats(values.next()),
        dst(values),
        src0(values),
        src1(values),
        dst_blk(values.next()),
        dst_rep(values.next()),
        src0_blk(values.next()),
        src0_rep(values.next()),
        src1_blk(values.next()),
        src1_rep(values.next()) {}

  int64_t op, types, form;
  bool set_mask;
  uint64_t mask[2];
  uint8_t repeats;
  Place dst, src0, src1;
  uint8_t dst_blk, dst_rep, src0_blk, src0_rep, src1_blk, src1_rep;
};

// Calls f with the mask as this form takes it, and whether the call sets it.
template <class F>
void with_form(Call& call, F f) {
  if (call.form == 1) {
    call.set_mask ? f(call.mask, std::true_type()) : f(MASK_PLACEHOLDER_LIST, std::false_type());
  } else {
    call.set_mask ? f(call.mask[0], std::true_type()) : f(MASK_PLACEHOLDER, std::false_type());
  }
}

template <class T>
void duplicate_or_add(Call& call) {
  const auto dst = call.dst.tensor<T>();
  with_form(call, [&](auto mask, auto set) {
    if (call.op == 0) {
      Duplicate<T, set()>(dst, element_of<T>(0x7A3), mask, call.repeats, call.dst_blk,
                          call.dst_rep);
    } else {
      Add<T, set()>(
          dst, call.src0.tensor<T>(), call.src1.tensor<T>(), mask, call.repeats,
          {call.dst_blk, call.src0_blk, call.src1_blk, call.dst_rep, call.src0_rep, call.src1_rep});
    }
  });
}

template <class T, class U>
void cast(Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src = call.src0.tensor<U>();
  const UnaryRepeatParams params(call.dst_blk, call.src0_blk, call.dst_rep, call.src0_rep);
  with_form(call, [&](auto mask, auto set) {
    Cast<T, U, set()>(dst, src, RoundMode::CAST_NONE, mask, call.repeats, params);
  });
}

void cast_types(Call& call) {
  switch (call.types) {
    case 804: return cast<float, half>(call);
    case 408: return cast<half, float>(call);
    case 906: return cast<int64_t, int32_t>(call);
    case 609: return cast<int32_t, int64_t>(call);
    default: return cast<int4b_t, half>(call);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void mask_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  fill_ub(values);
  for (int number = 0; number < kSteps; ++number) {
    const int64_t op = values.next(), type = values.next(), a = values.next(), b = values.next();
    with_type(type, [&](auto element) { take<decltype(element)>(op, a, b, number); });
  }
  Call call(values);
  if (call.op == 2) {
    cast_types(call);
  } else {
    with_type(call.types, [&](auto element) { duplicate_or_add<decltype(element)>(call); });
  }
  save_ub(values);
}
