// What of a core's instructions has ended when a pipe starts one: vector clocks over its pipes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "vinci/event.h"

namespace vinci {

// For each pipe the number of its last instruction that is known to have ended, from 1.
struct Clock {
  std::array<uint32_t, kPipes> ended{};

  uint32_t& operator[](Pipe pipe) { return ended[size_t(pipe)]; }
  uint32_t operator[](Pipe pipe) const { return ended[size_t(pipe)]; }
  void learn(const Clock& other) {
    for (size_t i = 0; i < ended.size(); ++i) ended[i] = std::max(ended[i], other.ended[i]);
  }
};

// The scalar unit, kS, issues everything in program order: what it knows, each pipe knows of what
// it is given later.
class PipeClocks {
 public:
  void begin() { *this = {}; }

  // The pipe is given an instruction: its number.
  uint32_t give(Pipe pipe) {
    if (pipe != Pipe::kS) ++moment_;
    learn_from_scalar(pipe);
    return ++given_[size_t(pipe)];
  }
  uint32_t given(Pipe pipe) const { return given_[size_t(pipe)]; }
  // What has ended when the pipe starts what it was given last.
  const Clock& of(Pipe pipe) const { return known_[size_t(pipe)]; }
  void learn(Pipe pipe, const Clock& what) {
    known(pipe).learn(what);
    if (pipe == Pipe::kS) know_scalar_ = 0;
  }

  // What has ended once the pipe has done all that it was given.
  Clock after(Pipe pipe) {
    ++moment_;
    learn_from_scalar(pipe);
    Clock clock = of(pipe);
    clock[pipe] = given(pipe);
    return clock;
  }
  void barrier(Pipe pipe) { learn(pipe, after(pipe)); }
  void barrier_of_all() {
    ++moment_;
    Clock clock;
    for (int i = 0; i < kPipes; ++i) clock.ended[size_t(i)] = given_[size_t(i)];
    known_.fill(clock);
    know_scalar_ = ~0u;
  }

  // Changes whenever others may come to know how far the scalar unit is: what it did between two
  // changes is known to them as a whole.
  uint32_t moment() const { return moment_; }

 private:
  Clock& known(Pipe pipe) { return known_[size_t(pipe)]; }
  void learn_from_scalar(Pipe pipe) {
    const uint32_t bit = 1u << size_t(pipe);
    if (pipe == Pipe::kS || (know_scalar_ & bit) != 0) return;
    learn(pipe, of(Pipe::kS));
    know_scalar_ |= bit;
  }

  std::array<Clock, kPipes> known_{};
  uint32_t know_scalar_ = 0;  // a bit for each pipe that knows all that the scalar unit knows
  std::array<uint32_t, kPipes> given_{};
  uint32_t moment_ = 0;
};

}  // namespace vinci
