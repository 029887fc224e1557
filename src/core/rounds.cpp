// Waiting for a turn is polling: it must work in a signal handler, and it is rare.
#include "core/rounds.h"

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
Rounds::OfThread::OfThread(const Rounds& rounds)
    : before_(std::exchange(rounds_of_thread, &rounds)) {}
Rounds::OfThread::~OfThread() { rounds_of_thread = before_; }

Rounds::Rounds(const Limits& limits, Hooks hooks)
    : limits_(limits),
      hooks_(std::move(hooks)),
      threads_(size_t(std::min(limits.cores, limits.alive))) {
  if (limits_.cores > 0) hooks_.watcher(0);
  begin_round();
}

void Rounds::begin_round() {
  if (!hooks_.publish()) {
    cancelled_ = true;
    return wake_all();
  }
  idle_rounds_ = is_idle_ && !cores_.empty() ? idle_rounds_ + 1 : 0;
  is_idle_ = true;
  cores_.clear();
  std::vector<Member*> round;
  for (auto& [core, member] : members_) {
    if (member.state != State::kWaiting || idle_rounds_ > kMostIdleRounds) continue;
    if (member.wait->is_over && !member.wait->is_over()) continue;
    member.state = State::kReady;
    cores_.push_back(core);
    round.push_back(&member);
  }
  while (int64_t(members_.size()) < limits_.alive && next_core_ < limits_.cores) {
    cores_.push_back(next_core_);
    round.push_back(&members_[next_core_++]);
  }
  done_.assign(cores_.size(), false);
  handed_out_ = 0;
  parts_ = cores_.size();
  for (auto& thread : threads_) thread = 0;
  for (size_t i = 0; i < round.size(); ++i) {
    round[i]->place.rounds_ = this;
    round[i]->place.position_ = int64_t(i);
  }
  first_ = 0;
  if (cores_.empty() && detached_ == 0 && !members_.empty()) report_deadlock();
}

void Rounds::report_deadlock() {
  first_ = std::numeric_limits<int64_t>::max();
  for (const auto& [core, member] : members_) member.wait->tell();
  cancelled_ = true;
  wake_all();
}

Rounds::Standing Rounds::standing() const {
  Standing standing{int64_t(members_.size()), -1, next_core_};
  int64_t core = 0;
  for (const auto& [alive, member] : members_) core += alive == core ? 1 : 0;
  if (core < next_core_) standing.first_ended = core;
  return standing;
}

void Rounds::wake_all() {
  begins_.notify_all();
  for (auto& [core, member] : members_) wake(member);
}

// Its thread does not ask for the mutex, which the one that wakes it still has.
void Rounds::wake(Member& member) {
  member.goes_on = true;
  member.goes_on.notify_one();
}

void Rounds::set_running(Member& member) {
  member.state = State::kRunning;
  member.quiet = 0;
  member.gave_token = false;
  ++running_;
  ++handed_out_;
}

void Rounds::set_thread(Member& member) {
  member.thread = pthread_self();
  const int64_t position = member.place.position_;
  if (position != Place::kNoOrder) threads_[size_t(position)] = pthread_self();
}

void Rounds::dispatch() {
  while (!cancelled_ && running_ < limits_.tokens && handed_out_ < cores_.size()) {
    const int64_t core = cores_[handed_out_];
    Member& member = members_.at(core);
    if (member.state == State::kReady) {
      set_running(member);
      wake(member);
      continue;
    }
    // With fewer threads it takes longer; a thread that ends a core takes the next.
    if (idle_ <= beginning_.size() && !hooks_.add_thread()) return;
    beginning_.push_back(core);
    set_running(member);
    begins_.notify_one();
  }
}

int64_t Rounds::take() {
  std::unique_lock lock(mutex_);
  while (!cancelled_ && !finished()) {
    int64_t core = -1;
    if (!beginning_.empty()) {
      core = beginning_.front();
      beginning_.pop_front();
    } else if (running_ < limits_.tokens && handed_out_ < cores_.size() &&
               members_.at(cores_[handed_out_]).state == State::kNew) {
      core = cores_[handed_out_];
      set_running(members_.at(core));
      dispatch();
    }
    if (core >= 0) {
      set_thread(members_.at(core));
      return core;
    }
    ++idle_;
    begins_.wait(lock);
    --idle_;
  }
  return -1;
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
  const std::lock_guard lock(mutex_);
  auto member = members_.extract(core);
  is_idle_ = false;
  watch_ends();
  end_part(member.mapped());
  ++ended_;
  if (cancelled_) return;
  if (parts_ == 0) begin_round();
  if (finished()) return wake_all();
  dispatch();
}

bool Rounds::wait(int64_t core, const Wait& wait) {
  std::unique_lock lock(mutex_);
  if (cancelled_) return false;
  Member& member = members_.at(core);
  member.wait = &wait;
  member.state = State::kWaiting;
  member.goes_on = false;
  if (!wait.idle) is_idle_ = false;
  end_part(member);
  if (parts_ == 0) begin_round();
  dispatch();
  lock.unlock();
  member.goes_on.wait(false);
  if (cancelled_) return false;
  set_thread(member);
  return true;
}

void Rounds::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  wake_all();
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
    const bool quiet = steps == member.seen_steps && !member.place.awaits_;
    member.quiet = quiet ? member.quiet + 1 : 0;
    member.seen_steps = steps;
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
  dispatch();
  return true;
}

}  // namespace vinci
