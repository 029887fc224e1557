// One simulated core: its memories, its state, and the door that every instruction passes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/call_stack.h"
#include "core/flags.h"
#include "core/footprint.h"
#include "core/instruction.h"
#include "core/cores/looks.h"
#include "core/memory.h"
#include "core/queue.h"
#include "core/registers.h"
#include "core/cores/rounds.h"
#include "core/schedule.h"
#include "soc/soc.h"
#include "vinci/device.h"
#include "vinci/fault.h"
#include "vinci/record.h"
#include "vinci/tool.h"

namespace vinci {

// Thrown through the kernel's frames to end it.
struct StopKernel {};

class CrossFlags;
class PostedWork;
class RoundWrites;

// A core's place in a launch. Without rounds it is alone: block 0 of 1.
struct Seat {
  Rounds* rounds = nullptr;
  CrossFlags* flags = nullptr;
  PostedWork* posted = nullptr;
  RoundWrites* writes = nullptr;
  const Place* place = nullptr;
  Grid grid;
  int64_t core = 0;
  bool floats_saturate = false;  // at the start, whatever the chip
};

// The tiling keys that a package's kernel has asked for: whether one was its own, and where it
// began.
struct KeysAsked {
  bool any = false, own = false;
  Origin first{};
};

// Who calls instructions where it is not a kernel's own C++ code: a statement of a TIK script.
struct Caller {
  std::string_view api;   // as the script calls the instruction
  std::string_view file;  // of the statement
  int line = 0;
};

class Core final : public CoreView {
 public:
  // Receives each fault as it is found; returns false to stop the kernel.
  using FaultSink = std::function<bool(const Fault&)>;

  Core(const Soc& soc, GlobalMemory& gm, CheckLevel level, FaultSink sink, const Order& order = {});

  // The core that runs on this thread. Calling the API without one is a fault of the program
  // around the kernel: it prints a message and aborts.
  static Core& current();
  static Core* set_current(Core* core);  // returns the one before
  static Core* current_or_null();

  void add_tool(Tool& tool) {
    tools_.push_back(&tool);
    const auto takes = [&](PerInstruction event, std::vector<Tool*>& among) {
      if ((tool.takes() & event) != 0) among.push_back(&tool);
    };
    takes(kOnIssue, on_issue_);
    takes(kBeforeRun, before_run_);
    takes(kAfterRun, after_run_);
    takes(kOnRegisters, on_registers_);
    exact_ |= tool.looks_at_bytes();
  }
  std::span<Tool* const> tools() const { return tools_; }

  void begin_block(const Seat& seat);
  void end_block();
  // The launch is over for this core, however it ended.
  void leave() { seat_ = {}; }
  const Seat& seat() const { return seat_; }
  CoreKind kind() const { return seat_.grid.kind_of(seat_.core); }
  // How often the kernel came to the door; may be read by other threads.
  const std::atomic<uint64_t>& steps() const { return steps_; }

  // Where the kernel last called an instruction.
  const Origin& last_call() const { return last_call_; }

  // The statement that runs; nullptr: the kernel is C++, and its call stack says where it is.
  void set_caller(const Caller* caller) { caller_ = caller; }
  // What messages say of instructions that another call makes for itself; "": their own names.
  std::string_view act_as(std::string_view api) { return std::exchange(acts_as_, api); }
  // Whose tables say what is legal.
  FrontEnds front_end() const { return caller_ == nullptr ? kAscendC : kTik; }

  // Waits for what comes before this core in the order of its round; false if the launch has ended
  // without it.
  bool await_turn() const { return seat_.place == nullptr || seat_.place->await_turn(); }
  // The same for what must come after all that those blocks did; ends this one instead of false.
  void take_turn() {
    if (!await_turn()) stop();
  }

  // What nobody has written holds these bytes of one of the core's memories again.
  void forget(Position position, Interval bytes);

  // The door: supported on this chip? -> plan -> check -> footprint -> tools -> run -> advance.
  [[gnu::hot]] void issue(const Record& record);
  // What issuing it would touch, which may overlap and lie out of bounds; nothing if other rules
  // refuse it. Does not issue it; what is wrong is reported.
  std::span<const Region> resolve(const Record& record);
  // Whether regions lie where they may; the first that does not is reported.
  [[gnu::hot]] bool within_bounds(std::span<const Region> regions);
  // The same; then what is issued waits for whatever it has to wait for before it may read them.
  bool settle(std::span<const Region> regions);

