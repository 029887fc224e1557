// Tool: counts results that a type cannot hold, though all operands of the call are finite. It only
// looks at results, and at operands where that makes a difference; which they are, Numbers tells.
#pragma once

#include <functional>
#include <utility>

#include "vinci/device.h"
#include "vinci/tool.h"

namespace vinci {

class MadeCounter final : public ToolOf<MadeCounter> {
 public:
  // `take` gets what each block made.
  explicit MadeCounter(std::function<void(const Made&)> take) : take_(std::move(take)) {}
  std::string_view name() const override { return "made"; }
  bool thread_safe() const override { return true; }
  void on_block_begin(CoreView&) override { made_ = {}; }
  [[gnu::hot]] void before_run(CoreView& core, const Step& step) override;
  [[gnu::hot]] void after_run(CoreView& core, const Step& step) override;
  void on_block_end(CoreView&) override { take_(made_); }

 private:
  std::function<void(const Made&)> take_;
  Made made_;
  const Instruction* instruction_ = nullptr;  // the latest, and what it is
  bool makes_numbers_ = false, narrows_ = false;
  bool counts_ = false;  // the operands that the running instruction overwrites are finite
};

}  // namespace vinci
