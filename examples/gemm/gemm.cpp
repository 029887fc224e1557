// A matrix product of half matrices, C = A * B with float results, in tiles that fit the buffers of
// the matrix unit on Atlas A2 and A3. The blocks share out the tiles of C.
//
//   a      [M, K] half, row-major
//   b      [K, N] half, row-major
//   c      [M, N] float, row-major
//   sizes  M, N, K as int32: any sizes whose rows are at most 65535 elements
//
// A tile's way:  GM  --DataCopy (ND to NZ)-->  L1  --LoadData-->  L0A, L0B
//                    --Mmad, once for each tile of K-->  L0C  --Fixpipe-->  GM
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint16_t kTile = 128;  // of C: 128 x 128; each product adds 128 of K
constexpr uint16_t kSide = 16;   // a fractal of half is 16 x 16: 512 bytes
constexpr uint32_t kFractal = kSide * kSide;

__aicore__ inline uint16_t Blocks(uint16_t size) { return (size + kSide - 1) / kSide; }

class GemmKernel {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR sizes)
    {
        GlobalTensor<int32_t> sizeGlobal;
        sizeGlobal.SetGlobalBuffer((__gm__ int32_t*)sizes, 3);
        rows = sizeGlobal.GetValue(0);
        columns = sizeGlobal.GetValue(1);
        depth = sizeGlobal.GetValue(2);
        aGlobal.SetGlobalBuffer((__gm__ half*)a, (uint64_t)rows * depth);
        bGlobal.SetGlobalBuffer((__gm__ half*)b, (uint64_t)depth * columns);
        cGlobal.SetGlobalBuffer((__gm__ float*)c, (uint64_t)rows * columns);
        // Two buffers each, so that on the chip a copy can run while the tile before is in use:
        // they fill L0A, L0B (2 * 32 KB) and L0C (2 * 64 KB).
        pipe.InitBuffer(queueA1, 2, kTile * kTile * sizeof(half));
        pipe.InitBuffer(queueB1, 2, kTile * kTile * sizeof(half));
        pipe.InitBuffer(queueA2, 2, kTile * kTile * sizeof(half));
        pipe.InitBuffer(queueB2, 2, kTile * kTile * sizeof(half));
        pipe.InitBuffer(queueCO1, 2, kTile * kTile * sizeof(float));
    }

    // Tiles are numbered row by row; block i computes i, i + blocks, i + 2 * blocks, ...
    __aicore__ inline void Process()
    {
        int32_t across = (columns + kTile - 1) / kTile;
        int32_t tiles = (rows + kTile - 1) / kTile * across;
        for (int32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) {
            int32_t row = tile / across * kTile, column = tile % across * kTile;
            ComputeTile(row, column, Part(rows - row), Part(columns - column));
        }
    }

private:
    __aicore__ inline uint16_t Part(int32_t left) { return left < kTile ? left : kTile; }

    __aicore__ inline void ComputeTile(int32_t row, int32_t column, uint16_t m, uint16_t n)
    {
        LocalTensor<float> sum = queueCO1.AllocTensor<float>();
        for (int32_t at = 0; at < depth; at += kTile) {
            uint16_t k = Part(depth - at);
            // Row-major tiles become zN in L1: columns of fractals, each fractal row-major.
            LoadL1(queueA1, aGlobal[(uint64_t)row * depth + at], m, k, depth);
            LoadL1(queueB1, bGlobal[(uint64_t)at * columns + column], k, n, columns);
            SplitA(m, k);
            SplitB(k, n);
            LocalTensor<half> a2 = queueA2.DeQue<half>();
            LocalTensor<half> b2 = queueB2.DeQue<half>();
            // The first tile of K starts from 0, the others add to what L0C holds. m counts whole
            // fractals: Mmad takes m = 1 for another layout of A, and rows too many are not stored.
            Mmad(sum, a2, b2, MmadParams(Blocks(m) * kSide, n, k, 0, false, at == 0));
            PipeBarrier<PIPE_M>();  // small products are not in order by themselves
            queueA2.FreeTensor(a2);
            queueB2.FreeTensor(b2);
        }
        queueCO1.EnQue(sum);
        Store(row, column, m, n);
    }

    // `height` x `width` elements out of a matrix with rows of `pitch` elements. What the last
    // fractals have beyond `width` becomes 0; rows beyond `height` stay as they are.
    template <class Queue>
    __aicore__ inline void LoadL1(Queue& queue, const GlobalTensor<half>& from, uint16_t height,
        uint16_t width, int32_t pitch)
    {
        LocalTensor<half> tile = queue.template AllocTensor<half>();
        Nd2NzParams params;
        params.ndNum = 1;
        params.nValue = height;
        params.dValue = width;
        params.srcDValue = pitch;
        params.dstNzC0Stride = Blocks(height) * kSide;  // rows in a column of fractals
        params.dstNzNStride = 1;
        DataCopy(tile, from, params);
        queue.EnQue(tile);
    }

    // L0A wants zZ, row after row of fractals: every Blocks(m)-th fractal of L1 is in the same row.
    __aicore__ inline void SplitA(uint16_t m, uint16_t k)
    {
        LocalTensor<half> a1 = queueA1.DeQue<half>();
        LocalTensor<half> a2 = queueA2.AllocTensor<half>();
        for (uint16_t i = 0; i < Blocks(m); ++i) {
            LoadData(a2[i * Blocks(k) * kFractal], a1,
                LoadData2DParams(i, Blocks(k), Blocks(m), 0, 0, false, 0));
        }
        queueA2.EnQue(a2);
        queueA1.FreeTensor(a1);
    }

    // L0B wants nZ: again row after row of fractals, and each fractal transposed.
    __aicore__ inline void SplitB(uint16_t k, uint16_t n)
    {
        LocalTensor<half> b1 = queueB1.DeQue<half>();
        LocalTensor<half> b2 = queueB2.AllocTensor<half>();
        for (uint16_t i = 0; i < Blocks(k); ++i) {
            LoadData(b2[i * Blocks(n) * kFractal], b1,
                LoadData2DParams(i, Blocks(n), Blocks(k), 0, 0, true, 0));
        }
        queueB2.EnQue(b2);
        queueB1.FreeTensor(b1);
    }

    // Exactly m x n floats leave L0C, row-major, into rows of `columns` elements.
    __aicore__ inline void Store(int32_t row, int32_t column, uint16_t m, uint16_t n)
    {
        LocalTensor<float> sum = queueCO1.DeQue<float>();
        FixpipeParamsV220 params;
        params.nSize = n;
        params.mSize = m;
        params.srcStride = Blocks(m) * kSide;
        params.dstStride = columns;
        Fixpipe(cGlobal[(uint64_t)row * columns + column], sum, params);
        queueCO1.FreeTensor(sum);
    }

    TPipe pipe;
    TQue<QuePosition::A1, 2> queueA1;
    TQue<QuePosition::B1, 2> queueB1;
    TQue<QuePosition::A2, 2> queueA2;
    TQue<QuePosition::B2, 2> queueB2;
    TQue<QuePosition::CO1, 2> queueCO1;
    GlobalTensor<half> aGlobal, bGlobal;
    GlobalTensor<float> cGlobal;
    int32_t rows, columns, depth;
};

extern "C" __global__ __aicore__ void gemm(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR sizes)
{
    GemmKernel op;
    op.Init(a, b, c, sizes);
    op.Process();
}
