// Device: chip, GM, one core, and the loop over blocks.
#include "vinci/device.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "core/core.h"
#include "soc/soc.h"
#include "tool/allocation.h"
#include "tool/queue_protocol.h"

namespace vinci {
namespace {

const Soc& soc_or_throw(std::string_view name) {
  if (const Soc* soc = find_soc(name)) return *soc;
  std::string list;
  for (const Soc& soc : all_socs()) list += fmt::format(" {}", soc.name);
  throw std::invalid_argument(fmt::format("unknown chip {}; there are:{}", name, list));
}

// Makes a core this thread's own for a while.
class CoreScope {
 public:
  explicit CoreScope(Core& core) : before_(Core::set_current(&core)) {}
  ~CoreScope() { Core::set_current(before_); }

 private:
  Core* before_;
};

}  // namespace

bool FaultList::add(const Fault& fault) {
  const auto same = std::ranges::find_if(faults_, [&](const Fault& known) {
    return known.code == fault.code && known.frames == fault.frames &&
           known.instruction == fault.instruction;
  });
  if (same != faults_.end()) {
    ++same->count;
    return true;
  }
  const bool warning = fault.entry().warning;
  if (warning && faults_.size() - errors_ >= kMostFaultPlaces) return true;
  faults_.push_back(fault);
  errors_ += warning ? 0 : 1;
  return warning || errors_ < kMostFaultPlaces;
}

struct Device::State {
  const Soc& soc;
  GlobalMemory gm;
  FaultList list;
  std::function<bool(const Fault&)> sink = [this](const Fault& fault) { return list.add(fault); };
  std::function<void(int64_t)> watcher = [](int64_t) {};
  Core core;
  QueueProtocol queue_protocol;
  Allocation allocation;

  State(const Soc& chip, Checks checks)
      : soc(chip), core(chip, gm, CheckLevel(checks), [this](const Fault& f) { return sink(f); }) {
    if (checks == Checks::kFull) {
      core.add_tool(allocation);
      core.add_tool(queue_protocol);
    }
  }

  // Scalar code that wrote beside a buffer, told once for each buffer.
  void report_overruns() {
    for (const GmBuffer* buffer : gm.overrun()) {
      core.note(Code::kGmOverrun,
                fmt::format("bytes beside GM buffer {} ({} bytes) were overwritten", buffer->name,
                            buffer->bytes),
                fmt::format("writes to bytes 0..{}", int64_t(buffer->bytes) - 1));
      gm.mend(*buffer);
    }
  }

  // False if the kernel was stopped.
  bool run_block(int64_t index, int64_t blocks, const std::function<void()>& kernel) {
    bool finished = true;
    core.begin_block(index, blocks);
    // Exceptions of the kernel's own pass through to whoever launched it.
    try {
      kernel();
    } catch (const StopKernel&) {
      finished = false;
    }
    report_overruns();
    if (finished) core.end_block();
    return finished;
  }
};

Device::Device(std::string_view soc, Checks checks)
    : state_(std::make_unique<State>(soc_or_throw(soc), checks)) {}
Device::~Device() = default;

void* Device::allocate(uint64_t bytes, std::string name) {
  return state_->gm.allocate(bytes, std::move(name));
}
void Device::release(const void* data) { state_->gm.release(data); }
void Device::add_tool(Tool& tool) { state_->core.add_tool(tool); }
void Device::on_fault(std::function<bool(const Fault&)> sink) { state_->sink = std::move(sink); }
void Device::on_stop(std::function<void()> hook) {
  // The hook may not return, so what the end of a block would find is found now.
  state_->core.on_stop([this, hook = std::move(hook)] {
    state_->report_overruns();
    hook();
  });
}
void Device::on_block(std::function<void(int64_t)> watcher) {
  state_->watcher = std::move(watcher);
}
const std::vector<Fault>& Device::faults() const { return state_->list.faults(); }

bool Device::launch(int64_t blocks, const std::function<void()>& kernel) {
  const CoreScope scope(state_->core);
  bool finished = true;
  for (int64_t block = 0; block < blocks && finished; ++block) {
    state_->watcher(block);
    finished = state_->run_block(block, blocks, kernel);
  }
  return finished;
}

void Device::run_inside(const std::function<void()>& body) {
  const CoreScope scope(state_->core);
  state_->core.begin_block(0, 1);
  try {
    body();
  } catch (const StopKernel&) {
  }
}

}  // namespace vinci
