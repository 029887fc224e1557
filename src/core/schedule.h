// When the instructions of a core run. They are issued in program order, each to the queue of its
// pipe. A pipe starts what it got in order, but the next may start before the one before has ended,
// and pipes wait for each other only where the kernel says so. Eagerly, everything runs as it is
// issued, and nothing is kept.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "core/call_stack.h"
#include "core/instruction.h"
#include "vinci/event.h"
#include "vinci/order.h"

namespace vinci {

class Core;

class Schedule {
 public:
  Schedule(Core& core, const Order& order);

  // Whether instructions are kept; else the rest does nothing.
  bool holds() const { return order_.kind != Order::Kind::kEager; }

  // A place in a pipe's queue: it is passed when all before it has run.
  struct Mark {
    Pipe pipe = Pipe::kS;
    bool passed = false;
  };
  using MarkPointer = std::shared_ptr<Mark>;
  struct Held;

  void begin_block();
  // For the rest of the block.
  void set_auto_sync(bool on);
  // Keeps the instruction with what it depends on. False if it is scalar code, which runs now,
  // after what it waits for.
  bool hold(const Record& record, Pipe pipe, std::span<const Region> regions, uint64_t serial);
  // A mark behind what `pipe` has been given so far; nullptr if nothing is kept.
  MarkPointer mark(Pipe pipe);
  // What `pipe` is given from here on starts when the mark has been passed. For the scalar pipe:
  // now.
  void wait(Pipe pipe, const MarkPointer& mark);
  // The same for a queue's tensor, which orders two pipes but nothing within one.
  void wait_for_queue(Pipe pipe, const MarkPointer& mark) {
    if (mark != nullptr && mark->pipe != pipe) wait(pipe, mark);
  }
  // What `pipe` is given from here on starts when all before it has ended; kAll: now.
  void barrier(Pipe pipe);
  // Scalar code looks at a tensor: what that waits for has run.
  void scalar_access();
  // All that was issued has run.
  void drain();

  // What docs/spec/order.md says, whether anything is kept or not: of an instruction, that it ends
  // after those before it on its pipe of which that is true, too; of a pipe, that its instructions
  // and scalar accesses of tensors are in order.
  [[gnu::hot]] bool is_in_order(Pipe pipe, std::span<const Region> regions) const;
  bool orders_scalar(Pipe pipe) const { return (before_scalar_ >> size_t(pipe) & 1) != 0; }

 private:
  struct Entry {
    enum class Kind : uint8_t { kInstruction, kMark, kWait, kBarrier };
    Kind kind;
    std::unique_ptr<Held> held;  // of an instruction
    MarkPointer mark;            // of a mark, or what a wait is for
  };
  using Queue = std::deque<Entry>;
  using PipeSet = uint16_t;  // by bit

  Queue& queue(Pipe pipe) { return queues_[size_t(pipe)]; }
  bool orders(OrderedBy by) const {
    return by == OrderedBy::kHardware || (by == OrderedBy::kCompiler && auto_sync_);
  }
  void drain(PipeSet pipes);
  void pass(const MarkPointer& mark);
  // Runs an instruction of those before `end` (nullptr: of all), or what it has to wait for.
  void run_one(Pipe pipe, const Mark* end);
  size_t choose(const Queue& queue, const Mark* end);
  static void tidy(Queue& queue);
  void run_some();

  Core& core_;
  const Order order_;
  bool auto_sync_ = true;      // of the block
  PipeSet before_scalar_ = 0;  // pipes that scalar accesses of tensors wait for
  std::mt19937_64 random_;
  Queue queues_[kPipes];
  uint64_t issued_ = 0;
  uint64_t latest_[kPipes] = {};  // when each pipe was last given an instruction
};

// An instruction that was kept: the core runs it as if it were being issued.
struct Schedule::Held {
  std::vector<std::max_align_t> record;
  Registers registers;
  std::vector<Region> regions;
  uint64_t serial = 0;
  const Instruction* part_of = nullptr;  // the operator that issued it
  Origin origin{};
  bool in_order = true;  // it ends after those before it on its pipe that are in order too

  const Record& issued() const { return *reinterpret_cast<const Record*>(record.data()); }
};

}  // namespace vinci
