// Where the text of the header ends with which a source begins.
#include "launch/compile/leading_header.h"

#include <gtest/gtest.h>

namespace vinci::launch {
namespace {

constexpr const char* kBefore =
    "# 0 \"k.cpp\"\n# 0 \"<built-in>\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n"
    "# 0 \"<command-line>\" 2\n# 1 \"k.cpp\"\n\n";
constexpr const char* kHeader =
    "\nint a;\n# 1 \"/vinci/b.h\" 1\nint b;\n# 4 \"/vinci/h.h\" 2\nint c;\n";

std::string with(const std::string& before) {
  return before + "# 1 \"/vinci/h.h\" 1\n" + kHeader + "# 2 \"k.cpp\" 2\nint d;\n";
}

TEST(LeadingText, HasWhatTheHeaderIncludes) {
  EXPECT_EQ(leading_text(with(kBefore), "/vinci/h.h"), kHeader);
}

TEST(LeadingText, EndsWithTheTextIfNothingComesAfterIt) {
  EXPECT_EQ(leading_text("# 1 \"/vinci/h.h\" 1\nint a;\n", "/vinci/h.h"), "int a;\n");
}

TEST(LeadingText, IsNotThereBehindCode) {
  EXPECT_FALSE(leading_text(with(kBefore + std::string("int before;\n")), "/vinci/h.h"));
  EXPECT_FALSE(leading_text(with(kBefore + std::string("#pragma pack(1)\n")), "/vinci/h.h"));
}

TEST(LeadingText, IsNotThereInOtherTexts) {
  EXPECT_FALSE(leading_text(with(kBefore), "/vinci/other.h"));
  EXPECT_FALSE(leading_text(kBefore, "/vinci/h.h"));
  EXPECT_FALSE(leading_text("", "/vinci/h.h"));
}

}  // namespace
}  // namespace vinci::launch
