// What host code asks about the chip that its kernels run on: plain data, so that programs may be
// compiled with either of the standard library's two layouts of std::string.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vinci {

struct Platform {
  const char* soc;        // as in `vinci list`
  int32_t npu_arch;       // 2201, ...; 0: it has no number
  uint32_t ai_cores;      // of a split chip its AICs
  uint32_t aivs;          // of a split chip; else 0
  uint32_t vector_cores;  // beside the AI Cores
  uint64_t l0a_bytes, l0b_bytes, l0c_bytes, l1_bytes, l2_bytes, ub_bytes, gm_bytes, fb_bytes,
      bt_bytes;
  uint32_t l2_bytes_per_cycle, gm_bytes_per_cycle;
};

// The chip of this name as build files spell it; with nullptr or "" the program's own. nullptr if
// there is none of this name. Valid as long as the program runs.
const Platform* platform(const char* soc);

// Bytes of a memory, by the number that fe::LocalMemType and CoreMemType give it; else 0.
uint64_t platform_bytes(const Platform& chip, int memory);
// What the chip's description has under these names, as text; nullptr: vinci does not know it, or
// `chip` is nullptr. Valid as long as the program runs.
const char* platform_resource(const Platform* chip, const char* label, const char* key);
// The names that a label has, in alphabetical order; nullptr where there are no more.
const char* platform_resource_key(const Platform* chip, const char* label, size_t number);

}  // namespace vinci
