// Add on one repeat: how much the checks cost where there is least work to hide them.
#include "bench.h"

namespace vinci::bench {
namespace {

void vinci_add(benchmark::State& state, Checks checks) {
  on_core(state, checks, "Ascend310P3", [&](Device&) {
    AscendC::LocalTensor<half> a(AscendC::TPosition::VECIN, 0, 128);
    AscendC::LocalTensor<half> b(AscendC::TPosition::VECIN, 256, 128);
    AscendC::Duplicate(a, half(1), 128);
    for (auto _ : state) {
      AscendC::Add(b, a, a, 128);
      benchmark::ClobberMemory();
    }
  });
}

const bool registered = [] {
  benchmark::RegisterBenchmark("add_one_repeat_checks/full", vinci_add, Checks::kFull);
  benchmark::RegisterBenchmark("add_one_repeat_checks/off", vinci_add, Checks::kOff);
  return true;
}();

}  // namespace
}  // namespace vinci::bench
