// From signals to codes.
#include "report/crash_fault.h"

#include <csignal>
#include <cstring>

#include <fmt/format.h>

namespace vinci {
namespace {

struct Wording {
  Code code;
  std::string message;
  const char* legal;
};

Wording wording_of(const Crash& crash) {
  const bool access = crash.signal == SIGSEGV || crash.signal == SIGBUS;
  if (crash.signal == where_signal()) return {Code::kTimeout, "stopped while it was running", ""};
  if (crash.signal == SIGFPE) {
    return {Code::kDivideByZero, "integer division by zero, or a quotient that does not fit",
            "a divisor other than 0"};
  }
  if (crash.astray && (access || crash.signal == SIGILL)) {
    std::string message =
        crash.address == 0
            ? "a function is called at address 0"
            : fmt::format("address {:#x} is executed, where no code is", crash.address);
    if (crash.no_stack) {
      message += "; the stack is destroyed, too, and the line is that of the last instruction";
    }
    return {Code::kBadAddress, message, "functions, and local arrays that are not left"};
  }
  if (access && crash.in_stack) {
    return {Code::kStackOverflow, "the stack is full", "less recursion, smaller local arrays"};
  }
  if (access && crash.address == 0) {
    return {Code::kBadAddress,
            "scalar code reads or writes address 0, or one that no pointer can "
            "hold",
            "addresses inside a GM buffer"};
  }
  if (access) {
    constexpr uint64_t kLargestMemory = 1 << 20;  // L1, of the chips that have most
    const bool may_be_local = crash.address < kLargestMemory;
    return {Code::kBadAddress,
            fmt::format("scalar code reads or writes address {:#x}, which is no memory of its own",
                        crash.address),
            may_be_local ? "addresses inside a GM buffer; for what lies there in UB, GetValue, "
                           "SetValue or a pointer of GetPhyAddr"
                         : "addresses inside a GM buffer"};
  }
  if (crash.signal == SIGABRT && crash.note[0] != '\0') {
    const std::string what = crash.note[0] == ' ' ? "" : crash.note;
    return {Code::kException, "the kernel let a C++ exception escape" + what,
            "a handler in the kernel"};
  }
  if (crash.signal == SIGABRT) {
    return {Code::kException, "abort() was called", "return from the kernel"};
  }
  return {Code::kSignal, fmt::format("signal {}: {}", crash.signal, strsignal(crash.signal)), ""};
}

}  // namespace

Fault crash_fault(const Crash& crash, const std::string& kernel) {
  const Wording wording = wording_of(crash);
  Fault fault;
  fault.code = wording.code;
  fault.message = fmt::format("{}: {}", kernel, wording.message);
  // A member behind a null pointer lies near it.
  constexpr uint64_t kNearNull = 1 << 16;
  const bool may_be_null = fault.code == Code::kBadAddress && crash.address < kNearNull;
  if (crash.signal != SIGABRT && crash.note[0] != '\0' && may_be_null) {
    fault.message += fmt::format("; before that a null pointer came from {}", crash.note);
  }
  fault.legal = wording.legal;
  fault.block = crash.block;
  fault.sub_block = crash.sub_block;
  fault.frames.assign(crash.frames, crash.frames + crash.depth);
  return fault;
}

}  // namespace vinci
