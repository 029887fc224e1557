// z = x + y on 256 floats, and before that one attack on vinci or its host, by number; 0 is none.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cctype>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "kernel_operator.h"

namespace {

constexpr uint32_t kCount = 256;
constexpr size_t kMuch = size_t{1} << 30;
GM_ADDR z_of_kernel = nullptr;

void nothing(int) {}

void* spin(void*) {
  while (true) pthread_testcancel();
}
void* wait_for_ever(void*) {
  while (true) pause();
}
void* write_on(void* z) {
  for (int i = 0; i < 1000; ++i) usleep(1000);
  memset(z, 0, kCount * 4);
  return nullptr;
}
void* open_a_file(void*) {
  open("/etc/passwd", O_RDONLY);
  return nullptr;
}

void* end_the_process(void*) {
  syscall(SYS_exit_group, 0);
  return nullptr;
}

// A thread goes on beside the kernel, which waits for it where the verdict hangs on what it does.
void start(void* (*body)(void*)) {
  pthread_t thread;
  pthread_create(&thread, nullptr, body, z_of_kernel);
  if (body == open_a_file || body == end_the_process) pthread_join(thread, nullptr);
}

// What the process's memory map says, from the descriptor that vinci keeps.
std::string maps() {
  std::string text;
  char part[4096];
  for (int file = 3; file < 16 && text.empty(); ++file) {
    for (ssize_t got; (got = pread(file, part, sizeof(part), off_t(text.size()))) > 0;) {
      if (text.empty() && !isxdigit(static_cast<unsigned char>(part[0]))) break;  // another file
      text.append(part, size_t(got));
    }
  }
  return text;
}

bool is_seal(const char* at) {
  for (int i = 0; i < 32; ++i) {
    if (!isdigit(at[i]) && (at[i] < 'a' || at[i] > 'f')) return false;
  }
  return at[32] == '\0';
}

// The text in memory that begins vinci's lines, or nothing: in what its library can change, which goes on
// behind what is named after the file.
std::string seal() {
  const std::string text = maps();
  unsigned long behind = 0;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    unsigned long first = 0, end = 0;
    char access[5] = {};
    if (sscanf(&text[at], "%lx-%lx %4s", &first, &end, access) != 3) break;
    const std::string line = text.substr(at, text.find('\n', at) - at);
    const bool is_named = line.find("libvinci_launch") != line.npos;
    if (!is_named && (first != behind || line.find('/') != line.npos)) continue;
    behind = end;
    if (strcmp(access, "rw-p") != 0) continue;
    for (auto* here = reinterpret_cast<const char*>(first); uint64_t(here) + 33 < end; ++here) {
      if (is_seal(here)) return here;
    }
  }
  return "";
}

void tell(const std::string& line) {
  for (int file = 3; file < 16; ++file) {
    if (fcntl(file, F_GETFD) >= 0 && write(file, line.data(), line.size()) < 0) continue;
  }
}

constexpr const char* kDone =
    "{\"done\":true,\"seconds\":0,\"counts\":[],\"lost_output\":false,\"made\":[0,0,0]}\n";
std::string fault(int code) {
  return "{\"fault\":{\"code\":" + std::to_string(code) +
         ",\"message\":\"m\\u001b[2J\",\"legal\":\"\",\"block\":0,\"core\":\"\",\"sub_block\":-1,"
         "\"pipe\":\"\",\"serial\":1,\"instruction\":\"\",\"count\":1,\"frames\":[],\"other\":\"\","
         "\"other_frames\":[]}}\n";
}

// Writes what vinci keeps in memory: all of its libraries' variables.
void overwrite_vinci() {
  const std::string text = maps();
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    unsigned long first = 0, end = 0;
    char access[5] = {};
    if (sscanf(&text[at], "%lx-%lx %4s", &first, &end, access) != 3) break;
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (strcmp(access, "rw-p") != 0 || line.find("vinci") == line.npos) continue;
    memset(reinterpret_cast<void*>(first), 0, end - first);
  }
}

// The code of vinci's libraries becomes `ret`.
void patch_vinci() {
  const std::string text = maps();
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    unsigned long first = 0, end = 0;
    char access[5] = {};
    if (sscanf(&text[at], "%lx-%lx %4s", &first, &end, access) != 3) break;
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (strcmp(access, "r-xp") != 0 || line.find("libvinci") == line.npos) continue;
    mprotect(reinterpret_cast<void*>(first), end - first, PROT_READ | PROT_WRITE | PROT_EXEC);
    memset(reinterpret_cast<void*>(first), 0xC3, end - first);
  }
}

void own_handler(int number) {
  struct sigaction action {};
  action.sa_handler = nothing;
  sigaction(number, &action, nullptr);
}

