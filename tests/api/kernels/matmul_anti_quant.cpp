// Half by int8 on whole cores, a product for each block: with one offset and scale, or with those
// of each column.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <TPosition position, class T, bool transposed = false>
using Nd = MatmulType<position, CubeFormat::ND, T, transposed>;

struct Case {
  int32_t transposed, vector, mode, columns;  // mode: 0 IterateAll, 1 tiles, 2 nothing set
  TCubeTiling tiling;
};

extern "C" __global__ __aicore__ void matmul_anti_quant(GM_ADDR a, GM_ADDR b, GM_ADDR numbers,
                                                        GM_ADDR bias, GM_ADDR cases, GM_ADDR out,
                                                        int32_t room) {
  const uint32_t block = GetBlockIdx();
  const Case& mine = reinterpret_cast<const Case*>(cases)[block];
  GlobalTensor<half> left, given;
  GlobalTensor<int8_t> right;
  GlobalTensor<float> more, result;
  left.SetGlobalBuffer((__gm__ half*)a + block * room, room);
  right.SetGlobalBuffer((__gm__ int8_t*)b + block * room, room);
  given.SetGlobalBuffer((__gm__ half*)numbers + block * 1024, 1024);
  more.SetGlobalBuffer((__gm__ float*)bias + block * 512, 512);
  result.SetGlobalBuffer((__gm__ float*)out + block * room, room);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 1024 * sizeof(half));
  LocalTensor<half> local = queue.AllocTensor<half>();
  DataCopy(local, given, 1024);
  queue.EnQue(local);
  local = queue.DeQue<half>();

  Matmul<Nd<TPosition::GM, half>, Nd<TPosition::GM, int8_t, true>, Nd<TPosition::GM, float>> mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &mine.tiling);
  mm.SetTensorA(left);
  mm.SetTensorB(right, mine.transposed);
  mm.SetBias(more);
  if (mine.mode != 2 && mine.vector) mm.SetAntiQuantVector(local[0], local[512]);
  if (mine.mode != 2 && !mine.vector) mm.SetAntiQuantScalar(local.GetValue(0), local.GetValue(512));
  if (mine.mode == 1) {
    while (mm.Iterate()) mm.GetTensorC(result);
  } else {
    mm.IterateAll(result);
  }
  mm.End();
  queue.FreeTensor(local);
}
