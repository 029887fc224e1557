// What the compiler's preprocessor makes of a kernel: by this text a compiled kernel is found.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vinci::launch {

// Takes the first line off `text`, and its end.
std::string_view take_line(std::string_view& text);

// A line marker: # LINE "FILE" FLAGS, where the flags 1, 2 and 3 say that a file begins, that one
// goes on after another, and that it is the system's.
struct Marker {
  std::string file;
  bool begins = false;
  bool goes_on = false;
  bool system = false;
};
// Nothing: the line is no marker.
std::optional<Marker> marker_of(std::string_view line);

struct Preprocessed {
  std::string text;      // with the line markers, which name the files, but not the folder
  std::string warnings;  // the preprocessor's
  std::vector<std::string> inputs;  // files that it was made from
  // Those of them that belong to the system, and files that are there where others are looked for.
  std::vector<std::string> system;
  // Files that are not there, and that would have been read instead of an input, or asked for with
  // __has_include.
  std::vector<std::string> absent;
  bool is_relative = false;  // a file is named as seen from the working folder
  bool asks = false;         // with __has_include, for a name that only the preprocessor knows
};

// Runs `command`, which compiles something, for its preprocessor only. `scratch` is a file that it
// may write. Nothing if the preprocessor finds fault with the source.
std::optional<Preprocessed> preprocess(std::vector<std::string> command,
                                       const std::string& scratch);

// A file's bytes; nothing if it cannot be read.
std::optional<std::string> content_of(const std::string& path);

}  // namespace vinci::launch
