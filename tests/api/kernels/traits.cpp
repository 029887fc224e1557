// TensorTrait, flags between named pipes, hints to caches, and what is kept outside UB for a while.
#include "kernel_operator.h"

using namespace AscendC;

using Half = TensorTrait<half>;
static_assert(requires(LocalTensor<Half> a2, LocalTensor<Half> a1) {
  LoadData(a2, a1, LoadData3DParamsV1<half>());
  LoadData(a2, a1, LoadData3DParamsV2<half>());
});

constexpr TQueConfig kOneBuffer{.bufferNumber = 1};

// out = 2 * (in + 1) in its first half, in * (in + 1) in its second; 128 halfs.
extern "C" __global__ __aicore__ void traits(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1, &kOneBuffer> from;
  TQue<TPosition::VECOUT, 1> to;
  pipe.InitBuffer(from, 1, 256);
  pipe.InitBuffer(to, 1, 256);
  GlobalTensor<Half> source, target;
  source.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(in), 128);
  target.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(out), 128);
  LocalTensor<Half> x = from.AllocTensor<Half>();
  DataCopy(x, source, 128);
  from.EnQue(x);
  x = from.DeQue<Half>();
  LocalTensor<Half> y = to.AllocTensor<Half>();
  Duplicate(y, half(1), 128);
  PipeBarrier<PIPE_V>();
  Add(y, x, y, y.GetSize());
  PipeBarrier<PIPE_V>();
  Muls(y, y, half(2), 64);
  Mul(y[64], y[64], x[64], 64);
  to.EnQue(y);
  y = to.DeQue<Half>();
  DataCopy(target, y, 128);
  to.FreeTensor(y);
  from.FreeTensor(x);
}

// What a layout and a trait of it say, by the index of coordinates too.
extern "C" __global__ __aicore__ void layouts(GM_ADDR out) {
  const auto layout = MakeLayout(MakeShape(10, 20, 30), MakeStride(1, 100, 200));
  auto trait = MakeTensorTrait<float, TPosition::VECIN>(layout);
  using Trait = decltype(trait);
  static_assert(is_tensorTrait<Trait>::value && !is_tensorTrait<decltype(layout)>::value);
  static_assert(std::is_same_v<Trait::LiteType, float> && Trait::tPos == TPosition::VECIN);
  static_assert(std::is_same_v<PrimT<Trait>, float> && std::is_same_v<PrimT<half>, half>);
  GlobalTensor<int32_t> found;
  found.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(out), 5);
  found.SetValue(0, Std::get<1>(trait.GetShape()));
  found.SetValue(1, Std::get<2>(trait.GetLayout().GetStride()));
  found.SetValue(2, trait.GetLayout()(MakeCoord(3, 2, 1)));
  trait.SetLayout(MakeLayout(MakeShape(4, 5, 6), MakeStride(30, 6, 1)));
  found.SetValue(3, Std::get<0>(trait.GetShape()));
  found.SetValue(4, trait.GetLayout()(MakeCoord(3, 2, 1)));
}

// 64 floats pass through UB with a flag that TQueSync sets for each pipe.
extern "C" __global__ __aicore__ void named_pipes(GM_ADDR in, GM_ADDR out) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 64), y(TPosition::VECCALC, 256, 64);
  GlobalTensor<float> source, target;
  source.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in), 64);
  target.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), 64);
  GlobalTensor<uint64_t> line;
  line.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t*>(in), 32);
  DataCachePreload(line, int64_t(0));
  ICachePreLoad(2);
  if (GetICachePreloadStatus() != 0) return;
  SetMMRowMajor();
  SetMMColumnMajor();
  TQueSync<PIPE_MTE2, PIPE_V> filled;
  TQueSync<PIPE_V, PIPE_MTE3> summed;
  DataCopy(x, source, 64);
  filled.SetFlag(0);
  filled.WaitFlag(0);
  Add(y, x, x, 64);
  summed.SetFlag(0);
  summed.WaitFlag(0);
  DataCopy(target, y, 64);
}

// 64 floats go to a place outside UB in two ways and come back in the other order.
template <bool inL1>
__aicore__ inline void spill(GM_ADDR in, GM_ADDR space, GM_ADDR out) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  GlobalTensor<float> source, target, workspace;
  source.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in), 64);
  target.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), 64);
  workspace.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(space), 128);
  if constexpr (inL1) {
    pipe.InitSpmBuffer(512);
  } else {
    pipe.InitSpmBuffer(workspace, 512);
  }
  LocalTensor<float> x = buffer.Get<float>();
  DataCopy(x, source, 64);
  pipe.WriteSpmBuffer(x, 32, 32);
  pipe.WriteSpmBuffer(x[32], DataCopyParams{2, 2, 0, 1}, 256);
  Duplicate(x, 0.0f, 64);
  pipe.ReadSpmBuffer(x, DataCopyParams{2, 2, 1, 0}, 256);
  pipe.ReadSpmBuffer(x[32], 32, 32);
  DataCopy(target, x, 64);
}
extern "C" __global__ __aicore__ void spill_to_gm(GM_ADDR in, GM_ADDR space, GM_ADDR out) {
  spill<false>(in, space, out);
}
extern "C" __global__ __aicore__ void spill_to_l1(GM_ADDR in, GM_ADDR space, GM_ADDR out) {
  spill<true>(in, space, out);
}
