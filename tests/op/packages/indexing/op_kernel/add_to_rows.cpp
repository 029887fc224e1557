#include "index_base.h"

extern "C" __global__ __aicore__ void add_to_rows(GM_ADDR var, GM_ADDR indices, GM_ADDR updates, GM_ADDR var_ref,
                                                  GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(t, tiling);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, ROW_TILE * sizeof(DTYPE_UPDATES));
    GlobalTensor<DTYPE_VAR_REF> to;
    GlobalTensor<DTYPE_UPDATES> from;
    GlobalTensor<DTYPE_INDICES> index;
    to.SetGlobalBuffer((__gm__ DTYPE_VAR_REF*)var_ref, t.rows * t.row);
    from.SetGlobalBuffer((__gm__ DTYPE_UPDATES*)updates, t.count * t.row);
    index.SetGlobalBuffer((__gm__ DTYPE_INDICES*)indices, t.count);
    const Part part(t.count, t.perCore);
    SetAtomicAdd<DTYPE_VAR>();
    for (int64_t i = part.start; i < part.start + part.count; ++i) {
        const int64_t row = index.GetValue(i);
        if (row < 0 || row >= t.rows) continue;
        for (uint32_t at = 0; at < t.row; at += ROW_TILE) {
            const uint32_t count = t.row - at < ROW_TILE ? t.row - at : ROW_TILE;
            LocalTensor<DTYPE_UPDATES> local = queue.AllocTensor<DTYPE_UPDATES>();
            DataCopyPad(local, from[i * t.row + at], BytesOf<DTYPE_UPDATES>(count), DataCopyPadExtParams<DTYPE_UPDATES>());
            queue.EnQue(local);
            local = queue.DeQue<DTYPE_UPDATES>();
            DataCopyPad(to[row * t.row + at], local, BytesOf<DTYPE_UPDATES>(count));
            queue.FreeTensor(local);
        }
    }
    SetAtomicNone();
}
