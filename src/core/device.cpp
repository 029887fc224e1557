// Device: the cores of a launch, and the host threads that run them.
#include "vinci/device.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "core/call_stack.h"
#include "core/core.h"
#include "core/crash.h"
#include "core/cores/cross_flag_faults.h"
#include "core/cores/cross_flags.h"
#include "core/device_state.h"
#include "core/cores/posted_work.h"
#include "core/cores/round_writes.h"
#include "core/cores/rounds.h"
#include "soc/soc.h"

namespace vinci {
namespace {

const Soc& soc_or_throw(std::string_view name) {
  if (const Soc* soc = find_soc(name)) return *soc;
  std::string list;
  for (const Soc& soc : all_socs()) list += fmt::format(" {}", soc.name);
  throw std::invalid_argument(fmt::format("unknown chip {}; there are:{}", name, list));
}

// As many cores of a launch as the chip can have alive at once.
int64_t most_alive(const Soc& soc, const Grid& grid) {
  // A whole core does what one AIV does, too.
  if (grid.is_whole()) return std::max(soc.cores(), soc.arch->split ? soc.aiv_cores : 0);
  int64_t blocks = std::numeric_limits<int>::max();
  if (grid.aic > 0) blocks = soc.aic_cores / grid.aic;
  if (grid.aiv > 0) blocks = std::min<int64_t>(blocks, soc.aiv_cores / grid.aiv);
  return blocks * grid.cores_per_block();
}

// Throws std::invalid_argument.
void check_grid(const Soc& soc, const Grid& grid) {
  const bool has_them = soc.arch->split && grid.aic >= 0 && grid.aic <= 1 && grid.aiv >= 0 &&
                        grid.aiv <= soc.aiv_per_aic();
  if (grid.blocks >= 0 && (grid.is_whole() || has_them)) return;
  throw std::invalid_argument(fmt::format(
      "a launch of {} blocks of {} AIC and {} AIV; {} has {}", grid.blocks, grid.aic, grid.aiv,
      soc.name,
      soc.arch->split
          ? fmt::format("blocks of 0..1 AIC and 0..{} AIV, or whole cores", soc.aiv_per_aic())
          : std::string("whole cores only")));
}

}  // namespace

// One launch: its rounds, and the threads that were added to the one that launched.
class Device::Running {
 public:
  Running(State& state, const Grid& grid, size_t tokens, const std::function<void()>& kernel)
      : state_(state),
        grid_(grid),
        kernel_(kernel),
        flags_(grid),
        posted_(grid, state.own_buffers, state.gm),
        rounds_({grid.cores(), most_alive(state.soc, grid), tokens}, state.stacks,
                {[this](int64_t core) { return run(core); }, [this] { return add_thread(); },
                 [this](int64_t core) {
                   if (grid_.place_in_block(core) == 0) state_.watcher(grid_.block_of(core));
                 },
                 [this] { return publish(); }}) {
    const std::lock_guard lock(state_.asking);
    state_.running = &rounds_;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();

  // Runs cores until there are none for this thread.
  void work() { rounds_.work(); }
  // Tells the rounds the time. For launches whose cores may wait for each other without a word.
  void watch();
  bool finished() const { return rounds_.finished(); }
  // Of the kernel's own, that nobody has caught.
  std::exception_ptr thrown() { return rounds_.thrown(); }
  // Flags that nobody waited for, once it has finished.
  void tell_left_flags();
  // Ends the threads that help, and the one that watches.
  void join();

 private:
  static void* run_thread(void* running);
  bool add_thread();
  bool publish();
  bool run(int64_t core);

  State& state_;
  const Grid grid_;
  const std::function<void()>& kernel_;
  CrossFlags flags_;
  PostedWork posted_;
  RoundWrites writes_;
  std::mutex mutex_;
  std::vector<pthread_t> threads_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread watcher_;
  Rounds rounds_;
};

Device::Running::~Running() {
  if (!rounds_.finished()) rounds_.cancel();
  join();
  const std::lock_guard lock(state_.asking);
  state_.running = nullptr;
}

void Device::Running::join() {
  {
    const std::lock_guard lock(mutex_);
    if (threads_.empty() && !watcher_.joinable()) return;
  }
  // Signals are for the threads that run kernels.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  for (;;) {
    pthread_t thread{};
    {
      const std::lock_guard lock(mutex_);
      if (threads_.empty()) break;
      thread = threads_.back();
      threads_.pop_back();
    }
    pthread_join(thread, nullptr);
  }
  if (watcher_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_all();
    watcher_.join();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void* Device::Running::run_thread(void* running) {
  const CrashStack stack;
  hear_crashes();  // the watcher, which adds threads too, does not
  static_cast<Running*>(running)->rounds_.help();
  return nullptr;
}

bool Device::Running::add_thread() {
  pthread_t thread;
  if (!create_kernel_thread(thread, run_thread, this)) return false;
  const std::lock_guard lock(mutex_);
  threads_.push_back(thread);
  return true;
}

void Device::Running::watch() {
  static constexpr auto kStep = std::chrono::milliseconds(100);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  watcher_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, kStep, [this] { return is_over_; })) {
      lock.unlock();
      const bool go_on = rounds_.watch();
      lock.lock();
      if (!go_on) return;
    }
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

bool Device::Running::publish() {
  bool fits = true;
  posted_.publish();
  writes_.forget();
  for (const CrossFlags::Overflow& overflow : flags_.publish()) {
    state_.tell(fault_of(overflow, grid_, state_.soc));
    fits = false;
  }
  return fits;
}

void Device::Running::tell_left_flags() {
  for (const CrossFlags::Left& left : flags_.left()) {
    if (!state_.tell(fault_of(left, grid_, state_.soc))) return;
  }
}

// A core of this thread's own, until it ends.
class Device::CoreScope {
 public:
  CoreScope(State& state, CoreKind kind)
      : state_(state), worker_(state.take(kind)), before_(Core::set_current(&worker_.core)) {}
  CoreScope(const CoreScope&) = delete;
  CoreScope& operator=(const CoreScope&) = delete;
  ~CoreScope() {
    worker_.core.leave();
    Core::set_current(before_);
    state_.give_back(worker_);
  }
  Core& core() const { return worker_.core; }

