// How a command ends early: a message for the user and an exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace vinci::cli {

inline constexpr int kExitClean = 0;
inline constexpr int kExitKernel = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitCompile = 3;
inline constexpr int kExitLacks = 4;
inline constexpr int kExitInternal = 5;

class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

inline Error usage(const std::string& message) { return {kExitUsage, message}; }

}  // namespace vinci::cli
