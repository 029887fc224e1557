// The --arg specifications: what a kernel's parameters are fed with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/npy.h"
#include "launch/bind.h"
#include "vinci/device.h"
#include "vinci/dtype.h"

namespace vinci::cli {

// One --arg, parsed. Files are not opened yet.
struct Argument {
  enum class Kind { kIn, kOut, kInOut, kZeros, kNull, kValue };
  Kind kind = Kind::kIn;
  std::string text;            // as the user wrote it, with the option
  std::string input;           // in, inout
  std::string output;          // out, inout
  DType dtype = DType::kNone;  // kNone: the file's own
  std::vector<uint64_t> shape;
  std::string number;  // value
};

// The sizes of "16x128". Throws Error (usage), in which `argument` is what the user wrote.
std::vector<uint64_t> parse_shape(const std::string& text, const std::string& argument);
// What the colons part.
std::vector<std::string> split(const std::string& text);

// `said` is what the user wrote, if not --arg and `spec`. Throws Error (usage) that names the legal
// forms.
Argument parse_argument(const std::string& spec, const std::string& said = "");

// The file of an in or inout, as the type and shape that are said. Throws Error (usage).
Array read_input(const Argument& argument);

// A parameter ready for the call: a GM buffer, or the bytes of a value.
struct Bound {
  Argument argument;
  DType dtype = DType::kNone;
  std::vector<uint64_t> shape;
  void* buffer = nullptr;
  launch::Value value;
};

// Checks the arguments against the kernel's parameters, reads the files and allocates GM.
std::vector<Bound> bind_arguments(const std::vector<Argument>& arguments,
                                  const launch::Kernel& kernel, Device& device);

}  // namespace vinci::cli
