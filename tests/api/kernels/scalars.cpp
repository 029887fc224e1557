// Functions, types and constants for scalar code.
#include "kernel_operator.h"

using namespace AscendC;

// Kernels have such functions of their own, whose result tells them apart.
template <class T>
static T CeilAlign(T number, T unit) {
  return (number + unit - 1) / unit * unit + 1000;
}
static uint32_t CeilDiv(uint32_t number, uint32_t divisor) {
  return (number + divisor - 1) / divisor + 1000;
}

namespace {

class Answers {
 public:
  explicit Answers(GM_ADDR out) { out_.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(out)); }
  template <class... Numbers>
  void add(Numbers... numbers) {
    (out_.SetValue(count_++, bits_of(double(numbers))), ...);
  }

 private:
  static int64_t bits_of(double number) {
    int64_t bits = 0;
    __builtin_memcpy(&bits, &number, sizeof bits);
    return bits;
  }

  GlobalTensor<int64_t> out_;
  uint64_t count_ = 0;
};

}  // namespace

extern "C" __global__ __aicore__ void integers(GM_ADDR out) {
  Answers answers(out);
  answers.add(DivCeil(7, 2), DivCeil(8u, uint64_t(2)), DivCeil(3, 0), CeilDivision(9, 4),
              CeilDivision(1, 0), AlignUp(33, ONE_BLK_SIZE), AlignUp(64, 32));
  answers.add(CeilDiv(7, 2), CeilAlign(7, 2), AscendC::CeilDiv(7, 2), AscendC::CeilAlign(7, 2));
  answers.add(min(3, -2), max(3, -2), min(3, 2.5f), max(uint64_t(7), 9), abs(-7), sqrt(2.25f));
  answers.add(Std::min(4, 3), Std::max(4.5f, 3.0f), Std::abs(int8_t(-4)), Std::sqrt(int64_t(17)));
  answers.add(likely(7), unlikely(nullptr), int(half(min(half(1), half(2)))));
}

extern "C" __global__ __aicore__ void bits(GM_ADDR out) {
  Answers answers(out);
  answers.add(GetBitCount<1>(0xFFFF), GetBitCount<0>(0xFFFF), ScalarGetCountOfValue<1>(5));
  answers.add(GetSFFValue<1>(0xFF00), GetSFFValue<0>(0x00FF), GetSFFValue<1>(0),
              GetSFFValue<0>(~uint64_t{0}), ScalarGetSFFValue<1>(0x1000000000000100));
  answers.add(CountLeadingZero(0xFFFF), CountLeadingZero(0), CountLeadingZero(~uint64_t{0}),
              ScalarCountLeadingZero(0x0100000000000020));
  answers.add(CountBitsCntSameAsSignBit(0), CountBitsCntSameAsSignBit(-1),
              CountBitsCntSameAsSignBit(1));
}

// Each float in five ways: to half, and to int32_t in four modes.
extern "C" __global__ __aicore__ void casts(GM_ADDR in, GM_ADDR halves, GM_ADDR ints,
                                            int32_t count) {
  GlobalTensor<float> x;
  GlobalTensor<half> h;
  GlobalTensor<int32_t> i;
  x.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in));
  h.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(halves));
  i.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(ints));
  for (int32_t k = 0; k < count; ++k) {
    const float value = x.GetValue(k);
    h.SetValue(k, ScalarCast<float, half, RoundMode::CAST_ODD>(value));
    i.SetValue(4 * k, Cast<float, int32_t, RoundMode::CAST_RINT>(value));
    i.SetValue(4 * k + 1, Cast<float, int32_t, RoundMode::CAST_ROUND>(value));
    i.SetValue(4 * k + 2, Cast<float, int32_t, RoundMode::CAST_FLOOR>(value));
    i.SetValue(4 * k + 3, ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(value));
  }
}

extern "C" __global__ __aicore__ void types(GM_ADDR out) {
  Answers answers(out);
  answers.add(IsSameType<half, half>::value, IsSameType<half, float>::value,
              sizeof(Conditional<true, char, int>::type),
              Std::is_same_v<Std::remove_const_t<const int>, int>, Std::is_integral<float>::value);
  auto [a, b] = Std::make_tuple(4, half(2.5f));
  answers.add(a, float(b), Std::get<1>(Std::make_tuple(1, 9)));
  answers.add(float(Cast(3.14159f)), Cast<half>(half(0.5f)), ToFloat(ToBfloat16(3.14159f)));
  answers.add(ONE_BLK_SIZE, BLOCK_CUBE, DEFAULT_C0_SIZE, PAD_SIZE, K_MAX_DIM);
  answers.add(TensorShape{{32, 160}}.GetShapeSize(), TensorShape{{16}}.GetDimNum());
}

extern "C" __global__ __aicore__ void layouts(GM_ADDR out) {
  Answers answers(out);
  using Std::Int;
  auto coord = MakeCoord(Int<20>{}, Int<30>{});
  auto shape = MakeShape(MakeShape(Int<13>{}, Int<0>{}), MakeShape(Int<14>{}, Int<0>{}));
  auto stride = MakeStride(MakeStride(Int<14>{}, Int<182>{}), MakeStride(Int<1>{}, Int<11 * 14>{}));
  auto layout = MakeLayout(shape, stride);
  answers.add(decltype(layout(coord))::value, Crd2Idx(coord, layout));
  auto plain = MakeLayout(MakeShape(4, 5), MakeStride(5, 1));
  answers.add(plain(MakeCoord(2, 3)), Std::get<1>(plain.GetShape()),
              Std::get<0>(plain.GetStride()));
  answers.add(is_layout<decltype(plain)>::value, is_layout<int>::value);
  answers.add(plain(6));  // the second of the columns' second
}
