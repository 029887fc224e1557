// Records as TIK issues them: what Ascend C has no words for, and whose table of types counts.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "core/core.h"
#include "core/instruction.h"
#include "vinci/device.h"
#include "vinci/record/move.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
extern const Instruction data_copy_pad, fused_mul_add, fused_mul_add_relu, mul_add_dst,
    set_atomic_add, trans_data_to_5hd, transpose;
}  // namespace vinci::isa

namespace vinci {
namespace {

constexpr uint64_t kSquare = 512;

// The codes that a statement of a script is reported with, if it does this.
std::vector<std::string> codes_of(const char* chip, const std::function<void(Core&)>& statement,
                                  bool of_tik = true) {
  Device device(chip, Checks::kBasic);  // as scripts have it
  device.launch(1, [&] {
    Core& core = Core::current();
    const Caller caller{"a statement", "script.py", 7};
    if (of_tik) core.set_caller(&caller);
    statement(core);
    core.set_caller(nullptr);
  });
  std::vector<std::string> codes;
  for (const Fault& fault : device.faults()) codes.push_back(to_string(fault.code));
  return codes;
}
using Codes = std::vector<std::string>;

Operand in_ub(uint64_t address, uint64_t bytes, DType dtype) {
  return {address, bytes, 0, Position::VECCALC, dtype};
}

TransposeRecord squares(uint64_t dst, uint64_t src, uint16_t repeats, uint16_t dst_stride,
                        uint16_t src_stride) {
  TransposeRecord record{
      {&isa::transpose}, in_ub(dst, 1 << 17, DType::kHalf), in_ub(src, 1 << 16, DType::kHalf)};
  record.repeats = repeats;
  record.dst_stride = dst_stride;
  record.src_stride = src_stride;
  return record;
}

TEST(TikRecords, VecTransTurnsSquaresAtStrides) {
  constexpr uint64_t kDst = 8192, kBytes = 32768;
  for (const uint16_t dst_stride : {1, 2, 3}) {
    for (const uint16_t src_stride : {0, 1, 2}) {
      std::vector<uint8_t> want(kBytes), got(kBytes);
      EXPECT_EQ(
          codes_of("Ascend310",
                   [&](Core& core) {
                     uint8_t* ub = core.local().data(Space::kUb);
                     for (uint64_t i = 0; i < kBytes; ++i) ub[i] = uint8_t(i * 167 + i / 251);
                     std::memcpy(want.data(), ub, kBytes);
                     for (uint64_t r = 0; r < 4; ++r) {
                       for (uint64_t i = 0; i < 256; ++i) {
                         std::memcpy(
                             &want[kDst + r * dst_stride * kSquare + (i % 16 * 16 + i / 16) * 2],
                             ub + r * src_stride * kSquare + i * 2, 2);
                       }
                     }
                     issue(squares(kDst, 0, 4, dst_stride, src_stride));
                     std::memcpy(got.data(), ub, kBytes);
                   }),
          Codes{});
      EXPECT_EQ(got, want) << dst_stride << " " << src_stride;
    }
  }
}

TEST(TikRecords, VecTransKeepsItsLimits) {
  const auto codes = [](const TransposeRecord& record) {
    return codes_of("Ascend310P3", [&](Core&) { issue(record); });
  };
  EXPECT_EQ(codes(squares(65536, 0, 4095, 0, 0)), Codes{});
  EXPECT_EQ(codes(squares(65536, 0, 4096, 0, 0)), Codes{"V2001"});
  EXPECT_EQ(codes(squares(65536, 0, 1, 4095, 4095)), Codes{});
  EXPECT_EQ(codes(squares(65536, 0, 1, 4096, 0)), Codes{"V2001"});
  EXPECT_EQ(codes(squares(65536, 0, 1, 0, 4096)), Codes{"V2001"});
  EXPECT_EQ(codes(squares(0, 0, 5, 1, 1)), Codes{});
  EXPECT_EQ(codes(squares(0, 0, 2, 1, 0)), Codes{"V1008"});
  EXPECT_EQ(codes(squares(kSquare, 0, 2, 1, 1)), Codes{"V1008"});
  EXPECT_EQ(codes(squares(kSquare, 0, 1, 1, 1)), Codes{});
  EXPECT_EQ(codes(squares(2 * kSquare, 0, 2, 1, 1)), Codes{});
  EXPECT_EQ(codes(squares(65536, 0, 129, 1, 1)), Codes{"V1001"});
  EXPECT_EQ(codes(squares(65536, 0, 128, 2, 1)), Codes{});
}

ElementwiseRecord elementwise(const Instruction& instruction, DType dst, DType src) {
  ElementwiseRecord record{};
  record.instruction = &instruction;
  record.dst = in_ub(0, 1024, dst);
  record.src0 = in_ub(1024, 1024, src);
  record.src1 = in_ub(2048, 1024, src);
  record.lanes = lanes_continuous(8, 1);
  return record;
}

TransposeBlocksRecord blocks(DType dtype) {
  TransposeBlocksRecord record{};
  record.instruction = &isa::trans_data_to_5hd;
  for (uint64_t i = 0; i < 16; ++i) {
    record.dst[i] = in_ub(32 * i, 32, dtype);
    record.src[i] = in_ub(1024 + 32 * i, 32, dtype);
  }
  return record;
}

// The same record of both front ends.
template <class R>
void expect(const char* chip, const R& record, const Codes& of_tik, const Codes& of_ascend_c) {
  const auto statement = [&](Core&) { issue(record); };
  EXPECT_EQ(codes_of(chip, statement, true), of_tik) << chip;
  EXPECT_EQ(codes_of(chip, statement, false), of_ascend_c) << chip;
}

TEST(TikRecords, HaveTypesOfTheirOwn) {
  using enum DType;
  const Codes fine, no_instruction{"V6001"}, no_type{"V6002"};
  for (const char* chip : {"Ascend310", "Ascend910A"}) {
    for (const DType dst : {kHalf, kFloat}) {
      expect(chip, elementwise(isa::mul_add_dst, dst, kHalf), fine, no_instruction);
      expect(chip, elementwise(isa::fused_mul_add, dst, dst), fine, no_instruction);
      expect(chip, elementwise(isa::fused_mul_add_relu, dst, dst), fine, no_instruction);
    }
    expect(chip, blocks(kFloat), fine, no_type);
    expect(chip, blocks(kInt8), fine, fine);
  }
  expect("Ascend310P3", elementwise(isa::mul_add_dst, kFloat, kHalf), fine, fine);
  expect("Ascend310B1", elementwise(isa::mul_add_dst, kFloat, kHalf), no_type, fine);
  expect("Ascend310B1", elementwise(isa::mul_add_dst, kInt32, kInt32), no_type, fine);
  expect("Ascend310B1", elementwise(isa::mul_add_dst, kHalf, kHalf), fine, fine);
  expect("Ascend310B1", blocks(kHalf), no_type, fine);
  expect("Ascend310B1", blocks(kUint32), fine, no_type);
  expect("Ascend310B1", blocks(kInt32), fine, fine);
  const auto adding = [](DType dtype) { return SetAtomicRecord{{&isa::set_atomic_add}, dtype}; };
  expect("Ascend310", adding(kFloat), no_instruction, no_instruction);
  expect("Ascend910A", adding(kFloat), fine, fine);
  expect("Ascend910A", adding(kHalf), no_type, no_type);
  expect("Ascend310P3", adding(kInt16), fine, fine);
  expect("Ascend310B1", adding(kInt8), no_type, no_type);
  expect("Ascend910B1", adding(kBfloat16), fine, fine);
}

// TIK hands over paddings without a value, and its own ranges.
TEST(TikRecords, DataMovePadTakesNoPaddingOutOfUb) {
  DataCopyPadRecord record{{&isa::data_copy_pad}, {}, in_ub(0, 256, DType::kHalf)};
  Device device("Ascend910B1", Checks::kBasic);
  void* buffer = device.allocate(256, "out");
  record.dst = {reinterpret_cast<uint64_t>(buffer), 256, 0, Position::GM, DType::kHalf};
  record.length = 33;
  const auto codes = [&] {
    const size_t before = device.faults().size();
    device.launch(1, [&] { issue(record); });
    Codes found;
    for (size_t i = before; i < device.faults().size(); ++i) {
      found.push_back(to_string(device.faults()[i].code));
    }
    return found;
  };
  EXPECT_EQ(codes(), Codes{});
  record.right = 1;
  EXPECT_EQ(codes(), Codes{"V2001"});
  record.right = 0;
  record.left = 1;
  EXPECT_EQ(codes(), Codes{"V2001"});
}

}  // namespace
}  // namespace vinci
