// Broadcast, Select by bytes, dequantisation and quantisation.
//
// Sources and decisions: docs/spec/spreading.md.
#include <fmt/format.h>

#include "isa/library/rows.h"

namespace vinci::isa {
namespace {

using namespace library;
using enum DType;

// Broadcast: size: 0, 1 shape of dst, 2, 3 of src, 4 the axis in which src is 1; kOneAxis: there is
// no other.
constexpr uint32_t kOneAxis = 2;
Parts broadcast_parts(const Call& call) {
  Parts parts;
  const DType type = call.dst[0].dtype;
  parts.read("src", call.src[0], bytes_of(type, uint64_t(call.size[2]) * call.size[3]));
  parts.write("dst", call.dst[0], bytes_of(type, uint64_t(call.size[0]) * call.size[1]));
  return parts;
}
void check_shapes(const Call& call, Check& check) {
  const auto fits = [&](unsigned axis) {
    return call.size[2 + axis] == call.size[axis] || call.size[2 + axis] == 1;
  };
  if (!fits(0) || !fits(1)) {
    check.fail(Code::kCombination, "srcShape has an axis that is neither 1 nor that of dstShape",
               "equal axes but for 1");
    return;
  }
  const uint32_t axis = call.size[4];
  if (axis == kOneAxis) return;
  const uint32_t other = 1 - axis;
  if (call.size[2 + other] != call.size[other]) {
    check.fail(Code::kCombination,
               fmt::format("axis is {}, and srcShape[{}] is {}", axis, other, call.size[2 + other]),
               fmt::format("dstShape[{}], {}", other, call.size[other]));
    return;
  }
  const uint32_t block = 256 / bits_of(call.src[0].dtype);
  if (axis == 0) check.multiple("srcShape[1]", call.size[3], block);
  if (axis == 1 && check.soc().arch->bit == kArch2002) {
    check.multiple("srcShape[0]", call.size[2], block);
  }
}
void run_broadcast(const Call& call, const State&, Memory& memory) {
  const unsigned bytes = bits_of(call.dst[0].dtype) / 8;
  const uint8_t* from = memory.data(call.src[0]);
  uint8_t* to = memory.data(call.dst[0]);
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    const uint64_t first = call.size[2] == 1 ? 0 : uint64_t(row) * call.size[3];
    for (uint32_t i = 0; i < call.size[1]; ++i, to += bytes) {
      std::memcpy(to, from + (first + (call.size[3] == 1 ? 0 : i)) * bytes, bytes);
    }
  }
}
constexpr Signature kBroadcastTypes[] = {kInt8, kUint8, kHalf, kFloat};
constexpr Support kBroadcast[] = {{kMost, kBroadcastTypes, true, kAscendC}};

// Select: size: 0 rows, 1 columns, 2 columns of the mask, 3 whether src0 is the scalar, 4 whether
// the mask may be used up.
Parts select_parts(const Call& call) {
  Parts parts;
  const uint64_t mask_bytes = bits_of(call.src[1].dtype) / 8;
  const uint64_t bytes = bytes_of(call.dst[0].dtype, uint64_t(call.size[0]) * call.size[1]);
  parts.read("src", call.src[0], bytes);
  parts.read("mask", call.src[1], call.size[1] * mask_bytes, call.size[0],
             call.size[2] * mask_bytes);
  if (call.size[4] != 0) {
    parts.write("mask", call.src[1], call.size[1] * mask_bytes, call.size[0],
                call.size[2] * mask_bytes);
  }
  parts.write("dst", call.dst[0], bytes);
  return parts;
}
void check_select(const Call& call, Check& check) {
  check.multiple("srcLastAxis", call.size[1], 256 / bits_of(call.dst[0].dtype));
  check.multiple("maskLastAxis", call.size[2],
                 std::max(16u, 256 / unsigned(bits_of(call.src[1].dtype))));
  check.range("srcLastAxis", call.size[1], 1, call.size[2]);
}
void run_select(const Call& call, const State&, Memory& memory) {
  const unsigned bytes = bits_of(call.dst[0].dtype) / 8,
                 mask_bytes = bits_of(call.src[1].dtype) / 8;
  const uint8_t* src = memory.data(call.src[0]);
  uint8_t* to = memory.data(call.dst[0]);
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    const uint8_t* mask = memory.data(call.src[1]) + uint64_t(row) * call.size[2] * mask_bytes;
    for (uint32_t i = 0; i < call.size[1]; ++i, src += bytes, to += bytes, mask += mask_bytes) {
      const bool second = std::any_of(mask, mask + mask_bytes, [](uint8_t b) { return b != 0; });
      const bool scalar = second != (call.size[3] != 0);
      std::memmove(to, scalar ? reinterpret_cast<const uint8_t*>(&call.scalar) : src, bytes);
    }
    if (call.size[4] == 0) continue;
    std::memset(memory.data(call.src[1]) + uint64_t(row) * call.size[2] * mask_bytes, kPoison,
                call.size[1] * mask_bytes);
  }
}
Signature select_types(const Call& call) {
  return {call.dst[0].dtype, call.dst[0].dtype, call.src[1].dtype};
}
constexpr std::array<Signature, 12> kSelectTypes = [] {
  std::array<Signature, 12> all;
  size_t next = 0;
  for (const DType type : {kHalf, kFloat}) {
    for (const DType mask : {kInt8, kUint8, kInt16, kUint16, kInt32, kUint32}) {
      all[next++] = Signature(type, type, mask);
    }
  }
  return all;
}();
constexpr Support kSelect[] = {{kMost, kSelectTypes, true, kAscendC}};

