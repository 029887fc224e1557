#ifndef GATING_TOP_K_SOFTMAX_BASE_H
#define GATING_TOP_K_SOFTMAX_BASE_H
#include "gating_common.h"
namespace GatingTopK {
template <typename T>
class GatingTopKSoftmaxKernel {
public:
    __aicore__ inline GatingTopKSoftmaxKernel() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR finished, GM_ADDR y, GM_ADDR expertIdx, GM_ADDR rowIdx,
                                const GatingTopKSoftmaxTilingData *__restrict tiling, TPipe *pipe)
    {
        tiling_ = tiling;
        pipe_ = pipe;
        col_ = tiling->col;
        colAlign_ = tiling->colAlign;
        k_ = tiling->k;
        uint32_t blockIdx = GetBlockIdx();
        rowBegin_ = blockIdx * tiling->coreInfo.rowsPerCore;
        rows_ = blockIdx == static_cast<uint32_t>(tiling->coreInfo.coreNum) - 1 ? tiling->coreInfo.rowsLastCore
                                                                              : tiling->coreInfo.rowsPerCore;
        xGm_.SetGlobalBuffer((__gm__ T *)x + static_cast<uint64_t>(rowBegin_) * col_);
        if (tiling->hasFinished) {
            finishedGm_.SetGlobalBuffer((__gm__ bool *)finished + rowBegin_);
        }
        yGm_.SetGlobalBuffer((__gm__ T *)y + static_cast<uint64_t>(rowBegin_) * k_);
        idxGm_.SetGlobalBuffer((__gm__ int32_t *)expertIdx + static_cast<uint64_t>(rowBegin_) * k_);
        rowGm_.SetGlobalBuffer((__gm__ int32_t *)rowIdx + static_cast<uint64_t>(rowBegin_) * k_);
        pipe_->InitBuffer(xQue_, DOUBLE_BUFFER, colAlign_ * sizeof(T));
        pipe_->InitBuffer(yQue_, 1, AlignUp(k_ * sizeof(T), BLOCK_BYTES));
        pipe_->InitBuffer(idxQue_, 1, AlignUp(k_ * sizeof(int32_t), BLOCK_BYTES));
        pipe_->InitBuffer(rowQue_, 1, AlignUp(k_ * sizeof(int32_t), BLOCK_BYTES));
        pipe_->InitBuffer(floatBuf_, colAlign_ * sizeof(float));
        pipe_->InitBuffer(probBuf_, colAlign_ * sizeof(float));
        pipe_->InitBuffer(maxBuf_, BLOCK_BYTES);
        pipe_->InitBuffer(sumBuf_, BLOCK_BYTES);
        pipe_->InitBuffer(indexBuf_, colAlign_ * sizeof(uint32_t));
        pipe_->InitBuffer(sortBuf_, colAlign_ * 8);
        pipe_->InitBuffer(sortedBuf_, colAlign_ * 8);
        pipe_->InitBuffer(valueBuf_, colAlign_ * sizeof(float));
        pipe_->InitBuffer(outIndexBuf_, colAlign_ * sizeof(uint32_t));
    }
    __aicore__ inline void Process()
    {
        LocalTensor<int32_t> index = indexBuf_.Get<int32_t>();
        ArithProgression<int32_t>(index, 0, 1, colAlign_);
        PipeBarrier<PIPE_V>();
        for (uint32_t i = 0; i < rows_; ++i) {
            CopyIn(i);
            Compute(i);
            CopyOut(i);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t row)
    {
        LocalTensor<T> x = xQue_.AllocTensor<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(col_ * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, static_cast<T>(0)};
        DataCopyPad(x, xGm_[row * col_], params, pad);
        xQue_.EnQue(x);
    }
    __aicore__ inline void ToFloat(LocalTensor<float> to, LocalTensor<T> from)
    {
        if constexpr (IsSameType<T, float>::value) {
            Adds(to, from, 0.0f, col_);
        } else {
            Cast(to, from, RoundMode::CAST_NONE, col_);
        }
        PipeBarrier<PIPE_V>();
    }
    __aicore__ inline void Compute(uint32_t row)
    {
        LocalTensor<T> x = xQue_.DeQue<T>();
        LocalTensor<float> xFloat = floatBuf_.Get<float>();
        LocalTensor<float> prob = probBuf_.Get<float>();
        Duplicate(xFloat, -3.0e38f, colAlign_);
        PipeBarrier<PIPE_V>();
        ToFloat(xFloat, x);
        xQue_.FreeTensor(x);
        LocalTensor<float> maxLocal = maxBuf_.Get<float>();
        LocalTensor<float> sumLocal = sumBuf_.Get<float>();
        SoftMaxShapeInfo info{1, colAlign_, 1, col_};
        SoftMax<float, false, false>(prob, sumLocal, maxLocal, xFloat, tiling_->softmaxTilingData, info);
        PipeBarrier<PIPE_V>();
        LocalTensor<uint32_t> index = indexBuf_.Get<uint32_t>();
        LocalTensor<float> sortTmp = sortBuf_.Get<float>();
        LocalTensor<float> sorted = sortedBuf_.Get<float>();
        LocalTensor<float> concat;
        if (colAlign_ > col_) {
            SetWaitFlag<HardEvent::V_S>(HardEvent::V_S);
            for (uint32_t i = 0; i < colAlign_ - col_; ++i) {
                prob.SetValue(col_ + i, -1.0f);
            }
            SetWaitFlag<HardEvent::S_V>(HardEvent::S_V);
        }
        Concat(concat, prob, sortTmp, colAlign_ / 16);
        Sort<float, true>(sorted, concat, index, sortTmp, colAlign_ / 32);
        PipeBarrier<PIPE_V>();
        LocalTensor<float> values = valueBuf_.Get<float>();
        LocalTensor<uint32_t> outIndex = outIndexBuf_.Get<uint32_t>();
        Extract(values, outIndex, sorted, colAlign_ / 32);
        PipeBarrier<PIPE_V>();
        Result(row, values, outIndex.ReinterpretCast<int32_t>());
    }
    __aicore__ inline void Result(uint32_t row, LocalTensor<float> values, LocalTensor<int32_t> outIndex)
    {
        if (tiling_->renorm) {
            LocalTensor<float> tmp = floatBuf_.Get<float>();
            LocalTensor<float> sum = sumBuf_.Get<float>();
            ReduceSum<float>(sum, values, tmp, k_);
            SetWaitFlag<HardEvent::V_S>(HardEvent::V_S);
            float scale = 1.0f / sum.GetValue(0);
            SetWaitFlag<HardEvent::S_V>(HardEvent::S_V);
            Muls(values, values, scale, k_);
            PipeBarrier<PIPE_V>();
        }
        LocalTensor<T> y = yQue_.AllocTensor<T>();
        if constexpr (IsSameType<T, float>::value) {
            Adds(y, values, 0.0f, k_);
        } else {
            Cast(y, values, RoundMode::CAST_RINT, k_);
        }
        yQue_.EnQue(y);
        LocalTensor<int32_t> idx = idxQue_.AllocTensor<int32_t>();
        bool finished = false;
        if (tiling_->hasFinished) {
            finished = finishedGm_.GetValue(row);
        }
        if (finished) {
            Duplicate(idx, static_cast<int32_t>(col_), k_);
        } else {
            Adds(idx, outIndex, 0, k_);
        }
        idxQue_.EnQue(idx);
        LocalTensor<int32_t> rowIdx = rowQue_.AllocTensor<int32_t>();
        ArithProgression<int32_t>(rowIdx, static_cast<int32_t>(rowBegin_ + row), static_cast<int32_t>(tiling_->row), k_);
        rowQue_.EnQue(rowIdx);
    }
    __aicore__ inline void CopyOut(uint32_t row)
    {
        LocalTensor<T> y = yQue_.DeQue<T>();
        DataCopyPad(yGm_[row * k_], y, DataCopyExtParams{1, static_cast<uint32_t>(k_ * sizeof(T)), 0, 0, 0});
        yQue_.FreeTensor(y);
        LocalTensor<int32_t> idx = idxQue_.DeQue<int32_t>();
        DataCopyExtParams params{1, static_cast<uint32_t>(k_ * sizeof(int32_t)), 0, 0, 0};
        DataCopyPad(idxGm_[row * k_], idx, params);
        idxQue_.FreeTensor(idx);
        LocalTensor<int32_t> rowIdx = rowQue_.DeQue<int32_t>();
        DataCopyPad(rowGm_[row * k_], rowIdx, params);
        rowQue_.FreeTensor(rowIdx);
    }

    TPipe *pipe_;
    const GatingTopKSoftmaxTilingData *tiling_;
    TQue<QuePosition::VECIN, DOUBLE_BUFFER> xQue_;
    TQue<QuePosition::VECOUT, 1> yQue_, idxQue_, rowQue_;
    TBuf<TPosition::VECCALC> floatBuf_, probBuf_, maxBuf_, sumBuf_, indexBuf_, sortBuf_, sortedBuf_, valueBuf_,
        outIndexBuf_;
    GlobalTensor<T> xGm_, yGm_;
    GlobalTensor<bool> finishedGm_;
    GlobalTensor<int32_t> idxGm_, rowGm_;
    uint32_t col_ = 0, colAlign_ = 0, k_ = 0, rows_ = 0, rowBegin_ = 0;
};
}  // namespace GatingTopK
#endif
