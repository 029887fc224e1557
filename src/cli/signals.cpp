#include "cli/signals.h"

#include <iterator>

namespace vinci::cli {
namespace {

volatile sig_atomic_t signal_came = 0;

}  // namespace

Signals::Signals() {
  static_assert(std::size(kNumbers) == std::extent_v<decltype(before_)>);
  struct sigaction action {};
  action.sa_handler = [](int) { signal_came = 1; };
  for (size_t i = 0; i < std::size(kNumbers); ++i) {
    sigaction(kNumbers[i], &action, &before_[i]);
    const bool ignored = before_[i].sa_handler == SIG_IGN && kNumbers[i] != SIGINT;
    if (ignored) sigaction(kNumbers[i], &before_[i], nullptr);
  }
}

Signals::~Signals() {
  for (size_t i = 0; i < std::size(kNumbers); ++i) sigaction(kNumbers[i], &before_[i], nullptr);
}

bool Signals::came() { return signal_came != 0; }

}  // namespace vinci::cli
