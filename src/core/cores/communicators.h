// The communicators of a launch. It has one device, so each has one rank. What a server would do,
// the core that gives it tasks does when it commits them; the others hear of it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/memory.h"
#include "vinci/communicator.h"
#include "vinci/tool.h"

namespace vinci {

class Core;

class Communicators {
 public:
  static constexpr uint32_t kGroups = 2;
  static constexpr uint32_t kMostTasks = 63;  // of a group, in a launch
  static constexpr uint64_t kWindowBytes = 200 << 20;

  struct Task {
    CollectiveCall call;
    bool copies = true;
    uint32_t committed = 0;  // rounds, by this core
    uint32_t done = 0;       // of them, by the server
    uint32_t waited = 0, iterated = 0;
  };
  // What one core knows of a group.
  struct Member {
    uint32_t objects = 0;  // that have been initialised
    uint32_t live = 0;     // the one that has not ended; 0: none
    size_t first_task = 0;
    bool sends = false;
    std::vector<Task> tasks;
    Origin since{};  // of the first task
    void* context = nullptr;
  };

  explicit Communicators(std::shared_ptr<GlobalMemory> gm) : gm_(std::move(gm)) {}
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;
  ~Communicators();

  // Whether any core knows of a group.
  bool used() const;
  Member& member(int64_t core, uint32_t group);
  // How many rounds of a task have been done, as others than the sender know.
  int32_t* rounds(uint32_t group, size_t task) { return &rounds_[group][task]; }
  // Buffers in GM, the same for all cores.
  uint8_t* context(uint32_t group);
  uint8_t* window(uint32_t group, bool out);
  // kGroups: none has this context.
  uint32_t group_of(const void* context) const;

 private:
  uint8_t* buffer(uint8_t*& place, uint64_t bytes, const char* name);

  const std::shared_ptr<GlobalMemory> gm_;
  mutable std::mutex mutex_;
  std::map<std::pair<int64_t, uint32_t>, Member> members_;
  std::array<uint8_t*, kGroups> contexts_{};
  std::array<std::array<uint8_t*, 2>, kGroups> windows_{};
  std::array<std::array<int32_t, kMostTasks>, kGroups> rounds_{};
};

// The calls that make tasks.
struct CollectiveMethod {
  const char* name;    // "Hccl::AllReduce"
  uint32_t operation;  // HcclCMDType; 0: none
  bool only_a3;
};
const CollectiveMethod& method_of(const CollectiveCall& call);

// Whether types and counts are legal, which is told if not.
bool is_legal(const CollectiveCall& call, Core& core);

// Does one round, counted from 0.
void copy_round(const CollectiveCall& call, uint32_t round, Core& core);

// Of a core that ends: tasks that nobody told the server to be the last.
void tell_unfinished(Core& core);

}  // namespace vinci
