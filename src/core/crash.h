// Kernels that go wrong badly: signals of the kernel's thread become one last message.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace vinci {

inline constexpr int kMostCrashFrames = 64;

// What a signal handler can tell. Plain data: it is written from inside the handler.
struct Crash {
  int signal = 0;
  uint64_t address = 0;   // what was accessed, for SIGSEGV and SIGBUS
  bool in_stack = false;  // the address lies in the thread's stack or just below it
  int64_t block = -1;
  char note[128] = {};  // of an exception that nobody caught: ": <what()>", or a blank
  int depth = 0;
  uint64_t frames[kMostCrashFrames] = {};  // frame 0 is the faulting instruction plus one
};

// The signal that asks a running kernel where it is.
int where_signal();

// Bytes below a stack that count as its overflow. A thread for kernels keeps so many inaccessible.
inline constexpr uint64_t kStackGuardBytes = uint64_t{4} << 30;

// A thread for kernels, with such a guard if the address space allows. False: there is none.
bool create_kernel_thread(pthread_t& thread, void* (*body)(void*), void* argument);

// Gives this thread the stack that the handler runs on, and takes it away again.
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
// the thread of the first block that has not ended, whichever thread it reaches.
void install_crash_handler(void (*last_words)(const Crash&));
// Back to the system's own handling.
void uninstall_crash_handler();

}  // namespace vinci
