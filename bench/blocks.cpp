// Two blocks on two host threads against the same two on one: a Mmad of full L0 memories in each.
#include "bench.h"

namespace vinci::bench {
namespace {

constexpr int kM = 128, kN = 256, kK = 128;
constexpr int kRounds = 2048;  // long enough for a sleeping processor to wake up

void multiply_repeatedly() {
  const AscendC::LocalTensor<half> a(AscendC::TPosition::A2, 0, kM * kK);
  const AscendC::LocalTensor<half> b(AscendC::TPosition::B2, 0, kK * kN);
  const AscendC::LocalTensor<float> c(AscendC::TPosition::CO1, 0, kM * kN);
  Fill(a, AscendC::InitConstValueParams<half>(kM * kK / 256, half(0.5f)));
  Fill(b, AscendC::InitConstValueParams<half>(kK * kN / 256, half(0.25f)));
  for (int i = 0; i < kRounds; ++i) {
    Mmad(c, a, b, AscendC::MmadParams(kM, kN, kK, 0, false, i == 0));
  }
}

void two_blocks(benchmark::State& state, int threads) {
  Device device("Ascend310P3", Checks::kOff);
  device.set_threads(threads);
  device.launch(2, multiply_repeatedly);  // makes the cores
  for (auto _ : state) device.launch(2, multiply_repeatedly);
  if (!device.faults().empty()) state.SkipWithError(device.faults()[0].message.c_str());
}

const bool registered = [] {
  benchmark::RegisterBenchmark("two_blocks/two_threads", two_blocks, 2)->UseRealTime();
  benchmark::RegisterBenchmark("two_blocks/one_thread", two_blocks, 1)->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace vinci::bench
