// The memories: GM as mapped buffers with guard pages, and one core's own buffers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "core/registers.h"
#include "core/written_bytes.h"
#include "soc/soc.h"
#include "vinci/memory.h"

namespace vinci {

// What a kernel finds in memory that nobody has written: NaN in every float type, -1 in integers.
inline constexpr uint8_t kPoison = 0xFF;

struct GmBuffer {
  uint8_t* data = nullptr;
  uint64_t bytes = 0;
  std::string name;
  std::shared_ptr<WrittenBytes> written;  // nullptr: nobody asks
  bool is_output = false;                 // a launch has to write all of it
  bool is_constant = false;               // of a program: nobody may write it
  std::shared_ptr<uint8_t> copy;          // as instructions left it; nullptr: nobody asks

  uint64_t address() const { return reinterpret_cast<uint64_t>(data); }
  // What Operand::allocation says of tensors that were set to it: buffers begin at multiples of 64 bytes.
  uint32_t home() const { return uint32_t(address() >> 6); }
};

// GM is shared between processes that fork after the allocation, so that what a kernel wrote
// outlives the process it died in. Any thread may call any function at any time, but what find()
// returned is gone when its buffer is released.
class GlobalMemory {
 public:
  GlobalMemory() = default;
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;
  ~GlobalMemory();

  // A buffer full of kPoison or of zeros, 64-byte aligned, with inaccessible pages before and
  // behind it. `is_own`: no other process sees it, as what a launch makes for itself; who is shut
  // in may share no memory. Throws std::bad_alloc.
  uint8_t* allocate(uint64_t bytes, std::string name, uint8_t fill = kPoison, bool is_own = false);
  // Whole pages that somebody else has mapped, and will take back.
  void lend(uint8_t* data, uint64_t bytes, std::string name);
  // Does nothing if no buffer begins there.
  void release(const void* data);

  // The buffer that holds `address`, or constants of a program do (core/constants.h); or nullptr.
  const GmBuffer* find(uint64_t address) const;
  // "0..63 of GM buffer x", of bytes of one buffer.
  std::string text_of(Interval bytes) const;
  // The buffer nearest to an address that is in none, for messages.
  std::optional<GmBuffer> nearest(uint64_t address) const;
  // The one that a tensor was set to, Operand::allocation.
  std::optional<GmBuffer> with_home(uint32_t home) const;
  // Buffers with bytes written between their end and the guard page.
  std::vector<GmBuffer> overrun() const;
  // Poisons the bytes beside a buffer anew.
  void mend(const GmBuffer& buffer);

  // From here on it is known which bytes of the buffer have been written, as those of an output, or
  // only for who reads others, which is told as `code`. Before it is used. `has_pointers`: what
  // writes it may be a pointer, too.
  void follow(const void* data, bool is_output, uint8_t fill, Code code, bool has_pointers = true);
  // From here on there are copies of what all buffers hold now, which processes share as they share
  // the buffers.
  void keep_copies();
  // Those that are not their copies.
  std::vector<GmBuffer> unlike_copies() const;
  // Those that are followed as outputs.
  std::vector<GmBuffer> outputs() const;

 private:
  struct Mapping {
    GmBuffer buffer;
    uint8_t* start;  // nullptr: somebody else's
    size_t bytes;
  };
  // What a thread found last, as long as nothing has been released since. Threads of several
  // launches look buffers up all the time, so that a lock for each would cost more than the search.
  struct Found {
    uint64_t generation = 0;
    const GmBuffer* buffer = nullptr;
    uint64_t first = 0, bytes = 0;
  };
  static uint64_t next_generation();
  // The bytes between a buffer and its guard pages.
  static std::vector<std::span<uint8_t>> margins(const Mapping& mapping);

  mutable std::shared_mutex mutex_;
  std::vector<std::unique_ptr<Mapping>> mappings_;
  std::atomic<uint64_t> generation_ = next_generation();
};

// The buffers of one core, at the chip's sizes. Addresses are offsets from the start of a buffer.
class LocalMemory {
 public:
  // As reset() leaves them, on pages that nobody pays for before they are written.
  explicit LocalMemory(const Soc& soc);
  LocalMemory(const LocalMemory&) = delete;
  LocalMemory& operator=(const LocalMemory&) = delete;
  ~LocalMemory();

  // nullptr and 0 for a memory that the chip lacks.
  uint8_t* data(Space space) const { return data_[static_cast<int>(space)]; }
  uint32_t bytes(Space space) const { return bytes_[static_cast<int>(space)]; }
  Cells& cells() const { return *reinterpret_cast<Cells*>(data(Space::kCells)); }
  Storage storage() const;
  // The memory that a host pointer points into, or kNone.
  Space space_of(const void* pointer) const;
  // What new ones are mapped from. Whoever closes it pays for each byte of them at once; -1: there
  // is none.
  static int poison_file();
  // Fills everything with kPoison, but the cells with 0; what nobody has touched since is so
  // already.
  void reset();
  // Somebody may write from here on.
  void touch() { is_reset_ = false; }
  // Memories with bytes written between their end and the next page, which cannot be accessed.
  std::vector<Space> overrun() const;

 private:
  std::span<uint8_t> margin(Space space) const;

  uint8_t* data_[kAllSpaces + 1] = {};  // by Space, kNone included
  uint32_t bytes_[kAllSpaces + 1] = {};
  bool is_reset_ = true;
  uint8_t* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
};

}  // namespace vinci
