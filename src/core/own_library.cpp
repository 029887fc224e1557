#include "core/own_library.h"

#include <dlfcn.h>

#include <filesystem>

#include "soc/soc.h"

namespace vinci {

namespace fs = std::filesystem;

namespace {

OwnLibrary found() {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&find_soc), &info);
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname == nullptr ? "" : info.dli_fname, error);
  fs::path folder = file.parent_path();
  // lib/glibc-hwcaps/x86-64-v3/libvinci.so is one of several, and the loader finds them from lib.
  if (folder.parent_path().filename() == "glibc-hwcaps") {
    folder = folder.parent_path().parent_path();
  }
  return {file.string(), folder.string()};
}

}  // namespace

OwnLibrary own_library() {
  static const OwnLibrary known = found();
  return known;
}

}  // namespace vinci
