// Tiles of int8 in NZ, fetched into UB one after the other; the last has fewer columns than a block of 32.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using In = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
using Out = MatmulType<TPosition::VECIN, CubeFormat::NZ, int8_t>;

extern "C" __global__ __aicore__ void matmul_nz_bytes(__gm__ int8_t* a, __gm__ int8_t* b, __gm__ TCubeTiling* tiling,
                                                      __gm__ int8_t* c, __gm__ int8_t* work, int32_t sync) {
  TPipe pipe;
  TCubeTiling t = *tiling;
  Matmul<In, In, Out, MatmulType<TPosition::GM, CubeFormat::ND, int32_t>> mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
  GlobalTensor<int8_t> left, right, out, room;
  left.SetGlobalBuffer(a);
  right.SetGlobalBuffer(b);
  out.SetGlobalBuffer(c);
  room.SetGlobalBuffer(work);
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, t.baseM * t.baseN);
  mm.SetWorkspace(room);
  mm.SetQuantScalar(0x3F800000ull | 1ull << 46);
  mm.SetTensorA(left);
  mm.SetTensorB(right);
  uint32_t done = 0;
  for (int32_t first = 0; sync ? mm.Iterate() : mm.Iterate<false>(); first += t.baseN) {
    LocalTensor<int8_t> tile = queue.AllocTensor<int8_t>();
    if (sync) {
      mm.GetTensorC(tile, 0, true);
    } else {
      mm.GetTensorC<false>(tile, 0, true);
    }
    queue.EnQue(tile);
    tile = queue.DeQue<int8_t>();
    const int32_t columns = t.N - first < t.baseN ? t.N - first : t.baseN;
    const uint32_t bytes = (columns + 31) / 32 * 32 * t.M;
    DataCopy(out[done], tile, bytes);
    done += bytes;
    queue.FreeTensor(tile);
  }
  mm.End();
}
