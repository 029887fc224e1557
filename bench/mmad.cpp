// Mmad on 128x128x128 halves against OpenBLAS sgemm of the same size, one thread.
#include <cblas.h>

#include <cstring>
#include <vector>

#include "bench.h"

namespace vinci::bench {
namespace {

constexpr int kSize = 128;

void vinci_mmad(benchmark::State& state) {
  on_core(state, Checks::kOff, "Ascend310P3", [&](Device&) {
    AscendC::LocalTensor<half> a(AscendC::TPosition::A2, 0, kSize * kSize);
    AscendC::LocalTensor<half> b(AscendC::TPosition::B2, 0, kSize * kSize);
    AscendC::LocalTensor<float> c(AscendC::TPosition::CO1, 0, kSize * kSize);
    for (int i = 0; i < kSize * kSize; ++i) {
      a.GetPhyAddr()[i] = half(0.25f * float(i % 17));
      b.GetPhyAddr()[i] = half(0.5f * float(i % 13));
    }
    const AscendC::MmadParams params(kSize, kSize, kSize, 0, false, true);
    for (auto _ : state) {
      AscendC::Mmad(c, a, b, params);
      benchmark::ClobberMemory();
    }
  });
}

void openblas_sgemm(benchmark::State& state) {
  openblas_set_num_threads(1);
  std::vector<float> a(kSize * kSize, 0.25f), b(kSize * kSize, 0.5f), c(kSize * kSize);
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0f, a.data(),
                kSize, b.data(), kSize, 0.0f, c.data(), kSize);
    benchmark::ClobberMemory();
  }
}

const bool registered = [] {
  benchmark::RegisterBenchmark("mmad_half/vinci", vinci_mmad);
  benchmark::RegisterBenchmark("mmad_half/openblas", openblas_sgemm);
  return true;
}();

}  // namespace
}  // namespace vinci::bench

BENCHMARK_MAIN();
