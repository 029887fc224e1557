// VINCI_SELF_CHECK=footprint: instructions that say of themselves what is not true are found.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "vinci/device.h"

namespace vinci {
namespace {

// Adds the elements of src to those of dst, or copies them, and says what it likes of that.
struct MoveRecord : Record {
  Operand dst, src;
  uint64_t bytes = 0;
  uint64_t read = 0, written = 0;  // what it says
  bool adds = false;
};

void footprint(const MoveRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.src, "src", Access::kRead, 0, record.read);
  if (record.adds) footprint.add_bytes(record.dst, "dst", Access::kRead, 0, record.read);
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0, record.written);
}

void run(const MoveRecord& record, const State&, Memory& memory) {
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  for (uint64_t i = 0; i < record.bytes; ++i) {
    dst[i] = record.adds ? uint8_t(dst[i] + src[i]) : src[i];
  }
}

constexpr Signature kBytes[] = {DType::kUint8};
constexpr Support kSupport[] = {{ArchSet(~ArchSet{0}), kBytes}};
constexpr Functions<MoveRecord> kFunctions{
    .signature = [](const MoveRecord&) { return Signature(DType::kUint8); },
    .pipe = Pipe::kV,
    .footprint = footprint,
    .run = run};
constexpr Instruction kMove = make_instruction<kFunctions>("move", "Move", "Move", kSupport);

// The same, which says that it moves.
constexpr Functions<MoveRecord> kMover{.signature = kFunctions.signature,
                                       .pipe = kFunctions.pipe,
                                       .footprint = footprint,
                                       .run = run,
                                       .moves = true};
constexpr Instruction kMoves = make_instruction<kMover>("moves", "Moves", "Moves", kSupport);

class FootprintCheck : public testing::Test {
 protected:
  FootprintCheck() { setenv("VINCI_SELF_CHECK", "footprint", 1); }
  ~FootprintCheck() override { unsetenv("VINCI_SELF_CHECK"); }

  // What is reported if 100 bytes of `from` are moved to `to`, each counted from its start.
  std::vector<std::string> report(Position to, Position from, uint64_t read, uint64_t written,
                                  bool adds = false, const Instruction& move = kMove) {
    Device device("Ascend910B1");
    auto* gm = static_cast<uint8_t*>(device.allocate(4096, "gm"));
    device.launch(1, [&] {
      const auto operand = [&](Position position, uint64_t address) {
        if (position == Position::GM) address += reinterpret_cast<uint64_t>(gm);
        return Operand{address, 1024, 0, position, DType::kUint8};
      };
      const MoveRecord record{{&move}, operand(to, 1024), operand(from, 2048), 100, read, written,
                              adds};
      uint8_t* dst = Core::current().memory().data(record.dst);
      uint8_t* src = Core::current().memory().data(record.src);
      for (uint64_t i = 0; i < 1024; ++i) dst[i] = uint8_t(i), src[i] = uint8_t(5 * i + 3);
      issue(record);
      result_.assign(dst, dst + 1024);
    });
    std::vector<std::string> list;
    for (const Fault& fault : device.faults()) {
      list.push_back(std::string(to_string(fault.code)) + " " + fault.message);
    }
    return list;
  }

  std::vector<uint8_t> result_;
};

using List = std::vector<std::string>;
List untrue(const char* byte, const char* what) {
  return {fmt::format("V9001 Move: its footprint is not true: byte {} {}", byte, what)};
}
constexpr const char* kTail = "depends on bytes that are not declared as read, or is not written";
constexpr Position kUb = Position::VECCALC, kL1 = Position::A1, kGm = Position::GM;

TEST_F(FootprintCheck, WhatSaysTheTruthIsCleanAndRunsOnce) {
  for (const bool adds : {false, true}) {
    for (const auto& [to, from] : {std::pair{kUb, kUb}, {kUb, kGm}, {kGm, kUb}, {kGm, kGm}}) {
      EXPECT_EQ(report(to, from, 100, 100, adds), List{});
      ASSERT_EQ(result_.size(), 1024u);
      for (size_t i = 0; i < 1024; ++i) {
        const size_t moved = (adds ? i : 0) + 5 * i + 3;
        EXPECT_EQ(result_[i], uint8_t(i < 100 ? moved : i)) << i;
      }
    }
  }
}

TEST_F(FootprintCheck, AnUndeclaredReadIsFound) {
  EXPECT_EQ(report(kUb, kUb, 99, 100), untrue("1123 of UB", kTail));
  EXPECT_EQ(report(kUb, kL1, 0, 100), untrue("1024 of UB", kTail));
  EXPECT_EQ(report(kUb, kGm, 99, 100), untrue("1123 of UB", kTail));
  EXPECT_EQ(report(kUb, kUb, 99, 100, true), untrue("1123 of UB", kTail));
}

