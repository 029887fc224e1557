// What cores have written to GM in this round, and what was there before.
//
// A core that reads an element again and again waits for another one to write it. In which round it
// goes on, and so the order of what is seen of it, must not depend on which of them is quicker: who
// reads what another core has written in this round goes on in the next one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace vinci {

class RoundWrites {
 public:
  // The core is about to write these bytes.
  void before_write(int64_t core, const uint8_t* place, uint64_t bytes);
  // Whether others have written some of the bytes in this round, and the core itself has not.
  bool by_others(int64_t core, const uint8_t* place, uint64_t bytes);
  // Such bytes of `copy`, which was read before, become what they were when the round began.
  void restore(int64_t core, const uint8_t* place, uint64_t bytes, uint8_t* copy);
  // The next round begins. No core of the rounds runs.
  void forget();

 private:
  static constexpr uint64_t kLineBytes = 64;
  struct Line {
    std::array<uint8_t, kLineBytes> before;
    uint64_t written = 0;  // a bit for each byte
    struct By {
      int64_t core;
      uint64_t written;
    };
    std::vector<By> by;
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, Line> lines;  // by address / kLineBytes
  };
  static constexpr size_t kShards = 64;
  // In a round, of a shard. Who writes more in words does not wait for one of them: what is beyond is
  // not kept, lest a launch that has one round keeps all that it writes.
  static constexpr size_t kMostLines = 1024;

  Shard& shard_of(uint64_t line) { return shards_[line % kShards]; }
  template <class F>
  void for_each_by_others(int64_t core, const uint8_t* place, uint64_t bytes, F f);

  std::array<Shard, kShards> shards_;
  std::atomic<bool> any_ = false;
};

}  // namespace vinci
