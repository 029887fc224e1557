// What a block finds in the memories of its core.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/memory.h"

namespace vinci {
namespace {

const Soc& chip() { return *find_soc("Ascend910B1"); }

bool is_as_blocks_find_it(const LocalMemory& memory) {
  for (int i = 1; i < kAllSpaces; ++i) {
    const uint8_t* data = memory.data(Space(i));
    if (data == nullptr || Space(i) == Space::kCells) continue;
    if (!std::all_of(data, data + memory.bytes(Space(i)), [](uint8_t b) { return b == kPoison; })) {
      return false;
    }
  }
  const Cells nothing{};
  return std::memcmp(&memory.cells(), &nothing, sizeof(nothing)) == 0 && memory.overrun().empty();
}

void write_all(LocalMemory& memory) {
  memory.touch();
  for (int i = 1; i < kAllSpaces; ++i) {
    if (memory.data(Space(i)) != nullptr) {
      std::memset(memory.data(Space(i)), 7, memory.bytes(Space(i)));
    }
  }
}

TEST(LocalMemory, IsTheSameForEachBlock) {
  LocalMemory memory(chip());
  for (int block = 0; block < 3; ++block) {
    memory.reset();
    EXPECT_TRUE(is_as_blocks_find_it(memory)) << block;
    write_all(memory);
  }
}

TEST(LocalMemory, IsNotThatOfAnotherCore) {
  LocalMemory written(chip()), other(chip());
  written.reset();
  write_all(written);
  other.reset();
  EXPECT_TRUE(is_as_blocks_find_it(other));
  LocalMemory later(chip());
  later.reset();
  EXPECT_TRUE(is_as_blocks_find_it(later));
}

// Cores are made before the process that uses them, and in it.
TEST(LocalMemory, IsTheSameInAForkedProcess) {
  LocalMemory before(chip());
  const pid_t child = fork();
  if (child == 0) {
    LocalMemory made(chip());
    before.reset();
    made.reset();
    bool good = is_as_blocks_find_it(before) && is_as_blocks_find_it(made);
    write_all(before);
    made.reset();
    good = good && is_as_blocks_find_it(made);
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  before.reset();
  EXPECT_TRUE(is_as_blocks_find_it(before));
}

}  // namespace
}  // namespace vinci
