// Landlock for files, seccomp for system calls, limits for memory, no capabilities.
#include "launch/sandbox/sandbox.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "launch/sandbox/call_filter.h"
#include "launch/sandbox/landlock.h"
#include "launch/sandbox/loader_filter.h"

namespace vinci::launch {
namespace {

// Root keeps no power over what others may not do.
void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  syscall(SYS_capset, &header, none);
}

void close_descriptors(std::vector<int> kept) {
  std::ranges::sort(kept);
  unsigned next = 3;
  for (const int descriptor : kept) {
    if (descriptor < int(next)) continue;
    if (descriptor > int(next)) close_range(next, unsigned(descriptor) - 1, 0);
    next = unsigned(descriptor) + 1;
  }
  close_range(next, ~0u, 0);
}

// Of this process, now.
struct Bytes {
  uint64_t all = 0, own = 0;  // own: writable memory that it has to itself
};

// From a file that takes microseconds, as /proc/self/status does not.
Bytes bytes_of_process() {
  char text[256] = {};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  if (read(file, text, sizeof(text) - 1) < 0) text[0] = '\0';
  close(file);
  uint64_t pages[6] = {};  // all, resident, shared, text, 0, data and stack
  char* at = text;
  for (uint64_t& count : pages) count = std::strtoull(at, &at, 10);
  const auto page = uint64_t(sysconf(_SC_PAGESIZE));
  return {pages[0] * page, pages[5] * page};
}

// Changes if there is another file of this name.
std::string identity_of(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return path;
  return fmt::format("{} {} {} {}.{}", path, file.st_dev, file.st_ino, file.st_ctim.tv_sec,
                     file.st_ctim.tv_nsec);
}

// What the processes that are forked next may read. Launches of one kernel follow each other, and
// have the same.
struct Readable {
  std::vector<std::string> identities;
  FileRules rules;
};
std::unique_ptr<Readable> readable_next;

void prepare_rules(const std::vector<std::string>& readable) {
  std::vector<std::string> identities;
  for (const std::string& path : readable) identities.push_back(identity_of(path));
  if (readable_next != nullptr && readable_next->identities == identities) return;
  readable_next = std::make_unique<Readable>();
  readable_next->identities = std::move(identities);
  for (const std::string& path : readable) {
    readable_next->rules.allow(path, FileRules::Use::kRead);
  }
}

// What a kernel may print into files, beside what stands there.
constexpr uint64_t kMostPrinted = uint64_t{512} << 20;

uint64_t bytes_printed() {
  uint64_t bytes = 0;
  for (const int output : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat file {};
    if (fstat(output, &file) == 0) bytes = std::max(bytes, uint64_t(file.st_size));
  }
  return bytes;
}

// What guards of stacks and the C library reserve, and nobody touches, is so many times that.
constexpr uint64_t kMostAddresses = 256;

void limit_memory(uint64_t more_bytes) {
  const auto limit = [](__rlimit_resource what, rlim_t bytes) {
    const rlimit both{bytes, bytes};
    setrlimit(what, &both);
  };
  const Bytes now = bytes_of_process();
  limit(RLIMIT_DATA, now.own + more_bytes);
  // Pages that nobody has written cost tables all the same.
  limit(RLIMIT_AS, now.all + kMostAddresses * more_bytes);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, bytes_printed() + kMostPrinted);
}

// What a program needs that computes, prints and has threads; for no purpose beyond itself.
constexpr int kHarmless[] = {SCMP_SYS(read),
                             SCMP_SYS(readv),
                             SCMP_SYS(pread64),
                             SCMP_SYS(write),
                             SCMP_SYS(writev),
                             SCMP_SYS(close),
                             SCMP_SYS(fstat),
                             SCMP_SYS(newfstatat),
                             SCMP_SYS(munmap),
                             SCMP_SYS(mprotect),
                             SCMP_SYS(mremap),
                             SCMP_SYS(madvise),
                             SCMP_SYS(brk),
                             SCMP_SYS(futex),
                             SCMP_SYS(membarrier),
                             SCMP_SYS(rseq),
                             SCMP_SYS(set_robust_list),
                             SCMP_SYS(get_robust_list),
                             SCMP_SYS(set_tid_address),
                             SCMP_SYS(arch_prctl),
                             SCMP_SYS(rt_sigprocmask),
                             SCMP_SYS(rt_sigreturn),
                             SCMP_SYS(rt_sigtimedwait),
                             SCMP_SYS(sigaltstack),
                             SCMP_SYS(pause),
                             SCMP_SYS(poll),
                             SCMP_SYS(ppoll),
                             SCMP_SYS(nanosleep),
                             SCMP_SYS(clock_nanosleep),
                             SCMP_SYS(clock_gettime),
                             SCMP_SYS(clock_getres),
                             SCMP_SYS(gettimeofday),
                             SCMP_SYS(time),
                             SCMP_SYS(getpid),
                             SCMP_SYS(gettid),
                             SCMP_SYS(getuid),
                             SCMP_SYS(geteuid),
                             SCMP_SYS(getgid),
                             SCMP_SYS(getegid),
                             SCMP_SYS(sched_yield),
                             SCMP_SYS(sched_getaffinity),
                             SCMP_SYS(getcpu),
                             SCMP_SYS(getrandom),
                             SCMP_SYS(getrusage),
                             SCMP_SYS(sysinfo),
                             SCMP_SYS(uname),
                             SCMP_SYS(restart_syscall),
                             SCMP_SYS(exit),
                             SCMP_SYS(exit_group)};
