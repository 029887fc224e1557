// Device: chip, GM, a core for each host thread, and the blocks.
#include "vinci/device.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <stdexcept>

#include <fmt/format.h>

#include "core/core.h"
#include "core/crash.h"
#include "core/turn.h"
#include "soc/soc.h"
#include "tool/tools.h"

namespace vinci {
namespace {

const Soc& soc_or_throw(std::string_view name) {
  if (const Soc* soc = find_soc(name)) return *soc;
  std::string list;
  for (const Soc& soc : all_socs()) list += fmt::format(" {}", soc.name);
  throw std::invalid_argument(fmt::format("unknown chip {}; there are:{}", name, list));
}

// When instructions run, for tests of vinci itself: see Schedule.
std::string_view schedule_of_environment() {
  const char* schedule = std::getenv("VINCI_SCHEDULE");
  return schedule == nullptr ? "" : schedule;
}

// Makes a core this thread's own for a while, with a turn among others or without.
class CoreScope {
 public:
  explicit CoreScope(Core& core, const Turn* turn = nullptr)
      : core_(core), before_(Core::set_current(&core)) {
    core_.set_turn(turn);
  }
  ~CoreScope() {
    core_.set_turn(nullptr);
    Core::set_current(before_);
  }

 private:
  Core& core_;
  Core* before_;
};

}  // namespace

bool FaultList::add(const Fault& fault) {
  // One call can break a rule with several operands: these are told apart by their messages. In
  // other calls at the same place messages may have other numbers.
  const auto find = [&](auto also) {
    return std::ranges::find_if(faults_, [&](const Fault& known) {
      return known.code == fault.code && known.frames == fault.frames && known.file == fault.file &&
             known.line == fault.line && known.instruction == fault.instruction && also(known);
    });
  };
  auto same = fault.entry().once
                  ? std::ranges::find(faults_, fault.code, &Fault::code)
                  : find([&](const Fault& known) { return known.message == fault.message; });
  if (same == faults_.end()) {
    same = find([&](const Fault& known) {
      return known.serial != fault.serial || known.block != fault.block;
    });
  }
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

namespace {
struct Launch;
}

struct Device::State {
  // A core with its checkers, for one host thread.
  struct Worker {
    Core core;
    std::vector<std::unique_ptr<Tool>> tools;

    Worker(State& state, CheckLevel level)
        : core(
              state.soc, state.gm, level, [&state](const Fault& f) { return state.sink(f); },
              schedule_of_environment()) {
      if (level == CheckLevel::kFull) tools = full_tools();
      for (auto& tool : self_tools()) {
        tools.push_back(std::move(tool));
        state.one_thread = true;
      }
      for (const auto& tool : tools) core.add_tool(*tool);
    }
  };

  const Soc& soc;
  const CheckLevel level;
  GlobalMemory gm;
  FaultList list;
  std::function<bool(const Fault&)> sink = [this](const Fault& fault) { return list.add(fault); };
  std::function<void(int64_t)> watcher = [](int64_t) {};
  std::function<void()> stop_hook;
  bool one_thread = false;
  size_t threads = 1;
  std::vector<std::unique_ptr<Worker>> workers;

  State(const Soc& chip, Checks checks) : soc(chip), level(CheckLevel(checks)) { prepare(1); }

  Core& first() { return workers[0]->core; }

  // Makes sure that there are `count` workers.
  void prepare(size_t count) {
    while (workers.size() < count) {
      workers.push_back(std::make_unique<Worker>(*this, level));
      if (stop_hook) workers.back()->core.on_stop(stop_hook);
    }
  }

  // False if there are no threads to be had.
  bool run_on_threads(Launch& launch, size_t count);

  // Scalar code that wrote beside a buffer, told once for each buffer. Which block did it is not
  // known.
  void report_overruns() {
    for (const GmBuffer* buffer : gm.overrun()) {
      Fault fault;
      fault.code = Code::kGmOverrun;
      fault.message = fmt::format("bytes beside GM buffer {} ({} bytes) were overwritten",
                                  buffer->name, buffer->bytes);
      fault.legal = fmt::format("writes to bytes 0..{}", int64_t(buffer->bytes) - 1);
      sink(fault);
      gm.mend(*buffer);
    }
  }
};

namespace {

// The blocks of one launch.
struct Launch {
  Turn turn;
  const int64_t blocks;
  const std::function<void()>& kernel;
};

// False if the kernel was stopped.
bool run_block(Core& core, int64_t index, const Launch& launch) {
  core.begin_block(index, launch.blocks);
  // Exceptions of the kernel's own pass through to whoever launched it.
  try {
    launch.kernel();
  } catch (const StopKernel&) {
    return false;
  }
  core.end_block();
  return true;
}

// Takes blocks until there are none.
void work(Core& core, size_t thread, Launch& launch) {
  for (int64_t block; (block = launch.turn.take(thread)) >= 0;) {
    if (!run_block(core, block, launch)) {
      launch.turn.cancel();
      break;
    }
    launch.turn.end(thread);
  }
}

struct Hand {
  Core& core;
  size_t thread;
  Launch& launch;
  pthread_t handle{};
};

void* run_hand(void* argument) {
  auto& hand = *static_cast<Hand*>(argument);
  const CrashStack stack;
  const CoreScope scope(hand.core, &hand.launch.turn);
  work(hand.core, hand.thread, hand.launch);
  return nullptr;
}

}  // namespace

bool Device::State::run_on_threads(Launch& launch, size_t count) {
  std::deque<Hand> hands;
  for (size_t thread = 0; thread < count; ++thread) {
    hands.push_back({workers[thread]->core, thread, launch});
    if (create_kernel_thread(hands.back().handle, run_hand, &hands.back())) continue;
    hands.pop_back();  // with fewer threads it takes longer
    break;
  }
  // Signals are for the threads that run kernels.
  sigset_t all, before;
  sigfillset(&all);
  if (!hands.empty()) pthread_sigmask(SIG_BLOCK, &all, &before);
  for (const Hand& hand : hands) pthread_join(hand.handle, nullptr);
  if (!hands.empty()) pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return !hands.empty();
}

Device::Device(std::string_view soc, Checks checks)
    : state_(std::make_unique<State>(soc_or_throw(soc), checks)) {}
Device::~Device() = default;

void* Device::allocate(uint64_t bytes, std::string name) {
  return state_->gm.allocate(bytes, std::move(name));
}
void Device::release(const void* data) { state_->gm.release(data); }
void Device::set_threads(int count) {
  cpu_set_t usable;
  if (count <= 0 && sched_getaffinity(0, sizeof(usable), &usable) == 0) count = CPU_COUNT(&usable);
  state_->threads = size_t(std::max(count, 1));
}
void Device::add_tool(Tool& tool) {
  state_->one_thread = true;
  state_->first().add_tool(tool);
}
void Device::on_fault(std::function<bool(const Fault&)> sink) { state_->sink = std::move(sink); }
void Device::on_stop(std::function<void()> hook) {
  // The hook may not return, so what the end of a launch would find is found now.
  state_->stop_hook = [this, hook = std::move(hook)] {
    state_->report_overruns();
    hook();
  };
  for (const auto& worker : state_->workers) worker->core.on_stop(state_->stop_hook);
}
void Device::on_block(std::function<void(int64_t)> watcher) {
  state_->watcher = std::move(watcher);
}
const std::vector<Fault>& Device::faults() const { return state_->list.faults(); }

bool Device::launch(int64_t blocks, const std::function<void()>& kernel) {
  State& state = *state_;
  const size_t wanted = state.one_thread ? 1 : std::min(state.threads, size_t(blocks));
  const size_t threads = std::max<size_t>(wanted, 1);
  state.prepare(threads);
  Launch launch{Turn(blocks, threads, state.watcher), blocks, kernel};
  // Either all blocks run on this thread or none: the same place has the same frames in each.
  if (threads == 1 || !state.run_on_threads(launch, threads)) {
    const CoreScope scope(state.first(), &launch.turn);
    work(state.first(), 0, launch);
  }
  state.report_overruns();
  return launch.turn.finished();
}

void Device::run_inside(const std::function<void()>& body) {
  const CoreScope scope(state_->first());
  state_->first().begin_block(0, 1);
  try {
    body();
  } catch (const StopKernel&) {
  }
}

}  // namespace vinci
