// A matrix product of float matrices with a bias, C = A * B + bias, on Atlas A2 and A3. Each column
// of C starts from its bias instead of 0.
//
//   a      [M, K] float, row-major
//   b      [K, N] float, row-major
//   bias   [N] float
//   c      [M, N] float, row-major
//   sizes  M, N, K as int32: any sizes whose rows are at most 65535 elements
//
// A tile's way:  GM  --DataCopy (ND to NZ)-->  L1  --LoadData 3D-->  L0A, L0B
//         bias:  GM  --DataCopy (ND to NZ)-->  L1  --DataCopy-->  bias table (C2)
//                --Mmad, once for each tile of K-->  L0C  --Fixpipe-->  GM
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint16_t kTile = 128;  // of C: 128 x 128
constexpr uint16_t kDepth = 64;  // of K, which each product adds
constexpr uint16_t kSide = 16;   // a fractal of float is 16 x 8: 512 bytes
constexpr uint16_t kC0 = 8;

__aicore__ inline uint16_t RoundUp(uint16_t size, uint16_t unit)
{
    return (size + unit - 1) / unit * unit;
}

__aicore__ inline uint16_t Part(int32_t left, uint16_t most) { return left < most ? left : most; }

class GemmFloatBias {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR sizes)
    {
        GlobalTensor<int32_t> sizeGlobal;
        sizeGlobal.SetGlobalBuffer((__gm__ int32_t*)sizes, 3);
        rows = sizeGlobal.GetValue(0);
        columns = sizeGlobal.GetValue(1);
        depth = sizeGlobal.GetValue(2);
        aGlobal.SetGlobalBuffer((__gm__ float*)a, (uint64_t)rows * depth);
        bGlobal.SetGlobalBuffer((__gm__ float*)b, (uint64_t)depth * columns);
        biasGlobal.SetGlobalBuffer((__gm__ float*)bias, columns);
        cGlobal.SetGlobalBuffer((__gm__ float*)c, (uint64_t)rows * columns);
        // Two buffers each, so that on the chip a copy can run while the tile before is in use:
        // they fill L0A, L0B (2 * 32 KB), L0C (2 * 64 KB) and the bias table (2 * 512 bytes).
        pipe.InitBuffer(queueA1, 2, kTile * kDepth * sizeof(float));
        pipe.InitBuffer(queueB1, 2, kDepth * kTile * sizeof(float));
        pipe.InitBuffer(queueC1, 2, kTile * sizeof(float));
        pipe.InitBuffer(queueA2, 2, kTile * kDepth * sizeof(float));
        pipe.InitBuffer(queueB2, 2, kDepth * kTile * sizeof(float));
        pipe.InitBuffer(queueC2, 2, kTile * sizeof(float));
        pipe.InitBuffer(queueCO1, 2, kTile * kTile * sizeof(float));
    }

    // Tiles are numbered row by row; block i computes i, i + blocks, i + 2 * blocks, ...
    __aicore__ inline void Process()
    {
        int32_t across = (columns + kTile - 1) / kTile;
        int32_t tiles = (rows + kTile - 1) / kTile * across;
        for (int32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) {
            int32_t row = tile / across * kTile, column = tile % across * kTile;
            ComputeTile(row, column, Part(rows - row, kTile), Part(columns - column, kTile));
        }
    }

