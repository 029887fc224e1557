#include "core/constants.h"

#include <link.h>

#include <algorithm>
#include <deque>
#include <mutex>

namespace vinci {
namespace {

struct Segment {
  uint64_t address = 0;  // that is looked for, then where the segment begins
  uint64_t bytes = 0;    // 0: not found
};

int look_into(dl_phdr_info* info, size_t, void* data) {
  auto& segment = *static_cast<Segment*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const uint64_t first = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || segment.address - first >= part.p_memsz) continue;
    if ((part.p_flags & (PF_R | PF_W | PF_X)) == PF_R) segment = {first, part.p_memsz};
    return 1;
  }
  return 0;
}

}  // namespace

const GmBuffer* constants_at(uint64_t address) {
  static std::mutex mutex;
  static std::deque<GmBuffer> known;  // pointers to its elements stay
  Segment segment{address};
  dl_iterate_phdr(look_into, &segment);
  if (segment.bytes == 0) return nullptr;
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find_if(known, [&](const GmBuffer& buffer) {
    return buffer.address() == segment.address && buffer.bytes == segment.bytes;
  });
  if (found != known.end()) return &*found;
  GmBuffer& buffer = known.emplace_back();
  buffer.data = reinterpret_cast<uint8_t*>(segment.address);
  buffer.bytes = segment.bytes;
  buffer.name = "(constants of the program)";
  buffer.is_constant = true;
  return &buffer;
}

}  // namespace vinci
