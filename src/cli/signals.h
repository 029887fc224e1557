// Ctrl-C, and the signals that ask a program to end.
#pragma once

#include <csignal>

namespace vinci::cli {

// While it exists, SIGINT, SIGTERM and SIGHUP end nothing but are remembered, so that vinci can end
// what it runs, and keep or remove what it has made. SIGTERM and SIGHUP that were ignored (nohup)
// stay so.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  static bool came();

 private:
  static constexpr int kNumbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[3]{};
};

}  // namespace vinci::cli
