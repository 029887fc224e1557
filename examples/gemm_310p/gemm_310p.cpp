// A matrix product of half matrices on the 310P, C = A * B, in tiles that fit the buffers of its
// matrix unit. The blocks share out the tiles of C.
//
//   a      [M, K] half         row-major, each row followed by padding up to a multiple of 16
//   b      [K, N] half         elements; what a's padding holds does not matter, and what b's
//   c      [M, N] float, half  holds decides about c's: 0 gives 0
//   sizes  M, N, K as int32
//
// Two kernels: gemm_310p for float results, gemm_310p_half for half.
//
// A tile's way:  GM  --DataCopy, strip by strip-->  L1  --LoadData-->  L0A, L0B
//                    --Mmad, once for each tile of K-->  L0C  --DataCopy, converting-->  UB
//                    --DataCopy, strip by strip-->  GM
//
// Why the padding: here DataCopy moves whole datablocks of 32 bytes only. (The copy that turns ND
// into NZ is emulated on this chip, through UB; the strips below need no help from UB. On Atlas A2
// both ends are easier: see examples/gemm.)
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint16_t kTile = 128;  // of C: 128 x 128; each product adds 128 of K
constexpr uint16_t kSide = 16;   // a fractal is 16 x 16 elements, in L0C too
constexpr uint32_t kFractal = kSide * kSide;
constexpr uint32_t kDatablock = 32;  // bytes: one row of a half fractal

__aicore__ inline int32_t Blocks(int32_t size) { return (size + kSide - 1) / kSide; }