  // Gives way to the other cores of the launch until `is_over`. If that will never be, the fault
  // says what was waited for, at this place, and the kernel ends.
  void wait_for_others(const std::function<bool()>& is_over, Code code, std::string_view message,
                       std::string_view legal) {
    wait_for_others(
        is_over, code, [message] { return std::string(message); }, legal);
  }
  // `message` is asked for only then.
  void wait_for_others(const std::function<bool()>& is_over, Code code,
                       const std::function<std::string()>& message, std::string_view legal);
  // CrossCoreSetFlag, once all that `pipe` was given has run, and CrossCoreWaitFlag.
  void set_cross_flag(int mode, int flag, Pipe pipe);
  void wait_cross_flag(int flag);
  // A word in GM gets `value`, or it more, for other cores to see when this one's part of the round
  // has ended.
  void store_for_others(int32_t* word, int32_t value, bool adds = false);
  // The core has waited for such words.
  void hear_words(std::span<const int32_t* const> words);
  // Vector cores go one after the other, in the order of their indices, again and again.
  void wait_for_turn();
  void let_next();
  // Vector cores of the launch; whole cores are among them.
  int64_t vector_cores() const { return seat_.grid.blocks * std::max(seat_.grid.aiv, 1); }
  // What this core did last is nothing that another one could see: no step. Whoever reads through a
  // pointer until another core has written does so in between, again and again, and then lets the
  // others go on.
  void forget_step();
  // A vector core gives the matrix core of its block a record to issue, once what its own copies
  // were given has run. Returns a number to wait for.
  uint64_t post(const Record& record);
  void await_post(uint64_t number);
  // The core does so before its next step, unless that is another post.
  void owe_post(uint64_t number) { owed_post_ = number; }
  // The matrix core does so until the vector cores of its block have ended.
  void serve_posts();
  // A buffer in GM of this core's own, until the launch ends.
  Operand own_buffer(uint64_t bytes);
  // DataCacheCleanAndInvalid.
  void clean_cache();
  // All cores of this one's kind, or all of the launch, come here before one goes on, each when
  // `until` has finished what it was given.
  void meet_cores(bool all_kinds, Pipe until = Pipe::kAll);

  // What is of the other kind of core, this one leaves out: calls for units and memories that it
  // does not have, and flags of pipes that it does not have. A whole core leaves out nothing.
  bool is_foreign(Position position) const;
  bool is_foreign(Pipe pipe) const;
  // Such a call of `who`: told once, at the end of the block.
  void leave_out(std::string_view who);

  // PipeBarrier.
  void pipe_barrier(uint32_t pipe);
  // All that the pipes were given has ended.
  void drain_pipes();

  // Reports at the kernel line that is being executed. Classes other than `kernel` end the kernel.
  [[gnu::cold]] void report(Code code, std::string message, std::string legal);
  // The same from places that must not throw: destructors, tools, the end of a block. With an
  // `origin` the fault's place is where something began.
  [[gnu::cold]] void note(Code code, std::string message, std::string legal,
                          const Origin* origin = nullptr) override;
  [[gnu::cold]] void note_pair(Code code, std::string message, std::string legal, std::string other,
                               const Origin& there, std::vector<Fault::Place> also) override;
  Origin origin() const override;
  // Where the call is that is executed: for posted work, on the core that posted it; of a script
  // the statement.
  Origin call_place() const {
    if (caller_ != nullptr) return {reinterpret_cast<uint64_t>(caller_)};
    return posted_from_ == nullptr ? call_origin() : *posted_from_;
  }
  Fault::Place place_of(std::string what, const Origin& origin) const override;
  Fault fault_here(Code code) const override { return make_fault(code, "", ""); }
  [[gnu::cold]] Fault pair_here(Code code, std::string message, std::string legal,
                                std::string other, const Origin& there) const override;
  [[gnu::cold]] void tell(const Fault& fault) override;
  [[noreturn]] void stop();
  void on_stop(std::function<void()> hook) { stop_hook_ = std::move(hook); }

  // `by_reference`: who calls may write, or only read.
  void* scalar_access(const Operand& tensor, uint64_t offset, uint32_t bytes, Access access,
                      bool by_reference = false);
  // A pointer to a tensor in one of the core's memories, for scalar code.
  void* address_of(const Operand& tensor);

