// The header with which nearly every kernel begins, compiled once: nine tenths of a kernel's
// compilation are spent on it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/command.h"
#include "launch/compile/compile.h"

namespace vinci::launch {

// A header of vinci's, and how the kernels that include it are compiled.
struct LeadingHeader {
  std::string path;                   // as the compiler names it
  std::vector<std::string> compiler;  // g++: the words of a command before its options
  std::vector<std::string> options;   // without what kernels differ in
  std::vector<std::string> lighter;   // those that spare what the source does not need of it
  std::string identity;               // of the compiler and what it heeds beside its command line
};

// What the header is to the preprocessor, if `text` begins with it: the lines after the marker of
// its beginning, with those of all that it includes.
std::optional<std::string_view> leading_text(std::string_view text, const std::string& header);

struct HeaderFolders {
  std::filesystem::path kept;  // where compiled headers stay, the twelve used last
  std::filesystem::path work;
};

// Of compiled headers: each change of one or of its options makes another, and those used long ago
// go.
void drop_old(const std::filesystem::path& kept);

// Options for a source of which the preprocessor makes `text`, to come before all others: with them
// it takes the compiled header, which is made if it is not there. None if the source begins with
// something else, or if its definitions make the header something else. Those that change no more
// than what it defines g++ finds by itself, and reads the header as it always does.
std::vector<std::string> with_compiled_header(const LeadingHeader& header, std::string_view text,
                                              const HeaderFolders& folders,
                                              const StartCompiler& start);

}  // namespace vinci::launch
