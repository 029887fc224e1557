#include "vinci/tiling_key.h"

#include <atomic>

namespace vinci {
namespace {

std::atomic<uint64_t> current{0};

}  // namespace

void set_tiling_key(uint64_t key) { current = key; }
uint64_t tiling_key() { return current; }

}  // namespace vinci
