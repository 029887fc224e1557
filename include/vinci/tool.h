// Tools watch what passes the door: checkers, tracers, counters. Instructions do not know them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vinci/door.h"
#include "vinci/fault.h"
#include "vinci/record.h"

namespace vinci {

class Core;
struct Soc;

// Bytes that an instruction touches: `repeats` times `blocks` blocks of `block_bytes`, the first
// at `address`. GM addresses are host addresses, others count from the start of their memory.
struct Region {
  const Operand* operand = nullptr;
  const char* name = "";  // the operand's name in the documents
  Access access = Access::kRead;
  bool within_tensor = true;  // false: only the memory's end limits it (gather's source)
  uint64_t address = 0;
  uint64_t block_bytes = 0;
  uint64_t blocks = 1;
  int64_t block_stride = 0;  // bytes, start to start
  uint64_t repeats = 1;
  int64_t repeat_stride = 0;
  // For messages: the parameters that say how far the bytes reach, as "repeatTimes 4, dstGap 1".
  std::string (*reach)(const Record&, const Soc&) = nullptr;

  uint64_t first() const;  // lowest byte touched
  uint64_t end() const;    // one past the highest
};

// What happened to a queue's tensor.
enum class QueueStep : uint8_t { kAlloc, kEnQue, kDeQue, kFree };

struct QueueEvent {
  QueueStep step;
  uint32_t queue = 0;  // number of the queue in its block, from 1
  Position position = Position::GM;
  uint32_t depth = 0;
  uint32_t allocation = 0;  // serial number of the AllocTensor
};

// All events of one core arrive on one thread, in program order. A tool reports through
// Core::report and must not throw.
class Tool {
 public:
  virtual ~Tool() = default;
  virtual std::string_view name() const = 0;

  virtual void on_block_begin(Core&) {}
  virtual void on_block_end(Core&) {}
  // InitBuffer: `bytes` bytes for one buffer at `address`.
  virtual void on_buffer(Core&, Position, uint64_t /*address*/, uint64_t /*bytes*/) {}
  virtual void on_reset(Core&) {}
  virtual void on_queue(Core&, const QueueEvent&) {}
  virtual void on_issue(Core&, const Record&, std::span<const Region>) {}
  virtual void on_scalar_access(Core&, const Region&) {}
  // A flag between two pipes was set or waited for; `event` is a HardEvent's number.
  virtual void on_flag(Core&, uint32_t /*event*/, int32_t /*id*/, bool /*set*/) {}
};

}  // namespace vinci
