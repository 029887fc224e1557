// Waiting for a turn is polling: it must work in a signal handler, and it is rare.
#include "core/cores/rounds.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <limits>
#include <utility>

namespace vinci {
namespace {

constexpr useconds_t kPollMicroseconds = 50;
constexpr int kMostIdleRounds = 1000;  // that are no deadlock yet
// Calls of watch() without a step: until a core gives its token away, and its place in the order.
constexpr int kQuiet = 5, kVeryQuiet = 100;

thread_local const Rounds* rounds_of_thread = nullptr;

class OfThread {
 public:
  explicit OfThread(const Rounds* rounds) : before_(std::exchange(rounds_of_thread, rounds)) {}
  OfThread(const OfThread&) = delete;
  OfThread& operator=(const OfThread&) = delete;
  ~OfThread() { rounds_of_thread = before_; }

 private:
  const Rounds* before_;
};

}  // namespace

bool Place::await_turn() const {
  if (rounds_->first_ >= position_) return true;
  awaits_ = true;
  while (rounds_->first_ < position_ && !rounds_->cancelled_) usleep(kPollMicroseconds);
  awaits_ = false;
  return rounds_->first_ >= position_;
}

bool Rounds::pass_on(int signal) const {
  // For a moment no thread may have the first position: the one before has just ended its part.
  for (; !cancelled_ && !finished(); usleep(kPollMicroseconds)) {
    const auto first = size_t(first_);
    const pthread_t thread = first < threads_.size() ? threads_[first].load() : 0;
    const pthread_t speaker = thread != 0 ? thread : detached_thread_.load();
    if (speaker == 0) continue;
    if (pthread_equal(speaker, pthread_self()) != 0) return false;
    pthread_kill(speaker, signal);
    return true;
  }
  return true;
}

const Rounds* Rounds::of_thread() { return rounds_of_thread; }

Rounds::Rounds(const Limits& limits, FiberStacks& stacks, Hooks hooks)
    : limits_(limits),
      stacks_(stacks),
      hooks_(std::move(hooks)),
      threads_(size_t(std::min(limits.cores, limits.alive))) {
  if (limits_.cores > 0) hooks_.watcher(0);
  begin_round();
}

void Rounds::begin_round() {
  if (!hooks_.publish()) return end_launch();
  idle_rounds_ = is_idle_ && !cores_.empty() ? idle_rounds_ + 1 : 0;
  is_idle_ = true;
  ++number_;
  cores_.clear();
  members_of_round_.clear();
  for (auto& [core, member] : members_) {
    if (member.state != State::kWaiting || idle_rounds_ > kMostIdleRounds) continue;
    if (member.wait->is_over && !member.wait->is_over()) continue;
    member.state = State::kReady;
    cores_.push_back(core);
    members_of_round_.push_back(&member);
  }
  while (int64_t(members_.size()) < limits_.alive && next_core_ < limits_.cores) {
    cores_.push_back(next_core_);
    members_of_round_.push_back(&members_[next_core_++]);
  }
  done_.assign(cores_.size(), false);
  handed_out_ = 0;
  parts_ = cores_.size();
  for (auto& thread : threads_) thread = 0;
  for (size_t i = 0; i < members_of_round_.size(); ++i) {
    Place& place = members_of_round_[i]->place;
    place.rounds_ = this;
    place.position_ = int64_t(i);
  }
  first_ = 0;
  if (cores_.empty() && detached_ == 0 && !members_.empty()) report_deadlock();
}

void Rounds::report_deadlock() {
  first_ = std::numeric_limits<int64_t>::max();
  for (const auto& [core, member] : members_) member.wait->tell();
  end_launch();
}

Rounds::Standing Rounds::standing() const {
  Standing standing{int64_t(members_.size()), -1, next_core_};
  int64_t core = 0;
  for (const auto& [alive, member] : members_) core += alive == core ? 1 : 0;
  if (core < next_core_) standing.first_ended = core;
  return standing;
}

void Rounds::set_running(Member& member) {
  member.state = State::kRunning;
  member.quiet = 0;
  member.gave_token = false;
  member.thread = pthread_self();
  threads_[size_t(member.place.position_)] = pthread_self();
  ++running_;
  ++handed_out_;
}

void Rounds::call_threads() {
  const size_t free = running_ < limits_.tokens ? limits_.tokens - running_ : 0;
  const size_t wanted = std::min(free, cores_.size() - handed_out_);
  while (!cancelled_ && called_ + starting_ < wanted) {
    if (idle_ > 0) {
      --idle_;
      ++called_;
      called_or_over_.notify_one();
    } else {
      if (!hooks_.add_thread()) return;  // with fewer it takes longer
      ++starting_;
    }
  }
}

Rounds::Turn Rounds::next(std::unique_lock<std::mutex>& lock) {
  while (!cancelled_ && !finished()) {
    if (running_ < limits_.tokens && handed_out_ < cores_.size()) {
      const Turn turn{cores_[handed_out_], members_of_round_[handed_out_]};
      set_running(*turn.member);
      call_threads();
      return turn;
    }
    ++idle_;
    called_or_over_.wait(lock, [this] { return called_ > 0 || cancelled_ || finished(); });
    if (called_ > 0) --called_;
  }
  return cancelled_ ? next_in_vain() : Turn();
}

Rounds::Turn Rounds::next_in_vain() {
  for (auto& [core, member] : members_) {
    if (member.state == State::kRunning || !member.fiber) continue;
    member.state = State::kRunning;
    return {core, &member};
  }
  return {};
}

void Rounds::begin(const Turn& turn) {
  turn.member->fiber.emplace(stacks_, [this, core = turn.core] {
    const bool has_ended = hooks_.run(core);
    if (!has_ended) cancel();
  });
}

void Rounds::work() {
  const OfThread scope(this);
  std::unique_lock lock(mutex_);
  for (Turn turn = next(lock); turn.member != nullptr; turn = next(lock)) {
    lock.unlock();
    if (!turn.member->fiber) begin(turn);
    turn.member->fiber->resume();
    lock.lock();
    settle(turn);
  }
}

void Rounds::help() {
  {
    const std::lock_guard lock(mutex_);
    --starting_;
  }
  work();
}

void Rounds::settle(const Turn& turn) {
  Member& member = *turn.member;
  if (member.fiber->has_ended()) return end(turn.core);
  member.state = State::kWaiting;
  if (!member.wait->idle) is_idle_ = false;
  if (cancelled_) return;
  end_part(member);
  if (parts_ == 0) begin_round();
}

const Place& Rounds::place(int64_t core, const std::atomic<uint64_t>& steps) {
  const std::lock_guard lock(mutex_);
  Member& member = members_.at(core);
  member.steps = &steps;
  return member.place;
}

// Takes a running core out of the round, or out of those beside it.
void Rounds::end_part(Member& member) {
  if (member.detached) {
    member.detached = false;
    if (--detached_ == 0) detached_thread_ = 0;
    return;
  }
  done_[size_t(member.place.position_)] = true;
  member.place.position_ = Place::kNoOrder;
  --parts_;
  if (!member.gave_token) --running_;
  while (first_ < int64_t(done_.size()) && done_[size_t(first_)]) ++first_;
}

void Rounds::watch_ends() {
  const int64_t first = members_.empty() ? next_core_ : members_.begin()->first;
  while (watched_ < first && watched_ + 1 < limits_.cores) hooks_.watcher(++watched_);
}

void Rounds::end(int64_t core) {
  auto member = members_.extract(core);
  if (member.mapped().fiber->thrown() && !thrown_) {
    thrown_ = member.mapped().fiber->thrown();
    end_launch();
  }
  is_idle_ = false;
  if (cancelled_) return;
  watch_ends();
  end_part(member.mapped());
  ++ended_;
  if (parts_ == 0) begin_round();
  if (finished()) called_or_over_.notify_all();
}

bool Rounds::wait(int64_t core, const Wait& wait) {
  Fiber* fiber = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return false;
    Member& member = members_.at(core);
    member.wait = &wait;
    fiber = &*member.fiber;
  }
  fiber->pause();
  return !cancelled_;
}

