#ifndef REDUCE_MEAN_X_ROWS_H
#define REDUCE_MEAN_X_ROWS_H
#include "reduce_mean_x_base.h"

namespace NsReduceMeanX {
// LAST: rows lie in one piece, and are added up in UB; else one number after the other.
template <typename T, bool LAST>
class Rows : public Base {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ReduceMeanXTilingData* __restrict tiling)
    {
        tiling_ = tiling;
        xGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x));
        yGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y));
        if constexpr (LAST) {
            pipe_.InitBuffer(in_, 2, TILE * sizeof(T));
            pipe_.InitBuffer(float_, TILE * sizeof(float));
            pipe_.InitBuffer(work_, TILE * sizeof(float));
            pipe_.InitBuffer(sum_, 32);
        }
        pipe_.InitBuffer(out_, 1, 256 * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        const int64_t start = static_cast<int64_t>(GetBlockIdx()) * tiling_->perCore;
        const int64_t left = tiling_->outputs - start;
        const int64_t count = left < tiling_->perCore ? left : tiling_->perCore;
        for (int64_t at = 0; at < count; at += 256) {
            const uint32_t part = count - at < 256 ? count - at : 256;
            LocalTensor<T> y = out_.AllocTensor<T>();
            for (uint32_t i = 0; i < part; ++i) {
                const float mean = Sum(Offset(tiling_->kept, start + at + i)) * tiling_->factor;
                y.SetValue(i, static_cast<T>(mean));
            }
            out_.EnQue(y);
            y = out_.DeQue<T>();
            DataCopyPad(yGm_[start + at], y, {1, static_cast<uint32_t>(part * sizeof(T)), 0, 0, 0});
            out_.FreeTensor(y);
        }
    }

private:
    __aicore__ inline float Sum(int64_t start)
    {
        const auto& axes = tiling_->reduced;
        float sum = 0;
        if constexpr (!LAST) {
            for (int64_t i = 0, n = Count(axes, 0); i < n; ++i) {
                sum += ToNumber(xGm_.GetValue(start + Offset(axes, i)));
            }
            return sum;
        } else {
            const uint32_t row = axes.length[0];
            for (int64_t i = 0, n = Count(axes, 1); i < n; ++i) {
                const int64_t from = start + Offset(axes, i * row);
                for (uint32_t at = 0; at < row; at += TILE) {
                    sum += SumOfTile(from + at, row - at < TILE ? row - at : TILE);
                }
            }
            return sum;
        }
    }
    __aicore__ inline float SumOfTile(int64_t from, uint32_t count)
    {
        LocalTensor<T> x = in_.AllocTensor<T>();
        DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        DataCopyPad(x, xGm_[from], {1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0}, pad);
        in_.EnQue(x);
        x = in_.DeQue<T>();
        LocalTensor<float> sum = sum_.Get<float>();
        LocalTensor<float> numbers = float_.Get<float>();
        if constexpr (sizeof(T) == 2) {
            Cast(numbers, x, RoundMode::CAST_NONE, count);
        } else {
            Adds(numbers, x, 0.0f, count);
        }
        PipeBarrier<PIPE_V>();
        ReduceSum<float>(sum, numbers, work_.Get<float>(), count);
        in_.FreeTensor(x);
        event_t event = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(event);
        WaitFlag<HardEvent::V_S>(event);
        return sum.GetValue(0);
    }

    static constexpr uint32_t TILE = 1024;
    const ReduceMeanXTilingData* tiling_;
    GlobalTensor<T> xGm_, yGm_;
    TQue<QuePosition::VECIN, 2> in_;
    TQue<QuePosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> float_, work_, sum_;
};
}
#endif
