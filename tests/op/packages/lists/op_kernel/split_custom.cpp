#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
using namespace AscendC;

template <typename T> class KernelSplit {
public:
    __aicore__ inline KernelSplit() = default;
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, SplitCustomTilingData* t)
    {
        this->t = t;
        src.SetGlobalBuffer((__gm__ T*)x, t->outer * t->rowLength);
        list = ListTensorDesc(reinterpret_cast<__gm__ void*>(y));
        pipe.InitBuffer(que, 2, t->elemPerLoop * sizeof(T) + 32);
    }
    __aicore__ inline void Process()
    {
        uint32_t core = GetBlockIdx();
        for (uint16_t i = t->startTensor[core]; i < t->endTensor[core]; ++i) {
            dst.SetGlobalBuffer(list.GetDataPtr<T>(i));
            for (uint64_t row = 0; row < t->outer; ++row) {
                Move(row * t->rowLength + t->offsets[i], row * t->lengths[i], t->lengths[i]);
            }
        }
    }

private:
    __aicore__ inline void Move(uint64_t from, uint64_t to, uint64_t count)
    {
        for (uint64_t at = 0; at < count; at += t->elemPerLoop) {
            uint32_t n = static_cast<uint32_t>(count - at < t->elemPerLoop ? count - at : t->elemPerLoop);
            LocalTensor<T> local = que.AllocTensor<T>();
            DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
            DataCopyPad(local, src[from + at], p, DataCopyPadExtParams<T>());
            que.EnQue(local);
            local = que.DeQue<T>();
            DataCopyPad(dst[to + at], local, p);
            que.FreeTensor(local);
        }
    }
    TPipe pipe;
    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> que;
    GlobalTensor<T> src, dst;
    ListTensorDesc list;
    SplitCustomTilingData* t;
};

extern "C" __global__ __aicore__ void split_custom(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    if (TILING_KEY_IS(1)) {
        KernelSplit<int8_t> op; op.Init(x, y, &tilingData); op.Process();
    } else if (TILING_KEY_IS(2)) {
        KernelSplit<half> op; op.Init(x, y, &tilingData); op.Process();
    } else if (TILING_KEY_IS(4)) {
        KernelSplit<float> op; op.Init(x, y, &tilingData); op.Process();
    } else if (TILING_KEY_IS(8)) {
        KernelSplit<int64_t> op; op.Init(x, y, &tilingData); op.Process();
    }
}

#ifndef __CCE_KT_TEST__
void split_custom_do(uint32_t blockDim, void* l2ctrl, void* stream, uint8_t* x, uint8_t* y, uint8_t* workspace, uint8_t* tiling)
{
    split_custom<<<blockDim, l2ctrl, stream>>>(x, y, workspace, tiling);
}
#endif
