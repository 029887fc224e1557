// A matrix product of int8 matrices with int32 results, C = A * B, on Atlas A2 and A3. B lies in GM
// as it is written, row-major, and must be transposed on its way to L0B.
//
//   a      [M, K] int8, row-major
//   b      [K, N] int8, row-major
//   c      [M, N] int32, row-major
//   sizes  M, N, K as int32: any sizes whose rows are at most 65535 elements
//
// A tile's way:  GM  --DataCopy (ND to NZ)-->  L1
//                A:  L1  --LoadData-->  L0A        B:  L1  --LoadDataWithTranspose-->  L0B
//                --Mmad, once for each tile of K-->  L0C  --Fixpipe-->  GM
//
// Why B needs LoadDataWithTranspose. A fractal has 512 bytes, here 16 x 32 elements. The copy from
// ND to NZ makes fractals of 16 rows (of K) and 32 columns (of N). Mmad wants those of B the other
// way round, 16 columns with 32 elements of K each, side by side: half of a fractal in L0B comes
// from one fractal in L1, half from the one below. LoadData moves fractal by fractal, and its
// ifTranspose knows 16-bit elements only, whose fractals are square. So B goes by squares of
// 32 x 32: two fractals, one above the other, become two others.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint16_t kTile = 128;   // of C: 128 x 128
constexpr uint16_t kDepth = 256;  // of K, which each product adds
constexpr uint16_t kSide = 16;    // rows of a fractal
constexpr uint16_t kC0 = 32;      // its columns: 32 bytes; also the side of a square
constexpr uint32_t kFractal = kSide * kC0;

__aicore__ inline uint16_t DivideUp(uint16_t size, uint16_t unit)
{
    return (size + unit - 1) / unit;
}

__aicore__ inline uint16_t RoundUp(uint16_t size, uint16_t unit)
{
    return DivideUp(size, unit) * unit;
}

__aicore__ inline uint16_t Part(int32_t left, uint16_t most) { return left < most ? left : most; }

