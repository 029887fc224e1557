// A whole kernel, examples/gemm on 1024x1024x1024 halves, against OpenBLAS sgemm, one thread.
#include <cblas.h>

#include <vector>

#include "bench.h"

extern "C" __global__ __aicore__ void gemm(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR sizes);

namespace vinci::bench {
namespace {

constexpr int32_t kSize = 1024;
constexpr int kElements = kSize * kSize;

void vinci_gemm(benchmark::State& state) {
  Device device("Ascend910B1", Checks::kOff);
  auto* a = static_cast<half*>(device.allocate(kElements * sizeof(half), "a"));
  auto* b = static_cast<half*>(device.allocate(kElements * sizeof(half), "b"));
  auto* c = static_cast<float*>(device.allocate(kElements * sizeof(float), "c"));
  auto* sizes = static_cast<int32_t*>(device.allocate(3 * sizeof(int32_t), "sizes"));
  for (int i = 0; i < kElements; ++i) {
    a[i] = half(0.25f * float(i % 17));
    b[i] = half(0.5f * float(i % 13));
  }
  for (int i = 0; i < 3; ++i) sizes[i] = kSize;
  for (auto _ : state) {
    device.launch(1, [&] {
      gemm(reinterpret_cast<GM_ADDR>(a), reinterpret_cast<GM_ADDR>(b), reinterpret_cast<GM_ADDR>(c),
           reinterpret_cast<GM_ADDR>(sizes));
    });
    benchmark::ClobberMemory();
  }
  if (!device.faults().empty()) state.SkipWithError(device.faults()[0].message.c_str());
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
  return true;
}();

}  // namespace
}  // namespace vinci::bench
