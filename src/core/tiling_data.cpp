// Tiling data as kernels of operator packages read it.
#include "vinci/tiling_data.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"

namespace vinci {
namespace {

// Where no data are, a member's address is its offset: below what a process ever has.
constexpr uint64_t kFirstAddress = 65536;

}  // namespace

void read_tiling(void* to, const void* from, uint64_t bytes, const char* type) {
  Core* core = Core::current_or_null();
  const auto address = reinterpret_cast<uint64_t>(from);
  const GmBuffer* buffer = core == nullptr ? nullptr : core->gm().find(address);
  // Others than a package's may keep it where they want.
  const uint64_t there = buffer != nullptr         ? buffer->address() + buffer->bytes - address
                         : address < kFirstAddress ? 0
                                                   : bytes;
  std::memset(to, 0, bytes);
  if (there != 0) std::memcpy(to, from, std::min(bytes, there));
  if (there >= bytes || core == nullptr) return;
  core->report(
      Code::kTilingData,
      fmt::format("{} takes {} bytes, of which the host's tiling data has {}", type, bytes, there),
      "one struct on both sides, and SetDataSize with its size");
}

void key_asked(bool is_own) {
  Core* core = Core::current_or_null();
  if (core == nullptr) return;
  KeysAsked& asked = core->keys_asked();
  if (!asked.any) asked.first = call_origin();
  asked.any = true;
  asked.own |= is_own;
}

void check_keys_asked(uint64_t own, const char* function) {
  Core* core = Core::current_or_null();
  if (core == nullptr || !core->keys_asked().any || core->keys_asked().own) return;
  core->note(Code::kTilingKey,
             fmt::format("{}: the host's tiling key is {}, for which the kernel has no branch",
                         function, own),
             "a key that the kernel asks for with TILING_KEY_IS", &core->keys_asked().first);
}

}  // namespace vinci
