#include "launch/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "core/system_folder.h"
#include "launch/error.h"

namespace vinci::launch {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() : TemporaryFolder(system_folder(), "the folder", "TMPDIR") {}

TemporaryFolder::TemporaryFolder(const fs::path& parent, const char* what, const char* variable) {
  std::error_code error;
  fs::create_directories(parent, error);
  std::string name = (parent / "work-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(Error::Kind::kCompile,
                fmt::format("cannot write to {} {}: {} (set {})", what, parent.string(),
                            std::strerror(errno), variable));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

}  // namespace vinci::launch
