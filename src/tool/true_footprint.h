// Tool: whether instructions touch what they declare, and nothing else. It judges vinci, not the
// kernel (VINCI_SELF_CHECK=footprint): a finding is a fault of class `internal`.
#pragma once

#include <vector>

#include "vinci/tool.h"

namespace vinci {

// Runs each instruction twice before it runs for good: on what is there, and with every byte
// changed that it does not declare to read. Both times it must write the same to what it declares
// to write, and nothing elsewhere. One that says that it moves runs once more, on bytes that are
// all changed. Of GM, only bytes near the declared ones are looked at.
class TrueFootprint final : public ToolOf<TrueFootprint> {
 public:
  std::string_view name() const override { return "true footprint"; }
  bool looks_at_bytes() const override { return true; }
  void before_run(CoreView& core, const Step& step) override;

 private:
  // Bytes of a memory that are looked at, with what the step declares of each.
  struct Window {
    Space space;
    uint64_t address;  // of the first byte, as regions count
    uint8_t* bytes;
    size_t size;
    std::vector<uint8_t> before;   // what was there
    std::vector<uint8_t> result;   // what the step left there
    std::vector<uint8_t> changed;  // the second run's start
    std::vector<uint8_t> declared;
  };

  void look(CoreView& core, const Step& step);
  void declare(const Region& region);
  void add_window(Space space, uint64_t address, uint8_t* bytes, size_t size);
  void judge(CoreView& core, const Window& window) const;
  void judge_move(CoreView& core, const Step& step);

  std::vector<Window> windows_;
};

}  // namespace vinci