// AscendDequant: size: 0 rows, 1 columns, 2 columns that count, 3 elements of dst from row to row.
// src[1]: a scale for each column; none: number[0].
Parts dequant_parts(const Call& call) {
  Parts parts;
  const DType type = call.dst[0].dtype;
  parts.read("src", call.src[0], uint64_t(call.size[2]) * 4, call.size[0],
             uint64_t(call.size[1]) * 4);
  if (given(call.src[1]))
    parts.read("deqScale", call.src[1], bytes_of(call.src[1].dtype, call.size[2]));
  parts.write("dst", call.dst[0], bytes_of(type, call.size[2]), call.size[0],
              bytes_of(type, call.size[3]));
  return parts;
}
void check_dequant(const Call& call, Check& check) {
  check.multiple("n", call.size[1], 8);
  check.range("calCount", call.size[2], 1, call.size[1]);
}
float scale_at(const Call& call, const Memory& memory, uint32_t i) {
  if (!given(call.src[1])) return call.number[0];
  const uint8_t* scales = memory.data(call.src[1]);
  if (call.src[1].dtype == kFloat) return number_at(scales, kFloat, i);
  if (call.src[1].dtype == kUint64) return number_at(scales, kFloat, 2 * uint64_t(i));
  return float_of_bfloat16(reinterpret_cast<const uint16_t*>(scales)[i]);
}
void run_dequant(const Call& call, const State& state, Memory& memory) {
  const auto overflow = saturates(state) ? Overflow::kSaturate : Overflow::kWrapOrInf;
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    const int32_t* from = data_of<int32_t>(memory, call.src[0]) + uint64_t(row) * call.size[1];
    const uint64_t to = uint64_t(row) * call.size[3];
    for (uint32_t i = 0; i < call.size[2]; ++i) {
      const float number = float(from[i]) * scale_at(call, memory, i);
      if (call.dst[0].dtype == kFloat) {
        data_of<float>(memory, call.dst[0])[to + i] = number;
      } else if (call.dst[0].dtype == kHalf) {
        data_of<uint16_t>(memory, call.dst[0])[to + i] =
            convert<half, float>(number, Round::kRint, overflow);
      } else {
        data_of<uint16_t>(memory, call.dst[0])[to + i] =
            convert<bfloat16_t, float>(number, Round::kRint, overflow);
      }
    }
  }
}
Signature dequant_types(const Call& call) {
  return given(call.src[1]) ? Signature(call.dst[0].dtype, kInt32, call.src[1].dtype)
                            : Signature(call.dst[0].dtype, kInt32);
}
constexpr Signature kDequantTypes[] = {{kHalf, kInt32},
                                       {kFloat, kInt32},
                                       {kBfloat16, kInt32},
                                       {kHalf, kInt32, kUint64},
                                       {kHalf, kInt32, kFloat},
                                       {kFloat, kInt32, kFloat},
                                       {kFloat, kInt32, kUint64},
                                       {kFloat, kInt32, kBfloat16},
                                       {kBfloat16, kInt32, kBfloat16},
                                       {kBfloat16, kInt32, kFloat}};
