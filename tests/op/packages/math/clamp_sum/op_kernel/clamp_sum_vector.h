#ifndef CLAMP_SUM_VECTOR_H
#define CLAMP_SUM_VECTOR_H
#include "kernel_operator.h"

namespace ClampSumNs {
using namespace AscendC;
constexpr int64_t TILE = 2048;

template <typename T>
class ClampSumVector {
public:
    __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, const ClampSumTilingData& tiling, TPipe* pipe)
    {
        low_ = tiling.low;
        high_ = tiling.high;
        start_ = GetBlockIdx() * tiling.perCore;
        count_ = tiling.count - start_ < tiling.perCore ? tiling.count - start_ : tiling.perCore;
        x1_.SetGlobalBuffer((__gm__ T*)x1 + start_);
        x2_.SetGlobalBuffer((__gm__ T*)x2 + start_);
        y_.SetGlobalBuffer((__gm__ T*)y + start_);
        pipe->InitBuffer(in1_, 2, TILE * sizeof(T));
        pipe->InitBuffer(in2_, 2, TILE * sizeof(T));
        pipe->InitBuffer(out_, 2, TILE * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        // Whole datablocks: what is behind the last number is nobody's.
        constexpr int64_t block = 32 / sizeof(T);
        for (int64_t at = 0; at < count_; at += TILE) {
            const int64_t left = count_ - at < TILE ? count_ - at : TILE;
            Tile(at, (left + block - 1) / block * block);
        }
    }

private:
    __aicore__ inline void Tile(int64_t at, int64_t n)
    {
        LocalTensor<T> a = in1_.template AllocTensor<T>();
        LocalTensor<T> b = in2_.template AllocTensor<T>();
        DataCopy(a, x1_[at], n);
        DataCopy(b, x2_[at], n);
        in1_.EnQue(a);
        in2_.EnQue(b);
        a = in1_.template DeQue<T>();
        b = in2_.template DeQue<T>();
        LocalTensor<T> y = out_.template AllocTensor<T>();
        Add(y, a, b, n);
        Maxs(y, y, static_cast<T>(low_), n);
        Mins(y, y, static_cast<T>(high_), n);
        in1_.FreeTensor(a);
        in2_.FreeTensor(b);
        out_.template EnQue<T>(y);
        y = out_.template DeQue<T>();
        DataCopy(y_[at], y, n);
        out_.FreeTensor(y);
    }
    TQue<QuePosition::VECIN, 2> in1_, in2_;
    TQue<QuePosition::VECOUT, 2> out_;
    GlobalTensor<T> x1_, x2_, y_;
    int64_t start_, count_;
    float low_, high_;
};
}  // namespace ClampSumNs
#endif
