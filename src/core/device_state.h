// What a Device is made of: its chip, GM, the cores that are there to be used, and what is told of
// them.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/core.h"
#include "core/cores/fiber.h"
#include "core/gm_faults.h"
#include "core/own_buffers.h"
#include "core/cores/rounds.h"
#include "tool/block_races.h"
#include "tool/drift.h"
#include "tool/made_counter.h"
#include "tool/tools.h"
#include "vinci/device.h"

namespace vinci {

struct Device::State {
  // A core with its checkers.
  struct Worker {
    CoreKind kind;
    Core core;
    std::vector<std::unique_ptr<Tool>> tools;

    Worker(State& state, CoreKind of)
        : kind(of),
          core(
              core_of(state.soc, of), *state.gm, state.checks.level,
              [&state](const Fault& f) { return state.tell(f); }, state.order),
          tools(tools_of(state.checks)) {
      if (has_tool(state.checks, "race")) {
        tools.push_back(std::make_unique<GmTracer>(races_among(tools), [&state](GmTrace&& trace) {
          state.block_races.take(std::move(trace));
        }));
      }
      // Who looks at each number tells more than their count.
      if ((~state.checks.tools & Checks::kFull.tools) == 0 &&
          (state.checks.tools & Checks::kNumbers) == 0) {
        tools.push_back(
            std::make_unique<MadeCounter>([&state](const Made& more) { state.add(more); }));
      }
      if ((state.checks.tools & Checks::kDrift) != 0)
        tools.push_back(std::make_unique<Drift>(state.drift));
      for (auto& tool : self_tools()) {
        tools.push_back(std::move(tool));
        state.one_thread = true;
      }
      for (const auto& tool : tools) core.add_tool(*tool);
      for (Tool* tool : state.more_tools) core.add_tool(*tool);
      core.on_stop([&state] { state.stop(); });
    }
  };

  const Soc& soc;
  const Checks checks;
  const std::shared_ptr<GlobalMemory> gm;
  OwnBuffers own_buffers{gm};
  FaultList list;
  std::function<bool(const Fault&)> sink = [this](const Fault& fault) { return list.add(fault); };
  std::function<void(int64_t)> watcher = [](int64_t) {};
  std::function<void()> stop_hook;
  std::vector<Tool*> more_tools;
  std::map<const void*, uint64_t> followed_bytes;
  Order order = Order::of_environment();
  bool one_thread = false;
  bool floats_saturate = false;
  size_t threads = 1;

  BlockRaces block_races;
  DriftTable drift;
  Made made;
  FiberStacks stacks;

  // The cores of running launches, and those that wait to be used again.
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<Worker*> idle;
  std::recursive_mutex telling;  // a stop while something is told
  bool stopped = false;          // in this launch
  bool found_errors = false;     // in this launch
  std::mutex asking;             // held while a launch begins, ends, or is asked where it is
  Rounds* running = nullptr;

  State(const Soc& chip, Checks wanted, std::shared_ptr<GlobalMemory> memory)
      : soc(chip), checks(wanted), gm(std::move(memory)) {
    give_back(take(CoreKind::kWhole));
  }

  Worker& take(CoreKind kind) {
    const std::lock_guard lock(mutex);
    const auto found = std::ranges::find(idle, kind, &Worker::kind);
    if (found != idle.end()) {
      Worker& worker = **found;
      idle.erase(found);
      return worker;
    }
    workers.push_back(std::make_unique<Worker>(*this, kind));
    return *workers.back();
  }
  void give_back(Worker& worker) {
    const std::lock_guard lock(mutex);
    idle.push_back(&worker);
  }

  void add(const Made& more) {
    const std::lock_guard lock(mutex);
    made.add(more);
  }

  bool tell(const Fault& fault) {
    const std::lock_guard lock(telling);
    found_errors |= !fault.entry().warning;
    return sink(fault);
  }
  // The first core that is ended early calls the hook.
  void stop() {
    const std::lock_guard lock(telling);
    if (stopped || !stop_hook) return;
    stopped = true;
    // The hook may not return, so what the end of a launch would find is found now.
    report_overruns();
    stop_hook();
  }

  // So many bytes of an output matter.
  uint64_t asked_of(const GmBuffer& buffer) const {
    const auto found = followed_bytes.find(buffer.data);
    return found == followed_bytes.end() ? buffer.bytes : std::min(found->second, buffer.bytes);
  }

  // Of a buffer that is followed, so many bytes matter; what lies behind them counts as written.
  void end_followed(const void* data, uint64_t bytes) {
    followed_bytes[data] = bytes;
    const auto address = reinterpret_cast<uint64_t>(data);
    const GmBuffer* buffer = gm->find(address);
    if (buffer == nullptr || bytes >= buffer->bytes) return;
    buffer->written->set({address + bytes, address + buffer->bytes});
    buffer->written->set_end(address + bytes);
  }

  // Of outputs, what no block has written.
  void report_unwritten() {
    for (const GmBuffer& buffer : gm->outputs()) {
      if (const auto fault = unwritten_of(buffer, asked_of(buffer), checks.level)) sink(*fault);
    }
  }

  // Scalar code that wrote beside a buffer, told once for each.
  void report_overruns() {
    for (const GmBuffer& buffer : gm->overrun()) {
      sink(overrun_of(buffer));
      gm->mend(buffer);
    }
  }
};

}  // namespace vinci
