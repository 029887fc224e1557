#include "launch/compile/names_of_std.h"

#include <gtest/gtest.h>

namespace vinci::launch {
namespace {

bool names(const std::string& text) { return names_library_of_std(text, "/vinci"); }

TEST(NamesOfStd, SmallThingsAreNone) {
  EXPECT_FALSE(names(""));
  EXPECT_FALSE(names("int standard, stdin_, a_std;\n"));
  EXPECT_FALSE(names("static_assert(std::is_same_v<T, float>);\nint n = ::std::min(a, b);\n"));
  EXPECT_FALSE(names("std :: numeric_limits<float>::max();\n"));
}

TEST(NamesOfStd, StringsContainersAndStreamsAre) {
  EXPECT_TRUE(names("int a;\nstd::string s;\n"));
  EXPECT_TRUE(names("f(std::min(a, b), ::std::to_string(a));\n"));
  EXPECT_TRUE(names("std :: vector<int> v;\n"));
}

TEST(NamesOfStd, TheNamespaceItselfIs) {
  EXPECT_TRUE(names("using namespace std;\n"));
  EXPECT_TRUE(names("namespace s = std;\n"));
  EXPECT_TRUE(names("std\n::string s;\n"));
}

TEST(NamesOfStd, WhatTheSystemAndTheseHeadersNameIsNone) {
  EXPECT_FALSE(names("# 1 \"/usr/include/string\" 1 3\nnamespace std { }\n"));
  EXPECT_FALSE(names("# 1 \"/vinci/lib/matmul.h\" 1\nstd::string s;\n"));
  EXPECT_TRUE(names("# 1 \"/vinci/a.h\" 1\nint a;\n# 2 \"/own.cpp\" 2\nstd::string s;\n"));
  EXPECT_TRUE(names("# 1 \"/vincis/a.h\" 1\nstd::string s;\n"));
}

}  // namespace
}  // namespace vinci::launch
