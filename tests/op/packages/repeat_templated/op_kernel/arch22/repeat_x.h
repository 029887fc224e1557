#ifndef REPEAT_X_H
#define REPEAT_X_H
#include "kernel_operator.h"
#include "../repeat_x_tiling_data.h"
#include "../repeat_x_tiling_key.h"

namespace RepeatXNs {
using namespace AscendC;

template <typename T, uint32_t SCHEDULE, uint32_t BUFFERS, bool NEGATE>
class RepeatX {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RepeatXTilingData* tiling)
    {
        t_ = tiling;
        xGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x));
        yGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y));
        pipe_.InitBuffer(in_, BUFFERS, TILE * sizeof(T));
        pipe_.InitBuffer(out_, BUFFERS, TILE * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        const int64_t start = GetBlockIdx() * t_->perCore;
        const int64_t end = start + t_->perCore < t_->rows ? start + t_->perCore : t_->rows;
        if constexpr (SCHEDULE == REPEAT_X_WHOLE) {
            for (int64_t row = start; row < end; ++row) {
                for (int64_t k = 0; k < t_->times; ++k) Copy(row, row * t_->times + k, 0, t_->row);
            }
        } else {
            for (int64_t row = start; row < end; ++row) {
                for (int64_t at = 0; at < t_->row; at += TILE) {
                    const int64_t n = t_->row - at < TILE ? t_->row - at : TILE;
                    for (int64_t k = 0; k < t_->times; ++k) Copy(row, row * t_->times + k, at, n);
                }
            }
        }
    }

private:
    __aicore__ inline void Copy(int64_t from, int64_t to, int64_t at, int64_t n)
    {
        DataCopyExtParams how{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
        LocalTensor<T> a = in_.template AllocTensor<T>();
        DataCopyPad(a, xGm_[from * t_->row + at], how, DataCopyPadExtParams<T>{false, 0, 0, 0});
        in_.EnQue(a);
        a = in_.template DeQue<T>();
        LocalTensor<T> b = out_.template AllocTensor<T>();
        Muls(b, a, static_cast<T>(NEGATE ? -1.0f : 1.0f), n);
        in_.FreeTensor(a);
        out_.EnQue(b);
        b = out_.template DeQue<T>();
        DataCopyPad(yGm_[to * t_->row + at], b, how);
        out_.FreeTensor(b);
    }
    static constexpr int64_t TILE = 512;
    TPipe pipe_;
    const RepeatXTilingData* t_;
    TQue<QuePosition::VECIN, BUFFERS> in_;
    TQue<QuePosition::VECOUT, BUFFERS> out_;
    GlobalTensor<T> xGm_, yGm_;
};
}  // namespace RepeatXNs
#endif
