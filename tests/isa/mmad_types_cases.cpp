// Mmad on all types and with bias, one case a block. The image is L0C, L0A, L0B and the bias table.
#include "local_image.h"
#include "mmad_numbers.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : visible(values.next()),
        form(values.next()),
        constructor(values.next()),
        types(values.next()),
        bias_type(values.next()),
        a_bytes(values.next()),
        b_bytes(values.next()),
        table_bytes(values.next()),
        c(values),
        a(values),
        b(values),
        bias(values),
        numbers(values),
        unit_flag(values.next()),
        disable_gemv(values.next()),
        hf32(values.next()) {}

  MmadParams params() const {
    MmadParams all = numbers.params(constructor, unit_flag);
    if (constructor == 2) all.disableGemv = disable_gemv;
    return all;
  }

  template <class C, class A, class B>
  void multiply() const {
    const auto to = c.tensor<C>();
    const auto fm = a.tensor<A>();
    const auto filter = b.tensor<B>();
    if (form == 0) return Mmad(to, fm, filter, params());
    switch (bias_type) {
      case 4: return Mmad(to, fm, filter, bias.tensor<half>(), params());
      case 6: return Mmad(to, fm, filter, bias.tensor<int32_t>(), params());
      default: return Mmad(to, fm, filter, bias.tensor<float>(), params());
    }
  }

  // One call for each hexadecimal digit, the lowest first.
  void set_hf32() const {
    for (int64_t calls = hf32; calls != 0; calls >>= 4) {
      switch (calls & 15) {
        case 1: SetHF32Mode(true); break;
        case 2: SetHF32Mode(false); break;
        case 3: SetHF32TransMode(true); break;
        case 4: SetHF32TransMode(false); break;
        case 5: SetHF32Mode(HF32Mode::ENABLE); break;
        case 6: SetHF32Mode(HF32Mode::DISABLE); break;
        case 7: SetHF32TransMode(HF32TransMode::NEAREST_ZERO); break;
        case 8: SetHF32TransMode(HF32TransMode::NEAREST_EVEN); break;
      }
    }
  }

  // The types as digits of C, A and B: the numbers of with_type.
  void run() const {
    switch (types) {
      case 80404: return multiply<float, half, half>();
      case 40404: return multiply<half, half, half>();
      case 80505: return multiply<float, bfloat16_t, bfloat16_t>();
      case 80808: return multiply<float, float, float>();
      case 60000: return multiply<int32_t, int8_t, int8_t>();
      case 60100: return multiply<int32_t, uint8_t, int8_t>();
      case 60101: return multiply<int32_t, uint8_t, uint8_t>();
      case 70101: return multiply<uint32_t, uint8_t, uint8_t>();
      case 61111: return multiply<int32_t, int4b_t, int4b_t>();
      case 60001: return multiply<int32_t, int8_t, uint8_t>();
      case 70000: return multiply<uint32_t, int8_t, int8_t>();
      case 50505: return multiply<bfloat16_t, bfloat16_t, bfloat16_t>();
      case 80804: return multiply<float, float, half>();
      case 80000: return multiply<float, int8_t, int8_t>();
      case 61100: return multiply<int32_t, int4b_t, int8_t>();
      default: return multiply<int32_t, int32_t, int32_t>();
    }
  }

  bool visible;
  int64_t form, constructor, types, bias_type;
  uint32_t a_bytes, b_bytes, table_bytes;
  Place c, a, b, bias;
  MmadNumbers numbers;
  uint8_t unit_flag;
  bool disable_gemv;
  int64_t hf32;
};

void fill_bias_table(const GlobalTensor<uint8_t>& from, uint32_t bytes) {
  const LocalTensor<uint8_t> table(TPosition::C2, 0, bytes);
  for (uint32_t i = 0; i < bytes; ++i) table.SetValue(i, from.GetValue(i));
  PipeBarrier<PIPE_ALL>();
}

}  // namespace

extern "C" __global__ __aicore__ void mmad_types_cases(GM_ADDR table, GM_ADDR images,
                                                       GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  const uint32_t c_bytes = values.result_bytes;
  const auto image = values.image();
  if (call.visible) {
    fill_memory(TPosition::CO1, image, c_bytes);
    fill_memory(TPosition::A2, image[c_bytes], call.a_bytes);
    fill_memory(TPosition::B2, image[c_bytes + call.a_bytes], call.b_bytes);
    fill_bias_table(image[c_bytes + call.a_bytes + call.b_bytes], call.table_bytes);
  }
  call.set_hf32();
  call.run();
  if (call.visible) save_memory(values.result(), TPosition::CO1, c_bytes);
}