class GemmInt8 {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR sizes)
    {
        GlobalTensor<int32_t> sizeGlobal;
        sizeGlobal.SetGlobalBuffer((__gm__ int32_t*)sizes, 3);
        rows = sizeGlobal.GetValue(0);
        columns = sizeGlobal.GetValue(1);
        depth = sizeGlobal.GetValue(2);
        aGlobal.SetGlobalBuffer((__gm__ int8_t*)a, (uint64_t)rows * depth);
        bGlobal.SetGlobalBuffer((__gm__ int8_t*)b, (uint64_t)depth * columns);
        cGlobal.SetGlobalBuffer((__gm__ int32_t*)c, (uint64_t)rows * columns);
        // Two buffers each, so that on the chip a copy can run while the tile before is in use:
        // they fill L0A, L0B (2 * 32 KB) and L0C (2 * 64 KB).
        pipe.InitBuffer(queueA1, 2, kTile * kDepth);
        pipe.InitBuffer(queueB1, 2, kDepth * kTile);
        pipe.InitBuffer(queueA2, 2, kTile * kDepth);
        pipe.InitBuffer(queueB2, 2, kDepth * kTile);
        pipe.InitBuffer(queueCO1, 2, kTile * kTile * sizeof(int32_t));
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
        LocalTensor<int32_t> sum = queueCO1.AllocTensor<int32_t>();
        for (int32_t at = 0; at < depth; at += kDepth) {
            uint16_t k = Part(depth - at, kDepth);
            // B's columns of fractals are whole squares, so that each starts at one.
            LoadL1(queueA1, aGlobal[(uint64_t)row * depth + at], m, k, depth, RoundUp(m, kSide));
            LoadL1(queueB1, bGlobal[(uint64_t)at * columns + column], k, n, columns,
                RoundUp(k, kC0));
            SplitA(m, k);
            SplitB(k, n);
            LocalTensor<int8_t> a2 = queueA2.DeQue<int8_t>();
            LocalTensor<int8_t> b2 = queueB2.DeQue<int8_t>();
            // The first tile of K starts from 0, the others add to what L0C holds. k is exact: the
            // squares have more rows, and Mmad does not count them. n is that of whole squares,
            // since they say how far the rows of fractals in L0B are apart. m counts whole
            // fractals: Mmad takes m = 1 for another layout of A. Fixpipe stores m x n only.
            MmadParams params(RoundUp(m, kSide), RoundUp(n, kC0), k, 0, false, at == 0);
            Mmad(sum, a2, b2, params);
            PipeBarrier<PIPE_M>();  // small products are not in order by themselves
            queueA2.FreeTensor(a2);
            queueB2.FreeTensor(b2);
        }
        queueCO1.EnQue(sum);
        Store(row, column, m, n);
    }

    // `height` x `width` elements out of a matrix with rows of `pitch` elements, to zN: columns of
    // fractals with `tall` rows each. Rows beyond `height` stay as they are.
    template <class Queue>
    __aicore__ inline void LoadL1(Queue& queue, const GlobalTensor<int8_t>& from, uint16_t height,
        uint16_t width, int32_t pitch, uint16_t tall)
    {
        LocalTensor<int8_t> tile = queue.template AllocTensor<int8_t>();
        Nd2NzParams params;
        params.ndNum = 1;
        params.nValue = height;
        params.dValue = width;
        params.srcDValue = pitch;
        params.dstNzC0Stride = tall;
        params.dstNzNStride = 1;
        DataCopy(tile, from, params);
        queue.EnQue(tile);
    }

    // L0A wants zZ, row after row of fractals. The fractals themselves are right: 16 rows of A with
    // 32 elements of K each.
    __aicore__ inline void SplitA(uint16_t m, uint16_t k)
    {
        LocalTensor<int8_t> a1 = queueA1.DeQue<int8_t>();
        LocalTensor<int8_t> a2 = queueA2.AllocTensor<int8_t>();
        uint16_t down = DivideUp(m, kSide), across = DivideUp(k, kC0);
        for (uint16_t i = 0; i < down; ++i) {
            LoadData(a2[i * across * kFractal], a1,
                LoadData2DParams(i, across, down, 0, 0, false, 0));
        }
        queueA2.EnQue(a2);
        queueA1.FreeTensor(a1);
    }

    // L0B wants nZ, row after row of fractals with 32 of K: one row of squares becomes one row of
    // fractals. The next square of that row lies `down` squares further in L1. It makes two
    // fractals, which follow each other (dstFracGap 0), and those of the next square follow them:
    // from first to first there is one other fractal in between (dstGap 1).
    __aicore__ inline void SplitB(uint16_t k, uint16_t n)
    {
        LocalTensor<int8_t> b1 = queueB1.DeQue<int8_t>();
        LocalTensor<int8_t> b2 = queueB2.AllocTensor<int8_t>();
        uint16_t down = DivideUp(k, kC0), across = DivideUp(n, kC0);
        for (uint16_t i = 0; i < down; ++i) {
            LoadDataWithTranspose(b2[i * across * kC0 * kC0], b1,
                LoadData2dTransposeParams(i, across, down, 1, 0));
        }
        queueB2.EnQue(b2);
        queueB1.FreeTensor(b1);
    }

    // Exactly m x n sums leave L0C, row-major, into rows of `columns` elements.
    __aicore__ inline void Store(int32_t row, int32_t column, uint16_t m, uint16_t n)
    {
        LocalTensor<int32_t> sum = queueCO1.DeQue<int32_t>();
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
    TQue<QuePosition::A2, 2> queueA2;
    TQue<QuePosition::B2, 2> queueB2;
    TQue<QuePosition::CO1, 2> queueCO1;
    GlobalTensor<int8_t> aGlobal, bGlobal;
    GlobalTensor<int32_t> cGlobal;
    int32_t rows, columns, depth;
};

extern "C" __global__ __aicore__ void gemm_int8_transposed(GM_ADDR a, GM_ADDR b, GM_ADDR c,
    GM_ADDR sizes)
{
    GemmInt8 op;
    op.Init(a, b, c, sizes);
    op.Process();
}
