// Signal handlers on an alternate stack.
#include "core/crash.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <utility>

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/core.h"

namespace vinci {
namespace {

void (*last_words_of_kernel)(const Crash&) = nullptr;
bool every_system_call = false;   // of any thread
std::atomic<bool> loads = false;  // the kernel's file, whose constructors may have threads

constexpr size_t kStackBytes = 1 << 20;  // room for a report, not only for the handler
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGUSR1};

// That this thread is on, if it has a CrashStack.
thread_local StackBounds on_stack;

bool has_crash_stack() { return on_stack.high != 0; }

// What handled signals, and exceptions that nobody caught, before.
struct sigaction former_actions[NSIG];
std::terminate_handler former_terminate = nullptr;

void find_stack() {
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  on_stack.low = reinterpret_cast<uint64_t>(low);
  on_stack.high = on_stack.low + bytes;
}

bool is_on_stack(uint64_t address) {
  return address % 8 == 0 && address >= on_stack.low && address + 16 <= on_stack.high;
}

// Wherever that is among what sanitizers guard.
[[gnu::no_sanitize_address]] uint64_t word_at(uint64_t address) {
  return *reinterpret_cast<const uint64_t*>(address);
}

// Where a thread was.
struct Place {
  uint64_t instruction = 0;
  uint64_t return_address = 0;  // if a function has just been called
  uint64_t frame = 0;           // with the caller's frame, and where that goes on
  bool is_known = true;
};

Place place_of(void* context) {
  [[maybe_unused]] const auto* machine = &static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  const auto stack = uint64_t(machine->gregs[REG_RSP]);
  return {uint64_t(machine->gregs[REG_RIP]), is_on_stack(stack) ? word_at(stack) : 0,
          uint64_t(machine->gregs[REG_RBP])};
#elif defined(__aarch64__)
  return {machine->pc, machine->regs[30], machine->regs[29]};
#else
  return {0, 0, 0, false};
#endif
}

bool is_code(uint64_t address) {
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(address), &info) != 0;
}

// By the pointers that frames begin with, as far as they make sense.
void follow_frames(Crash& crash, uint64_t return_address, uint64_t frame) {
  while (crash.depth < kMostCrashFrames && is_code(return_address)) {
    crash.frames[crash.depth++] = return_address;
    if (!is_on_stack(frame)) return;
    return_address = word_at(frame + 8);
    const uint64_t caller = word_at(frame);
    frame = caller > frame ? caller : 0;
  }
}

// backtrace() also shows the handler's own frames; the kernel's begin at the faulting instruction.
// It may crash itself where the stack is destroyed: then what it has found until then counts.
thread_local sigjmp_buf* way_out_of_backtrace = nullptr;

void unwind(Crash& crash, uint64_t instruction) {
  static thread_local void* frames[kMostCrashFrames];
  std::memset(frames, 0, sizeof(frames));
  sigjmp_buf out;
  way_out_of_backtrace = &out;
  if (sigsetjmp(out, 1) == 0) backtrace(frames, kMostCrashFrames);
  way_out_of_backtrace = nullptr;
  int first = 0;
  while (first < kMostCrashFrames && reinterpret_cast<uint64_t>(frames[first]) != instruction) {
    ++first;
  }
  crash.frames[crash.depth++] = instruction + 1;
  for (int i = first + 1; i < kMostCrashFrames && frames[i] != nullptr; ++i) {
    crash.frames[crash.depth++] = reinterpret_cast<uint64_t>(frames[i]);
  }
}

void fill_frames(Crash& crash, const Place& place, const Core* core) {
  // is_code() would wait for the loader, which may wait for this thread.
  if (loads && !has_crash_stack()) return unwind(crash, place.instruction);
  crash.astray = place.is_known && !is_code(place.instruction);
  if (!crash.astray) return unwind(crash, place.instruction);
  crash.address = place.instruction;
  crash.in_stack = false;
  // A caller has a frame; what returns by a return address that was overwritten comes without.
  if (is_on_stack(place.frame) && is_code(word_at(place.frame + 8))) {
    return follow_frames(crash, place.return_address, place.frame);
  }
  if (core == nullptr) return;
  for (const uint64_t address : core->last_call()) {
    if (address != 0) crash.frames[crash.depth++] = address;
  }
  crash.no_stack = crash.depth > 0;
}

