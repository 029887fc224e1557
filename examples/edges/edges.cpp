// Sixteen 3x3 filters over a picture: a convolution that is cut into tiles small enough for the
// chip's buffers, its rows shared out among the blocks.
//
//   image    [height, width, 16] half: one C1 block, channels beyond the picture's are 0
//   weights  [3, 3, 16 filters, 16 channels] half
//   result   [height, width, 16 filters] half; outside the picture everything counts as 0
//   size     height, width as int32; the width is a multiple of 16
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint16_t kC0 = 16;
constexpr uint16_t kFilter = 3;
constexpr uint16_t kPoints = kFilter * kFilter;
constexpr uint16_t kTileGroups = 8;  // a tile is 8 groups of 16 neighbouring pixels of a row
constexpr uint32_t kWidest = 4096;

class Edges {
public:
    __aicore__ inline void Init(GM_ADDR image, GM_ADDR weights, GM_ADDR result, GM_ADDR size)
    {
        GlobalTensor<int32_t> sizes;
        sizes.SetGlobalBuffer((__gm__ int32_t*)size, 2);
        height = sizes.GetValue(0);
        width = sizes.GetValue(1);
        uint64_t elements = (uint64_t)height * width * kC0;
        imageGlobal.SetGlobalBuffer((__gm__ half*)image, elements);
        weightGlobal.SetGlobalBuffer((__gm__ half*)weights, kPoints * kC0 * kC0);
        resultGlobal.SetGlobalBuffer((__gm__ half*)result, elements);
        pipe.InitBuffer(rowsA1, 2, kFilter * kWidest * kC0 * sizeof(half));
        pipe.InitBuffer(weightsB1, 1, kPoints * kC0 * kC0 * sizeof(half));
        pipe.InitBuffer(tileA2, 1, kTileGroups * kPoints * 16 * kC0 * sizeof(half));
        pipe.InitBuffer(weightsB2, 1, kPoints * kC0 * kC0 * sizeof(half));
        pipe.InitBuffer(sumCO1, 1, kTileGroups * 256 * sizeof(float));
        pipe.InitBuffer(resultCO2, 2, kTileGroups * 256 * sizeof(half));
    }

    __aicore__ inline void Process()
    {
        LoadWeights();
        LocalTensor<half> weights = weightsB2.DeQue<half>();
        int32_t share = (height + GetBlockNum() - 1) / GetBlockNum();
        int32_t first = GetBlockIdx() * share;
        int32_t last = first + share < height ? first + share : height;
        for (int32_t y = first; y < last; ++y) {
            FilterRow(y, weights);
        }
        weightsB2.FreeTensor(weights);
    }

private:
    // [kh, kw, filter, channel] is already the nZ order that L0B wants: a plain copy.
    __aicore__ inline void LoadWeights()
    {
        LocalTensor<half> b1 = weightsB1.AllocTensor<half>();
        DataCopy(b1, weightGlobal, kPoints * kC0 * kC0);
        weightsB1.EnQue(b1);
        b1 = weightsB1.DeQue<half>();
        LocalTensor<half> b2 = weightsB2.AllocTensor<half>();
        LoadData(b2, b1, LoadData2DParams(0, kPoints, 1, 0, 0, false, 0));
        weightsB2.EnQue(b2);
        weightsB1.FreeTensor(b1);
    }

    // One row of the result needs its own row of the picture and the neighbours that exist.
    __aicore__ inline void FilterRow(int32_t y, const LocalTensor<half>& weights)
    {
        int32_t top = y > 0 ? y - 1 : 0;
        int32_t bottom = y + 1 < height ? y + 1 : height - 1;
        uint16_t rows = bottom - top + 1;
        LocalTensor<half> a1 = rowsA1.AllocTensor<half>();
        DataCopy(a1, imageGlobal[(uint64_t)top * width * kC0], rows * width * kC0);
        rowsA1.EnQue(a1);
        a1 = rowsA1.DeQue<half>();
        int32_t groups = width / 16;
        for (int32_t group = 0; group < groups; group += kTileGroups) {
            int32_t left = groups - group;
            FilterTile(a1, rows, y - 1 - top, y, group, left < kTileGroups ? left : kTileGroups, weights);
        }
        rowsA1.FreeTensor(a1);
    }

    __aicore__ inline void FilterTile(const LocalTensor<half>& a1, uint16_t rows, int16_t windowTop,
        int32_t y, int32_t group, uint16_t groups, const LocalTensor<half>& weights)
    {
        // Image to column: a row block of 16 pixels, then the nine filter points side by side.
        LocalTensor<half> a2 = tileA2.AllocTensor<half>();
        for (uint16_t i = 0; i < groups; ++i) {
            LoadData3DParamsV1<half> load;
            for (uint8_t& pad : load.padList) {
                pad = 1;
            }
            load.l1H = rows;
            load.l1W = width;
            load.leftTopW = (group + i) * 16 - 1;
            load.leftTopH = windowTop;
            load.strideW = load.strideH = 1;
            load.filterW = load.filterH = kFilter;
            load.dilationFilterW = load.dilationFilterH = 1;
            load.jumpStride = 1;
            load.repeatTime = kPoints;
            LoadData(a2[i * kPoints * 256], a1, load);
        }
        tileA2.EnQue(a2);

        a2 = tileA2.DeQue<half>();
        LocalTensor<float> sum = sumCO1.AllocTensor<float>();
        uint16_t pixels = groups * 16;
        Mmad(sum, a2, weights, MmadParams(pixels, kC0, kPoints * kC0, 0, false, true));
        sumCO1.EnQue(sum);
        tileA2.FreeTensor(a2);

        sum = sumCO1.DeQue<float>();
        LocalTensor<half> out = resultCO2.AllocTensor<half>();
        DataCopyEnhancedParams enhanced;
        enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
        DataCopy(out, sum, DataCopyParams(1, groups, 0, 0), enhanced);
        resultCO2.EnQue(out);
        sumCO1.FreeTensor(sum);

        out = resultCO2.DeQue<half>();
        DataCopy(resultGlobal[((uint64_t)y * width + group * 16) * kC0], out, pixels * kC0);
        resultCO2.FreeTensor(out);
    }

    TPipe pipe;
    TQue<QuePosition::A1, 1> rowsA1;
    TQue<QuePosition::B1, 1> weightsB1;
    TQue<QuePosition::A2, 1> tileA2;
    TQue<QuePosition::B2, 1> weightsB2;
    TQue<QuePosition::CO1, 1> sumCO1;
    TQue<QuePosition::CO2, 1> resultCO2;
    GlobalTensor<half> imageGlobal, weightGlobal, resultGlobal;
    int32_t height, width;
};

extern "C" __global__ __aicore__ void edges(GM_ADDR image, GM_ADDR weights, GM_ADDR result, GM_ADDR size)
{
    Edges op;
    op.Init(image, weights, result, size);
    op.Process();
}
