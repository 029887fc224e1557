// Tool: results that their type cannot hold, though it holds all that they were made of: infinities
// and NaN of finite numbers, what conversions and integer arithmetic lose, divisions by zero.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tool/columns.h"
#include "vinci/tool.h"

namespace vinci {

class Numbers final : public Tool {
 public:
  std::string_view name() const override { return "numbers"; }
  bool thread_safe() const override { return true; }
  bool looks_at_bytes() const override { return true; }
  void on_block_begin(CoreView&) override { sources_.clear(); }
  void before_run(CoreView& core, const Step& step) override;
  void after_run(CoreView& core, const Step& step) override;

 private:
  // What one element of a result is made of, and how.
  struct Lane {
    const Record& record;
    const Column& dst;
    std::span<const Column> sources;
    size_t index;
  };
  // A kind of mistake in the results of one instruction.
  struct Finding {
    Code code{};
    size_t index = 0;  // of its first element
    std::string what;
    uint64_t count = 0;
  };

  static Finding judge(const Lane& lane);
  void judge_lanes(CoreView& core, const Step& step, const Column& dst);
  void judge_all(CoreView& core, const Column& dst);
  void judge_requantised(CoreView& core, const Step& step, const Column& dst);
  static void tell(CoreView& core, const Column& dst, const Finding& finding,
                   std::string_view operands);

  std::vector<Column> sources_;
};

}  // namespace vinci
