// Gather in UB against a plain loop.
#include <cstring>
#include <random>
#include <vector>

#include "bench.h"

namespace vinci::bench {
namespace {

constexpr uint32_t kCount = 8192;

template <class T>
std::vector<uint32_t> random_offsets() {
  std::mt19937 random(1);
  std::vector<uint32_t> offsets(kCount);
  for (uint32_t& offset : offsets) offset = random() % kCount * sizeof(T);
  return offsets;
}

template <class T>
void vinci_gather(benchmark::State& state, Checks checks) {
  on_core(state, checks, "Ascend310P3", [&](Device&) {
    AscendC::LocalTensor<T> src(AscendC::TPosition::VECIN, 0, kCount);
    AscendC::LocalTensor<uint32_t> offset(AscendC::TPosition::VECIN, 64 << 10, kCount);
    AscendC::LocalTensor<T> dst(AscendC::TPosition::VECOUT, 128 << 10, kCount);
    std::memset(src.GetPhyAddr(), 1, kCount * sizeof(T));
    std::memcpy(offset.GetPhyAddr(), random_offsets<T>().data(), kCount * sizeof(uint32_t));
    for (auto _ : state) {
      AscendC::Gather(dst, src, offset, 0u, kCount);
      benchmark::ClobberMemory();
    }
  });
}

template <class T>
void loop_gather(benchmark::State& state) {
  std::vector<T> src(kCount, T(1)), dst(kCount);
  const std::vector<uint32_t> offsets = random_offsets<T>();
  const auto* bytes = reinterpret_cast<const uint8_t*>(src.data());
  const uint32_t* __restrict offset = offsets.data();
  T* __restrict out = dst.data();
  for (auto _ : state) {
    for (uint32_t i = 0; i < kCount; ++i) {
      out[i] = *reinterpret_cast<const T*>(bytes + offset[i]);
    }
    benchmark::ClobberMemory();
  }
}

const bool registered = [] {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("gather_b16/vinci", vinci_gather<uint16_t>, Checks::kOff);
  RegisterBenchmark("gather_b16/loop", loop_gather<uint16_t>);
  RegisterBenchmark("gather_b32/vinci", vinci_gather<uint32_t>, Checks::kOff);
  RegisterBenchmark("gather_b32/loop", loop_gather<uint32_t>);
  RegisterBenchmark("gather_checks/full", vinci_gather<uint16_t>, Checks::kFull);
  RegisterBenchmark("gather_checks/off", vinci_gather<uint16_t>, Checks::kOff);
  return true;
}();

}  // namespace
}  // namespace vinci::bench
