// An int8 convolution on Atlas A2 and A3, its int32 sums scaled back to int8, channel by channel:
// a layer of a quantised network. The blocks share out strips of the result's lines.
//
//   image    [C1, H, W, 32] int8: channels in groups of 32 (NC1HWC0 of one image)
//   weights  [C1, Kh, Kw, Cout, 32] int8
//   scales   [Cout] uint64: for each output channel a word as Fixpipe takes it, with the scale as
//            float bits (the 13 lowest do not count), the offset from bit 37 on, and bit 46 set
//            for signed results
//   result   [Cout / 32, Ho, Wo, 32] int8: the next layer's image
//   sizes    C1, H, W, Cout, Kh, Kw, stride, pad as int32
//
// Cout is a multiple of 32, pad is smaller than the filter, and H * W at most 65535. Weights,
// scales and two strips of the image must fit in L1, which has 512 KB.
//
// A tile's way:  image    GM  --DataCopy-->  L1  --LoadData 3D, image to column-->  L0A
//                weights  GM  --DataCopy, once-->  L1  --LoadData 2D-->  L0B
//                --Mmad, once for each tile of K-->  L0C  --Fixpipe, with scales-->  GM
//
// As a matrix product: a row of A is a window of the image, a column of B a filter, and K = C1 * Kh
// * Kw * 32 counts what they have in common. Row m is output line m / Wo, column m % Wo.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint16_t kLines = 8;    // of the result, for which a strip of the image goes to L1
constexpr uint16_t kTile = 128;   // windows and filters of one tile of the result
constexpr uint16_t kDepth = 256;  // of K, which each product adds
constexpr uint16_t kSide = 16;    // a fractal of int8 is 16 x 32: 512 bytes
constexpr uint16_t kC0 = 32;
constexpr uint32_t kFractal = kSide * kC0;

__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }
__aicore__ inline int32_t Most(int32_t a, int32_t b) { return a > b ? a : b; }

class ConvInt8 {
public:
    __aicore__ inline void Init(GM_ADDR image, GM_ADDR weights, GM_ADDR scales, GM_ADDR result,
        GM_ADDR sizes)
    {
        ReadSizes(sizes);
        uint32_t weightCount = depth * filters;
        imageGlobal.SetGlobalBuffer((__gm__ int8_t*)image, (uint64_t)groups * height * width * kC0);
        weightGlobal.SetGlobalBuffer((__gm__ int8_t*)weights, weightCount);
        scaleGlobal.SetGlobalBuffer((__gm__ uint64_t*)scales, filters);
        resultGlobal.SetGlobalBuffer((__gm__ int8_t*)result,
            (uint64_t)filters * outHeight * outWidth);
        // What each tile uses anew has two buffers, so that on the chip a copy can run while the
        // tile before is in use: they fill L0A, L0B (2 * 32 KB) and L0C (2 * 64 KB).
        uint32_t stripLines = (kLines - 1) * stride + filterHeight;
        pipe.InitBuffer(queueA1, 2, groups * Least(stripLines, height) * width * kC0);
        pipe.InitBuffer(queueB1, 1, weightCount);
        pipe.InitBuffer(queueC1, 1, filters * sizeof(uint64_t));
        pipe.InitBuffer(queueA2, 2, kTile * kDepth);
        pipe.InitBuffer(queueB2, 2, kDepth * kTile);
        pipe.InitBuffer(queueCO1, 2, kTile * kTile * sizeof(int32_t));
    }

