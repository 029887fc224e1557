// Headers and library are of one version.
#include "launch/installation.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "launch/error.h"
#include "launch/temporary_folder.h"
#include "vinci/version.h"

namespace vinci::launch {
namespace {

std::string complaint_of(const std::string& folder) {
  try {
    require_own_version(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Installation, HeadersOfAnotherVersionAreRefused) {
  const TemporaryFolder folder;
  const std::string include = folder.path().string();
  EXPECT_NE(complaint_of(include).find("are of version none"), std::string::npos);
  std::filesystem::create_directory(folder.path() / "vinci");
  const auto write = [&](const std::string& version) {
    std::ofstream(folder.file("vinci/version.h"))
        << "#define VINCI_VERSION_OF_HEADERS \"" << version << "\"\n";
  };
  write("99.1.0");
  EXPECT_NE(complaint_of(include).find("the headers in " + include + " are of version 99.1.0, and"),
            std::string::npos);
  write(VINCI_VERSION_OF_HEADERS);
  EXPECT_EQ(complaint_of(include), "");
}

}  // namespace
}  // namespace vinci::launch
