// Tools watch what passes the door: checkers, tracers, counters. Instructions do not know them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vinci/door.h"
#include "vinci/event.h"
#include "vinci/fault.h"
#include "vinci/record.h"
#include "vinci/region.h"

namespace vinci {

class Core;

struct PlanRoom;
class Memory;
struct Registers;
struct Soc;

// An instruction that is about to run: all that it depends on but the memories.
struct Step {
  const Record& record;
  const PlanRoom& plan;
  const Soc& soc;
  const Registers& registers;       // as they were when it was issued
  std::span<const Region> regions;  // what it reads and writes

  // Does to `memory` what the instruction does.
  void run(Memory& memory) const;
};

// What happened to a queue's tensor.
enum class QueueStep : uint8_t { kAlloc, kEnQue, kDeQue, kFree };

struct QueueEvent {
  QueueStep step;
  uint32_t queue = 0;  // number of the queue in its block, from 1
  Position position = Position::GM;
  uint32_t depth = 0;
  uint32_t allocation = 0;  // serial number of the AllocTensor
  uint64_t address = 0;     // of the buffer
  // EnQue sets, and DeQue waits, from who fills the buffer to who empties it; FreeTensor and the
  // next AllocTensor of the buffer do so the other way round.
  Pipe filled_by = Pipe::kNone, emptied_by = Pipe::kNone;
};

// All events of one core arrive on one thread, in program order. A tool reports through
// Core::report and must not throw.
class Tool {
 public:
  virtual ~Tool() = default;
  virtual std::string_view name() const = 0;
  // Whether it must know each byte that a Gather reads; else the span of them will do, which costs
  // less.
  virtual bool looks_at_bytes() const { return false; }

  virtual void on_block_begin(Core&) {}
  virtual void on_block_end(Core&) {}
  // InitBuffer: `bytes` bytes for one buffer at `address`.
  virtual void on_buffer(Core&, Position, uint64_t /*address*/, uint64_t /*bytes*/) {}
  virtual void on_reset(Core&) {}
  virtual void on_queue(Core&, const QueueEvent&) {}
  virtual void on_issue(Core&, const Record&, std::span<const Region>) {}
  // Around the run of what was issued.
  virtual void before_run(Core&, const Step&) {}
  virtual void after_run(Core&, const Step&) {}
  virtual void on_scalar_access(Core&, const Region&) {}
  // Of one pipe, or of all.
  virtual void on_barrier(Core&, Pipe) {}
  // A flag between two pipes was set or waited for; `event` is a HardEvent's number.
  virtual void on_flag(Core&, uint32_t /*event*/, int32_t /*id*/, bool /*set*/) {}
};

}  // namespace vinci
