#include "kernel_operator.h"
using namespace AscendC;

// The address of a list's tensor: the descriptor's first word is where the pointers begin.
template <typename T>
__aicore__ inline __gm__ T* GetTensorAddr(uint16_t index, GM_ADDR list)
{
    __gm__ uint64_t* dataAddr = reinterpret_cast<__gm__ uint64_t*>(list);
    uint64_t tensorPtrOffset = *dataAddr;
    __gm__ uint64_t* tensorPtr = dataAddr + (tensorPtrOffset >> 3);
    return reinterpret_cast<__gm__ T*>(*(tensorPtr + index));
}

template <typename T>
class ForeachScale {
public:
    __aicore__ inline ForeachScale() = default;
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR scalar, GM_ADDR y, const ForeachCommonTilingData* tiling)
    {
        x_ = x;
        y_ = y;
        tiling_ = tiling;
        inScalarGM.SetGlobalBuffer((__gm__ T*)scalar, 1);
        scalarVal = inScalarGM.GetValue(0);
        pipe.InitBuffer(in, 2, tiling->inputsTensorUbSize);
        pipe.InitBuffer(out, 2, tiling->inputsTensorUbSize);
    }
    __aicore__ inline void Process()
    {
        const int64_t block = GetBlockIdx();
        for (uint16_t i = tiling_->tensorStartList[block]; i < tiling_->tensorEndList[block]; i++) {
            SingleTensor(i, tiling_->tensorDataCountList[i]);
        }
    }

private:
    __aicore__ inline void SingleTensor(uint16_t index, int64_t count)
    {
        inGM.SetGlobalBuffer(GetTensorAddr<T>(index, x_), count);
        outGM.SetGlobalBuffer(GetTensorAddr<T>(index, y_), count);
        const int64_t most = tiling_->inputsTensorUbSize / sizeof(T);
        for (int64_t at = 0; at < count; at += most) {
            const uint32_t n = count - at < most ? count - at : most;
            DataCopyExtParams how{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
            LocalTensor<T> x = in.template AllocTensor<T>();
            DataCopyPad(x, inGM[at], how, {false, 0, 0, 0});
            in.EnQue(x);
            x = in.template DeQue<T>();
            LocalTensor<T> y = out.template AllocTensor<T>();
            Muls(y, x, scalarVal, n);
            in.FreeTensor(x);
            out.EnQue(y);
            y = out.template DeQue<T>();
            DataCopyPad(outGM[at], y, how);
            out.FreeTensor(y);
        }
    }
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 2> out;
    GlobalTensor<T> inGM, outGM, inScalarGM;
    T scalarVal;
    GM_ADDR x_;
    GM_ADDR y_;
    const ForeachCommonTilingData* tiling_;
};

extern "C" __global__ __aicore__ void foreach_scale(GM_ADDR x, GM_ADDR scalar, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    GM_ADDR userWS = GetUserWorkspace(workspace);
    if (TILING_KEY_IS(2)) {
        ForeachScale<float> op;
        op.Init(x, scalar, y, &tilingData);
        op.Process();
    } else if (TILING_KEY_IS(3)) {
        ForeachScale<int32_t> op;
        op.Init(x, scalar, y, &tilingData);
        op.Process();
    }
}
