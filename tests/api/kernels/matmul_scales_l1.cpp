// A product of int8, whose columns have scales that lie in L1 already.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <class T>
using Gm = MatmulType<TPosition::GM, CubeFormat::ND, T>;

extern "C" __global__ __aicore__ void matmul_scales_l1(__gm__ int8_t* a, __gm__ int8_t* b, __gm__ uint64_t* scales,
                                                       __gm__ TCubeTiling* tiling, __gm__ half* c, int32_t loops) {
  TPipe pipe;
  TCubeTiling t = *tiling;
  Matmul<Gm<int8_t>, Gm<int8_t>, Gm<half>, Gm<int32_t>> mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
  GlobalTensor<int8_t> left, right;
  GlobalTensor<uint64_t> words;
  GlobalTensor<half> out;
  left.SetGlobalBuffer(a);
  right.SetGlobalBuffer(b);
  words.SetGlobalBuffer(scales);
  out.SetGlobalBuffer(c);
  TQue<TPosition::A1, 1> queue;
  const uint32_t columns = (t.N + 3) / 4 * 4;
  pipe.InitBuffer(queue, 1, columns * sizeof(uint64_t));
  LocalTensor<uint64_t> l1 = queue.AllocTensor<uint64_t>();
  DataCopy(l1, words, columns);
  queue.EnQue(l1);
  l1 = queue.DeQue<uint64_t>();
  for (int i = 0; i < loops; ++i) {
    mm.SetTensorA(left);
    mm.SetTensorB(right);
    mm.SetQuantVector(l1);
    mm.IterateAll(out[i * t.M * t.N]);
  }
  mm.End();
  queue.FreeTensor(l1);
}
