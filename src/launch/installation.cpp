// Finding what lies around the loaded library.
#include "launch/installation.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/own_library.h"
#include "launch/error.h"
#include "launch/compile/preprocess.h"

namespace vinci::launch {

namespace fs = std::filesystem;

Installation own_installation() {
  const OwnLibrary library = own_library();
  const fs::path folder = library.folder;
  std::error_code error;
  for (const fs::path& headers : {folder / "include", folder.parent_path() / "include"}) {
    if (fs::exists(headers / "kernel_operator.h", error)) {
      require_own_version(headers.string());
      return {headers.string(), folder.string(), library.file};
    }
  }
  throw Error(Error::Kind::kInternal, fmt::format("vinci's headers are not beside {}: there is no "
                                                  "{}/include/kernel_operator.h",
                                                  library.file, folder.parent_path().string()));
}

void require_own_version(const std::string& include_directory) {
  const std::string text = content_of(include_directory + "/vinci/version.h").value_or("");
  const size_t begin = text.find('"') + 1, end = text.find('"', begin);
  const std::string version = begin == 0 ? "none" : text.substr(begin, end - begin);
  if (version == VINCI_VERSION) return;
  throw Error(Error::Kind::kInternal,
              fmt::format("the headers in {} are of version {}, and the library is of version {}: "
                          "install both anew",
                          include_directory, version, VINCI_VERSION));
}

std::string toolkit_tree(const Installation& installation) {
  return (fs::path(installation.library_directory).parent_path() / "share" / "vinci" / "cann")
      .string();
}

}  // namespace vinci::launch
