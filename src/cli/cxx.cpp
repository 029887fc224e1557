// vinci c++: the host compiler, in vinci's place.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "cli/signals.h"
#include "launch/chip.h"
#include "launch/command.h"
#include "launch/compile/compile.h"
#include "launch/compile/missing_names.h"

namespace vinci::cli {

int cxx(const std::string& soc_name, const std::vector<std::string>& arguments) {
  const Soc& soc = launch::chip(soc_name);
  const launch::Installation installation = launch::own_installation();
  std::vector<std::string> command = launch::compiler();
  const auto options = launch::kernel_options(soc, installation);
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  bool links = true;
  for (const std::string& argument : arguments) {
    for (const char* stage : {"-c", "-E", "-S", "-fsyntax-only"}) links &= argument != stage;
  }
  if (links) {
    const auto library = launch::library_options(installation);
    command.insert(command.end(), library.begin(), library.end());
  }
  const Signals signals;
  const launch::CommandLimit limit(
      [] { return std::string(Signals::came() ? "interrupted" : ""); });
  const int code = launch::run_command(command);
  const bool asks_again = std::ranges::find(arguments, "-") == arguments.end();
  if (code == 0 || !asks_again) return code;
  for (const std::string& sentence :
       launch::about_missing_names(launch::errors_in_english(command), installation)) {
    fmt::print(stderr, "vinci: {}\n", sentence);
  }
  return code;
}

}  // namespace vinci::cli
