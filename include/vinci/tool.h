// Tools watch what passes the door: checkers, tracers, counters. Instructions do not know them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vinci/door.h"
#include "vinci/event.h"
#include "vinci/fault.h"
#include "vinci/memory.h"
#include "vinci/record.h"
#include "vinci/region.h"

namespace vinci {

struct PlanRoom;
struct Registers;
struct Soc;
class WrittenBytes;

// An instruction that is about to run: all that it depends on but the memories.
struct Step {
  const Record& record;
  const PlanRoom& plan;
  const Soc& soc;
  const Registers& registers;       // as they were when it was issued
  std::span<const Region> regions;  // what it reads and writes

  // Does to `memory` what the instruction does.
  void run(Memory& memory) const;
  // Whether each byte that it writes is one that it reads, at another place: then it moves what a
  // tool knows of each byte just so, if the tool gives it a Memory of that.
  bool moves() const;
};

// "load_data_2d"
std::string_view mnemonic_of(const Record& record);

// A few innermost return addresses: where something began. Unused places are 0.
using Origin = std::array<uint64_t, 12>;
// Of the call that this thread's kernel is in. Takes nanoseconds; it follows frame pointers, so it
// ends early where code was compiled without them.
Origin call_origin();

// How a core orders an instruction among the others: docs/spec/order.md.
struct StepOrder {
  Pipe pipe = Pipe::kNone;
  bool in_order = true;      // ends after those before it on its pipe that are in order, too
  bool combines = false;     // with what is in GM
  bool unit_flag = false;    // Mmad and Fixpipe wait for each other in L0C
  bool in_operator = false;  // one of those that an operator issues, and orders

  friend bool operator==(const StepOrder&, const StepOrder&) = default;
};

// A core of the launch tells others how far it has come, for the `number`th time, from 1: with a
// flag between cores, a barrier, or a word in GM of IBSet and its kind.
struct Told {
  int64_t core = -1;
  uint32_t number = 0;

  friend bool operator==(const Told&, const Told&) = default;
};

// The core that a tool watches.
class CoreView {
 public:
  virtual std::string_view chip() const = 0;       // "Ascend910B1"
  virtual std::string_view core_name() const = 0;  // "AI Core"
  virtual int64_t block_index() const = 0;
  virtual int64_t block_count() const = 0;
  // Its number among the cores of the launch, and how many these are: a block may have several.
  virtual int64_t core_index() const = 0;
  virtual int64_t core_count() const = 0;
  // Where what the core does now comes in the launch: rounds follow each other, and in a round the
  // cores, whatever the host's threads do first.
  virtual uint64_t launch_order() const = 0;
  // Who is at work, as messages say it: "DataCopy", or "scalar code".
  virtual std::string_view who() const = 0;
  virtual Pipe pipe_of(const Record& record) const = 0;

  // Of an instruction that is being issued.
  virtual StepOrder order_of(const Record& record, std::span<const Region> regions) const = 0;
  // Whether GetValue and SetValue of tensors come after what the pipe was given before, and before
  // what it is given later, though the kernel does not say so.
  virtual bool orders_scalar(Pipe pipe) const = 0;

  // As the instructions so far left them.
  virtual const Registers& registers() const = 0;
  // Whether an instruction runs when it is issued; else a schedule keeps it.
  virtual bool runs_at_once() const = 0;

  // What all instructions work on.
  virtual Memory& memory() = 0;
  // One of the core's own memories; empty for GM, and for one that the chip lacks.
  virtual std::span<uint8_t> bytes_of(Space space) = 0;
  virtual Space space_of(Position position) const = 0;
  // The addresses of the GM buffer that holds this one; empty if there is none.
  virtual Interval gm_buffer(uint64_t address) const = 0;
  // As messages name bytes: "bytes 0..31 of UB", "bytes 4..31 of GM buffer x".
  virtual std::string text_of(Space space, Interval bytes) const = 0;
  // Which bytes of that buffer have been written; nullptr: nobody follows it (Device::follow), and
  // all of it counts as written.
  virtual WrittenBytes* written_bytes(uint64_t address) const = 0;
  // Where the copy of that byte is (Device::keep_copies), those of its buffer behind it; nullptr:
  // none.
  virtual uint8_t* gm_copy(uint64_t address) const = 0;

  // Reports at the kernel line that is being executed, or where something began. A finding of a
  // tool that is not vinci's is of Code::kTool.
  [[gnu::cold]] virtual void note(Code code, std::string message, std::string legal,
                                  const Origin* origin = nullptr) = 0;
  // The same here, with a second place: `other` says what is there (nothing: there is none), and
  // with more of them. What is being issued is done all the same.
  [[gnu::cold]] virtual void note_pair(Code code, std::string message, std::string legal,
                                       std::string other, const Origin& there,
                                       std::vector<Fault::Place> also = {}) = 0;
  // Where what runs was issued, and faults of it that are not reported: for a tool that has to wait
  // until it knows what to say, and whether to tell.
  virtual Origin origin() const = 0;
  // As a fault tells of a second place; `origin` as origin() gave it.
  virtual Fault::Place place_of(std::string what, const Origin& origin) const = 0;
  [[gnu::cold]] virtual Fault fault_here(Code code) const = 0;
  [[gnu::cold]] virtual Fault pair_here(Code code, std::string message, std::string legal,
                                        std::string other, const Origin& there) const = 0;
  [[gnu::cold]] virtual void tell(const Fault& fault) = 0;

