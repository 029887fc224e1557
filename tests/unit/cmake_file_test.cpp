// What of a CMakeLists.txt counts, as CMake's own documents have it, and where kernels lie then.
#include <gtest/gtest.h>

#include "launch/package/cmake_file.h"
#include "op/kernel_files.h"

namespace vinci {
namespace {

using launch::CMakeVariables;

// The words of calls of say(), each call in brackets.
std::string said(std::string_view text, CMakeVariables variables = {}) {
  std::string all;
  for (const launch::CMakeCall& call : launch::cmake_calls(text, variables)) {
    if (call.name != "say") continue;
    all += '[';
    for (size_t i = 0; i < call.words.size(); ++i) all += (i == 0 ? "" : "|") + call.words[i];
    all += ']';
  }
  return all;
}

TEST(CMakeFile, WordsQuotesAndComments) {
  EXPECT_EQ(said("say(a \"b c\" d;e) # say(no)\nSAY ( f\n g)"), "[a|b c|d|e][f|g]");
  EXPECT_EQ(said("#[[ say(no)\n say(no) ]] say(yes)"), "[yes]");
  EXPECT_EQ(said("say(\"a \\\" # )\" b)"), "[a \" # )|b]");
  EXPECT_EQ(said("say(a (b) c)"), "[a|(|b|)|c]");
  EXPECT_EQ(said("say(a"), "[a]");
  EXPECT_EQ(said(") say \"unfinished"), "");
}

TEST(CMakeFile, Variables) {
  EXPECT_EQ(said("set(X a b)\nlist(APPEND X c)\nsay(-I${X} \"${X}\" ${Y}/d)"),
            "[-Ia|b|c|a;b;c|${Y}/d]");
  EXPECT_EQ(said("set(X new CACHE STRING \"words\")\nset(Y y CACHE STRING \"\")\nsay(${X} ${Y})",
                 {{"X", "old"}}),
            "[old|y]");
  EXPECT_EQ(said("option(X \"words\" ON)\nif(X)\nsay(on)\nendif()"), "[on]");
  EXPECT_EQ(said("set(X \"${X}${X}\")\nsay(${X})", {{"X", "${X}"}}).size() > 0, true);  // ends
}

TEST(CMakeFile, Conditions) {
  const CMakeVariables variables = {{"TYPE", "Release"},
                                    {"YES_", "ON"},
                                    {"NO_", "OFF"},
                                    {"CHIP", "ascend910b"},
                                    {"LIST", "a;b;c"}};
  const auto holds = [&](const std::string& condition) {
    const std::string got =
        said("if(" + condition + ")\nsay(1)\nelse()\nsay(0)\nendif()", variables);
    EXPECT_TRUE(got == "[1]" || got == "[0]") << condition << got;
    return got == "[1]";
  };
  for (const char* condition :
       {"ON", "1", "YES_", "NOT NO_", "NOT UNKNOWN", "TYPE STREQUAL Release",
        "\"${TYPE}x\" STREQUAL \"Releasex\"", "${TYPE} STREQUAL \"Release\"", "DEFINED TYPE",
        "NOT DEFINED UNKNOWN", "NO_ OR YES_", "YES_ AND NOT NO_", "(NO_ OR YES_) AND YES_",
        "CHIP MATCHES \"910b\"", "CHIP MATCHES \"^(ascend310p|ascend910b)$\"",
        "CHIP MATCHES \"310p|910b$\"", "b IN_LIST LIST", "NOT (TYPE STREQUAL Debug)",
        "EXISTS \"/\""}) {
    EXPECT_TRUE(holds(condition)) << condition;
  }
  for (const char* condition : {"OFF",
                                "0",
                                "NO_",
                                "UNKNOWN",
                                "\"\"",
                                "\"Release\"",
                                "TYPE STREQUAL Debug",
                                "\"${CMAKE_BUILD_TYPE}x\" STREQUAL \"Debugx\"",
                                "${UNKNOWN} STREQUAL Debug",
                                "DEFINED UNKNOWN",
                                "YES_ AND NO_",
                                "NOT YES_ OR NO_",
                                "CHIP MATCHES \"310p\"",
                                "CHIP MATCHES \"^910b\"",
                                "CHIP MATCHES \"^(ascend310p|ascend910)$\"",
                                "d IN_LIST LIST",
                                "TARGET something",
                                "3.20 VERSION_GREATER 3.16",
                                "EXISTS \"/not/there\"",
                                ""}) {
    EXPECT_FALSE(holds(condition)) << condition;
  }
}

TEST(CMakeFile, Branches) {
  const std::string text =
      "if(A)\nsay(a)\nif(B)\nsay(ab)\nelse()\nsay(a-)\nendif()\n"
      "elseif(B)\nsay(-b)\nelseif(C)\nsay(--c)\nelse()\nsay(---)\nendif()\nsay(end)";
  EXPECT_EQ(said(text, {{"A", "1"}}), "[a][a-][end]");
  EXPECT_EQ(said(text, {{"A", "1"}, {"B", "1"}, {"C", "1"}}), "[a][ab][end]");
  EXPECT_EQ(said(text, {{"B", "1"}, {"C", "1"}}), "[-b][end]");
  EXPECT_EQ(said(text, {{"C", "1"}}), "[--c][end]");
  EXPECT_EQ(said(text), "[---][end]");
  EXPECT_EQ(said("if(A)\nset(X 1)\nif(ON)\nsay(no)\nelseif(ON)\nsay(no)\nelse()\nsay(no)\nendif()\n"
                 "endif()\nsay(${X})"),
            "[${X}]");
  EXPECT_EQ(said("function(f)\nsay(no)\nendfunction()\nforeach(x a b)\nsay(${x})\nendforeach()"),
            "[${x}]");
}

TEST(KernelFiles, OptionsCountWhereTheyApply) {
  op::KernelFiles files;
  files.add_option("", "", "-DALL");
  files.add_option("Add", "", "-DADD");
  files.add_option("Sub", "", "-DSUB");
  files.add_option("", "ascend310p Ascend910B1", "-DONE");
  files.add_option("", "Ascend910B", "-DFAMILY");
  files.add_option("Add", "", "-DADD");
  const auto options = [&](const char* type, const char* soc) {
    return files.find({type, soc, "x", "x", ""}).options;
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(options("Add", "Ascend910B1"), (Words{"-DALL", "-DADD", "-DONE", "-DFAMILY"}));
  EXPECT_EQ(options("Sub", "Ascend910B2"), (Words{"-DALL", "-DSUB", "-DFAMILY"}));
  EXPECT_EQ(options("Mul", "Ascend310P3"), (Words{"-DALL", "-DONE"}));
  EXPECT_EQ(options("Add", "Ascend310B1"), (Words{"-DALL", "-DADD"}));
}

}  // namespace
}  // namespace vinci
