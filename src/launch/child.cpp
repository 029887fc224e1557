// Running the blocks, and the messages about it.
#include "launch/child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launch/error.h"
#include "launch/sandbox/sandbox.h"
#include "launch/compile/variables.h"
#include "core/core.h"
#include "core/crash.h"
#include "op/tile.h"
#include "report/crash_fault.h"
#include "report/json.h"
#include "soc/soc.h"

namespace vinci::launch {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

// Of memory that a kernel in a sandbox and vinci may take beside GM.
constexpr uint64_t kKernelBytes = uint64_t{2} << 30;
constexpr size_t kMostSealBytes = 64;
constexpr int kArenaBytes = 1 << 20;  // that a thread's heap has at once; it grows page by page

// In the child only.
int message_pipe = -1;
int maps_file = -1;  // /proc/self/maps; when no file can be opened any more it is read again
char seal[kMostSealBytes] = {};  // begins each message

// A fault without a line at least names the kernel.
Fault named(Fault fault, const Launch& launch) {
  if (fault.code == Code::kGmOverrun) {
    fault.message = fmt::format("{}: {}", launch.kernel.name, fault.message);
  }
  return fault;
}

void write_all(const char* text, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = write(message_pipe, text, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text += written;
    bytes -= size_t(written);
  }
}

// Async-signal-safe: sends {"maps":"..."} by hand.
void send_maps() {
  if (maps_file < 0) return;
  write_all("\n", 1);
  write_all(seal, std::strlen(seal));
  write_all("{\"maps\":\"", 9);
  char read_bytes[1024], text[2 * sizeof(read_bytes)];
  off_t at = 0;
  for (ssize_t got; (got = pread(maps_file, read_bytes, sizeof(read_bytes), at)) > 0; at += got) {
    size_t used = 0;
    for (const char c : std::string_view(read_bytes, size_t(got))) {
      if (c == '\n' || c == '"' || c == '\\') text[used++] = '\\';
      text[used++] = c == '\n' ? 'n' : c;
    }
    write_all(text, used);
  }
  write_all("\"}\n", 3);
}

// Async-signal-safe: builds {"crash":[signal,address,in_stack,astray,no_stack,block,kind,sub_block,
// frames...],"note":[0,bytes...]} by hand.
void send_crash(const Crash& crash) {
  send_maps();
  char line[4096];
  size_t used = 0;
  const auto text = [&](const char* part) {
    while (*part != '\0' && used < sizeof(line) - 1) line[used++] = *part++;
  };
  const auto number = [&](uint64_t value) {
    char digits[24];
    int count = 0;
    do digits[count++] = char('0' + value % 10);
    while ((value /= 10) != 0);
    while (count > 0 && used < sizeof(line) - 1) line[used++] = digits[--count];
  };
  text("\n");
  text(seal);
  text("{\"crash\":[");
  number(uint64_t(crash.signal));
  text(",");
  number(crash.address);
  text(",");
  number(crash.in_stack);
  text(",");
  number(crash.astray);
  text(",");
  number(crash.no_stack);
  text(",");
  number(uint64_t(crash.block + 1));
  text(",");
  number(uint64_t(crash.kind));
  text(",");
  number(uint64_t(crash.sub_block + 1));
  for (int i = 0; i < crash.depth; ++i) {
    text(",");
    number(crash.frames[i]);
  }
  text("],\"note\":[0");
  // What host code of an operator last got for a pointer says why this one is none.
  const bool is_own = crash.note[0] != '\0' || crash.signal == SIGABRT;
  const char* const note = is_own ? crash.note : op::last_null();
  for (const char* at = note; *at != '\0' && at - note + 1 < int(sizeof(crash.note)); ++at) {
    text(",");
    number(uint8_t(*at));
  }
  text("]}\n");
  write_all(line, used);
}

// The process's modules now.
std::string maps_text() {
  if (maps_file < 0) {
    std::ifstream maps("/proc/self/maps");
    return {std::istreambuf_iterator<char>(maps), {}};
  }
  std::string text;
  char part[4096];
  for (ssize_t got; (got = pread(maps_file, part, sizeof(part), off_t(text.size()))) > 0;)
    text.append(part, size_t(got));
  return text;
}

// A kernel that calls exit() does so in its block's turn. It ends nothing else: what was there
// before the fork is the parent's.
void end_in_turn(int status, void*) {
  if (const Core* core = Core::current_or_null()) core->await_turn();
  std::fflush(stdout);
  _exit(status);
}

// Writes what the kernel has printed; false if that, or something before, was lost.
bool wrote_output() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

// On signals that end a process: only the kernel's own do. Whether others do decides the parent,
// which asks where the kernel is; and if nobody reads standard output, that is told at the end.
void hear_kernel_only(int number, siginfo_t* info, void*) {
  pollfd output{STDOUT_FILENO, 0, 0};
  const bool is_outputs = number == SIGPIPE && poll(&output, 1, 0) > 0;
  if (info->si_pid != getpid() || is_outputs) return;
  signal(number, SIG_DFL);
  raise(number);
}

// A kernel finds vinci's functions among those of the process; but a Python module keeps its
// libraries to itself.
void offer_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&find_soc), &info) == 0) return;
  dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

