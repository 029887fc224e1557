// Kernels that go wrong badly. `HERE name` marks the line of kernel `name` where it happens.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

#include "kernel_operator.h"

using namespace AscendC;

// The test gives an address, or, through gm_behind and gm_before, a distance from GM.
extern "C" __global__ __aicore__ void read_address(GM_ADDR gm, int64_t n) {
  gm[0] = *(volatile uint8_t*)n;  // HERE read_address
}

extern "C" __global__ __aicore__ void write_address(GM_ADDR, int64_t n) {
  *(volatile uint8_t*)n = 1;  // HERE write_address
}

extern "C" __global__ __aicore__ void gm_behind(GM_ADDR gm, int64_t n) {
  printf("%p\n", gm + 1024 + n);
  *(volatile uint8_t*)(gm + 1024 + n) = 1;  // HERE gm_behind
}

extern "C" __global__ __aicore__ void gm_read_behind(GM_ADDR gm, int64_t n) {
  printf("%p\n", gm + 1024 + n);
  gm[0] = *(volatile uint8_t*)(gm + 1024 + n);  // HERE gm_read_behind
}

extern "C" __global__ __aicore__ void divide(GM_ADDR gm, int64_t n) {
  gm[0] = uint8_t(1000 / n);  // HERE divide
}

extern "C" __global__ __aicore__ void modulo(GM_ADDR gm, int64_t n) {
  const int32_t divisor = n;
  gm[0] = uint8_t(INT32_MIN % divisor);  // HERE modulo
}

extern "C" __global__ __aicore__ void endless(GM_ADDR gm, int64_t n) {
  volatile uint8_t* cell = gm;
  while (n == 0) *cell = *cell + 1;  // HERE endless
}

__attribute__((noinline)) int64_t deeper(int64_t depth, int64_t limit) {
  volatile char frame[256] = {};
  if (depth == limit) return frame[0];
  return deeper(depth + 1, limit) + frame[1];  // HERE deeper
}

extern "C" __global__ __aicore__ void recursion(GM_ADDR gm, int64_t n) {
  gm[0] = uint8_t(deeper(0, n));
}

extern "C" __global__ __aicore__ void huge_array(GM_ADDR gm, int64_t n) {
  auto* array = (volatile char*)__builtin_alloca(n);
  array[0] = 1;  // HERE huge_array
  gm[0] = array[0];
}

// A function that is not where the pointer says.
extern "C" __global__ __aicore__ void call_address(GM_ADDR gm, int64_t n) {
  auto* volatile function = (uint8_t(*)(int))n;
  if (GetBlockIdx() == 1) gm[0] = function(1);  // HERE call_address
  gm[1] = 1;
}

extern "C" __global__ __aicore__ void call_data(GM_ADDR gm, int64_t) {
  auto* volatile function = (uint8_t(*)(int))gm;
  gm[0] = function(1);  // HERE call_data
  gm[1] = 1;
}

__attribute__((noinline)) void write_up(volatile uint64_t* words, int64_t value, int count) {
  for (int i = 0; i < count; ++i) words[i] = uint64_t(value);
}

// Writes its caller's frame and its return address over; 0 writes nothing.
__attribute__((noinline)) void smash(int64_t value) {
  auto* frame = (volatile uint64_t*)__builtin_frame_address(0);
  write_up(frame, value, value == 0 ? 0 : 2);
}  // HERE smash

extern "C" __global__ __aicore__ void smash_the_stack(GM_ADDR gm, int64_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  LocalTensor<float> local = buffer.Get<float>();
  Duplicate(local, 1.0f, 64);
  Duplicate(local, 2.0f, 64);  // HERE smash_the_stack
  smash(n);
  gm[0] = 1;
}

extern "C" __global__ __aicore__ void smash_at_once(GM_ADDR gm, int64_t n) {
  smash(GetBlockIdx() == 1 ? n : 0);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  Duplicate(buffer.Get<float>(), 1.0f, 64);
  gm[0] = 1;
}

extern "C" __global__ __aicore__ void overrun_a_local_array(GM_ADDR gm, int64_t n) {
  volatile char array[16] = {};
  write_up((volatile uint64_t*)array, 0x4141414141414141, int(n));
  gm[0] = array[0];
}  // HERE overrun_a_local_array

extern "C" __global__ __aicore__ void call_abort(GM_ADDR, int64_t n) {
  if (n != 0) abort();  // HERE call_abort
}

extern "C" __global__ __aicore__ void call_exit(GM_ADDR, int64_t n) { exit(n); }

extern "C" __global__ __aicore__ void call_quick_exit(GM_ADDR, int64_t n) { _exit(n); }

