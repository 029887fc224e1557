// Tool: what leaves a core, decides where scalar code goes, or says where an instruction reads,
// does not depend on bytes that nobody has written.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "tool/twin_memory.h"
#include "vinci/tool.h"

namespace vinci {

// An instruction that reads such bytes runs over a TwinMemory too; so copying them, and computing
// with them in lanes that nobody looks at, is no finding.
class Unwritten final : public Tool {
 public:
  std::string_view name() const override { return "unwritten"; }
  void on_block_begin(CoreView& core) override;
  void on_scalar_access(CoreView& core, const Region& region) override;
  void on_address(CoreView& core, const Region& region) override;
  void before_run(CoreView& core, const Step& step) override;
  void after_run(CoreView& core, const Step& step) override;
  void on_block_end(CoreView&) override { finish_scalar_write(); }

 private:
  // Who read bytes that nobody had written, first.
  struct Root {
    std::string_view who;
    Origin origin{};
    std::string where;  // "bytes 0..63 of UB"
    uint64_t step = 0;
  };
  // Bytes whose value depends on them.
  struct Result {
    Space space;
    Interval bytes;
    Root root;
  };

  Root root_of(CoreView& core, const Region& region, Interval bytes) const;
  bool is_known(Interval bytes) const;  // in GM
  bool is_rounded_up(Interval datablock, uint64_t element) const;
  void judge_leaving(CoreView& core, const Region& region, bool exact);
  void tell(CoreView& core, const std::string& what, const Root& root) const;
  void finish_scalar_write();

  TwinMemory twin_;
  uint64_t step_ = 0;                   // counts instructions and scalar accesses
  std::optional<Root> root_;            // of the instruction that runs over both
  std::deque<Result> results_;          // the latest last
  std::optional<Region> scalar_write_;  // that follows
};

}  // namespace vinci