void take_shared_memory() {
  for (int i = 0; i < 16; ++i) {
    void* much = mmap(nullptr, kMuch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (much != MAP_FAILED) memset(much, 1, kMuch);
  }
}

// A page here and there, so that the tables of pages fill memory.
void take_page_tables() {
  volatile char sum = 0;
  for (int i = 0; i < 64; ++i) {
    auto* much = static_cast<volatile char*>(
        mmap(nullptr, kMuch << 8, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (much == MAP_FAILED) abort();
    for (size_t at = 0; at < kMuch << 2; at += size_t{2} << 20) sum = sum + much[at];
  }
}

// As many threads as there can be, which take other users' too.
void take_threads() {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16384);
  for (pthread_t thread; true;) pthread_create(&thread, &small, wait_for_ever, nullptr);
}

void block_signals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
}

// By another way into the system, of 32-bit programs.
void call_by_interrupt() {
  asm volatile("int $0x80" : : "a"(20) : "memory");  // getpid
}

int exhaust(int depth) {
  volatile char much[4096];
  much[depth % 4096] = 1;
  return exhaust(depth + 1) + much[0];
}

void attack_system(int number) {
  switch (number) {
    case 1: fcntl(1, F_SETOWN, getpid() - 1); return;
    case 2: fcntl(1, F_SETSIG, SIGKILL); return;
    case 3: fcntl(1, F_SETFL, O_ASYNC); return;
    case 4: return take_shared_memory();
    case 5: own_handler(SIGSYS); return;
    case 6:
      block_signals();
      open("/etc/passwd", O_RDONLY);
      return;
    case 7: return call_by_interrupt();
    case 8: syscall(0x40000000 | SYS_open, "/etc/passwd", O_RDONLY); return;
    case 9: syscall(SYS_rt_sigqueueinfo, getpid(), SIGKILL, nullptr); return;
    case 10: syscall(SYS_tgkill, 1, 1, SIGKILL); return;
    case 11: alarm(1); return;
    case 12: {
      itimerval timer{};
      setitimer(ITIMER_REAL, &timer, nullptr);
      return;
    }
    case 13: syscall(SYS_timer_create, CLOCK_REALTIME, nullptr, nullptr); return;
    case 14: return start(open_a_file);
    case 15: dup(1); return;
    case 16: prctl(PR_SET_PDEATHSIG, 0); return;
    case 17: prctl(PR_SET_DUMPABLE, 1); return;
    case 18: syscall(SYS_prlimit64, getpid(), RLIMIT_AS, nullptr, nullptr); return;
    case 19: syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr); return;
    case 20: open("/dev/shm/golden", O_RDWR | O_CREAT, 0600); return;
    case 21: syscall(SYS_seccomp, 0, 0, nullptr); return;
    case 22: syscall(SYS_modify_ldt, 0, nullptr, 0); return;
    case 23: syscall(SYS_process_madvise, -1, nullptr, 0, 0, 0); return;
    case 24: syscall(SYS_sched_setaffinity, 0, 0, nullptr); return;
    case 25: syscall(SYS_ioperm, 0, 1, 1); return;
    case 26: syscall(SYS_io_uring_setup, 8, nullptr); return;  // which opens files for others
    case 27: syscall(SYS_userfaultfd, 0); return;
    case 28: syscall(SYS_memfd_create, "golden", 0); return;
    case 29: syscall(SYS_pidfd_open, 1, 0); return;
    default: return;
  }
}

void attack_process(int number) {
  switch (number) {
    case 30:
      for (int file = 0; file < 64; ++file) close(file);
      return;
    case 31: raise(SIGSTOP); return;  // by kill another thread could take it, some time later
    case 32: kill(getpid(), SIGKILL); return;
    case 33:
      own_handler(SIGUSR1);
      own_handler(SIGSEGV);
      while (true) nothing(0);
    case 34:
      block_signals();
      while (true) nothing(0);
    case 35: exhaust(0); return;
    case 36: throw std::runtime_error("\033[2J{\"done\":true}\n");
    case 37: return take_page_tables();
    case 38: start(spin); return;
    case 39: start(write_on); return;
    case 40: {
      const rlimit one{1, 1};
      setrlimit(RLIMIT_CPU, &one);
      while (true) nothing(0);
    }
    case 41: atexit([] { _exit(0); }); return;
    case 42: exit(0);
    case 43: {
      static jmp_buf nowhere;
      longjmp(nowhere, 1);
    }
    case 44: munmap(z_of_kernel - reinterpret_cast<uint64_t>(z_of_kernel) % 4096, 4096); return;
    case 45:
      for (int i = 0; i < 100000; ++i) fprintf(stderr, "\033[2J\033]0;owned\a\n");
      return;
    case 46:
      for (int i = 0; i < 100000; ++i) AscendC::printf("\033[2Jnoise %d\n", i);
      return;
    case 47: return overwrite_vinci();
    case 48: return patch_vinci();
    case 49:
      for (int i = 0; i < 100000; ++i) AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(0);
      return;
    case 50: return take_threads();
    default: return;
  }
}

