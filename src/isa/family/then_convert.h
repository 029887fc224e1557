// A result of two sources, and then its conversion to another type, as Cast does it with CAST_NONE.
#pragma once

#include "isa/family/arithmetic.h"
#include "isa/family/conversion.h"

namespace vinci::vector {

// What is above 0 of another operation's result, else +0. Before it is rounded and brought into
// range: that is the same as after.
template <class Op>
struct PositiveOf {
  template <class T>
  static T apply(T a, T b) {
    return Positive::apply(Op::apply(a, b));
  }
};

// The result in the sources' type T, rounded there. Integers clamp in any mode.
template <class Op, class T>
void operate_on_two(const ElementwiseRecord& record, const State& state, const LaneArrays& arrays) {
  if constexpr (std::is_integral_v<T>) {
    run_clamped<Op, Second::kSource>(reinterpret_cast<const T*>(arrays.src[0]),
                                     reinterpret_cast<const T*>(arrays.src[1]), T(0),
                                     reinterpret_cast<T*>(arrays.dst), arrays.count);
  } else {
    run_type<Op, Second::kSource, T>(record, state, {arrays, 1, {}, 0});
  }
}

// Some lanes at a time: results of the sources' type have no room in dst.
template <class Op, class T>
void operate_then_convert(const ElementwiseRecord& record, const State& state,
                          const LaneArrays& arrays, ConvertArray convert) {
  alignas(64) Stored<T> results[kMostLanes];
  const uint64_t width = bits_of(record.dst.dtype) / 8;
  for (size_t first = 0; first < arrays.count; first += kMostLanes) {
    const uint64_t at = first * sizeof(Stored<T>);
    const LaneArrays piece{{arrays.src[0] + at, arrays.src[1] + at},
                           reinterpret_cast<uint8_t*>(results),
                           std::min<size_t>(kMostLanes, arrays.count - first)};
    operate_on_two<Op, T>(record, state, piece);
    convert(results, arrays.dst + first * width, piece.count);
  }
}

template <class Op, const auto& support>
void operate_then_convert_rows(const ElementwiseRecord& record, const State& state,
                               const LaneRows& rows) {
  const ConvertArray convert = conversion_between(record.dst.dtype, record.src0.dtype, Round::kNone,
                                                  state.registers.overflow);
  with_type<support, 1>(record.src0.dtype, [&]<class T>() {
    rows.for_each([&](const LaneArrays& arrays) {
      operate_then_convert<Op, T>(record, state, arrays, convert);
    });
  });
}

// dst[i] = op(src0[i], src1[i]), in the type of dst, which is narrower.
template <class Op, const auto& support>
constexpr Instruction converting_instruction(std::string_view mnemonic, std::string_view api) {
  static_assert(converts_all(support));
  return elementwise_instruction<ElementwiseRecord, 2, operate_then_convert_rows<Op, support>>(
      mnemonic, api, support);
}

// AddReluCast, SubReluCast.
inline constexpr Signature kNarrowFloats[] = {{DType::kInt8, DType::kHalf},
                                              {DType::kHalf, DType::kFloat}};
inline constexpr Signature kNarrow[] = {
    {DType::kInt8, DType::kHalf}, {DType::kInt8, DType::kInt16}, {DType::kHalf, DType::kFloat}};
inline constexpr Support kPositiveNarrowSupport[] = {{kArch2002 | kArch2201, kNarrow},
                                                     {kArch3002, kNarrowFloats}};

template <class Op>
constexpr Instruction positive_converting_instruction(std::string_view mnemonic,
                                                      std::string_view api) {
  return converting_instruction<PositiveOf<Op>, kPositiveNarrowSupport>(mnemonic, api);
}

}  // namespace vinci::vector
