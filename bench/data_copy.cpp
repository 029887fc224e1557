// DataCopy from GM to UB against memcpy, and the cost of issuing nothing.
#include <cstring>
#include <vector>

#include "bench.h"

namespace vinci::bench {
namespace {

constexpr uint32_t kBytes = 128 << 10;  // with its copy, resident in L2

void vinci_copy(benchmark::State& state, AscendC::DataCopyParams params, Checks checks,
                Waits waits) {
  on_core(state, checks, "Ascend310P3", [&](Device& device) {
    auto* memory = static_cast<uint8_t*>(device.allocate(2 * kBytes, "source", true));
    AscendC::GlobalTensor<uint8_t> src;
    src.SetGlobalBuffer(memory, 2 * kBytes);
    AscendC::LocalTensor<uint8_t> dst(AscendC::TPosition::VECIN, 0, kBytes);
    for (auto _ : state) {
      AscendC::DataCopy(dst, src, params);
      if (waits == Waits::kYes) AscendC::PipeBarrier<PIPE_MTE2>();
      benchmark::ClobberMemory();
    }
  });
}

void memcpy_bytes(benchmark::State& state) {
  std::vector<uint8_t> src(kBytes, 1), dst(kBytes);
  for (auto _ : state) {
    std::memcpy(dst.data(), src.data(), kBytes);
    benchmark::ClobberMemory();
  }
}

const AscendC::DataCopyParams kOneBurst(1, kBytes / 32, 0, 0);
const AscendC::DataCopyParams kManyBursts(64, kBytes / 32 / 64, 32, 0);
const AscendC::DataCopyParams kNothing(1, 0, 0, 0);

const bool registered = [] {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("data_copy/vinci", vinci_copy, kOneBurst, Checks::kOff, Waits::kNo);
  RegisterBenchmark("data_copy/memcpy", memcpy_bytes);
  RegisterBenchmark("data_copy_bursts/vinci", vinci_copy, kManyBursts, Checks::kOff, Waits::kNo);
  RegisterBenchmark("data_copy_bursts/memcpy", memcpy_bytes);
  RegisterBenchmark("issue/vinci", vinci_copy, kNothing, Checks::kOff, Waits::kNo);
  RegisterBenchmark("data_copy_checks/full", vinci_copy, kManyBursts, Checks::kFull, Waits::kYes);
  RegisterBenchmark("data_copy_checks/off", vinci_copy, kManyBursts, Checks::kOff, Waits::kYes);
  return true;
}();

}  // namespace
}  // namespace vinci::bench
