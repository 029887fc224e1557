// The cores of a launch, on a few host threads, seen from outside as if there were one.
//
// They run in rounds. In a round each core that can goes on until it must wait for another one, or
// ends; what it tells the others is seen from the next round on. So how a core goes on depends on
// earlier rounds alone, and not on the host. In a round cores have an order, the one of the launch.
// They compute side by side, but whatever a user can see of one, a fault, a print, a crash, the end
// of the kernel, a sum in GM, waits until all cores before it have ended their part of the round.
// A round in which no core could go on is a deadlock.
//
// Each core has a call stack of its own, a fiber, from its beginning to its end. A thread runs
// cores as far as they go, one after the other.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "core/cores/fiber.h"

namespace vinci {

class Rounds;

// A core's place in the order of its round, for the core and for signal handlers on its thread.
class Place {
 public:
  // Waits until all cores before this one have ended their part; false if that will never be.
  bool await_turn() const;

 private:
  friend class Rounds;
  static constexpr int64_t kNoOrder = -1;

  const Rounds* rounds_ = nullptr;
  std::atomic<int64_t> position_{kNoOrder};
  mutable std::atomic<bool> awaits_{false};
};

// Why a core waits for others.
struct Wait {
  // Whether it need not wait any longer, asked between two rounds. Empty: it only lets others go
  // on, and goes on itself in the next round.
  std::function<bool()> is_over;
  // Tells the user that it never will be. Called for one core after the other, while all wait.
  std::function<void()> tell;
  // It has done nothing since its last wait that another core could see.
  bool idle = false;
};

class Rounds {
 public:
  struct Limits {
    int64_t cores = 1;  // of the launch
    int64_t alive = 1;  // that the chip has: at any time so many have begun and not ended
    size_t tokens = 1;  // host threads that compute at once
  };
  struct Hooks {
    // What a core is: all of its kernel. False: it ended early, and the launch with it.
    std::function<bool(int64_t core)> run;
    // Starts a thread that calls help(); false if there is none to be had.
    std::function<bool()> add_thread;
    // All cores before `core` have ended. In ascending order, before anything is seen of it.
    std::function<void(int64_t core)> watcher;
    // What the cores told each other in this round is seen from now on. False: the launch is over.
    std::function<bool()> publish;
  };

  Rounds(const Limits& limits, FiberStacks& stacks, Hooks hooks);
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  // The rounds that this thread runs cores of, for signal handlers; nullptr: none.
  static const Rounds* of_thread();

  // For the thread that launches: runs cores as long as there is one that this thread could run.
  void work();
  // The same for a thread that was added.
  void help();
  // No core begins any more, and those that wait do so in vain.
  void cancel();
  // What a core threw, and did not catch itself; the first of them. It has cancelled the launch.
  std::exception_ptr thrown();

  // For a core that runs: its place, until its end. `steps` counts what it does.
  const Place& place(int64_t core, const std::atomic<uint64_t>& steps);
  // The core ends its part of the round, and goes on when `wait` is over. False: never, because the
  // launch has been cancelled or all cores wait.
  bool wait(int64_t core, const Wait& wait);

  // Hands `signal` to the thread of the first core that has not ended its part, or else of one that
  // runs beside the rounds; false if that is this thread. For signal handlers.
  bool pass_on(int signal) const;

  // Of the round that goes on, from 1.
  uint64_t number() const { return number_; }
  bool finished() const { return ended_ == limits_.cores; }
  // How things stand, for Wait::tell.
  struct Standing {
    int64_t waiting = 0;       // cores
    int64_t first_ended = -1;  // a core; -1: none has
    int64_t next = 0;          // the first that has not begun
  };
  Standing standing() const;

  // To be called ten times a second, until it returns false. A core that has not come to the door
  // for half a second may be waiting for one that has not begun, without saying so: its token goes
  // to others. After ten seconds the rounds go on without it, and what is seen of it has no order
  // any more.
  bool watch();

 private:
  friend class Place;
  enum class State : uint8_t { kNew, kReady, kRunning, kWaiting };
  struct Member {
    State state = State::kNew;
    Place place;
    std::optional<Fiber> fiber;  // once it has begun
    const Wait* wait = nullptr;
    std::atomic<pthread_t> thread{0};
    bool gave_token = false;  // runs without a token
    bool detached = false;    // runs beside the rounds
    const std::atomic<uint64_t>* steps = nullptr;
    uint64_t seen_steps = 0;
    int quiet = 0;  // calls of watch() without a step
  };

  struct Turn {
    int64_t core = -1;
    Member* member = nullptr;
  };

  void begin_round();
  void report_deadlock();
  // A core for this thread, which waits for one if need be; none: there will be none.
  Turn next(std::unique_lock<std::mutex>& lock);
  // Of a launch that is over, a core that has begun and waits in vain.
  Turn next_in_vain();
  void begin(const Turn& turn);
  // The core has given its thread back: it waits, or has ended.
  void settle(const Turn& turn);
  void end(int64_t core);
  void end_launch();
  // Other threads, for what the round has left and as long as there are tokens.
  void call_threads();
  void set_running(Member& member);
  void end_part(Member& member);
  void watch_ends();
  void detach(Member& member);

  const Limits limits_;
  FiberStacks& stacks_;
  const Hooks hooks_;
  std::mutex mutex_;
  std::condition_variable called_or_over_;
  std::map<int64_t, Member> members_;  // that are alive, by core
  int64_t next_core_ = 0;
  int64_t watched_ = 0;  // the last core that the watcher was told
  std::atomic<int64_t> ended_{0};
  std::atomic<bool> cancelled_{false};
  std::exception_ptr thrown_;

  std::atomic<uint64_t> number_{0};
  // The round: by position.
  std::vector<int64_t> cores_;
  std::vector<Member*> members_of_round_;
  std::vector<bool> done_;                       // has ended its part
  std::vector<std::atomic<pthread_t>> threads_;  // 0: not there yet
  size_t handed_out_ = 0;                        // positions
  size_t parts_ = 0;                             // that have not ended
  std::atomic<int64_t> first_{0};                // whose part has not ended
  bool is_idle_ = true;                          // nobody has done anything in this round
  int idle_rounds_ = 0;                          // in a row

  size_t running_ = 0;  // tokens in use
  size_t detached_ = 0;
  std::atomic<pthread_t> detached_thread_{0};  // one of them
  size_t idle_ = 0;                            // threads that wait to be called
  size_t called_ = 0;                          // of them, who have not heard it yet
  size_t starting_ = 0;                        // threads that were added and are not there yet
};

}  // namespace vinci
