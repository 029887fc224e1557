#pragma once
#include "kernel_operator.h"
#include "kernel_tiling/kernel_tiling.h"
#include "op_kernel/platform_util.h"
#include "swi_glu_quant_tiling_data.h"
#include "swi_glu_quant_tiling_key.h"
namespace SwiGluQuantOp {
using namespace AscendC;

template <typename T, uint8_t MODE, bool HAS_OFFSET, uint32_t BUF>
class Kernel {
public:
    __aicore__ inline Kernel(TPipe& pipe, const SwiGluQuantTilingData& t) : pipe_(pipe), t_(t) {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR scales, GM_ADDR offsets, GM_ADDR y, GM_ADDR scaleOut)
    {
        const int64_t block = GetBlockIdx();
        begin_ = block * t_.split.rowsPerCore;
        rows_ = block == t_.split.usedCore - 1 ? t_.split.rowsTail : t_.split.rowsPerCore;
        xGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x));
        if (scales != nullptr) scalesGm_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(scales));
        if constexpr (HAS_OFFSET) offsetsGm_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(offsets));
        yGm_.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(y));
        scaleOutGm_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(scaleOut));
        const uint32_t n = t_.chunk[0];
        pipe_.InitBuffer(inQue_, BUF, 2 * n * sizeof(T));
        pipe_.InitBuffer(outQue_, BUF, n * sizeof(int8_t));
        pipe_.InitBuffer(scaleQue_, 1, 32);
        pipe_.InitBuffer(tmp_, 4 * n * sizeof(float) + 64);
        pipe_.InitBuffer(paramBuf_, 2 * n * sizeof(float));
        a_ = tmp_.Get<float>();
        b_ = a_[n];
        c_ = a_[2 * n];
        d_ = a_[3 * n];
    }
    __aicore__ inline void Process()
    {
        LoadParams();
        for (int64_t i = 0; i < rows_; ++i) {
            Load(begin_ + i);
            Work(begin_ + i);
            Store(begin_ + i);
        }
    }

