#include "host/acl/nn/installed.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace vinci::acl {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<fs::path> vendors() {
  std::vector<fs::path> folders;
  const std::string list = environment("ASCEND_CUSTOM_OPP_PATH");
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(':', at), list.size());
    if (end > at) folders.emplace_back(list.substr(at, end - at));
    at = end + 1;
  }
  const std::string common = environment("ASCEND_OPP_PATH");
  std::vector<fs::path> installed;
  std::error_code error;
  if (!common.empty()) {
    for (const auto& entry : fs::directory_iterator(fs::path(common) / "vendors", error)) {
      installed.push_back(entry.path());
    }
  }
  std::ranges::sort(installed);
  folders.insert(folders.end(), installed.begin(), installed.end());
  return folders;
}

}  // namespace

void load_installed_operators() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const fs::path& vendor : vendors()) {
      const fs::path library = vendor / "op_api/lib/libcust_opapi.so";
      std::error_code error;
      if (!fs::exists(library, error)) continue;
      if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
        fmt::print(stderr, "vinci: warning: {}\n", dlerror());
      }
    }
  });
}

}  // namespace vinci::acl
