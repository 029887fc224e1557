#include "kernel_operator.h"
using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;

template<typename T> struct Map {using type = T;};
template<> struct Map<int8_t> {using type = half;};

template<typename TYPE> class KernelNotEqual {
public:
    __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, uint32_t size, uint32_t tile) {
        this->size = size;
        this->tile = tile;
        x1Gm.SetGlobalBuffer((__gm__ TYPE*)x1, size);
        x2Gm.SetGlobalBuffer((__gm__ TYPE*)x2, size);
        yGm.SetGlobalBuffer((__gm__ int8_t*)y, size);
        pipe.InitBuffer(Q_x1, BUFFER_NUM, tile * sizeof(TYPE));
        pipe.InitBuffer(Q_x2, BUFFER_NUM, tile * sizeof(TYPE));
        pipe.InitBuffer(Q_y, BUFFER_NUM, tile * sizeof(int8_t));
        pipe.InitBuffer(B_bits, tile / 8);
        pipe.InitBuffer(B_result, tile * sizeof(half));
        pipe.InitBuffer(B_zero, tile * sizeof(half));
        pipe.InitBuffer(B_x1, tile * sizeof(float));
        pipe.InitBuffer(B_x2, tile * sizeof(float));
        zero = B_zero.Get<half>();
        Duplicate(zero, half(0), tile);
    }
    __aicore__ inline void Process() {
        for (uint32_t at = 0; at < size; at += tile) {
            uint32_t length = size - at < tile ? size - at : tile;
            CopyIn(at, length);
            Compute();
            CopyOut(at, length);
        }
    }
private:
    __aicore__ inline void CopyIn(uint32_t at, uint32_t length) {
        LocalTensor<TYPE> a = Q_x1.AllocTensor<TYPE>(), b = Q_x2.AllocTensor<TYPE>();
        DataCopyExtParams params{1, static_cast<uint32_t>(length * sizeof(TYPE)), 0, 0, 0};
        DataCopyPadExtParams<TYPE> pad{false, 0, 0, 0};
        DataCopyPad(a, x1Gm[at], params, pad);
        DataCopyPad(b, x2Gm[at], params, pad);
        Q_x1.EnQue(a);
        Q_x2.EnQue(b);
    }
    __aicore__ inline void Compute() {
        LocalTensor<TYPE> a = Q_x1.DeQue<TYPE>(), b = Q_x2.DeQue<TYPE>();
        LocalTensor<int8_t> y = Q_y.AllocTensor<int8_t>();
        auto bits = B_bits.Get<uint8_t>();
        auto result = B_result.Get<half>();
        if constexpr (std::is_same_v<TYPE, int8_t>) {
            auto p = B_x1.Get<half>(), q = B_x2.Get<half>();
            Cast(p, a, RoundMode::CAST_NONE, tile);
            Cast(q, b, RoundMode::CAST_NONE, tile);
            Compare(bits, p, q, CMPMODE::EQ, tile);
        } else if constexpr (std::is_same_v<TYPE, int32_t>) {
            auto p = B_x1.Get<float>(), q = B_x2.Get<float>();
            Cast(p, a, RoundMode::CAST_NONE, tile);
            Cast(q, b, RoundMode::CAST_NONE, tile);
            Compare(bits, p, q, CMPMODE::EQ, tile);
        } else {
            Compare(bits, a, b, CMPMODE::EQ, tile);
        }
        Select(result, bits, zero, half(1), SELMODE::VSEL_TENSOR_SCALAR_MODE, tile);
        Cast(y, result, RoundMode::CAST_NONE, tile);
        Q_y.EnQue<int8_t>(y);
        Q_x1.FreeTensor(a);
        Q_x2.FreeTensor(b);
    }
    __aicore__ inline void CopyOut(uint32_t at, uint32_t length) {
        LocalTensor<int8_t> y = Q_y.DeQue<int8_t>();
        DataCopyExtParams params{1, static_cast<uint32_t>(length), 0, 0, 0};
        DataCopyPad(yGm[at], y, params);
        Q_y.FreeTensor(y);
    }
    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> Q_x1, Q_x2;
    TQue<QuePosition::VECOUT, BUFFER_NUM> Q_y;
    TBuf<QuePosition::VECCALC> B_bits, B_result, B_zero, B_x1, B_x2;
    LocalTensor<half> zero;
    GlobalTensor<TYPE> x1Gm, x2Gm;
    GlobalTensor<int8_t> yGm;
    uint32_t size, tile;
};

template<typename TYPE> class KernelNotEqual_Broadcast {
public:
    __aicore__ inline KernelNotEqual_Broadcast() {}
    __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, const int64_t ss[], int64_t dim) {
        this->dim = dim;
        for (int i = 0; i < 60; ++i) shape[i / 20][i % 20] = ss[i];
        x1Gm.SetGlobalBuffer((__gm__ TYPE*)x1, 1 << 20);
        x2Gm.SetGlobalBuffer((__gm__ TYPE*)x2, 1 << 20);
        yGm.SetGlobalBuffer((__gm__ int8_t*)y, 1 << 20);
    }
    __aicore__ inline void Process() {
        int count = 1;
        for (int i = 0; i < dim; i++) count *= shape[2][i];
        for (int j = 0; j < count; j++) {
            int x1_start = 0, x2_start = 0;
            for (int k = 0, rest = count; k < dim; k++) {
                rest /= shape[2][k];
                int at = j / rest % shape[2][k];
                x1_start = x1_start * shape[0][k] + (shape[0][k] == 1 ? 0 : at);
                x2_start = x2_start * shape[1][k] + (shape[1][k] == 1 ? 0 : at);
            }
            TYPE a = x1Gm.GetValue(x1_start), b = x2Gm.GetValue(x2_start);
            yGm.SetValue(j, (float)a == (float)b ? 0 : 1);
        }
    }
private:
    GlobalTensor<TYPE> x1Gm, x2Gm;
    GlobalTensor<int8_t> yGm;
    int64_t shape[3][20];
    int64_t dim;
};

extern "C" __global__ __aicore__ void not_equal_x(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    if(TILING_KEY_IS(1)){
        GET_TILING_DATA_WITH_STRUCT(NotEqualXTilingData, tiling_data, tiling);
        KernelNotEqual<DTYPE_X1> op;
        op.Init(x1, x2, y, tiling_data.size, tiling_data.tile);
        op.Process();
    }
    else if(TILING_KEY_IS(2)){
        GET_TILING_DATA_WITH_STRUCT(NotEqualXTilingData_BroadCast, tiling_data, tiling);
        KernelNotEqual_Broadcast<DTYPE_X1> op;
        op.Init(x1, x2, y, tiling_data.ss, tiling_data.dim);
        op.Process();
    }
}
