// One case of Matmul for each core that has one: on AICs alone where ASCENDC_CUBE_ONLY is defined,
// on whole cores, else for AIVs, with the AIC of their block.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr int kTilingWords = 50;

enum Mode { ALL, TILES, TO_UB, ASYNC_ALL, SEQUENTIAL, ASYNC_TILES, TWICE, ATOMIC, ALL_TO_UB };

struct Case {
  int64_t a, b, bias, c, scales, workspace, scalar;  // bytes from the start; -1: none
  int32_t combination, trans_a, trans_b, mode, hf32, unused;
  TCubeTiling tiling;
};

template <class T>
GlobalTensor<T> at(GM_ADDR memory, int64_t offset) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(memory + offset));
  return tensor;
}

// The size of a tile, with groups of one.
struct Size {
  int32_t rows, columns;
};
__aicore__ inline Size size_of(const Case& c, int32_t number) {
  const TCubeTiling& t = c.tiling;
  const int32_t rows = (t.singleCoreM + t.baseM - 1) / t.baseM;
  const int32_t columns = (t.singleCoreN + t.baseN - 1) / t.baseN;
  const bool n_first = t.iterateOrder == 1;
  const int32_t row = n_first ? number / columns : number % rows;
  const int32_t column = n_first ? number % columns : number / rows;
  return {Std::min(t.baseM, t.singleCoreM - row * t.baseM),
          Std::min(t.baseN, t.singleCoreN - column * t.baseN)};
}

template <class A, class B, class C, class BIAS, const auto& CONFIG = CFG_NORM>
struct Product {
  using T = typename C::T;
  Matmul<A, B, C, BIAS, CONFIG> mm;

  __aicore__ void prepare(GM_ADDR in, const Case& c) {
    mm.SetTensorA(at<typename A::T>(in, c.a), c.trans_a);
    mm.SetTensorB(at<typename B::T>(in, c.b), c.trans_b);
    if (c.bias >= 0) mm.SetBias(at<typename BIAS::T>(in, c.bias));
    if (c.scales >= 0) mm.SetQuantVector(at<uint64_t>(in, c.scales));
    if (c.scalar >= 0) mm.SetQuantScalar(c.scalar);
    if (c.hf32) mm.SetHF32(true, c.hf32 - 1);
  }

  __aicore__ void to_ub(const GlobalTensor<T>& out, const Case& c, bool async, TPipe& pipe) {
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    const uint32_t tile = c.tiling.baseM * c.tiling.baseN;
    pipe.InitBuffer(queue, 1, tile * sizeof(T));
    int32_t number = 0;
    while (async ? mm.template Iterate<false>() : mm.template Iterate<true>()) {
      LocalTensor<T> local = queue.template AllocTensor<T>();
      if (async) {
        mm.template GetTensorC<false>(local, 0, true);
      } else {
        mm.template GetTensorC<true>(local, 0, true);
      }
      queue.EnQue(local);
      local = queue.template DeQue<T>();
      const auto [rows, columns] = size_of(c, number);
      DataCopyExtParams copy{1, uint32_t(rows * columns * sizeof(T)), 0, 0, 0};
      DataCopyPad(out[number * tile], local, copy);
      queue.FreeTensor(local);
      ++number;
    }
  }
  __aicore__ void all_to_ub(const GlobalTensor<T>& out, const Case& c, TPipe& pipe) {
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    const uint32_t bytes = c.tiling.singleCoreM * c.tiling.singleCoreN * sizeof(T);
    pipe.InitBuffer(queue, 1, bytes);
    LocalTensor<T> local = queue.template AllocTensor<T>();
    mm.IterateAll(local);
    queue.EnQue(local);
    local = queue.template DeQue<T>();
    DataCopyPad(out, local, DataCopyExtParams{1, bytes, 0, 0, 0});
    queue.FreeTensor(local);
  }
  __aicore__ void run(GM_ADDR in, GM_ADDR out, const Case& c, TPipe& pipe) {
    const GlobalTensor<T> result = at<T>(out, c.c);
    prepare(in, c);
    switch (c.mode) {
      case ALL: mm.IterateAll(result); break;
      case SEQUENTIAL: mm.IterateAll(result, 0, true); break;
      case ATOMIC: mm.IterateAll(result, 1); break;
      case TILES:
        while (mm.Iterate()) mm.GetTensorC(result);
        break;
      case ASYNC_ALL:
        mm.template IterateAll<false>(result, 0, false, true);
        mm.WaitIterateAll();
        break;
      case TWICE:
        mm.IterateAll(result);
        prepare(in, c);
        mm.IterateAll(result, 1);
        break;
#ifdef BOTH_KINDS
      case ALL_TO_UB: all_to_ub(result, c, pipe); break;
      case TO_UB: to_ub(result, c, false, pipe); break;
      case ASYNC_TILES: {
        GlobalTensor<T> room = at<T>(out, c.workspace);
        mm.SetWorkspace(room);
        to_ub(result, c, true, pipe);
        break;
      }
#endif
    }
    mm.End();
  }
};

template <class T, CubeFormat format = CubeFormat::ND, bool trans = true>
using In = MatmulType<TPosition::GM, format, T, trans>;

#ifdef WHOLE
using HalfBias = float;
#else
using HalfBias = half;
#endif

constexpr MatmulConfig split_config() {
  MatmulConfig config = CFG_NORM;
  config.isEnableChannelSplit = true;
  return config;
}
constexpr MatmulConfig kSplit = split_config();

