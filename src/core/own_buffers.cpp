#include "core/own_buffers.h"

#include <cstring>
#include <string>

namespace vinci {

OwnBuffers::~OwnBuffers() {
  for (const ByUse* buffers : {&taken_, &idle_}) {
    for (const auto& [use, buffer] : *buffers) gm_->release(buffer);
  }
}

uint8_t* OwnBuffers::take(int64_t core, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (const auto found = idle_.find({core, bytes}); found != idle_.end()) {
    uint8_t* const buffer = found->second;
    std::memset(buffer, kPoison, bytes);
    taken_.insert(idle_.extract(found));
    return buffer;
  }
  uint8_t* const buffer =
      gm_->allocate(bytes, "Matmul's workspace of core " + std::to_string(core), kPoison, true);
  taken_.insert({{core, bytes}, buffer});
  return buffer;
}

void OwnBuffers::end_launch() {
  const std::lock_guard lock(mutex_);
  for (const auto& [use, buffer] : idle_) gm_->release(buffer);
  idle_ = std::exchange(taken_, {});
}

}  // namespace vinci
