// Arrays of conversions, one number at a time.
#include "numeric/convert_array.h"

#include <array>
#include <utility>

#include "numeric/lane_loop.h"
#include "vinci/dtype.h"

namespace vinci {
namespace {

template <class T>
LaneOf<T> load(const void* in, size_t i) {
  if constexpr (std::is_same_v<T, AscendC::int4b_t>) {
    const uint8_t pair = static_cast<const uint8_t*>(in)[i / 2];
    return int8_t(i % 2 ? int8_t(pair) >> 4 : int8_t(pair << 4) >> 4);
  } else {
    return static_cast<const LaneOf<T>*>(in)[i];
  }
}

template <class T>
void store(void* out, size_t i, LaneOf<T> lane) {
  if constexpr (std::is_same_v<T, AscendC::int4b_t>) {
    uint8_t& pair = static_cast<uint8_t*>(out)[i / 2];
    pair = uint8_t(i % 2 ? (pair & 15) | lane << 4 : lane & 15);
  } else {
    static_cast<LaneOf<T>*>(out)[i] = lane;
  }
}

template <class To, class From, Round mode, Overflow overflow>
void run(const void* in, void* out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    store<To>(out, i, convert<To, From>(load<From>(in, i), mode, overflow));
  }
}

template <class To, class From>
ConvertArray choose(Round mode, Overflow overflow) {
  static constexpr auto kArrays = []<size_t... i>(std::index_sequence<i...>) {
    return std::array<ConvertArray, sizeof...(i)>{run<To, From, Round(i / 2), Overflow(i % 2)>...};
  }
  (std::make_index_sequence<2 * kRounds>());
  return kArrays[size_t(mode) * 2 + size_t(overflow)];
}

template <class To, class... Froms>
ConvertArray find(DType from, Round mode, Overflow overflow) {
  ConvertArray found = nullptr;
  (void)(... ||
         (from == dtype_of<Froms> && (found = choose<To, Froms>(mode, overflow)) != nullptr));
  return found;
}

}  // namespace

ConvertArray convert_array(DType to, DType from, Round mode, Overflow overflow) {
  using AscendC::int4b_t;
  switch (to) {
    case DType::kHalf:
      return find<half, float, int4b_t, int8_t, uint8_t, int16_t, int32_t>(from, mode, overflow);
    case DType::kBfloat16: return find<bfloat16_t, float>(from, mode, overflow);
    case DType::kFloat:
      return find<float, half, bfloat16_t, float, int16_t, int32_t, int64_t>(from, mode, overflow);
    case DType::kInt64: return find<int64_t, float, int32_t>(from, mode, overflow);
    case DType::kInt32:
      return find<int32_t, half, bfloat16_t, float, int64_t>(from, mode, overflow);
    case DType::kInt16: return find<int16_t, half, float, int32_t>(from, mode, overflow);
    case DType::kInt8: return find<int8_t, half, int16_t>(from, mode, overflow);
    case DType::kUint8: return find<uint8_t, half, int16_t>(from, mode, overflow);
    case DType::kInt4: return find<int4b_t, half>(from, mode, overflow);
    default: return nullptr;
  }
}

}  // namespace vinci