    // Block i computes the strips i, i + blocks, i + 2 * blocks, ...
    __aicore__ inline void Process()
    {
        CopyToL1(queueB1, weightGlobal, depth * filters);
        CopyToL1(queueC1, scaleGlobal, filters);
        LocalTensor<int8_t> weights = queueB1.DeQue<int8_t>();
        LocalTensor<uint64_t> scales = queueC1.DeQue<uint64_t>();
        int32_t step = GetBlockNum() * kLines;
        for (int32_t line = GetBlockIdx() * kLines; line < outHeight; line += step) {
            ComputeStrip(line, Least(kLines, outHeight - line), weights, scales);
        }
        queueB1.FreeTensor(weights);
        queueC1.FreeTensor(scales);
    }

private:
    __aicore__ inline void ReadSizes(GM_ADDR sizes)
    {
        GlobalTensor<int32_t> size;
        size.SetGlobalBuffer((__gm__ int32_t*)sizes, 8);
        groups = size.GetValue(0);
        height = size.GetValue(1);
        width = size.GetValue(2);
        filters = size.GetValue(3);
        filterHeight = size.GetValue(4);
        filterWidth = size.GetValue(5);
        stride = size.GetValue(6);
        pad = size.GetValue(7);
        outHeight = (height + 2 * pad - filterHeight) / stride + 1;
        outWidth = (width + 2 * pad - filterWidth) / stride + 1;
        depth = groups * filterHeight * filterWidth * kC0;
    }

    template <class Queue, class T>
    __aicore__ inline void CopyToL1(Queue& queue, const GlobalTensor<T>& from, uint32_t count)
    {
        LocalTensor<T> all = queue.template AllocTensor<T>();
        DataCopy(all, from, count);
        queue.EnQue(all);
    }

    // The windows of `lines` output lines from `line` on. Their strip of the image is a smaller
    // image, which is padded above and below only where the whole one ends.
    __aicore__ inline void ComputeStrip(int32_t line, int32_t lines,
        const LocalTensor<int8_t>& weights, const LocalTensor<uint64_t>& scales)
    {
        int32_t top = line * stride - pad;
        int32_t bottom = top + (lines - 1) * stride + filterHeight;
        int32_t first = Most(top, 0), last = Least(bottom, height);
        LoadData3DParamsV2<int8_t> window;
        window.padList[0] = pad;
        window.padList[1] = pad;
        window.padList[2] = first - top;
        window.padList[3] = bottom - last;
        window.l1H = last - first;
        window.l1W = width;
        window.channelSize = groups * kC0;
        window.strideW = stride;
        window.strideH = stride;
        window.filterW = filterWidth;
        window.filterH = filterHeight;

        LoadStrip(first, last - first);
        LocalTensor<int8_t> strip = queueA1.DeQue<int8_t>();
        int32_t windows = lines * outWidth;
        for (int32_t m = 0; m < windows; m += kTile) {
            window.mStartPt = m;
            for (int32_t n = 0; n < filters; n += kTile) {
                MultiplyTile(strip, window, weights, Least(kTile, windows - m), n);
                StoreTile(line * outWidth + m, Least(kTile, windows - m), n, scales);
            }
        }
        queueA1.FreeTensor(strip);
    }

    // A datablock is one pixel of a group. A strip is one burst in each group; the gap leaves out
    // the other lines.
    __aicore__ inline void LoadStrip(int32_t first, int32_t lines)
    {
        LocalTensor<int8_t> strip = queueA1.AllocTensor<int8_t>();
        DataCopy(strip, imageGlobal[(uint64_t)first * width * kC0],
            DataCopyParams(groups, lines * width, (height - lines) * width, 0));
        queueA1.EnQue(strip);
    }

