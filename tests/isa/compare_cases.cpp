// Compare and CompareScalar in their forms, one case a block, on a UB filled with the case's image.
// Then a Duplicate shows what they left in the MASK register.
#include "cases.h"

namespace {

enum class Op { kCompare, kCompareScalar, kCompares, kOperator };
enum class Form { kCount, kBits, kContinuous };

struct Call {
  explicit Call(Case& values)
      : op(Op(values.next())),
        types(values.next()),
        mode(CMPMODE(values.next())),
        form(Form(values.next())),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        set_mask(values.next()),
        counter(values.next()),
        repeats(values.next()),
        count(values.next()),
        scalar(values.next()),
        dst(values),
        src0(values),
        src1(values),
        src0_blk(values.next()),
        src0_rep(values.next()),
        src1_blk(values.next()),
        src1_rep(values.next()),
        probe(values.next()) {}

  Op op;
  int64_t types;
  CMPMODE mode;
  Form form;
  uint64_t mask[2];
  bool set_mask, counter;
  uint8_t repeats;
  uint32_t count;
  int64_t scalar;
  Place dst, src0, src1;
  uint8_t src0_blk, src0_rep, src1_blk, src1_rep;
  int64_t probe;
};

// Calls f with isSetMask and the mask as its form takes it.
template <class F>
void with_mask(const Call& call, F f) {
  if (call.form == Form::kBits) {
    call.set_mask ? f(std::true_type(), call.mask) : f(std::false_type(), MASK_PLACEHOLDER_LIST);
  } else {
    call.set_mask ? f(std::true_type(), call.mask[0]) : f(std::false_type(), MASK_PLACEHOLDER);
  }
}

template <class T, class U>
void compare(const Call& call) {
  const auto dst = call.dst.tensor<U>();
  const auto src0 = call.src0.tensor<T>();
  const auto src1 = call.src1.tensor<T>();
  if (call.form == Form::kCount) return Compare(dst, src0, src1, call.mode, call.count);
  with_mask(call, [&](auto set, auto mask) {
    Compare<T, U, set()>(dst, src0, src1, call.mode, mask, call.repeats,
                         {9, call.src0_blk, call.src1_blk, 9, call.src0_rep, call.src1_rep});
  });
}

template <class T, class U>
void compare_operator(const Call& call) {
  auto dst = call.dst.tensor<U>();
  const auto src0 = call.src0.tensor<T>();
  const auto src1 = call.src1.tensor<T>();
  switch (call.mode) {
    case CMPMODE::LT: dst = src0 < src1; break;
    case CMPMODE::GT: dst = src0 > src1; break;
    case CMPMODE::EQ: dst = src0 == src1; break;
    case CMPMODE::LE: dst = src0 <= src1; break;
    case CMPMODE::GE: dst = src0 >= src1; break;
    case CMPMODE::NE: dst = src0 != src1; break;
  }
}

template <class T, class U>
void compare_scalar(const Call& call) {
  const auto dst = call.dst.tensor<U>();
  const auto src0 = call.src0.tensor<T>();
  const auto scalar = element_of<T>(call.scalar);
  const UnaryRepeatParams params(9, call.src0_blk, 9, call.src0_rep);
  if (call.form == Form::kCount) {
    return call.op == Op::kCompares ? Compares(dst, src0, scalar, call.mode, call.count)
                                    : CompareScalar(dst, src0, scalar, call.mode, call.count);
  }
  with_mask(call, [&](auto set, auto mask) {
    if (call.op == Op::kCompares) {
      Compares<T, U, set()>(dst, src0, scalar, call.mode, mask, call.repeats, params);
    } else {
      CompareScalar<T, U, set()>(dst, src0, scalar, call.mode, mask, call.repeats, params);
    }
  });
}

template <class T, class U>
void run(const Call& call) {
  if constexpr (!std::is_same_v<T, int4b_t>) {
    switch (call.op) {
      case Op::kCompare: return compare<T, U>(call);
      case Op::kOperator: return compare_operator<T, U>(call);
      default: return compare_scalar<T, U>(call);
    }
  }
}

}  // namespace

extern "C" __global__ __aicore__ void compare_cases(GM_ADDR table, GM_ADDR images,
                                                    GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  fill_ub(values);
  if (call.counter) SetMaskCount();
  with_type(call.types % 100, [&](auto element) {
    using T = decltype(element);
    switch (call.types / 100) {
      case 0: return run<T, int8_t>(call);
      case 1: return run<T, uint8_t>(call);
    }
    if constexpr (std::is_same_v<T, half> || sizeof(T) == 4) {
      switch (call.types / 100) {
        case 3: return run<T, uint16_t>(call);
        case 4: return run<T, half>(call);
        case 6: return run<T, int32_t>(call);
        case 10: return run<T, uint64_t>(call);
      }
    }
  });
  if (call.probe >= 0) {
    const LocalTensor<uint16_t> probe(TPosition::VECCALC, call.probe, 128);
    Duplicate<uint16_t, false>(probe, 0xABCD, MASK_PLACEHOLDER, 1, 1, 8);
  }
  save_ub(values);
}
