// Follows each AllocTensor through its queue.
#include "tool/queue_protocol.h"

#include <algorithm>

#include <fmt/format.h>

namespace vinci {

void QueueProtocol::on_block_begin(CoreView&) { forget(); }

void QueueProtocol::on_block_end(CoreView& core) { report_leaks(core); }
void QueueProtocol::on_reset(CoreView& core) { report_leaks(core); }

void QueueProtocol::forget() {
  tensors_.clear();
  idle_.clear();
}

void QueueProtocol::report_leaks(CoreView& core) {
  for (const auto& [allocation, tensor] : tensors_) {
    const bool waiting = tensor.state == State::kWaiting;
    // EnQue has set a flag that nobody has waited for.
    core.note(waiting ? Code::kFlagLeftSet : Code::kQueueLeak,
              fmt::format("AllocTensor: a tensor of the {} queue {}", name_of(tensor.position),
                          waiting ? "still waits for its DeQue at the end" : "was never freed"),
              waiting ? "one DeQue for each EnQue, then FreeTensor"
                      : "one FreeTensor for each AllocTensor",
              &tensor.origin);
  }
  forget();
}

void QueueProtocol::on_queue(CoreView& core, const QueueEvent& event) {
  if (event.step == QueueStep::kAlloc) {
    idle_.erase({event.position, event.address});
    tensors_[event.allocation] = {event.queue, event.position, State::kInHand, call_origin()};
    return;
  }
  const auto found = tensors_.find(event.allocation);
  const bool known = found != tensors_.end();
  if (event.step == QueueStep::kDeQue) {
    if (known) found->second.state = State::kInHand;
    return;
  }
  const bool enque = event.step == QueueStep::kEnQue;
  std::string problem;
  if (event.allocation == 0) {
    problem = "comes from no AllocTensor";
  } else if (!known) {
    problem = "was already freed";
  } else if (found->second.queue != event.queue) {
    problem =
        fmt::format("belongs to another queue, of position {}", name_of(found->second.position));
  } else if (found->second.state == State::kWaiting) {
    problem = "still waits in the queue";
  }
  if (!problem.empty()) {
    core.note(enque ? Code::kQueueEnQue : Code::kQueueFree,
              fmt::format("{}: the tensor {}", enque ? "EnQue" : "FreeTensor", problem),
              "a tensor that AllocTensor or DeQue of this queue returned, once");
  }
  if (known && enque) found->second.state = State::kWaiting;
  if (known && !enque) {
    tensors_.erase(found);
    idle_[{event.position, event.address}] = event.allocation;
  }
}

void QueueProtocol::on_issue(CoreView& core, const Record&, std::span<const Region> regions) {
  const char* last = nullptr;  // an operand's regions follow each other
  for (const Region& region : regions) {
    if (region.name != last) judge(core, region);
    last = region.name;
  }
}

void QueueProtocol::on_scalar_access(CoreView& core, const Region& region) { judge(core, region); }

void QueueProtocol::judge(CoreView& core, const Region& region) {
  if (region.operand.allocation == 0 || region.space == Space::kGm) return;
  const auto found = tensors_.find(region.operand.allocation);
  const bool freed = found == tensors_.end();
  if (!freed && found->second.state == State::kInHand) return;
  report_use(core, region, !freed);
}

void QueueProtocol::report_use(CoreView& core, const Region& region, bool waits) const {
  // The bytes of a freed tensor stay until AllocTensor hands its buffer out again, and programs
  // work in them; what they do too late for the next tensor is a race.
  const bool idle = std::ranges::any_of(
      idle_, [&](const auto& buffer) { return buffer.second == region.operand.allocation; });
  core.note(idle ? Code::kTensorFreed : Code::kTensorNotOwned,
            fmt::format("{}: {} is a tensor of a {} queue that {}", core.who(), region.name,
                        name_of(region.operand.position),
                        waits  ? "waits between EnQue and DeQue"
                        : idle ? "was freed"
                               : "was freed and whose buffer another tensor has"),
            waits ? "use before EnQue, or what DeQue returned" : "use before FreeTensor");
}

}  // namespace vinci
