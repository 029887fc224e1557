// A convolution on Atlas training products and the Atlas inference AI Core, by the operator Conv2D,
// which cuts it into tiles itself: of half into float (conv2d_half), and of int8 into int32
// (conv2d_int8). The blocks share out strips of the result's lines.
//
//   image    [C1, H, W, C0]: channels in groups of C0 (NC1HWC0 of one image); C0 is 16 of half and
//            32 of int8
//   weights  [C1, Kh, Kw, Cout, C0]
//   result   [Cout / 16, Ho, Wo, 16] float or int32
//   sizes    C1, H, W, Cout, Kh, Kw, stride, pad as int32
//
// C1 is at most 4, Cout 16, 32, 64 or 128, and pad smaller than the filter. Weights and a strip of
// the image must fit in L1, the result of a strip in L0C and UB: kLines * Wo * Cout * 4 bytes.
//
// A strip's way:  image, weights  GM  --DataCopy-->  L1
//                 --Conv2D, which fills L0A and L0B and multiplies, tile by tile-->  UB
//                 --DataCopy-->  GM
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t kLines = 8;        // of the result, that one call makes
constexpr int32_t kSide = 16;        // of a fractal of the result: pixels, and filters
constexpr int32_t kBlockBytes = 32;  // C0 elements: what DataCopy counts in

__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }
__aicore__ inline int32_t Most(int32_t a, int32_t b) { return a > b ? a : b; }

template <class Src, class Dst>
class Convolution {
public:
    __aicore__ inline void Init(GM_ADDR image, GM_ADDR weights, GM_ADDR result, GM_ADDR sizes)
    {
        ReadSizes(sizes);
        uint32_t weightCount = groups * filterHeight * filterWidth * filters * kC0;
        imageGlobal.SetGlobalBuffer((__gm__ Src*)image, (uint64_t)groups * height * width * kC0);
        weightGlobal.SetGlobalBuffer((__gm__ Src*)weights, weightCount);
        resultGlobal.SetGlobalBuffer((__gm__ Dst*)result,
            (uint64_t)filters * outHeight * outWidth);
        int32_t stripLines = Least((kLines - 1) * stride + filterHeight, height);
        pipe.InitBuffer(queueA1, 1, groups * stripLines * width * kBlockBytes);
        pipe.InitBuffer(queueB1, 1, weightCount * sizeof(Src));
        pipe.InitBuffer(queueCO2, 1, RowsOf(kLines) * filters * sizeof(Dst));
    }

    // Block i computes the strips i, i + blocks, i + 2 * blocks, ...
    __aicore__ inline void Process()
    {
        LocalTensor<Src> weights = queueB1.template AllocTensor<Src>();
        DataCopy(weights, weightGlobal, groups * filterHeight * filterWidth * filters * kC0);
        queueB1.EnQue(weights);
        weights = queueB1.template DeQue<Src>();
        int32_t step = GetBlockNum() * kLines;
        for (int32_t line = GetBlockIdx() * kLines; line < outHeight; line += step) {
            int32_t lines = Least(kLines, outHeight - line);
            Compute(line, lines, weights);
            Store(line, lines);
        }
        queueB1.FreeTensor(weights);
    }

private:
    static constexpr int32_t kC0 = kBlockBytes / sizeof(Src);

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
    }

    // Pixels of so many lines, in whole fractals.
    __aicore__ inline uint32_t RowsOf(int32_t lines) const
    {
        return (lines * outWidth + kSide - 1) / kSide * kSide;
    }

    // `lines` output lines from `line` on. Their strip of the image is a smaller image, which is
    // padded above and below only where the whole one ends.
    __aicore__ inline void Compute(int32_t line, int32_t lines, const LocalTensor<Src>& weights)
    {
        int32_t top = line * stride - pad;
        int32_t bottom = top + (lines - 1) * stride + filterHeight;
        int32_t first = Most(top, 0), last = Least(bottom, height);

        Conv2dParams params;
        params.imgShape[0] = last - first;
        params.imgShape[1] = width;
        params.kernelShape[0] = filterHeight;
        params.kernelShape[1] = filterWidth;
        params.stride[0] = stride;
        params.stride[1] = stride;
        params.cin = groups * kC0;
        params.cout = filters;
        params.padList[0] = pad;
        params.padList[1] = pad;
        params.padList[2] = first - top;
        params.padList[3] = bottom - last;
        params.dilation[0] = 1;
        params.dilation[1] = 1;
        params.initY = 0;  // the result overwrites
        params.partialSum = 0;
        Conv2dTilling tiling = GetConv2dTiling<Src>(params);

        LoadStrip(first, last - first);
        LocalTensor<Src> strip = queueA1.template DeQue<Src>();
        LocalTensor<Dst> result = queueCO2.template AllocTensor<Dst>();
        Conv2D(result, strip, weights, params, tiling);
        queueCO2.EnQue(result);
        queueA1.FreeTensor(strip);
    }

    // A datablock is one pixel of a group. A strip is one burst in each group; the gap leaves out
    // the other lines.
    __aicore__ inline void LoadStrip(int32_t first, int32_t lines)
    {
        LocalTensor<Src> strip = queueA1.template AllocTensor<Src>();
        DataCopy(strip, imageGlobal[(uint64_t)first * width * kC0],
            DataCopyParams(groups, lines * width, (height - lines) * width, 0));
        queueA1.EnQue(strip);
    }

    // UB holds the pixels of 16 filters after each other, up to a whole fractal; GM holds as many
    // as there are.
    __aicore__ inline void Store(int32_t line, int32_t lines)
    {
        constexpr int32_t blocks = kSide * sizeof(Dst) / kBlockBytes;  // of a pixel
        LocalTensor<Dst> result = queueCO2.template DeQue<Dst>();
        int32_t pixels = lines * outWidth;
        DataCopy(resultGlobal[(uint64_t)line * outWidth * kSide], result,
            DataCopyParams(filters / kSide, pixels * blocks, (RowsOf(lines) - pixels) * blocks,
                (outHeight - lines) * outWidth * blocks));
        queueCO2.FreeTensor(result);
    }

    TPipe pipe;
    TQue<QuePosition::A1, 1> queueA1;
    TQue<QuePosition::B1, 1> queueB1;
    TQue<QuePosition::CO2, 1> queueCO2;
    GlobalTensor<Src> imageGlobal, weightGlobal;
    GlobalTensor<Dst> resultGlobal;
    int32_t groups, height, width, filters, filterHeight, filterWidth, stride, pad;
    int32_t outHeight, outWidth;
};

extern "C" __global__ __aicore__ void conv2d_half(GM_ADDR image, GM_ADDR weights, GM_ADDR result,
    GM_ADDR sizes)
{
    Convolution<half, float> op;
    op.Init(image, weights, result, sizes);
    op.Process();
}

extern "C" __global__ __aicore__ void conv2d_int8(GM_ADDR image, GM_ADDR weights, GM_ADDR result,
    GM_ADDR sizes)
{
    Convolution<int8_t, int32_t> op;
    op.Init(image, weights, result, sizes);
    op.Process();
}