private:
    __aicore__ inline void ComputeTile(int32_t row, int32_t column, uint16_t m, uint16_t n)
    {
        LoadBias(column, n);
        LocalTensor<float> bias = queueC2.DeQue<float>();
        LocalTensor<float> sum = queueCO1.AllocTensor<float>();
        for (int32_t at = 0; at < depth; at += kDepth) {
            uint16_t k = Part(depth - at, kDepth);
            LoadL1(queueA1, aGlobal[(uint64_t)row * depth + at], m, k, depth);
            LoadL1(queueB1, bGlobal[(uint64_t)at * columns + column], k, n, columns);
            Split(queueA1, queueA2, m, k);
            Split(queueB1, queueB2, k, n);
            LocalTensor<float> a2 = queueA2.DeQue<float>();
            LocalTensor<float> b2 = queueB2.DeQue<float>();
            // The first tile of K starts from the bias, the others add to what L0C holds; so
            // cmatrixInitVal, a start from 0, is false for all of them. m counts whole fractals:
            // Mmad takes m = 1 for another layout of A, and rows too many are not stored.
            MmadParams params(RoundUp(m, kSide), n, k, 0, false, false);
            if (at == 0) {
                Mmad(sum, a2, b2, bias, params);
            } else {
                Mmad(sum, a2, b2, params);
            }
            PipeBarrier<PIPE_M>();  // small products are not in order by themselves
            queueA2.FreeTensor(a2);
            queueB2.FreeTensor(b2);
        }
        queueC2.FreeTensor(bias);
        queueCO1.EnQue(sum);
        Store(row, column, m, n);
    }

    // `height` x `width` elements out of a matrix with rows of `pitch` elements, to zN: columns of
    // fractals. What the last ones have beyond `width` becomes 0; rows beyond `height` stay as
    // they are.
    template <class Queue>
    __aicore__ inline void LoadL1(Queue& queue, const GlobalTensor<float>& from, uint16_t height,
        uint16_t width, int32_t pitch)
    {
        LocalTensor<float> tile = queue.template AllocTensor<float>();
        Nd2NzParams params;
        params.ndNum = 1;
        params.nValue = height;
        params.dValue = width;
        params.srcDValue = pitch;
        params.dstNzC0Stride = RoundUp(height, kSide);  // rows in a column of fractals
        params.dstNzNStride = 1;
        DataCopy(tile, from, params);
        queue.EnQue(tile);
    }

    // The bias of n columns, to the bias table. DataCopy by count would lose what does not fill a
    // datablock; as a matrix of one row whose datablocks follow each other (dstNzC0Stride 1) the
    // rest is filled with 0. Into the table blockLen counts 64 bytes, 16 columns.
    __aicore__ inline void LoadBias(int32_t column, uint16_t n)
    {
        LocalTensor<float> c1 = queueC1.AllocTensor<float>();
        Nd2NzParams params;
        params.ndNum = 1;
        params.nValue = 1;
        params.dValue = n;
        params.srcDValue = n;
        params.dstNzC0Stride = 1;
        params.dstNzNStride = 1;
        DataCopy(c1, biasGlobal[column], params);
        queueC1.EnQue(c1);
        c1 = queueC1.DeQue<float>();
        LocalTensor<float> c2 = queueC2.AllocTensor<float>();
        DataCopy(c2, c1, DataCopyParams(1, RoundUp(n, kSide) / kSide, 0, 0));
        queueC2.EnQue(c2);
        queueC1.FreeTensor(c1);
    }

    // zN becomes what Mmad wants: zZ in L0A, nZ in L0B, which for float LoadData 2D could not
    // transpose. LoadData 3D makes both, by the way: a matrix in zN is also an image one pixel
    // wide, a row of the matrix being a pixel, and 8 columns a group of channels. With a filter of
    // one point the image-to-column matrix is that matrix itself, and only its order changes.
    //
    // The columns of A end at a multiple of 8, so that a row of fractals has K / 8 of them, as
    // Mmad expects. (An A that is transposed on its way, with enTranspose, has 2 * K / 16, rounded
    // up before the multiplication: then Mmad must be told by kDirectionAlign.)
    template <class From, class To>
    __aicore__ inline void Split(From& from, To& to, uint16_t height, uint16_t width)
    {
        LocalTensor<float> l1 = from.template DeQue<float>();
        LocalTensor<float> l0 = to.template AllocTensor<float>();
        LoadData3DParamsV2<float> params;
        params.l1H = RoundUp(height, kSide);
        params.l1W = 1;
        params.channelSize = RoundUp(width, kC0);
        params.mExtension = RoundUp(height, kSide);
        params.kExtension = RoundUp(width, kC0);
        LoadData(l0, l1, params);
        to.EnQue(l0);
        from.FreeTensor(l1);
    }

    // Exactly m x n floats leave L0C, row-major, into rows of `columns` elements.
    __aicore__ inline void Store(int32_t row, int32_t column, uint16_t m, uint16_t n)
    {
        LocalTensor<float> sum = queueCO1.DeQue<float>();
        FixpipeParamsV220 params;
        params.nSize = n;
        params.mSize = m;
        params.srcStride = RoundUp(m, kSide);
        params.dstStride = columns;
        Fixpipe(cGlobal[(uint64_t)row * columns + column], sum, params);
        queueCO1.FreeTensor(sum);
    }

    TPipe pipe;
    TQue<QuePosition::A1, 2> queueA1;
    TQue<QuePosition::B1, 2> queueB1;
    TQue<QuePosition::C1, 2> queueC1;
    TQue<QuePosition::A2, 2> queueA2;
    TQue<QuePosition::B2, 2> queueB2;
    TQue<QuePosition::C2, 2> queueC2;
    TQue<QuePosition::CO1, 2> queueCO1;
    GlobalTensor<float> aGlobal, bGlobal, biasGlobal, cGlobal;
    int32_t rows, columns, depth;
};

extern "C" __global__ __aicore__ void gemm_float_bias(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c,
    GM_ADDR sizes)
{
    GemmFloatBias op;
    op.Init(a, b, bias, c, sizes);
    op.Process();
}
