// Finding what lies around the loaded library.
#include "launch/installation.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/own_library.h"
#include "launch/error.h"

namespace vinci::launch {

namespace fs = std::filesystem;

Installation own_installation() {
  const OwnLibrary library = own_library();
  const fs::path folder = library.folder;
  std::error_code error;
  for (const fs::path& headers : {folder / "include", folder.parent_path() / "include"}) {
    if (fs::exists(headers / "kernel_operator.h", error)) {
      return {headers.string(), folder.string(), library.file};
    }
  }
  throw Error(Error::Kind::kInternal, fmt::format("vinci's headers are not beside {}: there is no "
                                                  "{}/include/kernel_operator.h",
                                                  library.file, folder.parent_path().string()));
}

std::string toolkit_tree(const Installation& installation) {
  return (fs::path(installation.library_directory).parent_path() / "share" / "vinci" / "cann")
      .string();
}

}  // namespace vinci::launch
