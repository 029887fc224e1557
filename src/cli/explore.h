// --explore: the same launch under several schedules must give the same bytes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/argument.h"
#include "launch/launch.h"
#include "vinci/order.h"

namespace vinci::cli {

inline constexpr int kMostSchedules = 1000;

class Exploration {
 public:
  using Run = std::function<launch::Outcome(const Order& order)>;

  // Keeps what the arguments' buffers hold before the first run.
  explicit Exploration(const std::vector<Bound>& arguments);

  // `first` is what the eager run left, and buffers hold what it wrote, now and afterwards. Runs
  // the launch under `count` - 1 further schedules, or until one gives something else: other bytes
  // of an output, or errors that the first did not have. `order` is the first run's.
  void run(int count, Order order, const launch::Outcome& first, const Run& run);

  int schedules() const { return schedules_; }  // that were run, the first included
  // V4012, or what interrupted a run.
  const std::optional<Fault>& fault() const { return fault_; }
  // The first schedule that gave something else; empty: all gave the same.
  const std::string& differs_under() const { return differs_under_; }

 private:
  using Buffers = std::vector<std::vector<uint8_t>>;

  Buffers kept() const;
  void restore(const Buffers& buffers) const;
  void compare(const Order& order, const launch::Outcome& first, const launch::Outcome& again,
               const Buffers& wanted);
  void compare_faults(const launch::Outcome& first, const launch::Outcome& again);
  void compare_bytes(const launch::Outcome& first, const Buffers& wanted);
  void tell(const std::string& message, const launch::Outcome& first);

  const std::vector<Bound>& arguments_;
  const Buffers before_;
  int schedules_ = 1;
  std::optional<Fault> fault_;
  std::string differs_under_;
};

}  // namespace vinci::cli
