#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void concat_flat(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    ListTensorDesc inputs(reinterpret_cast<__gm__ void*>(x));
    GlobalTensor<DTYPE_Y> to;
    to.SetGlobalBuffer(reinterpret_cast<__gm__ DTYPE_Y*>(y));
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    constexpr int64_t TILE = 4096;
    pipe.InitBuffer(queue, 2, TILE * sizeof(DTYPE_X));
    int64_t offset = 0;
    for (uint32_t i = 0; i < tilingData.tensors; ++i) {
        GlobalTensor<DTYPE_X> from;
        from.SetGlobalBuffer(inputs.GetDataPtr<DTYPE_X>(i));
        for (int64_t at = 0; at < tilingData.lengths[i]; at += TILE) {
            const int64_t count = tilingData.lengths[i] - at < TILE ? tilingData.lengths[i] - at : TILE;
            DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
            LocalTensor<DTYPE_X> local = queue.AllocTensor<DTYPE_X>();
            DataCopyPad(local, from[at], params, DataCopyPadExtParams<DTYPE_X>{false, 0, 0, 0});
            queue.EnQue(local);
            local = queue.DeQue<DTYPE_X>();
            DataCopyPad(to[offset + at], local, params);
            queue.FreeTensor(local);
        }
        offset += tilingData.lengths[i];
    }
}
