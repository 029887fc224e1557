// GM of a Device: buffers, what is known of them, and what they say after a launch.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/device_state.h"
#include "core/gm_faults.h"
#include "core/memory.h"
#include "vinci/device.h"

namespace vinci {

void* Device::allocate(uint64_t bytes, std::string name, bool zeros) {
  return state_->gm->allocate(bytes, std::move(name), zeros ? 0 : kPoison);
}
void* Device::allocate_rounded(uint64_t bytes, std::string name, bool zeros) {
  constexpr uint64_t kBlockBytes = 32;
  const bool exact = state_->checks.level == CheckLevel::kStrict || bytes == 0;
  const uint64_t room = exact ? bytes : (bytes + 2 * kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  return allocate(room, std::move(name), zeros);
}
void Device::follow(const void* data) { follow(data, UINT64_MAX); }
void Device::follow(const void* data, uint64_t bytes) {
  state_->gm->follow(data, true, kPoison, Code::kUnwritten);
  state_->end_followed(data, bytes);
}

void Device::follow_reads(const void* data, bool zeros, bool is_lenient) {
  if (!has_tool(state_->checks, "init")) return;
  const bool is_error = !is_lenient || state_->checks.level == CheckLevel::kStrict;
  state_->gm->follow(data, false, zeros ? 0 : kPoison,
                     is_error ? Code::kUnwritten : Code::kUnwrittenOnDevice);
  if (is_lenient) return;
  const GmBuffer* buffer = state_->gm->find(reinterpret_cast<uint64_t>(data));
  if (buffer != nullptr && buffer->written != nullptr) buffer->written->set_scratch();
}
void Device::follow_zeros(const void* data, uint64_t bytes, bool is_output) {
  if (!has_tool(state_->checks, "init")) return;
  const bool is_error = state_->checks.level == CheckLevel::kStrict;
  state_->gm->follow(data, is_output, 0, is_error ? Code::kUnwritten : Code::kUnwrittenOnDevice,
                     false);
  state_->end_followed(data, bytes);
}
void Device::note_written(const void* data, uint64_t bytes) {
  const auto address = reinterpret_cast<uint64_t>(data);
  const GmBuffer* buffer = state_->gm->find(address);
  if (buffer == nullptr || buffer->written == nullptr) return;
  const uint64_t end = std::min(address + bytes, buffer->address() + buffer->bytes);
  buffer->written->set({address, end});
}

void Device::keep_copies() {
  if (has_tool(state_->checks, "pointers")) state_->gm->keep_copies();
}

std::vector<Fault> Device::evidence() const {
  std::vector<Fault> faults;
  for (const GmBuffer& buffer : state_->gm->overrun()) faults.push_back(overrun_of(buffer));
  for (const GmBuffer& buffer : state_->gm->unlike_copies()) {
    faults.push_back(by_pointer(buffer));
  }
  return faults;
}

void Device::lend(void* data, uint64_t bytes, std::string name) {
  state_->gm->lend(static_cast<uint8_t*>(data), bytes, std::move(name));
}
void Device::release(const void* data) { state_->gm->release(data); }

}  // namespace vinci
