// Finding what lies around the loaded library.
#include "launch/installation.h"

#include <dlfcn.h>

#include <filesystem>

#include <fmt/format.h>

#include "launch/error.h"
#include "soc/soc.h"

namespace vinci::launch {

namespace fs = std::filesystem;

Installation own_installation() {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&find_soc), &info);
  std::error_code error;
  const fs::path library = fs::canonical(info.dli_fname == nullptr ? "" : info.dli_fname, error);
  fs::path folder = library.parent_path();
  // lib/glibc-hwcaps/x86-64-v3/libvinci.so is one of several, and the loader finds them from lib.
  if (folder.parent_path().filename() == "glibc-hwcaps") {
    folder = folder.parent_path().parent_path();
  }
  for (const fs::path& headers : {folder / "include", folder.parent_path() / "include"}) {
    if (fs::exists(headers / "kernel_operator.h", error)) {
      return {headers.string(), folder.string(), library.string()};
    }
  }
  throw Error(Error::Kind::kInternal, fmt::format("vinci's headers are not beside {}: there is no "
                                                  "{}/include/kernel_operator.h",
                                                  library.string(), folder.parent_path().string()));
}

}  // namespace vinci::launch
