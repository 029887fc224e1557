// The launches of a program: what each pass made of them, and which cores they run on.
#include "vinci/launch_site.h"

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "acl/acl_base.h"
#include "core/core.h"
#include "host/acl/error.h"
#include "host/kernels.h"
#include "vinci/door.h"
#include "vinci/host.h"

namespace vinci::host {
namespace {

using CodeByKind = std::array<DeviceCode, 3>;

struct Sites {
  std::mutex mutex;
  std::map<std::string, CodeByKind, std::less<>> code;
};

// Constructors of other files add to it.
Sites& sites() {
  static Sites all;
  return all;
}

std::string key_of(const LaunchSite& site) {
  return fmt::format("{}\n{}\n{}", site.unit, site.launch, site.arguments);
}

}  // namespace

void add_device_code(const LaunchSite& site, CoreKind kind, DeviceCode code) {
  const std::lock_guard lock(sites().mutex);
  sites().code[key_of(site)][size_t(kind)] = code;
}

void leave_out_auto_sync() {
  const char* given = std::getenv("VINCI_AUTO_SYNC");
  if (given == nullptr || *given == '\0') Core::current().schedule().set_auto_sync(false);
}

int32_t launch_at(const LaunchSite& site, const LaunchOptions& options, LaunchArguments arguments) {
  std::shared_ptr<const void> tuple(arguments.tuple, arguments.drop);
  CodeByKind code{};
  {
    const std::lock_guard lock(sites().mutex);
    if (const auto found = sites().code.find(key_of(site)); found != sites().code.end()) {
      code = found->second;
    }
  }
  if (code == CodeByKind{}) {
    return acl::refuse(ACL_ERROR_RT_KERNEL_LOOKUP, "<<<>>>",
                       fmt::format("{} was compiled for no core", options.kernel),
                       "a launch that the passes for the cores compile, too");
  }
  const char* type = *options.type != '\0' ? options.type : options.unit_type;
  const bool is_whole = code[size_t(CoreKind::kWhole)] != nullptr;
  return enqueue_kernel(options.stream, options.kernel, grid_of(options.blocks, type, is_whole),
                        [code, tuple = std::move(tuple)] {
                          const CoreKind kind = core_kind();
                          if (DeviceCode run = code[size_t(kind)]) run(tuple.get());
                        });
}

}  // namespace vinci::host
