// The chips' table, as host code asks for it. Decisions: docs/spec/platform.md.
#include "vinci/platform.h"

#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "host/program.h"
#include "soc/soc.h"

namespace vinci {
namespace {

constexpr uint64_t kMiB = 1024 * 1024;

Platform make(const Soc& soc) {
  const auto bytes = [&](Space space) { return uint64_t(soc.size_of(space)); };
  const bool split = soc.arch->split;
  const bool has_vector_cores = (soc.arch->bit & (kArch2002 | kArch2002Vector)) != 0;
  return {.soc = soc.name.data(),
          .npu_arch = soc.arch->npu_arch,
          .ai_cores = uint32_t(soc.aic_cores),
          .aivs = split ? uint32_t(soc.aiv_cores) : 0,
          .vector_cores = has_vector_cores ? uint32_t(soc.aiv_cores) : 0,
          .l0a_bytes = bytes(Space::kL0A),
          .l0b_bytes = bytes(Space::kL0B),
          .l0c_bytes = bytes(Space::kL0C),
          .l1_bytes = bytes(Space::kL1),
          .l2_bytes = (split ? 192 : 32) * kMiB,
          .ub_bytes = bytes(Space::kUb),
          .gm_bytes = 32 * 1024 * kMiB,
          .fb_bytes = bytes(Space::kFb),
          .bt_bytes = bytes(Space::kBt),
          .l2_bytes_per_cycle = 110,
          .gm_bytes_per_cycle = 32};
}

}  // namespace

const Platform* platform(const char* soc) {
  const bool own = soc == nullptr || *soc == '\0';
  const std::string name = own ? host::program_soc() : soc;
  const Soc* found = own ? find_soc(name) : find_toolkit_soc(name);
  if (found == nullptr) return nullptr;
  static std::mutex mutex;
  static std::deque<Platform> made;  // addresses stay
  const std::lock_guard lock(mutex);
  for (const Platform& platform : made) {
    if (platform.soc == found->name.data()) return &platform;
  }
  return &made.emplace_back(make(*found));
}

}  // namespace vinci
