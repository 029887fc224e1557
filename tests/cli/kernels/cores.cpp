// Kernels for AICs, AIVs and both, which leave a word for each core that runs them.
#include "kernel_operator.h"

using namespace AscendC;

#if defined(__DAV_C220_CUBE__)
constexpr int32_t PASS = 1;
#elif defined(__DAV_C220_VEC__)
constexpr int32_t PASS = 2;
#else
constexpr int32_t PASS = 3;
#endif

// Word 8 * GetBlockIdx(): what an AIC, an AIV or a whole core found of itself; 4 behind it for AIVs.
inline void tell(GM_ADDR out) {
  auto* words = reinterpret_cast<int32_t*>(out) + GetBlockIdx() * 8 + (PASS == 2 ? 4 : 0);
  words[0] = PASS;
  words[1] = g_coreType;
  words[2] = int32_t(GetBlockNum() * 10 + GetTaskRation());
  int32_t kinds = 0;
  if ASCEND_IS_AIC { kinds += 1; }
  if constexpr ASCEND_IS_AIV { kinds += 2; }
  if ASCEND_IS_NOT_AIC { kinds += 10; }
  if constexpr ASCEND_IS_NOT_AIV { kinds += 20; }
  words[3] = kinds;
}

extern "C" __global__ __aicore__ void plain(GM_ADDR out) { tell(out); }
extern "C" __global__ __vector__ void vectors(GM_ADDR out) { tell(out); }
__cube__ extern "C" __global__ __aicore__ void cubes(GM_ADDR out) { tell(out); }
extern "C" __schedmode__(1) __mix__(1, 2) __global__ __aicore__ void both(GM_ADDR out) {
  tell(out);
}
extern "C" __global__ __mix__(1,1) void pair(GM_ADDR out) { tell(out); }
extern "C" __global__ __mix__( 0 , 1 ) void no_cube(GM_ADDR out) { tell(out); }
extern "C" __global__ __mix__(1, 0) void no_vector(GM_ADDR out) { tell(out); }
extern "C" __global__ __aicore__ void typed(GM_ADDR out) {
  // KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY) in a comment says nothing
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  tell(out);
}
namespace deep {
__global__ __vector__ void inside(GM_ADDR out) { tell(out); }
}  // namespace deep

#if defined(__DAV_C220_VEC__)
extern "C" __global__ __mix__(1, 1) void for_vectors(GM_ADDR out) { tell(out); }
#endif

// A product by the AIC, to which each of its AIVs adds its half: 16 x 16, all through GM.
extern "C" __global__ __mix__(1, 2) void product_plus(GM_ADDR a, GM_ADDR c, GM_ADDR out) {
  const int64_t block = get_block_idx();
  if ASCEND_IS_AIC {
    GlobalTensor<half> x;
    GlobalTensor<float> y;
    x.SetGlobalBuffer((__gm__ half*)a + block * 256, 256);
    y.SetGlobalBuffer((__gm__ float*)c + block * 256, 256);
    const LocalTensor<half> a1(TPosition::A1, 0, 256), a2(TPosition::A2, 0, 256),
        b2(TPosition::B2, 0, 256);
    const LocalTensor<float> l0c(TPosition::CO1, 0, 256);
    DataCopy(a1, x, Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b2, a1, LoadData2DParams(0, 1, 1, 0, 0, true, 0));
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    MmadParams params;
    params.m = params.n = params.k = 16;
    Mmad(l0c, a2, b2, params);
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    FixpipeParamsV220 fix;
    fix.nSize = fix.mSize = fix.srcStride = fix.dstStride = 16;
    Fixpipe(y, l0c, fix);
    CrossCoreSetFlag<2, PIPE_FIX>(3);
  }
  if ASCEND_IS_AIV {
    const int64_t start = block * 256 + get_subblockid() * 128;
    GlobalTensor<float> x, y;
    x.SetGlobalBuffer((__gm__ float*)c + start, 128);
    y.SetGlobalBuffer((__gm__ float*)out + start, 128);
    const LocalTensor<float> tile(TPosition::VECCALC, 0, 128);
    CrossCoreWaitFlag(3);
    DataCopy(tile, x, 128);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(tile, tile, float(GetBlockIdx()), 128);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(y, tile, 128);
  }
}

// What goes wrong on one core is told with its name.
extern "C" __global__ __mix__(1, 2) void wrong(GM_ADDR out, int32_t how) {
  const LocalTensor<half> tensor(TPosition::VECCALC, 196576, 16);
  if (how == 0) tensor.SetValue(0, half(1));  // an AIC has no UB
  if ASCEND_IS_AIV {
    if (GetBlockIdx() != 3) return;
    if (how == 1) tensor.SetValue(16, half(1));
    if (how == 2) *(volatile int*)16 = 1;
  }
}