extern "C" __global__ __aicore__ void throw_error(GM_ADDR, int64_t n) {
  if (n == 1) throw std::runtime_error("no such tile");
  if (n == 2) throw 42;
}

extern "C" __global__ __aicore__ void catches_its_own(GM_ADDR gm, int64_t) {
  try {
    throw std::runtime_error("inner");
  } catch (const std::exception&) {
    gm[0] = 1;
  }
}

extern "C" __global__ __aicore__ void raise_signal(GM_ADDR, int64_t n) {
  raise(int(n));  // HERE raise_signal
}

extern "C" __global__ __aicore__ void illegal_instruction(GM_ADDR, int64_t) {
  __builtin_trap();  // HERE illegal_instruction
}

extern "C" __global__ __aicore__ void close_all(GM_ADDR, int64_t n) {
  for (int descriptor = 0; descriptor < 256; ++descriptor) close(descriptor);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  LocalTensor<half> tensor = buffer.Get<half>();
  Duplicate(tensor, half(0), n);
}

extern "C" __global__ __aicore__ void forks(GM_ADDR gm, int64_t n) {
  const pid_t child = fork();
  if (child == 0 && n == 0) _exit(0);
  if (child == 0 && n == 1) return;
  if (child == 0) {  // outlives the kernel, and holds whatever it inherited but these
    close(1);
    close(2);
    sleep(6);
    _exit(0);
  }
  if (n != 2) waitpid(child, nullptr, 0);
  gm[0] = 1;
}

extern "C" __global__ __aicore__ void prints(GM_ADDR, int64_t n) {
  char line[1025];
  std::memset(line, 'x', 1024);
  line[1024] = 0;
  for (int64_t i = 0; i < n; ++i) printf("%s\n", line);
}

extern "C" __global__ __aicore__ void every_iteration(GM_ADDR, int64_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  LocalTensor<half> tensor = buffer.Get<half>();
  for (int64_t i = 0; i < n; ++i) {
    tensor.SetValue(128, 1);  // HERE every_iteration
  }
}

extern "C" __global__ __aicore__ void block_three(GM_ADDR gm, int64_t) {
  const int64_t block = GetBlockIdx();
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  LocalTensor<half> tensor = buffer.Get<half>();
  tensor.SetValue(block == 3 ? 128 : 0, 1);  // HERE block_three
  gm[block] = uint8_t(block + 1);
}

extern "C" __global__ __aicore__ void wild_block_two(GM_ADDR gm, int64_t) {
  if (GetBlockIdx() == 2) gm = nullptr;
  *(volatile uint8_t*)gm = 1;  // HERE wild_block_two
}

// Nobody may be told where this one is.
extern "C" __global__ __aicore__ void deaf(GM_ADDR gm, int64_t) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (volatile uint8_t* cell = gm;;) *cell = *cell + 1;
}

// The chip lacks the type, which ends the block, whatever the kernel's functions promise.
void add_bytes() noexcept {
  LocalTensor<uint8_t> bytes(TPosition::VECCALC, 0, 32);
  Add(bytes, bytes, bytes, 32);  // HERE add_bytes
}
extern "C" __global__ __aicore__ void promises_not_to_throw(GM_ADDR, int64_t) { add_bytes(); }

extern "C" __global__ __aicore__ void catches_everything(GM_ADDR gm, int64_t) {
  LocalTensor<uint8_t> bytes(TPosition::VECCALC, 0, 32);
  try {
    Add(bytes, bytes, bytes, 32);  // HERE catches_everything
  } catch (...) {
    gm[0] = 1;
  }
}

__attribute__((noinline)) half deeper_in_vinci(LocalTensor<half> tensor, uint32_t depth) {
  tensor.SetValue(depth % 128, 1);
  return deeper_in_vinci(tensor, depth + 1) + tensor.GetValue(0);
}
extern "C" __global__ __aicore__ void recursion_in_vinci(GM_ADDR gm, int64_t) {
  LocalTensor<half> tensor(TPosition::VECCALC, 0, 128);
  gm[0] = uint8_t(float(deeper_in_vinci(tensor, 0)));
}

#define SET(i) tensor.SetValue(128 + i, 1);
#define LINE5(i) SET(i) SET(i + 1) SET(i + 2) SET(i + 3) SET(i + 4)
extern "C" __global__ __aicore__ void many_places(GM_ADDR gm, int64_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  LocalTensor<half> tensor = buffer.Get<half>();
  gm[0] = 1;
  LINE5(0) LINE5(5) LINE5(10) SET(15) SET(16) SET(17) SET(18) if (n != 0) return;
  SET(19)
  gm[0] = 2;
  LINE5(20)
}
