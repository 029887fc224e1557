// Tool: instructions of one core that touch the same bytes have an order: by flags, barriers and
// queues, or without the kernel as docs/spec/order.md says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tool/held_writes.h"
#include "tool/pipe_clock.h"
#include "tool/scalar_cache.h"
#include "tool/unit_flags.h"
#include "tool/unread_writes.h"
#include "vinci/tool.h"

namespace vinci {

class Races final : public ToolOf<Races> {
 public:
  std::string_view name() const override { return "races"; }
  void on_block_begin(CoreView& core) override;
  void on_reset(CoreView& core) override;
  void on_queue(CoreView& core, const QueueEvent& event) override;
  [[gnu::hot]] void on_issue(CoreView& core, const Record& record,
                             std::span<const Region> regions) override;
  void before_run(CoreView& core, const Step&) override;
  void after_run(CoreView& core, const Step&) override;
  void on_scalar_access(CoreView& core, const Region& region) override;
  void on_scalar_reference(CoreView& core, const Region& region) override;
  void on_address(CoreView& core, const Region& region) override;
  void on_cache(CoreView& core) override;
  void on_barrier(CoreView& core, Pipe pipe) override;
  void on_flag(CoreView& core, uint32_t event, int32_t id, bool set) override;
  void on_stuck(CoreView& core, std::vector<Fault::Place>& pipes) override;
  void on_cross_set(CoreView& core, Pipe pipe) override;
  void on_cross_wait(CoreView& core) override;

  // How many instructions a pipe was given so far, and how many of them had ended when the core set
  // a flag for others last.
  uint32_t given(Pipe pipe) const { return clocks_.given(pipe); }
  uint32_t ended_for_others(Pipe pipe) const { return cross_[pipe]; }

 private:
  struct Issued {
    StepOrder order;
    uint32_t number = 0;  // on its pipe, from 1
    Clock known;          // what has ended when it starts
    Origin origin{};
    std::string_view who;
    bool is_over = false;  // the core is no longer at its line
  };
  // Bytes that one of them touched.
  struct Use {
    uint64_t first, end;  // they lie in between
    Region region;
    uint32_t number;
    uint32_t step;  // in steps_
    bool writes;
    StepOrder order;
    uint32_t moment;  // PipeClocks::moment
  };
  // The uses of one memory by one pipe.
  struct Uses {
    static constexpr size_t kFew = 128;

    std::vector<Use> list;
    std::vector<uint32_t> by_number;  // places in the list, in ascending order of their numbers
    bool all_in_order = true, all_read = true;
    size_t limit = kFew;  // so many, and those that later ones cover are dropped
  };
  // Two writes that nothing orders. If the later one leaves what it finds, they may come in any
  // order.
  struct Doubt {
    Issued before, step;
    Use use;
    Region region;
    std::vector<uint8_t> bytes;  // that both may write, and some between

    Interval span() const {
      return {std::max(use.first, region.first()), std::min(use.end, region.end())};
    }
  };
  // What a pipe had done when a tensor was enqueued, or freed.
  struct Passed {
    Pipe pipe;
    Clock clock;
  };
  struct Freed : Passed {
    Pipe filled_by;
  };
  static constexpr uint32_t kNoStep = ~0u;
  // What a pipe was given last, and the flag that it waits for for ever.
  struct PipeState {
    std::string_view who;
    uint32_t step = kNoStep;  // in steps_, as long as it is there
    Origin origin{};          // of one that is no longer there
    std::string waits;        // "flag 1 of V_MTE2"; empty: for nothing
    Origin since{};
  };
  // What t(i) gave: whether scalar code reads or writes it shows when the core is here again.
  struct Reference {
    Region region;
    Origin origin{};
    std::vector<uint8_t> bytes;  // empty: there is none
  };
  static constexpr size_t kFewSteps = 4096;
  void settle(CoreView& core) {
    if (!reference_.bytes.empty()) [[unlikely]]
      settle_reference(core);
  }
  void settle_reference(CoreView& core);
  // `origin`: of the access, where that is over; nullptr: the core is there.
  void look_scalar(CoreView& core, const Region& region, const Origin* origin);
  [[gnu::hot]] void look(CoreView& core, const StepOrder& order, std::string_view who,
                         std::span<const Region> regions, const Origin* origin = nullptr);
  // Whether the step comes after something that its pipe did not know to have ended.
  [[gnu::hot]] bool compare(CoreView& core, Issued& step, const Region& region);
  void judge(CoreView& core, const Issued& step, const Region& region, const Use& use);
  static bool may_stay_unread(const Issued& before, const Use& use, const Issued& step,
                              const Region& region);
  void conclude(CoreView& core, const Issued& before, const Issued& step, const Region& region,
                const Use& use);
  static Fault fault_of(CoreView& core, const Issued& before, const Issued& step,
                        const Region& region, const Use& use);
  [[gnu::hot]] void keep(const Region& region, const Issued& step);
  [[gnu::hot]] bool is_again(Uses& uses, const Region& region, const Issued& step) const;
  bool goes_on(const Use& use, const Region& region) const;
  void drop_covered(Uses& uses) const;
  void drop_steps();
  void wait_for(Pipe pipe, const Passed& passed);
  void forget();
  void leave_steps();

  PipeClocks clocks_;
  UnitFlags unit_flags_;
  ScalarCache scalar_cache_;
  UnreadWrites unread_writes_;
  HeldWrites held_writes_;
  Uses uses_[kAllSpaces][kPipes];
  uint32_t used_by_[kAllSpaces] = {};    // a bit for each pipe that has uses of the memory
  std::vector<Issued> steps_, dropped_;  // dropped_ keeps room
  std::vector<Doubt> doubts_;            // of the instruction that is being issued
  size_t most_steps_ = kFewSteps;
  PipeState states_[kPipes];
  std::map<std::pair<uint32_t, int32_t>, Clock> flags_;  // by event and identifier
  std::set<std::pair<uint32_t, int32_t>> raised_;        // of these
  Reference reference_;
  Clock cross_;                                           // what the flags to other cores stand for
  std::map<uint32_t, std::deque<Passed>> enqueued_;       // by queue
  std::map<std::pair<uint32_t, uint64_t>, Freed> freed_;  // by queue and the buffer's address
  std::map<uint32_t, uint64_t> addresses_;                // of buffers in use, by allocation
};

}  // namespace vinci
