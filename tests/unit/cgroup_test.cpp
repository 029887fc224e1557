// Groups of processes, in folders that look like the host's.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "launch/sandbox/cgroup.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

class Cgroup : public testing::Test {
 protected:
  // A group with files like the host's.
  fs::path group(const std::string& name, const std::string& controllers,
                 const std::string& processes) {
    const fs::path folder = fs::path(work_.path()) / name;
    fs::create_directories(folder);
    put(folder / "cgroup.controllers", controllers);
    put(folder / "cgroup.subtree_control", "");
    put(folder / "cgroup.procs", processes);
    return folder;
  }
  static void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string content(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const TemporaryFolder work_{fs::temp_directory_path(), "the test", "TMPDIR"};
};

TEST_F(Cgroup, OneThatIsAloneLeavesItsGroupForOneWithLimits) {
  const fs::path own = group("scope", "cpuset cpu memory pids\n", "77\n");
  EXPECT_TRUE(enter_group(own, 77, GroupLimits{1000000, 12}));
  EXPECT_EQ(content(own / "vinci-77" / "cgroup.procs"), "77");
  EXPECT_EQ(content(own / "cgroup.subtree_control"), "+memory +pids");
  EXPECT_EQ(content(own / "vinci-77" / "memory.max"), "1000000");
  EXPECT_EQ(content(own / "vinci-77" / "pids.max"), "12");
}

TEST_F(Cgroup, WhatItStartsGetsGroupsBesideItsOwn) {
  const fs::path scope = group("scope", "memory pids\n", "77\n");
  EXPECT_TRUE(enter_group(scope, 77, {}));
  EXPECT_FALSE(fs::exists(scope / "vinci-77" / "memory.max"));
  put(scope / "cgroup.subtree_control", "memory pids\n");  // as the host tells it
  EXPECT_TRUE(enter_group(scope / "vinci-77", 78, GroupLimits{}));
  EXPECT_EQ(content(scope / "vinci-78" / "memory.max"), "17179869184");
  EXPECT_EQ(content(scope / "vinci-78" / "cgroup.procs"), "78");
}

TEST_F(Cgroup, WhereItMayNotNothingChanges) {
  EXPECT_FALSE(enter_group("", 77, GroupLimits{}));
  EXPECT_FALSE(enter_group(group("others", "memory pids\n", "76\n77\n"), 77, GroupLimits{}));
  EXPECT_FALSE(enter_group(group("another's", "memory pids\n", "76\n"), 77, GroupLimits{}));
  EXPECT_FALSE(enter_group(group("few", "hugetlb pids\n", "77\n"), 77, GroupLimits{}));
  EXPECT_FALSE(enter_group(group("deep/vinci-7", "", "77\n"), 77, GroupLimits{}));
  for (const char* name : {"others", "another's", "few", "deep"}) {
    EXPECT_FALSE(fs::exists(fs::path(work_.path()) / name / "vinci-77")) << name;
  }
}

TEST_F(Cgroup, GroupsOfProcessesThatEndedGo) {
  const fs::path scope = group("scope", "memory pids\n", "77\n");
  const fs::path left = scope / "vinci-999999999",
                 used = scope / ("vinci-" + std::to_string(getpid()));
  fs::create_directory(left);
  fs::create_directory(used);
  EXPECT_TRUE(enter_group(scope, 77, {}));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(used));
}

}  // namespace
}  // namespace vinci::launch
