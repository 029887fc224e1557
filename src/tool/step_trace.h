// Writes what passes a core's door into a file, a line for each event, for oracles in tests
// (tests/tool/happens_before.py): VINCI_SELF_CHECK=trace=FILE, whose name gets a dot and the number
// of the core.
#pragma once

#include <fstream>
#include <string>
#include <utility>

#include "vinci/tool.h"

namespace vinci {

class StepTrace final : public ToolOf<StepTrace> {
 public:
  explicit StepTrace(std::string file) : file_(std::move(file)) {}
  std::string_view name() const override { return "trace"; }
  bool looks_at_bytes() const override { return true; }
  void on_block_begin(CoreView& core) override;
  void on_block_end(CoreView&) override { out_.flush(); }
  void on_reset(CoreView&) override { out_ << "reset\n"; }
  void on_queue(CoreView&, const QueueEvent& event) override;
  void on_issue(CoreView& core, const Record& record, std::span<const Region> regions) override;
  void on_scalar_access(CoreView& core, const Region& region) override;
  void on_barrier(CoreView&, Pipe pipe) override;
  void on_flag(CoreView&, uint32_t event, int32_t id, bool set) override;
  void on_cross_set(CoreView&, Pipe pipe) override;
  void on_cross_wait(CoreView&) override { out_ << "cross_wait\n"; }

 private:
  void write(std::span<const Region> regions);

  std::string file_;
  std::ofstream out_;
};

}  // namespace vinci