 protected:
  ~CoreView() = default;
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
  // Where its data come from and where they go: the queue's, or what EnQue and DeQue name.
  QueueEnds ends;
  // EnQue sets, and DeQue waits, from who fills the buffer to who empties it; FreeTensor and the
  // next AllocTensor of the buffer do so the other way round.
  Pipe filled_by = Pipe::kNone, emptied_by = Pipe::kNone;
  // The flag that orders them: a HardEvent's number; kHardEvents if one pipe does both.
  uint32_t event = kHardEvents;
};

// The events that come with each instruction, as bits.
enum PerInstruction : uint8_t { kOnIssue = 1, kBeforeRun = 2, kAfterRun = 4, kOnRegisters = 8 };

// All events of one core arrive in program order, never two at once. A tool reports through
// CoreView::note and must not throw.
class Tool {
 public:
  virtual ~Tool() = default;
  virtual std::string_view name() const = 0;
  // Whether it must know each byte that a Gather reads; else the span of them will do, which costs
  // less.
  virtual bool looks_at_bytes() const { return false; }
  // Whether it may be called for several cores at once, each on a thread of its own.
  virtual bool thread_safe() const { return false; }
  // Which of PerInstruction it takes; the others need not be told.
  virtual uint8_t takes() const { return kOnIssue | kBeforeRun | kAfterRun | kOnRegisters; }

  virtual void on_block_begin(CoreView&) {}
  virtual void on_block_end(CoreView&) {}
  // InitBuffer: `bytes` bytes for one buffer at `address`.
  virtual void on_buffer(CoreView&, Position, uint64_t /*address*/, uint64_t /*bytes*/) {}
  virtual void on_reset(CoreView&) {}
  virtual void on_queue(CoreView&, const QueueEvent&) {}
  virtual void on_issue(CoreView&, const Record&, std::span<const Region>) {}
  // A fault has refused a call, which is left out: what it would have touched, which may lie out of
  // bounds; nothing if that is not known.
  virtual void on_left_out(CoreView&, const Record&, std::span<const Region>) {}
  // Around the run of what was issued.
  virtual void before_run(CoreView&, const Step&) {}
  virtual void after_run(CoreView&, const Step&) {}
  // The registers are as an instruction that writes some of them left them.
  virtual void on_registers(CoreView&, const Record&) {}
  virtual void on_scalar_access(CoreView&, const Region&) {}
  // t(i), which scalar code may read or write: what changes there until the core comes to the door
  // again is a write.
  virtual void on_scalar_reference(CoreView& core, const Region& region) {
    on_scalar_access(core, region);
  }
  // GetPhyAddr of a tensor in one of the core's memories: from here on a pointer may write it.
  virtual void on_address(CoreView&, const Region&) {}
  // What is there in one of the core's memories is not what its next user may count on: bytes of a
  // TIK Tensor that is defined anew, which are kPoison again.
  virtual void on_forgotten(CoreView&, const Region&) {}
  // Of one pipe, or of all.
  virtual void on_barrier(CoreView&, Pipe) {}
  // CrossCoreSetFlag, for what a pipe was given before, and CrossCoreWaitFlag.
  virtual void on_cross_set(CoreView&, Pipe) {}
  virtual void on_cross_wait(CoreView&) {}
  // The core tells others how far it has come, and has waited for what others told.
  virtual void on_tell(CoreView&, uint32_t /*number*/) {}
  virtual void on_hear(CoreView&, std::span<const Told>) {}
  // AllocEventID and ReleaseEventID.
  virtual void on_event_id(CoreView&, uint32_t /*event*/, int32_t /*id*/, bool /*taken*/) {}
  // DataCacheCleanAndInvalid.
  virtual void on_cache(CoreView&) {}
  // A flag between two pipes was set or waited for; `event` is a HardEvent's number.
  virtual void on_flag(CoreView&, uint32_t /*event*/, int32_t /*id*/, bool /*set*/) {}
  // Something waits for ever, which is being told: what each pipe is at, for the report.
  virtual void on_stuck(CoreView&, std::vector<Fault::Place>&) {}
};

// A tool that takes what its class T has functions for.
template <class T>
class ToolOf : public Tool {
 public:
  uint8_t takes() const final {
    const auto bit = [](PerInstruction event, auto of_tool, auto of_class) {
      return std::is_same_v<decltype(of_tool), decltype(of_class)> ? 0 : int(event);
    };
    return uint8_t(bit(kOnIssue, &Tool::on_issue, &T::on_issue) |
                   bit(kBeforeRun, &Tool::before_run, &T::before_run) |
                   bit(kAfterRun, &Tool::after_run, &T::after_run) |
                   bit(kOnRegisters, &Tool::on_registers, &T::on_registers));
  }
};

}  // namespace vinci
