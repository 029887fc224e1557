// When the instructions of a core run. They are issued in program order, each to the queue of its
// pipe; a pipe starts what it got in order, and pipes wait for each other only where the kernel
// says so. Eagerly, everything runs as it is issued, and nothing is kept.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "core/call_stack.h"
#include "core/instruction.h"
#include "vinci/event.h"

namespace vinci {

class Core;

class Schedule {
 public:
  // "" or "eager", "lazy": as late as can be, "random:SEED". Throws std::invalid_argument.
  Schedule(Core& core, std::string_view kind);

  // Whether instructions are kept; else the rest does nothing.
  bool holds() const { return kind_ != Kind::kEager; }

  // A place in a pipe's queue: it is passed when all before it has run.
  struct Mark {
    Pipe pipe = Pipe::kS;
    bool passed = false;
  };
  using MarkPointer = std::shared_ptr<Mark>;
  struct Held;

  void begin_block();
  // Keeps the instruction with what it depends on.
  void hold(const Record& record, Pipe pipe, std::span<const Region> regions, uint64_t serial);
  // A mark behind what `pipe` has been given so far; nullptr if nothing is kept.
  MarkPointer mark(Pipe pipe);
  // What `pipe` is given from here on starts when the mark has been passed. For the scalar pipe:
  // now.
  void wait(Pipe pipe, const MarkPointer& mark);
  // All that was issued has run.
  void drain();

 private:
  enum class Kind : uint8_t { kEager, kLazy, kRandom };
  // In a pipe's queue: an instruction, a mark, or a wait for a mark.
  struct Entry {
    std::unique_ptr<Held> held;
    MarkPointer mark;
    bool waits = false;
  };

  std::deque<Entry>& queue(Pipe pipe) { return queues_[size_t(pipe)]; }
  // Runs the first entry of a queue, and first what it waits for.
  void run_first(Pipe pipe);
  void pass(const MarkPointer& mark);
  void run_some();

  Core& core_;
  Kind kind_ = Kind::kEager;
  uint64_t seed_ = 0;
  std::mt19937_64 random_;
  std::deque<Entry> queues_[kPipes];
};

// An instruction that was kept: the core runs it as if it were being issued.
struct Schedule::Held {
  std::vector<std::max_align_t> record;
  Registers registers;
  std::vector<Region> regions;
  uint64_t serial = 0;
  Origin origin{};

  const Record& issued() const { return *reinterpret_cast<const Record*>(record.data()); }
};

}  // namespace vinci
