#include "index_base.h"

template <typename T, typename INDEX>
class TakeRows {
public:
    __aicore__ inline TakeRows(TPipe& pipe, const IndexTilingData& t) : t_(t)
    {
        pipe.InitBuffer(queue_, 2, ROW_TILE * sizeof(T));
    }
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR indices, GM_ADDR y)
    {
        GlobalTensor<INDEX> index;
        index.SetGlobalBuffer(reinterpret_cast<__gm__ INDEX*>(indices), t_.count);
        x_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x), t_.rows * t_.row);
        y_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y), t_.count * t_.row);
        const Part part(t_.count, t_.perCore);
        for (int64_t i = part.start; i < part.start + part.count; ++i) {
            int64_t from = static_cast<int64_t>(index.GetValue(i));
            if (from < 0) {
                from += t_.rows;
            }
            Copy(from * t_.row, i * t_.row);
        }
    }

private:
    __aicore__ inline void Copy(int64_t from, int64_t to)
    {
        for (uint32_t at = 0; at < t_.row; at += ROW_TILE) {
            const uint32_t count = t_.row - at < ROW_TILE ? t_.row - at : ROW_TILE;
            LocalTensor<T> local = queue_.template AllocTensor<T>();
            DataCopyPad(local, x_[from + at], BytesOf<T>(count), DataCopyPadExtParams<T>());
            queue_.EnQue(local);
            local = queue_.template DeQue<T>();
            DataCopyPad(y_[to + at], local, BytesOf<T>(count));
            queue_.FreeTensor(local);
        }
    }
    const IndexTilingData& t_;
    GlobalTensor<T> x_, y_;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue_;
};

extern "C" __global__ __aicore__ void take_rows(GM_ADDR x, GM_ADDR indices, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
#define TAKE_ROWS(INDEX)                              \
    do {                                              \
        TakeRows<DTYPE_X, INDEX> op(pipe, tilingData);\
        op.Run(x, indices, y);                        \
    } while (0)
    if (TILING_KEY_IS(10)) {
        TAKE_ROWS(int32_t);
    } else if (TILING_KEY_IS(20)) {
        TAKE_ROWS(int64_t);
    }
}
