// One case of Matmul for each core that has one: on AICs alone where ASCENDC_CUBE_ONLY is defined,
// else for AIVs, with the AIC of their block.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr int kTilingWords = 50;

enum Mode { ALL, TILES, TO_UB, ASYNC_ALL, SEQUENTIAL, ASYNC_TILES, TWICE, ATOMIC };

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
      const auto [row, column] = where(c, number);
      const int32_t rows = Std::min(c.tiling.baseM, c.tiling.singleCoreM - row * c.tiling.baseM);
      const int32_t columns =
          Std::min(c.tiling.baseN, c.tiling.singleCoreN - column * c.tiling.baseN);
      DataCopyExtParams copy{1, uint32_t(rows * columns * sizeof(T)), 0, 0, 0};
      DataCopyPad(out[number * tile], local, copy);
      queue.FreeTensor(local);
      ++number;
    }
  }
  // With groups of one tile.
  struct Place {
    int32_t row, column;
  };
  __aicore__ Place where(const Case& c, int32_t number) {
    const int32_t rows = (c.tiling.singleCoreM + c.tiling.baseM - 1) / c.tiling.baseM;
    const int32_t columns = (c.tiling.singleCoreN + c.tiling.baseN - 1) / c.tiling.baseN;
    if (c.tiling.iterateOrder == 1) return {number / columns, number % columns};
    return {number % rows, number / rows};
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
#ifndef ASCENDC_CUBE_ONLY
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

constexpr MatmulConfig split_config() {
  MatmulConfig config = CFG_NORM;
  config.isEnableChannelSplit = true;
  return config;
}
constexpr MatmulConfig kSplit = split_config();

#define COMBINATION(number, A, B, C, BIAS, CONFIG)                             \
  {                                                                            \
    Product<A, B, C, BIAS, CONFIG> product;                                    \
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product.mm, &mine->tiling); \
    if (mine->combination == number) {                                         \
      product.mm.Init(&mine->tiling);                                          \
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
  COMBINATION(1, In<half>, In<half>, In<half>, In<half>, CFG_MDL)
  COMBINATION(2, In<bfloat16_t>, In<bfloat16_t>, In<float>, In<float>, CFG_NORM)
  COMBINATION(3, In<float>, In<float>, In<float>, In<float>, CFG_NORM)
  COMBINATION(4, In<int8_t>, In<int8_t>, In<int32_t>, In<int32_t>, CFG_NORM)
  COMBINATION(5, In<int8_t>, In<int8_t>, In<half>, In<int32_t>, CFG_NORM)
#ifdef ASCENDC_CUBE_ONLY
  COMBINATION(6, In<int8_t>, In<int8_t>, In<int8_t>, In<int32_t>, CFG_NORM)
  COMBINATION(7, In<int4b_t>, In<int4b_t>, In<int32_t>, In<int32_t>, CFG_MDL)
  COMBINATION(8, In<bfloat16_t>, In<bfloat16_t>, In<bfloat16_t>, In<float>, CFG_NORM)
  using HalfNz = In<half, NZ>;
  using FloatNz = In<float, NZ>;
  using BytesNz = In<int8_t, NZ>;
  using Aligned = In<float, CubeFormat::ND_ALIGN>;
  using Vector = In<half, CubeFormat::VECTOR>;
  COMBINATION(9, HalfNz, HalfNz, FloatNz, In<float>, CFG_NORM)
  COMBINATION(10, FloatNz, FloatNz, FloatNz, In<float>, kSplit)
  COMBINATION(11, BytesNz, BytesNz, BytesNz, In<int32_t>, CFG_NORM)
  COMBINATION(12, In<half>, In<half>, Aligned, In<float>, CFG_NORM)
  COMBINATION(13, Vector, In<half>, In<float>, In<float>, CFG_NORM)
#endif
}
