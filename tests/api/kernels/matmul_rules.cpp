// A product, or two in a batch, of one core. Macros say of which types, configuration and calls: the
// test knows what is told of them, and at which of the lines that are marked.
#ifdef ALONE
#define ASCENDC_CUBE_ONLY
#endif
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

enum { ALL, TILES, BATCH, N_BATCH };
#ifndef CONFIG
#define CONFIG CFG_NORM
#endif
#ifndef SET
#define SET
#endif
#ifndef POLICY
#define POLICY MatmulPolicy
#endif
#ifndef TYPE
#define TYPE half
#endif
#ifndef OUT
#define OUT float
#endif
#ifndef SHARE_A
#define SHARE_A false
#endif
#ifndef SHARE_B
#define SHARE_B false
#endif
#ifndef LAYOUT
#define LAYOUT NONE
#endif
#ifndef LAYOUT_B
#define LAYOUT_B LAYOUT
#endif
#ifndef A_AT
#define A_AT GM
#endif
#ifndef A_FORMAT
#define A_FORMAT ND
#endif
#ifndef BEFORE
#define BEFORE
#endif
#ifndef BETWEEN
#define BETWEEN
#endif
#ifndef CALL
#define CALL mm.IterateAll(out)
#endif
#ifndef FUNCTIONS
#define FUNCTIONS MatmulCallBackFunc<nullptr, nullptr, nullptr>
#endif

__aicore__ inline void copy_out(const __gm__ void*, const LocalTensor<int8_t>&, const void*,
                                const uint64_t, const uint64_t) {}

constexpr MatmulConfig configured() {
  MatmulConfig config = CONFIG;
  SET;
  return config;
}
constexpr MatmulConfig kConfig = configured();
using A = MatmulType<TPosition::A_AT, CubeFormat::A_FORMAT, TYPE, false, LayoutMode::LAYOUT, SHARE_A>;
using B = MatmulType<TPosition::GM, CubeFormat::ND, TYPE, false, LayoutMode::LAYOUT_B, SHARE_B>;
using C = MatmulType<TPosition::GM, CubeFormat::ND, OUT, false, LayoutMode::LAYOUT>;
#ifdef CONSTANT
constexpr auto kUsed = GetMatmulApiTiling<A, B, C, C>(kConfig);
#else
constexpr auto kUsed = kConfig;
#endif

extern "C" __global__ __aicore__ void matmul_rules(GM_ADDR a, GM_ADDR b, __gm__ TCubeTiling* tiling,
                                                   GM_ADDR c, GM_ADDR words) {
  TPipe pipe;
  Matmul<A, B, C, C, kUsed, FUNCTIONS, Impl::Detail::POLICY> mm;
  TCubeTiling here = *tiling;
#ifdef OTHER
  Matmul<B, B, C, C, OTHER> other;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &here, other, &here);
#elif defined FIVE
  Matmul<A, B, C, C, kUsed> more[4];
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &here, more[0], &here, more[1], &here, more[2],
                    &here, more[3], &here);
#else
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &here);  // REGISTERED
#endif
  if (GetBlockIdx() != 0) return;
  GlobalTensor<TYPE> left, right;
  GlobalTensor<OUT> out;
  GlobalTensor<uint64_t> scales;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ TYPE*>(a));
  right.SetGlobalBuffer(reinterpret_cast<__gm__ TYPE*>(b));
  out.SetGlobalBuffer(reinterpret_cast<__gm__ OUT*>(c));
  scales.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t*>(words));
  BEFORE;  // HERE
  mm.SetTensorA(left);
  mm.SetTensorB(right);
  BETWEEN;  // BETWEEN
  CALL;  // CALLED
  mm.End();
}
