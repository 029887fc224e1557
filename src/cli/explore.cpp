#include "cli/explore.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "cli/expect.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

using launch::Outcome;

// Eager, lazy, then seeds from 1.
Order nth_order(int n, Order order) {
  order.kind = n == 0 ? Order::Kind::kEager : n == 1 ? Order::Kind::kLazy : Order::Kind::kRandom;
  order.seed = n < 2 ? 0 : uint64_t(n - 1);
  return order;
}

uint64_t bytes_of(const Bound& bound) {
  if (bound.buffer == nullptr) return 0;
  uint64_t elements = 1;
  for (const uint64_t size : bound.shape) elements *= size;
  return vinci::bytes_of(bound.dtype, elements);
}

bool has_error(const Outcome& outcome, Code code) {
  return std::ranges::any_of(outcome.faults, [&](const Fault& fault) {
    return fault.code == code && !fault.entry().warning;
  });
}

}  // namespace

Exploration::Exploration(const std::vector<Bound>& arguments)
    : arguments_(arguments), before_(kept()) {}

Exploration::Buffers Exploration::kept() const {
  Buffers buffers;
  for (const Bound& bound : arguments_) {
    const auto* data = static_cast<const uint8_t*>(bound.buffer);
    buffers.emplace_back(data, data + bytes_of(bound));
  }
  return buffers;
}

void Exploration::restore(const Buffers& buffers) const {
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].empty())
      std::ranges::copy(buffers[i], static_cast<uint8_t*>(arguments_[i].buffer));
  }
}

void Exploration::run(int count, Order order, const Outcome& first, const Run& run) {
  if (has_error(first, Code::kTimeout)) return;  // interrupted, or too slow for more
  const Buffers wanted = kept();
  for (int n = 1; n < count && !fault_; ++n) {
    restore(before_);
    order = nth_order(n, order);
    const Outcome again = run(order);
    ++schedules_;
    compare(order, first, again, wanted);
  }
  restore(wanted);
}

void Exploration::compare(const Order& order, const Outcome& first, const Outcome& again,
                          const Buffers& wanted) {
  if (again.interrupted) {
    const auto is_end = [](const Fault& fault) { return fault.code == Code::kTimeout; };
    const auto end = std::ranges::find_if(again.faults, is_end);
    fault_ = end == again.faults.end() ? Fault{} : *end;
    fault_->frames.clear();  // of a process whose modules nobody kept
    return;
  }
  differs_under_ = schedule_name(order);
  compare_faults(first, again);
  if (!fault_) compare_bytes(first, wanted);
  if (!fault_) differs_under_.clear();
}

// Where an instruction is refused, bytes differ because of that.
void Exploration::compare_faults(const Outcome& first, const Outcome& again) {
  for (const Fault& fault : again.faults) {
    if (fault.entry().warning || has_error(first, fault.code)) continue;
    tell(fmt::format("under --schedule {} there is {} ({}), which --schedule eager has not",
                     differs_under_, to_string(fault.code), fault.message),
         first);
    return;
  }
}

void Exploration::compare_bytes(const Outcome& first, const Buffers& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Bound& bound = arguments_[i];
    if (bound.argument.output.empty() || wanted[i].empty()) continue;
    const std::span got(static_cast<const uint8_t*>(bound.buffer), wanted[i].size());
    const auto [at, other] = std::ranges::mismatch(wanted[i], got);
    if (at == wanted[i].end()) continue;
    const Difference difference =
        difference_at(bound.dtype, wanted[i].data(), got.data(), uint64_t(at - wanted[i].begin()));
    tell(fmt::format("{}{} is {} under --schedule {}, but {} under --schedule eager",
                     bound.argument.output, index_text(difference.element, bound.shape),
                     difference.got, differs_under_, difference.wanted),
         first);
    return;
  }
}

void Exploration::tell(const std::string& message, const Outcome& first) {
  Fault fault;
  fault.code = Code::kUnstable;
  fault.message = message;
  fault.legal = "the same bytes under every schedule; ";
  fault.legal += has_error(first, Code::kRace)
                     ? std::string("V4009 names what has no order")
                     : fmt::format("look with --schedule {} --check race", differs_under_);
  fault_ = fault;
}

}  // namespace vinci::cli
