// What a person at a terminal sees and does while vinci works.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/command.h"
#include "launch/launch.h"

namespace vinci::cli {

// Starts the compiler and says so on a terminal meanwhile, unless `quiet`. For a terminal what it
// says is in colours.
int start_compiler(std::vector<std::string> command, const launch::Redirection& to,
                   const std::string& source, std::string_view soc, bool quiet);

// What a compiler has said, in colours on a terminal only.
void tell_messages(const std::string& messages);

// While it exists, signals end the kernel (see Signals), and after some time a line on the terminal
// counts the blocks.
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
};

}  // namespace vinci::cli
