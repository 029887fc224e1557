// What tikicpulib.h calls: GM, and launches that are over when they return.
#include "vinci/host.h"

#include <cstdio>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include "host/findings.h"
#include "host/memories.h"
#include "host/program.h"

namespace vinci {
namespace {

constexpr int64_t kMostBlocks = 65535;  // as of `vinci run`

}  // namespace

void* host_alloc(const char* soc, size_t bytes) {
  host::set_program_soc(soc);
  try {
    return host::Memories::instance().allocate(0, bytes, "GmAlloc", false);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "vinci: GmAlloc: {} bytes of memory are not to be had\n", bytes);
    std::exit(2);
  }
}

void host_free(const void* data) {
  host::Memories& memories = host::Memories::instance();
  const std::optional<host::Memory> memory = memories.find(data);
  const bool fits =
      memory && memory->start == reinterpret_cast<uint64_t>(data) && memory->device != host::kHost;
  if (data == nullptr || (fits && memories.release(data))) return;
  host::tell_wrong_call("GmFree: " + memories.standing_of(data), "what GmAlloc gave, once");
}

void host_launch(const char* soc, const char* name, int64_t blocks,
                 const std::function<void()>& kernel) {
  host::set_program_soc(soc);
  if (blocks < 1 || blocks > kMostBlocks) {
    host::tell_wrong_call(fmt::format("ICPU_RUN_KF: {} with {} blocks", name, blocks),
                          fmt::format("1..{}", kMostBlocks));
    std::exit(host::exit_code_so_far());
  }
  const std::string own(host::chip(host::soc_of(soc)).name);
  host::count_launch();
  const host::Ending ending = host::run_kernel(0, own, name, Grid{blocks}, kernel);
  if (ending.code != 0) std::exit(host::exit_code_so_far());
}

}  // namespace vinci
