// A product of 32 x 32 x 32 with a bias, fetched into UB; a launch asks for less room there.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void matmul_mistakes(__gm__ half* a, __gm__ half* b, __gm__ float* bias,
                                                      __gm__ TCubeTiling* tiling, __gm__ float* c,
                                                      int32_t room) {
  TPipe pipe;
  TBuf<TPosition::VECIN> buffer;
  pipe.InitBuffer(buffer, room);
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, float>, MatmulType<TPosition::GM, CubeFormat::ND, float>>
      mm;
  TCubeTiling here = *tiling;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &here);
  GlobalTensor<half> left, right;
  GlobalTensor<float> row, out;
  left.SetGlobalBuffer(a, 1024);
  right.SetGlobalBuffer(b, 1024);
  row.SetGlobalBuffer(bias, 32);
  out.SetGlobalBuffer(c, 1024);
  const LocalTensor<float> tile = buffer.Get<float>();
  mm.SetTensorA(left);
  mm.SetTensorB(right);
  mm.SetBias(row);  // BIAS
  while (mm.Iterate()) mm.GetTensorC(tile);  // FETCHES
  mm.End();
  PipeBarrier<PIPE_ALL>();
  if (room >= 4096) DataCopy(out, tile, 1024);
}
