// What a person at a terminal sees and does while vinci works.
#pragma once

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "launch/command.h"
#include "launch/launch.h"

namespace vinci::cli {

// Starts the compiler and says so on a terminal meanwhile, unless `quiet`.
int start_compiler(const std::vector<std::string>& command, const std::string& source,
                   std::string_view soc, bool quiet);

// While it exists, Ctrl-C ends the kernel instead of vinci, and after some time a line on the
// terminal counts the blocks.
class Onlooker {
 public:
  explicit Onlooker(const launch::Launch& launch);
  Onlooker(const Onlooker&) = delete;
  Onlooker& operator=(const Onlooker&) = delete;
  ~Onlooker();
  launch::Watch watch();

 private:
  void show(int64_t block, double seconds);

  const launch::Launch& launch_;
  const bool terminal_;
  bool shown_ = false;
  struct sigaction before_ {};
};

}  // namespace vinci::cli
