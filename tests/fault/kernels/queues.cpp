// The queue protocol, each kernel legal for one `n` and a fault for another. `HERE name` marks the
// line of kernel `name` where the fault must be reported.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

// Two queues of two buffers in UB.
struct Queues {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> buffer;
  Queues() {
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 2, 256);
    pipe.InitBuffer(buffer, 256);
  }
};

}  // namespace

extern "C" __global__ __aicore__ void without_init(GM_ADDR, int64_t n) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  if (n != 0) pipe.InitBuffer(queue, 1, 256);
  auto tensor = queue.AllocTensor<half>();  // HERE without_init
  queue.FreeTensor(tensor);
}

extern "C" __global__ __aicore__ void forgotten_by_reset(GM_ADDR, int64_t n) {
  Queues q;
  if (n != 0) q.pipe.Reset();
  auto tensor = q.in.AllocTensor<half>();  // HERE forgotten_by_reset
  q.in.FreeTensor(tensor);
}

extern "C" __global__ __aicore__ void two_tensors(GM_ADDR, int64_t n) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, n, 256);
  auto first = queue.AllocTensor<half>();
  auto second = queue.AllocTensor<half>();  // HERE two_tensors
  queue.FreeTensor(second);
  queue.FreeTensor(first);
}

extern "C" __global__ __aicore__ void deep(GM_ADDR, int64_t n) {
  Queues q;
  for (int64_t i = 0; i < n; ++i) {
    auto tensor = q.in.AllocTensor<half>();
    q.in.EnQue(tensor);  // HERE deep
  }
  for (int64_t i = 0; i < n; ++i) {
    auto tensor = q.in.DeQue<half>();
    q.in.FreeTensor(tensor);
  }
}

extern "C" __global__ __aicore__ void enque_twice(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.out.AllocTensor<half>();
  q.out.EnQue(tensor);
  if (n == 2) q.out.EnQue(tensor);  // HERE enque_twice
  auto back = q.out.DeQue<half>();
  q.out.FreeTensor(back);
}

extern "C" __global__ __aicore__ void enque_foreign(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = n == 0 ? q.in.AllocTensor<half>() : q.out.AllocTensor<half>();
  q.in.EnQue(tensor);  // HERE enque_foreign
  q.in.DeQue<half>();
  n == 0 ? q.in.FreeTensor(tensor) : q.out.FreeTensor(tensor);
}

extern "C" __global__ __aicore__ void enque_freed(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.in.AllocTensor<half>();
  if (n != 0) q.in.FreeTensor(tensor);
  q.in.EnQue(tensor);  // HERE enque_freed
  q.in.DeQue<half>();
  if (n == 0) q.in.FreeTensor(tensor);
}

extern "C" __global__ __aicore__ void enque_tbuf(GM_ADDR, int64_t n) {
  Queues q;
  auto own = q.in.AllocTensor<half>();
  auto tensor = n == 0 ? own : q.buffer.Get<half>();
  q.in.EnQue(tensor);  // HERE enque_tbuf
  q.in.DeQue<half>();
  q.in.FreeTensor(own);
}

extern "C" __global__ __aicore__ void deque(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.in.AllocTensor<half>();
  q.in.EnQue(tensor);
  for (int64_t i = 0; i < n; ++i) {
    auto back = q.in.DeQue<half>();  // HERE deque
    q.in.FreeTensor(back);
  }
}

extern "C" __global__ __aicore__ void free_tensor(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.in.AllocTensor<half>();
  for (int64_t i = 0; i < n; ++i) {
    q.in.FreeTensor(tensor);  // HERE free_tensor
  }
}

extern "C" __global__ __aicore__ void free_while_waiting(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.in.AllocTensor<half>();
  q.in.EnQue(tensor);
  if (n == 0) q.in.DeQue<half>();
  q.in.FreeTensor(tensor);  // HERE free_while_waiting
}

extern "C" __global__ __aicore__ void never_freed(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.in.AllocTensor<half>();  // HERE never_freed
  if (n != 0) q.in.FreeTensor(tensor);
}

extern "C" __global__ __aicore__ void never_dequeued(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.in.AllocTensor<half>();  // HERE never_dequeued
  q.in.EnQue(tensor);
  if (n == 0) return;
  auto back = q.in.DeQue<half>();
  q.in.FreeTensor(back);
}

extern "C" __global__ __aicore__ void used_after_free(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.in.AllocTensor<half>();
  auto other = q.in.AllocTensor<half>();
  q.in.FreeTensor(tensor);
  Duplicate(n == 0 ? other : tensor, half(0), 128);  // HERE used_after_free
  q.in.FreeTensor(other);
}

extern "C" __global__ __aicore__ void used_in_another(GM_ADDR, int64_t n) {
  Queues q;
  auto freed = q.in.AllocTensor<half>();
  q.in.FreeTensor(freed);
  auto first = q.in.AllocTensor<half>();
  auto second = q.in.AllocTensor<half>();
  Duplicate(n == 0 ? first : freed, half(0), 128);  // HERE used_in_another
  q.in.FreeTensor(first);
  q.in.FreeTensor(second);
}

extern "C" __global__ __aicore__ void used_while_waiting(GM_ADDR, int64_t n) {
  Queues q;
  auto tensor = q.in.AllocTensor<half>();
  q.in.EnQue(tensor);
  if (n == 0) q.in.DeQue<half>();
  tensor.SetValue(0, 1);  // HERE used_while_waiting
  if (n != 0) q.in.DeQue<half>();
  q.in.FreeTensor(tensor);
}

extern "C" __global__ __aicore__ void second_pipe(GM_ADDR, int64_t n) {
  TPipe pipe;
  if (n == 0) pipe.Destroy();
  TPipe another;  // HERE second_pipe
}
