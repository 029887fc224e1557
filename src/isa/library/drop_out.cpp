// DropOut: elements that a mask keeps, over the probability that it does; others become 0.
//
// size: 0 rows, 1 columns, 2 bytes of the mask from row to row, 3 the kind. number[0]: keepProb.
//
// Sources and decisions: docs/spec/drop_out.md.
#include "isa/library/rows.h"

namespace vinci::isa {
namespace {

using namespace library;

// Bytes or bits, each with or without what does not count behind a row.
enum : uint32_t { kPaddedBytes = 1, kBytes, kBits, kPaddedBits };

bool of_bits(const Call& call) { return call.size[3] == kBits || call.size[3] == kPaddedBits; }
bool padded(const Call& call) {
  return call.size[3] == kPaddedBytes || call.size[3] == kPaddedBits;
}
uint64_t elements(const Call& call) { return uint64_t(call.size[0]) * call.size[1]; }

// What the library may do to a mask with rows that are padded, nobody may rely on.
Parts drop_parts(const Call& call) {
  Parts parts;
  const uint64_t row = of_bits(call) ? (uint64_t(call.size[1]) + 7) / 8 : call.size[1];
  parts.read("srcLocal", call.src[0], bytes_of(call.src[0].dtype, elements(call)));
  if (padded(call)) {
    parts.read("maskLocal", call.src[1], row, call.size[0], call.size[2]);
    parts.write("maskLocal", call.src[1], row, call.size[0], call.size[2]);
  } else {
    parts.read("maskLocal", call.src[1], of_bits(call) ? (elements(call) + 7) / 8 : elements(call));
  }
  parts.write("dstLocal", call.dst[0], bytes_of(call.dst[0].dtype, elements(call)));
  return parts;
}
void check_drop(const Call& call, Check& check) {
  check.range("dropOutMode", call.size[3], kPaddedBytes, kPaddedBits);
  check.range("firstAxis", call.size[0], 1, UINT32_MAX);
  check.range("srcLastAxis", call.size[1], 1, UINT32_MAX);
  const int64_t row = of_bits(call) ? (int64_t(call.size[1]) + 7) / 8 : call.size[1];
  if (call.size[3] != kBits) check.range("maskLastAxis", call.size[2], row, UINT32_MAX);
  if (padded(call)) {
    check.multiple("maskLastAxis", call.size[2], 2);
    check.multiple("what counts of maskLastAxis,", row, 2);
  }
  if (call.number[0] > 0 && call.number[0] < 1) return;
  check.fail(Code::kRange, "keepProb is not legal", "more than 0 and less than 1");
}
float in_type(float number, DType type, const State& state) {
  if (type != DType::kHalf) return number;
  uint16_t bits;
  halves_of_floats(&number, &bits, 1, saturates(state));
  return float_of_half(bits);
}
void run_drop(const Call& call, const State& state, Memory& memory) {
  const DType type = call.dst[0].dtype;
  const uint8_t* from = memory.data(call.src[0]);
  uint8_t* mask = memory.data(call.src[1]);
  const float factor = in_type(1.0f / call.number[0], type, state);
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    for (uint32_t i = 0; i < call.size[1]; ++i) {
      const uint64_t index = uint64_t(row) * call.size[1] + i;
      const uint64_t first = uint64_t(row) * call.size[2];
      const uint64_t bit = call.size[3] == kBits ? index : first * 8 + i;
      const bool kept = of_bits(call) ? (mask[bit / 8] >> bit % 8 & 1) != 0
                                      : mask[padded(call) ? first + i : index] != 0;
      const float number = kept ? number_at(from, type, index) * factor : 0.0f * factor;
      put_number(in_type(number, type, state), memory.data(call.dst[0]), type, index, state);
    }
  }
  if (!padded(call)) return;
  const uint64_t bytes = of_bits(call) ? (uint64_t(call.size[1]) + 7) / 8 : call.size[1];
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    std::memset(mask + uint64_t(row) * call.size[2], kPoison, bytes);
  }
}

}  // namespace

extern constinit const Instruction drop_out =
    function<drop_parts, run_drop, check_drop, Overlaps::kFirst>("drop_out", "DropOut", kFloats);

}  // namespace vinci::isa