    // The sums of m windows, from window.mStartPt on, with the filters from n on.
    __aicore__ inline void MultiplyTile(const LocalTensor<int8_t>& strip,
        LoadData3DParamsV2<int8_t>& window, const LocalTensor<int8_t>& weights, uint16_t m,
        int32_t n)
    {
        // Whole fractals: a window too many is computed from what follows, and is not stored. (This
        // also keeps Mmad from m = 1, which it takes for another layout of A.)
        uint16_t rows = (m + kSide - 1) / kSide * kSide;
        uint16_t columns = Least(kTile, filters - n);
        LocalTensor<int32_t> sum = queueCO1.AllocTensor<int32_t>();
        for (int32_t at = 0; at < depth; at += kDepth) {
            uint16_t k = Least(kDepth, depth - at);
            // Image to column: rows x k of the matrix A, which exists nowhere as a whole, as zZ.
            LocalTensor<int8_t> a2 = queueA2.AllocTensor<int8_t>();
            window.kStartPt = at;
            window.kExtension = k;
            window.mExtension = rows;
            LoadData(a2, strip, window);
            queueA2.EnQue(a2);
            SplitWeights(weights, at, k, n, columns);
            a2 = queueA2.DeQue<int8_t>();
            LocalTensor<int8_t> b2 = queueB2.DeQue<int8_t>();
            // The first tile of K starts from 0, the others add to what L0C holds.
            Mmad(sum, a2, b2, MmadParams(rows, columns, k, 0, false, at == 0));
            PipeBarrier<PIPE_M>();  // small products are not in order by themselves
            queueA2.FreeTensor(a2);
            queueB2.FreeTensor(b2);
        }
        queueCO1.EnQue(sum);
    }

    // [C1, Kh, Kw, Cout, 32] is nZ already, K / 32 rows of Cout / 16 fractals: of each row that the
    // tile needs, a plain copy of its filters' fractals.
    __aicore__ inline void SplitWeights(const LocalTensor<int8_t>& weights, int32_t at, uint16_t k,
        int32_t n, uint16_t columns)
    {
        LocalTensor<int8_t> b2 = queueB2.AllocTensor<int8_t>();
        uint16_t all = filters / kSide, part = columns / kSide;
        for (uint16_t i = 0; i < k / kC0; ++i) {
            uint16_t start = (at / kC0 + i) * all + n / kSide;
            LoadData(b2[i * part * kFractal], weights,
                LoadData2DParams(start, part, 1, 0, 0, false, 0));
        }
        queueB2.EnQue(b2);
    }

    // L0C has columns of fractals 16 wide. Fixpipe scales each sum to int8, merges two such columns
    // into 32 channels, and writes exactly m pixels of 32 bytes into each group of the result. The
    // groups are Ho * Wo pixels apart (dstStride).
    __aicore__ inline void StoreTile(int32_t pixel, uint16_t m, int32_t n,
        const LocalTensor<uint64_t>& scales)
    {
        LocalTensor<int32_t> sum = queueCO1.DeQue<int32_t>();
        uint32_t pixels = outHeight * outWidth;
        FixpipeParamsV220 params;
        params.nSize = Least(kTile, filters - n);
        params.mSize = m;
        params.srcStride = (m + kSide - 1) / kSide * kSide;
        params.dstStride = pixels;
        params.quantPre = QuantMode_t::VREQ8;
        Fixpipe<int8_t, int32_t, CFG_NZ>(
            resultGlobal[(uint64_t)n * pixels + (uint64_t)pixel * kC0], sum, scales[n], params);
        queueCO1.FreeTensor(sum);
    }

    TPipe pipe;
    TQue<QuePosition::A1, 2> queueA1;
    TQue<QuePosition::B1, 1> queueB1;
    TQue<QuePosition::C1, 1> queueC1;
    TQue<QuePosition::A2, 2> queueA2;
    TQue<QuePosition::B2, 2> queueB2;
    TQue<QuePosition::CO1, 2> queueCO1;
    GlobalTensor<int8_t> imageGlobal, weightGlobal, resultGlobal;
    GlobalTensor<uint64_t> scaleGlobal;
    int32_t groups, height, width, filters, filterHeight, filterWidth, stride, pad;
    int32_t outHeight, outWidth, depth;
};

extern "C" __global__ __aicore__ void conv_int8(GM_ADDR image, GM_ADDR weights, GM_ADDR scales,
    GM_ADDR result, GM_ADDR sizes)
{
    ConvInt8 op;
    op.Init(image, weights, scales, result, sizes);
    op.Process();
}
