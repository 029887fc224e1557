// Between fork and exec nothing may be allocated, as other threads may hold locks: rules and filter
// are made before.
#include "launch/sandbox/confinement.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "launch/sandbox/call_filter.h"
#include "launch/sandbox/landlock.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t kMostBytes = rlim_t{4} << 30, kMostFileBytes = rlim_t{512} << 20;
constexpr int kMostFolders = 1000;  // of those that sources_below looks into

thread_local const Confines* current = nullptr;

// What no compiler needs, and what an attack on one would: the rest is the files' business.
constexpr int kForbidden[] = {SCMP_SYS(socket),
                              SCMP_SYS(socketpair),
                              SCMP_SYS(connect),
                              SCMP_SYS(bind),
                              SCMP_SYS(ptrace),
                              SCMP_SYS(process_vm_readv),
                              SCMP_SYS(process_vm_writev),
                              SCMP_SYS(pidfd_open),
                              SCMP_SYS(pidfd_getfd),
                              SCMP_SYS(pidfd_send_signal),
                              SCMP_SYS(kill),
                              SCMP_SYS(tkill),
                              SCMP_SYS(mount),
                              SCMP_SYS(umount2),
                              SCMP_SYS(unshare),
                              SCMP_SYS(setns),
                              SCMP_SYS(bpf),
                              SCMP_SYS(perf_event_open),
                              SCMP_SYS(userfaultfd),
                              SCMP_SYS(keyctl),
                              SCMP_SYS(add_key),
                              SCMP_SYS(request_key),
                              SCMP_SYS(io_uring_setup),
                              SCMP_SYS(chroot),
                              SCMP_SYS(shmget),
                              SCMP_SYS(msgget),
                              SCMP_SYS(semget)};

// Empty: there is none.
CallFilter forbidding_filter() {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return {};
  for (const int call : kForbidden) seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  return filter_code(filter);
}

// The folder that a compiler is installed in: the one above its bin.
std::string home_of(const std::string& program) {
  std::error_code error;
  const fs::path path = fs::canonical(program, error);
  return error ? "" : path.parent_path().parent_path().string();
}

void allow_system(FileRules& rules, const std::string& program) {
  for (const char* path : {"/usr", "/bin", "/lib", "/lib64", "/nix/store"}) {
    rules.allow(path, FileRules::Use::kReadAndStart);
  }
  if (program.starts_with("/")) rules.allow(home_of(program), FileRules::Use::kReadAndStart);
  for (const char* path : {"/etc/ld.so.cache", "/dev/zero", "/dev/urandom", "/proc/meminfo"}) {
    rules.allow(path, FileRules::Use::kRead);
  }
  rules.allow("/dev/null", FileRules::Use::kAll);
}

struct Prepared {
  const FileRules& rules;
  const CallFilter& filter;
  int seconds, output, errors, told;  // told: the pipe for errno
};

void limit(__rlimit_resource what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

[[noreturn]] void become(const Prepared& prepared, char* const* arguments,
                         char* const* environment) {
  signal(SIGPIPE, SIG_DFL);
  if (prepared.output >= 0) dup2(prepared.output, STDOUT_FILENO);
  if (prepared.errors >= 0) dup2(prepared.errors, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  limit(RLIMIT_CPU, rlim_t(prepared.seconds));
  limit(RLIMIT_AS, kMostBytes);
  limit(RLIMIT_FSIZE, kMostFileBytes);
  limit(RLIMIT_CORE, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  syscall(SYS_capset, &header, none);
  prepared.rules.enter();
  sock_fprog program{static_cast<unsigned short>(prepared.filter.size()),
                     const_cast<sock_filter*>(prepared.filter.data())};
  if (!prepared.filter.empty()) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  execvpe(arguments[0], arguments, environment);
  const int why = errno;
  if (write(prepared.told, &why, sizeof(why)) < 0) _exit(126);
  _exit(127);
}

bool is_cpp_file(const fs::path& path) {
  static const char* const kEndings[] = {".h",   ".hh", ".hpp", ".hxx", ".inc", ".ipp", ".tpp",
                                         ".def", ".c",  ".cc",  ".cpp", ".cxx", ".cce", ".asc"};
  return std::ranges::find(kEndings, path.extension().string()) != std::end(kEndings);
}

// What a link there points at may be a file of the host.
bool is_below(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  if (!fs::is_symlink(file, error)) return true;
  const fs::path target = fs::canonical(file, error);
  return !error && std::ranges::mismatch(folder, target).in1 == folder.end();
}

}  // namespace

Confinement::Confinement(Confines confines) { current = new Confines(std::move(confines)); }

Confinement::~Confinement() {
  delete current;
  current = nullptr;
}

const Confines* confines() { return current; }

int start_confined(const Confines& confines, const std::vector<char*>& arguments,
                   const std::vector<char*>& environment, int output, int errors) {
  FileRules rules;
  allow_system(rules, arguments[0]);
  for (const std::string& path : confines.readable) rules.allow(path, FileRules::Use::kRead);
  rules.allow(confines.folder, FileRules::Use::kAll);
  static const CallFilter filter = forbidding_filter();
  std::string temporary = "TMPDIR=" + confines.folder;
  std::vector<char*> variables{temporary.data()};
  variables.insert(variables.end(), environment.begin(), environment.end());
  int told[2];
  if (pipe2(told, O_CLOEXEC) != 0) return -1;
  const Prepared prepared{rules, filter, confines.seconds, output, errors, told[1]};
  const pid_t child = fork();
  if (child == 0) become(prepared, arguments.data(), variables.data());
  close(told[1]);
  int why = child < 0 ? errno : 0;
  const bool failed = child < 0 || read(told[0], &why, sizeof(why)) == ssize_t(sizeof(why));
  close(told[0]);
  if (!failed) return child;
  if (child > 0) waitpid(child, nullptr, 0);
  errno = why;
  return -1;
}

std::vector<std::string> sources_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  int folders = 0;
  const fs::path top = fs::weakly_canonical(folder, error);
  using fs::recursive_directory_iterator;
  recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != recursive_directory_iterator(); at.increment(error)) {
    if (at->is_directory(error) && ++folders == kMostFolders) break;
    if (is_cpp_file(at->path()) && at->is_regular_file(error) && is_below(top, at->path())) {
      files.push_back(at->path().string());
    }
    error.clear();
  }
  return files;
}

bool ran_into_limit(const std::string& messages) {
  for (const char* text : {"signal terminated program", "virtual memory exhausted", "out of memory",
                           "failed to allocate", "File size limit exceeded"}) {
    if (messages.find(text) != messages.npos) return true;
  }
  return false;
}

}  // namespace vinci::launch