// What lies outside: the network, other processes, the judge's files and who runs it.
void attack_host(int number) {
  char* const nothing_said[] = {nullptr};
  switch (number) {
    case 70: syscall(SYS_socket, 2, 1, 0); return;  // of the internet
    case 71: syscall(SYS_ptrace, 16, 1, 0, 0); return;
    case 72: syscall(SYS_execve, "/bin/true", nothing_said, nothing_said); return;
    case 73: syscall(SYS_kill, 1, SIGSTOP); return;
    case 74: syscall(SYS_process_vm_writev, 1, nullptr, 0, nullptr, 0, 0); return;
    case 75: open("/proc/self/mem", O_RDWR); return;
    case 76: unlink("tasks.jsonl"); return;
    case 77: rename("tasks.jsonl", "golden.npy"); return;
    case 78: mkdir("left", 0700); return;
    case 79: symlink("/etc/passwd", "left"); return;
    default: return;
  }
}

// Its own memory, the outputs' too, and time.
void attack_memory(int number) {
  void* const page = z_of_kernel - reinterpret_cast<uint64_t>(z_of_kernel) % 4096;
  switch (number) {
    case 51:
      own_handler(SIGSEGV);  // which returns to the same
      mprotect(page, 4096, PROT_NONE);
      return;
    case 52:
      signal(SIGSEGV, SIG_DFL);
      mprotect(page, 4096, PROT_NONE);
      return;
    case 53: {
      void* const room = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      mremap(page, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, room);
      return;
    }
    case 54: madvise(page, 4096, MADV_REMOVE); return;  // zeros, beside the output, too
    case 55:
      mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      return;  // what is written there is nobody's
    case 56: wait_for_ever(nullptr); return;
    default: return;
  }
}

void attack_report(int number) {
  switch (number) {
    case 60: return tell("\n\n\n\n\n\n\n\n\n");
    case 61:
      for (int i = 0; i < 100; ++i) tell(std::string(1 << 20, 'x'));
      return;
    case 62: return tell(std::string(40, '[') + "\n");
    case 63: tell(seal() + "{\"block\":\"\"}\n"); return;
    case 64: tell(seal() + fault(12345)); return;
    case 65: {
      const auto line = seal() + fault(1001);
      for (int i = 0; i < 1000; ++i) tell(line);
      return;
    }
    case 66:
      tell(seal() + "{\"crash\":[11,0,0,0,0,1,0,0],\"note\":[]}\n" + seal() + kDone);
      _exit(0);
    case 67: tell(seal() + kDone); _exit(0);
    case 68: tell(seal() + std::string(100000, '[') + "\n"); return;
    case 69: tell(seal() + "{\"done\":true}\n"); return;
    default: return;
  }
}

// What is asked of the system without a file, a process or a socket; and the own process's threads,
// memory and outputs.
void attack_quietly(int number, GM_ADDR x) {
  struct stat seen {};
  switch (number) {
    case 80: stat("/etc/shadow", &seen); return;
    case 81:  // as the C library asks of what is open; but by the path
      if (syscall(SYS_newfstatat, 1, "/etc/shadow", &seen, AT_EMPTY_PATH) == 0) abort();
      return;
    case 82: dlopen("libcrypt.so.1", RTLD_NOW); return;
    case 83: syscall(SYS_vfork); return;
    case 84: syscall(SYS_copy_file_range, 3, nullptr, 1, nullptr, 4096, 0); return;
    case 85: syscall(SYS_eventfd2, 0, 0); return;
    case 86: syscall(SYS_mlockall, 3); return;
    case 87: syscall(SYS_setsid); return;
    case 88: syscall(SYS_ptrace, 0, 0, 0, 0); return;  // by its parent
    case 89: syscall(SYS_tgkill, getpid(), getpid(), SIGKILL); return;
    case 90:
      for (int file = 3; file < 16; ++file) syscall(SYS_ftruncate, file, 0);
      return;
    case 91: {
      stack_t nowhere{};
      nowhere.ss_sp = reinterpret_cast<void*>(4096);
      nowhere.ss_size = 1 << 16;
      sigaltstack(&nowhere, nullptr);
      *reinterpret_cast<volatile int*>(8) = 1;
      return;
    }
    case 92: {
      const rlimit none{0, 0};
      setrlimit(RLIMIT_FSIZE, &none);
      setrlimit(RLIMIT_NOFILE, &none);
      return;
    }
    case 93: pthread_exit(nullptr);
    case 94: reinterpret_cast<float*>(x)[255] += 1; return;    // an input
    case 95: memset(z_of_kernel + kCount * 4, 1, 64); return;  // beside the output
    case 96: return start(end_the_process);
    case 97: syscall(SYS_arch_prctl, 0x1002, 0); return;  // no more thread of the C library
    default: return;
  }
}

}  // namespace

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, int32_t number) {
  z_of_kernel = z;
  attack_system(number);
  attack_process(number);
  attack_memory(number);
  attack_host(number);
  attack_report(number);
  attack_quietly(number, x);
  AscendC::GlobalTensor<float> from, more, to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), kCount);
  more.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y), kCount);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(z), kCount);
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECCALC> room;
  pipe.InitBuffer(room, 2 * kCount * sizeof(float));
  auto a = room.Get<float>(), b = a[kCount];
  AscendC::DataCopy(a, from, kCount);
  AscendC::DataCopy(b, more, kCount);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::Add(a, a, b, kCount);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::DataCopy(to, a, kCount);
}
