// Conv2D and GetConv2dTiling under test. Each block runs one case, its row of `table`; operands are
// parts of `pool`, and results go to their own place in `results`.
#include "matrix_operator_cases.h"

namespace {

Conv2dParams params_of(Row& row) {
  Conv2dParams params;
  for (uint32_t& value : params.imgShape) value = row.next();
  for (uint32_t& value : params.kernelShape) value = row.next();
  for (uint32_t& value : params.stride) value = row.next();
  params.cin = row.next();
  params.cout = row.next();
  for (uint32_t& value : params.padList) value = row.next();
  for (uint32_t& value : params.dilation) value = row.next();
  params.initY = row.next();
  params.partialSum = row.next();
  return params;
}

// All fields in the documents' order, but for blockSize and loopMode.
template <class F>
void for_each_field(Conv2dTilling& t, F f) {
  for (uint32_t* field :
       {&t.c0Size,     &t.dTypeSize, &t.strideH,  &t.strideW,  &t.dilationH,  &t.dilationW,
        &t.hi,         &t.wi,        &t.ho,       &t.wo,       &t.height,     &t.width,
        &t.howo,       &t.mNum,      &t.nNum,     &t.kNum,     &t.mBlockNum,  &t.kBlockNum,
        &t.nBlockNum,  &t.roundM,    &t.roundN,   &t.roundK,   &t.mTileBlock, &t.nTileBlock,
        &t.kTileBlock, &t.mIterNum,  &t.nIterNum, &t.kIterNum, &t.mTileNums}) {
    f(*field);
  }
  for (bool* field : {&t.mHasTail, &t.nHasTail, &t.kHasTail}) {
    uint32_t value = *field;
    f(value);
    *field = value != 0;
  }
  for (uint32_t* field : {&t.kTailBlock, &t.mTailBlock, &t.nTailBlock, &t.mTailNums}) f(*field);
}

struct Call {
  explicit Call(Row& row)
      : types(row.next()),
        dst(row),
        fm(row),
        weight(row),
        fm_from(row.next()),
        weight_from(row.next()),
        dst_from(row.next()),
        from_step(row.next()),
        calls(row.next()),
        result_at(row.next()),
        visible(row.next()),
        fills(row.next()),
        params(params_of(row)),
        loop_mode(row.next()),
        given(row.next()) {
    for_each_field(tilling, [&](uint32_t& field) { field = row.next(); });
  }

  int64_t types;
  Place dst, fm, weight;
  int64_t fm_from, weight_from, dst_from, from_step, calls, result_at, visible, fills;
  Conv2dParams params;
  int64_t loop_mode;
  bool given;  // the tiling comes from the table
  Conv2dTilling tilling;
};

template <class Dst, class Src>
void convolve(Call& call, GM_ADDR pool, GM_ADDR results) {
  if (call.fills)
    move_result<Dst>(call.dst, call.visible, bytes_at(pool, call.dst_from, call.visible), false);
  for (int64_t i = 0; i < call.calls; ++i) {
    const int64_t step = i * call.from_step;
    if (call.fills) {
      load_l1(call.fm.address, call.fm.elements * sizeof(Src), pool, call.fm_from + step);
      load_l1(call.weight.address, call.weight.elements * sizeof(Src), pool,
              call.weight_from + step);
    }
    Conv2dParams params = call.params;
    if (i > 0) params.initY = 1;
    if (i + 1 < call.calls) params.partialSum = 1;
    const auto dst = call.dst.tensor<Dst>();
    const auto fm = call.fm.tensor<Src>();
    const auto weight = call.weight.tensor<Src>();
    if (call.given) {
      call.tilling.loopMode = LoopMode(call.loop_mode);
      Conv2D(dst, fm, weight, params, call.tilling);
    } else {
      Conv2dTilling tilling = GetConv2dTiling<Src>(params);
      tilling.loopMode = LoopMode(call.loop_mode);
      Conv2D(dst, fm, weight, params, tilling);
    }
    PipeBarrier<PIPE_ALL>();  // the next call's input comes to the same places
  }
  if (call.fills)
    move_result<Dst>(call.dst, call.visible, bytes_at(results, call.result_at, call.visible), true);
}

}  // namespace

extern "C" __global__ __aicore__ void conv2d_cases(GM_ADDR table, GM_ADDR pool, GM_ADDR results) {
  Row row(table);
  Call call(row);
  switch (call.types) {
    case 0: return convolve<int32_t, int8_t>(call, pool, results);
    case 1: return convolve<float, half>(call, pool, results);
    case 2: return convolve<half, half>(call, pool, results);
    case 3: return convolve<float, float>(call, pool, results);
    case 4: return convolve<int32_t, half>(call, pool, results);
    default: return convolve<half, int8_t>(call, pool, results);
  }
}

