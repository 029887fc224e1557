#include "kernel_operator.h"
#include "layer_norm_rows_tiling_data.h"

using namespace AscendC;

template <typename T>
class LayerNormRowsKernel {
public:
    __aicore__ inline LayerNormRowsKernel() = delete;
    __aicore__ inline explicit LayerNormRowsKernel(TPipe* pipe) : pipe_(pipe) {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean, GM_ADDR rstd,
                                const LayerNormRowsTilingData& t)
    {
        t_ = t;
        first_ = GetBlockIdx() * t.rowsPerCore;
        count_ = t.rows - first_ < t.rowsPerCore ? t.rows - first_ : t.rowsPerCore;
        xGm_.SetGlobalBuffer((__gm__ T*)x);
        yGm_.SetGlobalBuffer((__gm__ T*)y);
        meanGm_.SetGlobalBuffer((__gm__ float*)mean);
        rstdGm_.SetGlobalBuffer((__gm__ float*)rstd);
        const uint32_t bytes = AlignUp(t.columns * sizeof(float), 32);
        pipe_->InitBuffer(in_, 2, bytes);
        pipe_->InitBuffer(out_, 1, bytes);
        pipe_->InitBuffer(stats_, 1, 2 * t.rowsPerCore * sizeof(float));
        pipe_->InitBuffer(a_, bytes);
        pipe_->InitBuffer(b_, bytes);
        pipe_->InitBuffer(work_, bytes);
        pipe_->InitBuffer(gamma_, bytes);
        pipe_->InitBuffer(beta_, bytes);
        Load(gamma_, gamma, t.hasGamma);
        Load(beta_, beta, t.hasBeta);
    }
    __aicore__ inline void Process()
    {
        LocalTensor<float> stats = stats_.AllocTensor<float>();
        for (uint32_t row = 0; row < count_; ++row) {
            Row(row, stats);
        }
        stats_.EnQue(stats);
        stats = stats_.DeQue<float>();
        const DataCopyExtParams params{1, static_cast<uint32_t>(count_ * sizeof(float)), 0, 0, 0};
        DataCopyPad(meanGm_[first_], stats, params);
        DataCopyPad(rstdGm_[first_], stats[t_.rowsPerCore], params);
        stats_.FreeTensor(stats);
    }

private:
    __aicore__ inline uint32_t AlignUp(uint32_t a, uint32_t b) { return (a + b - 1) / b * b; }
    __aicore__ inline void Load(TBuf<TPosition::VECCALC>& to, GM_ADDR from, bool there)
    {
        if (!there) return;
        GlobalTensor<float> gm;
        gm.SetGlobalBuffer((__gm__ float*)from, t_.columns);
        DataCopyPad(to.Get<float>(), gm, {1, static_cast<uint32_t>(t_.columns * sizeof(float)), 0, 0, 0},
                    DataCopyPadExtParams<float>{false, 0, 0, 0});
        event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
    }
    __aicore__ inline float Sum(const LocalTensor<float>& of)
    {
        LocalTensor<float> work = work_.Get<float>();
        ReduceSum(work, of, work, t_.columns);
        event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(id);
        WaitFlag<HardEvent::V_S>(id);
        const float sum = work.GetValue(0);
        id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::S_V));
        SetFlag<HardEvent::S_V>(id);
        WaitFlag<HardEvent::S_V>(id);
        return sum;
    }
    __aicore__ inline void Row(uint32_t row, LocalTensor<float>& stats)
    {
        const uint32_t n = t_.columns;
        LocalTensor<T> x = in_.template AllocTensor<T>();
        DataCopyPad(x, xGm_[(first_ + row) * n], {1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0},
                    DataCopyPadExtParams<T>{false, 0, 0, 0});
        in_.EnQue(x);
        x = in_.template DeQue<T>();
        LocalTensor<float> a = a_.Get<float>(), b = b_.Get<float>();
        if constexpr (IsSameType<T, float>::value) {
            DataCopy(a, x, AlignUp(n, 8));
        } else {
            Cast(a, x, RoundMode::CAST_NONE, n);
        }
        in_.FreeTensor(x);
        PipeBarrier<PIPE_V>();
        const float mean = Sum(a) / n;
        Adds(a, a, -mean, n);
        PipeBarrier<PIPE_V>();
        Mul(b, a, a, n);
        PipeBarrier<PIPE_V>();
        const float rstd = 1.0f / sqrt(Sum(b) / n + t_.epsilon);
        stats.SetValue(row, mean);
        stats.SetValue(t_.rowsPerCore + row, rstd);
        Muls(a, a, rstd, n);
        PipeBarrier<PIPE_V>();
        if (t_.hasGamma) Mul(a, a, gamma_.Get<float>(), n);
        PipeBarrier<PIPE_V>();
        if (t_.hasBeta) Add(a, a, beta_.Get<float>(), n);
        PipeBarrier<PIPE_V>();
        LocalTensor<T> y = out_.template AllocTensor<T>();
        if constexpr (IsSameType<T, float>::value) {
            DataCopy(y, a, AlignUp(n, 8));
        } else {
            Cast(y, a, RoundMode::CAST_RINT, n);
        }
        out_.EnQue(y);
        y = out_.template DeQue<T>();
        DataCopyPad(yGm_[(first_ + row) * n], y, {1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0});
        out_.FreeTensor(y);
    }

    TPipe* pipe_;
    LayerNormRowsTilingData t_;
    uint32_t first_, count_;
    GlobalTensor<T> xGm_, yGm_;
    GlobalTensor<float> meanGm_, rstdGm_;
    TQue<QuePosition::VECIN, 2> in_;
    TQue<QuePosition::VECOUT, 1> out_, stats_;
    TBuf<TPosition::VECCALC> a_, b_, work_, gamma_, beta_;
};

extern "C" __global__ __aicore__ void layer_norm_rows(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean,
                                                      GM_ADDR rstd, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(LayerNormRowsTilingData);
    GET_TILING_DATA_WITH_STRUCT(LayerNormRowsTilingData, tilingData, tiling);
    TPipe pipe;
#if (ORIG_DTYPE_X == DT_FLOAT)
    LayerNormRowsKernel<float> op(&pipe);
#else
    LayerNormRowsKernel<DTYPE_X> op(&pipe);
#endif
    op.Init(x, gamma, beta, y, mean, rstd, tilingData);
    op.Process();
}