 private:
  State& state_;
  State::Worker& worker_;
  Core* before_;
};

// The same kernel line has the same frames whichever thread it runs on: what is outside this
// function is not part of them.
[[gnu::noinline]] bool Device::Running::run(int64_t index) {
  end_call_stacks_at(__builtin_return_address(0));
  try {
    const CoreScope scope(state_, grid_.kind_of(index));
    Core& core = scope.core();
    core.begin_block(
        {&rounds_, &flags_, &posted_, &writes_, &rounds_.place(index, core.steps()), grid_, index,
         state_.floats_saturate});
    kernel_();
    core.end_block();
  } catch (const StopKernel&) {
    return false;
  }
  return true;
}

Device::Device(std::string_view soc, Checks checks)
    : state_(std::make_unique<State>(soc_or_throw(soc), checks, std::make_shared<GlobalMemory>())) {
}
Device::Device(std::string_view soc, Checks checks, const Device& with_the_gm)
    : state_(std::make_unique<State>(soc_or_throw(soc), checks, with_the_gm.state_->gm)) {}
Device::~Device() = default;

void Device::set_threads(int count) {
  cpu_set_t usable;
  if (count <= 0 && sched_getaffinity(0, sizeof(usable), &usable) == 0) count = CPU_COUNT(&usable);
  state_->threads = size_t(std::max(count, 1));
}
void Device::set_order(const Order& order) {
  if (order == state_->order) return;
  state_->order = order;
  state_->idle.clear();
  state_->workers.clear();  // later launches make theirs
}
void Device::prepare(const Grid& grid) {
  std::vector<State::Worker*> cores;
  for (int i = 0; i < grid.cores_per_block(); ++i) {
    cores.push_back(&state_->take(grid.kind_of(i)));
  }
  for (State::Worker* core : cores) state_->give_back(*core);
}
void Device::saturate_floats() { state_->floats_saturate = true; }
void Device::add_tool(Tool& tool) {
  state_->one_thread |= !tool.thread_safe();
  state_->more_tools.push_back(&tool);
  for (const auto& worker : state_->workers) worker->core.add_tool(tool);
}
void Device::on_fault(std::function<bool(const Fault&)> sink) { state_->sink = std::move(sink); }
void Device::on_stop(std::function<void()> hook) { state_->stop_hook = std::move(hook); }
void Device::on_block(std::function<void(int64_t)> watcher) {
  state_->watcher = std::move(watcher);
}
void Device::check(const Grid& grid) const { check_grid(state_->soc, grid); }
const std::vector<Fault>& Device::faults() const { return state_->list.faults(); }

bool Device::launch(const Grid& grid, const std::function<void()>& kernel) {
  State& state = *state_;
  check_grid(state.soc, grid);
  state.stopped = state.found_errors = false;
  state.block_races.begin();
  state.drift.begin();
  bool finished = false;
  std::exception_ptr thrown;
  {
    Running running(state, grid, state.one_thread ? 1 : state.threads, kernel);
    if (grid.cores() > 1) running.watch();
    running.work();
    finished = running.finished();
    thrown = running.thrown();
    if (finished && has_tool(state.checks, "state")) running.tell_left_flags();
    running.join();
    // Buffers that only a launch has are still known by their names.
    if (!thrown) state.report_overruns();
    if (!thrown && finished && grid.cores() > 1) {
      state.block_races.finish(state.soc, *state.gm, grid, state.checks.pipes_in_order,
                               [&state](const Fault& fault) { return state.tell(fault); });
    }
  }
  if (thrown) std::rethrow_exception(thrown);
  if (finished && !state.found_errors && has_tool(state.checks, "init")) {
    state.report_unwritten();
  }
  state.drift.finish([&state](const Fault& fault) { state.tell(fault); });
  return finished;
}

Made Device::made() const { return state_->made; }

bool Device::ask_where() {
  const std::lock_guard lock(state_->asking);
  return state_->running != nullptr && state_->running->pass_on(where_signal());
}

void Device::run_inside(const std::function<void()>& body) {
  const CoreScope scope(*state_, CoreKind::kWhole);
  scope.core().begin_block({});
  try {
    body();
  } catch (const StopKernel&) {
  }
}

}  // namespace vinci