template <class Result>
class Gemm310p {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR sizes)
    {
        GlobalTensor<int32_t> sizeGlobal;
        sizeGlobal.SetGlobalBuffer((__gm__ int32_t*)sizes, 3);
        rows = sizeGlobal.GetValue(0);
        columns = sizeGlobal.GetValue(1);
        depth = sizeGlobal.GetValue(2);
        aPitch = Blocks(depth) * kSide;
        bPitch = Blocks(columns) * kSide;
        aGlobal.SetGlobalBuffer((__gm__ half*)a, (uint64_t)rows * aPitch);
        bGlobal.SetGlobalBuffer((__gm__ half*)b, (uint64_t)depth * bPitch);
        cGlobal.SetGlobalBuffer((__gm__ Result*)c, (uint64_t)rows * bPitch);
        // Two buffers each, so that on the chip a copy can run while the tile before is in use:
        // 2 * 32 KB fill L0A and L0B, and the sums take half of L0C.
        pipe.InitBuffer(queueA1, 2, kTile * kTile * sizeof(half));
        pipe.InitBuffer(queueB1, 2, kTile * kTile * sizeof(half));
        pipe.InitBuffer(queueA2, 2, kTile * kTile * sizeof(half));
        pipe.InitBuffer(queueB2, 2, kTile * kTile * sizeof(half));
        pipe.InitBuffer(queueCO1, 2, kTile * kTile * sizeof(float));
        pipe.InitBuffer(queueCO2, 2, kTile * kTile * sizeof(Result));
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
        LocalTensor<float> sum = queueCO1.template AllocTensor<float>();
        for (int32_t at = 0; at < depth; at += kTile) {
            uint16_t k = Part(depth - at);
            LoadL1(queueA1, aGlobal[(uint64_t)row * aPitch + at], m, k, aPitch);
            LoadL1(queueB1, bGlobal[(uint64_t)at * bPitch + column], k, n, bPitch);
            SplitA(m, k);
            SplitB(k, n);
            LocalTensor<half> a2 = queueA2.template DeQue<half>();
            LocalTensor<half> b2 = queueB2.template DeQue<half>();
            // The first tile of K starts from 0, the others add to what L0C holds. The padding
            // behind k does not count. m counts whole fractals: Mmad takes m = 1 for another
            // layout of A, and rows too many are not stored.
            Mmad(sum, a2, b2, MmadParams(Blocks(m) * kSide, n, k, 0, false, at == 0));
            PipeBarrier<PIPE_M>();  // small products are not in order by themselves
            queueA2.FreeTensor(a2);
            queueB2.FreeTensor(b2);
        }
        queueCO1.EnQue(sum);
        LeaveL0C(m, n);
        Store(row, column, m, n);
    }

    // Row-major becomes zN in L1: columns of fractals, each fractal row-major. Such a column is a
    // strip of the matrix, 16 elements wide, and each of its rows is one datablock. So one copy
    // moves a strip: `height` bursts of one datablock, far apart in GM and side by side in L1.
    template <class Queue>
    __aicore__ inline void LoadL1(Queue& queue, const GlobalTensor<half>& from, uint16_t height,
        uint16_t width, int32_t pitch)
    {
        LocalTensor<half> tile = queue.template AllocTensor<half>();
        uint16_t gap = pitch / kSide - 1;  // datablocks from the end of a burst to the next
        for (uint16_t i = 0; i < Blocks(width); ++i) {
            DataCopy(tile[i * Blocks(height) * kFractal], from[i * kSide],
                DataCopyParams(height, 1, gap, 0));
        }
        queue.EnQue(tile);
    }

    // L0A wants zZ, row after row of fractals: every Blocks(m)-th fractal of L1 is in the same row.
    __aicore__ inline void SplitA(uint16_t m, uint16_t k)
    {
        LocalTensor<half> a1 = queueA1.template DeQue<half>();
        LocalTensor<half> a2 = queueA2.template AllocTensor<half>();
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
        LocalTensor<half> b1 = queueB1.template DeQue<half>();
        LocalTensor<half> b2 = queueB2.template AllocTensor<half>();
        for (uint16_t i = 0; i < Blocks(k); ++i) {
            LoadData(b2[i * Blocks(n) * kFractal], b1,
                LoadData2DParams(i, Blocks(n), Blocks(k), 0, 0, true, 0));
        }
        queueB2.EnQue(b2);
        queueB1.FreeTensor(b1);
    }

    // L0C holds zN, and UB gets the same order, one fractal after the other, as Result: the vector
    // unit rounds to half on the way.
    __aicore__ inline void LeaveL0C(uint16_t m, uint16_t n)
    {
        LocalTensor<float> sum = queueCO1.template DeQue<float>();
        LocalTensor<Result> out = queueCO2.template AllocTensor<Result>();
        DataCopyEnhancedParams enhanced;
        enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;  // blockLen counts fractals of L0C
        DataCopy(out, sum, DataCopyParams(1, Blocks(m) * Blocks(n), 0, 0), enhanced);
        queueCO2.EnQue(out);
        queueCO1.FreeTensor(sum);
    }

    // The way in, backwards: a strip of 16 columns is side by side in UB, and its first m rows go
    // to rows of C that are a pitch apart.
    __aicore__ inline void Store(int32_t row, int32_t column, uint16_t m, uint16_t n)
    {
        LocalTensor<Result> out = queueCO2.template DeQue<Result>();
        uint16_t length = kSide * sizeof(Result) / kDatablock;
        uint16_t gap = (bPitch - kSide) * sizeof(Result) / kDatablock;
        for (uint16_t i = 0; i < Blocks(n); ++i) {
            DataCopy(cGlobal[(uint64_t)row * bPitch + column + i * kSide],
                out[i * Blocks(m) * kFractal], DataCopyParams(m, length, 0, gap));
        }
        queueCO2.FreeTensor(out);
    }

    TPipe pipe;
    TQue<QuePosition::A1, 2> queueA1;
    TQue<QuePosition::B1, 2> queueB1;
    TQue<QuePosition::A2, 2> queueA2;
    TQue<QuePosition::B2, 2> queueB2;
    TQue<QuePosition::CO1, 2> queueCO1;
    TQue<QuePosition::CO2, 2> queueCO2;
    GlobalTensor<half> aGlobal, bGlobal;
    GlobalTensor<Result> cGlobal;
    int32_t rows, columns, depth;
    int32_t aPitch, bPitch;  // elements from row to row
};

extern "C" __global__ __aicore__ void gemm_310p(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR sizes)
{
    Gemm310p<float> op;
    op.Init(a, b, c, sizes);
    op.Process();
}

extern "C" __global__ __aicore__ void gemm_310p_half(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR sizes)
{
    Gemm310p<half> op;
    op.Init(a, b, c, sizes);
    op.Process();
}
