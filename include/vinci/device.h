// Running kernels from a C++ program: a chip, its GM, and a launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vinci/checks.h"
#include "vinci/fault.h"
#include "vinci/grid.h"
#include "vinci/order.h"
#include "vinci/tool.h"

namespace vinci {

// Results that a type cannot hold.
struct Made {
  uint64_t infinities = 0, nans = 0, saturated = 0;

  void add(const Made& more) {
    infinities += more.infinities;
    nans += more.nans;
    saturated += more.saturated;
  }
  bool empty() const { return infinities + nans + saturated == 0; }
};

class Device {
 public:
  // `soc` is a full or family name. Throws std::invalid_argument with the list of chips. The order
  // is that of the environment.
  explicit Device(std::string_view soc, Checks checks = Checks::kFull);
  // A device that shares the GM of another one, so that both can launch at the same time. It may
  // outlive the other.
  Device(std::string_view soc, Checks checks, const Device& with_the_gm);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // A GM buffer filled with 0xFF, or with zeros, 64-byte aligned. Throws std::bad_alloc. Buffers
  // come and go from any thread; only those that a running kernel uses must stay.
  void* allocate(uint64_t bytes, std::string name, bool zeros = false);
  // The same with room behind it, as the runtime's allocation has it: up to a multiple of 32 bytes,
  // and 32 more. Kernels round their last copy up into it. None where checks are strict.
  void* allocate_rounded(uint64_t bytes, std::string name, bool zeros = false);
  // Memory of somebody else's as GM: `bytes` in whole pages, until release().
  void lend(void* data, uint64_t bytes, std::string name);
  void release(const void* data);
  // From here on the tools know which bytes of this buffer kernels have written: reading others is
  // told, and what no kernel has written when a launch ends. Not what pointers write.
  void follow(const void* data);
  // The same of its first bytes only.
  void follow(const void* data, uint64_t bytes);

  // For memory that a launch need not write: reading bytes of it is told that neither an
  // instruction has written nor note_written() names; as a warning if `is_lenient`, for what the
  // host may read afterwards, too. `zeros`: as allocate() was told.
  void follow_reads(const void* data, bool zeros, bool is_lenient);
  // For code without pointers, of a buffer of zeros: reading what nobody has written of its first
  // bytes is told as a warning, and so is what no kernel has when a launch ends, if it is an output.
  // What lies behind them counts as written.
  void follow_zeros(const void* data, uint64_t bytes, bool is_output);
  // The host has written these bytes, of a buffer that is followed or not.
  void note_written(const void* data, uint64_t bytes);

  // If the tool "pointers" comes along: what instructions write to the buffers of now they write to
  // copies, too, from here on. What a copy does not hold, a pointer has written.
  void keep_copies();
  // What GM shows when a launch has ended, whoever ran it: bytes beside buffers that were
  // overwritten, and what the copies do not hold. For a parent that does not believe its child.
  std::vector<Fault> evidence() const;

  // Host threads that share a launch's blocks; 0: as many as the host runs at once. One by default.
  void set_threads(int count);
  // In later launches results of half saturate at the start, whatever the chip.
  void saturate_floats();
  // When instructions of later launches run.
  void set_order(const Order& order);
  // Adds a tool to all later launches, whose blocks then run on one thread unless the tool is
  // thread_safe(). It must outlive them.
  void add_tool(Tool& tool);
  // Makes the cores of one block, so that processes which are forked before they launch have them.
  void prepare(const Grid& grid);

  // Called for each fault as it is found; returns false to end the kernel. By default faults are
  // collected, equal ones counted, and the 20th place ends the kernel.
  void on_fault(std::function<bool(const Fault&)> sink);
  // Called when a kernel is ended early, before its frames are left. It need not return.
  void on_stop(std::function<void()> hook);
  // Called when all blocks before `index` have ended, in ascending order.
  void on_block(std::function<void(int64_t index)> watcher);

  // Runs `kernel` once per core. Cores may wait for each other (src/core/cores/rounds.h has the order in
  // which they do so); as many as the chip has are alive at once, and others begin as those end.
  // Faults come in the order of the cores, whatever the number of threads. Returns false if the
  // launch was ended before the last core finished. Exceptions of the kernel pass through those
  // cores that run on this thread, as the first does; others end the program.
  bool launch(const Grid& grid, const std::function<void()>& kernel);
  // The same with whole cores.
  bool launch(int64_t blocks, const std::function<void()>& kernel) {
    return launch(Grid{blocks}, kernel);
  }
  // Throws std::invalid_argument if the chip has no such cores, as launch() does.
  void check(const Grid& grid) const;
  // For another thread: sends the running launch the signal that asks a kernel where it is, which
  // the handler of src/core/crash.h answers. False: nothing is running.
  bool ask_where();
  // Runs `body` with this thread's core being block 0 of 1, until it returns: for programs that
  // call instructions themselves. Not checked at its end.
  void run_inside(const std::function<void()>& body);

  // What arithmetic of all launches so far made of operands that are finite, with --check full.
  Made made() const;

  // Everything found so far, including GM overruns found after each launch.
  const std::vector<Fault>& faults() const;

 private:
  struct State;
  class CoreScope;
  class Running;
  std::unique_ptr<State> state_;
};

}  // namespace vinci
