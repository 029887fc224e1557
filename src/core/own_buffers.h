// Buffers in GM that a launch makes for its cores, and leaves to the next launch: mapping and
// unmapping them costs more than what is done in them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/memory.h"

namespace vinci {

class OwnBuffers {
 public:
  explicit OwnBuffers(std::shared_ptr<GlobalMemory> gm) : gm_(std::move(gm)) {}
  OwnBuffers(const OwnBuffers&) = delete;
  OwnBuffers& operator=(const OwnBuffers&) = delete;
  ~OwnBuffers();

  // Full of kPoison. It is the core's until end_launch(). Throws std::bad_alloc.
  uint8_t* take(int64_t core, uint64_t bytes);
  // What the launch has not taken is given back to the host.
  void end_launch();

 private:
  using ByUse = std::multimap<std::pair<int64_t, uint64_t>, uint8_t*>;  // by core and bytes

  const std::shared_ptr<GlobalMemory> gm_;
  std::mutex mutex_;
  ByUse taken_, idle_;
};

}  // namespace vinci
