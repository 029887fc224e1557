// What a kernel's parameters are given, and the call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "launch/kernel_file.h"

namespace vinci::launch {

// A parameter's value as the kernel sees it in memory: the address of a GM buffer, a number, the
// bytes of a struct. As many bytes as the parameter has.
using Value = std::vector<uint8_t>;

Value address_value(const void* buffer);
// The lowest bytes of `bits`: a number as its type holds it, sign-extended.
Value number_value(const Parameter& parameter, uint64_t bits);

// Throws Error (usage) if the kernel's parameters are not known or not so many. `given` says what
// is counted: " --arg".
void check_count(const Kernel& kernel, size_t count, const std::string& given = "");

// A function ready to be called with values: one for each parameter, of its size. Throws Error
// (lacks) for a struct that cannot be passed by value.
class Call {
 public:
  Call(const Kernel& kernel, const std::vector<Value>& values);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();
  void operator()(void* function) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vinci::launch
