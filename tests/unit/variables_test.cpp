// A kernel's variables are read from its file before it is loaded.
#include "launch/compile/variables.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

std::string maps_of_this_process() {
  std::ifstream maps("/proc/self/maps");
  return {std::istreambuf_iterator<char>(maps), {}};
}

// A second place of the file beside that of the loaded object gives addresses wrong lines.
TEST(Variables, LeaveTheFileInNoMemory) {
  const TemporaryFolder folder;
  const std::filesystem::path copy = folder.path() / "object.so";
  std::filesystem::copy_file("/proc/self/exe", copy);
  Variables variables(copy);
  EXPECT_EQ(maps_of_this_process().find(copy.string()), std::string::npos);
  variables.look();  // it is not loaded
  EXPECT_TRUE(variables.changed().empty());
}

}  // namespace
}  // namespace vinci::launch