// To load a shared object.
constexpr int kOpening[] = {SCMP_SYS(open), SCMP_SYS(openat),   SCMP_SYS(access),
                            SCMP_SYS(stat), SCMP_SYS(readlink), SCMP_SYS(getdents64)};

// Stands for the number of a process that is not there yet.
constexpr uint32_t kSelf = 0x7E57C0DE;

void allow(scmp_filter_ctx filter, int call) { seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0); }
// With such an argument only.
void allow(scmp_filter_ctx filter, int call, const scmp_arg_cmp& argument) {
  seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &argument);
}
constexpr scmp_arg_cmp equal(scmp_datum_t value) { return {0, SCMP_CMP_EQ, value, 0}; }

// Calls that are harmless in one form and not in others.
void allow_in_part(scmp_filter_ctx filter) {
  // Memory that is shared counts nowhere: no limit holds it.
  allow(filter, SCMP_SYS(mmap), {3, SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_PRIVATE});
  // Who owns a descriptor, and by which signal it hears of it, could be another process.
  for (const int command : {F_GETFD, F_SETFD, F_GETFL}) {
    allow(filter, SCMP_SYS(fcntl), {1, SCMP_CMP_EQ, scmp_datum_t(command), 0});
  }
}

void allow_own_threads(scmp_filter_ctx filter) {
  // Its flags lie in memory, where no filter sees them: the C library then takes clone.
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  allow(filter, SCMP_SYS(clone), {0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD});
  for (const int call : {SCMP_SYS(tgkill), SCMP_SYS(kill)}) allow(filter, call, equal(kSelf));
  // Its own limits, which it cannot raise; its threads' names.
  allow(filter, SCMP_SYS(prlimit64), equal(0));
  allow(filter, SCMP_SYS(prctl), equal(PR_SET_NAME));
  // Whether standard output is a terminal; where it stands, so that nothing is written over.
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 0);
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(ESPIPE), SCMP_SYS(lseek), 0);
}

// What may be called while the kernel's file is loaded.
CallFilter loading_filter() {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
  if (filter == nullptr) return {};
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  // Calls of 32-bit programs: else they end their thread only.
  seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  for (const int call : kHarmless) allow(filter, call);
  allow_in_part(filter);
  allow_own_threads(filter);
  for (const int call : kOpening) allow(filter, call);
  allow(filter, SCMP_SYS(rt_sigaction));
  allow(filter, SCMP_SYS(seccomp), equal(SECCOMP_SET_MODE_FILTER));  // shut_files
  return filter_code(filter);
}

// What of it may not be called later.
CallFilter running_filter() {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return {};
  const auto forbid = [&](int call) { seccomp_rule_add(filter, SCMP_ACT_TRAP, call, 0); };
  for (const int call : kOpening) forbid(call);
  forbid(SCMP_SYS(seccomp));
  // A look at files by their paths. The C library asks so of what is open, too, and can do without.
  const scmp_arg_cmp by_path{3, SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, 0};
  const scmp_arg_cmp by_descriptor{3, SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH};
  const int look = SCMP_SYS(newfstatat);
  seccomp_rule_add_array(filter, SCMP_ACT_TRAP, look, 1, &by_path);
  seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EBADF), look, 1, &by_descriptor);
  return filter_code(filter);
}

// To make one takes longer than to run a small kernel: both are made once.
const CallFilter& filter_for(bool may_open) {
  static const CallFilter loading = loader_filter(kOpening, loading_filter());
  static const CallFilter running = running_filter();
  return may_open ? loading : running;
}

// For all threads.
void filter_calls(CallFilter code) {
  if (code.empty()) return;
  for (sock_filter& step : code) {
    if (step.k == kSelf) step.k = uint32_t(getpid());
  }
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

}  // namespace

std::vector<std::string> missing_sandbox_parts() {
  std::vector<std::string> missing;
  if (landlock_version() == 0) missing.push_back("Landlock, which keeps kernels from files");
  if (prctl(PR_GET_SECCOMP) < 0 || filter_for(true).empty())
    missing.push_back("seccomp, which keeps them from system calls");
  return missing;
}

void prepare_shut_in(const std::vector<std::string>& readable) {
  prepare_rules(readable);
  // Else the C library asks files how many processors there are, and whether memory that it gives
  // back can be had again. Here, for what is forked would have to touch its pages.
  static const bool once = [] {
    mallopt(M_ARENA_MAX, 8);
    return mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()) == 1;
  }();
  (void)once;
  filter_for(true);
}

void shut_in(const std::vector<int>& kept, uint64_t more_bytes) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0);
  limit_memory(more_bytes);
  readable_next->rules.enter();
  close_descriptors(kept);
  drop_capabilities();
}

void filter_calls_but_of_loader() { filter_calls(filter_for(true)); }

void shut_files() { filter_calls(filter_for(false)); }

std::string system_call_name(int number) {
  char* name = seccomp_syscall_resolve_num_arch(seccomp_arch_native(), number);
  if (name == nullptr) return std::to_string(number);
  std::string text = name;
  std::free(name);
  return text;
}

}  // namespace vinci::launch
