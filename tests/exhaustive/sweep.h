// A sweep over blocks of inputs on all processors, with its progress and its result on one line.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace vinci::exhaustive {

struct Tally {
  uint64_t checked = 0;
  uint64_t wrong = 0;
  std::string first_wrong;  // "input -> result"

  void add(const Tally& other) {
    checked += other.checked;
    wrong += other.wrong;
    if (first_wrong.empty()) first_wrong = other.first_wrong;
  }
};

// On a terminal a bar, rewritten in place; else a line every half minute.
class Progress {
 public:
  explicit Progress(std::string name) : name_(std::move(name)) {}

  void show(double part) {
    const auto now = std::chrono::steady_clock::now();
    if (terminal_) {
      constexpr int kWidth = 40;
      const std::string bar(size_t(part * kWidth), '#');
      std::printf("\r%-24s [%-*s] %3.0f %%", name_.c_str(), kWidth, bar.c_str(), part * 100);
    } else if (now - last_ > std::chrono::seconds(30)) {
      std::printf("%-24s %3.0f %%\n", name_.c_str(), part * 100);
      last_ = now;
    }
    std::fflush(stdout);
  }

  void finish(const Tally& tally) {
    std::printf("%s%-24s %11" PRIu64 " checked, %" PRIu64 " wrong%s%s\n",
                terminal_ ? "\r\033[K" : "", name_.c_str(), tally.checked, tally.wrong,
                tally.wrong != 0 ? ", first " : "", tally.first_wrong.c_str());
    std::fflush(stdout);
  }

 private:
  std::string name_;
  bool terminal_ = isatty(STDOUT_FILENO) != 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Calls body(block) for each block below `blocks`; returns whether nothing was wrong.
inline bool sweep(const std::string& name, uint64_t blocks,
                  const std::function<Tally(uint64_t)>& body) {
  std::atomic<uint64_t> next{0}, done{0};
  std::vector<Tally> tallies(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (Tally& tally : tallies) {
    threads.emplace_back([&] {
      for (uint64_t block; (block = next++) < blocks; ++done) tally.add(body(block));
    });
  }
  Progress progress(name);
  while (done < blocks) {
    progress.show(double(done) / double(blocks));
    std::this_thread::sleep_for(std::chrono::milliseconds(blocks < 100 ? 1 : 200));
  }
  Tally sum;
  for (size_t i = 0; i < threads.size(); ++i) {
    threads[i].join();
    sum.add(tallies[i]);
  }
  progress.finish(sum);
  return sum.wrong == 0;
}

}  // namespace vinci::exhaustive
