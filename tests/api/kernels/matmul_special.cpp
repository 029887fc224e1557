// What few Matmuls have, on AICs: block 0 copies by itself, 1 multiplies by a sparse B, 2 and 3
// make several batches, with a B that the matrices along N share, and with sums along G.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <class T>
GlobalTensor<T> tensor(GM_ADDR memory, uint64_t bytes = 0) {
  GlobalTensor<T> made;
  made.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(memory + bytes));
  return made;
}

constexpr uint8_t kBytes[] = {1, 0, 0, 0, 2, 0, 0, 0};
struct Pair {
  int32_t first, second;
};
static_assert(convert_from_bytes<Pair>(kBytes).second == 2);
static_assert(AscendC::Ceil(9u, 4) == 3 && AscendC::Ceil(8, 4u) == 2);

struct Sizes {
  int32_t m, n, k, base_m, base_n, base_k;
};

// Row-major to NZ, from the block's place in a matrix with rows of `pitch` elements.
__aicore__ inline void copy_block(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row,
                                  int column, int rows, int columns, int pitch) {
  const auto from = tensor<half>(reinterpret_cast<GM_ADDR>(const_cast<__gm__ void*>(gm)));
  DataCopy(l1.ReinterpretCast<half>(), from[row * pitch + column],
           Nd2NzParams(1, rows, columns, 0, pitch, (rows + 15) / 16 * 16, 1, 0));
}

// The words: the sizes in GM, and how many columns A is to be taken from further on.
__aicore__ inline void copy_a(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row,
                              int col, int useM, int useK, const uint64_t tilingPtr,
                              const uint64_t dataPtr) {
  const auto& s = *reinterpret_cast<const Sizes*>(tilingPtr);
  copy_block(l1, gm, row * s.base_m, col * s.base_k + int(dataPtr), useM, useK, s.k);
}
__aicore__ inline void copy_b(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row,
                              int col, int useK, int useN, const uint64_t tilingPtr,
                              const uint64_t dataPtr) {
  const auto& s = *reinterpret_cast<const Sizes*>(tilingPtr);
  copy_block(l1, gm, row * s.base_k, col * s.base_n, useK, useN, s.n);
}
// With ReLU.
__aicore__ inline void copy_out(const __gm__ void* gm, const LocalTensor<int8_t>& co1Local,
                                const void* params, const uint64_t, const uint64_t) {
  const auto& p = *reinterpret_cast<const DataCopyOutParams*>(params);
  FixpipeParamsV220 copy;
  copy.mSize = p.burstLen / 2;
  copy.nSize = p.oriNSize;
  copy.srcStride = (p.burstLen + p.srcStride) / 2;
  copy.dstStride = p.dstStride;
  copy.reluEn = true;
  const auto to = tensor<float>(reinterpret_cast<GM_ADDR>(const_cast<__gm__ void*>(gm)));
  Fixpipe<float, float, CFG_ROW_MAJOR>(to, co1Local.ReinterpretCast<float>(), copy);
}

template <class T, bool trans = false, LayoutMode layout = LayoutMode::NONE>
using Gm = MatmulType<TPosition::GM, CubeFormat::ND, T, trans, layout>;

constexpr MatmulConfig several() {
  MatmulConfig config = CFG_NORM;
  config.isNBatch = true;
  return config;
}
constexpr MatmulConfig kSeveral = several();

__aicore__ inline void by_itself(GM_ADDR a, GM_ADDR b, GM_ADDR c, const Sizes* shape,
                                 const TCubeTiling* tiling, TPipe& pipe) {
  Matmul<Gm<half>, Gm<half>, Gm<float>, Gm<float>, CFG_NORM,
         MatmulCallBackFunc<copy_out, copy_a, copy_b>>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, tiling);
  mm.SetUserDefInfo(reinterpret_cast<uint64_t>(shape));
  mm.SetSelfDefineData(3);
  mm.SetTensorA(tensor<half>(a));
  mm.SetTensorB(tensor<half>(b));
  mm.IterateAll(tensor<float>(c));
  mm.End();
}

__aicore__ inline void sparse(GM_ADDR a, GM_ADDR b, GM_ADDR index, GM_ADDR c,
                              const TCubeTiling* tiling, TPipe& pipe) {
  Matmul<Gm<int8_t>, SparseMatmulType<TPosition::GM, TPosition::GM, CubeFormat::ND, int8_t, true>,
         Gm<int32_t>, Gm<int32_t>, CFG_MDL>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, tiling);
  mm.SetTensorA(tensor<int8_t>(a));
  mm.SetTensorB(tensor<int8_t>(b), true);
  mm.SetSparseIndex(tensor<uint8_t>(index));
  mm.IterateAll(tensor<int32_t>(c));
  // Once more, behind it, with C's first row as the bias.
  const auto n = uint32_t(tiling->N);
  PipeBarrier<PIPE_ALL>();
  mm.SetBias(tensor<int32_t>(c));
  mm.IterateAll(tensor<int32_t>(c)[tiling->M * n]);
  mm.End();
}

__aicore__ inline void batches(GM_ADDR a, GM_ADDR b, GM_ADDR c, const TCubeTiling* tiling,
                               int rounds, int count, int count_b, TPipe& pipe) {
  constexpr auto BSNGD = LayoutMode::BSNGD;
  Matmul<Gm<half, false, BSNGD>, Gm<half, true, BSNGD>, Gm<float, false, BSNGD>, Gm<float>,
         kSeveral>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, tiling);
  mm.SetTensorA(tensor<half>(a));
  mm.SetTensorB(tensor<half>(b), true);
#ifndef WITHOUT_WORKSPACE
  auto room = tensor<float>(c);
  mm.SetWorkspace(room);
#endif
  mm.IterateNBatch(rounds, count, count_b, false);
#ifndef WITHOUT_WORKSPACE
  for (int i = 0; i < rounds; ++i) {
    const uint64_t matrices = uint64_t(i) * count * tiling->singleCoreM * tiling->singleCoreN;
    const auto batch = mm.GetBatchTensorC<false>(count, count_b);
    ASSERT(batch.GetPhyAddr() == room.GetPhyAddr() + matrices);
  }
#endif
  mm.End();
}

extern "C" __global__ __aicore__ void special(GM_ADDR a, GM_ADDR b, GM_ADDR index, GM_ADDR shapes,
                                              GM_ADDR tilings, GM_ADDR c, int32_t bytes,
                                              int32_t c_bytes) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  const int64_t block = GetBlockIdx();
  const TCubeTiling* tiling = reinterpret_cast<const TCubeTiling*>(tilings) + block;
  a += block * bytes;
  b += block * bytes;
  c += block * c_bytes;
  switch (block) {
    case 0: return by_itself(a, b, c, reinterpret_cast<const Sizes*>(shapes), tiling, pipe);
    case 1: return sparse(a, b, index, c, tiling, pipe);
    case 2: return batches(a, b, c, tiling, 2, 2, 1, pipe);
    default: return batches(a, b, c, tiling, 2, 3, 3, pipe);
  }
}
