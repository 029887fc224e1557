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

class Numbers final : public ToolOf<Numbers> {
 public:
  std::string_view name() const override { return "numbers"; }
  bool thread_safe() const override { return true; }
  bool looks_at_bytes() const override { return true; }
  void on_block_begin(CoreView&) override { sources_.clear(); }
  void before_run(CoreView& core, const Step& step) override;
  void after_run(CoreView& core, const Step& step) override;

 private:
  // A result, and the same where nothing saturates: floats become infinite or NaN, conversions keep
  // low bits, or the other way round. nullptr: not known.
  struct Result {
    const Column& dst;
    const Column* unsaturated;
  };
  // A kind of mistake in the results of one instruction.
  struct Finding {
    Code code{};
    size_t index = 0;  // of its first element
    std::string what;
    uint64_t count = 0;
  };

  void collect_unsaturated(CoreView& core, const Step& step);
  Finding judge(const Step& step, const Result& result, size_t index) const;
  Finding judge_mode(const Result& result, size_t index) const;
  void judge_lanes(CoreView& core, const Step& step, const Result& result);
  void judge_all(CoreView& core, const Result& result);
  void judge_requantised(CoreView& core, const Step& step, const Column& dst);
  static void tell(CoreView& core, const Column& dst, const Finding& finding,
                   std::string_view operands);

  std::vector<Column> sources_;
  std::vector<Column> unsaturated_;  // results, if they are known
};

}  // namespace vinci
