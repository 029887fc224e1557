// Mmad, one case a block. The image is the identity, what L0C holds before (as halves), L0A, L0B.
#include <type_traits>

#include "cube_cases.h"
#include "mmad_numbers.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : visible(values.next()),
        types(values.next()),
        c_fractals(values.next()),
        a_bytes(values.next()),
        b_bytes(values.next()),
        twice(values.next()),
        constructor(values.next()),
        c(values),
        a(values),
        b(values),
        numbers(values),
        has_bias(values.next()),
        bias_is_half(values.next()),
        bias(values) {}

  MmadParams params() const { return numbers.params(constructor, 0); }

  bool visible;
  int64_t types;
  uint32_t c_fractals, a_bytes, b_bytes;
  bool twice;
  int64_t constructor;
  Place c, a, b;
  MmadNumbers numbers;
  bool has_bias, bias_is_half;
  Place bias;
};

// L0C gets the image's halves, or the floats that they are: a product with the identity.
template <class C>
void fill_l0c(Case& values, const Call& call) {
  fill_l0(TPosition::A2, values.image()[kFractal], call.c_fractals * kFractal);
  fill_l0(TPosition::B2, values.image(), kFractal);
  const LocalTensor<half> a(TPosition::A2, 0, call.c_fractals * 256);
  const LocalTensor<half> b(TPosition::B2, 0, 256);
  const LocalTensor<C> c(TPosition::CO1, 0, call.c_fractals * 256);
  Mmad(c, a, b, MmadParams(uint16_t(call.c_fractals * 16), 16, 16, 0, false, true));
  PipeBarrier<PIPE_ALL>();
}

template <class C, class A, class B>
void mmad(Case& values, const Call& call) {
  if (call.visible) fill_l0c<std::conditional_t<sizeof(C) == 2, half, float>>(values, call);
  const uint32_t at_a = kFractal * (1 + call.c_fractals);
  fill_l0(TPosition::A2, values.image()[at_a], call.a_bytes);
  fill_l0(TPosition::B2, values.image()[at_a + call.a_bytes], call.b_bytes);
  const auto c = call.c.tensor<C>();
  const auto a = call.a.tensor<A>();
  const auto b = call.b.tensor<B>();
  if (!call.has_bias) {
    Mmad(c, a, b, call.params());
  } else if (call.bias_is_half) {
    Mmad(c, a, b, call.bias.tensor<half>(), call.params());
  } else {
    Mmad(c, a, b, call.bias.tensor<C>(), call.params());
  }
  if (call.twice) {
    const MmadNumbers& numbers = call.numbers;
    MmadParams again(numbers.m, numbers.n, numbers.k, 0, false, false);
    PipeBarrier<PIPE_M>();
    Mmad(c, a, b, again);
  }
  if (!call.visible) return;
  PipeBarrier<PIPE_ALL>();
  save_l0c<C>(values.result(), call.c_fractals);
}

// The types as 10000 C + 100 A + B: the numbers of with_type.
template <class C>
void with_operands(Case& values, const Call& call) {
  switch (call.types % 10000) {
    case 404: return mmad<C, half, half>(values, call);
    case 0: return mmad<C, int8_t, int8_t>(values, call);
    case 100: return mmad<C, uint8_t, int8_t>(values, call);
    case 101: return mmad<C, uint8_t, uint8_t>(values, call);
    case 505: return mmad<C, bfloat16_t, bfloat16_t>(values, call);
    case 808: return mmad<C, float, float>(values, call);
    case 1111: return mmad<C, int4b_t, int4b_t>(values, call);
    default: return mmad<C, half, int8_t>(values, call);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void mmad_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  switch (call.types / 10000) {
    case 4: return with_operands<half>(values, call);
    case 6: return with_operands<int32_t>(values, call);
    case 7: return with_operands<uint32_t>(values, call);
    default: return with_operands<float>(values, call);
  }
}
