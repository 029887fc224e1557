// Tool: tensors of queues go AllocTensor -> EnQue -> DeQue -> FreeTensor, and are used in between.
#pragma once

#include <map>
#include <utility>

#include "vinci/tool.h"

namespace vinci {

class QueueProtocol final : public ToolOf<QueueProtocol> {
 public:
  std::string_view name() const override { return "queue protocol"; }
  void on_block_begin(CoreView&) override;
  void on_block_end(CoreView& core) override;
  void on_reset(CoreView& core) override;
  void on_queue(CoreView& core, const QueueEvent& event) override;
  [[gnu::hot]] void on_issue(CoreView& core, const Record&,
                             std::span<const Region> regions) override;
  void on_scalar_access(CoreView& core, const Region& region) override;

 private:
  enum class State : uint8_t { kInHand, kWaiting };
  struct Tensor {
    uint32_t queue;
    Position position;
    State state;
    Origin origin;  // of the AllocTensor
  };
  [[gnu::hot]] void judge(CoreView& core, const Region& region);
  [[gnu::cold]] void report_use(CoreView& core, const Region& region, bool waits) const;
  void forget();
  void report_leaks(CoreView& core);  // and forgets them

  // By allocation; serial numbers never come back, so one that is missing was freed.
  std::map<uint32_t, Tensor> tensors_;
  // The allocation that had a buffer last, by the buffer's place, until the next one takes it.
  std::map<std::pair<Position, uint64_t>, uint32_t> idle_;
};

}  // namespace vinci
