// Computes first, then communicates: AICs multiply, each a part, and the first of them sends.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/hccl/hccl.h"
#include "lib/matmul_intf.h"
#include "matmul_all_reduce_tiling.h"

using namespace AscendC;
template <class T>
using InGm = MatmulType<TPosition::GM, CubeFormat::ND, T>;

extern "C" __global__ __aicore__ void matmul_all_reduce_custom(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace,
                                                               GM_ADDR tilingGM)
{
    if ASCEND_IS_AIV {
        return;
    }
    REGISTER_TILING_DEFAULT(MatmulAllReduceTilingData);
    GET_TILING_DATA_WITH_STRUCT(MatmulAllReduceTilingData, tiling, tilingGM);
    const TCubeTiling& cube = tiling.cubeTiling;
    GM_ADDR product = GetUserWorkspace(workspace);
    Hccl hccl;
    hccl.InitV2(GetHcclContext<0>(), &tiling);
    if (hccl.SetCcTilingV2(offsetof(MatmulAllReduceTilingData, mc2CcTiling)) != HCCL_SUCCESS) {
        return;
    }
    const HcclHandle handle =
        hccl.AllReduce(product, c, cube.M * cube.N, HcclDataType::HCCL_DATA_TYPE_FP32, HcclReduceOp::HCCL_REDUCE_SUM);

    TPipe pipe;
    Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cube);
    if (GetBlockIdx() < cube.usedCoreNum) {
        const int32_t rows = Ceil(cube.M, cube.singleCoreM);
        const int32_t row = GetBlockIdx() % rows * cube.singleCoreM, column = GetBlockIdx() / rows * cube.singleCoreN;
        GlobalTensor<half> left, right;
        GlobalTensor<float> to;
        left.SetGlobalBuffer((__gm__ half*)a);
        right.SetGlobalBuffer((__gm__ half*)b);
        to.SetGlobalBuffer((__gm__ float*)product);
        mm.SetTensorA(left[row * cube.Ka]);
        mm.SetTensorB(right[column]);
        mm.SetTail(Std::min(cube.M - row, cube.singleCoreM), Std::min(cube.N - column, cube.singleCoreN));
        mm.IterateAll(to[row * cube.N + column]);
    }
    mm.End();
    // All AICs have written their parts before the first of them sends.
    CrossCoreSetFlag<0, PIPE_FIX>(3);
    CrossCoreWaitFlag(3);
    hccl.Commit(handle);
    hccl.Wait(handle);
    hccl.Finalize();
}
