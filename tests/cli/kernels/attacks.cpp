// What a kernel that attacks vinci, or the host, may try: one by number. 0 is none.
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "kernel_operator.h"

namespace {

// In the folder in which vinci runs.
constexpr const char* kTarget = "target";
constexpr size_t kMuch = size_t{1} << 28;

void tell_everybody(const char* text) {
  for (int file = 3; file < 64; ++file) {
    if (write(file, text, strlen(text)) < 0) continue;
  }
}

void take_memory() {
  for (int i = 0; i < 1000; ++i) {
    void* taken = malloc(kMuch);
    if (taken == nullptr) abort();
    memset(taken, i, kMuch);
  }
}

void read_parent() {
  char byte = 0;
  iovec here{&byte, 1}, there{reinterpret_cast<void*>(0x400000), 1};
  process_vm_readv(1, &here, 1, &there, 1, 0);
}

void attack_by(int number) {
  switch (number) {
    case 1:
      return tell_everybody("{\"done\":true,\"seconds\":0,\"counts\":[],\"lost_output\":false}\n");
    case 2: return tell_everybody("{\"block\":5}\n");
    case 3: return tell_everybody("nothing that makes sense\n");
    case 4: fopen(kTarget, "r"); return;
    case 5: open("written", O_CREAT | O_WRONLY, 0600); return;
    case 6: unlink(kTarget); return;
    case 7: rename(kTarget, "moved"); return;
    case 8: mkdir("folder", 0700); return;
    case 9: chmod(kTarget, 0777); return;
    case 10: kill(getppid(), SIGSTOP); return;
    case 11: kill(-1, SIGKILL); return;
    case 12: fork(); return;
    case 13: execl("/bin/true", "true", nullptr); return;
    case 14: system("true"); return;
    case 15: socket(AF_INET, SOCK_STREAM, 0); return;
    case 16: ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); return;
    case 17: read_parent(); return;
    case 18: open("/proc/self/mem", O_RDWR); return;
    case 19: truncate(kTarget, 0); return;
    case 20: symlink("/etc/passwd", "linked"); return;
    case 21: take_memory(); return;
    case 22: _exit(0); return;
    case 23: syscall(SYS_io_uring_setup, 8, nullptr); return;
    case 24: syscall(SYS_memfd_create, "code", 0); return;
    case 25: syscall(SYS_bpf, 0, nullptr, 0); return;
    case 26: syscall(SYS_mount, "/", "/", "none", 0, nullptr); return;
    case 27: syscall(SYS_chroot, "."); return;
    case 28: syscall(SYS_setuid, 0); return;
    case 29: syscall(SYS_prlimit64, 1, 7, nullptr, nullptr); return;
    case 30: syscall(SYS_unshare, 0x10000000); return;
    case 31: syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); return;
    case 32: syscall(SYS_userfaultfd, 0); return;
    case 33: syscall(SYS_pidfd_open, 1, 0); return;
    case 34: syscall(SYS_shmget, 1, 4096, 0600); return;
    case 35: syscall(SYS_keyctl, 0, 0, 0, 0, 0); return;
    case 36: syscall(SYS_linkat, AT_FDCWD, kTarget, AT_FDCWD, "second", 0); return;
    case 37: syscall(SYS_mknodat, AT_FDCWD, "pipe", S_IFIFO | 0600, 0); return;
    case 38: syscall(SYS_utimensat, AT_FDCWD, kTarget, nullptr, 0); return;
    case 39: syscall(SYS_setpriority, 0, 0, 19); return;
    case 40: syscall(SYS_personality, 0x0040000); return;
    case 41: throw std::runtime_error("\033[2J\033]0;owned\a");
    case 42: {
      char byte = 'z';
      if (read(0, &byte, 1) != 0 || lseek(1, 0, SEEK_SET) == 0) abort();
      return;
    }
    case 43:
      for (int i = 0; i < 1000; ++i) printf("%01000000d", i);
      return;
    default: return;
  }
}

// A constructor runs while the kernel's file is loaded.
[[gnu::constructor]] void speak_early() { fprintf(stderr, "constructor\n"); }

}  // namespace

extern "C" __global__ __aicore__ void attack(GM_ADDR out, int32_t number) {
  AscendC::GlobalTensor<int32_t> result;
  result.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(out), 1);
  result.SetValue(0, 1);
  attack_by(number);
}