#ifdef WHOLE
// A in UB, and C as NZ in UB.
template <class A, class B, class C, class BIAS>
__aicore__ void in_ub(GM_ADDR in, GM_ADDR out, const Case& c, TPipe& pipe) {
  using T = typename C::T;
  Matmul<A, B, C, BIAS> mm;
  mm.Init(&c.tiling);
  TQue<TPosition::VECIN, 1> queue;
  TQue<TPosition::VECOUT, 1> results;
  TBuf<> room;
  const uint32_t elements = c.tiling.singleCoreM * c.tiling.singleCoreK;
  pipe.InitBuffer(queue, 1, elements * sizeof(T));
  pipe.InitBuffer(results, 1, c.tiling.baseM * c.tiling.baseN * sizeof(T));
  pipe.InitBuffer(room, 8192);
  LocalTensor<T> a = queue.AllocTensor<T>();
  DataCopy(a, at<T>(in, c.a), elements);
  queue.EnQue(a);
  a = queue.DeQue<T>();
  PipeBarrier<PIPE_ALL>();
  mm.SetLocalWorkspace(room.Get<uint8_t>());
  mm.SetTensorA(a, c.trans_a);
  mm.SetTensorB(at<T>(in, c.b), c.trans_b);
  if (c.bias >= 0) mm.SetBias(at<float>(in, c.bias));
  const GlobalTensor<T> result = at<T>(out, c.c);
  for (int32_t number = 0; mm.Iterate(); ++number) {
    LocalTensor<T> tile = results.AllocTensor<T>();
    mm.GetTensorC(tile, 0, true);
    results.EnQue(tile);
    tile = results.DeQue<T>();
    const auto [rows, columns] = size_of(c, number);
    DataCopy(result[number * c.tiling.baseM * c.tiling.baseN], tile,
             (rows + 15) / 16 * 16 * ((columns + 15) / 16 * 16));
    results.FreeTensor(tile);
  }
  mm.End();
  queue.FreeTensor(a);
}
#endif

#ifdef WHOLE
#define WITH_ROOM              \
  TBuf<> room;                 \
  pipe.InitBuffer(room, 8192); \
  product.mm.SetLocalWorkspace(room.Get<uint8_t>());
#else
#define WITH_ROOM
#endif

#define COMBINATION(number, A, B, C, BIAS, CONFIG)                             \
  {                                                                            \
    Product<A, B, C, BIAS, CONFIG> product;                                    \
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product.mm, &mine->tiling); \
    if (mine->combination == number) {                                         \
      product.mm.Init(&mine->tiling);                                          \
      WITH_ROOM                                                                \
      product.run(in, out, *mine, pipe);                                       \
    }                                                                          \
  }

extern "C" __global__ __aicore__ void matmul_cases(GM_ADDR in, GM_ADDR cases, GM_ADDR out,
                                                   int32_t count) {
  TPipe pipe;
  constexpr auto ND = CubeFormat::ND, NZ = CubeFormat::NZ;
  const int64_t index = GetBlockIdx() < count ? GetBlockIdx() : 0;
  const Case* mine = reinterpret_cast<const Case*>(cases) + index;
  COMBINATION(0, In<half>, In<half>, In<float>, In<float>, CFG_NORM)
  COMBINATION(1, In<half>, In<half>, In<half>, In<HalfBias>, CFG_MDL)
#ifndef WHOLE
  COMBINATION(2, In<bfloat16_t>, In<bfloat16_t>, In<float>, In<float>, CFG_NORM)
  COMBINATION(3, In<float>, In<float>, In<float>, In<float>, CFG_NORM)
#endif
  COMBINATION(4, In<int8_t>, In<int8_t>, In<int32_t>, In<int32_t>, CFG_NORM)
  COMBINATION(5, In<int8_t>, In<int8_t>, In<half>, In<int32_t>, CFG_NORM)
#ifndef BOTH_KINDS
  COMBINATION(6, In<int8_t>, In<int8_t>, In<int8_t>, In<int32_t>, CFG_NORM)
#ifndef WHOLE
  COMBINATION(7, In<int4b_t>, In<int4b_t>, In<int32_t>, In<int32_t>, CFG_MDL)
  COMBINATION(8, In<bfloat16_t>, In<bfloat16_t>, In<bfloat16_t>, In<float>, CFG_NORM)
#endif
  using HalfNz = In<half, NZ>;
  using FloatNz = In<float, NZ>;
  using BytesNz = In<int8_t, NZ>;
  using Aligned = In<float, CubeFormat::ND_ALIGN>;
  using Vector = In<half, CubeFormat::VECTOR>;
  COMBINATION(9, HalfNz, HalfNz, FloatNz, In<float>, CFG_NORM)
#if !defined(WHOLE) && !defined(PLAIN)
  COMBINATION(10, FloatNz, FloatNz, FloatNz, In<float>, kSplit)
#endif
  COMBINATION(11, BytesNz, BytesNz, BytesNz, In<int32_t>, CFG_NORM)
  COMBINATION(12, In<half>, In<half>, Aligned, In<float>, CFG_NORM)
#ifdef WHOLE
  using InUb = MatmulType<TPosition::VECOUT, ND, half, true>;
  using OutNz = MatmulType<TPosition::VECIN, NZ, half>;
  if (mine->combination == 14) in_ub<InUb, In<half>, OutNz, In<float>>(in, out, *mine, pipe);
#else
  COMBINATION(13, Vector, In<half>, In<float>, In<float>, CFG_NORM)
#endif
#endif
}
