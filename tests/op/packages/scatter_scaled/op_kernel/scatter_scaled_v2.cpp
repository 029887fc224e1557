#include "kernel_operator.h"
#include "scatter_scaled_tiling.h"
using namespace AscendC;
template <typename I>
class ScatterScaledOp {
public:
    __aicore__ inline void Init(GM_ADDR var, GM_ADDR indices, GM_ADDR updates, const ScatterScaledTilingData& t) {
        varGm.SetGlobalBuffer((__gm__ float*)var, (uint64_t)t.rows * t.cols);
        idxGm.SetGlobalBuffer((__gm__ I*)indices, t.count);
        updGm.SetGlobalBuffer((__gm__ float*)updates, (uint64_t)t.count * t.cols);
        pipe.InitBuffer(buf, 2, (t.cols * 4 + 31) / 32 * 32);
        this->cols = t.cols; this->fill = t.fill;
    }
    __aicore__ inline void Process(uint32_t from, uint32_t to) {
        DataCopyExtParams p{1, (uint32_t)(cols * 4), 0, 0, 0};
        for (uint32_t i = from; i < to; ++i) {
            int64_t row = (int64_t)idxGm.GetValue(i);
            LocalTensor<float> u = buf.AllocTensor<float>();
            DataCopyPad(u, updGm[(uint64_t)i * cols], p, DataCopyPadExtParams<float>{false, 0, 0, 0});
            buf.EnQue<QuePosition::GM, QuePosition::VECIN>(u);
            u = buf.DeQue<QuePosition::GM, QuePosition::VECIN, float>();
            Muls(u, u, fill, cols);
            buf.EnQue<QuePosition::VECOUT, QuePosition::GM>(u);
            u = buf.DeQue<QuePosition::VECOUT, QuePosition::GM, float>();
            SetAtomicAdd<float>();
            DataCopyPad(varGm[row * cols], u, p);
            SetAtomicNone();
            buf.FreeTensor(u);
        }
    }
private:
    TPipe pipe;
    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> buf;
    GlobalTensor<float> varGm, updGm;
    GlobalTensor<I> idxGm;
    uint32_t cols; float fill;
};
extern "C" __global__ __aicore__ void scatter_scaled_entry(GM_ADDR var, GM_ADDR indices, GM_ADDR updates, GM_ADDR var_ref, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ScatterScaledTilingData);
    GET_TILING_DATA_MEMBER(ScatterScaledTilingData, cores, cores, tiling);
    GET_TILING_DATA(td, tiling);
    KERNEL_TASK_TYPE(0x10000000001ULL, KERNEL_TYPE_AIV_ONLY);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    const ScatterScaledRange r = td.ranges[GetBlockIdx()];
#if (TILING_KEY_VAR == 0x10000000001ULL)
    ScatterScaledOp<DTYPE_INDICES> op;
#else
    ScatterScaledOp<int32_t> op;
#endif
    op.Init(var_ref, indices, updates, td);
    if (GetBlockIdx() < cores) op.Process(r.begin, r.end);
}
