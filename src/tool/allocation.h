// Tool: every access to a core's own memory lies in one buffer that InitBuffer handed out, and in
// none that CheckLocalMemoryIA forbids.
#pragma once

#include <vector>

#include "tool/watches.h"
#include "vinci/tool.h"

namespace vinci {

// Silent in memories from which the kernel never took a buffer: it manages those by itself.
class Allocation final : public ToolOf<Allocation> {
 public:
  std::string_view name() const override { return "allocation"; }
  void on_block_begin(CoreView&) override { watches_.begin(); }
  void on_reset(CoreView&) override;
  void on_buffer(CoreView& core, Position position, uint64_t address, uint64_t bytes) override;
  [[gnu::hot]] void on_issue(CoreView& core, const Record&,
                             std::span<const Region> regions) override;
  void on_scalar_access(CoreView& core, const Region& region) override;

 private:
  struct Buffer {
    uint64_t address, bytes;
  };
  [[gnu::hot]] void judge(CoreView& core, const Region& region);

  std::vector<Buffer> buffers_[kSpaces];
  Watches watches_;
};

}  // namespace vinci
