// What streams are given between aclmdlRICaptureBegin and aclmdlRICaptureEnd: kept, to be run
// later.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "host/program.h"

namespace vinci::acl {

using host::Ending;

class Capture {
 public:
  struct Step {
    std::string name;  // of the function or kernel
    const void* stream;
    std::function<Ending()> task;
  };

  void add(Step step) {
    const std::lock_guard lock(mutex_);
    steps_.push_back(std::move(step));
  }
  // In the order in which the program gave them, which keeps that of each stream, and waits for an
  // event behind its record. Ends with the first that fails.
  Ending run() const {
    for (const Step& step : steps_) {
      Ending ending = step.task();
      if (ending.code != 0) return ending;
    }
    return {};
  }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  std::mutex mutex_;
  std::vector<Step> steps_;
};

}  // namespace vinci::acl
