// Folders for files in the making.
#pragma once

#include <filesystem>
#include <string>

namespace vinci::launch {

// Below TMPDIR, or below `parent`, which is made if need be. Goes with what is left in it. Throws
// Error (compile) if it cannot be made: it names the parent as `what`, and the variable of the
// environment that chooses it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const std::filesystem::path& parent, const char* what, const char* variable);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace vinci::launch
