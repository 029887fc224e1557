// Signal handlers on an alternate stack.
#include "core/crash.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>

#include <execinfo.h>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/core.h"

namespace vinci {
namespace {

void (*last_words_of_kernel)(const Crash&) = nullptr;

constexpr size_t kStackBytes = 1 << 20;  // room for a report, not only for the handler
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGUSR1};

// This thread's own stack.
thread_local uint64_t stack_low = 0, stack_high = 0;

void find_stack() {
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  stack_low = reinterpret_cast<uint64_t>(low);
  stack_high = stack_low + bytes;
}

uint64_t instruction_of(void* context) {
  const auto* machine = &static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return uint64_t(machine->gregs[REG_RIP]);
#elif defined(__aarch64__)
  return uint64_t(machine->pc);
#else
  return 0;
#endif
}

// backtrace() also shows the handler's own frames; the kernel's begin at the faulting instruction.
void fill_frames(Crash& crash, uint64_t instruction) {
  void* frames[kMostCrashFrames];
  const int depth = backtrace(frames, kMostCrashFrames);
  int first = 0;
  while (first < depth && reinterpret_cast<uint64_t>(frames[first]) != instruction) ++first;
  crash.frames[crash.depth++] = instruction + 1;
  for (int i = first + 1; i < depth; ++i) {
    crash.frames[crash.depth++] = reinterpret_cast<uint64_t>(frames[i]);
  }
}

thread_local char exception_note[sizeof(Crash::note)] = {};

// Reached from the throw itself when no handler was found: the kernel's frames are still there.
[[noreturn]] void on_terminate() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::exception& exception) {
    std::snprintf(exception_note, sizeof(exception_note), ": %s", exception.what());
  } catch (...) {
    exception_note[0] = ' ';
  }
  std::abort();
}

// Only one thread speaks, and only in its block's turn; the others wait for the end.
void wait_to_speak(const Core* core) {
  static std::atomic<bool> speaking = false;
  if ((core == nullptr || core->await_turn()) && !speaking.exchange(true)) return;
  while (true) pause();
}

void handle(int signal, siginfo_t* info, void* context) {
  const Core* core = Core::current_or_null();
  const Rounds* rounds = Rounds::of_thread();
  if (signal == where_signal() && rounds != nullptr && rounds->pass_on(signal)) return;
  static thread_local volatile sig_atomic_t entered = 0;
  if (entered != 0) _exit(1);
  entered = 1;
  wait_to_speak(core);
  Crash crash;
  crash.signal = signal;
  crash.address = reinterpret_cast<uint64_t>(info->si_addr);
  crash.in_stack = crash.address >= stack_low - kStackGuardBytes && crash.address < stack_high;
  crash.block = core == nullptr ? -1 : core->block_index();
  if (signal == SIGABRT) std::memcpy(crash.note, exception_note, sizeof(crash.note));
  fill_frames(crash, instruction_of(context));
  last_words_of_kernel(crash);
  _exit(1);
}

}  // namespace

int where_signal() { return SIGUSR1; }

void uninstall_crash_handler() {
  std::set_terminate(std::abort);
  for (const int signal : kSignals) std::signal(signal, SIG_DFL);
}

bool create_kernel_thread(pthread_t& thread, void* (*body)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setguardsize(&attributes, kStackGuardBytes);
  const bool guarded = pthread_create(&thread, &attributes, body, argument) == 0;
  pthread_attr_destroy(&attributes);
  return guarded || pthread_create(&thread, nullptr, body, argument) == 0;
}

CrashStack::CrashStack() : memory_(std::malloc(kStackBytes)) {
  find_stack();
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

CrashStack::~CrashStack() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  std::free(memory_);
}

void install_crash_handler(void (*last_words)(const Crash&)) {
  last_words_of_kernel = last_words;
  std::set_terminate(on_terminate);
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads the unwinder now, where that is allowed

  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
}

}  // namespace vinci
