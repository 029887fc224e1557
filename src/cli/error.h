// How a command ends early: an error of the library that launches, and its exit code.
#pragma once

#include "launch/error.h"

namespace vinci::cli {

using launch::Error;
using launch::usage;

inline constexpr int kExitClean = 0;
inline constexpr int kExitKernel = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitCompile = 3;
inline constexpr int kExitLacks = 4;
inline constexpr int kExitInternal = 5;

inline int exit_code(const Error& error) {
  switch (error.kind()) {
    case Error::Kind::kUsage: return kExitUsage;
    case Error::Kind::kCompile: return kExitCompile;
    case Error::Kind::kLacks: return kExitLacks;
    case Error::Kind::kInternal: break;
  }
  return kExitInternal;
}

}  // namespace vinci::cli
