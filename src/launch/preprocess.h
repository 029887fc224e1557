// What the compiler's preprocessor makes of a kernel: by this text a compiled kernel is found.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vinci::launch {

struct Preprocessed {
  std::string text;  // with the line markers, which name the files, but not the folder
  std::vector<std::string> inputs;  // files that it was made from
  std::vector<std::string> system;  // those of them that belong to the system
  // Files that are not there, and that would have been read instead of an input.
  std::vector<std::string> absent;
  bool is_relative = false;  // a file is named as seen from the working folder
  bool asks = false;         // an input asks with __has_include: not every look-up is known
};

// Runs `command`, which compiles something, for its preprocessor only. `scratch` is a file that it
// may write. Nothing if the preprocessor finds fault with the source.
std::optional<Preprocessed> preprocess(std::vector<std::string> command,
                                       const std::string& scratch);

// A file's bytes; nothing if it cannot be read.
std::optional<std::string> content_of(const std::string& path);

}  // namespace vinci::launch
