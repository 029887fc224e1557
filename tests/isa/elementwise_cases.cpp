// The element-wise instructions in their forms, one case a block, on a UB filled with the case's
// image.
#include "cases.h"

namespace {

// Operations are numbered as in elementwise.py. The first have code of their own here; OPERATIONS,
// which elementwise.py hands to the compiler, has the others: BINARY(2, Sub) BINARY(3, Mul) ...
// MIXED_OPERATIONS has those whose sources have a type of their own: MIXED(29, MulCast) ...
enum Op : int64_t { kAxpy, kShiftRight };

enum class Form { kCount, kBits, kContinuous };

struct Strides {
  explicit Strides(Case& values) : block(values.next()), repeat(values.next()) {}

  uint16_t block, repeat;
};

struct Call {
  explicit Call(Case& values)
      : op(values.next()),
        types(values.next()),
        form(Form(values.next())),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        repeats(values.next()),
        count(values.next()),
        set_mask(values.next()),
        scalar(values.next()),
        round(values.next()),
        dst(values),
        src0(values),
        src1(values),
        dst_stride(values),
        src0_stride(values),
        src1_stride(values),
        clamp(values.next()) {}

  UnaryRepeatParams unary() const {
    return {dst_stride.block, src0_stride.block, uint8_t(dst_stride.repeat),
            uint8_t(src0_stride.repeat)};
  }
  BinaryRepeatParams binary() const {
    return {uint8_t(dst_stride.block),  uint8_t(src0_stride.block),  uint8_t(src1_stride.block),
            uint8_t(dst_stride.repeat), uint8_t(src0_stride.repeat), uint8_t(src1_stride.repeat)};
  }

  int64_t op;
  int64_t types;
  Form form;
  uint64_t mask[2];
  uint8_t repeats;
  int32_t count;
  bool set_mask;
  int64_t scalar;
  int64_t round;
  Place dst, src0, src1;
  Strides dst_stride, src0_stride, src1_stride;
  bool clamp;
};

// Types that no chip takes are refused in any form: the count form will do for them.
template <class T>
constexpr bool kTaken = sizeof(T) != 8 && !std::is_same_v<T, bfloat16_t>;

// Calls f with isSetMask, the mask and the repeats of a form with a mask.
template <class T, class F>
void with_mask(const Call& call, F f) {
  if constexpr (!kTaken<T>) {
    return;
  } else if (call.form == Form::kBits) {
    call.set_mask ? f(std::true_type(), call.mask, call.repeats)
                  : f(std::false_type(), MASK_PLACEHOLDER_LIST, call.repeats);
  } else {
    call.set_mask ? f(std::true_type(), call.mask[0], call.repeats)
                  : f(std::false_type(), MASK_PLACEHOLDER, call.repeats);
  }
}

// The three forms of an instruction with one source, with two, and with a scalar.
#define UNARY(number, Name)                                                  \
  case number:                                                               \
    if (call.form == Form::kCount) return Name(dst, src0, call.count);       \
    return with_mask<T>(call, [&](auto set, auto mask, uint8_t repeats) {    \
      Name<T, decltype(set)::value>(dst, src0, mask, repeats, call.unary()); \
    });
#define BINARY(number, Name)                                                        \
  case number:                                                                      \
    if (call.form == Form::kCount) return Name(dst, src0, src1, call.count);        \
    return with_mask<T>(call, [&](auto set, auto mask, uint8_t repeats) {           \
      Name<T, decltype(set)::value>(dst, src0, src1, mask, repeats, call.binary()); \
    });
#define MIXED(number, Name)                                                            \
  case number:                                                                         \
    if (call.form == Form::kCount) return Name(dst, src0, src1, call.count);           \
    return with_mask<U>(call, [&](auto set, auto mask, uint8_t repeats) {              \
      Name<T, U, decltype(set)::value>(dst, src0, src1, mask, repeats, call.binary()); \
    });
#define SCALAR(number, Name, ...)                                             \
  case number:                                                                \
    if (call.form == Form::kCount) {                                          \
      return call.set_mask ? Name(dst, src0, scalar, call.count)              \
                           : Name<T, false>(dst, src0, scalar, call.count);   \
    }                                                                         \
    return with_mask<T>(call, [&](auto set, auto mask, uint8_t repeats) {     \
      Name<T, decltype(set)::value>(dst, src0, scalar, mask, repeats,         \
                                    call.unary() __VA_OPT__(, ) __VA_ARGS__); \
    });

// Axpy has a type of its own for src and the scalar.
template <class T, class U>
void axpy(const Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src = call.src0.tensor<U>();
  const auto scalar = element_of<U>(call.scalar);
  if (call.form == Form::kCount) return Axpy(dst, src, scalar, call.count);
  with_mask<T>(call, [&](auto set, auto mask, uint8_t repeats) {
    Axpy<T, U, decltype(set)::value>(dst, src, scalar, mask, repeats, call.unary());
  });
}

template <class T, class U>
void run_mixed(const Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src0 = call.src0.tensor<U>();
  const auto src1 = call.src1.tensor<U>();
  switch (call.op) {
    case kAxpy: return axpy<T, U>(call); MIXED_OPERATIONS
  }
}

template <class T>
void run(const Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src0 = call.src0.tensor<T>();
  const auto src1 = call.src1.tensor<T>();
  const auto scalar = element_of<T>(call.scalar);
  switch (call.op) {
    OPERATIONS
    SCALAR(kShiftRight, ShiftRight, call.round)
    default: return run_mixed<T, T>(call);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void elementwise_cases(GM_ADDR table, GM_ADDR images,
                                                        GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  if (call.clamp) AscendCUtils::SetOverflow(0);
  // AddDeqRelu takes a scale of its own form, of another, or none.
  if (call.types == 406 && call.round == 0) SetDeqScale(element_of<half>(call.scalar));
  if (call.types == 406 && call.round == 1) SetDeqScale(1.0f, 0, true);
  // Types are two numbers in one field, that of dst and of src: most often equal.
  switch (call.types) {
    case 2: run_mixed<int8_t, int16_t>(call); break;
    case 4: run_mixed<int8_t, half>(call); break;
    case 104: run_mixed<uint8_t, half>(call); break;
    case 406: run_mixed<half, int32_t>(call); break;
    case 408: run_mixed<half, float>(call); break;
    case 804: run_mixed<float, half>(call); break;
    default: with_type(call.types % 100, [&](auto element) { run<decltype(element)>(call); });
  }
  save_ub(values);
}