  const Soc& soc() const { return soc_; }
  // What InitBuffer may hand out of a memory: where a split chip's cores of one kind run alone,
  // all of it.
  uint32_t usable_bytes(Space space) const;
  // Bytes for a call that is left out: zeros.
  void* zeros(size_t bytes);
  LocalMemory& local() {
    local_.touch();
    return local_;
  }
  Memory& memory() override {
    local_.touch();
    return memory_;
  }
  // Registers that data decide, for scalar code: what writes them has run.
  const Cells& cells() {
    schedule_.drain();
    return local_.cells();
  }
  Schedule& schedule() { return schedule_; }
  // The operator that issues what is issued now; nullptr: the kernel itself.
  const Instruction* part_of() const { return operator_; }
  // An instruction that the schedule kept; its turn has come.
  void run_held(const Schedule::Held& held);
  GlobalMemory& gm() { return gm_; }
  BufferTable& buffers() { return buffers_; }
  FlagTable& flags() { return flags_; }
  AddressRegisters& address_registers() { return address_registers_; }
  Registers& registers() { return registers_; }
  const Registers& registers() const override { return registers_; }
  // Who is at work, for a tool's messages: "DataCopy", or "scalar code".
  std::string_view who() const override;
  int64_t block_index() const override { return block_index_; }
  int64_t block_count() const override { return seat_.grid.blocks; }
  int64_t core_index() const override { return seat_.core; }
  int64_t core_count() const override { return seat_.grid.cores(); }
  uint64_t launch_order() const override {
    if (seat_.rounds == nullptr) return 0;
    return seat_.rounds->number() * uint64_t(seat_.grid.cores()) + uint64_t(seat_.core);
  }
  // SetSysWorkspace's; nullptr at the start of a block.
  void set_system_workspace(void* start) { system_workspace_ = start; }
  void* system_workspace() const { return system_workspace_; }
  // Whether the kernel has printed a line without its end.
  bool& in_line() { return in_line_; }
  int64_t entry_cycle() const { return entry_cycle_; }
  KeysAsked& keys_asked() { return keys_asked_; }
  // The kernel's name, for a crash's report; "": whoever reports knows it.
  void set_kernel_name(const char* name) { kernel_name_ = name; }
  const char* kernel_name() const { return kernel_name_; }
  // What kernels call their index: vector cores of a block are counted one by one.
  int64_t kernel_index() const;

  std::string_view chip() const override { return soc_.name; }
  std::string_view core_name() const override { return soc_.arch->core_name; }
  [[gnu::hot]] Pipe pipe_of(const Record& record) const override;
  [[gnu::hot]] StepOrder order_of(const Record& record,
                                  std::span<const Region> regions) const override;
  bool orders_scalar(Pipe pipe) const override { return schedule_.orders_scalar(pipe); }
  bool runs_at_once() const override { return !schedule_.holds(); }
  Space space_of(Position position) const override { return soc_.space_of(position); }
  std::span<uint8_t> bytes_of(Space space) override;
  Interval gm_buffer(uint64_t address) const override;
  std::string text_of(Space space, Interval bytes) const override;
  WrittenBytes* written_bytes(uint64_t address) const override;
  uint8_t* gm_copy(uint64_t address) const override;

  // Host memory of an operand's first byte.
  uint8_t* data(const Operand& operand) { return memory().data(operand); }