constexpr Signature kOlderDequantTypes[] = {
    {kHalf, kInt32}, {kFloat, kInt32}, {kHalf, kInt32, kUint64}, {kFloat, kInt32, kFloat}};
constexpr Support kDequant[] = {{kArch2201, kDequantTypes, true, kAscendC},
                                {kArch2002, kOlderDequantTypes, true, kAscendC}};

// AscendQuant: count elements; size: 0, 1 the periods of scale and offset; src[1], src[2] the
// tensors, or number[0], number[1]. All steps in half.
Parts quant_parts(const Call& call) {
  Parts parts;
  parts.read("src", call.src[0], bytes_of(call.src[0].dtype, call.count));
  if (given(call.src[1]))
    parts.read("scale", call.src[1], bytes_of(call.src[1].dtype, call.size[0]));
  if (given(call.src[2]))
    parts.read("offset", call.src[2], bytes_of(call.src[2].dtype, call.size[1]));
  parts.write("dst", call.dst[0], call.count);
  return parts;
}
uint16_t half_in(float number, const State& state) {
  uint16_t bits;
  halves_of_floats(&number, &bits, 1, saturates(state));
  return bits;
}
void run_quant(const Call& call, const State& state, Memory& memory) {
  const auto half_at = [&](const Operand& operand, float instead, uint64_t i) {
    const float number =
        given(operand) ? number_at(memory.data(operand), operand.dtype, i) : instead;
    return float_of_half(half_in(number, state));
  };
  const auto overflow =
      state.registers.overflow.casts_keep_low_bits ? Overflow::kWrapOrInf : Overflow::kSaturate;
  std::vector<int8_t> results(call.count);
  for (uint64_t i = 0; i < call.count; ++i) {
    const float scale =
        half_at(call.src[1], call.number[0], given(call.src[1]) ? i % call.size[0] : 0);
    const float offset =
        half_at(call.src[2], call.number[1], given(call.src[2]) ? i % call.size[1] : 0);
    const float scaled = float_of_half(half_in(half_at(call.src[0], 0, i) * scale, state));
    results[i] = convert<int8_t, half>(half_in(scaled + offset, state), Round::kRint, overflow);
  }
  std::memcpy(memory.data(call.dst[0]), results.data(), results.size());
}
void check_quant(const Call& call, Check& check) {
  if (!given(call.src[1])) return;
  check.range("scaleCount", call.size[0], 1, UINT32_MAX);
  check.multiple("scaleCount", call.size[0], 32);
  if (given(call.src[2])) check.range("offsetCount", call.size[1], call.size[0], call.size[0]);
}
constexpr Signature kQuantTypes[] = {{kInt8, kHalf}, {kInt8, kFloat}};
constexpr Support kQuant[] = {{kMost | kArch1001, kQuantTypes, true, kAscendC}};

}  // namespace

extern constinit const Instruction broadcast =
    function<broadcast_parts, run_broadcast, check_shapes>("broadcast", "Broadcast", kBroadcast);
extern constinit const Instruction select_by_bytes =
    function<select_parts, run_select, check_select, Overlaps::kSame, select_types>(
        "select_by_bytes", "Select", kSelect);
extern constinit const Instruction ascend_dequant =
    function<dequant_parts, run_dequant, check_dequant, Overlaps::kNever, dequant_types>(
        "ascend_dequant", "AscendDequant", kDequant);
extern constinit const Instruction ascend_quant =
    function<quant_parts, run_quant, check_quant, Overlaps::kSame>("ascend_quant", "AscendQuant",
                                                                   kQuant);

}  // namespace vinci::isa
