// Tool: what instructions read that none of them has written, because a pointer of scalar code has.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "vinci/tool.h"

namespace vinci {

// Keeps the core's memories as instructions and SetValue alone would have left them; those of GM
// stand beside each buffer that has a copy (Device::keep_copies), where other cores see them too.
class Pointers final : public ToolOf<Pointers> {
 public:
  std::string_view name() const override { return "pointers"; }
  bool thread_safe() const override { return true; }
  void on_block_begin(CoreView& core) override;
  void on_scalar_access(CoreView& core, const Region& region) override;
  void before_run(CoreView& core, const Step& step) override;
  void after_run(CoreView& core, const Step& step) override;
  void on_block_end(CoreView& core) override { finish_scalar_write(core); }
  // Whatever lets another core go on.
  void on_issue(CoreView& core, const Record&, std::span<const Region>) override {
    finish_scalar_write(core);
  }
  void on_tell(CoreView& core, uint32_t) override { finish_scalar_write(core); }
  void on_cross_set(CoreView& core, Pipe) override { finish_scalar_write(core); }
  void on_cache(CoreView& core) override { finish_scalar_write(core); }

 private:
  static constexpr uint64_t kPage = 256;
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  // One of the memories, page by page: those that are not kept are as the block found them.
  struct Copy {
    std::unique_ptr<Line[]> lines;
    uint64_t size = 0;
    std::vector<bool> kept;

    uint8_t* bytes() { return lines[0].bytes; }
  };

  void keep(Space space, uint64_t page);
  Interval first_difference(CoreView& core, const Region& region);
  Interval first_difference(CoreView& core, Space space, Interval bytes);
  void take_over(CoreView& core, const Region& region);
  void finish_scalar_write(CoreView& core);

  Copy copies_[kAllSpaces];
  std::optional<Region> scalar_write_;  // its bytes are there only when the access is over
};

}  // namespace vinci
