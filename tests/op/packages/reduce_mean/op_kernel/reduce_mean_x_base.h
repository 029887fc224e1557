#ifndef REDUCE_MEAN_X_BASE_H
#define REDUCE_MEAN_X_BASE_H
#include "kernel_operator.h"

namespace NsReduceMeanX {
using namespace AscendC;

template <typename T>
__aicore__ inline float ToNumber(T value) { return static_cast<float>(value); }

class Base {
protected:
    template <typename Axes>
    __aicore__ inline int64_t Offset(const Axes& axes, int64_t index) const
    {
        int64_t at = 0;
        for (int i = 0; i < axes.count; ++i) {
            at += index % axes.length[i] * axes.stride[i];
            index /= axes.length[i];
        }
        return at;
    }
    template <typename Axes>
    __aicore__ inline int64_t Count(const Axes& axes, int from) const
    {
        int64_t count = 1;
        for (int i = from; i < axes.count; ++i) {
            count *= axes.length[i];
        }
        return count;
    }
    TPipe pipe_;
};
}
#endif
