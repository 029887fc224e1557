// The memory that a program has from the host runtime: GM of the card's devices, and pinned memory
// of the host.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vinci::host {

inline constexpr int32_t kHost = -1;  // in place of a device

struct Memory {
  uint64_t start = 0, bytes = 0;
  int32_t device = kHost;
  bool is_lent = false;  // somebody else's memory as GM

  uint64_t end() const { return start + bytes; }
};

// For any thread.
class Memories {
 public:
  static Memories& instance();

  // Throws std::bad_alloc.
  void* allocate(int32_t device, uint64_t bytes, const std::string& api, bool zeros);
  // Memory of the program's own, or mapped by the caller, as GM of a device.
  void lend(int32_t device, void* data, uint64_t bytes, const std::string& api);
  // Any memory of the host, its own allocations among them, is GM of a device as well, or only
  // known (kHost). False: it is so already.
  bool map_host(int32_t device, void* data, uint64_t bytes, const std::string& api);
  bool unmap_host(const void* data);  // false: it is neither
  // What map_host was told of memory that begins there.
  std::optional<Memory> mapped(const void* data) const;
  // Takes what allocate() or lend() began at this address. What streams were given before may still
  // use it: it goes when all of them are idle. False: there is no such memory.
  bool release(const void* data);

  // The host has written there; of memory that is not from here, nothing happens.
  void note_written(const void* data, uint64_t bytes) const;

  // The memory that holds an address; nothing: the program's own, or none.
  std::optional<Memory> find(const void* address) const;
  // Whether memory that began here has been released, and nothing has been put there since.
  bool was_released(const void* address) const;

  // How a pointer stands that begins no memory of the kind that was wanted: "0x10 was freed
  // before".
  std::string standing_of(const void* pointer) const;

  // Around each task of a stream, from when it is given to its end.
  void begin_use() { ++uses_; }
  void end_use() { --uses_; }

 private:
  void drop(const Memory& memory);
  bool unmap(uint64_t start);  // with the lock held
  void drop_released();

  mutable std::mutex mutex_;
  std::map<uint64_t, Memory> memories_;  // by start
  std::map<uint64_t, Memory> mapped_;    // of the host; each lies in GM, too
  std::set<uint64_t> released_;          // starts
  std::vector<Memory> waiting_;          // released while streams were at work
  std::atomic<int64_t> uses_ = 0;
  int64_t count_ = 0;
};

}  // namespace vinci::host
