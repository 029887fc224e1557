#include "host/memories.h"

#include <cstdlib>
#include <iterator>
#include <new>

#include <fmt/format.h>

#include "host/program.h"
#include "vinci/device.h"

namespace vinci::host {
namespace {

constexpr size_t kHostAlignment = 64;

void* pointer_to(uint64_t address) { return reinterpret_cast<void*>(address); }

void* allocate_host(uint64_t bytes) {
  void* data = nullptr;
  if (posix_memalign(&data, kHostAlignment, bytes) != 0) throw std::bad_alloc();
  return data;
}

}  // namespace

Memories& Memories::instance() {
  static Memories* const all = new Memories;  // streams may use it until the very end
  return *all;
}

void* Memories::allocate(int32_t device, uint64_t bytes, const std::string& api, bool zeros) {
  const std::lock_guard lock(mutex_);
  drop_released();
  void* data = device == kHost
                   ? allocate_host(bytes)
                   : memory_of(device).allocate(bytes, fmt::format("{} {}", api, ++count_), zeros);
  const auto start = reinterpret_cast<uint64_t>(data);
  memories_[start] = {start, bytes, device};
  released_.erase(start);
  return data;
}

void Memories::lend(int32_t device, void* data, uint64_t bytes, const std::string& api) {
  const std::lock_guard lock(mutex_);
  memory_of(device).lend(data, bytes, fmt::format("{} {}", api, ++count_));
  const auto start = reinterpret_cast<uint64_t>(data);
  memories_[start] = {start, bytes, device, true};
  released_.erase(start);
}

bool Memories::map_host(int32_t device, void* data, uint64_t bytes, const std::string& api) {
  const std::lock_guard lock(mutex_);
  const auto start = reinterpret_cast<uint64_t>(data);
  if (!mapped_.try_emplace(start, Memory{start, bytes, device, true}).second) return false;
  if (device != kHost) memory_of(device).lend(data, bytes, fmt::format("{} {}", api, ++count_));
  return true;
}

bool Memories::unmap(uint64_t start) {
  const auto found = mapped_.find(start);
  if (found == mapped_.end()) return false;
  const int32_t device = found->second.device;
  if (device != kHost) memory_of(device).release(pointer_to(start));
  mapped_.erase(found);
  return true;
}

bool Memories::unmap_host(const void* data) {
  const std::lock_guard lock(mutex_);
  return unmap(reinterpret_cast<uint64_t>(data));
}

std::optional<Memory> Memories::mapped(const void* data) const {
  const std::lock_guard lock(mutex_);
  const auto found = mapped_.find(reinterpret_cast<uint64_t>(data));
  return found == mapped_.end() ? std::nullopt : std::optional(found->second);
}

bool Memories::release(const void* data) {
  const std::lock_guard lock(mutex_);
  const auto found = memories_.find(reinterpret_cast<uint64_t>(data));
  if (found == memories_.end()) return false;
  const Memory memory = found->second;
  memories_.erase(found);
  if (memory.device == kHost) unmap(memory.start);
  released_.insert(memory.start);
  if (memory.is_lent) {
    drop(memory);  // its owner is about to take it away
  } else {
    waiting_.push_back(memory);
    drop_released();
  }
  return true;
}

void Memories::drop(const Memory& memory) {
  if (memory.device == kHost) {
    std::free(pointer_to(memory.start));
  } else {
    memory_of(memory.device).release(pointer_to(memory.start));
  }
}

void Memories::drop_released() {
  if (uses_ != 0) return;
  for (const Memory& memory : waiting_) drop(memory);
  waiting_.clear();
}

void Memories::note_written(const void* data, uint64_t bytes) const {
  const std::optional<Memory> memory = find(data);
  if (memory && memory->device != kHost) memory_of(memory->device).note_written(data, bytes);
}

std::optional<Memory> Memories::find(const void* address) const {
  const auto at = reinterpret_cast<uint64_t>(address);
  const std::lock_guard lock(mutex_);
  auto found = memories_.upper_bound(at);
  if (found == memories_.begin()) return std::nullopt;
  const Memory& memory = std::prev(found)->second;
  return at - memory.start < memory.bytes ? std::optional(memory) : std::nullopt;
}

bool Memories::was_released(const void* address) const {
  const std::lock_guard lock(mutex_);
  return released_.contains(reinterpret_cast<uint64_t>(address));
}

std::string Memories::standing_of(const void* pointer) const {
  if (was_released(pointer)) return fmt::format("{} was freed before", pointer);
  const std::optional<Memory> memory = find(pointer);
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (!memory) return fmt::format("{} is no memory of the runtime's", pointer);
  if (address != memory->start) {
    return fmt::format("{} lies {} bytes inside a buffer", pointer, address - memory->start);
  }
  return fmt::format("{} is {} memory", pointer, memory->device == kHost ? "host" : "device");
}

}  // namespace vinci::host