void Rounds::cancel() {
  const std::lock_guard lock(mutex_);
  end_launch();
}

std::exception_ptr Rounds::thrown() {
  const std::lock_guard lock(mutex_);
  return thrown_;
}

void Rounds::end_launch() {
  cancelled_ = true;
  called_or_over_.notify_all();
}

void Rounds::detach(Member& member) {
  threads_[size_t(member.place.position_)] = 0;
  end_part(member);
  member.detached = true;
  ++detached_;
  detached_thread_ = member.thread.load();
}

bool Rounds::watch() {
  const std::lock_guard lock(mutex_);
  if (cancelled_ || finished()) return false;
  const bool others_begin = handed_out_ < cores_.size();
  const bool others_wait = others_begin || members_.size() > parts_ + detached_;
  bool any = false;
  for (auto& [core, member] : members_) {
    if (member.state != State::kRunning || member.detached || member.steps == nullptr) continue;
    const uint64_t steps = member.steps->load(std::memory_order_relaxed);
    // A step that is taken back may be seen.
    const bool advanced = steps - member.seen_steps > 1;
    member.quiet = advanced || member.place.awaits_ ? 0 : member.quiet + 1;
    if (advanced) member.seen_steps = steps;
    if (member.quiet >= kVeryQuiet && others_wait) {
      detach(member);
      any = true;
    } else if (member.quiet >= kQuiet && others_begin && !member.gave_token) {
      member.gave_token = true;
      --running_;
      any = true;
    }
  }
  if (!any) return true;
  if (parts_ == 0) begin_round();
  call_threads();
  return true;
}

}  // namespace vinci