private:
    __aicore__ inline void LoadParams()
    {
        if (scalesGm_.GetPhyAddr() == nullptr) return;
        LocalTensor<float> p = paramBuf_.Get<float>();
        DataCopyExtParams c{1, static_cast<uint32_t>(t_.half_ * sizeof(float)), 0, 0, 0};
        DataCopyPadExtParams<float> pad{true, 0, 0, 0.0f};
        DataCopyPad(p, scalesGm_, c, pad);
        if constexpr (HAS_OFFSET) DataCopyPad(p[t_.chunk[0]], offsetsGm_, c, pad);
        event_t e = static_cast<event_t>(pipe_.FetchEventID(HardEvent::MTE2_V));
        SetFlag<HardEvent::MTE2_V>(e);
        WaitFlag<HardEvent::MTE2_V>(e);
    }
    __aicore__ inline void Load(int64_t row)
    {
        LocalTensor<T> x = inQue_.template AllocTensor<T>();
        DataCopyExtParams c{1, static_cast<uint32_t>(t_.half_ * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, T(0)};
        DataCopyPad(x, xGm_[row * t_.half_ * 2], c, pad);
        DataCopyPad(x[t_.chunk[0]], xGm_[row * t_.half_ * 2 + t_.half_], c, pad);
        inQue_.EnQue(x);
    }
    __aicore__ inline void Work(int64_t row)
    {
        const uint32_t n = t_.half_;
        LocalTensor<T> x = inQue_.template DeQue<T>();
        if constexpr (IsSameType<T, float>::value) {
            DataCopy(a_, x, t_.chunk[0]);
            DataCopy(b_, x[t_.chunk[0]], t_.chunk[0]);
        } else {
            Cast(a_, x, RoundMode::CAST_NONE, n);
            Cast(b_, x[t_.chunk[0]], RoundMode::CAST_NONE, n);
        }
        PipeBarrier<PIPE_V>();
        inQue_.FreeTensor(x);
        LocalTensor<float> act = t_.activateLeft ? a_ : b_;
        LocalTensor<float> gate = t_.activateLeft ? b_ : a_;
        Muls(c_, act, -1.0f, n);
        PipeBarrier<PIPE_V>();
        Exp(c_, c_, n);
        PipeBarrier<PIPE_V>();
        Adds(c_, c_, 1.0f, n);
        PipeBarrier<PIPE_V>();
        Div(c_, act, c_, n);
        PipeBarrier<PIPE_V>();
        Mul(c_, c_, gate, n);
        PipeBarrier<PIPE_V>();
        LocalTensor<float> scale = scaleQue_.template AllocTensor<float>();
        LocalTensor<float> p = paramBuf_.Get<float>();
        float rowScale = 1.0f;
        if (scalesGm_.GetPhyAddr() != nullptr) {
            Mul(c_, c_, p, n);
            PipeBarrier<PIPE_V>();
        }
        if constexpr (HAS_OFFSET) {
            Add(c_, c_, p[t_.chunk[0]], n);
            PipeBarrier<PIPE_V>();
        }
        if constexpr (MODE == SWIGLU_MODE_DYNAMIC) {
            Abs(d_, c_, n);
            PipeBarrier<PIPE_V>();
            ReduceMax(d_, d_, a_, static_cast<int32_t>(n), false);
            event_t e = static_cast<event_t>(pipe_.FetchEventID(HardEvent::V_S));
            SetFlag<HardEvent::V_S>(e);
            WaitFlag<HardEvent::V_S>(e);
            float m = d_.GetValue(0);
            rowScale = m < t_.epsilon ? 1.0f : m / 127.0f;
            event_t s = static_cast<event_t>(pipe_.FetchEventID(HardEvent::S_V));
            SetFlag<HardEvent::S_V>(s);
            WaitFlag<HardEvent::S_V>(s);
            Duplicate(d_, rowScale, n);
            PipeBarrier<PIPE_V>();
            Div(c_, c_, d_, n);
            PipeBarrier<PIPE_V>();
        }
        Duplicate(scale, rowScale, 8);
        scaleQue_.EnQue(scale);
        LocalTensor<int8_t> y = outQue_.template AllocTensor<int8_t>();
        LocalTensor<half> h = d_.template ReinterpretCast<half>();
        Cast(c_.template ReinterpretCast<int32_t>(), c_, RoundMode::CAST_RINT, n);
        PipeBarrier<PIPE_V>();
        SetDeqScale(static_cast<half>(1.0));
        PipeBarrier<PIPE_V>();
        Cast(h, c_.template ReinterpretCast<int32_t>(), RoundMode::CAST_ROUND, n);
        PipeBarrier<PIPE_V>();
        Cast(y, h, RoundMode::CAST_TRUNC, n);
        outQue_.EnQue(y);
    }
    __aicore__ inline void Store(int64_t row)
    {
        LocalTensor<int8_t> y = outQue_.template DeQue<int8_t>();
        DataCopyPad(yGm_[row * t_.half_], y, {1, static_cast<uint32_t>(t_.half_), 0, 0, 0});
        outQue_.FreeTensor(y);
        LocalTensor<float> scale = scaleQue_.template DeQue<float>();
        DataCopyPad(scaleOutGm_[row], scale, {1, sizeof(float), 0, 0, 0});
        scaleQue_.FreeTensor(scale);
    }
    TPipe& pipe_;
    const SwiGluQuantTilingData& t_;
    TQue<QuePosition::VECIN, BUF> inQue_;
    TQue<QuePosition::VECOUT, BUF> outQue_;
    TQue<QuePosition::VECOUT, 1> scaleQue_;
    TBuf<QuePosition::VECCALC> tmp_, paramBuf_;
    LocalTensor<float> a_, b_, c_, d_;
    GlobalTensor<T> xGm_;
    GlobalTensor<float> scalesGm_, offsetsGm_, scaleOutGm_;
    GlobalTensor<int8_t> yGm_;
    int64_t begin_ = 0, rows_ = 0;
};
} // namespace SwiGluQuantOp
