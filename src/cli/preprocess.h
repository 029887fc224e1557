// What the compiler's preprocessor makes of a kernel: by this text a compiled kernel is found.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vinci::cli {

struct Preprocessed {
  std::string text;  // with the line markers, which name the files, but not the folder
  std::vector<std::string> inputs;  // files that it was made from
  std::vector<std::string> system;  // those of them that belong to the system
  // Files that are not there, and that would have been read instead of an input.
  std::vector<std::string> absent;
  bool is_relative = false;  // a file is named as seen from the working folder
  bool asks = false;         // an input asks with __has_include: not every look-up is known
};

// Starts a program and waits for it. With `output` its stdout goes to that file, its stderr to
// `output`.log, and what it says there is English. Returns its exit code; throws Error (compile)
// if it cannot be started.
int run_command(const std::vector<std::string>& command, const std::string& output = "");

// Runs `command`, which compiles something, for its preprocessor only. `scratch` is a file that it
// may write. Nothing if the preprocessor finds fault with the source.
std::optional<Preprocessed> preprocess(std::vector<std::string> command,
                                       const std::string& scratch);

// A file's bytes; nothing if it cannot be read.
std::optional<std::string> content_of(const std::string& path);

}  // namespace vinci::cli