TEST_F(FootprintCheck, AnUndeclaredWriteIsFound) {
  const std::string start = "V9001 Move: its footprint is not true: byte ";
  EXPECT_EQ(report(kUb, kUb, 100, 99), untrue("1123 of UB", "is written and not declared"));
  EXPECT_EQ(report(kL1, kUb, 100, 0), untrue("1024 of L1", "is written and not declared"));
  ASSERT_EQ(report(kGm, kUb, 100, 99).size(), 1u);
  EXPECT_EQ(report(kGm, kGm, 100, 99)[0].substr(0, start.size()), start);
}

TEST_F(FootprintCheck, WhatIsDeclaredAndNotWrittenIsFound) {
  EXPECT_EQ(report(kUb, kUb, 100, 101), untrue("1124 of UB", kTail));
  EXPECT_EQ(report(kL1, kUb, 100, 1024), untrue("1124 of L1", kTail));
  EXPECT_EQ(report(kGm, kUb, 100, 101).size(), 1u);
}

TEST_F(FootprintCheck, WhatSaysThatItMovesAndComputesIsFound) {
  const std::string start = "V9001 Moves: it is no move: byte 1024 of UB depends on what it moves";
  EXPECT_EQ(report(kUb, kUb, 100, 100, false, kMoves), List{});
  EXPECT_EQ(report(kGm, kUb, 100, 100, false, kMoves), List{});
  EXPECT_EQ(report(kUb, kUb, 100, 100, true, kMoves), List{start});
  EXPECT_EQ(report(kUb, kL1, 100, 100, true, kMoves), List{start});
}

// Reads and writes nothing, and says that it reads scattered bytes: of src as far as `read` says,
// of dst as far as `written` says.
constexpr Functions<MoveRecord> kScattered{
    .signature = [](const MoveRecord&) { return Signature(DType::kUint8); },
    .pipe = Pipe::kV,
    .footprint =
        [](const MoveRecord& record, Footprint& footprint) {
          const auto add = [&](const Operand& operand, const char* name, uint64_t bytes) {
            const Region span{operand, name, Access::kRead, true, operand.address, bytes};
            if (footprint.scatters({&span, 1})) footprint.add(span);
          };
          footprint.add_bytes(record.src, "list", Access::kRead, 0, record.bytes);
          add(record.src, "src", record.read);
          add(record.dst, "dst", record.written);
          footprint.settle();
        },
    .run = [](const MoveRecord&, const State&, Memory&) {}};
constexpr Instruction kPick = make_instruction<kScattered>("pick", "Pick", "Pick", kSupport);

List messages_of_pick(uint64_t list, uint64_t src, uint64_t dst) {
  Device device("Ascend910B1", Checks::kBasic);
  device.launch(1, [&] {
    const Operand operand{0, 1024, 0, kUb, DType::kUint8};
    issue(MoveRecord{{&kPick}, operand, operand, list, src, dst, false});
  });
  List list_of;
  for (const Fault& fault : device.faults()) list_of.push_back(fault.message);
  return list_of;
}

TEST_F(FootprintCheck, MessagesAreThoseOfACallThatNobodyLooksAt) {
  for (const bool exact : {true, false}) {
    if (!exact) unsetenv("VINCI_SELF_CHECK");
    const auto outside = [](const char* name) {
      return List{
          fmt::format("Pick: {} reads bytes 0..1024 of a tensor of 1024 bytes in VECCALC", name)};
    };
    EXPECT_EQ(messages_of_pick(1024, 1024, 1024), List{}) << exact;
    EXPECT_EQ(messages_of_pick(1025, 1025, 1025), outside("list")) << exact;
    EXPECT_EQ(messages_of_pick(1024, 1025, 1025), outside("src")) << exact;
    EXPECT_EQ(messages_of_pick(1024, 1024, 1025), outside("dst")) << exact;
  }
}

TEST(FootprintCheckOff, NobodyLooksUnlessAsked) {
  unsetenv("VINCI_SELF_CHECK");
  Device device("Ascend910B1");
  device.launch(1, [&] {
    const Operand operand{0, 1024, 0, kUb, DType::kUint8};
    issue(MoveRecord{{&kMove}, operand, operand, 100, 0, 0, false});
  });
  EXPECT_TRUE(device.faults().empty());
}

}  // namespace
}  // namespace vinci