 private:
  bool is_foreign(const Record& record) const;
  void tell_left_out();
  [[gnu::hot]] bool supported(const Record& record);
  // Where the instruction is called that is being issued.
  [[gnu::hot]] void note_call();
  [[gnu::hot]] bool legal(const Record& record, const PlanRoom& plan);
  // Rules and footprint; false if the rules refuse it.
  [[gnu::hot]] bool resolve(const Record& record, const PlanRoom& plan, bool allow_overlap);
  [[gnu::hot]] void perform(const Record& record, const PlanRoom& plan);
  [[gnu::hot]] void run(const Step& step);
  // "half, float": those that the chip has, or that vinci can do as well.
  // Of many, those that agree most with the types given.
  [[gnu::cold]] std::string types_on_chip(const Instruction& instruction, const Signature& given,
                                          bool implemented) const;
  // Whether the chip has it, and is told otherwise.
  bool ask_support(const Instruction& instruction, const Signature& signature, FrontEnds may_issue);
  bool supported_round(const Signature& signature, const Signature& row);
  [[gnu::hot]] bool is_inside(const Region& region) const;
  bool within_bounds(const Region& region, std::string_view who);
  void* harmless(size_t bytes);
  void count_step() {
    steps_.store(steps_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void begin_step() {
    if (owed_post_ != 0) [[unlikely]] await_post(owed_post_);
    count_step();
  }
  void give_way(const Wait& wait);
  // What `pipe` was given is done before the core tells others of it.
  void finish_for_others(Pipe pipe);
  Told tell_others();
  void hear(std::span<const Told> told);
  // Whether other cores may write what this one reads in GM.
  bool is_beside_others() const { return seat_.writes != nullptr && seat_.grid.cores() > 1; }
  // A scalar read of GM that may be one of many by which the kernel waits for another core. Whether
  // it has let the others go on.
  bool look(const uint8_t* place, uint32_t bytes);
  void look_by_reference(const uint8_t* place, uint32_t bytes);
  void let_others_go_on(bool only_reads);
  // Where in the kernel the core looks at GM, ordered by the code.
  struct LookPlace {
    std::string_view instruction;  // mnemonic; empty: scalar code
    Pipe pipe = Pipe::kNone;
    Origin origin{};
    std::string_view file;  // of a script's statement
    int line = 0;
    friend auto operator<=>(const LookPlace&, const LookPlace&) = default;
  };
  LookPlace look_place() const;
  // An element in GM as a core may see it that runs beside others: a copy, or `place` itself.
  uint8_t* read_beside_others(uint8_t* place, uint32_t bytes);
  [[gnu::hot]] void run_beside_others(const Step& step);
  void run_blindly(const Step& step);
  bool is_news(const Region& region) const;
  // What no memory minds, though it leaves its tensor: inside one GM buffer, or one of
  // InitBuffer's.
  bool stays_allocated(const Region& region) const;
  bool within_gm(const Region& region, std::string_view who);
  [[gnu::cold]] std::string reach_of(const Region& region) const;
  void report_overruns();
  void report_outside_tensor(Code code, const Region& region, std::string_view who);
  [[gnu::cold]] Fault make_fault(Code code, std::string message, std::string legal) const;

  const Soc& soc_;
  const Soc& whole_;  // the chip, both halves of a core together
  GlobalMemory& gm_;
  CheckLevel level_;
  FaultSink sink_;
  std::function<void()> stop_hook_;
  LocalMemory local_;
  Memory memory_{soc_, local_.storage()};
  BufferTable buffers_{*this};
  FlagTable flags_{*this};
  AddressRegisters address_registers_;
  Registers registers_;
  std::vector<Tool*> tools_;
  std::vector<Tool*> on_issue_, before_run_, after_run_, on_registers_;  // those that take them
  bool exact_ = false;  // a tool looks at single bytes
  Schedule schedule_;
  const Schedule::Held* held_ = nullptr;  // that runs
  const Origin* posted_from_ = nullptr;   // of the posted work that is done
  Footprint footprint_{*this, soc_, registers_};
  std::vector<Finding> findings_;
  uint64_t past_tensor_ = 0;  // the last instruction that was told to leave a tensor
  Seat seat_;
  const Caller* caller_ = nullptr;
  std::string_view acts_as_;

  int64_t block_index_ = -1;
  void* system_workspace_ = nullptr;
  bool in_line_ = false;
  KeysAsked keys_asked_;
  const char* kernel_name_ = "";
  int64_t entry_cycle_ = 0;  // when the block began
  std::atomic<uint64_t> steps_ = 0;
  Looks looks_;
  std::optional<LookPlace> looks_at_;  // since it last did anything else: the first
  uint64_t idle_since_ = 0;            // the step after which all was forgotten
  uint64_t idle_calls_ = 0;            // as often
  alignas(64) uint8_t element_[64];    // that was read last
  // Calls that were left out: the first, and how many.
  std::string left_out_;
  Origin left_out_at_;
  Origin last_call_{};
  uint64_t left_out_count_ = 0;
  uint64_t owed_post_ = 0;   // that the next step waits for
  uint64_t times_let_ = 0;   // of let_next()
  uint32_t times_told_ = 0;  // of tell_others()
  uint64_t serial_ = 0;
  uint64_t faults_ = 0;  // errors reported so far
  bool stop_requested_ = false;
  // Answers that were yes, by instruction: a kernel asks the same again and again.
  struct Supported {
    const Instruction* instruction = nullptr;
    Signature signature;
    FrontEnds may_issue = 0;
    friend bool operator==(const Supported&, const Supported&) = default;
  };
  std::array<Supported, 64> supported_;
  const Record* issuing_ = nullptr;
  const Instruction* operator_ = nullptr;  // that issues records of its own
  // By size: what an access reads or writes that a fault has refused. References into it stay good.
  struct alignas(64) HarmlessLine {
    uint8_t bytes[64] = {};
  };
  std::map<size_t, std::vector<HarmlessLine>> harmless_;
};

}  // namespace vinci