thread_local char exception_note[sizeof(Crash::note)] = {};

// Reached from the throw itself when no handler was found: the kernel's frames are still there.
[[noreturn]] void on_terminate() {
  if (!has_crash_stack() && former_terminate != nullptr) former_terminate();
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

// The signal comes again when the handler returns.
void leave_to_former(int signal) {
  sigaction(signal, &former_actions[signal], nullptr);
  raise(signal);
}

void handle(int signal, siginfo_t* info, void* context) {
  const bool is_kernels = has_crash_stack() || (signal == SIGSYS && every_system_call);
  if (!is_kernels) return leave_to_former(signal);
  const Core* core = Core::current_or_null();
  const Rounds* rounds = Rounds::of_thread();
  if (signal == where_signal() && rounds != nullptr && rounds->pass_on(signal)) return;
  static thread_local volatile sig_atomic_t entered = 0;
  if (way_out_of_backtrace != nullptr) siglongjmp(*way_out_of_backtrace, 1);
  if (entered != 0) _exit(1);
  entered = 1;
  wait_to_speak(core);
  Crash crash;
  crash.signal = signal;
  crash.address =
      signal == SIGSYS ? uint64_t(info->si_syscall) : reinterpret_cast<uint64_t>(info->si_addr);
  crash.in_stack =
      crash.address >= on_stack.low - kStackGuardBytes && crash.address < on_stack.high;
  if (core != nullptr) {
    crash.block = core->block_index();
    crash.kind = core->kind();
    crash.kernel = core->kernel_name();
    crash.sub_block = core->seat().grid.number_of(core->seat().core);
  }
  if (signal == SIGABRT) std::memcpy(crash.note, exception_note, sizeof(crash.note));
  fill_frames(crash, place_of(context), core);
  last_words_of_kernel(crash);
  _exit(1);
}

struct sigaction own_action() {
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // a crash while it looks for frames
  sigemptyset(&action.sa_mask);
  return action;
}

}  // namespace

int where_signal() { return SIGUSR1; }

StackBounds exchange_stack(StackBounds now) {
  return has_crash_stack() ? std::exchange(on_stack, now) : StackBounds();
}

bool tells_exceptions() { return last_words_of_kernel != nullptr && has_crash_stack(); }

bool create_kernel_thread(pthread_t& thread, void* (*body)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setguardsize(&attributes, kStackGuardBytes);
  const bool guarded = pthread_create(&thread, &attributes, body, argument) == 0;
  pthread_attr_destroy(&attributes);
  return guarded || pthread_create(&thread, nullptr, body, argument) == 0;
}

void hear_crashes() {
  sigset_t heard;
  sigemptyset(&heard);
  for (const int signal : kSignals) sigaddset(&heard, signal);
  pthread_sigmask(SIG_UNBLOCK, &heard, nullptr);
}

CrashStack::CrashStack() : memory_(has_crash_stack() ? nullptr : std::malloc(kStackBytes)) {
  if (memory_ == nullptr) return;
  find_stack();
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

CrashStack::~CrashStack() {
  if (memory_ == nullptr) return;
  on_stack = {};
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  std::free(memory_);
}

void install_crash_handler(void (*last_words)(const Crash&)) {
  last_words_of_kernel = last_words;
  former_terminate = std::set_terminate(on_terminate);
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads the unwinder now, where that is allowed

  const struct sigaction action = own_action();
  for (const int signal : kSignals) sigaction(signal, &action, &former_actions[signal]);
}

void hear_every_system_call() { every_system_call = loads = true; }

void renew_crash_handler() {
  loads = false;
  const struct sigaction action = own_action();
  for (const int signal : kSignals) {
    if (signal != SIGSYS) sigaction(signal, &action, nullptr);
  }
}

}  // namespace vinci
