// AscendAntiQuant: (src + offset) * scale of integers, for all or for groups of a column.
//
// size: 0 K, 1 N, 2 rows of offset, 3 its columns, 4 and 5 those of scale, 6 whether src is [N, K].
// src: 0 data, 1 offset, 2 scale; without tensors number: 0 scale, 1 offset. size[7]: no offset.
//
// Sources and decisions: docs/spec/anti_quant.md.
#include "isa/library/rows.h"

namespace vinci::isa {
namespace {

using namespace library;
using enum DType;

bool transposed(const Call& call) { return call.size[6] != 0; }
uint64_t elements(const Call& call) { return uint64_t(call.size[0]) * call.size[1]; }

Parts anti_quant_parts(const Call& call) {
  Parts parts;
  parts.read("src", call.src[0], bytes_of(call.src[0].dtype, elements(call)));
  const auto read = [&](const char* name, const Operand& operand, uint64_t count) {
    if (given(operand)) parts.read(name, operand, bytes_of(operand.dtype, count));
  };
  read("offset", call.src[1], uint64_t(call.size[2]) * call.size[3]);
  read("scale", call.src[2], uint64_t(call.size[4]) * call.size[5]);
  parts.write("dst", call.dst[0], bytes_of(call.dst[0].dtype, elements(call)));
  return parts;
}
// A tensor of so many rows and columns has one number for each group of K, and each of N.
void check_groups(const char* name, uint32_t height, uint32_t width, const Call& call,
                  Check& check) {
  const uint32_t groups = transposed(call) ? width : height;
  const uint32_t others = transposed(call) ? height : width;
  check.range(std::string("groups of ") + name, groups, 1, call.size[0]);
  if (check.ok() && call.size[0] % groups != 0) {
    check.fail(Code::kMultiple, std::string("K is no multiple of the groups of ") + name,
               "groups of the same size");
  }
  check.range(std::string("numbers of ") + name + " along N", others, call.size[1], call.size[1]);
}
void check_anti_quant(const Call& call, Check& check) {
  check.range("K", call.size[0], 1, UINT32_MAX);
  check.range("N", call.size[1], 1, UINT32_MAX);
  if (!check.ok()) return;
  if (transposed(call)) check.multiple("K", call.size[0], 256 / bits_of(call.src[0].dtype));
  if (given(call.src[1])) check_groups("offset", call.size[2], call.size[3], call, check);
  if (given(call.src[2])) check_groups("scale", call.size[4], call.size[5], call, check);
}

float number_of(const uint8_t* from, DType type, uint64_t index) {
  if (type == kHalf) return number_at(from, kHalf, index);
  return float_of_bfloat16(reinterpret_cast<const uint16_t*>(from)[index]);
}
int integer_at(const uint8_t* from, DType type, uint64_t index) {
  if (type == kInt8) return int8_t(from[index]);
  const int nibble = from[index / 2] >> (index % 2 * 4) & 15;
  return nibble >= 8 ? nibble - 16 : nibble;
}
void run_anti_quant(const Call& call, const State& state, Memory& memory) {
  const DType type = call.dst[0].dtype;
  const uint32_t k = call.size[0], n = call.size[1];
  uint16_t* to = data_of<uint16_t>(memory, call.dst[0]);
  const auto at = [&](int which, uint32_t ik, uint32_t in) {
    const uint32_t height = call.size[2 * which], width = call.size[2 * which + 1];
    const uint64_t index = transposed(call) ? uint64_t(in) * width + uint64_t(ik) * width / k
                                            : uint64_t(ik) * height / k * width + in;
    return number_of(memory.data(call.src[which]), type, index);
  };
  const auto rounded = [&](float number) {
    if (type != kHalf) return number;
    uint16_t bits;
    halves_of_floats(&number, &bits, 1, saturates(state));
    return float_of_half(bits);
  };
  const auto overflow = saturates(state) ? Overflow::kSaturate : Overflow::kWrapOrInf;
  for (uint64_t i = 0; i < elements(call); ++i) {
    const auto ik = uint32_t(transposed(call) ? i % k : i / n);
    const auto in = uint32_t(transposed(call) ? i / k : i % n);
    auto number = float(integer_at(memory.data(call.src[0]), call.src[0].dtype, i));
    if (given(call.src[1])) number = rounded(number + at(1, ik, in));
    if (!given(call.src[1]) && call.size[7] == 0) number = rounded(number + call.number[1]);
    number = rounded(number * (given(call.src[2]) ? at(2, ik, in) : call.number[0]));
    to[i] = type == kHalf ? half_of_float(number)
                          : uint16_t(convert<bfloat16_t, float>(number, Round::kRint, overflow));
  }
}
constexpr Signature kTypes[] = {
    {kHalf, kInt8}, {kHalf, kInt4}, {kBfloat16, kInt8}, {kBfloat16, kInt4}};
constexpr Signature kOf310p[] = {{kHalf, kInt8}};
constexpr Support kSupport[] = {{kArch2201, kTypes, true, kAscendC},
                                {kArch2002, kOf310p, true, kAscendC}};

}  // namespace

extern constinit const Instruction ascend_anti_quant =
    function<anti_quant_parts, run_anti_quant, check_anti_quant>("ascend_anti_quant",
                                                                 "AscendAntiQuant", kSupport);

}  // namespace vinci::isa
