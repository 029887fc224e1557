// Whole kernels, examples/gemm and the Matmul object on 1024x1024x1024 halves, against OpenBLAS
// sgemm, one thread.
#define ASCENDC_CUBE_ONLY
#include <cblas.h>

#include <vector>

#include "bench.h"
#include "lib/matmul_intf.h"

extern "C" __global__ __aicore__ void gemm(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR sizes);

namespace vinci::bench {
namespace {

constexpr int32_t kSize = 1024;
constexpr int kElements = kSize * kSize;

void matmul_object(GM_ADDR a, GM_ADDR b, GM_ADDR c, const TCubeTiling& tiling) {
  using namespace AscendC;
  TPipe pipe;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      mm;
  REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling);
  GlobalTensor<half> left, right;
  GlobalTensor<float> result;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a));
  right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
  result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c));
  mm.SetTensorA(left);
  mm.SetTensorB(right);
  mm.IterateAll(result);
  mm.End();
}

// `kernel`: gets A, B and C.
template <class Kernel>
void run_kernel(benchmark::State& state, Device& device, Kernel kernel) {
  auto* a = static_cast<half*>(device.allocate(kElements * sizeof(half), "a"));
  auto* b = static_cast<half*>(device.allocate(kElements * sizeof(half), "b"));
  auto* c = static_cast<float*>(device.allocate(kElements * sizeof(float), "c"));
  for (int i = 0; i < kElements; ++i) {
    a[i] = half(0.25f * float(i % 17));
    b[i] = half(0.5f * float(i % 13));
  }
  for (auto _ : state) {
    device.launch(1, [&] {
      kernel(reinterpret_cast<GM_ADDR>(a), reinterpret_cast<GM_ADDR>(b),
             reinterpret_cast<GM_ADDR>(c));
    });
    benchmark::ClobberMemory();
  }
  if (!device.faults().empty()) state.SkipWithError(device.faults()[0].message.c_str());
}

void vinci_matmul(benchmark::State& state) {
  Device device("Ascend910B1", Checks::kOff);
  TCubeTiling tiling;
  tiling.usedCoreNum = tiling.stepM = tiling.stepN = tiling.stepKa = tiling.stepKb = 1;
  tiling.M = tiling.N = tiling.Ka = tiling.Kb = kSize;
  tiling.singleCoreM = tiling.singleCoreN = tiling.singleCoreK = kSize;
  tiling.baseM = 128;
  tiling.baseN = 256;
  tiling.baseK = 64;
  run_kernel(state, device,
             [&](GM_ADDR a, GM_ADDR b, GM_ADDR c) { matmul_object(a, b, c, tiling); });
}

void vinci_gemm(benchmark::State& state) {
  Device device("Ascend910B1", Checks::kOff);
  auto* sizes = static_cast<int32_t*>(device.allocate(3 * sizeof(int32_t), "sizes"));
  for (int i = 0; i < 3; ++i) sizes[i] = kSize;
  run_kernel(state, device, [&](GM_ADDR a, GM_ADDR b, GM_ADDR c) {
    gemm(a, b, c, reinterpret_cast<GM_ADDR>(sizes));
  });
}

void openblas_sgemm(benchmark::State& state) {
  openblas_set_num_threads(1);
  std::vector<float> a(kElements, 0.25f), b(kElements, 0.5f), c(kElements);
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0f, a.data(),
                kSize, b.data(), kSize, 0.0f, c.data(), kSize);
    benchmark::ClobberMemory();
  }
}

const bool registered = [] {
  benchmark::RegisterBenchmark("gemm_kernel/vinci", vinci_gemm);
  benchmark::RegisterBenchmark("gemm_kernel/openblas", openblas_sgemm);
  benchmark::RegisterBenchmark("matmul_object/vinci", vinci_matmul);
  benchmark::RegisterBenchmark("matmul_object/openblas", openblas_sgemm);
  return true;
}();

}  // namespace
}  // namespace vinci::bench