// Fields of the tiling to 48 numbers of `results`, loopMode and blockSize last.
extern "C" __global__ __aicore__ void tiling_cases(GM_ADDR table, GM_ADDR results) {
  Row row(table);
  const int64_t type = row.next();
  Conv2dParams params = params_of(row);
  Conv2dTilling tilling = type == 0   ? GetConv2dTiling<int8_t>(params)
                          : type == 1 ? GetConv2dTiling<half>(params)
                          : type == 2 ? GetConv2dTiling<float>(params)
                                      : GetConv2dTiling<uint8_t>(params);
  GlobalTensor<int64_t> to;
  to.SetGlobalBuffer((__gm__ int64_t*)results + GetBlockIdx() * 48, 48);
  int64_t at = 0;
  for_each_field(tilling, [&](uint32_t& field) { to.SetValue(at++, field); });
  to.SetValue(at++, int64_t(tilling.loopMode));
  to.SetValue(at++, tilling.blockSize);
  while (at < 48) to.SetValue(at++, 0);
}

// Partial sums that another call cannot continue (which 0), or that it loses (1).
extern "C" __global__ __aicore__ void conv2d_chains(int32_t which) {
  const LocalTensor<half> image(TPosition::A1, 0, 2048), weight(TPosition::B1, 8192, 256);
  const LocalTensor<float> dst(TPosition::CO2, 0, 1024), other(TPosition::CO2, 4096, 1024);
  Conv2dParams first = {{4, 4}, {1, 1}, {1, 1}, 16, 16, {0, 0, 0, 0}, {1, 1}, 0, 1};
  Conv2dParams second = {{8, 4}, {1, 1}, {1, 1}, 16, 16, {0, 0, 0, 0}, {1, 1}, 1, 0};
  Conv2dTilling one = GetConv2dTiling<half>(first), two = GetConv2dTiling<half>(second);
  Conv2D(dst, image, weight, first, one);
  Conv2D(which == 0 ? dst : other, image, weight, second, two);
}

// A chain as kernels write it, through a TPipe and its queues: y += conv(x, w) in two calls.
extern "C" __global__ __aicore__ void conv2d_queues(GM_ADDR x, GM_ADDR w, GM_ADDR y) {
  constexpr uint32_t kImage = 2 * 4 * 4 * 16, kWeights = 2 * 2 * 2 * 16 * 16, kResult = 16 * 16;
  TPipe pipe;
  TQue<TPosition::A1, 1> images;
  TQue<TPosition::B1, 1> filters;
  TQue<TPosition::CO1, 1> sums;
  TQue<TPosition::CO2, 1> results;
  pipe.InitBuffer(images, 1, kImage * sizeof(half));
  pipe.InitBuffer(filters, 1, kWeights * sizeof(half));
  pipe.InitBuffer(sums, 1, kResult * sizeof(float));
  pipe.InitBuffer(results, 1, kResult * sizeof(float));
  GlobalTensor<half> from, weights;
  GlobalTensor<float> to;
  from.SetGlobalBuffer((__gm__ half*)x, kImage);
  weights.SetGlobalBuffer((__gm__ half*)w, kWeights);
  to.SetGlobalBuffer((__gm__ float*)y, kResult);

  LocalTensor<half> image = images.AllocTensor<half>();
  DataCopy(image, from, kImage);
  images.EnQue(image);
  image = images.DeQue<half>();
  LocalTensor<half> filter = filters.AllocTensor<half>();
  DataCopy(filter, weights, kWeights);
  filters.EnQue(filter);
  filter = filters.DeQue<half>();

  // The load_data sample's shapes, with the constructor and with braces.
  uint32_t shape[kConv2dImgSize] = {4, 4}, kernel[kConv2dkernelSize] = {2, 2};
  uint32_t stride[kConv2dStride] = {1, 1}, pads[kConv2dPad] = {1, 1, 1, 1};
  uint32_t dilation[kConv2dDilation] = {2, 2};
  Conv2dParams first(shape, kernel, stride, 32, 16, pads, dilation, 0, 0);
  Conv2dParams second = {{4, 4}, {2, 2}, {1, 1}, 32, 16, {1, 1, 1, 1}, {2, 2}, 1, 0};
  Conv2dTilling tilling = GetConv2dTiling<half>(first);
  LocalTensor<float> sum = sums.AllocTensor<float>();
  Conv2D<float, half>(sum, image, filter, first, tilling);
  Conv2D(sum, image, filter, second, tilling);
  sums.EnQue(sum);
  sum = sums.DeQue<float>();
  LocalTensor<float> result = results.AllocTensor<float>();
  DataCopyEnhancedParams matrix;
  matrix.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  DataCopy(result, sum, DataCopyParams(1, 1, 0, 0), matrix);
  results.EnQue(result);
  result = results.DeQue<float>();
  DataCopy(to, result, kResult);
  results.FreeTensor(result);
  sums.FreeTensor(sum);
  images.FreeTensor(image);
  filters.FreeTensor(filter);
}
