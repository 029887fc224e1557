// What launches from Python share: what is left of one, devices that they take, signals meanwhile.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pybind11/pybind11.h>

#include "launch/error.h"
#include "launch/launch.h"
#include "launch/options.h"
#include "launch/report.h"
#include "report/sarif.h"
#include "report/source_line.h"
#include "report/suppress.h"
#include "report/text.h"
#include "vinci/device.h"

namespace vinci::python {

namespace py = pybind11;

inline constexpr std::chrono::milliseconds kSignalPeriod{50};

// As text, whatever bytes a source has, and so its compiler's messages.
inline py::str decoded(std::string_view bytes) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(bytes.data(), py::ssize_t(bytes.size()), "replace"));
}

// What one launch left.
class PyRun {
 public:
  PyRun(std::string file, launch::Launch launch, Checks checks, launch::Outcome outcome)
      : file_(std::move(file)),
        launch_(std::move(launch)),
        checks_(checks),
        outcome_(std::move(outcome)) {}

  bool is_clean() const { return outcome_.faults.empty(); }
  bool timed_out() const {
    for (const Fault& fault : outcome_.faults) {
      if (fault.code == Code::kTimeout) return !outcome_.interrupted;
    }
    return false;
  }
  double seconds() const { return outcome_.seconds; }
  // Code and message of each.
  std::vector<std::pair<std::string, std::string>> errors() const {
    std::vector<std::pair<std::string, std::string>> errors;
    for (const Fault& fault : outcome_.faults) {
      if (!fault.entry().warning) errors.emplace_back(to_string(fault.code), fault.message);
    }
    return errors;
  }
  // V4012: another schedule gives something else.
  void add_unstable(const std::string& message, const std::string& legal) {
    Fault fault;
    fault.code = Code::kUnstable;
    fault.message = message;
    fault.legal = legal;
    outcome_.faults.push_back(fault);
  }
  // Gives reasons to the faults that the file names. Its lines that were for none.
  std::vector<std::string> suppress(const std::string& file) {
    const SourceLines lines = SourceLines::of_maps(outcome_.maps);
    Suppressions suppressions = suppressions_of(file);
    for (Fault& fault : outcome_.faults) suppressions.apply(fault, lines);
    return suppressions.unused();
  }
  static Suppressions suppressions_of(const std::string& file) {
    try {
      return Suppressions::read(file);
    } catch (const std::runtime_error& error) {
      throw launch::usage(fmt::format("suppress: {}", error.what()));
    }
  }
  std::string sarif() const {
    return sarif_of(outcome_.faults, SourceLines::of_maps(outcome_.maps))
        .dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  // The report, and with each fault its text.
  std::string report() const {
    const SourceLines lines = SourceLines::of_maps(outcome_.maps);
    auto report = launch::report_of(file_, launch_, checks_, outcome_, outcome_.faults, lines);
    for (size_t i = 0; i < outcome_.faults.size(); ++i) {
      report["faults"][i]["text"] = text_of(outcome_.faults[i], lines);
    }
    return report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

 private:
  std::string file_;
  launch::Launch launch_;
  Checks checks_;
  launch::Outcome outcome_;
};

// Devices of a chip that no launch uses at the moment: each thread that launches takes one.
class Devices {
 public:
  Devices(std::string_view soc, Checks checks) : soc_(soc), checks_(checks) {}

  std::unique_ptr<Device> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Device>(soc_, checks_);
    auto device = std::move(idle_.back());
    idle_.pop_back();
    return device;
  }
  void give_back(std::unique_ptr<Device> device) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(device));
  }

 private:
  const std::string soc_;
  const Checks checks_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Device>> idle_;
};

// What launches are looked at with: what was said at first, unless a call says something else.
class CheckSets {
 public:
  struct Set {
    Checks checks;
    Devices devices;
  };
  CheckSets(std::string_view soc, std::string first) : soc_(soc), first_(std::move(first)) {
    of(first_);
  }

  // "" is what was said at first. Throws Error (usage).
  Set& of(const std::string& words) {
    const std::string& said = words.empty() ? first_ : words;
    const std::lock_guard lock(mutex_);
    auto& known = sets_[said];
    if (known == nullptr) {
      const Checks checks = launch::checks_of({"check", said});
      known.reset(new Set{checks, Devices(soc_, checks)});
    }
    return *known;
  }

 private:
  const std::string soc_, first_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Set>> sets_;
};

// Lets Python's signal handlers run now and then; true when one of them raised.
class Signals {
 public:
  bool raised() {
    const auto now = std::chrono::steady_clock::now();
    if (is_raised_ || now - last_ < kSignalPeriod) return is_raised_;
    last_ = now;
    const py::gil_scoped_acquire python;
    is_raised_ = PyErr_CheckSignals() != 0;
    if (is_raised_) error_ = std::make_unique<py::error_already_set>();
    return is_raised_;
  }
  void rethrow() {
    if (is_raised_) throw py::error_already_set(std::move(*error_));
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool is_raised_ = false;
  std::unique_ptr<py::error_already_set> error_;
};

}  // namespace vinci::python