// The kernel's shared object, with its variables as they are at the start.
class Library {
 public:
  Library(const std::string& path, bool lazily)
      : handle_(dlopen(path.c_str(), (lazily ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  bool is_loaded() const { return handle_ != nullptr; }
  void* find(const std::string& symbol) const { return dlsym(handle_, symbol.c_str()); }

 private:
  void* handle_;
};

// An exception that came out of the kernel in this process.
Fault escaped(const Launch& launch, const char* what) {
  Crash crash;
  crash.signal = SIGABRT;
  std::snprintf(crash.note, sizeof(crash.note), ": %s", what);
  return crash_fault(crash, launch.kernel.name);
}

// The kernel has changed it. Its place is that of its declaration.
Fault shared_variable(const Variables::Variable& variable) {
  Fault fault;
  fault.code = Code::kSharedVariable;
  fault.message =
      fmt::format("{}: the kernel changes it, and all its blocks share it here", variable.name);
  fault.legal = "members and variables of functions, of which each block has its own; GM";
  fault.frames = {variable.address + 1};  // as a return address, one behind
  return fault;
}

struct KernelThread {
  const Launch& launch;
  Device& device;
  const Call& call;
};

void* run_on_thread(void* argument) {
  const auto& [launch, device, call] = *static_cast<KernelThread*>(argument);
  const CrashStack crash_stack;
  install_crash_handler(send_crash);
  sigset_t where;
  sigemptyset(&where);
  sigaddset(&where, where_signal());
  pthread_sigmask(SIG_UNBLOCK, &where, nullptr);
  on_exit(end_in_turn, nullptr);
  device.set_threads(launch.threads);
  run_blocks(launch, device, call, [](const json& message) {
    const std::string line =
        seal + message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    write_all(line.data(), line.size());
  });
  _exit(0);
}

}  // namespace

void run_blocks(const Launch& launch, Device& device, const Call& call, const Send& send) {
  offer_library();
  std::deque<Variables> variables;
  for (const std::string& path : launch.shared_objects) {
    if (launch.grid.cores() > 1 && !path.empty()) variables.emplace_back(path);
  }
  const bool is_shut_in = launch.sandbox != Sandbox::kOff && message_pipe >= 0;
  if (is_shut_in) {
    hear_every_system_call();
    filter_calls_but_of_loader();
  }
  // By kind of core. A kernel may be there for one kind only; then the others have nothing to do.
  std::deque<Library> libraries;
  std::array<void*, kCoreKinds> functions{};
  for (size_t kind = 0; kind < functions.size(); ++kind) {
    if (launch.shared_objects[kind].empty()) continue;
    const Library& library =
        libraries.emplace_back(launch.shared_objects[kind], launch.loads_lazily);
    if (!library.is_loaded()) {
      send({{"load_error", dlerror()}});
      return;
    }
    functions[kind] = library.find(launch.kernel.symbol);
    if (launch.kernel.is_instance) functions[kind] = *static_cast<void**>(functions[kind]);
  }
  for (Variables& of_object : variables) of_object.look();
  if (is_shut_in) {
    renew_crash_handler();  // constructors may have set others
    shut_files();
  }
  const auto kernel = [&] {
    void* function = functions[size_t(Core::current().kind())];
    if (function != nullptr) call(function);
  };
  FaultList known;
  const auto on_fault = [&](const Fault& fault) {
    const size_t before = known.faults().size();
    const bool go_on = known.add(fault);
    if (before == 0) {
      send({{"maps", maps_text()}});
    }
    if (known.faults().size() != before) send({{"fault", to_wire(named(fault, launch))}});
    return go_on;
  };
  device.on_fault(on_fault);
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto finish = [&](bool finished) {
    for (const Variables& of_object : variables) {
      for (const auto* variable : of_object.changed()) on_fault(shared_variable(*variable));
    }
    json counts = json::array();
    for (const Fault& fault : known.faults()) counts.push_back(fault.count);
    send({{"done", finished},
          {"seconds", seconds()},
          {"counts", counts},
          {"made", {device.made().infinities, device.made().nans, device.made().saturated}},
          {"lost_output", !wrote_output()}});
  };
  // In a process of its own the kernel ends here and now, whatever it would catch.
  if (message_pipe >= 0) {
    device.on_stop([&] {
      finish(false);
      _exit(0);
    });
  }
  device.on_block([&](int64_t block) { send({{"block", block}, {"seconds", seconds()}}); });
  // An exception of the kernel ends a child where it is thrown: no handler is found there.
  if (message_pipe >= 0) {
    finish(device.launch(launch.grid, kernel));
    _exit(0);  // unloading the kernel takes time, and nobody would see it
  }
  bool finished = false;
  try {
    finished = device.launch(launch.grid, kernel);
  } catch (const std::exception& exception) {
    send({{"fault", to_wire(escaped(launch, exception.what()))}});
  }
  finish(finished);
}

void be_the_child(int pipe, const std::string& its_seal, const Launch& launch, Device& device,
                  const Call& call) {
  message_pipe = pipe;
  maps_file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  its_seal.copy(seal, sizeof(seal) - 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);
  struct sigaction action {};
  action.sa_sigaction = hear_kernel_only;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int number : {SIGTERM, SIGHUP, SIGPIPE}) sigaction(number, &action, nullptr);
  // Of a kernel that nobody trusts: what it would read is not for it, and what it says would fill a
  // log.
  const bool is_shut_in = launch.sandbox != Sandbox::kOff;
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0 && launch.silent) dup2(nothing, STDOUT_FILENO);
  if (nothing >= 0 && is_shut_in) dup2(nothing, STDIN_FILENO);
  if (nothing >= 0 && is_shut_in && launch.silent) dup2(nothing, STDERR_FILENO);
  if (nothing >= 0) close(nothing);
  setvbuf(stdout, nullptr, _IOLBF, 0);
  if (is_shut_in) {
    shut_in({pipe, maps_file, LocalMemory::poison_file()}, kKernelBytes);
  }
  mallopt(M_TOP_PAD, kArenaBytes);
  KernelThread kernel{launch, device, call};
  pthread_t thread;
  if (!create_kernel_thread(thread, run_on_thread, &kernel)) _exit(1);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);  // signals are the kernel thread's
  pthread_join(thread, nullptr);
  _exit(0);
}

}  // namespace vinci::launch
