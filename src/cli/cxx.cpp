// vinci c++: the host compiler, in vinci's place.
#include <unistd.h>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "launch/chip.h"
#include "launch/compile.h"

namespace vinci::cli {

int cxx(const std::string& soc_name, const std::vector<std::string>& arguments) {
  const Soc& soc = launch::chip(soc_name);
  const launch::Installation installation = launch::own_installation();
  std::vector<std::string> command{launch::compiler()};
  const auto options = launch::kernel_options(soc, installation);
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  bool links = true;
  for (const std::string& argument : arguments) {
    for (const char* stage : {"-c", "-E", "-S", "-fsyntax-only"}) links &= argument != stage;
  }
  if (links) {
    for (const char* option : {"-L", "-Wl,-rpath,"}) {
      command.push_back(option + installation.library_directory);
    }
    command.push_back("-lvinci");
    // A library with sanitizers wants their runtime first in the program.
    if (*VINCI_SANITIZE != '\0') command.push_back("-fsanitize=" VINCI_SANITIZE);
  }
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
  throw Error(Error::Kind::kCompile, fmt::format("the compiler {} cannot be started", command[0]));
}

}  // namespace vinci::cli
