// Kernels that go wrong badly: signals of the kernel's thread become one last message.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "vinci/grid.h"

namespace vinci {

inline constexpr int kMostCrashFrames = 64;

// What a signal handler can tell. Plain data: it is written from inside the handler.
struct Crash {
  int signal = 0;
  // What was accessed, for SIGSEGV and SIGBUS; or executed, if `astray`; of SIGSYS the call's
  // number.
  uint64_t address = 0;
  bool in_stack = false;  // the address lies in the thread's stack or just below it
  bool astray = false;    // what was executed is no code
  bool no_stack = false;  // the stack is destroyed: the frames are those of the last instruction
  int64_t block = -1;
  CoreKind kind = CoreKind::kWhole;
  int sub_block = -1;       // as in Fault
  const char* kernel = "";  // Core::kernel_name()
  char note[128] = {};      // of an exception that nobody caught: ": <what()>", or a blank
  int depth = 0;
  // Frame 0 is the faulting instruction plus one, but if `astray` or `no_stack` a return address.
  uint64_t frames[kMostCrashFrames] = {};
};

// The signal that asks a running kernel where it is.
int where_signal();

// Bytes below a stack that count as its overflow. A thread for kernels keeps so many inaccessible.
inline constexpr uint64_t kStackGuardBytes = uint64_t{4} << 30;

// A stack, from its lowest byte to the one behind its highest.
struct StackBounds {
  uint64_t low = 0, high = 0;
};
// The stack that a thread with a CrashStack is on, for a crash's report; returns the one before.
StackBounds exchange_stack(StackBounds now);

// A thread for kernels, with such a guard if the address space allows. False: there is none.
bool create_kernel_thread(pthread_t& thread, void* (*body)(void*), void* argument);

// Lets this thread hear the signals of crashes and where_signal(), whatever the one hears that
// started it.
void hear_crashes();

// Gives this thread the stack that the handler runs on, if it has none, and takes it away again.
class CrashStack {
 public:
  CrashStack();
  ~CrashStack();
  CrashStack(const CrashStack&) = delete;
  CrashStack& operator=(const CrashStack&) = delete;

 private:
  void* memory_;
};

// From now on a deadly signal on a thread with a CrashStack calls `last_words` (which may only use
// async-signal-safe functions) and ends the process with status 1. where_signal() does the same for
// the thread of the first block that has not ended, whichever thread it reaches. On threads without
// a CrashStack signals do what they did before. Once in a process.
void install_crash_handler(void (*last_words)(const Crash&));
// From here on SIGSYS is the kernel's on any thread, as it may have started some. For a sandbox,
// which sends it.
void hear_every_system_call();
// Again, whoever has set other handlers since; but for SIGSYS, which a sandbox keeps.
void renew_crash_handler();
// Whether `last_words` tell of an exception that nobody catches, at its throw.
bool tells_exceptions();

}  // namespace vinci
