// enableMixDualMaster: the AIC of a block multiplies, and its AIV goes on with what comes out, twice.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr MatmulConfig dual() {
  MatmulConfig config = CFG_NORM;
  config.enableMixDualMaster = true;
  return config;
}
constexpr MatmulConfig kDual = dual();

template <class T>
__aicore__ GlobalTensor<T> at(GM_ADDR memory, uint32_t element) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(memory) + element);
  return tensor;
}

template <class T>
using Gm = MatmulType<TPosition::GM, CubeFormat::ND, T>;

extern "C" __global__ __aicore__ void matmul_dual(GM_ADDR a, GM_ADDR b, GM_ADDR tilings, GM_ADDR c,
                                                  GM_ADDR out) {
  TPipe pipe;
  const auto* tiling = reinterpret_cast<const TCubeTiling*>(tilings);
  Matmul<Gm<half>, Gm<half>, Gm<float>, Gm<float>, kDual> mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, tiling);
  const uint32_t block = GetBlockIdx(), m = tiling->singleCoreM, n = tiling->singleCoreN;
  for (uint32_t turn = 0; turn < 2; ++turn) {
    const uint32_t part = 2 * block + turn;
    const auto result = at<float>(c, part * m * n);
    mm.SetTensorA(at<half>(a, part * m * tiling->singleCoreK));
    mm.SetTensorB(at<half>(b, 0));
    mm.IterateAll(result);
    if ASCEND_IS_AIV {
      TBuf<> room;
      pipe.InitBuffer(room, m * n * sizeof(float));
      const LocalTensor<float> tile = room.Get<float>();
      DataCopy(tile, result, m * n);
      PipeBarrier<PIPE_ALL>();
      Adds(tile, tile, 1.0f, m * n);
      PipeBarrier<PIPE_ALL>();
      DataCopy(at<float>(out, part * m * n), tile, m * n);
      PipeBarrier<PIPE_ALL>();
    }
  }
  mm.End();
}
