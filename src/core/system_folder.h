// Where files in the making go.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace vinci {

// TMPDIR, or /tmp. The standard library's function throws if the folder is not there.
inline std::filesystem::path system_folder() {
  const char* own = std::getenv("TMPDIR");
  return own != nullptr && *own != '\0' ? own : "/tmp";
}

}  // namespace vinci
