// The header that host code of operators is made with, compiled once: most of the time of a small
// source goes into it.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "launch/compile/compile.h"

namespace vinci::launch {

struct CompiledHostHeader {
  std::vector<std::string> options;  // to come before all others; none: there is none
  std::set<std::string> files;       // that it was made from
};

// Whether a source says that it wants what is in register/op_def_registry.h or a header below it,
// itself or in a header beside it or in `folders`, and defines nothing before, which could change
// that header, nor has one of its own of that name.
bool wants_host_header(const std::string& source, const std::vector<std::string>& folders);

// `command`: the compiler, which is g++, and its options, without those that are of no account to
// vinci's headers. Kept in `kept`, with compiled headers of other kinds; made in `work`.
CompiledHostHeader compiled_host_header(const std::vector<std::string>& command,
                                        const std::string& identity,
                                        const Installation& installation,
                                        const std::filesystem::path& kept,
                                        const std::filesystem::path& work,
                                        const StartCompiler& start);

}  // namespace vinci::launch
